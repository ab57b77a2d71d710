"""A document as the one object that ``xla-museum mesh --json`` prints."""

from museum.mesh.document import StudioArray, StudioDocument, memory
from museum.mesh.layout import ShardLayout
from museum.mesh.mesh import Mesh
from museum.mesh.topologies import Platform
from museum.mesh.torus import Placement, make_mesh_splits, place


def as_json(document: StudioDocument) -> dict[str, object]:
    """What is fixed in it: ``mesh`` (``axes`` with name, size and type, ``device_ids``, ``hosts``) and ``arrays``.

    Beside them ``problem`` of the mesh as a whole, or null; when the machine is known, ``topology``,
    ``bytes_per_device`` of all arrays and ``hbm_per_device``, and for a TPU ``physical``: how the shape lies on its
    grid.
    """
    found: dict[str, object] = {
        "mesh": _mesh(document.mesh),
        "problem": document.problem or None,
        "arrays": [_array(array, layout) for array, layout in zip(document.arrays, document.layouts, strict=True)],
    }
    if document.topology is not None:
        cost = memory(document)
        found |= {
            "topology": document.topology.name,
            "bytes_per_device": cost.per_device,
            "hbm_per_device": cost.hbm or None,
        }
        placement = physical(document)
        if placement is not None:
            found["physical"] = _placement(placement, document.mesh)
    return found


def physical(document: StudioDocument) -> Placement | None:
    """How `jax.make_mesh` lays the document's mesh out; None without a machine that has a grid, or on a part of it."""
    topology = document.topology
    if topology is None or topology.chip.platform is not Platform.TPU or document.mesh.size != topology.size:
        return None
    return place(topology, document.mesh.shape, document.mesh.axis_names, split=make_mesh_splits(topology))


def _mesh(mesh: Mesh) -> dict[str, object]:
    return {
        "axes": [[axis.name, axis.size, str(axis.type)] for axis in mesh.axes],
        "device_ids": list(mesh.device_ids),
        "hosts": list(mesh.hosts),
    }


def _array(array: StudioArray, layout: ShardLayout) -> dict[str, object]:
    return {
        "name": array.name,
        "shape": list(array.shape),
        "dtype": array.dtype,
        "spec": str(array.spec),
        "shard_shape": list(layout.shard_shape),
        "shards": {str(device_id): [list(bounds) for bounds in held] for device_id, held in layout.slices.items()},
        "replication": layout.replication,
        "bytes_per_device": layout.bytes_per_device(array.dtype),
        "problems": [
            {"kind": str(problem.kind), "dimension": problem.dimension, "axis": problem.axis, "text": problem.text}
            for problem in layout.problems
        ],
    }


def _placement(placement: Placement, mesh: Mesh) -> dict[str, object]:
    return {
        "way": str(placement.way),
        "grid": list(placement.physical),
        "axes": {
            name: [{"axis": part.letter, "size": part.size, "of": part.of} for part in parts]
            for name, parts in zip(mesh.axis_names, placement.parts, strict=False)
        },
        "error": placement.error or None,
        "reason": placement.reason,
        "alternatives": [list(shape) for shape in placement.alternatives],
    }


def physical_words(document: StudioDocument) -> tuple[str, ...]:
    """The same in lines for a person; none without a machine that has a grid."""
    placement = physical(document)
    if placement is None:
        return ()
    grid = "x".join(map(str, placement.physical)) or str(document.topology)
    if not placement.works:
        lines = [f"✗ jax.make_mesh refuses {document.mesh.shape} on {document.topology} ({placement.error}):"]
        lines.append(f"  {placement.reason}")
        if placement.alternatives:
            some = ", ".join(map(str, placement.alternatives[:6]))
            lines.append(f"  shapes that work: {some}{' …' if len(placement.alternatives) > 6 else ''}")
        return tuple(lines)
    if not placement.parts:
        return (f"on {document.topology}: {placement.reason}",)
    pairs = zip(document.mesh.axes, placement.parts, strict=True)
    along = [f"{axis} along {' and '.join(map(str, parts)) or 'nothing'}" for axis, parts in pairs]
    return (f"on the {grid} grid: {'; '.join(along)}",)
