"""The studio's document as a value: a machine, a mesh and a few arrays; what they cost, their past, and their file.

What a hand does to it is in `museum.mesh.edits`.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Generic, Self, TypeVar

import msgspec

from museum.errors import MuseumError
from museum.mesh.arrangement import Arrangement
from museum.mesh.dtypes import bytes_of, in_words, parse_dtype
from museum.mesh.layout import ShardLayout, resolve, shard_shape, too_big
from museum.mesh.mesh import Axis, Mesh, axis_type, is_axis_name
from museum.mesh.spec import Spec
from museum.mesh.topologies import Topology

MOST_ARRAYS = 200
MOST_RANK = 16
FORMAT, VERSION = "xla-museum studio", 1

_ARRAY_NAME = re.compile(r"\w[\w./\[\]-]{0,99}")


@dataclass(frozen=True, slots=True)
class StudioArray:
    """One array of a document: a leaf of a small pytree.

    Attributes:
        name: Unique in the document: ``embed``, ``layers/0/w_in``.
        shape: Global shape.
        dtype: A key of `museum.mesh.dtypes.BITS`.
        spec: How it is cut.
    """

    name: str
    shape: tuple[int, ...]
    dtype: str = "float32"
    spec: Spec = field(default_factory=Spec)

    def __post_init__(self) -> None:
        if not _ARRAY_NAME.fullmatch(self.name):
            raise MuseumError(f"{self.name!r} is no name for an array: letters, digits and _ . / [ ] - after the first")
        if len(self.shape) > MOST_RANK:
            raise MuseumError(f"array {self.name}: rank {len(self.shape)} is more than {MOST_RANK}")
        if any(size < 0 for size in self.shape):
            raise MuseumError(f"array {self.name}: a size is 0 or more")
        if parse_dtype(self.dtype) != self.dtype:
            raise MuseumError(f"array {self.name}: write the dtype as {parse_dtype(self.dtype)}, not {self.dtype}")

    @property
    def type_text(self) -> str:
        """``float32[16,16]``."""
        return f"{self.dtype}[{','.join(map(str, self.shape))}]"


@dataclass(frozen=True, slots=True)
class StudioDocument:
    """What the studio shows.

    Attributes:
        mesh: Axes and device order.
        arrays: In the order of the list.
        topology: The machine; None for as many devices as the mesh needs.
        arrangement: How the mesh is drawn; axes that it lacks go to the outside.
        name: Under which it is saved; "" for one that never was.
    """

    mesh: Mesh
    arrays: tuple[StudioArray, ...] = ()
    topology: Topology | None = None
    arrangement: Arrangement = field(default_factory=Arrangement)
    name: str = ""

    def __post_init__(self) -> None:
        if len(self.arrays) > MOST_ARRAYS:
            raise MuseumError(f"{len(self.arrays)} arrays are too many: at most {MOST_ARRAYS}")
        names = [array.name for array in self.arrays]
        for name in names:
            if names.count(name) > 1:
                raise MuseumError(f"two arrays are named {name!r}")

    @classmethod
    def of(cls, mesh: str, arrays: Sequence[StudioArray] = (), topology: str = "") -> Self:
        """From texts, with the devices of the machine.

        Raises:
            MuseumError: A text cannot be read.
        """
        machine = Topology.parse(topology) if topology else None
        return cls(mesh_on(machine, Mesh.parse(mesh).axes), tuple(arrays), machine)

    @property
    def devices(self) -> int | None:
        """How many devices there are; None when nobody said."""
        return self.topology.size or None if self.topology else None

    @property
    def problem(self) -> str:
        """Why the machine cannot hold the mesh, in words; "" when it can. Problems of arrays are in their layouts."""
        return "".join(problem.text for problem in too_big(self.mesh, self.devices))

    def array(self, name: str) -> StudioArray:
        """The array of that name.

        Raises:
            MuseumError: There is none.
        """
        for array in self.arrays:
            if array.name == name:
                return array
        known = ", ".join(array.name for array in self.arrays) or "none"
        raise MuseumError(f"no array is named {name!r}; there is {known}")

    def layout(self, name: str) -> ShardLayout:
        """Who holds what of one array.

        Raises:
            MuseumError: No array has that name.
        """
        array = self.array(name)
        return resolve(self.mesh, array.spec, array.shape, self.devices)

    @property
    def layouts(self) -> tuple[ShardLayout, ...]:
        """All of them, in the arrays' order."""
        return tuple(resolve(self.mesh, array.spec, array.shape, self.devices) for array in self.arrays)


def mesh_on(topology: Topology | None, axes: Sequence[Axis]) -> Mesh:
    """A mesh of these axes on a machine's devices in its own order; beyond them, further ids that nobody has."""
    mesh = Mesh(tuple(axes))
    if topology is None or not topology.size:
        return mesh
    devices = topology.devices[: mesh.size]
    ids, hosts = [device.id for device in devices], [device.host for device in devices]
    beyond = mesh.size - len(ids)
    first = max(device.id for device in topology.devices) + 1
    return Mesh(mesh.axes, (*ids, *range(first, first + beyond)), (*hosts, *[hosts[-1] + 1] * beyond))


@dataclass(frozen=True, slots=True)
class Memory:
    """What the arrays cost.

    Attributes:
        by_array: Name to bytes on each device.
        hbm: Bytes that a device has for programs; 0 when the machine is not known.
    """

    by_array: dict[str, int]
    hbm: int

    @property
    def per_device(self) -> int:
        """Bytes of all arrays on each device."""
        return sum(self.by_array.values())

    @property
    def fits(self) -> bool:
        """Whether there is room; True when nobody knows."""
        return not self.hbm or self.per_device <= self.hbm

    def __str__(self) -> str:
        words = f"{in_words(self.per_device)} on each device"
        if not self.hbm:
            return words
        share = f"{100 * self.per_device / self.hbm:.3g}" if self.per_device > self.hbm // 10_000 else "less than 0.01"
        verdict = "" if self.fits else f": {in_words(self.per_device - self.hbm)} too much"
        return f"{words}, {share} % of its {in_words(self.hbm)}{verdict}"


def memory(document: StudioDocument) -> Memory:
    """Bytes on each device, without padding and temporaries; what has no home is counted nowhere."""
    by_array = {
        array.name: bytes_of(math.prod(shard_shape(document.mesh, array.spec, array.shape)), array.dtype)
        for array in document.arrays
    }
    return Memory(by_array, document.topology.chip.hbm if document.topology else 0)


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Undo(Generic[T]):
    """A value with its past and what was undone, at most `MOST` steps back.

    Attributes:
        present: The value now.
        past: Oldest first.
        future: What `redo` brings back, next first.
    """

    present: T
    past: tuple[T, ...] = ()
    future: tuple[T, ...] = ()

    MOST = 500

    def do(self, value: T) -> "Undo[T]":
        """A new value; what was undone is gone. One that equals the present is no step."""
        if value == self.present:
            return self
        return Undo(value, (*self.past, self.present)[-self.MOST :])

    def undo(self) -> "Undo[T]":
        """One step back; itself at the beginning."""
        if not self.past:
            return self
        return Undo(self.past[-1], self.past[:-1], (self.present, *self.future))

    def redo(self) -> "Undo[T]":
        """One step forward; itself at the end."""
        if not self.future:
            return self
        return Undo(self.future[0], (*self.past, self.present), self.future[1:])


class _AxisFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    size: int
    type: str = "auto"


class _ArrayFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    shape: tuple[int, ...]
    dtype: str
    spec: str


class _ArrangementFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    outer: tuple[str, ...] = ()


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    format: str
    version: int
    mesh: tuple[_AxisFile, ...]
    arrays: tuple[_ArrayFile, ...] = ()
    topology: str = ""
    name: str = ""
    device_ids: tuple[int, ...] | None = None
    hosts: tuple[int, ...] | None = None
    arrangement: _ArrangementFile = msgspec.field(default_factory=_ArrangementFile)


def to_json(document: StudioDocument) -> bytes:
    """The document as a file, indented; `from_json` gives back an equal one."""
    mesh = document.mesh
    default = mesh_on(document.topology, mesh.axes)
    same = (mesh.device_ids, mesh.hosts) == (default.device_ids, default.hosts)
    file = _File(
        FORMAT,
        VERSION,
        tuple(_AxisFile(axis.name, axis.size, str(axis.type)) for axis in mesh.axes),
        tuple(_ArrayFile(array.name, array.shape, array.dtype, str(array.spec)) for array in document.arrays),
        document.topology.name if document.topology else "",
        document.name,
        None if same else mesh.device_ids,
        None if same else mesh.hosts,
        _ArrangementFile(document.arrangement.rows, document.arrangement.columns, document.arrangement.outer),
    )
    return msgspec.json.format(msgspec.json.encode(file)) + b"\n"


def from_json(text: bytes | str) -> StudioDocument:
    """Read what `to_json` wrote.

    Raises:
        MuseumError: It is something else, in one line that names the place.
    """
    try:
        head = msgspec.json.decode(text, type=_Head)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise MuseumError(f"this is no studio file: {error}") from None
    if head.format != FORMAT:
        raise MuseumError("this is no studio file: it lacks the mark of one")
    if head.version != VERSION:
        raise MuseumError(f"the studio file has version {head.version}, and this museum reads version {VERSION}")
    try:
        return _document(msgspec.json.decode(text, type=_File))
    except (msgspec.DecodeError, MuseumError) as error:
        raise MuseumError(f"the studio file cannot be read: {error}") from None


class _Head(msgspec.Struct, frozen=True):
    format: str = ""
    version: int = 0


def _document(file: _File) -> StudioDocument:
    topology = Topology.parse(file.topology) if file.topology else None
    axes = []
    for axis in file.mesh:
        if not is_axis_name(axis.name):
            raise MuseumError(f"{axis.name!r} is no axis name")
        axes.append(Axis(axis.name, axis.size, axis_type(axis.type)))
    mesh = mesh_on(topology, axes)
    if file.device_ids is not None:
        mesh = Mesh(mesh.axes, file.device_ids, file.hosts or ())
    arrays = [StudioArray(one.name, one.shape, parse_dtype(one.dtype), Spec.parse(one.spec)) for one in file.arrays]
    arrangement = Arrangement(file.arrangement.rows, file.arrangement.columns, file.arrangement.outer)
    return StudioDocument(mesh, tuple(arrays), topology, arrangement, file.name)
