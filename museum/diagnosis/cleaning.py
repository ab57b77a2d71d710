"""Undo what terminals, notebooks, browsers, test runners and log collectors do to a text, line by line."""

import html
import json
import re
from collections import Counter
from collections.abc import Iterable

READ_AT_MOST = 160_000
"""Characters that are read whole; of more the head, the tail, and what stands round the last error between them."""

_HEAD, _TAIL, _BEFORE, _BEHIND = 40_000, 80_000, 8_000, 32_000
_SIGNS = ("Traceback (most recent call last)", "Error: ", "Exception: ", "RESOURCE_EXHAUSTED", "Fatal Python error")

_ANSI = re.compile(r"(?:\x1b|\\x1b|\\u001b|\\033|␛)\[[0-9;:?]*[A-Za-z]|\x1b\][^\x07]*\x07")
_BARE_ANSI = re.compile(r"\[(?:\d{1,3}(?:;\d{1,3})*)m")
_TAG_NAMES = "span|pre|div|code|br|p|b|i|font|a|li|ul|ol|td|tr|table|body|html|strong|em"
_TAGS = re.compile(rf"</?(?:{_TAG_NAMES})\b[^<>]{{0,300}}>", re.IGNORECASE)
_BREAKS = re.compile(r"<br\s*/?>|</(?:div|p|li|tr)>", re.IGNORECASE)
_MARKUP = re.compile(r"&(?:lt|gt|amp|quot|nbsp|#\d{1,5}|#x[0-9a-fA-F]{1,4});")
_NOTEBOOK_LINE = re.compile(r'\s*("(?:[^"\\]|\\.)*"),?\s*')

_TERMINALS = (80, 100, 120, 132)
"""Widths at which a single full line is taken for a broken one."""

_STAMP = (
    r"\[?\d{4}[-/]\d\d[-/]\d\d[T ,_]?\s?\d\d:\d\d:\d\d(?:[.,]\d{1,9})?"
    r"(?-i:Z|[+-]\d\d:?\d\d| (?:UTC|GMT|[A-Z]{1,3}T)\b)?\]?:?"
    r"|\[?(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\w*"
    r" [\w :.,]{6,24}\d\d:\d\d:\d\d\]?"
    r"|\[?\d\d:\d\d:\d\d(?:[.,]\d{1,9})?\]?:?"
)
_LEVEL = (
    r"\[?(?-i:DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|CRITICAL|FATAL|stderr|stdout)\]?"
    r"(?: [FP](?= |$))?(?:\s*[:|-](?=\s|$)|(?=\s|$))"
)
_LABEL = (
    r"\[?(?:rank|worker|process|proc|host|node|task|pod|gpu|tpu|device|replica|job)"
    r"[ _:=#-]?[\w.-]{0,40}\d[\w./-]{0,40}\]?:?"
    r"|\[\d{1,5}\]:?|\[\d{1,5},\d{1,5}\](?:<std(?:err|out)>)?:|\(\w[\w ]{0,40}pid=\d+[^)]{0,60}\)"
    r"|\d{1,4}:(?= )|\[?(?:default)\d{1,4}\]:"
)
_COMPOSE = r"[\w./-]{1,60} {0,20}\|(?= |$)"
_STAMPS = rf"(?:\s?(?:{_STAMP})\s?|\s?{_LEVEL}\s?|\s?[\w./-]{{1,60}}\[\d+\]:\s?)*"
_PREFIX = re.compile(rf"(?P<stamps>{_STAMPS})(?P<label>(?:{_COMPOSE}|{_LABEL})\s?)?", re.IGNORECASE)
_NEW_LINE = re.compile(
    r"\s*(?:File |Traceback |During handling|The above exception|-{5,}|>>>|\S+(?:Error|Exception|Warning):|[~^]+$)"
)
# A log line of XLA or absl carries its own stamp, which says where it comes from: it is no collector's.
_OWN_STAMP = re.compile(
    r"(?:\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+: )?[IWEF](?:\d{4} \d\d:\d\d:\d\d\.\d+ +\d+)? ?[\w./-]+\.(?:cc|h|py):\d+\]"
)
_PYTHON_STAMP = re.compile(r"[IWEFC]\d{4} \d\d:\d\d:\d\d\.\d+ +\d+ [\w./-]+\.py:\d+\] ?")
_PYTEST = re.compile(r"(?:E  | {4}|>  ) ?")
_GROUP = re.compile(r"(?: {2})*[|+](?:-\+-+ \d+ -+| ?)")


def picked(text: str) -> str:
    """What is read of a text: all of it, or of a huge one the parts in which an error stands. Linear, and fast."""
    if len(text) <= READ_AT_MOST:
        return text
    stop = len(text) - _TAIL
    parts = [text[:_HEAD], text[stop:]]
    places = (text.rfind(sign, _HEAD, stop) for sign in _SIGNS)
    place = next((place for place in places if place >= 0), -1)
    if place >= 0:
        start = max(_HEAD, place - _BEFORE)
        parts.insert(1, text[start : min(stop, place + _BEHIND)])
    return "\n".join(parts)


def cleaned(text: str) -> list[str]:
    """The lines of the one process that has the error, without colours, escapes, prefixes and hard line breaks."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\u00a0", " ")
    text = _unescaped(text)
    lines = text.expandtabs(8).split("\n")
    lines = _without_padding(lines)
    lines = _one_process(_without_prefixes(lines))
    return _rejoined(_without_margins(lines))


def _unescaped(text: str) -> str:
    if '"traceback": [' in text or '"output_type"' in text or text.lstrip()[:2] in ('["', "[\n"):
        strings = [match[1] for match in map(_NOTEBOOK_LINE.fullmatch, text.split("\n")) if match]
        if strings:
            text = "\n".join(str(json.loads(string, strict=False)).rstrip("\n") for string in strings)
    if "\x1b" in text or "\\u001b" in text or "\\x1b" in text or "\\033" in text or "␛" in text:
        text = _ANSI.sub("", text)
    elif _BARE_ANSI.search(text):  # the escape character itself got lost
        text = _BARE_ANSI.sub("", text)
    if _MARKUP.search(text):
        text = html.unescape(_TAGS.sub("", _BREAKS.sub("\n", text)))
    elif re.search(r"</(?:span|pre|div|code)>", text):
        text = _TAGS.sub("", _BREAKS.sub("\n", text))
    if "\n" not in text and text.count("\\n") > 1 and "Traceback" in text:
        text = text.replace("\\n", "\n").replace('\\"', '"')
    return text


def _without_padding(lines: list[str]) -> list[str]:
    """The lines without spaces at their ends, but for the one space at which a terminal broke a full line."""
    width = max(map(len, lines), default=0)
    bare = [line.rstrip() for line in lines]
    broken = [len(line) == width and len(text) == width - 1 for line, text in zip(lines, bare, strict=True)]
    return [line if is_broken else text for line, text, is_broken in zip(lines, bare, broken, strict=True)]


def _without_prefixes(lines: list[str]) -> list[tuple[str, str]]:
    """Each line with the label of its process, "" for none."""
    stamped = sum(1 for line in lines if _PYTHON_STAMP.match(line))
    if stamped > 2 and stamped * 2 > sum(1 for line in lines if line):  # a logger that stamps every line
        lines = [_PYTHON_STAMP.sub("", line, count=1) for line in lines]
    parted = []
    prefixed = 0
    for line in lines:
        if _OWN_STAMP.match(line):
            parted.append(("", line, line))
            continue
        match = _PREFIX.match(line)
        label = (match["label"] or "").strip() if match else ""
        rest = line[match.end() :] if match else line
        if match and match.end():
            prefixed += 1
        own = _OWN_STAMP.match(line, match.end("stamps")) if match and match["stamps"] and not label else None
        parted.append((label, line[match.end("stamps") :] if own and match else rest, line))
    filled = sum(1 for line in lines if line)
    # A lone number or word in front of one line of many is part of what it says.
    if prefixed * 2 < filled and prefixed < 3:
        return [(label, rest) if _is_certain(whole, rest) else ("", whole) for label, rest, whole in parted]
    return [(label, rest) for label, rest, _ in parted]


def _is_certain(line: str, rest: str) -> bool:
    prefix = line[: len(line) - len(rest)]
    return bool(
        re.match(r"\[?(?:rank|worker|process)[ _]?\d|\(\w[\w ]*pid=|\[?\d{4}[-/]\d\d[-/]\d\d", prefix, re.IGNORECASE)
    )


def _one_process(parted: list[tuple[str, str]]) -> list[str]:
    """The lines of one process where several speak by turns: of the first that tells of an error whole."""
    labels = Counter(label for label, _ in parted if label)
    if len(labels) < 2:
        return [line for _, line in parted]
    telling = {label: _telling(line for own, line in parted if own in (label, "")) for label in labels}
    best = max(telling.values())
    chosen = next(label for label in labels if telling[label] == best)
    # What bears no label belongs to whoever spoke last, unless it stands alone.
    lines, last = [], ""
    for label, line in parted:
        last = label or last
        if last == chosen:
            lines.append(line)
    return lines


def _telling(lines: Iterable[str]) -> int:
    text = "\n".join(lines)
    return 2 * ("Traceback (most" in text) + bool(re.search(r"^\S*(?:Error|Exception)\b", text, re.MULTILINE))


def _without_margins(lines: list[str]) -> list[str]:
    """Undo pytest's ``E   `` and the bars of an exception group."""
    if any(line.startswith("E   ") for line in lines):
        lines = [_PYTEST.sub("", line, count=1) if _PYTEST.match(line) else line for line in lines]
    if any(re.match(r"\s*\| Traceback|\s*\+ Exception Group", line) for line in lines):
        lines = [_GROUP.sub("", line, count=1) if _GROUP.match(line) else line for line in lines]
    indent = min((len(line) - len(line.lstrip(" ")) for line in lines if line.strip()), default=0)
    if indent > 1:
        lines = [line[indent:] for line in lines]
    quoted = sum(line.startswith(("> ", ">")) for line in lines)
    if quoted > 2 and quoted * 10 > 8 * sum(1 for line in lines if line):
        lines = [re.sub(r"^> ?", "", line) for line in lines]
    return lines


def _rejoined(lines: list[str]) -> list[str]:
    """Undo a terminal's line breaks at a fixed column, which cut words."""
    width = max(map(len, lines), default=0)
    full = [place for place, line in enumerate(lines) if len(line) == width]
    is_usual = width in _TERMINALS and width - len(lines[full[0]].rstrip()) < 2 if full else False
    if width < 60 or (not is_usual and (len(full) < 2 or len(full) * 12 < len(lines))):
        return [line.rstrip() for line in lines]
    joined: list[str] = []
    open_line = False
    for line in lines:
        if open_line and joined and line and not line.startswith("  ") and not _NEW_LINE.match(line):
            joined[-1] += line
        else:
            joined.append(line)
        open_line = len(line) == width
    return [line.rstrip() for line in joined]
