"""Exception classes go by several names: by module, by version, by how they are printed."""

_XLA_NAMES = (
    "jax.errors.JaxRuntimeError",
    "jaxlib._jax.XlaRuntimeError",
    "jaxlib.xla_extension.XlaRuntimeError",
)
_MOVED = (
    ("jax._src.errors.", "jax.errors."),
    ("jax._src.core.", "jax.core."),
    ("jax.experimental.shard_map.", "jax._src.shard_map."),
)
_SPECIAL = {
    "IndivisibleError": "ValueError",
    "DuplicateSpecError": "ValueError",
    "ShardingTypeError": "TypeError",
    "JaxRuntimeError": "RuntimeError",
    "XlaRuntimeError": "RuntimeError",
    "ConcretizationTypeError": "TypeError",
    "TracerBoolConversionError": "ConcretizationTypeError",
    "UnexpectedTracerError": "TypeError",
}
WRAPPERS = ("JaxStackTraceBeforeTransformation", "UnfilteredStackTrace", "SimplifiedTraceback")
"""Classes of JAX that only carry a traceback; what they print behind their own name is the error."""


def last_name(name: str) -> str:
    """A class's own name, without modules."""
    return name.rpartition(".")[2]


def names_of(name: str) -> tuple[str, ...]:
    """All names that a class goes by, old and new, the one given first."""
    names = [name]
    if last_name(name) in ("XlaRuntimeError", "JaxRuntimeError"):
        names += [one for one in _XLA_NAMES if one != name]
    for old, new in _MOVED:
        if name.startswith(old):
            names.append(new + name.removeprefix(old))
        elif name.startswith(new):
            names.append(old + name.removeprefix(new))
    return tuple(names)


def are_same(one: str, other: str) -> bool | None:
    """Whether two names may mean one class; None where either is not known."""
    if not one or not other:
        return None
    ours, theirs = last_name(one), last_name(other)
    if ours == theirs:
        return True
    xla = {"XlaRuntimeError", "JaxRuntimeError"}
    return ours in xla and theirs in xla


def are_related(one: str, other: str) -> bool:
    """Whether one class is known to be made from the other: the newer name of an error is often a finer one."""
    ours, theirs = last_name(one), last_name(other)
    return _SPECIAL.get(ours) == theirs or _SPECIAL.get(theirs) == ours
