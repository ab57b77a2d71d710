import pytest
from hypothesis import given
from hypothesis import strategies as st

from museum.errors import MuseumError
from museum.lab.target import MOST_FAKE_DEVICES, Target, TargetKind

COUNTED = [
    ("cpu:1", Target(TargetKind.CPU, 1), "1 fake CPU device"),
    ("cpu:8", Target(TargetKind.CPU, 8), "8 fake CPU devices"),
    ("cpu:512", Target(TargetKind.CPU, 512), "512 fake CPU devices"),
    ("cpu:2x4", Target(TargetKind.PROCESSES, 4, 2), "2 processes of 4 fake CPU devices"),
    ("cpu:16x1", Target(TargetKind.PROCESSES, 1, 16), "16 processes of 1 fake CPU device"),
    ("local", Target(TargetKind.LOCAL), "the local accelerator"),
    ("tpu-compile", Target(TargetKind.TPU_COMPILE), "libtpu, compile only"),
]


@pytest.mark.parametrize(("text", "target", "words"), COUNTED)
def test_a_target_is_read_written_and_said(text: str, target: Target, words: str) -> None:
    assert Target.parse(text) == target
    assert str(target) == text
    assert target.words == words


@given(st.integers(1, MOST_FAKE_DEVICES), st.integers(1, 16))
def test_every_count_in_range_survives_writing_and_reading(devices: int, processes: int) -> None:
    text = f"cpu:{devices}" if processes == 1 else f"cpu:{processes}x{devices}"
    target = Target.parse(text)
    assert str(target) == text
    assert (target.devices, target.processes) == (devices, processes)


NO_TARGETS = ["", "cpu", "cpu:", "cpu:x", "cpu:2x", "cpu:x4", "CPU:8", "cpu:8 ", " cpu:8", "cpu:+8", "cpu:8.0"]
NO_TARGETS += ["cpu:1234567", "cpu:--1", "cpu:2x3x4", "gpu:1", "tpu", "tpu_compile", "Local", "cpu:8\n", "cpu: 8"]


@pytest.mark.parametrize("text", NO_TARGETS)
def test_what_is_no_target_is_told_the_spellings(text: str) -> None:
    with pytest.raises(MuseumError) as caught:
        Target.parse(text)
    wanted = "cpu:8, cpu:2x4 (2 processes of 4), local or tpu-compile"
    assert str(caught.value) == f"{text!r} is not a target; write {wanted}"


@pytest.mark.parametrize("text", ["cpu:0", "cpu:513", "cpu:-1", "cpu:999999", "cpu:2x0", "cpu:2x513", "cpu:99x-3"])
def test_a_device_count_out_of_range_is_told_the_range(text: str) -> None:
    with pytest.raises(MuseumError) as caught:
        Target.parse(text)
    assert str(caught.value) == f"target {text}: the device count must be 1 to 512"


@pytest.mark.parametrize("text", ["cpu:0x4", "cpu:1x4", "cpu:17x4"])
def test_a_process_count_out_of_range_is_told_the_range(text: str) -> None:
    with pytest.raises(MuseumError) as caught:
        Target.parse(text)
    assert str(caught.value) == f"target {text}: the process count must be 2 to 16"


def test_cpu_takes_a_number() -> None:
    assert Target.cpu(4) == Target(TargetKind.CPU, 4)
    with pytest.raises(MuseumError, match=r"^target cpu:513: the device count must be 1 to 512$"):
        Target.cpu(MOST_FAKE_DEVICES + 1)


COMPILER_SETTINGS = {
    "JAX_PLATFORMS": "cuda",
    "JAX_ENABLE_X64": "1",
    "XLA_FLAGS": "--xla_dump_to=dumps",
    "XLA_PYTHON_CLIENT_PREALLOCATE": "false",
    "LIBTPU_INIT_ARGS": "--x",
    "TPU_LIBRARY_PATH": "lib",
    "PJRT_DEVICE": "TPU",
    "MOSAIC_GPU_DUMP_PTX": "1",
    "PALLAS_INTERPRET": "1",
}
OTHERS = {"HOME": "home", "PATH": "bin", "PYTHONPATH": "mine", "MY_JAX_FLAG": "kept", "jax_platforms": "kept"}
ON_TPU_COMPILE = {
    "JAX_PLATFORMS": "cpu",
    "TPU_SKIP_MDS_QUERY": "1",
    "TPU_ACCELERATOR_TYPE": "v6e-4",
    "TPU_WORKER_HOSTNAMES": "localhost",
    "TPU_LOG_DIR": "disabled",
    "TPU_MIN_LOG_LEVEL": "4",
    "ALLOW_MULTIPLE_LIBTPU_LOAD": "1",
}


def on_fake_devices(count: int) -> dict[str, str]:
    return {"JAX_PLATFORMS": "cpu", "XLA_FLAGS": f"--xla_force_host_platform_device_count={count}"}


@pytest.mark.parametrize(
    ("text", "added"),
    [
        ("cpu:8", on_fake_devices(8)),
        ("cpu:2x4", on_fake_devices(4)),
        ("tpu-compile", ON_TPU_COMPILE),
    ],
)
def test_compiler_settings_of_the_caller_give_way_to_the_targets(text: str, added: dict[str, str]) -> None:
    inherited = COMPILER_SETTINGS | OTHERS
    assert Target.parse(text).environment(inherited) == OTHERS | added
    assert inherited == COMPILER_SETTINGS | OTHERS


def test_the_local_accelerator_keeps_the_callers_compiler_settings() -> None:
    inherited = COMPILER_SETTINGS | OTHERS
    assert Target.parse("local").environment(inherited) == inherited


@pytest.mark.parametrize("text", ["cpu:8", "local", "tpu-compile"])
def test_what_would_keep_bytecode_from_being_written_is_dropped(text: str) -> None:
    child = Target.parse(text).environment({"PYTHONDONTWRITEBYTECODE": "1", "PYTHONUNBUFFERED": "1"})
    assert "PYTHONDONTWRITEBYTECODE" not in child
    assert child["PYTHONUNBUFFERED"] == "1"


def test_the_visitors_own_variables_win() -> None:
    own = {"JAX_PLATFORMS": "cpu,cuda", "JAX_ENABLE_X64": "1", "PYTHONDONTWRITEBYTECODE": "1", "HOME": "elsewhere"}
    child = Target.cpu(2).environment({"HOME": "home", "JAX_ENABLE_X64": "0"}, own)
    assert child == on_fake_devices(2) | own


def test_the_visitors_compiler_flags_are_added_to_the_targets() -> None:
    child = Target.cpu(2).environment({"XLA_FLAGS": "--of-the-shell"}, {"XLA_FLAGS": "--mine=1"})
    assert child["XLA_FLAGS"] == "--xla_force_host_platform_device_count=2 --mine=1"


def test_the_visitors_compiler_flags_are_added_to_the_shells_on_the_local_accelerator() -> None:
    local = Target.parse("local")
    assert local.environment({"XLA_FLAGS": "--shell"}, {"XLA_FLAGS": "--mine"})["XLA_FLAGS"] == "--shell --mine"
    assert local.environment({}, {"XLA_FLAGS": "--mine"})["XLA_FLAGS"] == "--mine"
