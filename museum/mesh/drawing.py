"""Layouts as numbers: where each device and each slice goes in a picture, before anything knows how to paint.

Colours are roles: a slice's place among the layout's groups, or `NOTHING`. The painter decides what they look like.
"""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from museum.mesh.layout import Homeless, ShardLayout, Slices
from museum.mesh.mesh import Mesh

NOTHING = -1
"""Colour and replica number of a device that holds no part of the array."""

_CELL_GAP = 0.1  # in cell widths
_LEVEL_GAP = 0.6  # what each level of grids of grids adds to it


@dataclass(frozen=True, slots=True)
class Cell:
    """One device, in cell widths from the top left corner.

    Attributes:
        colour: Index of the device's slice in `ShardLayout.groups`, or `NOTHING`.
        replica: Number of its copy, or `NOTHING`.
    """

    device_id: int
    x: float
    y: float
    w: float
    h: float
    label: str
    colour: int
    replica: int


@dataclass(frozen=True, slots=True)
class AxisCaption:
    """Which way a mesh axis runs in the picture.

    Attributes:
        direction: ``columns`` for left to right, ``rows`` for top to bottom.
        level: 0 inside a grid, 1 between grids, 2 between grids of grids.
    """

    name: str
    size: int
    direction: Literal["columns", "rows"]
    level: int

    @property
    def text(self) -> str:
        """``data=4``."""
        return f"{self.name}={self.size}"

    @property
    def where(self) -> str:
        """``rows``, ``columns`` or ``outer``."""
        return "outer" if self.level else self.direction


@dataclass(frozen=True, slots=True)
class MeshDrawing:
    """The mesh with its devices, `width` by `height` cells; `captions` in axis order."""

    cells: tuple[Cell, ...]
    captions: tuple[AxisCaption, ...]
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Box:
    """One slice, in fractions of the drawn array.

    Attributes:
        text: ``0:2, 8:16``, "" for a scalar.
        colour: Index in `ShardLayout.groups`.
    """

    x: float
    y: float
    w: float
    h: float
    device_ids: tuple[int, ...]
    text: str
    colour: int


@dataclass(frozen=True, slots=True)
class Strip:
    """A part of the array that no device holds, in fractions of the drawn array, with its words."""

    x: float
    y: float
    w: float
    h: float
    text: str


@dataclass(frozen=True, slots=True)
class ArrayDrawing:
    """The array cut into its slices.

    Boxes and strips never overlap and, for a layout of all devices, cover the array.

    Attributes:
        boxes: One for each distinct slice that has elements, in reading order.
        homeless: What no device can hold.
        caption: What the picture shows, in words.
        rows: Elements from top to bottom, dimensions that are stacked included.
        columns: Elements from left to right.
    """

    boxes: tuple[Box, ...]
    homeless: tuple[Strip, ...]
    caption: str
    rows: int
    columns: int


def draw_mesh(subject: ShardLayout | Mesh) -> MeshDrawing:
    """Place the devices in the mesh's own grid.

    The last axis runs along the columns, the one before along the rows; those further out go on alternately, as grids
    of grids with wider gaps.
    """
    mesh = subject if isinstance(subject, Mesh) else subject.mesh
    pitches, width, height = _pitches(mesh.shape)
    colours, replicas = ({}, {}) if isinstance(subject, Mesh) else (_colours(subject), subject.replicas)
    cells = []
    for device_id, coordinates in zip(mesh.device_ids, mesh.places(), strict=True):
        offsets = [index * pitch for index, pitch in zip(coordinates, pitches, strict=True)]
        colour = colours.get(device_id, NOTHING)
        replica = NOTHING if colour == NOTHING else replicas[device_id]
        x, y = sum(offsets[::-1][0::2], 0.0), sum(offsets[::-1][1::2], 0.0)
        cells.append(Cell(device_id, x, y, 1.0, 1.0, str(device_id), colour, replica))
    captions = []
    for number, axis in enumerate(mesh.axes):
        level, odd = divmod(len(mesh.axes) - 1 - number, 2)
        captions.append(AxisCaption(axis.name, axis.size, "rows" if odd else "columns", level))
    return MeshDrawing(tuple(cells), tuple(captions), width, height)


def draw_array(layout: ShardLayout) -> ArrayDrawing:
    """Place the slices in the array.

    The last dimension runs to the right, the one before downwards; rank 1 is one row and rank 0 one box. Dimensions
    further out are stacked: each of their parts is a band that holds all of the dimensions inside it, so that every
    slice stays one box, whose area is its share of the elements.
    """
    shape = layout.shape
    boxes = []
    for colour, group in enumerate(layout.groups):
        if not group.is_empty:
            x, y, w, h = _place(group.slices, shape)
            text = ", ".join(f"{start}:{stop}" for start, stop in group.slices)
            boxes.append(Box(x, y, w, h, group.device_ids, text, colour))
    strips = () if 0 in shape else tuple(_strips(layout))
    rows = 1
    for size in shape[:-1]:
        rows *= size
    return ArrayDrawing(tuple(boxes), strips, _caption(shape), rows, shape[-1] if shape else 1)


def _pitches(shape: Sequence[int]) -> tuple[list[float], float, float]:
    """Distance between neighbours along each axis, and the whole picture's width and height."""
    extents = [1.0, 1.0]
    pitches = []
    for number, size in enumerate(reversed(shape)):
        level, direction = divmod(number, 2)
        gap = _CELL_GAP + level * _LEVEL_GAP
        pitch = extents[direction] + gap
        pitches.append(pitch)
        extents[direction] = pitch * size - gap
    return pitches[::-1], extents[0], extents[1]


def _colours(layout: ShardLayout) -> dict[int, int]:
    return {
        device_id: NOTHING if group.is_empty else colour
        for colour, group in enumerate(layout.groups)
        for device_id in group.device_ids
    }


def _place(slices: Slices, shape: Sequence[int]) -> tuple[float, float, float, float]:
    """The box (x, y, w, h) of a slice that has elements: bands within bands downwards, the last dimension across."""
    x, w = 0.0, 1.0
    if shape:
        start, stop = slices[-1]
        x, w = start / shape[-1], (stop - start) / shape[-1]
    y, h = 0.0, 1.0
    for (start, stop), size in zip(slices[:-1], shape[:-1], strict=True):
        y, h = y + h * start / size, h * (stop - start) / size
    return x, y, w, h


def _strips(layout: ShardLayout) -> Iterator[Strip]:
    """Each leftover once for every band that it lies in, and only beside rows that do have a home."""
    rank = len(layout.shape)
    whole: list[tuple[int, int]] = [(0, size) for size in layout.shape]
    housed = list(whole)
    for left_over in layout.homeless:
        housed[left_over.dimension] = (0, left_over.start)
    parts = [
        sorted({(start, stop) for start, stop in (group.slices[number] for group in layout.groups) if start < stop})
        for number in range(rank)
    ]
    for left_over in layout.homeless:
        dimension = left_over.dimension
        # The dimensions that make the bands around this leftover; the innermost two don't band each other.
        bands = range(min(dimension, max(rank - 2, 0)))
        for outer in itertools.product(*(parts[band] for band in bands)):
            between = [housed[number] for number in range(len(bands), dimension)]
            slices = (*outer, *between, (left_over.start, left_over.stop), *whole[dimension + 1 :])
            if all(start < stop for start, stop in slices):
                yield Strip(*_place(slices, layout.shape), _homeless_text(left_over, rank))


def _homeless_text(left_over: Homeless, rank: int) -> str:
    dimension, start, stop = left_over
    if rank == 1:
        one, many = "element", "elements"
    elif rank == 2:
        one, many = (("row", "rows"), ("column", "columns"))[dimension]
    else:
        one = many = f"dimension {dimension} at"
    if stop - start == 1:
        return f"{one} {start}: no home"
    if stop - start <= 3:
        return f"{many} {', '.join(map(str, range(start, stop)))}: no home"
    return f"{many} {start} to {stop - 1}: no home"


def _caption(shape: tuple[int, ...]) -> str:
    if not shape:
        return "a scalar"
    if 0 in shape:
        return f"shape {shape} has no elements"
    named = [f"dimension {number} ({size})" for number, size in enumerate(shape)]
    if len(shape) == 1:
        return f"{named[0]} to the right"
    picture = f"{named[-2]} downwards, {named[-1]} to the right"
    if len(shape) == 2:
        return picture
    return f"{picture}, in bands of {', then '.join(named[:-2])}"
