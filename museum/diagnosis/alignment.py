"""How well a template's literal runs account for a message, whole, cut off, or a piece out of the middle."""

from dataclasses import dataclass

_SHORTEST_END = 3  # characters of a cut run at a piece's edge that count


@dataclass(frozen=True, slots=True)
class Alignment:
    """What a template accounts for.

    Attributes:
        covered: Characters of the message that are the template's own words.
        strange: Characters of the message before or behind, which the template does not account for.
        lacking: Characters of the template's words that the message does not have, behind what it has.
        missed: The same before what it has: a message that is there from its start has none of those.
        spans: Where in the message each literal run stands, by number of the run; holes lie between.
    """

    covered: int
    strange: int
    lacking: int
    spans: tuple[tuple[int, int, int], ...] = ()
    missed: int = 0

    @property
    def is_whole(self) -> bool:
        """Whether the message is just what the template makes."""
        return not self.strange and not self.lacking and not self.missed


def whole(runs: tuple[str, ...], message: str) -> Alignment | None:
    """The message as made from all the runs in order, from its first character to its last; None when it is not."""
    first, last = runs[0], runs[-1]
    if not message.startswith(first):
        return None
    if len(runs) == 1:
        return Alignment(len(first), 0, 0, ((0, 0, len(first)),)) if message == first else None
    end = len(message) - len(last)
    if not message.endswith(last) or end < len(first):
        return None
    position = len(first)
    spans = [(0, 0, position)]
    for number in range(1, len(runs) - 1):
        run = runs[number]
        found = message.find(run, position, end)
        if found < 0:
            return None
        position = found + len(run)
        spans.append((number, found, position))
    spans.append((len(runs) - 1, end, len(message)))
    return Alignment(sum(map(len, runs)), 0, 0, tuple(spans))


def piece(runs: tuple[str, ...], message: str, number: int, place: int, start: int) -> Alignment:
    """The best account of a message that is only part of what the template makes, or has more round it.

    Args:
        runs: The template's literal runs.
        message: What was pasted.
        number: The run in which both have the same word.
        place: Where the word starts in the run.
        start: Where it starts in the message.
    """
    run = runs[number]
    left = _common_end(run, place, message, start)
    right = _common_start(run, place, message, start)
    spans = [(number, start - left, start + right)]
    covered = left + right
    strange_left, lacking_left, more = 0, 0, 0
    if left < start:  # there is more of the message on the left
        if left == place:
            more, strange_left, lacking_left = _leftwards(runs, number, message, start - left, spans)
        else:
            strange_left, lacking_left = start - left, place - left + sum(map(len, runs[:number]))
    covered += more
    strange_right, lacking_right, more = 0, 0, 0
    if start + right < len(message):
        if place + right == len(run):
            more, strange_right, lacking_right = _rightwards(runs, number, message, start + right, spans)
        else:
            strange_right = len(message) - start - right
            lacking_right = len(run) - place - right + sum(map(len, runs[number + 1 :]))
    covered += more
    spans.sort(key=lambda span: span[1])
    return Alignment(covered, strange_left + strange_right, lacking_right, tuple(spans), lacking_left)


def _common_end(run: str, place: int, message: str, start: int) -> int:
    longest = min(place, start)
    if run[place - longest : place] == message[start - longest : start]:
        return longest
    size = 0
    while run[place - size - 1] == message[start - size - 1]:
        size += 1
    return size


def _common_start(run: str, place: int, message: str, start: int) -> int:
    longest = min(len(run) - place, len(message) - start)
    if run[place : place + longest] == message[start : start + longest]:
        return longest
    size = 0
    while run[place + size] == message[start + size]:
        size += 1
    return size


def _leftwards(
    runs: tuple[str, ...], number: int, message: str, end: int, spans: list[tuple[int, int, int]]
) -> tuple[int, int, int]:
    """Covered, strange and lacking characters before ``message[end]``, where run `number` begins."""
    covered = 0
    for before in range(number - 1, -1, -1):
        run = runs[before]
        if not run:
            continue
        if before == 0 and message.startswith(run) and len(run) <= end:
            spans.append((0, 0, len(run)))
            return covered + len(run), 0, 0
        found = message.rfind(run, 0, end)
        if found < 0:
            for size in range(min(len(run), end), _SHORTEST_END - 1, -1):
                if message.startswith(run[-size:]):
                    spans.append((before, 0, size))
                    return covered + size, 0, len(run) - size + sum(map(len, runs[:before]))
            # The piece begins inside the hole, and what came before is not there.
            return covered, 0, sum(map(len, runs[: before + 1]))
        covered += len(run)
        end = found
        spans.append((before, found, found + len(run)))
    if runs[0]:
        return covered, end, 0
    return covered, 0, 0


def _rightwards(
    runs: tuple[str, ...], number: int, message: str, position: int, spans: list[tuple[int, int, int]]
) -> tuple[int, int, int]:
    """Covered, strange and lacking characters from ``message[position]`` on, where run `number` ends."""
    covered = 0
    last = len(runs) - 1
    for after in range(number + 1, last + 1):
        run = runs[after]
        if not run:
            continue
        if after == last and message.endswith(run) and position <= len(message) - len(run):
            spans.append((after, len(message) - len(run), len(message)))
            return covered + len(run), 0, 0
        found = message.find(run, position)
        if found < 0:
            for size in range(min(len(run), len(message) - position), _SHORTEST_END - 1, -1):
                if message.endswith(run[:size]):
                    spans.append((after, len(message) - size, len(message)))
                    return covered + size, 0, sum(map(len, runs[after:])) - size
            # The piece ends inside the hole, and what comes behind is not there.
            return covered, 0, sum(map(len, runs[after:]))
        covered += len(run)
        position = found + len(run)
        spans.append((after, found, position))
    if runs[-1]:
        return covered, len(message) - position, 0
    return covered, 0, 0
