"""Asks JAX, in a child, in what order it lays the devices of a machine out for a logical mesh."""

import asyncio
import json
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import msgspec

import museum.mesh
from museum.errors import MuseumError
from museum.lab.environments import Environment
from museum.lab.process import finish
from museum.lab.target import Target
from museum.mesh.topologies import Platform, Topology

SCRIPT = Path(museum.mesh.__file__).parent / "ask_jax.py"


@dataclass(frozen=True, slots=True)
class Question:
    """What to ask of `create_device_mesh`, or of `create_hybrid_device_mesh` when `across` is given.

    Attributes:
        topology: The machine.
        shape: Logical sizes; with `across`, those inside one slice.
        split: ``allow_split_physical_axes``.
        contiguous: ``contiguous_submeshes``; not asked for with `across`.
        across: ``dcn_mesh_shape``.
    """

    topology: Topology
    shape: tuple[int, ...]
    split: bool = False
    contiguous: bool = False
    across: tuple[int, ...] = ()


class PhysicalOrder(msgspec.Struct, frozen=True):
    """What JAX answered.

    Attributes:
        device_ids: In mesh order; empty when it refused.
        shape: Of the mesh, slices included.
        error: Class of its exception, "" when it did not refuse.
        message: Its words.
    """

    device_ids: tuple[int, ...] = ()
    shape: tuple[int, ...] = ()
    error: str = ""
    message: str = ""


class _Answers(msgspec.Struct, frozen=True):
    jax: str
    answers: tuple[PhysicalOrder, ...]


async def ask_orders(
    environment: Environment, questions: Sequence[Question], *, seconds: float = 120.0
) -> tuple[PhysicalOrder, ...]:
    """Ask all of it in one child, about a second with the import of JAX.

    Nothing of the child is alive afterwards, also when the task is cancelled.

    Args:
        environment: Whose JAX to ask.
        questions: In order of the answers.
        seconds: Until the child is ended.

    Raises:
        MuseumError: The environment has no JAX, or no sensible answer came in time.
    """
    if not environment.jax:
        raise MuseumError(f"environment {environment.name} has no JAX to ask")
    if not questions:
        return ()
    try:
        child = await asyncio.create_subprocess_exec(
            *(str(environment.python), str(SCRIPT)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env=Target.cpu(1).environment(os.environ),
        )
    except OSError as failure:
        raise MuseumError(f"environment {environment.name}: cannot run its Python: {failure.strerror}") from failure
    try:
        output, errors = await asyncio.wait_for(child.communicate(_encode(questions)), seconds)
    except TimeoutError:
        raise MuseumError(f"JAX {environment.jax} gave no device order within {seconds:g} s") from None
    finally:
        with suppress(ProcessLookupError):
            child.kill()
        await finish(child.wait())
    try:
        answers = msgspec.json.decode(output, type=_Answers).answers
    except msgspec.DecodeError:
        last = errors.decode("utf-8", "replace").strip().splitlines()[-1:] or ["it said nothing"]
        raise MuseumError(f"JAX {environment.jax} gave no device order: {last[0]}") from None
    if len(answers) != len(questions):
        raise MuseumError(f"JAX {environment.jax} gave {len(answers)} device orders for {len(questions)} questions")
    return answers


def _encode(questions: Sequence[Question]) -> bytes:
    machines = {question.topology.name: _machine(question.topology) for question in questions}
    asked = [
        {
            "machine": question.topology.name,
            "shape": question.shape,
            "split": question.split,
            "contiguous": question.contiguous,
            "across": question.across,
        }
        for question in questions
    ]
    return json.dumps({"machines": machines, "questions": asked}).encode()


def _machine(topology: Topology) -> dict[str, object]:
    chip = topology.chip
    return {
        "kind": chip.kind,
        "platform": "cpu" if chip.platform is Platform.ANY else str(chip.platform),
        "num_cores": chip.num_cores,
        "slices": topology.slices,
        "devices": topology.devices,
    }
