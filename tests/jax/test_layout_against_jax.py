"""`museum.mesh.layout` against JAX's own arithmetic, asked of one child process on random layouts."""

import json
import math
import os
import random
import subprocess
import sys
from dataclasses import dataclass

import pytest

from museum.mesh.layout import ProblemKind, resolve
from museum.mesh.mesh import Axis, Mesh
from museum.mesh.spec import UNCONSTRAINED, Entry, Spec

DEVICES = 16
LAYOUTS = 600
MOST_ELEMENTS = 4096  # of an array that JAX really places, to ask it for its replica numbers

# Layouts in, answers out; an answer is what JAX computes, or the message of its refusal.
ASK_JAX = """
import json, sys
import jax, numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

def entry(value):
    return P.UNCONSTRAINED if value == "?" else tuple(value) if isinstance(value, list) else value

def answer(case):
    shape = tuple(case["shape"])
    devices = np.array([jax.devices()[number] for number in case["device_ids"]]).reshape(case["sizes"])
    mesh = Mesh(devices, case["names"])
    try:
        sharding = NamedSharding(mesh, P(*map(entry, case["entries"])))
        sharding.check_compatible_aval(shape)
        shard_shape = sharding.shard_shape(shape)
        indices = sharding.devices_indices_map(shape)
    except Exception as error:
        return {"error": str(error)}
    bounds = {
        device.id: [piece.indices(size)[:2] for piece, size in zip(index, shape)] for device, index in indices.items()
    }
    replicas = None
    if case["place"]:
        array = jax.make_array_from_callback(shape, sharding, np.zeros(shape, np.int8).__getitem__)
        replicas = {shard.device.id: shard.replica_id for shard in array.addressable_shards}
    return {"shard_shape": shard_shape, "slices": bounds, "replicas": replicas}

json.dump({"jax": jax.__version__, "answers": [answer(case) for case in json.load(sys.stdin)]}, sys.stdout)
"""

# A piece of each refusal that no other one has.
WORDS = {
    ProblemKind.NOT_DIVISIBLE: " is partitioned ",
    ProblemKind.UNKNOWN_AXIS: "is not found in mesh",
    ProblemKind.AXIS_USED_TWICE: "has duplicate entries",
    ProblemKind.SPEC_TOO_LONG: "is only valid for values of rank",
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
            "shape": self.shape,
            # JAX places no array under a spec that leaves dimensions open.
            "place": math.prod(self.shape) <= MOST_ELEMENTS and UNCONSTRAINED not in self.spec.entries,
        }


def random_case(dice: random.Random) -> Case:
    """Half of them good; the others with axes of no mesh, axes used twice, odd sizes or a rank too small."""
    sizes: list[int] = []
    for _ in range(dice.randint(1, 4)):
        sizes.append(dice.choice([size for size in (1, 2, 3, 4, 5, 8, 16) if size * math.prod(sizes) <= DEVICES]))
    names = dice.sample(["data", "model", "seq", "expert", "stage"], len(sizes))
    mesh = Mesh(
        tuple(map(Axis, names, sizes)),
        tuple(dice.sample(range(DEVICES), math.prod(sizes))),
    )

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
    return Case(mesh, Spec(tuple(entries)), tuple(shape))


@pytest.fixture(scope="module")
def cases():
    dice = random.Random(4)
    return [random_case(dice) for _ in range(LAYOUTS)]


@pytest.fixture(scope="module")
def answers(cases):
    environment = os.environ | {
        "JAX_PLATFORMS": "cpu",
        "XLA_FLAGS": f"--xla_force_host_platform_device_count={DEVICES}",
    }
    child = subprocess.run(
        [sys.executable, "-c", ASK_JAX],
        input=json.dumps([case.question() for case in cases]),
        capture_output=True,
        text=True,
        env=environment,
        timeout=120,
        check=False,
    )
    assert child.returncode == 0, child.stderr
    return json.loads(child.stdout)["answers"]


def test_the_random_layouts_show_every_problem_and_enough_good_ones(cases, answers):
    seen = [problem.kind for case in cases for problem in resolve(case.mesh, case.spec, case.shape).problems]

    assert {kind: seen.count(kind) >= 20 for kind in ProblemKind} == dict.fromkeys(ProblemKind, True)
    assert sum("error" not in answer for answer in answers) >= LAYOUTS / 3
    assert sum(answer.get("replicas") is not None for answer in answers) >= LAYOUTS / 4


def test_what_jax_takes_is_cut_as_jax_cuts_it(cases, answers):
    for case, answer in zip(cases, answers, strict=True):
        if "error" in answer:
            continue
        layout = resolve(case.mesh, case.spec, case.shape)
        ours = {str(device_id): [list(bounds) for bounds in held] for device_id, held in layout.slices.items()}

        assert layout.problems == (), case
        assert list(layout.shard_shape) == answer["shard_shape"], case
        assert ours == answer["slices"], case
        if answer["replicas"] is not None:
            assert {str(device_id): number for device_id, number in layout.replicas.items()} == answer["replicas"], case


def test_what_jax_refuses_has_the_problem_that_jax_names(cases, answers):
    for case, answer in zip(cases, answers, strict=True):
        if "error" not in answer:
            continue
        kinds = {problem.kind for problem in resolve(case.mesh, case.spec, case.shape).problems}

        assert any(WORDS[kind] in answer["error"] for kind in kinds), (case, answer["error"])
