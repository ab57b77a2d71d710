"""What one element of each JAX dtype costs on a device."""

from museum.errors import MuseumError

_BITS = {
    2: "int2 uint2",
    4: "int4 uint4 float4_e2m1fn",
    8: "bool int8 uint8 float8_e3m4 float8_e4m3 float8_e4m3b11fnuz float8_e4m3fn float8_e4m3fnuz float8_e5m2 "
    "float8_e5m2fnuz float8_e8m0fnu",
    16: "int16 uint16 bfloat16 float16",
    32: "int32 uint32 float32",
    64: "int64 uint64 float64 complex64",
    128: "complex128",
}
BITS: dict[str, int] = {name: bits for bits, names in _BITS.items() for name in names.split()}
"""Bits of an element by dtype name. Those below 8 bits count packed, as TPUs and GPUs store them; CPUs spend a byte."""

_SHORT = {
    "bf16": "bfloat16",
    "f16": "float16",
    "f32": "float32",
    "f64": "float64",
    **{
        f"{letter}{bits}": f"{word}{bits}" for letter, word in (("s", "int"), ("u", "uint")) for bits in (8, 16, 32, 64)
    },
    "half": "float16",
    "float": "float32",
    "int": "int32",
    "complex": "complex64",
}


def parse_dtype(text: str) -> str:
    """Read a dtype: ``float32``, ``jnp.bfloat16``, XLA's ``bf16``.

    Raises:
        MuseumError: JAX has none of that name.
    """
    name = text.strip().strip("'\"").rpartition(".")[2]
    name = _SHORT.get(name, name)
    if name not in BITS:
        raise MuseumError(f"{text!r} is no dtype of JAX, as in float32, bfloat16, int8 or float8_e4m3fn")
    return name


def bytes_of(elements: int, dtype: str) -> int:
    """Bytes that many elements take, without padding, rounded up.

    Args:
        elements: How many.
        dtype: A key of `BITS`.
    """
    return -(-elements * BITS[dtype] // 8)


def in_words(size: int) -> str:
    """A number of bytes for a person: ``512 B``, ``1.5 KiB``, ``15.8 GiB``."""
    amount, unit = float(size), "B"
    for larger in ("KiB", "MiB", "GiB", "TiB", "PiB"):
        if amount < 1024:
            break
        amount, unit = amount / 1024, larger
    return f"{size} B" if unit == "B" else f"{amount:.4g} {unit}"
