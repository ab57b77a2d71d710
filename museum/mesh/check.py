"""What a run of a document's code says about its layout, compared with what the museum says."""

from collections.abc import Iterator
from dataclasses import dataclass

import msgspec

from museum.errors import MuseumError
from museum.mesh.code import CHECK
from museum.mesh.document import StudioDocument
from museum.mesh.layout import ShardLayout, resolve
from museum.mesh.mesh import Mesh


@dataclass(frozen=True, slots=True)
class Difference:
    """Where JAX and the museum disagree.

    Attributes:
        array: Its name.
        text: One line for a person.
        device_id: The device that it is about; None when it concerns all of them.
    """

    array: str
    text: str
    device_id: int | None = None

    def __str__(self) -> str:
        return f"{self.array}: {self.text}"


class _Found(msgspec.Struct, frozen=True):
    shard_shape: tuple[int, ...]
    slices: tuple[tuple[tuple[int, int], ...], ...] | None


def differences(document: StudioDocument, stdout: str) -> tuple[Difference, ...]:
    """Where JAX, in a run of `as_code` with its check, disagrees with the museum; empty when it agrees in everything.

    Args:
        document: That the code was made of.
        stdout: What the run printed.

    Raises:
        MuseumError: There is no check in it.
    """
    line = next((line for line in reversed(stdout.splitlines()) if line.startswith(CHECK)), None)
    if line is None:
        raise MuseumError("the run printed no check: it ended before its last line")
    try:
        found = msgspec.json.decode(line.removeprefix(CHECK), type=dict[str, _Found])
    except msgspec.DecodeError as error:
        raise MuseumError(f"the run's check cannot be read: {error}") from None
    differing: list[Difference] = []
    for array in document.arrays:
        theirs = found.get(array.name)
        if theirs is None:
            differing.append(Difference(array.name, "JAX made no such array"))
        else:
            differing += _differing(array.name, resolve(document.mesh, array.spec, array.shape), theirs)
    return tuple(differing)


def _differing(name: str, ours: ShardLayout, theirs: _Found) -> Iterator[Difference]:
    if ours.shard_shape != theirs.shard_shape:
        yield Difference(name, f"a part is {theirs.shard_shape} for JAX and {ours.shard_shape} here")
    if theirs.slices is None:
        return
    mesh: Mesh = ours.mesh
    if len(theirs.slices) != mesh.size:
        yield Difference(name, f"JAX has {len(theirs.slices)} devices and this mesh {mesh.size}")
        return
    for device_id, held in zip(mesh.device_ids, theirs.slices, strict=True):
        if ours.slices[device_id] != held:
            text = f"device {device_id} holds {held} for JAX and {ours.slices[device_id]} here"
            yield Difference(name, text, device_id)
