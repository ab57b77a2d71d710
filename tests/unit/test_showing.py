import datetime
import json

import msgspec
import pytest

from museum.catalog import Catalog
from museum.errors import MuseumError
from museum.exhibit import (
    Capture,
    Exhibit,
    ExhibitFile,
    Expectation,
    Half,
    Origin,
    OutcomeKind,
    Placard,
    Source,
    Wing,
)
from museum.showing import list_json, list_text, proven_on, provenance, show_text, wing_summary


def capture(half, jax, target="cpu:8", **more):
    reproduced = {"origin": Origin.REPRODUCED, "status": "failed", "date": datetime.date(2026, 11, 20)}
    return Capture(**(reproduced | {"half": half, "jax": jax, "target": target} | more))


def pair(jax, target="cpu:8"):
    return capture(Half.FAILING, jax, target), capture(Half.FIX, jax, target, status="passed")


ON_THREE_VERSIONS = (*pair("0.12.0.1"), *pair("0.4.38"), *pair("0.10.2"))


def report():
    return capture(
        Half.FAILING, "", "a v4-8", origin=Origin.REPORTED, source="https://example.org/thread", message="boom"
    )


FOUR = "4 exhibits · 3 reproduced on JAX 0.4.38, 0.10.2, 0.12.0.1 with 8 fake CPU devices · 1 reported by others"


def exhibit(slug, *captures, number=1):
    facts = ExhibitFile(
        title="Ten rows over four devices",
        kind=OutcomeKind.RAISES,
        targets=("cpu:8", "cpu:4"),
        jax=("0.4.38", "0.10.2"),
        tags=("device-put", "shape"),
        expect=(Expectation(error="ValueError", says=("divisible",)),),
        sources=(Source("https://docs.jax.dev/", "The documentation"),),
        needs_jax=">=0.4",
        needs_why="no device_put before",
    )
    placard = Placard("Ten rows.", "Often.", "1. Pad.", "")
    scripts = {Half.FAILING: "rows = 10\nprint(rows)\n", Half.FIX: "rows = 12\nprint(rows)\nprint('done')\n"}
    return Exhibit(f"xla/{slug}", number, facts, placard, scripts, captures)


def wing(*exhibits):
    return Wing("xla", "XLA", "Words.", exhibits)


def test_a_version_is_proven_by_both_halves_on_one_target():
    assert proven_on(exhibit("a", *pair("0.10.2"), *pair("0.4.38"))) == ("0.4.38", "0.10.2")
    assert proven_on(exhibit("a", capture(Half.FAILING, "0.10.2"))) == ()
    assert proven_on(exhibit("a", capture(Half.FIX, "0.10.2"))) == ()
    assert proven_on(exhibit("a", capture(Half.FAILING, "0.10.2"), capture(Half.FIX, "0.10.2", "cpu:4"))) == ()
    assert proven_on(exhibit("a", report())) == ()


def test_a_version_on_which_the_failing_half_runs_through_proves_nothing():
    shown = exhibit("a", *pair("0.10.2"), *pair("0.4.38"))
    passes = Expectation("<0.5", kind=OutcomeKind.PASSES)
    facts = msgspec.structs.replace(shown.facts, expect=(passes, *shown.facts.expect))
    shown = msgspec.structs.replace(shown, facts=facts)
    assert proven_on(shown) == ("0.10.2",)
    assert list_json(Catalog((wing(shown),)))["exhibits"][0]["jax"] == ["0.10.2"]


def test_list_json_has_the_documented_keys():
    catalog = Catalog((wing(exhibit("a", *pair("0.10.2")), exhibit("b")), Wing("mesh", "Mesh", "Words.", ())))

    listed = json.loads(json.dumps(list_json(catalog)))

    assert listed["exhibits"][0] == {
        "id": "xla/a",
        "wing": "xla",
        "title": "Ten rows over four devices",
        "kind": "raises",
        "target": "cpu:8",
        "tags": ["device-put", "shape"],
        "jax": ["0.10.2"],
    }
    assert [entry["id"] for entry in listed["exhibits"]] == ["xla/a", "xla/b"]
    assert listed["exhibits"][1]["jax"] == []
    assert list_json(catalog, "mesh") == {"exhibits": []}
    with pytest.raises(MuseumError, match="no wing xlb; did you mean xla"):
        list_json(catalog, "xlb")


def test_list_text_numbers_the_exhibits_below_their_wing():
    catalog = Catalog((wing(exhibit("a"), exhibit("longer", number=2)),))

    assert list_text(catalog).splitlines() == [
        "XLA (xla): 2 exhibits · 2 not yet proven",
        "  01/02  xla/a       Ten rows over four devices",
        "  02/02  xla/longer  Ten rows over four devices",
    ]


@pytest.mark.parametrize(
    ("exhibits", "line"),
    [
        ((), "0 exhibits"),
        ((exhibit("a"),), "1 exhibit · 1 not yet proven"),
        (
            (
                *(exhibit(slug, *pair("0.12.0.1"), *pair("0.4.38"), *pair("0.10.2")) for slug in "abc"),
                exhibit("d", report()),
            ),
            FOUR,
        ),
        (
            (exhibit("a", *pair("0.4.38"), *pair("0.10.2"), report()), exhibit("b", *pair("0.10.2", "tpu-compile"))),
            "2 exhibits · 2 reproduced on JAX 0.4.38 (1 of 2), 0.10.2 with 8 fake CPU devices and libtpu, compile only",
        ),
    ],
)
def test_a_wings_summary_counts_its_captures(exhibits, line):
    assert wing_summary(wing(*exhibits)) == line


def test_show_gives_everything_as_plain_text():
    failing = capture(
        Half.FAILING,
        "0.10.2",
        jaxlib="0.10.2",
        python="3.11.7",
        platform="linux-x86_64",
        exit_code=1,
        error="ValueError",
        message="not divisible",
        stderr="a log line\n",
    )

    assert show_text(exhibit("a", failing, report())) == (
        """\
Ten rows over four devices
==========================
id         xla/a
kind       raises
targets    cpu:8, cpu:4
proven on  no version yet
tags       device-put, shape
needs      JAX >=0.4 (no device_put before)

What it means
-------------
Ten rows.

When you meet it
----------------
Often.

Ways out
--------
1. Pad.

Sources
-------
- The documentation: https://docs.jax.dev/

failing.py
----------
- rows = 10
  print(rows)

fix.py
------
+ rows = 12
  print(rows)
+ print('done')

failing on JAX 0.10.2, Python 3.11.7, linux-x86_64, cpu:8, reproduced 2026-11-20
--------------------------------------------------------------------------------
failed, exit code 1
ValueError: not divisible
stderr:
a log line

failing on JAX version not stated, a v4-8, reported 2026-11-20, https://example.org/thread
------------------------------------------------------------------------------------------
boom"""
    )


def test_show_names_the_versions_proven():
    assert "\nproven on  JAX 0.4.38, 0.10.2\n" in show_text(exhibit("a", *pair("0.4.38"), *pair("0.10.2")))


def test_provenance_names_what_differs():
    line = provenance(capture(Half.FIX, "0.10.2", "tpu-compile", jaxlib="0.10.1", libtpu="0.0.42.1"))

    assert line == "fix on JAX 0.10.2, jaxlib 0.10.1, libtpu 0.0.42.1, tpu-compile, reproduced 2026-11-20"
