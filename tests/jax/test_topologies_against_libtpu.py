"""`museum.mesh.topologies` against libtpu, in every environment that has it."""

import importlib.util
from pathlib import Path

import pytest

import museum
from museum.lab.environments import managed
from museum.mesh.topologies import CHIPS, COMMON, Platform, Topology
from museum.mesh.torus import NEWEST_JAX

TOOL = Path(museum.__file__).parents[1] / "tools" / "libtpu_topologies.py"
NAMES = [name for name in COMMON if Topology.parse(name).chip.platform is Platform.TPU]
NAMES += [
    "v5e:1x4",
    "v6e:16x4",
    "v5p:2x4x2",
    "v5p:1x1x1",
    "v4:2x4x2",
    "v2:2x4",
    "3x v6e:2x4",
    "2x tpu7x:2x2x2",
    "2x v4 megacore:2x2x2",
]


def tool():
    spec = importlib.util.spec_from_file_location("libtpu_topologies", TOOL)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_tpu_chip_is_compared():
    tpus = {chip.name for chip in CHIPS.values() if chip.platform is Platform.TPU}

    assert {Topology.parse(name).chip.name for name in NAMES} == tpus


@pytest.mark.matrix
def test_every_named_slice_is_as_libtpu_describes_it(monkeypatch):
    monkeypatch.delenv("XLA_MUSEUM_HOME")
    environments = [environment for environment in managed() if environment.libtpu]
    if not environments:
        pytest.skip("the museum has built no environment with libtpu on this machine")
    compared = {}
    for environment in environments:
        answers = tool().ask(environment.python, NAMES)
        known = [name for name in NAMES if "error" not in answers[name]]
        compared[environment.jax] = len(known)
        for name in known:
            assert answers[name] == tool().ours(name), (environment.name, name)
        for name in set(NAMES) - set(known):  # what an older libtpu does not know yet
            assert environment.jax != NEWEST_JAX, (name, answers[name])
    assert min(compared.values()) >= 40
