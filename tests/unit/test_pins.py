"""The pins: one list, two places, no address."""

import importlib.util
import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def pin_tool():
    spec = importlib.util.spec_from_file_location("pin", ROOT / "tools" / "pin.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_pyproject_repeats_the_pins_of_the_constraints_file() -> None:
    constraints = (ROOT / "constraints.txt").read_text("utf-8")
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert pyproject["tool"]["uv"]["constraint-dependencies"] == pin_tool().pins(constraints)


def test_every_pin_has_a_version_and_hashes_and_no_address() -> None:
    constraints = (ROOT / "constraints.txt").read_text("utf-8")
    assert "://" not in constraints
    blocks = re.split(r"\n(?=\S)", constraints.strip())
    assert len(blocks) > 30
    for block in blocks:
        assert re.match(r"[a-z0-9-]+==\S+( ; [^\\]+)? \\\n", block), block[:80]
        assert "--hash=sha256:" in block


def test_each_direct_dependency_is_pinned() -> None:
    pinned = {line.partition("==")[0] for line in pin_tool().pins((ROOT / "constraints.txt").read_text("utf-8"))}
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    wanted = [*pyproject["project"]["dependencies"], *pyproject["dependency-groups"]["dev"]]
    assert {re.match(r"[A-Za-z0-9-]+", text)[0].lower() for text in wanted} <= pinned


def test_the_newest_jax_for_each_python_is_pinned() -> None:
    pins = pin_tool().pins((ROOT / "constraints.txt").read_text("utf-8"))
    assert [pin for pin in pins if pin.startswith("jax==")] == [
        "jax==0.10.2 ; python_full_version < '3.12'",
        "jax==0.12.0.1 ; python_full_version >= '3.12'",
    ]
