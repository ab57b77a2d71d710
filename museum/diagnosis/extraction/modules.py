"""The Python files of an installed JAX: which there are, their digest, and what a file declares."""

import ast
import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

PACKAGES = ("jax", "jaxlib")
# Bindings written by a generator, and what only JAX's own tests import.
_GENERATED = re.compile(
    r"(?:_gen(?:_ops|_enum)?|_enum_gen|_pb2(?:_grpc)?)\.py$|/_(?:ods|gen)\w*\.py$|_gen_(?:ops|enums)\.py$"
)
_TESTS = re.compile(r"/(?:internal_test_util|tests?|testing)/|_test\.py$|/test_\w+\.py$")


def source_files(root: Path) -> list[Path]:
    """The files to read below a site-packages folder, sorted."""
    found = (file for package in PACKAGES for file in (root / package).rglob("*.py"))
    return sorted(file for file in found if is_wanted(file.relative_to(root).as_posix()))


def is_wanted(name: str) -> bool:
    """Whether a file, as ``jax/…``, is written by hand and meant for users."""
    return not _GENERATED.search(f"/{name}") and not _TESTS.search(f"/{name}")


def digest_of(root: Path, files: list[Path]) -> str:
    """A short digest of names and contents."""
    digest = hashlib.sha1(usedforsecurity=False)
    for file in files:
        content = file.read_bytes()
        digest.update(f"{file.relative_to(root).as_posix()}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()[:20]


@dataclass
class Module:
    """What one file declares, by name.

    Attributes:
        file: Relative to site-packages, with slashes.
        name: Dotted.
        imports: Local name to the module, or the module's name, that it stands for.
        functions: Top-level functions.
        methods: Methods by class and name.
        classes: Top-level classes.
        constants: Top-level assignments to one name.
    """

    file: str
    name: str
    tree: ast.Module
    imports: dict[str, str] = field(default_factory=dict)
    functions: dict[str, ast.FunctionDef] = field(default_factory=dict)
    methods: dict[tuple[str, str], ast.FunctionDef] = field(default_factory=dict)
    classes: dict[str, ast.ClassDef] = field(default_factory=dict)
    constants: dict[str, ast.expr] = field(default_factory=dict)


def read_module(file: str, source: bytes) -> Module:
    """Parse one file.

    Raises:
        SyntaxError: It is not Python, or a newer one.
    """
    name = file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    module = Module(file, name, ast.parse(source))
    for statement in _declarations(module.tree.body):
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            note_import(module, statement)
        elif isinstance(statement, ast.FunctionDef):
            module.functions.setdefault(statement.name, statement)
        elif isinstance(statement, ast.ClassDef):
            module.classes.setdefault(statement.name, statement)
            for inner in _declarations(statement.body):
                if isinstance(inner, ast.FunctionDef):
                    module.methods.setdefault((statement.name, inner.name), inner)
        elif isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
            module.constants.setdefault(statement.targets[0].id, statement.value)
    return module


def note_import(module: Module, statement: ast.Import | ast.ImportFrom) -> None:
    """Remember the names that an import brings, unless an earlier one brought them."""
    if isinstance(statement, ast.Import):
        for alias in statement.names:
            first = alias.name.partition(".")[0]
            module.imports.setdefault(alias.asname or first, alias.name if alias.asname else first)
        return
    base = statement.module or ""
    if statement.level:
        package = module.name if module.file.endswith("/__init__.py") else module.name.rpartition(".")[0]
        parents = package.split(".")
        base = ".".join([*parents[: len(parents) - statement.level + 1], base]).rstrip(".")
    for alias in statement.names:
        module.imports.setdefault(alias.asname or alias.name, f"{base}.{alias.name}")


def _declarations(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Statements at the top, and those below an ``if`` or ``try`` there."""
    for statement in body:
        yield statement
        if isinstance(statement, ast.If):
            yield from _declarations(statement.body)
            yield from _declarations(statement.orelse)
        elif isinstance(statement, ast.Try):
            yield from _declarations(statement.body)
            for handler in statement.handlers:
                yield from _declarations(handler.body)
            yield from _declarations(statement.orelse)
