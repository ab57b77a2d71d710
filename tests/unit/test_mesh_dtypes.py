import pytest

from museum.errors import MuseumError
from museum.mesh.dtypes import BITS, bytes_of, in_words, parse_dtype


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("float32", "float32"),
        (" jnp.bfloat16 ", "bfloat16"),
        ("jax.numpy.int8", "int8"),
        ("'float8_e4m3fn'", "float8_e4m3fn"),
        ("bf16", "bfloat16"),
        ("s8", "int8"),
        ("u32", "uint32"),
        ("f64", "float64"),
    ],
)
def test_a_dtype_is_read_as_people_and_compilers_write_it(text, name):
    assert parse_dtype(text) == name


@pytest.mark.parametrize("text", ["", "float33", "object", "string"])
def test_what_jax_does_not_have_is_refused(text):
    with pytest.raises(MuseumError, match=r"is no dtype of JAX, as in float32, bfloat16, int8 or float8_e4m3fn$"):
        parse_dtype(text)


@pytest.mark.parametrize(
    ("elements", "dtype", "size"),
    [
        (3, "float32", 12),
        (3, "int4", 2),
        (4, "int4", 2),
        (5, "uint2", 2),
        (7, "bool", 7),
        (1, "complex128", 16),
        (0, "int4", 0),
    ],
)
def test_bytes_are_rounded_up_to_whole_ones(elements, dtype, size):
    assert bytes_of(elements, dtype) == size


def test_every_name_tells_its_own_bits():
    for name, bits in BITS.items():
        digits = "".join(filter(str.isdigit, name.partition("_")[0]))
        assert int(digits or 8) == bits, name


@pytest.mark.parametrize(
    ("size", "words"),
    [(0, "0 B"), (1023, "1023 B"), (1536, "1.5 KiB"), (95.73 * 2**30, "95.73 GiB"), (3 << 60, "3072 PiB")],
)
def test_bytes_are_said_in_the_unit_that_fits(size, words):
    assert in_words(round(size)) == words
