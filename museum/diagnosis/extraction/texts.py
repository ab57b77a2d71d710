"""What an expression may come to as text: locals, branches, lists and helpers looked through."""

import ast
from collections.abc import Callable

from museum.diagnosis.extraction import templates
from museum.diagnosis.extraction.modules import Module
from museum.diagnosis.extraction.names import Names
from museum.diagnosis.extraction.place import LAST_LINE, Place, last_name, results, source
from museum.diagnosis.extraction.scopes import Assignment, Path, Scope, holds, is_certain, reaching
from museum.diagnosis.extraction.templates import Template, concatenate, hole, literal, literal_length, unique

_TELLING = 8  # fixed characters from which on a local is put in place of its name
_KEEP_TEXT = frozenset(
    ("strip", "rstrip", "lstrip", "dedent", "fill", "cleandoc", "str", "replace", "removesuffix", "removeprefix")
)


class Texts(Names):
    """Works out strings."""

    def __init__(self, modules: dict[str, Module]) -> None:
        super().__init__(modules)
        self._kinds: dict[type[ast.expr], Callable[..., list[Template]]] = {
            ast.Constant: self._constant,
            ast.JoinedStr: self._joined_string,
            ast.FormattedValue: self._formatted_value,
            ast.BinOp: self._operation,
            ast.IfExp: self._conditional,
            ast.BoolOp: self._alternatives,
            ast.NamedExpr: self._walrus,
            ast.Name: self._name,
            ast.Attribute: self._attribute,
            ast.Call: self._called,
            ast.Subscript: self._subscript,
        }

    def text(self, expression: ast.expr, place: Place) -> list[Template]:
        """The templates of a string expression; one hole where nothing is known."""
        if place.is_too_deep:
            return [hole(source(expression))]
        return self._text(expression, place) or [hole(source(expression))]

    def exceptions(self, expression: ast.expr, place: Place) -> list[tuple[str, list[Template]]]:  # noqa: ARG002
        """What an expression may raise; known where classes are."""
        return []

    def _text(self, expression: ast.expr, place: Place) -> list[Template]:
        kind = self._kinds.get(type(expression))
        return kind(expression, place) if kind else []

    # -- kinds of expressions --------------------------------------------------------------------------------------

    @staticmethod
    def _constant(expression: ast.Constant, _: Place) -> list[Template]:
        value = expression.value
        if isinstance(value, bool) or not isinstance(value, (str, int, float)):
            return []
        return [literal(str(value))]

    def _joined_string(self, expression: ast.JoinedStr, place: Place) -> list[Template]:
        return concatenate([self.text(value, place) for value in expression.values])

    def _formatted_value(self, expression: ast.FormattedValue, place: Place) -> list[Template]:
        return self.filled(expression.value, place, expression.conversion)

    def _operation(self, expression: ast.BinOp, place: Place) -> list[Template]:
        if isinstance(expression.op, ast.Add):
            return concatenate([self.text(expression.left, place), self.text(expression.right, place)])
        return self._percent(expression.left, expression.right, place) if isinstance(expression.op, ast.Mod) else []

    def _conditional(self, expression: ast.IfExp, place: Place) -> list[Template]:
        held = holds(expression.test, place.scope.bound)
        both = [expression.body, expression.orelse]
        arms = both if held is None else [expression.body if held else expression.orelse]
        return unique(template for arm in arms for template in self.text(arm, place))

    def _alternatives(self, expression: ast.BoolOp, place: Place) -> list[Template]:
        if not isinstance(expression.op, ast.Or):
            return []
        return unique(template for value in expression.values for template in self.text(value, place))

    def _walrus(self, expression: ast.NamedExpr, place: Place) -> list[Template]:
        return self.text(expression.value, place)

    def _name(self, expression: ast.Name, place: Place) -> list[Template]:
        return self._named(expression.id, place)

    def _subscript(self, expression: ast.Subscript, place: Place) -> list[Template]:
        match expression:
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=int())):
                return unique(
                    text for value, inner, _ in self._elements(name, place) for text in self._text(value, inner)
                )
            case ast.Subscript(value=ast.Attribute(value=raised, attr="args"), slice=ast.Constant(value=0)):
                return unique(one for _, made in self.exceptions(raised, place.deeper()) for one in made)
            case ast.Subscript(value=value, slice=ast.Slice(lower=ast.Constant(value=int() as start), upper=None)):
                return [(one[0][start:], *one[1:]) for one in self._text(value, place) if 0 < start <= len(one[0])]
            case _:
                return []

    def filled(self, value: ast.expr, place: Place, conversion: int = -1) -> list[Template]:
        """What stands in a hole: known text where there is any, else the hole under its own name."""
        own = hole(source(value))
        known = self._text(value, place.deeper())
        if conversion == ord("r"):
            return [(f"'{one[0]}'",) if len(one) == 1 else own for one in known] or [own]
        if len(known) > 1 and max(map(literal_length, known)) < _TELLING:
            return [own]
        return unique(one if literal_length(one) else own for one in known) or [own]

    def _percent(self, left: ast.expr, right: ast.expr, place: Place) -> list[Template]:
        named: dict[str, list[Template]] = {}
        given: list[list[Template]] = []
        if isinstance(right, ast.Dict):
            for key, value in zip(right.keys, right.values, strict=True):
                if isinstance(key, ast.Constant):
                    named[str(key.value)] = self.filled(value, place)
        elif isinstance(right, ast.Tuple):
            given = [self.filled(value, place) for value in right.elts]
        else:
            given = [self.filled(right, place)]
        return unique(
            filled
            for one in self.text(left, place)
            for filled in (templates.percent(one[0], named, given) if len(one) == 1 else [one])
        )

    def _named(self, name: str, place: Place) -> list[Template]:
        scope: Scope | None = place.scope
        path, line = place.path, place.line
        while scope is not None:
            found = [one for one in reaching(scope.assignments(name), path, line) if scope.is_possible(one.path)]
            if found:
                before = scope.bound.get(name) or [hole(name) if name in scope.parameters else literal("")]
                return self._assigned(found, scope, path, place, before)
            if name in scope.bound:
                return scope.bound[name]
            if name in scope.parameters:
                return [hole(name)]
            scope, path, line = scope.outer, (), LAST_LINE
        return self._module_constant(place.scope.module, name, place)

    def _assigned(
        self, found: list[Assignment], scope: Scope, path: Path, place: Place, before: list[Template]
    ) -> list[Template]:
        held: list[Template] = []
        for one in found:
            if isinstance(one.value, ast.Constant) and not isinstance(one.value.value, str):
                continue  # a start value or a flag
            values = self.text(one.value, place.deeper(scope, one.path, one.line))
            if one.added:
                values = concatenate([held or before, values])
                held = held or before
            held = values if is_certain(one, path) else unique([*held, *values])
        return held

    def _module_constant(self, module: Module, name: str, place: Place) -> list[Template]:
        if name in module.constants:
            scope = Scope(module, None, module.tree.body)
            return self.text(module.constants[name], place.deeper(scope, (), 0))
        if name in module.imports:
            owner, _, last = module.imports[name].rpartition(".")
            other = self.module(owner)
            if other is not None and other is not module:
                return self._module_constant(other, last, place)
        return []

    def _attribute(self, expression: ast.Attribute, place: Place) -> list[Template]:
        if isinstance(expression.value, ast.Name) and expression.value.id == "self":
            return place.scope.bound.get(f"self.{expression.attr}", [])
        owner = self.module_of(expression.value, place)
        return self._module_constant(owner, expression.attr, place.deeper()) if owner else []

    def _called(self, call: ast.Call, place: Place) -> list[Template]:
        name = last_name(call.func)
        if isinstance(call.func, ast.Attribute):
            if name == "format":
                return self._formatted(call.func.value, call, place)
            if name == "join" and call.args:
                return self._joined(call.func.value, call.args[0], place)
            if name in _KEEP_TEXT and not self.module_of(call.func.value, place):
                return self.text(call.func.value, place)
        if name in _KEEP_TEXT and call.args:
            return self._text(call.args[0], place)
        return unique(
            template
            for scope in self.functions(call, place)
            for value, path, line in results(scope)
            for template in self.text(value, place.deeper(scope, path, line))
        )

    def _formatted(self, base: ast.expr, call: ast.Call, place: Place) -> list[Template]:
        named = {one.arg: self.filled(one.value, place) for one in call.keywords if one.arg}
        given = [self.filled(one, place) for one in call.args]
        return unique(
            filled
            for one in self.text(base, place)
            for filled in (templates.formatted(one[0], named, given) if len(one) == 1 else [one])
        )

    def _joined(self, separator: ast.expr, items: ast.expr, place: Place) -> list[Template]:
        between = self.text(separator, place)[0]
        pieces: list[list[Template]] = []
        if isinstance(items, ast.Name):
            pieces = [self._perhaps(*one) for one in self._elements(items.id, place)]
        elif isinstance(items, (ast.List, ast.Tuple)):
            pieces = [self.text(value, place) for value in items.elts]
        elif isinstance(items, (ast.GeneratorExp, ast.ListComp)):
            made = self._text(items.elt, self._inside(items, place))
            told = [one for one in made if literal_length(one) >= _TELLING]
            return concatenate([told, [hole("…")]]) if told else []
        else:
            return []
        spaced = [part for piece in pieces for part in ([between], piece)]
        return concatenate(spaced[1:]) if spaced else []

    def _perhaps(self, value: ast.expr, place: Place, certain: bool) -> list[Template]:
        """An element of a list: surely there, or else there, not there, or there with others."""
        texts = self.text(value, place)
        return texts if certain else unique([*texts, literal(""), hole("…")])

    def _inside(self, items: ast.GeneratorExp | ast.ListComp, place: Place) -> Place:
        """Inside a comprehension, where its variable stands for what it goes through."""
        scope = Scope(place.scope.module, None, [], place.scope, place.scope.class_name)
        names = [one.target.id for one in items.generators if isinstance(one.target, ast.Name)]
        sources = [one.iter for one in items.generators if isinstance(one.target, ast.Name)]
        scope.assume(dict(zip(names, sources, strict=True)))
        return place.deeper(scope)

    def _elements(self, name: str, place: Place) -> list[tuple[ast.expr, Place, bool]]:
        """What a local list may hold: each element, where it stands, whether it is surely there."""
        found = reaching(place.scope.assignments(name), place.path, place.line)
        if not any(one.added or isinstance(one.value, ast.List) for one in found):
            return []
        return [
            (value, place.deeper(place.scope, one.path, one.line), is_certain(one, place.path))
            for one in found
            for value in (one.value.elts if isinstance(one.value, (ast.List, ast.Tuple)) else [one.value])
        ]

    # -- functions -------------------------------------------------------------------------------------------------

    def functions(self, call: ast.Call, place: Place) -> list[Scope]:
        """The function that a call reaches, with its arguments bound; none where it is not known."""
        found = self.function_of(call.func, place)
        if found is None or place.is_too_deep:
            return []
        scope, is_method = found
        return [scope.with_arguments(self.bind(scope, call, place, skip=1 if is_method else 0))]

    def bind(self, scope: Scope, call: ast.Call, place: Place, skip: int = 0) -> dict[str, list[Template]]:
        """Templates of the arguments that a call gives a function; defaults where it gives none."""
        if scope.owner is None:
            return {}
        arguments = scope.owner.args
        names = [one.arg for one in (*arguments.posonlyargs, *arguments.args)][skip:]
        bound: dict[str, list[Template]] = {}
        defaults = dict(zip(reversed(names), reversed(arguments.defaults), strict=False))
        defaults |= {
            one.arg: value for one, value in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if value
        }
        for name, value in defaults.items():
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                bound[name] = [literal(value.value)]
        for name, value in zip(names, call.args, strict=False):
            if isinstance(value, ast.Starred):
                break
            bound[name] = self.filled(value, place)
        bound |= {one.arg: self.filled(one.value, place) for one in call.keywords if one.arg}
        return bound
