"""Mesh + spec + shape -> who holds which slice, also when that is impossible.

The rules are those of `jax.sharding.NamedSharding`: a dimension is cut into as many equal parts as the product of the
sizes of its axes, the first axis of a tuple is the slowest, and devices that differ only along axes that the spec
doesn't name hold the same slice.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, Self

from museum.errors import MuseumError
from museum.mesh.mesh import Mesh, whole_number
from museum.mesh.spec import UNCONSTRAINED, Entry, Spec

Slices = tuple[tuple[int, int], ...]
"""One [start, stop) for each dimension."""


class ProblemKind(StrEnum):
    """Why JAX refuses a layout."""

    NOT_DIVISIBLE = "not divisible"
    UNKNOWN_AXIS = "unknown axis"
    AXIS_USED_TWICE = "axis used twice"
    SPEC_TOO_LONG = "spec longer than rank"


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


@dataclass(frozen=True, slots=True)
class SliceGroup:
    """One distinct slice and the devices that hold it, in mesh order: the first is replica 0."""

    slices: Slices
    device_ids: tuple[int, ...]

    @property
    def is_empty(self) -> bool:
        """Whether no element lies in the slice."""
        return any(start == stop for start, stop in self.slices)


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
        extents = [tuple(stop - start for start, stop in held) for held in slices.values()]
        shard_shape = max(extents, key=math.prod, default=(0,) * len(shape))
        groups, replicas = _group(slices)
        return cls(mesh, spec, shape, shard_shape, slices, replicas, groups)

    @property
    def replication(self) -> int:
        """Devices that hold each slice (the most, should they differ); 0 when no shard is known."""
        return max((len(group.device_ids) for group in self.groups), default=0)

    def bytes_per_device(self, itemsize: int) -> int:
        """Bytes that each device holds of the array, without padding.

        Args:
            itemsize: Bytes of one element.
        """
        return math.prod(self.shard_shape) * itemsize


def resolve(mesh: Mesh, spec: Spec, shape: tuple[int, ...]) -> ShardLayout:
    """Work out who holds what, as far as it makes sense.

    What JAX would refuse is resolved too, with `ShardLayout.problems`, so that it can be drawn: an axis that is unknown
    or was used before cuts nothing, entries beyond the rank are left out, and a dimension that cannot be cut evenly is
    cut into parts of the rounded-down size, the rest being homeless (all of it when there are fewer rows than parts).

    Args:
        mesh: The devices.
        spec: At most one entry a dimension; an unconstrained one counts as not cut, as in ``devices_indices_map``.
        shape: Global array shape; rank 0 and dimensions of size 0 are fine.

    Raises:
        MuseumError: A size is negative.
    """
    _check_shape(shape)
    sizes = dict(zip(mesh.axis_names, mesh.shape, strict=True))
    axes_by_entry, problems = _usable_axes(spec, sizes)
    if len(spec.entries) > len(shape):
        text = f"the spec has {_count(len(spec.entries), 'entry', 'entries')}, but the array has rank {len(shape)}"
        problems.append(Problem(ProblemKind.SPEC_TOO_LONG, None, "", text))
    axes_by_dimension = (axes_by_entry + [()] * len(shape))[: len(shape)]

    shard_shape = []
    homeless = []
    for dimension, (size, axes) in enumerate(zip(shape, axes_by_dimension, strict=True)):
        parts = math.prod(sizes[axis] for axis in axes)
        extent, remainder = divmod(size, parts)
        shard_shape.append(extent)
        if remainder:
            homeless.append(Homeless(dimension, extent * parts, size))
            by = " x ".join(f"{axis}={sizes[axis]}" for axis in axes)
            text = f"dimension {dimension} of size {size} is not divisible by {parts} ({by}): remainder {remainder}"
            problems.append(Problem(ProblemKind.NOT_DIVISIBLE, dimension, "+".join(axes), text))

    slices = _cut(mesh, axes_by_dimension, shard_shape)
    groups, replicas = _group(slices)
    return ShardLayout(
        mesh, spec, shape, tuple(shard_shape), slices, replicas, groups, tuple(problems), tuple(homeless)
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


def _usable_axes(spec: Spec, sizes: Mapping[str, int]) -> tuple[list[tuple[str, ...]], list[Problem]]:
    """The axes that cut each entry's dimension, without those that can't, and why they can't."""
    problems: list[Problem] = []
    first_use: dict[str, int] = {}
    usable: list[tuple[str, ...]] = []
    for dimension, entry in enumerate(spec.entries):
        kept = []
        for axis in _axes_of(entry):
            if axis not in sizes:
                names = ", ".join(map(repr, sizes)) or "none"
                text = f"the mesh has no axis {axis!r} (its axes: {names})"
                problems.append(Problem(ProblemKind.UNKNOWN_AXIS, dimension, axis, text))
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
    return usable, problems


def _axes_of(entry: Entry) -> tuple[str, ...]:
    return () if entry is None or entry is UNCONSTRAINED else entry


def _cut(mesh: Mesh, axes_by_dimension: Sequence[tuple[str, ...]], shard_shape: Sequence[int]) -> dict[int, Slices]:
    numbers = [[mesh.axis_names.index(axis) for axis in axes] for axes in axes_by_dimension]
    slices: dict[int, Slices] = {}
    for device_id, coordinates in zip(mesh.device_ids, mesh.places(), strict=True):
        held = []
        for axes, extent in zip(numbers, shard_shape, strict=True):
            part = 0
            for axis in axes:
                part = part * mesh.axes[axis].size + coordinates[axis]
            held.append((part * extent, (part + 1) * extent))
        slices[device_id] = tuple(held)
    return slices


def _group(slices: Mapping[int, Slices]) -> tuple[tuple[SliceGroup, ...], dict[int, int]]:
    """Equal slices together, and each device's number among its equals, as ``Shard.replica_id`` counts them."""
    holders: dict[Slices, list[int]] = {}
    replicas: dict[int, int] = {}
    for device_id, held in slices.items():
        equals = holders.setdefault(held, [])
        replicas[device_id] = len(equals)
        equals.append(device_id)
    return tuple(SliceGroup(held, tuple(holders[held])) for held in sorted(holders)), replicas
