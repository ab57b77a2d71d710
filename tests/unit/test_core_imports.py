"""What the core may import, seen in a child that imports all of it, and what its two standard-library files may."""

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

import museum

ROOT = Path(museum.__file__).parent
GATE = ROOT / "lab" / "gate" / "sitecustomize.py"
KEEPER = ROOT / "lab" / "keeper.py"
FORBIDDEN = {"PySide6", "shiboken6", "qasync", "jax", "jaxlib", "numpy", "gui"}
IMPORT_ALL = """
import importlib, json, pkgutil, sys
import museum
names = [module.name for module in pkgutil.walk_packages(museum.__path__, "museum.")]
for name in names: importlib.import_module(name)
json.dump({"imported": names, "loaded": sorted({name.partition(".")[0] for name in sys.modules})}, sys.stdout)
"""


def test_the_whole_core_is_imported_without_qt_and_without_jax() -> None:
    child = subprocess.run([sys.executable, "-c", IMPORT_ALL], capture_output=True, check=True, text=True)
    answer = json.loads(child.stdout)
    files = {file for file in ROOT.rglob("*.py") if file != GATE}
    written = {".".join(("museum", *file.relative_to(ROOT).with_suffix("").parts)) for file in files}
    assert {"museum", *answer["imported"]} == {name.removesuffix(".__init__") for name in written}
    assert set(answer["loaded"]) & FORBIDDEN == set()
    assert child.stderr == ""


def imported(file: Path) -> set[str]:
    """Top-level names of everything that a file imports, at any depth, read as Python 3.10."""
    names = set()
    for node in ast.walk(ast.parse(file.read_text("utf-8"), file.name, feature_version=(3, 10))):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add("." * node.level + (node.module or "").partition(".")[0])
    return names


@pytest.mark.parametrize(
    ("file", "besides"),
    [
        (KEEPER, set()),
        # JAX belongs to the snippet that the gate waits for, and so does the site customisation it stands before.
        (GATE, {"jax", "sitecustomize"}),
    ],
    ids=["keeper", "gate"],
)
def test_what_runs_in_any_environment_is_python_3_10_and_standard_library(file: Path, besides: set[str]) -> None:
    names = imported(file)
    assert {"os", "sys"} <= names
    assert names - sys.stdlib_module_names == besides
