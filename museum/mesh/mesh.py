"""A device mesh as a value: named axes and the devices along them, in the mesh's own order."""

import itertools
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Self, TypeVar

from museum.errors import MuseumError

MOST_DEVICES = 65_536
"""More devices than any machine has today; a larger mesh is a slip of the hand that would only eat memory."""

_NAME = re.compile(r"\w[\w.-]*")

Number = TypeVar("Number", int, float)


class AxisType(StrEnum):
    """Who decides how values lie along an axis: the compiler, the types, or the code (`jax.sharding.AxisType`)."""

    AUTO = "auto"
    EXPLICIT = "explicit"
    MANUAL = "manual"


@dataclass(frozen=True, slots=True)
class Axis:
    """One mesh axis.

    Raises:
        MuseumError: The name is empty or the size below 1.
    """

    name: str
    size: int
    type: AxisType = AxisType.AUTO

    def __post_init__(self) -> None:
        if not self.name:
            raise MuseumError("a mesh axis needs a name")
        if self.size < 1:
            raise MuseumError(f"mesh axis {self.name!r} has size {self.size}: an axis has at least 1 device")

    def __str__(self) -> str:
        return f"{self.name}={self.size}"

    @property
    def command(self) -> str:
        """As `Mesh.parse` reads it: ``data=4``, ``model=2:explicit``."""
        return str(self) if self.type is AxisType.AUTO else f"{self}:{self.type}"


@dataclass(frozen=True, slots=True)
class Mesh:
    """Devices on a grid of named axes.

    Attributes:
        axes: From the slowest to the fastest, as `jax.sharding.Mesh` has them. Without axes it is a single device.
        device_ids: Row-major in mesh order, one for each place; 0, 1, 2 and so on when left out.
        hosts: Process index of the device at each place; all 0 when left out.

    Raises:
        MuseumError: Two axes share a name, the ids don't fill the grid or repeat, or it exceeds `MOST_DEVICES`.
    """

    axes: tuple[Axis, ...]
    device_ids: tuple[int, ...] = ()
    hosts: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        for name in self.axis_names:
            if self.axis_names.count(name) > 1:
                raise MuseumError(f"mesh {self}: axis name {name!r} is used twice")
        if self.size > MOST_DEVICES:
            raise MuseumError(f"mesh {self} has {self.size} devices: at most {MOST_DEVICES} can be drawn")
        if not self.device_ids:
            object.__setattr__(self, "device_ids", tuple(range(self.size)))
        if len(self.device_ids) != self.size:
            raise MuseumError(f"mesh {self} has {self.size} places, but {len(self.device_ids)} device ids were given")
        if len(set(self.device_ids)) != self.size:
            raise MuseumError(f"mesh {self}: a device id is given twice")
        if not self.hosts:
            object.__setattr__(self, "hosts", (0,) * self.size)
        if len(self.hosts) != self.size:
            raise MuseumError(f"mesh {self} has {self.size} places, but {len(self.hosts)} hosts were given")

    def __str__(self) -> str:
        return ",".join(map(str, self.axes))

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read ``data=4,model=2:explicit``: after a colon, the axis type, ``auto`` when left out.

        Raises:
            MuseumError: A part is no ``name=size``, or the mesh it describes cannot be.
        """
        return cls(tuple(_parse_axis(part.strip(), text) for part in text.split(",")))

    @property
    def command(self) -> str:
        """The axes as `parse` reads them back, with their types: ``data=4,model=2:explicit``."""
        return ",".join(axis.command for axis in self.axes)

    @property
    def shape(self) -> tuple[int, ...]:
        """Axis sizes in order."""
        return tuple(axis.size for axis in self.axes)

    @property
    def axis_names(self) -> tuple[str, ...]:
        """Axis names in order."""
        return tuple(axis.name for axis in self.axes)

    @property
    def size(self) -> int:
        """Number of devices."""
        return math.prod(self.shape)

    @property
    def axis_sizes(self) -> dict[str, int]:
        """Axis name to size, in order."""
        return {axis.name: axis.size for axis in self.axes}

    def indices_along(self, number: int) -> list[int]:
        """The index along one axis of every place, in the order of `device_ids`."""
        return self.totals({self.axis_names[number]: range(self.shape[number])}, 0)

    def totals(self, parts: Mapping[str, Sequence[Number]], zero: Number) -> list[Number]:
        """For every place, in the order of `device_ids`, the sum of what each axis has for the index there.

        Args:
            parts: Axis name to a number for each index; an axis that is left out adds nothing.
            zero: To begin with.
        """
        totals = [zero]
        for name, size in self.axis_sizes.items():
            steps = parts.get(name)
            if steps is None:
                totals = [before for before in totals for _ in range(size)]
            else:
                totals = [before + step for before in totals for step in steps]
        return totals

    def places(self) -> Iterator[tuple[int, ...]]:
        """Coordinates of every place, in the order of `device_ids`."""
        return itertools.product(*map(range, self.shape))

    def coordinates(self, device_id: int) -> tuple[int, ...]:
        """Where a device sits: one index for each axis.

        Raises:
            MuseumError: The device is not in the mesh.
        """
        position = self.position(device_id)
        indices = []
        for size in reversed(self.shape):
            position, index = divmod(position, size)
            indices.append(index)
        return tuple(reversed(indices))

    def peers(self, device_id: int, axis_name: str) -> tuple[int, ...]:
        """The devices that take part with this one in a ``psum`` over an axis, itself among them, in axis order.

        Raises:
            MuseumError: The device or the axis is not in the mesh.
        """
        if axis_name not in self.axis_names:
            raise MuseumError(f"mesh {self} has no axis {axis_name!r}")
        number = self.axis_names.index(axis_name)
        stride = math.prod(self.shape[number + 1 :])
        first = self.position(device_id) - self.coordinates(device_id)[number] * stride
        return tuple(self.device_ids[first + step * stride] for step in range(self.shape[number]))

    def position(self, device_id: int) -> int:
        """A device's place in `device_ids`.

        Raises:
            MuseumError: The device is not in the mesh.
        """
        if device_id not in self.device_ids:
            raise MuseumError(f"device {device_id} is not in the mesh {self}")
        return self.device_ids.index(device_id)


def is_axis_name(text: str) -> bool:
    """Whether it can name an axis on a command line: letters, digits and ``_``, with ``.`` and ``-`` inside."""
    return _NAME.fullmatch(text) is not None


def whole_number(text: str) -> int | None:
    """A plain decimal number of at most 18 digits, or None for anything else (`int` would take ``+4`` and ``1_0``)."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 18 else None


def _parse_axis(part: str, whole: str) -> Axis:
    if not whole.strip():
        raise MuseumError("a mesh reads data=4,model=2, but it is empty")
    name, equals, rest = (piece.strip() for piece in part.partition("="))
    size_text, colon, type_text = (piece.strip() for piece in rest.partition(":"))
    if not equals or not is_axis_name(name):
        raise MuseumError(f"mesh {whole!r}: {part!r} is no name=size, as in data=4")
    size = whole_number(size_text)
    if size is None:
        raise MuseumError(f"mesh {whole!r}: the size of {name!r} is no whole number: {size_text!r}")
    return Axis(name, size, axis_type(type_text) if colon else AxisType.AUTO)


def axis_type(text: str) -> AxisType:
    """Read an axis type, however it is cased.

    Raises:
        MuseumError: It is none.
    """
    try:
        return AxisType(text.lower())
    except ValueError:
        raise MuseumError(f"{text!r} is no axis type: write auto, explicit or manual") from None
