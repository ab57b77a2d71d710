"""The studio's code, run as it stands: JAX holds what the museum says, on every version."""

import asyncio
import json

import pytest

from museum.lab.environments import managed
from museum.lab.outcome import RunStatus
from museum.lab.physical import SCRIPT
from museum.lab.runner import RunRequest, run
from museum.lab.target import Target
from museum.mesh.check import differences
from museum.mesh.code import ANY_JAX, CHECK, as_code
from museum.mesh.document import StudioArray, StudioDocument
from museum.mesh.dtypes import BITS
from museum.mesh.edits import add_array, set_order
from museum.mesh.presets import document_for
from museum.mesh.spec import Spec


def array(name, shape, spec="", dtype="float32"):
    return StudioArray(name, shape, dtype, Spec.parse(spec))


def dtypes_document():
    return StudioDocument.of("data=2", [array(f"of_{name}", (4, 2), "data", name) for name in BITS])


PLAIN = {
    "ranks": StudioDocument.of(
        "data=4,model=2",
        [
            array("scalar", ()),
            array("empty", (0, 3), "data"),
            array("tuple", (16, 6), "model+data"),
            array("other/tuple[0]", (16, 6), "data+model"),
            array("deep", (2, 3, 4, 5, 2), "-,-,data,-,model"),
            array("huge", (65536, 65536), "data,model", "bfloat16"),
        ],
    ),
    "order": set_order(
        StudioDocument.of("data=2,model=4", [array("w", (8, 8), "model,data")]), (7, 6, 5, 4, 0, 1, 2, 3)
    ),
    "preset": document_for("2d", 8),
    "split": StudioDocument.of("data=8,model=8", [array("w", (8, 16), "data,model")], "v5p:4x4x4"),
    "slices": StudioDocument.of("data=8,model=2", [array("w", (8, 16), "data,model")], "2x v5e:2x4"),
    "machine": StudioDocument.of("data=4,model=4", [array("w", (8, 16), "data,model")], "v5e:4x4"),
    "one": StudioDocument.of("data=1", [array("w", (3,), "data", "float64")]),
    "bare": StudioDocument.of("data=4,model=2"),
}
NEWER = {
    "explicit": StudioDocument.of(
        "data=4:explicit,model=2:explicit",
        [array("w", (8, 8), "data,model"), array("partial", (8, 8), "data,unreduced=model")],
    ),
    "mixed": StudioDocument.of(
        "data=4:explicit,model=2", [array("w", (8, 8), "data,model"), array("open", (8, 8), "data,?")]
    ),
    "manual": StudioDocument.of("data=4:manual", [array("w", (8, 8), "data")]),
    "dtypes": dtypes_document(),
}
MAPPED = ("ranks", "order", "split", "slices", "manual")

# In front of a script: the devices of a machine of several slices, as JAX would list them.
STAND_INS = """
import jax, jax._src.xla_bridge as bridge
import importlib.util
found = importlib.util.spec_from_file_location("ask_jax", {path!r})
stand_ins = importlib.util.module_from_spec(found)
found.loader.exec_module(stand_ins)
listed = [
    stand_ins.SliceDevice(number, host, tuple(place), core, {kind!r}, "tpu", {cores}, slice_index=part)
    for number, host, place, core, part in {devices!r}
]
jax.devices = bridge.devices = lambda *_: listed
"""


def run_code(document, environment, form="device_put", jax=""):
    code = as_code(document, jax or environment.jax, form, check=True)
    request = RunRequest(code, environment, Target.cpu(max(document.mesh.size, 1)))
    return code, asyncio.run(run(request))


def assert_jax_agrees(document, environment, form, jax=""):
    code, outcome = run_code(document, environment, form, jax)

    assert outcome.status is RunStatus.OK, (environment.jax, code, outcome.stderr.text)
    assert outcome.stderr.text == "", (environment.jax, code)
    assert differences(document, outcome.stdout.text) == (), (environment.jax, code)
    if document.arrays:
        assert " on each of " in outcome.stdout.text
    if form == "shard_map" and document.arrays:
        assert outcome.stdout.text.count(": each device works on ") >= len(document.arrays)


@pytest.mark.parametrize("name", ["ranks", "order", "explicit", "mixed", "split", "slices"])
def test_jax_holds_what_the_museum_says(name, own_environment):
    assert_jax_agrees((PLAIN | NEWER)[name], own_environment, "device_put")


@pytest.mark.parametrize("name", ["ranks", "order", "split", "slices"])
def test_code_for_any_version_holds_the_same(name, own_environment):
    assert_jax_agrees(PLAIN[name], own_environment, "shard_map" if name in MAPPED else "device_put", ANY_JAX)


def test_on_slices_the_code_makes_the_hybrid_mesh(own_environment):
    document = StudioDocument.of("data=8,model=16", [], "2x v5p:4x4x4")
    machine = document.topology
    devices = [tuple(device) for device in machine.devices]
    facts = {"kind": machine.chip.kind, "cores": machine.chip.num_cores, "devices": devices}
    code = STAND_INS.format(path=str(SCRIPT), **facts) + as_code(document, own_environment.jax)
    code += "print(*(device.slice_index for device in mesh.devices.flat))\n"
    outcome = asyncio.run(run(RunRequest(code, own_environment, Target.cpu(1))))

    assert outcome.status is RunStatus.OK, (code, outcome.stderr.text)
    assert outcome.stdout.text.splitlines()[-1] == " ".join(["0"] * 64 + ["1"] * 64)


@pytest.mark.parametrize("name", ["ranks", "manual"])
def test_the_mapped_form_runs_as_it_stands(name, own_environment):
    assert_jax_agrees((PLAIN | NEWER)[name], own_environment, "shard_map")


def test_a_layout_that_jax_refuses_makes_code_that_fails_as_jax_fails(own_environment):
    document = StudioDocument.of("data=4,model=2", [array("w", (10, 16), "data,model")])
    _, outcome = run_code(document, own_environment)

    assert outcome.status is RunStatus.FAILED
    assert "10" in outcome.exception.message


def test_a_check_that_differs_is_told_by_device(own_environment):
    document = StudioDocument.of("data=2", [array("w", (4,), "data"), array("v", (4,), "data")])
    _, outcome = run_code(add_array(document, "u", "2"), own_environment)
    line = next(line for line in outcome.stdout.text.splitlines() if line.startswith(CHECK))
    found = json.loads(line.removeprefix(CHECK))
    found["w"]["slices"].reverse()
    found["v"]["shard_shape"] = [4]

    differing = differences(document, CHECK + json.dumps(found))
    assert [(str(one), one.device_id) for one in differing] == [
        ("w: device 0 holds ((2, 4),) for JAX and ((0, 2),) here", 0),
        ("w: device 1 holds ((0, 2),) for JAX and ((2, 4),) here", 1),
        ("v: a part is (4,) for JAX and (2,) here", None),
    ]


@pytest.mark.matrix
def test_jax_holds_what_the_museum_says_on_every_environment(monkeypatch, own_environment):
    monkeypatch.delenv("XLA_MUSEUM_HOME")
    built = {environment.jax: environment for environment in managed() if not environment.libtpu}
    for environment in {own_environment.jax: own_environment, **built}.values():
        documents = PLAIN if environment.jax.startswith("0.4.") else PLAIN | NEWER
        lacking = {"explicit"} if environment.jax.startswith("0.6.") else set()  # no unreduced axes before 0.7
        for name, document in documents.items():
            if name in lacking:
                continue
            forms = ("device_put", "shard_map") if name in MAPPED else ("device_put",)
            for form in forms:
                assert_jax_agrees(document, environment, form)
                if name in PLAIN:
                    assert_jax_agrees(document, environment, form, ANY_JAX)
