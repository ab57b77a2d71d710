"""Frames of a traceback, whoever printed it: Python, IPython old and new, pytest."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import takewhile

_PYTHON = re.compile(r'\s*File "(?P<file>[^"\n]{1,500})", line (?P<line>\d+)(?:, in (?P<function>\S.*))?')
_IPYTHON = re.compile(r"\s*File (?P<file>[~/.<\w][^\n:]{0,400}?):(?P<line>\d+)(?:, in (?P<function>[\w.<>]+)\(?.*)?")
_CELL = re.compile(
    r"\s*(?P<file>Cell In\s?\[\d+\]|Input In \[\d+\])(?:, line (?P<line>\d+)|, in (?P<function>[\w.<>]+).*)"
)
_OLD_IPYTHON = re.compile(r"(?P<file>[~/][^\n:()]{1,400}\.py|<ipython-input-[\w-]+>) in (?P<function>[\w.<>]+)\(?.*")
_PYTEST = re.compile(
    r"(?P<file>[\w./~-]{1,400}\.py):(?P<line>\d+): (?:in (?P<function>[\w.<>]+)|(?P<error>\w*(?:Error|Exception)))"
)
_ARROW = re.compile(r"-+> ?(\d+) ")
_IN_JAX = re.compile(
    r"(?:^|[/\\])(?P<file>jax(?:lib)?[/\\]"
    r"(?:_src|experimental|interpreters|lax|numpy|nn|scipy|tools|mlir|extend|example_libraries|__init__|\w+\.py).*)"
)
_LIBRARY = re.compile(
    r"[/\\](?:site|dist)-packages[/\\]|[/\\]lib[/\\]python3|[/\\]importlib[/\\]|^/usr/lib/python"
    r"|^<frozen |<string>|<__array_function__"
)


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame.

    Attributes:
        file: As printed; of a file of JAX what follows site-packages, with slashes.
        line: From 1; 0 where it is not said.
        function: Its name, "" where it is not said.
        in_jax: Whether it belongs to JAX or jaxlib.
        in_library: Whether it belongs to another library or to Python.
        code: What is shown of it, of a frame that is neither.
    """

    file: str
    line: int = 0
    function: str = ""
    in_jax: bool = False
    in_library: bool = False
    code: str = field(default="", compare=False)

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        return f"{place} in {self.function}" if self.function else place


def frames_in(lines: Sequence[str]) -> list[tuple[int, Frame]]:
    """Every frame with the number of its line, in order."""
    found: list[tuple[int, Frame]] = []
    for number, line in enumerate(lines):
        frame = _frame(line, lines[number + 1 : number + 12])
        if frame:
            found.append((number, frame))
    return found


def _frame(line: str, behind: Sequence[str]) -> Frame | None:
    if ".py" not in line and "File " not in line and "In" not in line and "<ipython" not in line:
        return None
    for pattern in (_PYTHON, _IPYTHON, _CELL, _PYTEST):
        match = pattern.match(line) if pattern is not _PYTEST else pattern.fullmatch(line.strip())
        if match:
            said = match.groupdict()
            return _made(said["file"], int(said.get("line") or 0) or _arrow(behind), said.get("function") or "", behind)
    match = _OLD_IPYTHON.fullmatch(line)
    return _made(match["file"], _arrow(behind), match["function"], behind) if match else None


def _arrow(lines: Sequence[str]) -> int:
    for line in lines:
        match = _ARROW.match(line)
        if match:
            return int(match[1])
        if not line:
            break
    return 0


def _code(lines: Sequence[str]) -> str:
    """The source that is shown of a frame: from the arrow on where there is one."""
    shown = list(takewhile(lambda line: line[:1].isspace() or _ARROW.match(line), lines))
    first = next((number for number, line in enumerate(shown) if _ARROW.match(line)), 0)
    return "\n".join(takewhile(lambda line: not line.lstrip().startswith("File "), shown[first:]))


def _made(file: str, line: int, function: str, behind: Sequence[str]) -> Frame:
    inside = _IN_JAX.search(file)
    function = function.strip().removesuffix("()")
    function = function.replace(".<locals>", "")
    if inside:
        return Frame(inside["file"].replace("\\", "/"), line, function, in_jax=True)
    in_library = bool(_LIBRARY.search(file))
    return Frame(file, line, function, in_library=in_library, code="" if in_library else _code(behind))
