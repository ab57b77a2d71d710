"""A document as Python that runs as it stands; what its check prints is read in `museum.mesh.check`.

Nothing large is allocated: an array is placed for real as long as all its copies, with those of the arrays before it,
stay within `PLACED_AT_MOST`; one that is larger, or that JAX cannot place (a spec that leaves a dimension to the
compiler, a sum still due), is described by `jax.ShapeDtypeStruct` with the same sharding, which says as much.
"""

import json
from collections.abc import Iterator
from functools import cache
from typing import Literal

from museum.errors import MuseumError
from museum.mesh.document import StudioArray, StudioDocument
from museum.mesh.dtypes import BITS, in_words
from museum.mesh.layout import shard_shape
from museum.mesh.mesh import AxisType
from museum.mesh.slices import Across, across_slices
from museum.mesh.spec import UNCONSTRAINED, Entry, Spec
from museum.mesh.topologies import Platform
from museum.mesh.torus import NEWEST_JAX, make_mesh_splits, place

Form = Literal["device_put", "shard_map"]
ANY_JAX = "any"
"""Instead of a version: code that means the same on every JAX that the museum knows."""
PLACED_AT_MOST = 64 << 20  # bytes over all devices
CHECK = "museum-check "
"""What the line with the check begins with."""

_DTYPES_SINCE = {"float4_e2m1fn": "0.5.3", "float8_e8m0fnu": "0.5.3"}
_LONG_LINE = 100


def as_code(document: StudioDocument, jax: str = NEWEST_JAX, form: Form = "device_put", *, check: bool = False) -> str:
    """The document as a script.

    Args:
        document: Mesh and arrays; one with problems gives a script that fails as JAX fails.
        jax: The version to write for, or `ANY_JAX`.
        form: Arrays put on the mesh, or a function mapped over their parts as well.
        check: Whether to print, at the end, who holds what for `museum.mesh.check.differences`.

    Raises:
        MuseumError: That version lacks something of the document.
    """
    writer = _Writer(document, jax)
    return (
        "\n".join([*writer.head(check), *writer.mesh(), *writer.arrays(), *writer.tail(form), *writer.check(check)])
        + "\n"
    )


class _Writer:
    def __init__(self, document: StudioDocument, jax: str) -> None:
        self.document = document
        self.jax = jax
        self.for_any = jax == ANY_JAX
        self.has_types = self._since("0.6")
        self.order = _order(document)
        self.across = across_slices(document) if self.order == "make_mesh" else None
        self.abstract = _abstract(document)
        for array in document.arrays:
            self._refuse(array)
        if self.for_any and any(axis.type is AxisType.EXPLICIT for axis in document.mesh.axes):
            raise MuseumError("explicit axes exist from JAX 0.6 on: choose a version to write for")

    def _since(self, first: str) -> bool:
        """Whether what came with a version may be written."""
        return not self.for_any and _since(self.jax, first)

    @property
    def _makes_devices(self) -> bool:
        """Whether `create_device_mesh` is called and not `make_mesh`, whose axes are of another type in newer JAX."""
        return self.for_any and self.order == "make_mesh" and self.across is None

    def _refuse(self, array: StudioArray) -> None:
        since = _DTYPES_SINCE.get(array.dtype)
        here = "every one" if self.for_any else self.jax
        if since and not self._since(since):
            raise MuseumError(f"array {array.name}: {array.dtype} exists from JAX {since} on, not in {here}")
        if array.spec.unreduced and not self._since("0.7"):
            raise MuseumError(f"array {array.name}: unreduced axes exist from JAX 0.7 on, not in {here}")

    def head(self, check: bool) -> Iterator[str]:
        """Imports and what the machine must have."""
        document = self.document
        if check:
            yield "import json"
            yield ""
        yield "import jax"
        if any(name not in self.abstract for name in map(_name, document.arrays)):
            yield "import jax.numpy as jnp"
        if self.order == "explicit":
            yield "import numpy as np"
        if self.order == "split" or self.across is not None or self._makes_devices:
            yield "from jax.experimental import mesh_utils"
        names = ["AxisType"] if self.has_types and document.mesh.axes else []
        names += ["Mesh"] if self.order != "make_mesh" or self.across is not None or self._makes_devices else []
        names += ["NamedSharding", "PartitionSpec as P"] if document.arrays else []
        if names:
            yield f"from jax.sharding import {', '.join(names)}"
        yield ""
        if any(BITS[array.dtype] >= 64 and array.dtype != "complex64" for array in document.arrays):
            yield 'jax.config.update("jax_enable_x64", True)'
            yield ""
        size = document.mesh.size
        if size > 1:
            yield f"# Needs {size} devices; on a CPU: XLA_FLAGS=--xla_force_host_platform_device_count={size}"

    def mesh(self) -> Iterator[str]:
        """The mesh in one statement, with what is to be known about it."""
        document, mesh = self.document, self.document.mesh
        shape, names = _tuple(map(str, mesh.shape)), _tuple(map(_quoted, mesh.axis_names))
        types = ""
        if self.has_types and mesh.axes:
            # A mesh in the open is never manual: shard_map makes its axes so inside.
            kinds = [AxisType.AUTO if axis.type is AxisType.MANUAL else axis.type for axis in mesh.axes]
            types = f", axis_types={_tuple(f'AxisType.{kind.title()}' for kind in kinds)}"
        elif any(axis.type is AxisType.EXPLICIT for axis in mesh.axes):
            yield f"# JAX {self.jax} has no axis types: the explicit axes are auto here."
        if self.order == "explicit":
            yield "by_id = {device.id: device for device in jax.devices()}"
            yield f"order = {_tuple(map(str, mesh.device_ids))}"
            yield f"devices = np.array([by_id[number] for number in order]).reshape({shape})"
            yield f"mesh = Mesh(devices, {names}{types})"
        elif self.across is not None:
            yield from self._hybrid(self.across, shape)
            yield f"mesh = Mesh(devices, {names}{types})"
        elif self.order == "split":
            yield f"# On {document.topology} whole physical axes do not do: they are split."
            yield f"devices = mesh_utils.create_device_mesh({shape}, allow_split_physical_axes=True)"
            yield f"mesh = Mesh(devices, {names}{types})"
        else:
            if document.topology and document.topology.slices > 1 and mesh.size == document.topology.size:
                slices = document.topology.slices
                yield f"# No part of {shape} counts {slices} slices: create_hybrid_device_mesh would refuse it."
            if self._makes_devices:
                yield f"mesh = Mesh(mesh_utils.create_device_mesh({shape}), {names})"
            else:
                yield f"mesh = jax.make_mesh({shape}, {names}{types})"
        yield ""

    def _hybrid(self, across: Across, shape: str) -> Iterator[str]:
        """Each slice by itself, then the slices; on a machine that has none, all devices at once."""
        inside, between = _tuple(map(str, across.inside)), _tuple(map(str, across.between))
        split = ", allow_split_physical_axes=True" if across.split else ""
        machine = self.document.topology
        yield f"# {machine}: slices along {between}, joined by the slower network, each a mesh of {inside}."
        yield 'if len({getattr(device, "slice_index", 0) for device in jax.devices()}) > 1:'
        yield f"    devices = mesh_utils.create_hybrid_device_mesh({inside}, {between}{split})"
        yield "else:"
        yield f"    devices = mesh_utils.create_device_mesh({shape})"

    def arrays(self) -> Iterator[str]:
        """The dictionary of arrays."""
        if not self.document.arrays:
            return
        yield "arrays = {"
        for array in self.document.arrays:
            sharding = f"NamedSharding(mesh, {_spec(array.spec)})"
            shape = _tuple(map(str, array.shape))
            if array.name in self.abstract:
                yield f"    # {self.abstract[array.name]}"
                value = ("jax.ShapeDtypeStruct(", f'{shape}, "{array.dtype}", sharding={sharding}', ")")
            else:
                dtype = "bool_" if array.dtype == "bool" else array.dtype
                value = ("jax.device_put(", f"jnp.zeros({shape}, jnp.{dtype}), {sharding}", ")")
            line = f"    {_quoted(array.name)}: {''.join(value)},"
            if len(line) <= _LONG_LINE:
                yield line
            else:
                yield f"    {_quoted(array.name)}: {value[0]}"
                yield f"        {value[1]}"
                yield f"    {value[2]},"
        yield "}"

    def tail(self, form: Form) -> Iterator[str]:
        """What is printed."""
        if not self.document.arrays:
            yield "print(mesh)"
            return
        yield "for name, array in arrays.items():"
        yield "    part = array.sharding.shard_shape(array.shape)"
        yield '    print(f"{name}: {array.shape} is {part} on each of {mesh.size} devices")'
        if form == "shard_map":
            yield from self._mapped()

    def _mapped(self) -> Iterator[str]:
        for array in self.document.arrays:
            if UNCONSTRAINED in array.spec.entries or array.spec.unreduced:
                raise MuseumError(f"array {array.name}: shard_map takes only axis names and None, not {array.spec}")
        shard_map = "jax.shard_map"
        yield ""
        if self.for_any:
            yield "try:"
            yield "    from jax import shard_map"
            yield "except ImportError:  # JAX before 0.6"
            yield "    from jax.experimental.shard_map import shard_map"
        elif not self._since("0.6"):
            yield "from jax.experimental.shard_map import shard_map"
        if not self._since("0.6"):
            yield ""
            shard_map = "shard_map"
        yield "specs = {"
        for array in self.document.arrays:
            yield f"    {_quoted(array.name)}: {_spec(array.spec)},"
        yield "}"
        yield ""
        yield ""
        yield "def on_each_device(parts):"
        yield "    for name, part in parts.items():"
        yield '        print(f"{name}: each device works on {part.shape}")'
        yield "    return parts"
        yield ""
        yield ""
        yield f"mapped = {shard_map}(on_each_device, mesh=mesh, in_specs=(specs,), out_specs=specs)"
        if self.abstract:
            yield "result = jax.eval_shape(mapped, arrays)  # traced only: not all of the arrays are there"
        else:
            yield "result = jax.jit(mapped)(arrays)"

    def check(self, wanted: bool) -> Iterator[str]:
        """One line of JSON: for each array its shard shape, and by place in the mesh what the device holds."""
        if not wanted:
            return
        yield from _CHECK_LINES if self.document.arrays else (f'print("{CHECK}" + json.dumps({{}}))',)


_CHECK_LINES = (
    "",
    "",
    "def held(array):",
    '    if getattr(array.sharding.spec, "unreduced", None):',
    "        return None  # JAX has no map of these",
    "    indices = array.sharding.devices_indices_map(array.shape)",
    "    return [",
    "        [list(piece.indices(size)[:2]) for piece, size in zip(indices[device], array.shape)]",
    "        for device in mesh.devices.flat",
    "    ]",
    "",
    "",
    "found = {",
    '    name: {"shard_shape": array.sharding.shard_shape(array.shape), "slices": held(array)}',
    "    for name, array in arrays.items()",
    "}",
    f'print("{CHECK}" + json.dumps(found))',
)


def _name(array: StudioArray) -> str:
    return array.name


@cache
def _since(jax: str, first: str) -> bool:
    from packaging.version import InvalidVersion, Version

    try:
        return Version(jax) >= Version(first)
    except InvalidVersion:
        raise MuseumError(f"{jax!r} is no JAX version; write one like {NEWEST_JAX}") from None


def _order(document: StudioDocument) -> Literal["make_mesh", "split", "explicit"]:
    """How to come by the devices: as JAX orders them for the machine, or in the order that was asked for."""
    topology, mesh = document.topology, document.mesh
    if topology is None or topology.chip.platform is Platform.ANY:
        return "make_mesh" if mesh.device_ids == tuple(range(mesh.size)) else "explicit"
    if topology.chip.platform is Platform.TPU and topology.slices == 1 and mesh.size == topology.size:
        whole = place(topology, mesh.shape, split=make_mesh_splits(topology))
        if not whole.works and place(topology, mesh.shape, split=True).works:
            return "split"
    return "make_mesh"


def _abstract(document: StudioDocument) -> dict[str, str]:
    """The arrays that are only described, each with the reason."""
    reasons = {}
    budget = PLACED_AT_MOST
    for array in document.arrays:
        elements = 1
        for size in shard_shape(document.mesh, array.spec, array.shape):
            elements *= size
        copies = elements * max(BITS[array.dtype] // 8, 1) * document.mesh.size
        if UNCONSTRAINED in array.spec.entries:
            reasons[array.name] = "The compiler decides where it lies, so it is only described."
        elif array.spec.unreduced:
            reasons[array.name] = "Its sum is still due, so it is only described."
        elif copies > budget:
            reasons[array.name] = f"{in_words(copies)} with all copies: described, not allocated."
        else:
            budget -= copies
    return reasons


def _tuple(parts: "Iterator[str] | map[str]") -> str:
    found = list(parts)
    return f"({found[0]},)" if len(found) == 1 else f"({', '.join(found)})"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _spec(spec: Spec) -> str:
    parts = [*map(_entry, spec.entries)]
    if spec.unreduced:
        parts.append(f"unreduced={{{', '.join(map(_quoted, spec.unreduced))}}}")
    return f"P({', '.join(parts)})"


def _entry(entry: Entry) -> str:
    if entry is None:
        return "None"
    if entry is UNCONSTRAINED:
        return "P.UNCONSTRAINED"
    return _quoted(entry[0]) if len(entry) == 1 else _tuple(map(_quoted, entry))
