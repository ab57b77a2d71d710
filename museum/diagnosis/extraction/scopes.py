"""Where a statement stands: its function, the functions around it, and what its names may hold at that point."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from museum.diagnosis.extraction.modules import Module
from museum.diagnosis.extraction.templates import Template

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Path = tuple[tuple[int, str], ...]  # the compound statements around a statement, outermost first, and the arm of each

_ARMS = ("body", "orelse", "finalbody")


@dataclass(frozen=True)
class Assignment:
    """One way that a name gets its value.

    Attributes:
        value: The expression; of a tuple or a loop, the whole.
        path: Where it stands.
        line: Its line.
        added: Whether it is added to what the name held before (``+=``, ``.append``).
    """

    value: ast.expr
    path: Path
    line: int
    added: bool = False


@dataclass
class Scope:
    """One function's body, or a module's or class's.

    Attributes:
        module: The file it is in.
        owner: The function; None for a module or class body.
        body: Its statements.
        outer: The scope around it.
        class_name: The class that it is a method of, or whose body it is.
        qualified: Its name with those of functions and classes around it.
        bound: Parameters whose argument is known, when a call is looked through.
    """

    module: Module
    owner: Function | None
    body: list[ast.stmt]
    outer: "Scope | None" = None
    class_name: str = ""
    qualified: str = ""
    bound: dict[str, list[Template]] = field(default_factory=dict)
    _statements: "list[tuple[ast.stmt, Path]] | None" = None
    _assignments: dict[str, list[Assignment]] | None = None
    _tests: dict[int, ast.expr] | None = None

    @property
    def parameters(self) -> list[str]:
        """Names of the function's parameters that take one value."""
        if self.owner is None:
            return []
        arguments = self.owner.args
        return [one.arg for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]

    def statements(self) -> list[tuple[ast.stmt, Path]]:
        """Every statement of this body, those of inner functions and classes left out."""
        if self._statements is None:
            self._statements = list(_flatten(self.body, ()))
        return self._statements

    def assignments(self, name: str) -> list[Assignment]:
        """All assignments to a local name, in order."""
        if self._assignments is None:
            self._assignments = {}
            for statement, path in self.statements():
                for target, value, added in _assigned(statement):
                    # A walrus in a condition comes before what stands behind it on the same line.
                    line = statement.lineno - isinstance(statement, (ast.If, ast.While))
                    self._assignments.setdefault(target, []).append(Assignment(value, path, line, added))
        return self._assignments.get(name, [])

    def assume(self, values: dict[str, ast.expr]) -> None:
        """Let names of this scope stand for expressions of the one around it."""
        self._assignments = {name: [Assignment(value, (), 0)] for name, value in values.items()}

    def is_possible(self, path: Path) -> bool:
        """False where an ``if`` on the way compares a parameter with another value than the one that it has here."""
        if not self.bound or not path:
            return True
        if self._tests is None:
            self._tests = {id(one): one.test for one, _ in self.statements() if isinstance(one, ast.If)}
        for owner, arm in path:
            held = holds(self._tests[owner], self.bound) if owner in self._tests else None
            if held is not None and held != (arm == "body"):
                return False
        return True

    def with_arguments(self, bound: dict[str, list[Template]]) -> "Scope":
        """The same body, called with known arguments."""
        return Scope(
            self.module,
            self.owner,
            self.body,
            self.outer,
            self.class_name,
            self.qualified,
            bound,
            self._statements,
            self._assignments,
            self._tests,
        )


def holds(test: ast.expr, bound: dict[str, list[Template]]) -> bool | None:
    """Whether ``parameter == value`` is so, as far as the text of both can tell."""
    match test:
        case ast.Compare(left=ast.Name(id=name), ops=[ast.Eq() | ast.Is()], comparators=[other]):
            same = True
        case ast.Compare(left=ast.Name(id=name), ops=[ast.NotEq() | ast.IsNot()], comparators=[other]):
            same = False
        case ast.BoolOp(op=ast.And(), values=values):
            return False if any(holds(value, bound) is False for value in values) else None
        case _:
            return None
    known = bound.get(name, [])
    if len(known) != 1:
        return None
    match other:
        case ast.Constant(value=str() as value) if len(known[0]) == 1:
            return (known[0][0] == value) is same
        case ast.Attribute(value=ast.Name(id=base), attr=last) if len(known[0]) == 3 and base[:1].isupper():
            if known[0][1].startswith(f"{base}."):
                return (known[0][1] == f"{base}.{last}") is same
            return None
        case _:
            return None


def _flatten(body: list[ast.stmt], path: Path) -> Iterator[tuple[ast.stmt, Path]]:
    for statement in body:
        yield statement, path
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            continue
        for arm in _ARMS:
            inner = getattr(statement, arm, None)
            if isinstance(inner, list) and inner and isinstance(inner[0], ast.stmt):
                yield from _flatten(inner, (*path, (id(statement), arm)))
        for place, one in enumerate(getattr(statement, "handlers", ())):
            yield from _flatten(one.body, (*path, (id(statement), f"handler{place}")))
        for place, one in enumerate(getattr(statement, "cases", ())):
            yield from _flatten(one.body, (*path, (id(statement), f"case{place}")))


def _assigned(statement: ast.stmt) -> Iterator[tuple[str, ast.expr, bool]]:
    """The names that a statement gives a value, the value, and whether it is only added."""
    match statement:
        case ast.Assign(targets=targets, value=value):
            for target in targets:
                yield from ((name, what, False) for name, what in _paired(target, value))
        case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
            yield name, value, False
        case ast.AugAssign(target=ast.Name(id=name), op=ast.Add(), value=value):
            yield name, value, True
        case ast.For(target=target, iter=value):
            yield from ((name, value, False) for name in _names(target))
        case ast.Expr(
            value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append" | "extend"), args=[value])
        ):
            yield name, value, True
        case ast.If(test=test) | ast.While(test=test):
            yield from ((one.target.id, one.value, False) for one in ast.walk(test) if isinstance(one, ast.NamedExpr))
        case _:
            pass


def _paired(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    """Names with their own values where a tuple is taken apart, with the whole value where that can't be told."""
    sequences = (ast.Tuple, ast.List)
    if isinstance(target, sequences) and isinstance(value, sequences) and len(target.elts) == len(value.elts):
        pairs = zip(target.elts, value.elts, strict=True)
        yield from ((one.id, what) for one, what in pairs if isinstance(one, ast.Name))
    else:
        yield from ((name, value) for name in _names(target))


def _names(target: ast.expr) -> Iterator[str]:
    match target:
        case ast.Name(id=name):
            yield name
        case ast.Starred(value=value):
            yield from _names(value)
        case ast.Tuple(elts=elements) | ast.List(elts=elements):
            for one in elements:
                yield from _names(one)
        case _:
            pass


def reaching(assignments: list[Assignment], path: Path, line: int) -> list[Assignment]:
    """Those that may still hold at a place, the earliest first; the first is not `added` unless nothing came before.

    An assignment in a block around the place undoes all before it; one in another arm of an ``if`` around it does not
    count at all.
    """
    found: list[Assignment] = []
    for one in assignments:
        if one.line >= line or _excluded(one.path, path):
            continue
        if not one.added and path[: len(one.path)] == one.path:
            found.clear()
        found.append(one)
    return found


def is_certain(one: Assignment, path: Path) -> bool:
    """Whether a statement is always passed on the way to a place after it."""
    return path[: len(one.path)] == one.path


def _excluded(path: Path, place: Path) -> bool:
    for (owner, arm), (other, other_arm) in zip(path, place, strict=False):
        if owner != other:
            return False
        if arm != other_arm:
            return not (arm == "body" and other_arm not in ("body", "orelse")) and {arm, other_arm} != {
                "body",
                "finalbody",
            }
    return False
