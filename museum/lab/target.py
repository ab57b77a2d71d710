"""Where a snippet runs: the one home for the spelling of targets and for the variables that make them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from museum.errors import MuseumError

MOST_FAKE_DEVICES = 512
"""More start (2,048 is the most that JAX runs) but take gigabytes and many seconds."""

SPELLINGS = "cpu:8, cpu:2x4 (2 processes of 4), local or tpu-compile"


class TargetKind(StrEnum):
    """The four kinds of place."""

    CPU = "cpu"
    PROCESSES = "processes"
    LOCAL = "local"
    TPU_COMPILE = "tpu-compile"


# Source of the values: libtpu answers a compile-only client in silence, offline and without its lock file.
_QUIET_LIBTPU = {
    "TPU_SKIP_MDS_QUERY": "1",
    "TPU_ACCELERATOR_TYPE": "v6e-4",
    "TPU_WORKER_HOSTNAMES": "localhost",
    "TPU_LOG_DIR": "disabled",
    "TPU_MIN_LOG_LEVEL": "4",  # else it leaves log files in the machine's own directory for such
    "ALLOW_MULTIPLE_LIBTPU_LOAD": "1",
}
_OF_COMPILERS = re.compile(r"^(JAX_|XLA_|LIBTPU_|TPU_|PJRT_|MOSAIC_|PALLAS_)")


@dataclass(frozen=True, slots=True)
class Target:
    """One place to run in.

    Attributes:
        kind: Which of the four.
        devices: Fake CPU devices in each process; 1 where the count means nothing.
        processes: Processes joined by `jax.distributed`; 1 for all but `PROCESSES`.
    """

    kind: TargetKind
    devices: int = 1
    processes: int = 1

    def __str__(self) -> str:
        if self.kind is TargetKind.CPU:
            return f"cpu:{self.devices}"
        if self.kind is TargetKind.PROCESSES:
            return f"cpu:{self.processes}x{self.devices}"
        return str(self.kind)

    @property
    def words(self) -> str:
        """The target as a person says it."""
        many = "s" if self.devices > 1 else ""
        if self.kind is TargetKind.CPU:
            return f"{self.devices} fake CPU device{many}"
        if self.kind is TargetKind.PROCESSES:
            return f"{self.processes} processes of {self.devices} fake CPU device{many}"
        return "the local accelerator" if self.kind is TargetKind.LOCAL else "libtpu, compile only"

    @classmethod
    def cpu(cls, devices: int) -> "Target":
        """`devices` fake CPU devices.

        Raises:
            MuseumError: Fewer than 1 or more than `MOST_FAKE_DEVICES`.
        """
        return cls.parse(f"cpu:{devices}")

    @classmethod
    def parse(cls, text: str) -> "Target":
        """Read a target as it is written in exhibits, on the command line and in the window.

        Raises:
            MuseumError: Not a target, or a count out of range.
        """
        if text in (TargetKind.LOCAL, TargetKind.TPU_COMPILE):
            return cls(TargetKind(text))
        match = re.fullmatch(r"cpu:(?:(\d{1,6})x)?(-?\d{1,6})", text)
        if match is None:
            raise MuseumError(f"{text!r} is not a target; write {SPELLINGS}")
        devices = int(match[2])
        processes = int(match[1]) if match[1] else 1
        if not 1 <= devices <= MOST_FAKE_DEVICES:
            raise MuseumError(f"target {text}: the device count must be 1 to {MOST_FAKE_DEVICES}")
        if match[1] is None:
            return cls(TargetKind.CPU, devices)
        if not 2 <= processes <= 16:
            raise MuseumError(f"target {text}: the process count must be 2 to 16")
        return cls(TargetKind.PROCESSES, devices, processes)

    def variables(self) -> dict[str, str]:
        """Environment variables that make a child see this target."""
        if self.kind is TargetKind.LOCAL:
            return {}
        if self.kind is TargetKind.TPU_COMPILE:
            return {"JAX_PLATFORMS": "cpu"} | _QUIET_LIBTPU
        return {"JAX_PLATFORMS": "cpu", "XLA_FLAGS": f"--xla_force_host_platform_device_count={self.devices}"}

    def environment(self, inherited: Mapping[str, str], own: Mapping[str, str] | None = None) -> dict[str, str]:
        """The whole environment of a child on this target.

        Args:
            inherited: Usually `os.environ`.
            own: The visitor's variables for this run; they win.

        Returns:
            `inherited` without what would make runs differ from a fresh shell's (compiler settings, unless the
            target is `local`; PYTHONDONTWRITEBYTECODE, which would keep starts slow for ever), then the
            target's variables, then the visitor's, whose XLA_FLAGS are added to the target's.
        """
        keep_compilers = self.kind is TargetKind.LOCAL
        child = {
            name: value
            for name, value in inherited.items()
            if (keep_compilers or not _OF_COMPILERS.match(name)) and name != "PYTHONDONTWRITEBYTECODE"
        }
        child |= self.variables()
        for name, value in (own or {}).items():
            flags_of_both = name == "XLA_FLAGS" and name in child
            child[name] = f"{child[name]} {value}" if flags_of_both else value
        return child
