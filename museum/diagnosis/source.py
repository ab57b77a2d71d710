"""The source around a raise site, from the installed JAX, and where that version's source lies on GitHub."""

from dataclasses import dataclass
from pathlib import Path

AROUND = 6


@dataclass(frozen=True, slots=True)
class SourceLines:
    """Lines of a file.

    Attributes:
        start: Number of the first, from 1.
        lines: Without line ends.
    """

    start: int
    lines: tuple[str, ...]


def lines_around(root: Path, file: str, line: int, around: int = AROUND) -> SourceLines | None:
    """Lines round a place in an installed JAX; None where the file or the line is not there.

    Args:
        root: The site-packages folder.
        file: As ``jax/_src/…``.
        line: From 1.
        around: How many lines before and behind.
    """
    place = root / file
    if line < 1 or ".." in Path(file).parts:
        return None
    try:
        # Lines as CPython counts them; what is behind the last one wanted is not looked through.
        lines = place.read_bytes().removesuffix(b"\n").split(b"\n", line + around)[: line + around]
    except OSError:
        return None
    if line > len(lines):
        return None
    start = max(1, line - around)
    return SourceLines(start, tuple(one.decode("utf-8", "replace").rstrip("\r") for one in lines[start - 1 :]))


def github_url(jax: str, file: str, line: int) -> str:
    """Where a line of a JAX version's Python source is to be read, "" for what is not in JAX's repository as such."""
    if not jax or not line or not file.startswith(("jax/", "jaxlib/")):
        return ""
    # jaxlib's MLIR bindings come from other repositories.
    return "" if file.startswith("jaxlib/mlir/") else f"https://github.com/jax-ml/jax/blob/jax-v{jax}/{file}#L{line}"
