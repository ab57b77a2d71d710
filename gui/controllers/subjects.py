"""What the mesh panel draws: the layout that an exhibit asks for, or what a run left in its variables."""

import re

from gui.widgets.mesh_panel import Subject
from museum.diagnosis.parts import layout_in
from museum.errors import MuseumError
from museum.exhibit import Exhibit
from museum.lab.outcome import RunOutcome
from museum.lab.protocol import ArraySeen, MeshSeen
from museum.mesh.document import StudioArray, StudioDocument
from museum.mesh.layout import ShardLayout, resolve
from museum.mesh.mesh import Axis, AxisType, Mesh
from museum.mesh.spec import UNCONSTRAINED, Spec


def asked_for(exhibit: Exhibit) -> tuple[Subject, ...]:
    """The layout in the exhibit's facts, drawn before anything ran."""
    layout = exhibit.facts.layout
    if layout is None:
        return ()
    mesh, spec = Mesh.parse(layout.mesh), Spec.parse(layout.spec)
    drawn = resolve(mesh, spec, layout.shape)
    return (Subject("asked for", f"{layout.shape} as {spec}", drawn, document_of("array", drawn)),)


def seen_in(outcome: RunOutcome) -> tuple[Subject, ...]:
    """What a run failed on, then its arrays, those on most devices first, then its meshes."""
    failed = failed_on(outcome)
    spread = sorted(outcome.arrays, key=lambda array: -len(array.shards))
    arrays = [_of_array(array, outcome.meshes) for array in spread]
    meshes = [_of_mesh(mesh) for mesh in outcome.meshes]
    return (*failed, *(array for array in arrays if array.drawn is not None), *meshes)


def failed_on(outcome: RunOutcome) -> list[Subject]:
    """The array that the error speaks of, where the message states its shape, spec and mesh."""
    found = layout_in(outcome.exception.message) if outcome.exception else None
    if found is None:
        return []
    mesh, spec, shape = found
    drawn = resolve(_with_ids(mesh, outcome.meshes), spec, shape)
    return [Subject("the array that failed", f"{shape} as {spec}", drawn, document_of("array", drawn))]


def _of_array(array: ArraySeen, meshes: tuple[MeshSeen, ...]) -> Subject:
    spec = None if array.spec is None else _spec(array)
    words = [f"{array.dtype}{list(array.shape)}", str(spec) if spec else "", array.memory_kind or ""]
    words += [array.state] if array.state != "live" else []
    layout = _layout(array, spec, meshes)
    document = document_of(array.name, layout, array.dtype) if layout is not None else None
    return Subject(array.name, " · ".join(filter(None, words)), layout, document)


def _of_mesh(mesh: MeshSeen) -> Subject:
    drawn = _mesh(mesh.axes, mesh.device_ids)
    return Subject(mesh.name, _types(mesh), drawn, document_of(mesh.name, drawn) if drawn else None)


def document_of(name: str, drawn: ShardLayout | Mesh, dtype: str = "float32") -> StudioDocument | None:
    """What the studio opens of a layout or a mesh; None where it has no spec, or the studio cannot hold it."""
    try:
        if isinstance(drawn, Mesh):
            return StudioDocument(drawn)
        if drawn.spec is None:
            return None
        plain = re.sub(r"[^\w./\[\]-]", "", name) or "array"
        return StudioDocument(drawn.mesh, (StudioArray(plain, drawn.shape, dtype, drawn.spec),))
    except MuseumError:
        return None


def _spec(array: ArraySeen) -> Spec:
    entries = [
        entry if entry is None else UNCONSTRAINED if isinstance(entry, str) else tuple(entry)
        for entry in array.spec or ()
    ]
    return Spec(tuple(entries))


def _layout(array: ArraySeen, spec: Spec | None, meshes: tuple[MeshSeen, ...]) -> ShardLayout | None:
    if not array.shards:
        return None
    devices = tuple(array.shards)
    axes = array.mesh or (("device", len(devices), "auto"),)
    mesh = _mesh(axes, devices if array.mesh is None else ())
    if mesh is None:
        return None
    mesh = _with_ids(mesh, meshes)
    try:
        return ShardLayout.from_report(mesh, array.shape, spec, array.shards)
    except MuseumError:
        return None  # a mesh of the same axes over other devices; the panel must not draw what it cannot know


def _mesh(axes: tuple[tuple[str, int, str], ...], device_ids: tuple[int, ...]) -> Mesh | None:
    try:
        return Mesh(tuple(Axis(name, size, _type(kind)) for name, size, kind in axes), device_ids)
    except MuseumError:
        return None


def _type(kind: str) -> AxisType:
    return AxisType(kind) if kind in set(AxisType) else AxisType.AUTO


def _with_ids(mesh: Mesh, meshes: tuple[MeshSeen, ...]) -> Mesh:
    """The mesh with the device order of the run's mesh of the same axes, where there is one."""
    wanted = [(axis.name, axis.size) for axis in mesh.axes]
    for seen in meshes:
        if seen.device_ids and [(name, size) for name, size, _ in seen.axes] == wanted:
            return Mesh(mesh.axes, seen.device_ids)
    return mesh


def _types(mesh: MeshSeen) -> str:
    kinds = {kind for _, _, kind in mesh.axes}
    abstract = [] if mesh.device_ids else ["abstract"]
    return " · ".join([*abstract, f"{' and '.join(sorted(kinds))} axes"])
