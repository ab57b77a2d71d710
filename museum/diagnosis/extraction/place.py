"""Where an expression stands, and small questions about expressions."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from museum.diagnosis.extraction.scopes import Path, Scope

DEEPEST = 14
LAST_LINE = 10**9


@dataclass(frozen=True)
class Place:
    """Where an expression stands: what its names hold there.

    Attributes:
        scope: The function's body, or the module's.
        path: The statements around it.
        line: Its line; assignments further down don't count.
        depth: How many locals and helpers were looked through on the way here.
    """

    scope: Scope
    path: Path
    line: int
    depth: int = 0

    @property
    def is_too_deep(self) -> bool:
        """Whether to give up."""
        return self.depth > DEEPEST

    def deeper(self, scope: Scope | None = None, path: Path = (), line: int = LAST_LINE) -> "Place":
        """One helper, or one local, further down."""
        if scope is None:
            return Place(self.scope, self.path, self.line, self.depth + 1)
        return Place(scope, path, line, self.depth + 1)


def results(scope: Scope) -> Iterator[tuple[ast.expr, Path, int]]:
    """Everything that a function may return or yield, with where that stands."""
    if isinstance(scope.owner, ast.Lambda):
        yield scope.owner.body, (), LAST_LINE
    for statement, path in scope.statements():
        match statement:
            case ast.Return(value=ast.expr() as value):
                found = value
            case ast.Expr(value=ast.Yield(value=ast.expr() as value) | ast.YieldFrom(value=value)):
                found = value
            case _:
                continue
        if scope.is_possible(path):
            yield found, path, statement.lineno


def last_name(expression: ast.expr) -> str:
    """``c`` of ``a.b.c``; "" for what is no name."""
    if isinstance(expression, ast.Attribute):
        return expression.attr
    return expression.id if isinstance(expression, ast.Name) else ""


def dotted(expression: ast.expr) -> str:
    """``a.b.c``; "" for what is no name."""
    if isinstance(expression, ast.Name):
        return expression.id
    if isinstance(expression, ast.Attribute):
        base = dotted(expression.value)
        return f"{base}.{expression.attr}" if base else ""
    return ""


def source(expression: ast.expr) -> str:
    """An expression as it might be written, in one line."""
    if isinstance(expression, ast.FormattedValue):
        expression = expression.value
    try:
        return " ".join(ast.unparse(expression).split())
    except (ValueError, RecursionError):
        return "…"
