"""`museum.mesh.layout` against JAX's own arithmetic, asked of one child process on random layouts."""

import json
import math
import os
import random
import subprocess
from dataclasses import dataclass

import pytest

from museum.lab.environments import managed
from museum.mesh.dtypes import BITS
from museum.mesh.layout import ProblemKind, resolve
from museum.mesh.mesh import Axis, AxisType, Mesh
from museum.mesh.spec import UNCONSTRAINED, Entry, Spec

DEVICES = 16
LAYOUTS = 2_400
MOST_ELEMENTS = 512  # of an array that JAX really places, to ask it for its replica numbers
TYPELESS = "0.4."  # versions without axis types and unreduced axes

# Layouts in, answers out; an answer is what JAX computes, or the message of its refusal.
ASK_JAX = """
import json, sys
import jax, jax.numpy as jnp, numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

def entry(value):
    return P.UNCONSTRAINED if value == "?" else tuple(value) if isinstance(value, list) else value

def answer(case):
    shape = tuple(case["shape"])
    all_devices = jax.devices()
    typed = {}
    if case["types"]:
        from jax.sharding import AxisType
        typed = {"axis_types": tuple(getattr(AxisType, name.title()) for name in case["types"])}
    unreduced = {"unreduced": set(case["unreduced"])} if case["unreduced"] else {}
    try:
        if max(case["device_ids"]) >= len(all_devices):
            jax.make_mesh(tuple(case["sizes"]), tuple(case["names"]))
        devices = np.array([all_devices[number] for number in case["device_ids"]]).reshape(case["sizes"])
        mesh = Mesh(devices, case["names"], **typed)
        sharding = NamedSharding(mesh, P(*map(entry, case["entries"]), **unreduced))
        sharding.check_compatible_aval(shape)
        shard_shape = sharding.shard_shape(shape)
        indices = None if unreduced else sharding.devices_indices_map(shape)
    except Exception as error:
        return {"error": str(error)}
    bounds = None if indices is None else {
        device.id: [piece.indices(size)[:2] for piece, size in zip(index, shape)] for device, index in indices.items()
    }
    replicas = None
    if case["place"]:
        array = jax.make_array_from_callback(shape, sharding, np.zeros(shape, np.int8).__getitem__)
        replicas = {shard.device.id: shard.replica_id for shard in array.addressable_shards}
    return {"shard_shape": shard_shape, "slices": bounds, "replicas": replicas}

def bits(name):
    try:
        dtype = jnp.zeros((1,), name).dtype
    except TypeError:
        return None
    if dtype == bool:
        return 8
    if jnp.issubdtype(dtype, jnp.complexfloating):
        return 8 * dtype.itemsize
    return (jnp.finfo if jnp.issubdtype(dtype, jnp.floating) else jnp.iinfo)(dtype).bits

asked = json.load(sys.stdin)
answers = [answer(case) for case in asked["cases"]]
jax.config.update("jax_enable_x64", True)
json.dump({"answers": answers, "bits": {name: bits(name) for name in asked["dtypes"]}}, sys.stdout)
"""

# A piece of each refusal that no other one has.
WORDS = {
    ProblemKind.NOT_DIVISIBLE: (" is partitioned ",),
    ProblemKind.UNKNOWN_AXIS: ("is not found in mesh",),
    ProblemKind.AXIS_USED_TWICE: ("has duplicate entries", "partitions cannot overlap with unreduced axes"),
    ProblemKind.SPEC_TOO_LONG: ("is only valid for values of rank",),
    ProblemKind.MESH_TOO_BIG: ("must be >= the product of mesh_shape",),
    ProblemKind.WRONG_AXIS_TYPE: (
        "Unreduced axes can only refer to mesh axes that is of type `Explicit`",
        "cannot contain `P.UNCONSTRAINED` when no mesh axis_types are `Auto`",
    ),
}


@dataclass(frozen=True, slots=True)
class Case:
    mesh: Mesh
    spec: Spec
    shape: tuple[int, ...]

    def question(self):
        def plain(entry: Entry):
            return "?" if entry is UNCONSTRAINED else entry

        return {
            "names": self.mesh.axis_names,
            "sizes": self.mesh.shape,
            "device_ids": self.mesh.device_ids,
            "entries": [plain(entry) for entry in self.spec.entries],
            "types": [str(axis.type) for axis in self.mesh.axes] if self.is_typed else None,
            "unreduced": self.spec.unreduced,
            "shape": self.shape,
            # JAX places no array under a spec that leaves dimensions open or a sum due.
            "place": math.prod(self.shape) <= MOST_ELEMENTS
            and UNCONSTRAINED not in self.spec.entries
            and not self.spec.unreduced,
        }

    @property
    def is_typed(self):
        return any(axis.type is not AxisType.AUTO for axis in self.mesh.axes) or bool(self.spec.unreduced)

    def layout(self):
        return resolve(self.mesh, self.spec, self.shape, DEVICES)


def random_case(dice: random.Random) -> Case:
    """Half of them good; the others with axes of no mesh, axes used twice, odd sizes or a rank too small."""
    sizes: list[int] = []
    for _ in range(dice.randint(1, 4)):
        sizes.append(dice.choice([size for size in (1, 2, 3, 4, 5, 8, 16) if size * math.prod(sizes) <= DEVICES]))
    names = dice.sample(["data", "model", "seq", "expert", "stage"], len(sizes))
    types = [AxisType.AUTO] * len(sizes)
    if dice.random() < 0.3:
        types = [dice.choice([AxisType.AUTO, AxisType.EXPLICIT, AxisType.EXPLICIT]) for _ in sizes]
    mesh = Mesh(tuple(map(Axis, names, sizes, types)), tuple(dice.sample(range(DEVICES), math.prod(sizes))))
    if dice.random() < 0.03:
        mesh = Mesh((Axis("data", dice.choice([17, 24, 32])),))
        names, types = ["data"], [AxisType.AUTO]

    rank = dice.randint(0, 5)
    pool = dice.sample(names, len(names))
    is_bad = dice.random() < 0.5
    if is_bad and dice.random() < 0.5:
        pool.insert(dice.randint(0, len(pool)), dice.choice(["bogus", dice.choice(names)]))
    entries: list[Entry] = []
    for _ in range(dice.randint(0, rank) + (is_bad and dice.random() < 0.2)):
        taken = [pool.pop() for _ in range(min(len(pool), dice.choice([0, 1, 1, 2, 3])))]
        entries.append(tuple(taken) or dice.choice([None, None, UNCONSTRAINED]))

    shape = []
    for dimension in range(rank):
        entry = entries[dimension] if dimension < len(entries) else None
        axes = entry if isinstance(entry, tuple) else ()
        parts = math.prod(axis.size for axis in mesh.axes if axis.name in axes)
        shape.append(dice.randint(0, 17) if is_bad and dice.random() < 0.3 else parts * dice.choice([0, 1, 1, 2, 3]))
    due: list[str] = []
    if dice.random() < 0.1:
        due = dice.sample([*names, "nowhere"], 1) if dice.random() < 0.5 else pool[:1]
    return Case(mesh, Spec(tuple(entries), tuple(due)), tuple(shape))


def ask(python, cases):
    """What the JAX of an environment says to all the cases, and the bits of every dtype."""
    child = subprocess.run(
        [str(python), "-c", ASK_JAX],
        input=json.dumps({"cases": [case.question() for case in cases], "dtypes": list(BITS)}),
        capture_output=True,
        text=True,
        env=os.environ | {"JAX_PLATFORMS": "cpu", "XLA_FLAGS": f"--xla_force_host_platform_device_count={DEVICES}"},
        timeout=300,
        check=False,
    )
    assert child.returncode == 0, child.stderr
    return json.loads(child.stdout)


@pytest.fixture(scope="module")
def cases():
    dice = random.Random(4)
    return [random_case(dice) for _ in range(LAYOUTS)]


@pytest.fixture(scope="module")
def told(cases, own_environment):
    return ask(own_environment.python, cases)


@pytest.fixture(scope="module")
def answers(told):
    return told["answers"]


def test_the_random_layouts_show_every_problem_and_enough_good_ones(cases, answers):
    seen = [problem.kind for case in cases for problem in case.layout().problems]

    assert {kind: seen.count(kind) >= 20 for kind in ProblemKind} == dict.fromkeys(ProblemKind, True)
    assert sum("error" not in answer for answer in answers) >= LAYOUTS / 3
    assert sum(answer.get("replicas") is not None for answer in answers) >= LAYOUTS / 6
    assert {len(case.shape) for case in cases} == set(range(6))
    assert {len(case.mesh.axes) for case in cases} == {1, 2, 3, 4}


def assert_cut_as_jax_cuts(case, answer):
    layout = case.layout()
    ours = {str(device_id): [list(bounds) for bounds in held] for device_id, held in layout.slices.items()}

    assert layout.problems == (), case
    assert list(layout.shard_shape) == answer["shard_shape"], case
    if answer["slices"] is not None:
        assert ours == answer["slices"], case
    if answer["replicas"] is not None:
        assert {str(device_id): number for device_id, number in layout.replicas.items()} == answer["replicas"], case


def assert_refused_as_jax_refuses(case, answer):
    kinds = {problem.kind for problem in case.layout().problems}

    assert any(words in answer["error"] for kind in kinds for words in WORDS[kind]), (case, answer["error"])


def test_what_jax_takes_is_cut_as_jax_cuts_it(cases, answers):
    for case, answer in zip(cases, answers, strict=True):
        if "error" not in answer:
            assert_cut_as_jax_cuts(case, answer)


def test_what_jax_refuses_has_the_problem_that_jax_names(cases, answers):
    for case, answer in zip(cases, answers, strict=True):
        if "error" in answer:
            assert_refused_as_jax_refuses(case, answer)


def test_every_dtype_has_as_many_bits_as_jax_says(told):
    assert told["bits"] == BITS


@pytest.mark.matrix
def test_every_environment_agrees_on_every_layout(cases, monkeypatch):
    monkeypatch.delenv("XLA_MUSEUM_HOME")
    environments = {environment.jax: environment for environment in managed()}
    if not environments:
        pytest.skip("the museum has built no environment on this machine")
    for environment in environments.values():
        fitting = [case for case in cases if not (environment.jax.startswith(TYPELESS) and case.is_typed)]
        assert len(fitting) >= 1_500
        told = ask(environment.python, fitting)
        for case, answer in zip(fitting, told["answers"], strict=True):
            (assert_refused_as_jax_refuses if "error" in answer else assert_cut_as_jax_cuts)(case, answer)
        assert {name: bits for name, bits in told["bits"].items() if bits is not None}.items() <= BITS.items()
