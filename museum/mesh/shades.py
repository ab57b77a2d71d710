"""The slices of a layout that have elements, and the colour role of each.

Everything here goes dimension by dimension through all slices at once, because a mesh has thousands of them.
"""

from collections.abc import Sequence
from typing import NamedTuple

from museum.mesh.layout import ShardLayout, SliceGroup

HUES, TONES = 8, 3


class Shade(NamedTuple):
    """The colour role of a slice: one of `HUES` hues in one of `TONES` tones.

    Slices beside or above each other in the array have different tones, which greyscale and every eye tell apart.
    """

    hue: int
    tone: int


Column = Sequence[tuple[int, int]]
"""The [start, stop) of every slice in one dimension."""


class Held(NamedTuple):
    """The slices that have elements.

    Attributes:
        numbers: Their places in `ShardLayout.groups`.
        groups: They themselves.
        columns: Their ranges, one column for each dimension.
    """

    numbers: Sequence[int]
    groups: Sequence[SliceGroup]
    columns: list[Column]

    @property
    def shades(self) -> list[Shade]:
        """By place in the folded picture: tones differ to the right and downwards."""
        rows = numbers = [0] * len(self.groups)
        for place, column in enumerate(self.columns):
            distinct = set(column)
            if len(distinct) == 1:
                numbers = [0] * len(rows)
                continue
            parts = {bounds: number for number, bounds in enumerate(sorted(distinct))}
            numbers = [parts[bounds] for bounds in column]
            if place < len(self.columns) - 1:
                count = len(parts)
                rows = [row * count + number for row, number in zip(rows, numbers, strict=True)]
        return [
            _SHADES[3 * row + number & 7][(2 * row + number) % TONES] for row, number in zip(rows, numbers, strict=True)
        ]

    @property
    def lines(self) -> list[tuple[str, ...]]:
        """``0:2`` for each dimension of each slice."""
        texts = []
        for column in self.columns:
            known = {bounds: f"{bounds[0]}:{bounds[1]}" for bounds in set(column)}
            texts.append([known[bounds] for bounds in column])
        return list(zip(*texts, strict=True)) if texts else [()] * len(self.groups)


_SHADES = [[Shade(hue, tone) for tone in range(TONES)] for hue in range(HUES)]


def held_by(layout: ShardLayout) -> Held:
    """The slices of a layout that have elements."""
    columns = columns_of(layout.groups)
    if not any(start == stop for column in columns for start, stop in set(column)):
        return Held(range(len(layout.groups)), layout.groups, columns)
    numbered = [(number, group) for number, group in enumerate(layout.groups) if not group.is_empty]
    groups = [group for _, group in numbered]
    return Held([number for number, _ in numbered], groups, columns_of(groups))


def columns_of(groups: Sequence[SliceGroup]) -> list[Column]:
    """The ranges of slices, dimension by dimension."""
    return list(zip(*[group.slices for group in groups], strict=True))


def in_words(layout: ShardLayout, held: Sequence[SliceGroup]) -> str:
    """How many different slices there are, of what shape, and how many copies of each."""
    if not held:
        return "none holds any element"
    shape = "x".join(map(str, layout.shard_shape)) or "a scalar"
    due = f", as summands over {' and '.join(layout.summands)}" if layout.summands else ""
    if len(held) == 1:
        return f"{'each' if len(held[0].device_ids) > 1 else 'one'} holds all of it ({shape}){due}"
    each = f"{layout.copies:,} copies of each" if layout.copies > 1 else "each on one device"
    return f"{len(held):,} different slices of {shape}{due or f', {each}'}"
