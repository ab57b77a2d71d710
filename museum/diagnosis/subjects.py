"""The names that a message says are missing or given up: if the name is the same, the words do not matter."""

import re

READ_AT_MOST = 4_000
_NAME = r"[A-Za-z_][\w.]*"
_MARK = r"[`'\"]?"
_MISSING = (
    re.compile(rf"cannot import name {_MARK}(?P<name>\w+){_MARK} from {_MARK}(?P<module>{_NAME})"),
    re.compile(rf"[Mm]odule {_MARK}(?P<module>{_NAME}){_MARK} has no attribute {_MARK}(?P<name>\w+)"),
    re.compile(rf"[Nn]o module named {_MARK}(?P<module>{_NAME})"),
    re.compile(
        rf"(?<![\w.]){_MARK}(?P<module>(?:jax|jaxlib|pl|pltpu|plgpu)\.{_NAME}){_MARK}(?: and all its contents)? "
        r"(?:is|are|was|were|has been|have been)(?: now)? (?:deprecated|removed|renamed)"
    ),
)


def subjects(message: str) -> frozenset[str]:
    """The names, dotted, from the package on; a module that only holds what is called like itself counts as that."""
    text = " ".join(message[:READ_AT_MOST].split())
    return frozenset(_dotted(match) for pattern in _MISSING for match in pattern.finditer(text))


def _dotted(match: re.Match[str]) -> str:
    parts = match["module"].rstrip(".").split(".")
    name = match.groupdict().get("name")
    if name and name != parts[-1]:
        parts.append(name)
    elif len(parts) > 1 and parts[-1] == parts[-2]:
        parts.pop()
    return ".".join(parts)
