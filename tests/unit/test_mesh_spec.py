import pytest

from museum.errors import MuseumError
from museum.mesh.spec import UNCONSTRAINED, Spec


@pytest.mark.parametrize(
    ("text", "entries", "printed"),
    [
        ("", (), "P()"),
        ("data", (("data",),), "P('data')"),
        ("-", (None,), "P(None)"),
        ("data,model", (("data",), ("model",)), "P('data', 'model')"),
        (" data , - , model + seq ", (("data",), None, ("model", "seq")), "P('data', None, ('model', 'seq'))"),
        ("data+data", (("data", "data"),), "P(('data', 'data'))"),
        ("P()", (), "P()"),
        ("P('data',)", (("data",),), "P('data')"),
        ("P(None)", (None,), "P(None)"),
        ('P("data", None, ("model", "seq"))', (("data",), None, ("model", "seq")), "P('data', None, ('model', 'seq'))"),
        ("PartitionSpec(('data', 'model'),)", (("data", "model"),), "P(('data', 'model'))"),
        ("jax.sharding.PartitionSpec(('a',), ['b', 'c'])", (("a",), ("b", "c")), "P('a', ('b', 'c'))"),
        ("jax.P(P.UNCONSTRAINED, 'a')", (UNCONSTRAINED, ("a",)), "P(P.UNCONSTRAINED, 'a')"),
        ("PartitionSpec(UNCONSTRAINED, ())", (UNCONSTRAINED, None), "P(P.UNCONSTRAINED, None)"),
        ("P('data',\n  None)", (("data",), None), "P('data', None)"),
    ],
)
def test_both_forms_are_read_and_the_jax_form_reads_back(text, entries, printed):
    spec = Spec.parse(text)

    assert spec.entries == entries
    assert str(spec) == printed
    assert Spec.parse(printed) == spec


READS = "a spec reads P('data', None, ('model', 'seq')) or data,-,model+seq"
ENTRY = "is no entry: an axis name in quotes, a tuple of them, None or P.UNCONSTRAINED"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("data,", "spec 'data,': '' is no axis name, no data+model and no - (an uncut dimension)"),
        ("data,+", "spec 'data,+': '+' is no axis name, no data+model and no - (an uncut dimension)"),
        ("'data'", "spec \"'data'\": \"'data'\" is no axis name, no data+model and no - (an uncut dimension)"),
        ("P('data'", f"spec \"P('data'\" cannot be read: {READS}"),
        ("('data', None)", f"spec \"('data', None)\" cannot be read: {READS}"),
        ("Q('data')", f"spec \"Q('data')\" cannot be read: {READS}"),
        ("P('data')('model')", f"spec \"P('data')('model')\" cannot be read: {READS}"),
        ("P(data)", f"spec 'P(data)': data {ENTRY}"),
        ("P('a', 3)", f"spec \"P('a', 3)\": 3 {ENTRY}"),
        ("P('')", f"spec \"P('')\": '' {ENTRY}"),
        ("P(('a', None))", f"spec \"P(('a', None))\": ('a', None) {ENTRY}"),
        ("P(*axes)", f"spec 'P(*axes)': *axes {ENTRY}"),
        ("P(f('x'))", f"spec \"P(f('x'))\": f('x') {ENTRY}"),
        (
            "P('a', reduced={'b'})",
            "spec \"P('a', reduced={'b'})\": 'reduced' is not supported, only entries and unreduced={...}",
        ),
        ("P(**{})", "spec 'P(**{})': '**' is not supported, only entries and unreduced={...}"),
        (
            "P(unreduced='b')",
            "spec \"P(unreduced='b')\": 'b' is no set of axis names, as in unreduced={'model'}",
        ),
        ("data,unreduced=", "spec 'data,unreduced=': '' is no axis name, no data+model and no - (an uncut dimension)"),
        (
            "unreduced=b,a",
            "spec 'unreduced=b,a': 'unreduced=b' is no axis name, no data+model and no - (an uncut dimension)",
        ),
        ("P('a\x00')", f"spec \"P('a\\x00')\" cannot be read: {READS}"),
        ("P(" + "'a'," * 300 + ")", "a spec of 1203 characters is too long: at most 1000"),
    ],
)
def test_a_bad_spec_is_refused_with_one_line_that_names_the_part(text, line):
    with pytest.raises(MuseumError) as caught:
        Spec.parse(text)
    assert str(caught.value) == line


@pytest.mark.parametrize("text", ["P(" + "-" * 900 + "1)", "P(" + "(" * 400 + ")" * 400 + ")", r"P('\d', 1or 2)"])
def test_text_that_upsets_a_parser_is_refused_too(text):
    with pytest.raises(MuseumError):
        Spec.parse(text)


@pytest.mark.parametrize(
    ("text", "spec", "printed", "command"),
    [
        ("data,?", Spec((("data",), UNCONSTRAINED)), "P('data', P.UNCONSTRAINED)", "data,?"),
        ("-,unreduced=b+a", Spec((None,), ("a", "b")), "P(None, unreduced={'a', 'b'})", "-,unreduced=a+b"),
        ("unreduced=a", Spec((), ("a",)), "P(unreduced={'a'})", "unreduced=a"),
        (
            "P('x', unreduced={'b', 'a'})",
            Spec((("x",),), ("a", "b")),
            "P('x', unreduced={'a', 'b'})",
            "x,unreduced=a+b",
        ),
        (
            "PartitionSpec('x', unreduced=frozenset({'b'}), unreduced_kind=sum)",
            Spec((("x",),), ("b",)),
            "P('x', unreduced={'b'})",
            "x,unreduced=b",
        ),
        ("P(('a', 'b'), unreduced=set())", Spec((("a", "b"),)), "P(('a', 'b'))", "a+b"),
    ],
)
def test_unconstrained_and_unreduced_read_and_print_in_both_forms(text, spec, printed, command):
    assert Spec.parse(text) == spec
    assert (str(spec), spec.command) == (printed, command)
    assert Spec.parse(printed) == Spec.parse(command) == spec


def test_a_spec_says_which_axes_cut_a_dimension():
    spec = Spec.parse("data,-,?,model+seq")

    assert [spec.axes_at(dimension) for dimension in range(5)] == [("data",), (), (), ("model", "seq"), ()]
    assert spec.axes == ("data", "model", "seq")
