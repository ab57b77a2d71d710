"""`museum.mesh.torus` against what JAX's own `mesh_utils` does with stand-in devices, one child for all questions."""

import asyncio
import math

import pytest

from museum.lab.environments import managed
from museum.lab.physical import Question, ask_orders
from museum.mesh.topologies import Topology
from museum.mesh.torus import LETTERS, Placement, Way, place

MACHINES = (
    *("v2:2x2", "v2:4x4", "v3:4x4", "v4:2x2x1", "v4:2x2x2", "v4 megacore:4x4x4", "v4 lite:2x2", "v4 lite:4x4"),
    *("v5e:1x1", "v5e:2x2", "v5e:2x4", "v5e:4x2", "v5e:4x4", "v5e:4x8", "v5e:8x8", "v5e:6x4"),
    *("v5p:2x2x1", "v5p:2x2x2", "v5p:2x2x4", "v5p:4x4x4", "v5p:2x4x4", "v5p:4x4x12", "v5p:2x2x3"),
    *("v6e:2x2", "v6e:2x4", "v6e:4x4", "v6e:8x8", "v6e:16x16", "v6e:8x12"),
    *("tpu7x:2x2x1", "tpu7x:2x2x2", "tpu7x:2x2x4", "tpu7x:4x4x4", "tpu7x:2x4x2", "h100:8", "h100:16", "devices:12"),
    *("2x v5e:2x2", "2x v5e:4x4", "2x v5p:2x2x2", "2x tpu7x:2x2x1"),
)


def factorings(size, count):
    if count == 1:
        return [(size,)]
    return [
        (first, *rest)
        for first in range(1, size + 1)
        if size % first == 0
        for rest in factorings(size // first, count - 1)
    ]


def questions():
    asked = []
    for name in MACHINES:
        topology = Topology.parse(name)
        shapes = [shape for count in (1, 2, 3) for shape in factorings(topology.size, count)]
        shapes = shapes[:: max(1, len(shapes) // 14)] + factorings(topology.size, 4)[::40]
        shapes.append((topology.size + 1,))
        for number, shape in enumerate(shapes):
            asked.append(Question(topology, shape))
            asked.append(Question(topology, shape, split=True))
            if number % 2:
                asked.append(Question(topology, shape, contiguous=True))
        if topology.slices > 1:
            for shape in factorings(topology.size // topology.slices, 2):
                asked += [Question(topology, shape, across=across) for across in ((1, 2), (2, 1), (2, 2), (2,))]
    for name in ("v5p:2x2x1", "v5p:2x2x4", "v4 megacore:4x4x4", "v5p:4x8x8", "v5p:8x8x8", "v5p:8x16x16"):
        topology = Topology.parse(name)
        for shape in factorings(topology.size, 2):
            asked.append(Question(topology, shape, contiguous=True))
            asked.append(Question(topology, (1, *shape), contiguous=True))
    return asked


def predicted(question, jax):
    options = {"split": question.split, "contiguous": question.contiguous, "across": question.across}
    return place(question.topology, question.shape, jax=jax, **options)


def letters_along(question, order):
    """By logical axis the physical ones along which JAX's order varies."""
    devices = {device.id: device for device in question.topology.devices}
    shape = order.shape
    found = []
    for number, size in enumerate(shape):
        stride = math.prod(shape[number + 1 :])
        line = [devices[order.device_ids[step * stride]] for step in range(size)]
        places = [(*device.coordinates, device.core) for device in line]
        found.append(
            {letter for letter, values in zip(LETTERS, zip(*places, strict=True), strict=True) if len(set(values)) > 1}
        )
    return found


def check(environment):
    asked = questions()
    answers = asyncio.run(ask_orders(environment, asked))
    counts = dict.fromkeys(Way, 0)
    for question, answer in zip(asked, answers, strict=True):
        placement: Placement = predicted(question, environment.jax)
        told = (question, placement, answer)
        counts[placement.way] += 1
        if question.across and len(question.across) != len(question.shape):
            assert not placement.works
            continue  # NumPy broadcasts some of these without a word, which no one means
        assert placement.error == answer.error, told
        if answer.error:
            assert placement.reason, told
        else:
            ids = {device.id for device in question.topology.devices}
            assert set(answer.device_ids) == ids, told
        if placement.way in (Way.WHOLE_AXES, Way.SPLIT_AXES) and not question.across:
            assert [{part.letter for part in parts} for parts in placement.parts] == letters_along(question, answer), (
                told
            )
            assert [math.prod(part.size for part in parts) for parts in placement.parts] == list(question.shape), told
    return counts


def test_every_prediction_is_what_jax_does(own_environment):
    counts = check(own_environment)

    assert all(count >= 20 for count in counts.values()), counts
    assert sum(counts.values()) > 1_000


@pytest.mark.matrix
def test_every_prediction_is_what_jax_does_on_every_environment(monkeypatch):
    monkeypatch.delenv("XLA_MUSEUM_HOME")
    environments = {environment.jax: environment for environment in managed()}
    if not environments:
        pytest.skip("the museum has built no environment on this machine")
    for environment in environments.values():
        check(environment)
