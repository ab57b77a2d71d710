"""Asking JAX for a device order in a child."""

import ast
import asyncio
import dataclasses
import os
import subprocess
import sys
from pathlib import Path

import pytest
from processes import alive_below

from museum.errors import MuseumError
from museum.lab import physical
from museum.lab.environments import Environment, EnvironmentKind
from museum.lab.physical import PhysicalOrder, Question, ask_orders
from museum.mesh.document import StudioDocument
from museum.mesh.edits import set_order
from museum.mesh.topologies import Topology
from museum.mesh.torus import neighbours

CUBE = Topology.parse("v5p:4x4x4")


def test_jax_says_the_order_or_why_there_is_none(own_environment):
    questions = [
        Question(CUBE, (16, 4)),
        Question(CUBE, (8, 8)),
        Question(CUBE, (8, 8), split=True),
        Question(Topology.parse("2x v5e:2x2"), (2, 2), across=(2, 1)),
    ]
    placed, refused, split, hybrid = asyncio.run(ask_orders(own_environment, questions))

    assert sorted(placed.device_ids) == list(range(64))
    assert refused.error == "NotImplementedError"
    assert refused.message.startswith("Failed to find assignment for logical_axis_index 1 of size 8")
    assert split.shape == (8, 8)
    assert hybrid == PhysicalOrder((100000, 100001, 100003, 100002, 200000, 200001, 200003, 200002), (4, 2))


def test_the_order_shows_what_each_axis_really_has_for_neighbours(own_environment):
    (order,) = asyncio.run(ask_orders(own_environment, [Question(CUBE, (16, 4))]))
    document = set_order(StudioDocument.of("data=16,model=4", [], "v5p:4x4x4"), order.device_ids)

    data, model = neighbours(CUBE, document.mesh)
    assert (str(model), data.most) == ("model: every step is 1 hop", 2)


def test_without_a_question_nothing_is_started(own_environment):
    nowhere = dataclasses.replace(own_environment, python=Path("/nowhere/python"))

    assert asyncio.run(ask_orders(nowhere, [])) == ()


def broken(tmp_path: Path, script: str) -> Environment:
    """An environment whose Python does something else."""
    python = tmp_path / "python"
    python.write_text(f"#!/bin/sh\n{script}\n")
    python.chmod(0o755)
    return Environment("broken", EnvironmentKind.NAMED, python, "3.11", "0.9.9", "0.9.9")


@pytest.mark.parametrize(
    ("script", "line"),
    [
        ("echo boom >&2; exit 3", "JAX 0.9.9 gave no device order: boom"),
        ("exit 0", "JAX 0.9.9 gave no device order: it said nothing"),
        ('echo \'{"jax": "1", "answers": []}\'', "JAX 0.9.9 gave 0 device orders for 1 questions"),
    ],
)
def test_nonsense_is_one_clear_line(tmp_path, script, line):
    with pytest.raises(MuseumError) as caught:
        asyncio.run(ask_orders(broken(tmp_path, f"cat > /dev/null; {script}"), [Question(CUBE, (64,))]))
    assert str(caught.value) == line


def test_an_environment_without_jax_or_python_is_refused(own_environment):
    bare = dataclasses.replace(own_environment, name="bare", jax="")
    gone = dataclasses.replace(own_environment, name="gone", python=Path("/nowhere/python"))

    with pytest.raises(MuseumError, match=r"^environment bare has no JAX to ask$"):
        asyncio.run(ask_orders(bare, []))
    with pytest.raises(MuseumError, match=r"^environment gone: cannot run its Python: No such file or directory$"):
        asyncio.run(ask_orders(gone, [Question(CUBE, (64,))]))


def children():
    return [child.pid for child, _ in alive_below()]


def test_a_child_that_hangs_is_ended_in_time(tmp_path):
    before = children()
    with pytest.raises(MuseumError, match=r"^JAX 0\.9\.9 gave no device order within 0\.1 s$"):
        asyncio.run(ask_orders(broken(tmp_path, "exec sleep 60"), [Question(CUBE, (64,))], seconds=0.1))
    assert children() == before


def test_nothing_is_alive_after_a_cancellation(tmp_path):
    started = tmp_path / "started"
    os.mkfifo(started)
    environment = broken(tmp_path, f"echo > {started}; exec sleep 60")
    before = children()

    async def work():
        task = asyncio.create_task(ask_orders(environment, [Question(CUBE, (64,))]))
        await asyncio.to_thread(started.read_text)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(work())
    assert children() == before


def test_the_child_is_python_3_10_and_standard_library():
    tree = ast.parse(physical.SCRIPT.read_text("utf-8"), feature_version=(3, 10))
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}

    assert {"json", "sys"} <= names
    assert names <= sys.stdlib_module_names


def test_the_child_by_hand_reads_and_writes_json(own_environment):
    done = subprocess.run(
        [sys.executable, str(physical.SCRIPT)],
        input='{"machines": {}, "questions": []}',
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout == f'{{"jax": "{own_environment.jax}", "answers": []}}'
