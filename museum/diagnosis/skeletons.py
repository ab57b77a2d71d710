"""What stays of a message when its values are taken out: the words by which two messages are the same."""

import re
from collections.abc import Mapping, Sequence

HOLE = "§"
READ_AT_MOST = 4_000

_CALLED = (
    "NamedSharding|PartitionSpec|AbstractMesh|Mesh|GSPMDSharding|PositionalSharding|PmapSharding|SingleDeviceSharding"
    "|ShapedArray|ShapeDtypeStruct|DeviceMetadata|CudaDevice|TpuDevice|CpuDevice|GpuDevice|JitTracer|Traced|PyTreeDef"
    "|frozenset|P"
)
_VALUES = re.compile(
    r"https?://\S+|(?<=\bplatform )\w+|(?<=\bname: )\w+|(?<=\baxis: )\w+"
    r"|(?<!\w)[-\u2013\u2014]{1,3}[A-Za-z]\w+(?:=\S*)?"
    # An argument of a function: what the visitor's code calls them.
    r"|(?<=\bargument )\S*(?: of [\w.<>\[\]-]+)?(?= with\b)|\b\w+(?:\[[^\]\n]{1,40}\])+(?:\.\w+)*"
    r"|(?<![\w.])(?:\w++\.)++<locals>\.[\w.<>]+"
    rf"|\b(?:{_CALLED})[(<]"
    r"|\b(?:bool|pred|bfloat16|bf16|key<\w+>|(?:float|uint|int|complex|[fsuci])\d{1,3}(?:_?e\w{1,12})?)"
    r"\[[^\]]{0,200}\](?:\{[^{}\n]{0,80}\})?"
    r"|<(?:class |function |[\w.]+ object at )[^<>]{0,200}>"
    r"|(?<![\w])'[^'\n]{0,200}'|(?<![\w])\"[^\"\n]{0,200}\"|`[^`\n]{0,120}`"
    r"|(?<![\w./~-])(?:[\w.~-]*+/)++[\w.-]{1,80}?\.(?:py|cc|h)\b(?::\d+)*|\b[\w.-]+\.(?:py|cc|h):\d+(?::\d+)*"
    r"|\b(?:None|True|False)\b|0x[0-9a-fA-F]+|(?<![A-Za-z_])-?\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?(?:[KMGTPE]i?B?\b|B\b)?"
    r"|\[[\d, .]{0,4000}\]|\([\d, .]{0,400}\)|\{[^{}\n]{0,300}\}"
)
_OPERATION = re.compile(r"%[\w.-]+ = [^\n]*")
_ABOUT_NAMES = re.compile(
    r"has no attribute|unexpected keyword|cannot import name|[Nn]o module named|missing \d+ required"
    r"|\bdeprecated\b|\bremoved in\b"
)
_UNQUOTED = str.maketrans("'\"`", "   ")
_INTEGERS = re.compile(r"(?<=[\s(])\[(\d{1,6}(?:, ?\d{1,6}){0,2000}(?:, ?\.{3})?(?:, ?\d{1,6})?)\]")
_UNBOUND = re.compile(r"unbound axis name: (?P<name>\w+)(?:\. The following axis names[^\[\n]*\[(?P<bound>[^\]]*))?")
_PARTIES = re.compile(
    r"\b(argument(?= \S+ of )|context mesh|explicit (?:in|out)put sharding|closed over constant|inside (?:p?jit|pmap))"
    r"(?=[^\n]{0,400}?(?:device ids|AbstractMesh))"
)
_WORD = re.compile(rf"[^\W\d_][\w]*|{HOLE}")
_OPENING, _CLOSING = "([{<", ")]}>"
_KEPT = re.compile(r"`([^`\n]{1,120})`|'([^'\n]{1,60})'|\"([^\"\n]{1,60})\"")


def skeleton(message: str) -> tuple[str, ...]:
    """The words of a message in order, each stretch of values as one hole.

    Names in quotes are values, but where the message is about a name: a missing attribute, an unknown keyword.
    """
    message = " ".join(_OPERATION.sub(" ", message[:READ_AT_MOST]).split())
    if _ABOUT_NAMES.search(message):
        message = message.translate(_UNQUOTED)
    pieces: list[str] = []
    position = 0
    while match := _VALUES.search(message, position):
        pieces.append(message[position : match.start()])
        stop = match.end()
        if match[0][-1] in "(<" and len(match[0]) > 1:
            stop = _closed(message, match.end() - 1)
        if match[0][0] == "`":  # code that belongs to the wording more often than not
            pieces.append(f" {match[0][1:-1]} ")
        pieces.append(f" {HOLE} " if match[0][0] != "`" else "")
        position = max(stop, position + 1)
    pieces.append(message[position:])
    words: list[str] = []
    for word in _WORD.findall("".join(pieces)):
        if word != HOLE or not words or words[-1] != HOLE:
            words.append(word)
    return tuple(words)


def _closed(text: str, start: int) -> int:
    """Just behind the bracket that closes the one at `start`, or where the reading ends."""
    depth = 0
    for place in range(start, min(len(text), start + 2000)):
        if text[place] in _OPENING:
            depth += 1
        elif text[place] in _CLOSING:
            depth -= 1
            if depth == 0:
                return place + 1
    return min(len(text), start + 2000)


def quoted(message: str) -> frozenset[str]:
    """The names that a message puts in quotes: axes, arguments, attributes."""
    return frozenset(next(filter(None, found)) for found in _KEPT.findall(message[:READ_AT_MOST]))


def relation(message: str) -> str:
    """How the first two lists of whole numbers that a message states (ids of devices) stand to each other."""
    lists = [[part.strip() for part in found.split(",")] for found in _INTEGERS.findall(message[:READ_AT_MOST])[:2]]
    if len(lists) < 2:
        return ""
    one, other = lists
    if one == other:
        return "same"
    if sorted(one) == sorted(other):
        return "same in another order"
    if min(len(one), len(other)) == 1:
        return "one of many" if set(one) & set(other) else "one and others"
    return "part" if set(one) & set(other) else "apart"


def is_foreign_axis(message: str) -> bool:
    """Whether an unbound axis is none that the visitor forgot: a library's private one, or one said to be bound."""
    match = _UNBOUND.search(message[:READ_AT_MOST])
    return match is not None and (
        match["name"].startswith("_") or match["name"] in re.findall(r"\w+", match["bound"] or "")
    )


def parties(message: str) -> frozenset[str]:
    """What a message about devices that do not fit sets against each other: arguments, meshes, shardings, code."""
    return frozenset(" ".join(found.split()[:2]).lower() for found in _PARTIES.findall(message[:READ_AT_MOST]))


def common(one: Sequence[str], other: Sequence[str], weights: Mapping[str, float], default: float) -> float:
    """The weight of the heaviest words that both have in the same order (a longest common subsequence by weight)."""
    best = [0.0] * (len(other) + 1)
    for word in one:
        weight = weights.get(word, default)
        before = 0.0
        for place, against in enumerate(other, 1):
            kept = best[place]
            if word == against:
                if before + weight > kept:
                    best[place] = before + weight
            elif best[place - 1] > kept:
                best[place] = best[place - 1]
            before = kept
    return best[-1]
