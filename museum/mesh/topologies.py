"""Real machines by name: their chips, hosts, links and memory.

TPU slices are as libtpu describes them (a test compares ids, coordinates, cores and hosts with it); memory per device
is what the TPU compiler names as available, for GPUs the nominal capacity of the board. Links that close a ring: v4,
v5p and tpu7x are built of cubes of 4x4x4 whose dimensions all wrap; v5e, v6e, v2 and v3 wrap where a slice spans the
pod.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple, Self

from museum.errors import MuseumError
from museum.mesh.mesh import MOST_DEVICES

SPELLINGS = "v5p:4x4x4, 2x v5e:4x4, h100:16, devices:64 or local"
SLICE_STRIDE = 100_000
"""Distance between the device ids of the slices of a multi-slice machine; the first slice starts at one of them."""

GPUS_PER_NODE = 8
_GIB = 1 << 30


class Platform(StrEnum):
    """As JAX names it; `ANY` for devices that are only counted."""

    TPU = "tpu"
    GPU = "gpu"
    ANY = "any"


@dataclass(frozen=True, slots=True)
class Chip:
    """One kind of accelerator.

    Attributes:
        name: As in a topology's name.
        kind: ``device_kind`` in JAX.
        platform: What it is.
        hbm: Bytes that a program can use on one device; 0 when not known.
        cores: JAX devices on each chip.
        num_cores: ``num_cores`` of such a device: how many cores it hides.
        rank: Dimensions of its network: 2 or 3; 0 for what has no grid.
        pod: Chips along each dimension of the largest slice.
        wraps: Whether and when a dimension closes to a ring: "cubes" or "pod".
        libtpu: What libtpu's ``get_topology_desc`` must be told beside the name.
    """

    name: str
    kind: str
    platform: Platform
    hbm: int
    cores: int = 1
    num_cores: int = 1
    rank: int = 0
    pod: tuple[int, ...] = ()
    wraps: str = ""
    libtpu: tuple[tuple[str, str], ...] = ()


def _tpu(name: str, kind: str, gib: float, cores: int, hidden: int, pod: tuple[int, ...], wraps: str) -> Chip:
    extra = (("chip_config_name", "megacore"),) if name.endswith("megacore") else ()
    return Chip(name, kind, Platform.TPU, round(gib * _GIB), cores, hidden, len(pod), pod, wraps, extra)


CHIPS: dict[str, Chip] = {
    chip.name: chip
    for chip in (
        _tpu("v2", "TPU v2", 7.48, 2, 1, (16, 16), "pod"),
        _tpu("v3", "TPU v3", 15.48, 2, 1, (32, 32), "pod"),
        _tpu("v4", "TPU v4", 15.25, 2, 1, (16, 16, 16), "cubes"),
        _tpu("v4 megacore", "TPU v4", 30.75, 1, 2, (16, 16, 16), "cubes"),
        _tpu("v4 lite", "TPU v4 lite", 7.75, 1, 1, (4, 4), "pod"),
        _tpu("v5e", "TPU v5 lite", 15.75, 1, 1, (16, 16), "pod"),
        _tpu("v5p", "TPU v5", 95.73, 1, 2, (16, 16, 24), "cubes"),
        _tpu("v6e", "TPU v6 lite", 31.24, 1, 1, (16, 16), "pod"),
        _tpu("tpu7x", "TPU7x", 94.74, 2, 1, (16, 24, 24), "cubes"),
        Chip("a100", "NVIDIA A100-SXM4-80GB", Platform.GPU, 80 * _GIB),
        Chip("h100", "NVIDIA H100 80GB HBM3", Platform.GPU, 80 * _GIB),
        Chip("h200", "NVIDIA H200", Platform.GPU, 141_000_000_000),
        Chip("b200", "NVIDIA B200", Platform.GPU, 180_000_000_000),
    )
}
_PLAIN = Chip("devices", "", Platform.ANY, 0)
_LOCAL = Chip("local", "", Platform.ANY, 0)
_ALIASES = {"v7x": "tpu7x", "tpu7": "tpu7x", "v5litepod": "v5e", "v5lite": "v5e", "v6lite": "v6e", "v4lite": "v4 lite"}
_NAME = re.compile(
    r"\s*(?:(?P<slices>\d{1,5})\s*x\s+)?(?P<chip>[a-z]\w*(?: \w+)?)\s*(?::\s*(?P<sizes>\d{1,6}(?:x\d{1,6})*))?\s*"
)


class Device(NamedTuple):
    """One device as JAX lists it.

    Attributes:
        host: Its process index.
        coordinates: x, y, z of its chip.
        core: Its number on the chip.
        slice: Its slice in a machine of several; 0 else.
    """

    id: int
    host: int
    coordinates: tuple[int, int, int]
    core: int
    slice: int


@dataclass(frozen=True)
class Topology:
    """A machine.

    Attributes:
        chip: What it is made of.
        grid: Chips along x, y and z of one slice; for GPUs and plain devices their number, 1, 1.
        slices: How many slices, joined by the data-centre network.
    """

    chip: Chip
    grid: tuple[int, int, int]
    slices: int = 1

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        """As `parse` reads it."""
        if self.chip is _LOCAL and not self.size:
            return "local"
        sizes = "x".join(map(str, self.grid[: self.chip.rank or 1]))
        many = f"{self.slices}x " if self.slices > 1 else ""
        return f"{many}{self.chip.name}:{sizes}"

    @property
    def size(self) -> int:
        """How many devices; 0 for ``local``, which is not known before someone looks."""
        x, y, z = self.grid
        return x * y * z * self.chip.cores * self.slices

    @property
    def hosts(self) -> int:
        """How many processes."""
        return len({device.host for device in self.devices})

    @property
    def host_bounds(self) -> tuple[int, int, int]:
        """Chips of one host along x, y and z."""
        if self.chip.platform is Platform.TPU:
            return min(self.grid[0], 2), min(self.grid[1], 2), 1
        return (GPUS_PER_NODE if self.chip.platform is Platform.GPU else max(self.size, 1)), 1, 1

    @property
    def wraps(self) -> tuple[bool, bool, bool]:
        """Whether each dimension closes to a ring; one of up to 2 chips has no need to."""
        if self.chip.wraps == "cubes":
            whole = all(size % 4 == 0 for size in self.grid)
            return whole, whole, whole
        if self.chip.wraps == "pod":
            x, y = (size == most for size, most in zip(self.grid, self.chip.pod, strict=False))
            return x, y, False
        return False, False, False

    @cached_property
    def devices(self) -> tuple[Device, ...]:
        """Every device, in the order of ``jax.devices()``."""
        return tuple(self._listed())

    def _listed(self) -> Iterator[Device]:
        x, y, z = self.grid
        wide, high, _ = self.host_bounds
        cores = self.chip.cores
        hosts_each = -(-x // wide) * -(-y // high) * z
        for number in range(self.slices):
            first = SLICE_STRIDE * (number + 1) if self.slices > 1 else 0
            host = number * hosts_each
            for corner_z in range(z):
                for corner_y in range(0, y, high):
                    for corner_x in range(0, x, wide):
                        for at_y in range(corner_y, corner_y + high):
                            for at_x in range(corner_x, min(corner_x + wide, x)):
                                chip = (corner_z * y + at_y) * x + at_x
                                for core in range(cores):
                                    identity = first + chip * cores + core
                                    yield Device(identity, host, (at_x, at_y, corner_z), core, number)
                        host += 1

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a machine's name: ``v5p:4x4x4``, ``2x v5e:4x4``, ``h100:16``, ``devices:64``, ``local``, ``local:8``.

        Raises:
            MuseumError: It is none, or there is no such slice.
        """
        match = _NAME.fullmatch(text.lower())
        if match is None:
            raise MuseumError(f"{text!r} is no machine: write {SPELLINGS}")
        slices = int(match["slices"] or 1)
        sizes = tuple(map(int, match["sizes"].split("x"))) if match["sizes"] else ()
        word = _ALIASES.get(match["chip"], match["chip"])
        chip = {"devices": _PLAIN, "local": _LOCAL}.get(word) or CHIPS.get(word)
        if chip is None:
            raise MuseumError(f"{text!r}: {word!r} is no chip; known are {', '.join(CHIPS)}, devices and local")
        if slices < 1 or 0 in sizes:
            raise MuseumError(f"{text!r}: every size is 1 or more")
        return cls._of_tpu(text, chip, sizes, slices) if chip.rank else cls._of_count(text, chip, sizes, slices)

    @classmethod
    def _of_tpu(cls, text: str, chip: Chip, sizes: tuple[int, ...], slices: int) -> Self:
        if len(sizes) != chip.rank:
            example = f"{chip.name}:{'x'.join('4' * chip.rank)}"
            raise MuseumError(f"{text!r}: {chip.name} slices have {chip.rank} dimensions, as in {example}")
        # In any order: a pod can be cut along each of its dimensions.
        if any(size > most for size, most in zip(sorted(sizes), sorted(chip.pod), strict=True)):
            raise MuseumError(f"{text!r}: the largest {chip.name} slice is {'x'.join(map(str, chip.pod))}")
        for size, letter in zip(sizes[:2], "xy", strict=True):
            if size > 2 and size % 2:
                raise MuseumError(f"{text!r}: {size} chips along {letter} do not divide into hosts of 2x2 chips")
        grid = (sizes[0], sizes[1], sizes[2] if chip.rank == 3 else 1)
        return cls._checked(text, cls(chip, grid, slices))

    @classmethod
    def _of_count(cls, text: str, chip: Chip, sizes: tuple[int, ...], slices: int) -> Self:
        if len(sizes) != 1 and not (chip is _LOCAL and not sizes):
            raise MuseumError(f"{text!r}: write how many, as in {chip.name}:8")
        if slices > 1 and chip.platform is not Platform.GPU:
            raise MuseumError(f"{text!r}: only TPU slices and GPU nodes come several at a time")
        count = (sizes[0] if sizes else 0) * slices
        if chip.platform is Platform.GPU and count > GPUS_PER_NODE and count % GPUS_PER_NODE:
            raise MuseumError(f"{text!r}: more than {GPUS_PER_NODE} GPUs come in whole nodes of {GPUS_PER_NODE}")
        return cls._checked(text, cls(chip, (count, 1, 1)))

    @classmethod
    def _checked(cls, text: str, topology: Self) -> Self:
        if topology.size > MOST_DEVICES:
            raise MuseumError(f"{text!r} has {topology.size} devices: at most {MOST_DEVICES} can be drawn")
        return topology


COMMON = (
    *("v2:2x2", "v2:4x4", "v2:16x16", "v3:2x2", "v3:4x4", "v3:32x32"),
    *("v4:2x2x1", "v4:4x4x4", "v4 megacore:2x2x1", "v4 megacore:4x4x4", "v4 megacore:8x8x8", "v4 lite:2x2"),
    *("v5e:1x1", "v5e:2x2", "v5e:2x4", "v5e:4x4", "v5e:4x8", "v5e:8x8", "v5e:8x16", "v5e:16x16"),
    *("v5p:2x2x1", "v5p:2x2x2", "v5p:2x4x4", "v5p:4x4x4", "v5p:4x4x8", "v5p:8x8x8", "v5p:16x16x16"),
    *("v6e:1x1", "v6e:2x2", "v6e:2x4", "v6e:4x4", "v6e:4x8", "v6e:8x8", "v6e:8x16", "v6e:16x16"),
    *("tpu7x:2x2x1", "tpu7x:2x2x2", "tpu7x:4x4x4", "tpu7x:8x8x8", "2x v5e:4x4", "4x v5p:4x4x4"),
    *("a100:8", "h100:8", "h100:16", "h100:64", "h200:8", "b200:8", "devices:8", "devices:64", "local"),
)
"""Names to offer; every other one of the same form works too."""
