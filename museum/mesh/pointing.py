"""What there is to say about one device that is pointed at: where it is, what it holds, with whom it shares."""

from collections.abc import Sequence
from dataclasses import dataclass

from museum.mesh.dtypes import in_words
from museum.mesh.layout import ShardLayout, Slices
from museum.mesh.mesh import Mesh


@dataclass(frozen=True, slots=True)
class DeviceFacts:
    """One device of a mesh.

    Attributes:
        position: Its place in `Mesh.device_ids`.
        host: Its process index.
        coordinates: Its index along each axis.
        peers: By axis, who takes part with it in a ``psum`` over that axis, itself among them, in axis order.
        slices: [start, stop) for each dimension; None without an array, or when its shard is not known.
        shard_shape: Shape of what it holds.
        replica: Number of its copy.
        replicas: Every device with the same slice, itself among them, in mesh order.
        partial: Axes over which it holds only a summand.
        size: Bytes that it holds; None when the dtype was not told.
    """

    device_id: int
    position: int
    host: int
    coordinates: dict[str, int]
    peers: dict[str, tuple[int, ...]]
    slices: Slices | None = None
    shard_shape: tuple[int, ...] = ()
    replica: int = 0
    replicas: tuple[int, ...] = ()
    partial: tuple[str, ...] = ()
    size: int | None = None

    @property
    def words(self) -> tuple[str, ...]:
        """The same as lines for a person."""
        place = ", ".join(f"{name}={index}" for name, index in self.coordinates.items())
        lines = [f"device {self.device_id} at {place}" if place else f"device {self.device_id}"]
        lines[0] += f", host {self.host}"
        if self.slices is not None:
            held = ", ".join(f"{start}:{stop}" for start, stop in self.slices)
            size = "" if self.size is None else f", {in_words(self.size)}"
            lines.append(f"holds [{held}]{size}" if held else f"holds the scalar{size}")
            if self.partial:
                lines.append(f"only a summand: a sum over {' and '.join(self.partial)} is due")
            others = [device for device in self.replicas if device != self.device_id]
            if others:
                same = "the same slice" if self.partial else "the same"
                lines.append(f"{same} as device{'s' if len(others) > 1 else ''} {_listed(others)}")
        lines += [f"psum over {name}: {_listed(peers)}" for name, peers in self.peers.items() if len(peers) > 1]
        return tuple(lines)


def facts_about(subject: ShardLayout | Mesh, device_id: int, dtype: str = "") -> DeviceFacts:
    """What a picture says when a device is pointed at.

    Args:
        subject: A layout, or a mesh without an array.
        device_id: One of its mesh.
        dtype: Of the array, for the bytes.

    Raises:
        MuseumError: The device is not in the mesh.
    """
    mesh = subject if isinstance(subject, Mesh) else subject.mesh
    position = mesh.position(device_id)
    coordinates = dict(zip(mesh.axis_names, mesh.coordinates(device_id), strict=True))
    peers = {name: mesh.peers(device_id, name) for name in mesh.axis_names}
    common = (device_id, position, mesh.hosts[position], coordinates, peers)
    if isinstance(subject, Mesh) or device_id not in subject.slices:
        return DeviceFacts(*common)
    slices = subject.slices[device_id]
    return DeviceFacts(
        *common,
        slices,
        tuple(stop - start for start, stop in slices),
        subject.replicas[device_id],
        tuple(device for device, held in subject.slices.items() if held == slices),
        subject.summands,
        subject.bytes_per_device(dtype) if dtype else None,
    )


def _listed(ids: Sequence[int]) -> str:
    return (
        ", ".join(map(str, ids))
        if len(ids) <= 16
        else f"{', '.join(map(str, ids[:6]))} … {ids[-1]} ({len(ids)} devices)"
    )
