"""Every edit of the studio's document by hand: a function from a document to a new one.

What cannot be done raises a `MuseumError` that says why; the document it was given is never changed.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from museum.errors import MuseumError
from museum.mesh.arrangement import Place
from museum.mesh.document import StudioArray, StudioDocument, mesh_on
from museum.mesh.dtypes import parse_dtype
from museum.mesh.layout import parse_shape
from museum.mesh.mesh import Axis, AxisType, Mesh, axis_type, is_axis_name
from museum.mesh.spec import UNCONSTRAINED, Spec
from museum.mesh.topologies import Topology

# -- the mesh by hand -------------------------------------------------------------------------------------------------


def set_mesh(document: StudioDocument, text: str) -> StudioDocument:
    """The mesh as typed, ``data=4,model=2:explicit``; the device order stays when sizes and order of the axes do.

    Raises:
        MuseumError: It cannot be read.
    """
    axes = Mesh.parse(text).axes
    if tuple(axis.size for axis in axes) == document.mesh.shape:
        return replace(document, mesh=Mesh(axes, document.mesh.device_ids, document.mesh.hosts))
    return _with_axes(document, axes)


def set_topology(document: StudioDocument, text: str) -> StudioDocument:
    """The machine as typed; "" for none. The mesh takes its devices in its order.

    Raises:
        MuseumError: There is no such machine.
    """
    topology = Topology.parse(text) if text.strip() else None
    return replace(document, topology=topology, mesh=mesh_on(topology, document.mesh.axes))


def set_order(document: StudioDocument, device_ids: Sequence[int]) -> StudioDocument:
    """Another device order, as JAX laid the mesh out on the machine, say; hosts follow where the machine is known.

    Raises:
        MuseumError: The ids don't fill the mesh, or repeat.
    """
    known = dict(zip(document.mesh.device_ids, document.mesh.hosts, strict=True))
    if document.topology is not None:
        known |= {device.id: device.host for device in document.topology.devices}
    hosts = tuple(known.get(device_id, 0) for device_id in device_ids)
    return replace(document, mesh=Mesh(document.mesh.axes, tuple(device_ids), hosts))


def add_axis(
    document: StudioDocument, name: str, size: int, kind: AxisType | str = AxisType.AUTO, at: int | None = None
) -> StudioDocument:
    """A further axis, at the end or in front of axis number `at`.

    Raises:
        MuseumError: The name is taken or no name, or the size is none.
    """
    axes = list(document.mesh.axes)
    axes.insert(len(axes) if at is None else at, _axis(document, name, size, axis_type(kind)))
    return _with_axes(document, axes)


def remove_axis(document: StudioDocument, name: str) -> StudioDocument:
    """Take an axis away; the specs lose it.

    Raises:
        MuseumError: There is none of that name.
    """
    number = _number(document, name)
    axes = [axis for place, axis in enumerate(document.mesh.axes) if place != number]
    return _with_axes(_respelled(document, {name: ()}), axes)


def rename_axis(document: StudioDocument, old: str, new: str) -> StudioDocument:
    """Another name for an axis, in the specs and the picture too; the device order stays.

    Raises:
        MuseumError: There is none of that name, or the new one is taken or no name.
    """
    number = _number(document, old)
    if old == new:
        return document
    axes = list(document.mesh.axes)
    axes[number] = _axis(document, new, axes[number].size, axes[number].type)
    mesh = Mesh(tuple(axes), document.mesh.device_ids, document.mesh.hosts)
    return replace(_respelled(document, {old: (new,)}), mesh=mesh, arrangement=document.arrangement.renamed(old, new))


def resize_axis(document: StudioDocument, name: str, size: int) -> StudioDocument:
    """Another size for an axis.

    Raises:
        MuseumError: There is none of that name, or no such size.
    """
    number = _number(document, name)
    axes = list(document.mesh.axes)
    axes[number] = Axis(name, size, axes[number].type)
    return _with_axes(document, axes)


def set_axis_type(document: StudioDocument, name: str, kind: AxisType | str) -> StudioDocument:
    """Auto, explicit or manual; the device order stays.

    Raises:
        MuseumError: There is none of that name, or no such type.
    """
    number = _number(document, name)
    axes = list(document.mesh.axes)
    axes[number] = Axis(name, axes[number].size, axis_type(kind))
    return replace(document, mesh=Mesh(tuple(axes), document.mesh.device_ids, document.mesh.hosts))


def move_axis(document: StudioDocument, name: str, to: int) -> StudioDocument:
    """Another place in the order of the axes, from 0 for the slowest.

    Raises:
        MuseumError: There is none of that name, or no such place.
    """
    axes = list(document.mesh.axes)
    axis = axes.pop(_number(document, name))
    if not 0 <= to <= len(axes):
        raise MuseumError(f"axis {name!r} cannot be number {to}: places are 0 to {len(axes)}")
    axes.insert(to, axis)
    return _with_axes(document, axes)


def split_axis(document: StudioDocument, name: str, outer: tuple[str, int], inner: tuple[str, int]) -> StudioDocument:
    """Two axes in place of one; specs name both in its place, so that every device keeps what it holds.

    Args:
        document: Before.
        name: The axis to split.
        outer: Name and size of the slower part; may keep the old name.
        inner: Of the faster part.

    Raises:
        MuseumError: There is none of that name, the sizes don't multiply to its own, or a name is taken.
    """
    number = _number(document, name)
    axis = document.mesh.axes[number]
    if outer[1] * inner[1] != axis.size:
        raise MuseumError(
            f"axis {axis} cannot be split into {outer[1]} x {inner[1]}, which makes {outer[1] * inner[1]}"
        )
    others = [other for place, other in enumerate(document.mesh.axes) if place != number]
    for new, _ in (outer, inner):
        if not is_axis_name(new):
            raise MuseumError(f"{new!r} is no axis name: letters, digits and _")
        if any(other.name == new for other in others):
            raise MuseumError(f"the mesh has an axis {new!r} already")
    parts = [Axis(*outer, axis.type), Axis(*inner, axis.type)]
    axes = (*document.mesh.axes[:number], *parts, *document.mesh.axes[number + 1 :])
    mesh = Mesh(axes, document.mesh.device_ids, document.mesh.hosts)
    return replace(_respelled(document, {name: (outer[0], inner[0])}), mesh=mesh)


def merge_axes(document: StudioDocument, outer: str, inner: str, name: str = "") -> StudioDocument:
    """One axis in place of two that follow each other, so that every device keeps what it holds.

    Args:
        document: Before.
        outer: The slower one.
        inner: The one right after it.
        name: Of the new axis; that of the slower one when left out.

    Raises:
        MuseumError: They don't follow each other, differ in type, or an array uses one without the other.
    """
    number = _number(document, outer)
    if _number(document, inner) != number + 1:
        raise MuseumError(
            f"only axes that follow each other can be merged: {inner!r} does not come right after {outer!r}"
        )
    slow, fast = document.mesh.axes[number : number + 2]
    if slow.type is not fast.type:
        raise MuseumError(f"axis {outer!r} is {slow.type} and {inner!r} {fast.type}: give them one type first")
    name = name or outer
    if not is_axis_name(name) or any(name == a.name for a in document.mesh.axes if a.name not in (outer, inner)):
        raise MuseumError(f"{name!r} cannot name the merged axis")
    arrays = tuple(replace(array, spec=_merged(array, outer, inner, name)) for array in document.arrays)
    axes = (
        *document.mesh.axes[:number],
        Axis(name, slow.size * fast.size, slow.type),
        *document.mesh.axes[number + 2 :],
    )
    return replace(document, arrays=arrays, mesh=Mesh(axes, document.mesh.device_ids, document.mesh.hosts))


def _merged(array: StudioArray, outer: str, inner: str, name: str) -> Spec:
    def merged(axes: tuple[str, ...]) -> tuple[str, ...]:
        if outer not in axes and inner not in axes:
            return axes
        place = axes.index(outer) if outer in axes else 0
        others = (*axes[:place], *axes[place + 2 :])
        if axes[place : place + 2] != (outer, inner) or outer in others or inner in others:
            raise MuseumError(f"array {array.name} does not use {outer!r} and {inner!r} together: {array.spec}")
        return (*axes[:place], name, *axes[place + 2 :])

    entries = tuple(entry if entry is None or entry is UNCONSTRAINED else merged(entry) for entry in array.spec.entries)
    summands = array.spec.unreduced
    if {outer, inner} & set(summands):
        if not {outer, inner} <= set(summands):
            raise MuseumError(f"array {array.name} is unreduced over one of them only: {array.spec}")
        summands = (*(axis for axis in summands if axis not in (outer, inner)), name)
    return Spec(entries, summands)


def arrange(document: StudioDocument, axis: str, place: Place) -> StudioDocument:
    """Draw an axis along the rows, the columns, or further out.

    Raises:
        MuseumError: There is none of that name.
    """
    _number(document, axis)
    return replace(document, arrangement=document.arrangement.fitted(document.mesh.axis_sizes).put(axis, place))


def _number(document: StudioDocument, name: str) -> int:
    if name not in document.mesh.axis_names:
        known = ", ".join(map(repr, document.mesh.axis_names)) or "none"
        raise MuseumError(f"the mesh has no axis {name!r} (its axes: {known})")
    return document.mesh.axis_names.index(name)


def _axis(document: StudioDocument, name: str, size: int, kind: AxisType) -> Axis:
    if not is_axis_name(name):
        raise MuseumError(f"{name!r} is no axis name: letters, digits and _")
    if name in document.mesh.axis_names:
        raise MuseumError(f"the mesh has an axis {name!r} already")
    return Axis(name, size, kind)


def _with_axes(document: StudioDocument, axes: Sequence[Axis]) -> StudioDocument:
    """Other axes, and the machine's own device order again."""
    return replace(document, mesh=mesh_on(document.topology, axes))


def _respelled(document: StudioDocument, change: dict[str, tuple[str, ...]]) -> StudioDocument:
    """Other axes in place of some, in every spec."""

    def spelled(axes: Sequence[str]) -> tuple[str, ...]:
        return tuple(new for axis in axes for new in change.get(axis, (axis,)))

    arrays = []
    for array in document.arrays:
        entries = tuple(
            entry if entry is None or entry is UNCONSTRAINED else spelled(entry) or None for entry in array.spec.entries
        )
        arrays.append(replace(array, spec=Spec(entries, spelled(array.spec.unreduced))))
    return replace(document, arrays=tuple(arrays))


# -- the arrays by hand -----------------------------------------------------------------------------------------------


def add_array(
    document: StudioDocument, name: str, shape: str, dtype: str = "float32", spec: str = ""
) -> StudioDocument:
    """A further array, from texts.

    Raises:
        MuseumError: A text cannot be read, or the name is taken.
    """
    array = StudioArray(name, parse_shape(shape), parse_dtype(dtype), Spec.parse(spec))
    return replace(document, arrays=(*document.arrays, array))


def remove_array(document: StudioDocument, name: str) -> StudioDocument:
    """Without an array.

    Raises:
        MuseumError: No array has that name.
    """
    gone = document.array(name)
    return replace(document, arrays=tuple(array for array in document.arrays if array is not gone))


def rename_array(document: StudioDocument, old: str, new: str) -> StudioDocument:
    """Another name for an array.

    Raises:
        MuseumError: No array has the old name, or one has the new.
    """
    return _edit(document, old, lambda array: replace(array, name=new))


def set_shape(document: StudioDocument, name: str, text: str) -> StudioDocument:
    """The shape as typed.

    Raises:
        MuseumError: It cannot be read, or no array has that name.
    """
    return _edit(document, name, lambda array: replace(array, shape=parse_shape(text)))


def set_dtype(document: StudioDocument, name: str, text: str) -> StudioDocument:
    """The dtype as typed.

    Raises:
        MuseumError: JAX has none of that name, or no array has that name.
    """
    return _edit(document, name, lambda array: replace(array, dtype=parse_dtype(text)))


def set_spec(document: StudioDocument, name: str, text: str) -> StudioDocument:
    """The spec as typed, in either form.

    Raises:
        MuseumError: It cannot be read, or no array has that name.
    """
    return _edit(document, name, lambda array: replace(array, spec=Spec.parse(text)))


def shard(document: StudioDocument, name: str, dimension: int, axis: str) -> StudioDocument:
    """Cut a dimension along one more axis, the fastest of its tuple.

    Raises:
        MuseumError: No such array, dimension or axis, or the axis is in use in this array already.
    """
    _number(document, axis)
    return _edit(document, name, partial(_sharded, dimension=dimension, axis=axis))


def _sharded(array: StudioArray, dimension: int, axis: str) -> StudioArray:
    _check_dimension(array, dimension)
    for number in range(len(array.spec.entries)):
        if axis in array.spec.axes_at(number):
            raise MuseumError(f"axis {axis!r} cuts dimension {number} of {array.name} already: take it off there first")
    if axis in array.spec.unreduced:
        raise MuseumError(f"{array.name} is unreduced over {axis!r}: it cannot be cut along it too")
    entries = [*array.spec.entries, *[None] * (dimension + 1 - len(array.spec.entries))]
    entries[dimension] = (*array.spec.axes_at(dimension), axis)
    return replace(array, spec=Spec(tuple(entries), array.spec.unreduced))


def unshard(document: StudioDocument, name: str, dimension: int, axis: str = "") -> StudioDocument:
    """Take an axis off a dimension; all of them when none is named.

    Raises:
        MuseumError: No such array or dimension, or the axis does not cut it.
    """
    return _edit(document, name, partial(_unsharded, dimension=dimension, axis=axis))


def _unsharded(array: StudioArray, dimension: int, axis: str) -> StudioArray:
    _check_dimension(array, dimension)
    axes = array.spec.axes_at(dimension)
    if axis and axis not in axes:
        raise MuseumError(f"axis {axis!r} does not cut dimension {dimension} of {array.name}")
    entries = list(array.spec.entries)
    if dimension < len(entries):
        entries[dimension] = tuple(other for other in axes if axis and other != axis) or None
    return replace(array, spec=Spec(tuple(entries), array.spec.unreduced))


def _check_dimension(array: StudioArray, dimension: int) -> None:
    if not 0 <= dimension < max(len(array.shape), len(array.spec.entries)):
        raise MuseumError(f"{array.name} has no dimension {dimension}: its rank is {len(array.shape)}")


def _edit(document: StudioDocument, name: str, change: Callable[[StudioArray], StudioArray]) -> StudioDocument:
    chosen = document.array(name)
    return replace(document, arrays=tuple(change(array) if array is chosen else array for array in document.arrays))
