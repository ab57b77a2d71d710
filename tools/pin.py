"""Resolve every dependency for all supported Pythons and write the pins.

    uv run --no-sync python tools/pin.py [--upgrade]

Writes ``constraints.txt`` (names, versions, markers and hashes, no address) and repeats the bare pins in
``pyproject.toml`` under ``[tool.uv] constraint-dependencies``, because ``uv run`` reads constraints nowhere else.
"""

import argparse
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CONSTRAINTS = ROOT / "constraints.txt"
PYPROJECT = ROOT / "pyproject.toml"
LIST = re.compile(r"(?ms)^constraint-dependencies = \[\n.*?^\]\n")


def pins(constraints: str) -> list[str]:
    """The requirements of a constraints file without their hashes, in file order."""
    lines = (line.removesuffix("\\").strip() for line in constraints.splitlines() if line[:1].isalnum())
    return [re.sub(r"\s+", " ", line) for line in lines]


def with_pins(pyproject: str, wanted: list[str]) -> str:
    """The text of ``pyproject.toml`` with its list of constraints replaced."""
    body = "".join(f'    "{pin}",\n' for pin in wanted)
    return LIST.sub(lambda _: f"constraint-dependencies = [\n{body}]\n", pyproject)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--upgrade", action="store_true", help="take newer versions where there are any")
    arguments = parser.parse_args()
    pyproject = PYPROJECT.read_text("utf-8")
    PYPROJECT.write_text(with_pins(pyproject, []), "utf-8")  # the old pins must not hold the new ones
    try:
        command = ["uv", "pip", "compile", "--quiet", "--universal", "--generate-hashes", "--no-emit-index-url"]
        command += ["--no-header", "--no-annotate", "--python-version", "3.11", "--group", "dev"]
        command += ["pyproject.toml", "--output-file", str(CONSTRAINTS)]
        subprocess.run(command + ["--upgrade"] * arguments.upgrade, cwd=ROOT, check=True)
    finally:
        PYPROJECT.write_text(pyproject, "utf-8")
    PYPROJECT.write_text(with_pins(pyproject, pins(CONSTRAINTS.read_text("utf-8"))), "utf-8")


if __name__ == "__main__":
    main()
