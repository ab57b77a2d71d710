"""Mesh + spec + shape -> who holds which slice, also when that is impossible.

The rules are those of `jax.sharding.NamedSharding`: a dimension is cut into as many equal parts as the product of the
sizes of its axes, the first axis of a tuple is the slowest, and devices that differ only along axes that the spec
doesn't name hold the same slice.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from itertools import pairwise, repeat, starmap
from operator import gt, itemgetter
from typing import NamedTuple, Self

from museum.errors import MuseumError
from museum.mesh.dtypes import bytes_of
from museum.mesh.mesh import AxisType, Mesh, whole_number
from museum.mesh.spec import UNCONSTRAINED, Spec

Slices = tuple[tuple[int, int], ...]
"""One [start, stop) for each dimension."""


class ProblemKind(StrEnum):
    """Why JAX refuses a layout."""

    NOT_DIVISIBLE = "not divisible"
    UNKNOWN_AXIS = "unknown axis"
    AXIS_USED_TWICE = "axis used twice"
    SPEC_TOO_LONG = "spec longer than rank"
    MESH_TOO_BIG = "mesh bigger than the devices"
    WRONG_AXIS_TYPE = "wrong axis type"


@dataclass(frozen=True, slots=True)
class Problem:
    """One reason why JAX refuses a layout, with its place.

    Attributes:
        kind: Which rule it breaks.
        dimension: The array dimension, or the place in the spec; None when it concerns the spec as a whole.
        axis: The mesh axis, ``data+model`` for a tuple; "" when it concerns no axis.
        text: One line for a person, without a full stop.
    """

    kind: ProblemKind
    dimension: int | None
    axis: str
    text: str

    def __str__(self) -> str:
        return self.text


class Homeless(NamedTuple):
    """Indices [start, stop) of a dimension that no device can hold."""

    dimension: int
    start: int
    stop: int


class SliceGroup(NamedTuple):
    """One distinct slice and the devices that hold it, in mesh order: the first is replica 0."""

    slices: Slices
    device_ids: tuple[int, ...]

    @property
    def is_empty(self) -> bool:
        """Whether no element lies in the slice."""
        for start, stop in self.slices:  # a loop, because drawings ask it of thousands  # noqa: SIM110
            if start == stop:
                return True
        return False


@dataclass(frozen=True, slots=True)
class ShardLayout:
    """Where each part of an array lives.

    Attributes:
        mesh: The devices.
        spec: The spec as asked for; None when a live array had none.
        shape: Global array shape.
        shard_shape: Shape of each device's part (of the largest, should they differ).
        slices: Device id to its [start, stop) for each dimension, in mesh order.
        replicas: Device id to the number of its copy among those of the same slice, from 0.
        groups: Distinct slices in reading order, the last dimension fastest.
        problems: Why JAX refuses it; empty for a layout that works.
        homeless: What is left over of dimensions that cannot be cut evenly.
        devices: How many devices there are for the mesh; None when that is not asked.
    """

    mesh: Mesh
    spec: Spec | None
    shape: tuple[int, ...]
    shard_shape: tuple[int, ...]
    slices: dict[int, Slices]
    replicas: dict[int, int]
    groups: tuple[SliceGroup, ...]
    problems: tuple[Problem, ...] = ()
    homeless: tuple[Homeless, ...] = ()
    devices: int | None = None

    @classmethod
    def from_report(
        cls,
        mesh: Mesh,
        shape: tuple[int, ...],
        spec: Spec | None,
        shards: Mapping[int, Sequence[Sequence[int]]],
    ) -> Self:
        """Build the layout of a live array from what a run reported.

        Args:
            mesh: The array's mesh.
            shape: Global shape.
            spec: Its spec, if its sharding has one.
            shards: Device id to ``[[start, stop], ...]``; may lack the devices of other processes.

        Raises:
            MuseumError: A shard is on a device outside the mesh, or its ranges don't lie in the shape.
        """
        _check_shape(shape)
        known = set(mesh.device_ids)
        for device_id, ranges in shards.items():
            if device_id not in known:
                raise MuseumError(f"a shard lies on device {device_id}, which is not in the mesh {mesh}")
            fits = len(ranges) == len(shape) and all(
                len(bounds) == 2 and 0 <= bounds[0] <= bounds[1] <= size
                for bounds, size in zip(ranges, shape, strict=True)
            )
            if not fits:
                raise MuseumError(f"device {device_id}: the ranges {list(ranges)} do not lie in the shape {shape}")
        slices: dict[int, Slices] = {
            device_id: tuple((start, stop) for start, stop in shards[device_id])
            for device_id in mesh.device_ids
            if device_id in shards
        }
        held_shapes = [tuple(stop - start for start, stop in held) for held in slices.values()]
        largest = max(held_shapes, key=math.prod, default=(0,) * len(shape))
        groups, replicas = _group(slices)
        return cls(mesh, spec, shape, largest, slices, replicas, groups)

    @property
    def replication(self) -> int:
        """Devices that hold each slice (the most, should they differ); 0 when no shard is known."""
        return max(map(len, map(itemgetter(1), self.groups)), default=0)

    @property
    def summands(self) -> tuple[str, ...]:
        """The mesh axes along which devices hold not copies but summands of the same slice."""
        unreduced = self.spec.unreduced if self.spec else ()
        return tuple(axis for axis in unreduced if axis in self.mesh.axis_names)

    @property
    def copies(self) -> int:
        """Devices that hold the very same: `replication` without those that hold other summands."""
        sizes = self.mesh.axis_sizes
        return self.replication // math.prod(sizes[axis] for axis in self.summands)

    @property
    def missing(self) -> tuple[int, ...]:
        """The devices that the mesh has and the machine has not."""
        return () if self.devices is None else self.mesh.device_ids[self.devices :]

    def bytes_per_device(self, element: int | str) -> int:
        """Bytes that each device holds of the array, without padding.

        Args:
            element: Bytes of one element, or its dtype's name.
        """
        elements = math.prod(self.shard_shape)
        return bytes_of(elements, element) if isinstance(element, str) else elements * element


def resolve(mesh: Mesh, spec: Spec, shape: tuple[int, ...], devices: int | None = None) -> ShardLayout:
    """Work out who holds what, as far as it makes sense.

    What JAX would refuse is resolved too, with `ShardLayout.problems`, so that it can be drawn: an axis that is unknown
    or was used before cuts nothing, entries beyond the rank are left out, and a dimension that cannot be cut evenly is
    cut into parts of the rounded-down size, the rest being homeless (all of it when there are fewer rows than parts).
    Unreduced axes cut nothing: each device along them holds a summand of the same slice. A dimension of size 0 is no
    problem, as for JAX; a mesh axis of size 0 cannot be (see `Axis`).

    Args:
        mesh: The devices.
        spec: At most one entry a dimension; an unconstrained one counts as not cut, as in ``devices_indices_map``.
        shape: Global array shape; rank 0 and dimensions of size 0 are fine.
        devices: How many devices there are, to say when the mesh wants more; None when that does not matter.

    Raises:
        MuseumError: A size is negative.
    """
    _check_shape(shape)
    problems = too_big(mesh, devices)
    sizes = mesh.axis_sizes
    axes_by_dimension, more = _usable_axes(spec, sizes, len(shape))
    problems += [*more, *_wrong_types(mesh, spec)]
    if len(spec.entries) > len(shape):
        text = f"the spec has {_count(len(spec.entries), 'entry', 'entries')}, but the array has rank {len(shape)}"
        problems.append(Problem(ProblemKind.SPEC_TOO_LONG, None, "", text))

    extents, homeless = [], []
    for dimension, (size, axes) in enumerate(zip(shape, axes_by_dimension, strict=True)):
        parts = math.prod(sizes[axis] for axis in axes)
        extent, remainder = divmod(size, parts)
        extents.append(extent)
        if remainder:
            homeless.append(Homeless(dimension, extent * parts, size))
            by = " x ".join(f"{axis}={sizes[axis]}" for axis in axes)
            text = f"dimension {dimension} of size {size} is not divisible by {parts} ({by}): remainder {remainder}"
            problems.append(Problem(ProblemKind.NOT_DIVISIBLE, dimension, "+".join(axes), text))

    slices, groups, replicas = _cut(mesh, axes_by_dimension, extents)
    found = (tuple(problems), tuple(homeless))
    return ShardLayout(mesh, spec, shape, tuple(extents), slices, replicas, groups, *found, devices)


def too_big(mesh: Mesh, devices: int | None) -> list[Problem]:
    """Whether a mesh needs more devices than there are: one problem or none; None when nobody said how many."""
    if devices is None or mesh.size <= devices:
        return []
    text = f"the mesh {mesh} needs {mesh.size} devices, but there {'is' if devices == 1 else 'are'} {devices}"
    return [Problem(ProblemKind.MESH_TOO_BIG, None, "", text)]


def shard_shape(mesh: Mesh, spec: Spec, shape: tuple[int, ...]) -> tuple[int, ...]:
    """The shape of each device's part alone, as `resolve` has it, at no cost for large meshes.

    Args:
        mesh: The devices.
        spec: How the array is cut.
        shape: Global array shape.
    """
    sizes = mesh.axis_sizes
    axes_by_dimension, _ = _usable_axes(spec, sizes, len(shape))
    return tuple(
        size // math.prod(sizes[axis] for axis in axes) for size, axes in zip(shape, axes_by_dimension, strict=True)
    )


def parse_shape(text: str) -> tuple[int, ...]:
    """Read an array shape: ``16,16``, ``(16, 16)``, ``16,``; nothing or ``()`` for a scalar.

    Raises:
        MuseumError: A part is no whole number.
    """
    inner = text.strip().removeprefix("(").removesuffix(")").strip().removesuffix(",")
    if not inner:
        return ()
    sizes = []
    for part in inner.split(","):
        size = whole_number(part.strip())
        if size is None:
            raise MuseumError(f"shape {text!r}: {part.strip()!r} is no whole number, as in 16,16")
        sizes.append(size)
    return tuple(sizes)


def _check_shape(shape: tuple[int, ...]) -> None:
    if any(size < 0 for size in shape):
        raise MuseumError(f"shape {shape}: a size is 0 or more")


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _usable_axes(spec: Spec, sizes: Mapping[str, int], rank: int) -> tuple[list[tuple[str, ...]], list[Problem]]:
    """The axes that cut each of `rank` dimensions, without those that can't, and why they can't."""
    problems: list[Problem] = []
    first_use: dict[str, int] = {}
    usable: list[tuple[str, ...]] = []
    for dimension in range(len(spec.entries)):
        kept = []
        for axis in spec.axes_at(dimension):
            if axis not in sizes:
                problems.append(_unknown(axis, dimension, sizes))
            if axis in first_use:
                before = first_use[axis]
                where = (
                    f"in dimension {dimension}" if before == dimension else f"in dimensions {before} and {dimension}"
                )
                text = f"axis {axis!r} is used twice, {where}"
                problems.append(Problem(ProblemKind.AXIS_USED_TWICE, dimension, axis, text))
            elif axis in sizes:
                kept.append(axis)
            first_use.setdefault(axis, dimension)
        usable.append(tuple(kept))
    for axis in spec.unreduced:
        if axis in first_use:
            text = f"axis {axis!r} is used twice, in dimension {first_use[axis]} and as unreduced"
            problems.append(Problem(ProblemKind.AXIS_USED_TWICE, first_use[axis], axis, text))
        elif axis not in sizes:
            problems.append(_unknown(axis, None, sizes))
    return [*usable, *[()] * rank][:rank], problems


def _unknown(axis: str, dimension: int | None, sizes: Mapping[str, int]) -> Problem:
    text = f"the mesh has no axis {axis!r} (its axes: {', '.join(map(repr, sizes)) or 'none'})"
    return Problem(ProblemKind.UNKNOWN_AXIS, dimension, axis, text)


def _wrong_types(mesh: Mesh, spec: Spec) -> list[Problem]:
    """What JAX takes only on axes of another type (all versions that have axis types)."""
    types = {axis.name: axis.type for axis in mesh.axes}
    problems = []
    for dimension, entry in enumerate(spec.entries):
        if entry is UNCONSTRAINED and AxisType.AUTO not in types.values():
            text = f"dimension {dimension} is left to the compiler, but the mesh has no auto axis"
            problems.append(Problem(ProblemKind.WRONG_AXIS_TYPE, dimension, "", text))
    for axis in spec.unreduced:
        if axis in types and types[axis] is not AxisType.EXPLICIT and axis not in spec.axes:
            text = f"unreduced axis {axis!r} is {types[axis]}: only an explicit axis can be unreduced"
            problems.append(Problem(ProblemKind.WRONG_AXIS_TYPE, None, axis, text))
    return problems


def _cut(
    mesh: Mesh, axes_by_dimension: Sequence[tuple[str, ...]], extents: Sequence[int]
) -> tuple[dict[int, Slices], tuple[SliceGroup, ...], dict[int, int]]:
    """Slices by device, and as `_group` gives them; by columns, because meshes of 4,096 devices are redrawn by hand."""
    ids = mesh.device_ids
    columns: list[Iterable[tuple[int, int]]] = []
    numbering: dict[str, range] = {}  # what each axis adds to the number of a slice, in reading order
    stride = 1
    for axes, extent in zip(reversed(axes_by_dimension), reversed(extents), strict=True):
        along, parts = {}, 1
        for axis in reversed(axes):
            size = mesh.axis_sizes[axis]
            along[axis] = range(0, size * parts, parts)
            if extent:  # else all the parts are the same empty slice
                numbering[axis] = range(0, size * parts * stride, parts * stride)
            parts *= size
        stride *= parts
        ranges = [(number * extent, (number + 1) * extent) for number in range(parts)]
        columns.append([ranges[number] for number in mesh.totals(along, 0)] if axes else repeat(ranges[0], len(ids)))
    held: list[Slices] = list(zip(*reversed(columns), strict=True)) if columns else [()] * len(ids)
    numbers = mesh.totals(numbering, 0)
    slices = dict(zip(ids, held, strict=True))
    if len(set(numbers)) == len(numbers):  # the common case of large meshes: no copies
        alone: Iterable[tuple[Slices, tuple[int]]] = zip(held, zip(ids, strict=True), strict=True)
        if any(starmap(gt, pairwise(numbers))):
            alone = map(itemgetter(1), sorted(zip(numbers, alone, strict=True), key=itemgetter(0)))
        return slices, tuple(map(_AS_GROUP, alone)), dict.fromkeys(ids, 0)
    first: dict[int, Slices] = dict(zip(reversed(numbers), reversed(held), strict=True))
    holders: dict[int, list[int]] = {number: [] for number in first}
    replicas = {}
    for device_id, number in zip(ids, numbers, strict=True):
        equals = holders[number]
        replicas[device_id] = len(equals)
        equals.append(device_id)
    groups = tuple([SliceGroup(first[number], tuple(holders[number])) for number in sorted(first)])
    return slices, groups, replicas


_AS_GROUP = partial(tuple.__new__, SliceGroup)  # at a third of what its own constructor costs


def _group(slices: Mapping[int, Slices]) -> tuple[tuple[SliceGroup, ...], dict[int, int]]:
    """Equal slices together, and each device's number among its equals, as ``Shard.replica_id`` counts them."""
    holders: dict[Slices, list[int]] = {}
    replicas: dict[int, int] = {}
    for device_id, held in slices.items():
        equals = holders.setdefault(held, [])
        replicas[device_id] = len(equals)
        equals.append(device_id)
    return tuple(SliceGroup(held, tuple(holders[held])) for held in sorted(holders)), replicas
