"""Physical against logical: whether and how `jax.experimental.mesh_utils.create_device_mesh` lays a mesh on a machine.

A TPU slice is a grid of chips. JAX gives each logical axis, from the last to the first, whole physical axes whose sizes
multiply to its own; when there are none left that do, it refuses. This module predicts that, says why, and names the
shapes that would work. The order of the devices itself is asked of JAX (`museum.lab.physical`).
"""

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache

from museum.errors import MuseumError
from museum.mesh.mesh import Mesh
from museum.mesh.topologies import Platform, Topology

NEWEST_JAX = "0.12.0.1"
LETTERS = ("x", "y", "z", "core")
_MOST_ALTERNATIVES = 5_000  # shapes to try before giving up


class Way(StrEnum):
    """How the devices are laid out."""

    WHOLE_AXES = "whole axes"
    SPLIT_AXES = "split axes"
    RING = "ring order"
    AS_LISTED = "as listed"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Part:
    """A physical axis, or a part of one, given to a logical axis; sizes in devices."""

    letter: str
    size: int
    of: int

    def __str__(self) -> str:
        return f"{self.letter}={self.size}" if self.size == self.of else f"{self.size} of {self.letter}={self.of}"


@dataclass(frozen=True, slots=True)
class Placement:
    """What becomes of a logical shape on a machine.

    Attributes:
        way: How, or that it is refused.
        physical: Sizes of the physical axes as JAX sees them, x, y, z and the cores where they count as an axis; empty
            where there is no grid.
        parts: For each logical axis the physical axes that it takes, those of size 1 left out; empty unless `way` is
            by axes.
        error: Class of the exception that JAX raises, "" when it takes the shape.
        reason: Why it is refused, in words, or what is to be known about the way.
        alternatives: Shapes of as many axes and devices that are taken, the most similar first; only when refused.
    """

    way: Way
    physical: tuple[int, ...] = ()
    parts: tuple[tuple[Part, ...], ...] = ()
    error: str = ""
    reason: str = ""
    alternatives: tuple[tuple[int, ...], ...] = ()

    @property
    def works(self) -> bool:
        """Whether JAX takes it."""
        return self.way is not Way.REFUSED


@dataclass(frozen=True, slots=True)
class _Rules:
    """What differs between JAX versions.

    Attributes:
        rings: Device kinds with small slices that are ordered by hand.
        core_axis: Whether the two cores of TPU7x are a physical axis.
        most_axes: Physical axes that one logical axis may take.
        core_first: Whether the cores of TPU7x are given away before x, y and z.
    """

    rings: frozenset[str]
    core_axis: bool
    most_axes: int
    core_first: bool


@cache
def _rules(jax: str) -> _Rules:
    """The rules of a JAX version, read off its `mesh_utils` and compared with it by a test."""
    from packaging.version import InvalidVersion, Version

    try:
        version = Version(jax)
    except InvalidVersion:
        raise MuseumError(f"{jax!r} is no JAX version; write one like {NEWEST_JAX}") from None
    since = {"TPU v6 lite": "0.6", "TPU7x": "0.7", "TPU v4 lite": "0.8", "TPU v5": "0.11.1"}
    rings = {"TPU v2", "TPU v3", "TPU v5 lite", *(kind for kind, first in since.items() if version >= Version(first))}
    newer = version >= Version("0.7")
    return _Rules(frozenset(rings), newer, 4 if newer else 3, version >= Version("0.11.1"))


# JAX's table of contiguous submeshes: physical axes to logical shapes, each with the order to take the axes in.
_CONTIGUOUS: dict[tuple[int, ...], dict[tuple[int, ...], tuple[int, ...]]] = {
    (2, 2, 1): {(2, 2): (0, 1, 2)},
    (2, 2, 4): {(4, 4): (0, 1, 2)},
    (4, 4, 4): {(16, 4): (0, 2, 1)},
    (4, 8, 8): {(64, 4): (0, 2, 1), (4, 64): (0, 2, 1)},
    (8, 8, 8): {(64, 8): (0, 2, 1)},
    (8, 16, 16): {(256, 8): (0, 2, 1), (8, 256): (0, 2, 1)},
}


def place(
    topology: Topology,
    shape: Sequence[int],
    names: Sequence[str] = (),
    *,
    split: bool = False,
    contiguous: bool = False,
    across: Sequence[int] = (),
    jax: str = NEWEST_JAX,
) -> Placement:
    """Predict what `create_device_mesh` does, or `create_hybrid_device_mesh` when `across` is given.

    Args:
        topology: The machine.
        shape: Logical sizes; with `across`, those inside one slice.
        names: Names of the logical axes, for the words.
        split: ``allow_split_physical_axes``.
        contiguous: ``contiguous_submeshes``.
        across: ``dcn_mesh_shape``: slices along each logical axis.
        jax: The version whose rules count.
    """
    ask = _Question(topology, tuple(shape), tuple(names), split, contiguous, _rules(jax))
    placement = ask.across(tuple(across)) if across else ask.answer()
    if placement.works:
        return placement
    return Placement(
        placement.way, placement.physical, (), placement.error, placement.reason, _alternatives(ask, tuple(across))
    )


def make_mesh_splits(topology: Topology) -> bool:
    """Whether `jax.make_mesh` allows split axes on this machine: it does so on v5e only."""
    return topology.chip.kind == "TPU v5 lite"


@dataclass(frozen=True, slots=True)
class _Question:
    topology: Topology
    shape: tuple[int, ...]
    names: tuple[str, ...]
    split: bool
    contiguous: bool
    rules: _Rules

    def other(self, shape: tuple[int, ...]) -> "_Question":
        return _Question(self.topology, shape, self.names, self.split, self.contiguous, self.rules)

    def across(self, across: tuple[int, ...]) -> Placement:
        """Each slice by itself, then the slices along `across`."""
        topology = self.topology
        if math.prod(across) != topology.slices:
            reason = f"{topology} has {topology.slices} slices, and {across} wants {math.prod(across)}"
            return Placement(Way.REFUSED, error="ValueError", reason=reason)
        if len(across) != len(self.shape):
            reason = f"{self.shape} and {across} have different numbers of axes"
            return Placement(Way.REFUSED, error="ValueError", reason=reason)
        one = Topology(topology.chip, topology.grid)
        return _Question(one, self.shape, self.names, self.split, self.contiguous, self.rules).answer()

    def answer(self) -> Placement:
        """The rules in JAX's order."""
        topology, wanted = self.topology, math.prod(self.shape)
        if wanted != topology.size:
            reason = f"the shape {self.shape} has {wanted} places, and {topology} has {topology.size} devices"
            return Placement(Way.REFUSED, error="ValueError", reason=reason)
        if topology.chip.platform is not Platform.TPU:
            return Placement(Way.AS_LISTED, reason="no grid: the devices in the order of their ids")
        if ring := self._ring():
            return ring
        if obstacle := self._obstacle():
            return Placement(Way.REFUSED, error="AssertionError", reason=obstacle)
        return self._by_axes()

    @property
    def _physical(self) -> tuple[int, ...]:
        """Sizes of the physical axes."""
        cores = self.topology.chip.cores
        return (*self.topology.grid, cores) if cores > 1 else self.topology.grid

    def _ring(self) -> Placement | None:
        """Small slices, and all of v2 and v3, which JAX orders by hand whatever the shape."""
        topology, count, grid = self.topology, self.topology.size, self.topology.grid
        kind = topology.chip.kind
        if kind not in self.rules.rings:
            return None
        match kind:
            case "TPU v2" | "TPU v3":
                found = True
            case "TPU v4 lite":
                found = count == 4
            case "TPU v5":
                found = grid == (2, 2, 2) and count == 8
            case "TPU7x":
                found = count % 8 == 0 and count <= 32 and grid[0] <= 2 and grid[1] <= 2 and topology.slices == 1
            case _:
                whole_ring = grid == (4, 4, 1) and count == 16 and max(self.shape, default=1) == 16
                found = (grid == (2, 2, 1) and count == 4) or count == 8 or whole_ring
        return Placement(Way.RING, grid, reason="JAX orders so small a slice as a ring by hand") if found else None

    def _obstacle(self) -> str:
        """Why there is no physical grid to speak of, "" when there is."""
        topology = self.topology
        if topology.slices > 1:
            ones = (topology.slices, *[1] * (len(self.shape) - 1))
            return (
                f"the devices lie in {topology.slices} slices, and create_device_mesh knows only one; "
                f"create_hybrid_device_mesh joins them, for example with dcn_mesh_shape={ones}"
            )
        if topology.chip.cores > 1 and not (topology.chip.kind == "TPU7x" and self.rules.core_axis):
            other = " (on v4 megacore, as Cloud TPU machines run it, it is)" if topology.chip.name == "v4" else ""
            return f"{topology.chip.name} has {topology.chip.cores} devices a chip, and JAX wants one{other}"
        return ""

    def _by_axes(self) -> Placement:
        physical, order = self._physical, tuple(range(len(self._physical)))
        if self.contiguous:
            shapes = _CONTIGUOUS.get(physical, {})
            key = tuple(size for size in self.shape if size != 1)
            if key not in shapes:
                known = " and ".join(map(str, shapes)) or "no shape at all"
                reason = f"contiguous_submeshes on {_by(physical)} takes {known}, not {self.shape}"
                return Placement(Way.REFUSED, physical, error="ValueError", reason=reason)
            order = shapes[key]
        sizes = tuple(physical[number] for number in order)
        letters = tuple(LETTERS[number] for number in order)
        taken, stuck = self._whole(sizes)
        if stuck is None:
            parts = tuple(
                tuple(Part(letters[n], sizes[n], sizes[n]) for n in numbers if sizes[n] > 1) for numbers in taken
            )
            return Placement(Way.WHOLE_AXES, physical, parts)
        reason = self._why_stuck(stuck, taken, sizes, letters)
        if not self.split:
            return Placement(Way.REFUSED, physical, error="NotImplementedError", reason=reason)
        parts = tuple(
            tuple(Part(letters[n], size, sizes[n]) for n, size in enumerate(column) if size > 1)
            for column in self._split(sizes)
        )
        return Placement(Way.SPLIT_AXES, physical, parts, reason=f"split axes share their links: {reason}")

    def _whole(self, sizes: tuple[int, ...]) -> tuple[list[tuple[int, ...]], int | None]:
        """Physical axes by logical axis, and the logical axis that found none; None when all did."""
        left = list(sizes)
        taken: list[tuple[int, ...]] = [()] * len(self.shape)
        for logical in reversed(range(len(self.shape))):
            found = next(
                (numbers for numbers in self._candidates(len(sizes)) if self._fits(numbers, left, logical)), None
            )
            if found is not None:
                taken[logical] = found
                for number in found:
                    left[number] = 0
            elif self.shape[logical] > 1:
                return taken, logical
        return taken, None

    def _fits(self, numbers: tuple[int, ...], left: Sequence[int], logical: int) -> bool:
        return math.prod(left[number] for number in numbers) == self.shape[logical]

    def _candidates(self, count: int) -> Iterator[tuple[int, ...]]:
        """Sets of physical axes in the order that JAX tries them: many before few."""
        for many in range(min(self.rules.most_axes, count), 0, -1):
            combinations: list[tuple[int, ...]] = list(itertools.combinations(range(count), many))
            if count == 4 and self.rules.core_first:
                rank = (1, 2, 3, 0)
                combinations.sort(key=lambda some: (min(rank[n] for n in some), sum(rank[n] for n in some)))
            yield from combinations

    def _why_stuck(
        self, logical: int, taken: Sequence[tuple[int, ...]], sizes: Sequence[int], letters: Sequence[str]
    ) -> str:
        gone = {number: other for other, numbers in enumerate(taken) for number in numbers}
        left = [f"{letters[n]}={sizes[n]}" for n in range(len(sizes)) if n not in gone and sizes[n] > 1]
        givers = [
            f"{' and '.join(letters[n] for n in numbers if sizes[n] > 1)} went to {self._name(other)}"
            for other, numbers in enumerate(taken)
            if any(sizes[n] > 1 for n in numbers)
        ]
        words = f"{self._name(logical)} of size {self.shape[logical]} is no product of whole physical axes: "
        words += f"{', '.join(left) or 'nothing'} {'are' if len(left) > 1 else 'is'} left"
        return f"{words} ({', '.join(givers)})" if givers else words

    def _name(self, logical: int) -> str:
        return f"axis {self.names[logical]!r}" if logical < len(self.names) else f"logical axis {logical}"

    def _split(self, sizes: tuple[int, ...]) -> list[tuple[int, ...]]:
        """For each logical axis, how much of each physical axis it takes."""
        taken: list[tuple[int, ...]] = [(1,) * len(sizes)] * len(self.shape)
        for logical in reversed(range(len(self.shape))):
            used = tuple(math.prod(column[n] for column in taken) for n in range(len(sizes)))
            left = [size // gone for size, gone in zip(sizes, used, strict=True)]

            def worth(column: tuple[int, ...], used: tuple[int, ...] = used) -> tuple[object, ...]:
                whole = [size for size, most in zip(column, sizes, strict=True) if size == most]
                shared = math.prod(size for size, gone in zip(column, used, strict=True) if gone > 1)
                return math.prod(whole), sum(size > 1 for size in whole), shared, column

            taken[logical] = max(_shares(left, self.shape[logical]), key=worth)
        return taken


def _shares(left: Sequence[int], size: int) -> Iterator[tuple[int, ...]]:
    """Every way to make up a size of divisors of what is left of each physical axis."""
    if not left:
        if size == 1:
            yield ()
        return
    for first in range(1, left[0] + 1):
        if left[0] % first == 0 and size % first == 0:
            for rest in _shares(left[1:], size // first):
                yield (first, *rest)


def _by(sizes: Sequence[int]) -> str:
    return "x".join(map(str, sizes))


def _alternatives(ask: _Question, across: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Shapes of as many axes that are taken; those with axes of size 1, which anyone could think of, at the end."""
    devices = ask.topology.size // (ask.topology.slices if across else 1)
    found = []
    for shape in itertools.islice(_factorings(devices, len(ask.shape)), _MOST_ALTERNATIVES):
        other = ask.other(shape)
        if (other.across(across) if across else other.answer()).works:
            found.append(shape)

    def unlike(shape: tuple[int, ...]) -> tuple[int, float, tuple[int, ...]]:
        distance = sum(abs(math.log(a / b)) for a, b in zip(shape, ask.shape, strict=True))
        return shape.count(1), distance, shape

    return tuple(sorted(found, key=unlike))


def _factorings(size: int, count: int) -> Iterator[tuple[int, ...]]:
    if count <= 1:
        if count == 1 or size == 1:
            yield (size,) * count
        return
    for first in range(1, size + 1):
        if size % first == 0:
            for rest in _factorings(size // first, count - 1):
                yield (first, *rest)


@dataclass(frozen=True, slots=True)
class Hops:
    """How far the steps of a ring along one mesh axis are, over all its rings.

    Attributes:
        axis: Its name.
        size: Devices in each ring.
        steps: Links on the way to how many steps; 0 from core to core of a chip.
        network: Steps that leave the slice, or a GPU node.
    """

    axis: str
    size: int
    steps: dict[int, int] = field(default_factory=dict)
    network: int = 0

    @property
    def most(self) -> int:
        """The longest way inside a slice, in links."""
        return max(self.steps, default=0)

    @property
    def mean(self) -> float:
        """The mean way inside a slice, in links."""
        count = sum(self.steps.values())
        return sum(hops * many for hops, many in self.steps.items()) / count if count else 0.0

    def __str__(self) -> str:
        if not self.steps and not self.network:
            return f"{self.axis}: one device, no steps"
        some = [f"{many} of {hops}" for hops, many in sorted(self.steps.items())]
        words = f"{self.axis}: every step is {self.most} hop{'' if self.most == 1 else 's'}"
        if len(some) > 1:
            words = f"{self.axis}: steps of {self.mean:.2g} hops, at most {self.most}"
        if self.network:
            far = f"{self.network} step{'' if self.network == 1 else 's'} over the network"
            return f"{words}, {far}" if self.steps else f"{self.axis}: all steps over the network"
        return words


def neighbours(topology: Topology, mesh: Mesh) -> tuple[Hops, ...]:
    """Which way each step of a ring along each axis goes, for the mesh's own device order.

    Args:
        topology: The machine, with all devices of the mesh.
        mesh: Logical axes and devices.

    Raises:
        MuseumError: A device of the mesh is not in the machine.
    """
    devices = {device.id: device for device in topology.devices}
    strangers = [device_id for device_id in mesh.device_ids if device_id not in devices]
    if strangers:
        raise MuseumError(f"device {strangers[0]} of the mesh is not in {topology}")
    grid, wraps = topology.grid, topology.wraps
    switched = topology.chip.platform is not Platform.TPU
    found = []
    for number, axis in enumerate(mesh.axes):
        stride = math.prod(mesh.shape[number + 1 :])
        steps: dict[int, int] = {}
        network = 0
        for position, index in enumerate(mesh.indices_along(number) if axis.size > 1 else ()):
            here = devices[mesh.device_ids[position]]
            onward = position + stride if index + 1 < axis.size else position - index * stride
            there = devices[mesh.device_ids[onward]]
            if here.slice != there.slice or (switched and here.host != there.host):
                network += 1
                continue
            hops = 1 if switched else 0
            for a, b, size, wrap in zip(
                () if switched else here.coordinates, there.coordinates, grid, wraps, strict=False
            ):
                hops += min(abs(a - b), size - abs(a - b)) if wrap else abs(a - b)
            steps[hops] = steps.get(hops, 0) + 1
        found.append(Hops(axis.name, axis.size, steps, network))
    return tuple(found)
