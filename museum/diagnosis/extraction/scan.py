"""Every place of a JAX that raises, asserts with words or warns."""

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from museum.diagnosis.extraction.deprecated import SPEAKER, deprecation_messages
from museum.diagnosis.extraction.modules import Module, note_import
from museum.diagnosis.extraction.place import Place
from museum.diagnosis.extraction.raised import Evaluator
from museum.diagnosis.extraction.scopes import Path, Scope
from museum.diagnosis.extraction.templates import Template, literal_length, unique

_LOGGERS = ("logger", "logging", "_logger", "log")
_LOG_LEVELS = ("warning", "warn", "error", "exception", "critical")
_TOO_LITTLE = 12  # fixed characters below which what the callers pass is looked up


@dataclass(frozen=True)
class FoundSite:
    """One place in the source.

    Attributes:
        kind: ``raise``, ``assert``, ``warn`` or ``log``.
        error: Class, "" where it is only known when it runs.
        templates: What it may say; one empty text for nothing.
    """

    kind: str
    error: str
    file: str
    line: int
    function: str
    templates: tuple[Template, ...]


@dataclass(frozen=True)
class _Candidate:
    kind: str
    statement: ast.stmt
    path: Path
    scope: Scope


def scan(modules: dict[str, Module]) -> Iterator[tuple[int, list[FoundSite]]]:
    """Find all sites; gives the number of files done, and what was found, file by file, then what the callers say."""
    evaluator = Evaluator(modules)
    undecided: list[tuple[_Candidate, FoundSite]] = []
    scopes = {module.file: list(scopes_of(module)) for module in modules.values()}
    for done, module in enumerate(modules.values(), 1):
        found: list[FoundSite] = []
        for candidate in _candidates(scopes[module.file]):
            for site in _sites(candidate, candidate.scope, evaluator):
                if any(_holes(template) & set(candidate.scope.parameters) for template in site.templates):
                    undecided.append((candidate, site))
                else:
                    found.append(site)
        if module.file == SPEAKER:
            found = _told(found, deprecation_messages(modules.values(), evaluator))
        yield done, found
    yield len(modules), list(_from_callers(undecided, [one for some in scopes.values() for one in some], evaluator))


def scopes_of(module: Module) -> Iterator[Scope]:
    """The module's body, and every function's and class's, inner ones after outer ones."""
    waiting = [Scope(module, None, module.tree.body)]
    while waiting:
        scope = waiting.pop()
        yield scope
        for statement, _ in scope.statements():
            if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
                name = f"{scope.qualified}.{statement.name}".lstrip(".")
                outer = None if scope.owner is None else scope
                waiting.append(Scope(module, statement, statement.body, outer, scope.class_name, name))
            elif isinstance(statement, (ast.Import, ast.ImportFrom)):
                note_import(module, statement)
            elif isinstance(statement, ast.ClassDef):
                name = f"{scope.qualified}.{statement.name}".lstrip(".")
                waiting.append(Scope(module, None, statement.body, None, statement.name, name))


def _candidates(scopes: list[Scope]) -> Iterator[_Candidate]:
    for scope in scopes:
        for statement, path in scope.statements():
            kind = _kind(statement)
            if kind:
                yield _Candidate(kind, statement, path, scope)


def _kind(statement: ast.stmt) -> str:
    match statement:
        case ast.Raise(exc=ast.expr()):
            return "raise"
        case ast.Assert(msg=ast.expr()):
            return "assert"
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=owner, attr=name), args=[_, *_])):
            last = owner.attr if isinstance(owner, ast.Attribute) else owner.id if isinstance(owner, ast.Name) else ""
            if (last, name) == ("warnings", "warn"):
                return "warn"
            return "log" if last in _LOGGERS and name in _LOG_LEVELS else ""
        case _:
            return ""


def _sites(candidate: _Candidate, scope: Scope, evaluator: Evaluator) -> Iterator[FoundSite]:
    place = Place(scope, candidate.path, candidate.statement.lineno)
    said: dict[str, list[Template]] = {}
    match candidate.statement:
        case ast.Raise(exc=ast.expr() as raised):
            for error, templates in evaluator.exceptions(raised, place):
                said.setdefault(error, []).extend(templates)
        case ast.Assert(msg=ast.expr() as message):
            said["AssertionError"] = evaluator.text(message, place)
        case ast.Expr(value=ast.Call() as call) if candidate.kind == "warn":
            said[_category(call, evaluator, place)] = evaluator.text(call.args[0], place)
        case ast.Expr(value=ast.Call() as call):
            values = ast.Tuple(elts=call.args[1:], ctx=ast.Load())
            message = ast.BinOp(left=call.args[0], op=ast.Mod(), right=values) if call.args[1:] else call.args[0]
            said[""] = evaluator.text(message, place)
        case _:
            pass
    for error, templates in said.items():
        yield FoundSite(
            candidate.kind,
            error,
            scope.module.file,
            candidate.statement.lineno,
            scope.qualified,
            tuple(unique(templates)),
        )


def _category(call: ast.Call, evaluator: Evaluator, place: Place) -> str:
    given = [*call.args[1:2], *(one.value for one in call.keywords if one.arg == "category")]
    return evaluator.class_name(given[0], place) if given else "UserWarning"


def _holes(template: Template) -> set[str]:
    """The names that fill its holes."""
    return {word for name in template[1::2] for word in name.split()}


def _looked_up(undecided: list[tuple[_Candidate, FoundSite]]) -> Iterator[tuple[_Candidate, FoundSite]]:
    """Those that say little by themselves, or the same as others: what their callers pass tells them apart."""
    times = Counter(words for _, site in undecided for words in {template[::2] for template in site.templates})
    for candidate, site in undecided:
        if any(literal_length(one) < _TOO_LITTLE or times[one[::2]] > 1 for one in site.templates):
            yield candidate, site


def _told(found: list[FoundSite], messages: tuple[Template, ...]) -> list[FoundSite]:
    """The sites, those that say nothing of their own with what they are given to say."""
    return [
        site if any(map(literal_length, site.templates)) else replace(site, templates=(*site.templates, *messages))
        for site in found
    ]


def _from_callers(
    undecided: list[tuple[_Candidate, FoundSite]], scopes: list[Scope], evaluator: Evaluator
) -> Iterator[FoundSite]:
    wanted: dict[str, list[int]] = {}
    vague = list(_looked_up(undecided))
    for number, (candidate, _) in enumerate(vague):
        owner = candidate.scope.owner
        if isinstance(owner, ast.FunctionDef):
            name = candidate.scope.class_name if owner.name == "__init__" else owner.name
            wanted.setdefault(name, []).append(number)
    said: dict[int, list[Template]] = {}
    for scope in scopes:
        for statement, path in scope.statements():
            for call in _calls(statement, wanted):
                place = Place(scope, path, call.lineno, 1)
                for number in wanted[_callee(call)]:
                    candidate, _ = vague[number]
                    skip = 1 if candidate.scope.parameters[:1] in (["self"], ["cls"]) else 0
                    bound = evaluator.bind(candidate.scope, call, place, skip)
                    called = candidate.scope.with_arguments(bound)
                    for site in _sites(candidate, called, evaluator):
                        said.setdefault(number, []).extend(site.templates)
    looked_up = {id(site) for _, site in vague}
    yield from (site for _, site in undecided if id(site) not in looked_up)
    for number, (_, site) in enumerate(vague):
        more = [one for one in said.get(number, ()) if literal_length(one) >= _TOO_LITTLE // 2]
        templates = tuple(dict.fromkeys([*site.templates, *unique(more)]))
        yield FoundSite(site.kind, site.error, site.file, site.line, site.function, templates)


def _calls(statement: ast.stmt, wanted: dict[str, list[int]]) -> Iterator[ast.Call]:
    """Calls of wanted functions in a statement's own expressions."""
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Call) and _callee(node) in wanted:
            yield node
        waiting += [
            one
            for one in ast.iter_child_nodes(node)
            if not isinstance(one, (ast.stmt, ast.ExceptHandler, ast.match_case))
        ]


def _callee(call: ast.Call) -> str:
    if isinstance(call.func, ast.Attribute):
        return call.func.attr
    return call.func.id if isinstance(call.func, ast.Name) else ""
