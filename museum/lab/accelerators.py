"""The accelerator of this machine: whether there is one, and whose turn it is."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec

from museum.lab.environments import Environment
from museum.lab.target import Target
from museum.places import data_directory

PROBE = """
import json, jax
print(json.dumps([[device.platform, device.device_kind] for device in jax.devices()]))
"""
PATIENCE = 120.0  # seconds that a probe may take: drivers and metadata servers are slow
LOOK_AGAIN = 0.2  # seconds between two tries for the turn


@dataclass(frozen=True, slots=True)
class Accelerator:
    """One kind of device that JAX finds.

    Attributes:
        platform: "gpu" or "tpu".
        kind: "NVIDIA H200", "TPU v5 lite".
        count: How many of them.
    """

    platform: str
    kind: str
    count: int

    def __str__(self) -> str:
        return f"{self.count} {self.kind}"


_found: dict[tuple[Path, str, str], tuple[Accelerator, ...]] = {}


async def accelerators(environment: Environment) -> tuple[Accelerator, ...]:
    """What the JAX of an environment finds besides CPUs, asked in a child, once for each environment.

    A JAX that does not start, or gives no answer in time, finds nothing.
    """
    key = (environment.python, environment.jax, environment.jaxlib)
    if key not in _found:
        _found[key] = _counted(await _devices(environment))
    return _found[key]


def why_none(environment: Environment) -> str:
    """What to say where there is no accelerator."""
    return f"no accelerator: JAX {environment.jax} in environment {environment.name} finds only CPUs on this machine"


async def _devices(environment: Environment) -> list[tuple[str, str]]:
    try:
        child = await asyncio.create_subprocess_exec(
            *(str(environment.python), "-c", PROBE),
            env=Target.parse("local").environment(os.environ),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError:
        return []
    try:
        output, _ = await asyncio.wait_for(child.communicate(), PATIENCE)
        last = output.strip().splitlines()[-1:] or [b""]
        return msgspec.json.decode(last[0], type=list[tuple[str, str]])
    except (TimeoutError, msgspec.DecodeError):
        return []
    finally:
        if child.returncode is None:
            os.killpg(child.pid, 9)
            await child.wait()


def _counted(devices: list[tuple[str, str]]) -> tuple[Accelerator, ...]:
    kinds = dict.fromkeys(device for device in devices if device[0] != "cpu")
    return tuple(Accelerator(*kind, devices.count(kind)) for kind in kinds)


class AcceleratorTurn:
    """One run at a time on the accelerator, over all windows and commands of this visitor: a locked file."""

    @asynccontextmanager
    async def taken(self, on_busy: Callable[[], None]) -> AsyncIterator[None]:
        """Wait for the turn and keep it.

        Args:
            on_busy: Called once if somebody else has it.
        """
        import fcntl

        place = data_directory()
        place.mkdir(parents=True, exist_ok=True)
        lock = os.open(place / "accelerator.lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            told = False
            while True:
                try:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError:
                    if not told:
                        told = True
                        on_busy()
                    await asyncio.sleep(LOOK_AGAIN)
            yield
        finally:
            os.close(lock)
