"""What ``raise …`` may raise: classes that make their own message, and helpers that make exceptions, looked through."""

import ast
import builtins
import re
from collections.abc import Callable, Iterator

from museum.diagnosis.extraction.modules import Module
from museum.diagnosis.extraction.place import LAST_LINE, Place, last_name, results
from museum.diagnosis.extraction.scopes import Scope, reaching
from museum.diagnosis.extraction.templates import Template, hole, literal, unique
from museum.diagnosis.extraction.texts import Texts

_CLASS_PARAMETER = re.compile(
    r"(?:err|exc|error|exception|warning)(?:_?(?:class|cls|type|ty))?$|_(?:class|cls|type)$", re.IGNORECASE
)
_ENDINGS = ("Error", "Exception", "Warning", "Interrupt", "Exit", "Iteration")
_BUILTIN = {
    name for name, value in vars(builtins).items() if isinstance(value, type) and issubclass(value, BaseException)
}
_HAND_ON = ("list", "tuple", "next", "partial", "iter")

Given = tuple[ast.Call, Place] | None
"""The call of what an expression stands for, and where that call is."""
Found = Iterator[tuple[str, list[Template]]]


class Evaluator(Texts):
    """Works out exceptions: class and message."""

    def __init__(self, modules: dict[str, Module]) -> None:
        super().__init__(modules)
        self._raisers: dict[type[ast.expr], Callable[..., Found]] = {
            ast.Call: self._from_call,
            ast.Lambda: self._from_lambda,
            ast.IfExp: self._from_conditional,
            ast.Name: self._from_name,
            ast.Attribute: self._from_attribute,
            ast.Subscript: self._from_subscript,
        }

    def exceptions(self, expression: ast.expr, place: Place) -> list[tuple[str, list[Template]]]:
        """Class and templates of everything that ``raise expression`` may raise; none for what was caught before."""
        return list(self._exceptions(expression, place))

    def _exceptions(self, expression: ast.expr, place: Place, given: Given = None) -> Found:
        raiser = self._raisers.get(type(expression))
        if raiser and not place.is_too_deep:
            yield from raiser(expression, place, given)

    def _from_call(self, call: ast.Call, place: Place, given: Given) -> Found:
        match call.func:
            case ast.Attribute(value=value, attr="with_traceback" | "with_notes"):
                yield from self._exceptions(value, place)
            case ast.Call(func=ast.Name(id="type")):
                yield "", self._first_argument(call, place)
            case ast.Name(id=name) if call.args and name in place.scope.parameters and _CLASS_PARAMETER.search(name):
                yield "", self._first_argument(call, place)
            case callee if self.is_exception(callee, place):
                yield self.class_name(callee, place), self._message(callee, call, place)
            case _:
                yield from self._from_function(call, place, given)

    def _from_function(self, call: ast.Call, place: Place, given: Given) -> Found:
        scopes = self.functions(call, place)
        for scope in scopes:
            for value, path, line in results(scope):
                yield from self._exceptions(value, place.deeper(scope, path, line), given)
        if scopes:
            return
        if last_name(call.func) in _HAND_ON and call.args:
            yield from self._exceptions(call.args[0], place.deeper(), given)
        elif isinstance(call.func, (ast.Name, ast.Lambda, ast.Subscript)):
            yield from self._exceptions(call.func, place.deeper(), (call, place))

    def _from_lambda(self, expression: ast.Lambda, place: Place, given: Given) -> Found:
        scope = Scope(place.scope.module, expression, [], place.scope, place.scope.class_name)
        if given:
            scope = scope.with_arguments(self.bind(scope, *given))
        yield from self._exceptions(expression.body, place.deeper(scope))

    def _from_conditional(self, expression: ast.IfExp, place: Place, given: Given) -> Found:
        yield from self._exceptions(expression.body, place, given)
        yield from self._exceptions(expression.orelse, place, given)

    def _from_attribute(self, expression: ast.Attribute, place: Place, _: Given) -> Found:
        if self.is_exception(expression, place):
            yield self.class_name(expression, place), [literal("")]

    def _from_subscript(self, expression: ast.Subscript, place: Place, given: Given) -> Found:
        yield from self._exceptions(expression.value, place.deeper(), given)

    def _from_name(self, expression: ast.Name, place: Place, given: Given) -> Found:
        if self.is_exception(expression, place):
            yield self.class_name(expression, place), [literal("")]
            return
        scope: Scope | None = place.scope
        path, line = place.path, place.line
        while scope is not None:
            for one in reaching(scope.assignments(expression.id), path, line):
                yield from self._exceptions(one.value, place.deeper(scope, one.path, one.line), given)
            scope, path, line = scope.outer, (), LAST_LINE
        constant = place.scope.module.constants.get(expression.id)
        if isinstance(constant, ast.Call):
            yield from self._exceptions(constant, place.deeper(Scope(place.scope.module, None, []), (), 0))

    # -- classes ---------------------------------------------------------------------------------------------------

    def is_exception(self, callee: ast.expr, place: Place) -> bool:
        """Whether an expression names an exception class."""
        name = last_name(callee)
        if name in _BUILTIN or name.endswith(_ENDINGS):
            return name[:1].isupper() or name[:2].lstrip("_")[:1].isupper()
        found = self.class_of(callee, place)
        return found is not None and any(last_name(base).endswith(_ENDINGS) for base in found[1].bases)

    def class_name(self, callee: ast.expr, place: Place) -> str:
        """The class as a traceback names it; what is exported under ``jax.errors`` goes by that name."""
        found = self.class_of(callee, place)
        if found is None:
            return last_name(callee)
        module, node = found
        if module.file == "jax/_src/errors.py":
            return f"jax.errors.{node.name}"
        return f"{module.name}.{node.name}"

    def _first_argument(self, call: ast.Call, place: Place) -> list[Template]:
        if not call.args or isinstance(call.args[0], ast.Starred):
            return [hole("…")] if call.args else [literal("")]
        texts = self.text(call.args[0], place)
        # Several arguments print as a tuple of their representations.
        return texts if len(call.args) == 1 else [(*_wrapped(one, "('", "', "), "…", ")") for one in texts]

    def _message(self, callee: ast.expr, call: ast.Call, place: Place) -> list[Template]:
        found = self.class_of(callee, place)
        made = self._made_by_class(*found, call, place) if found else []
        if made:
            return made
        given = self._first_argument(call, place)
        return [_wrapped(one, "'", "'") for one in given] if last_name(callee) == "KeyError" else given

    def _made_by_class(self, module: Module, node: ast.ClassDef, call: ast.Call, place: Place) -> list[Template]:
        """What a class's own ``__str__`` or ``__init__``, or one that it inherits, makes of the arguments."""
        if place.is_too_deep:
            return []
        if words := module.methods.get((node.name, "__str__")):
            scope = Scope(module, words, words.body, None, node.name)
            scope = scope.with_arguments(self._attributes(module, node, call, place))
            return unique(
                one for value, path, line in results(scope) for one in self.text(value, place.deeper(scope, path, line))
            )
        if start := module.methods.get((node.name, "__init__")):
            scope = Scope(module, start, start.body, None, node.name)
            scope = scope.with_arguments(self.bind(scope, call, place, skip=1))
            return self._made_by_start(module, node, scope, place)
        return self._made_by_bases(module, node, call, place)

    def _made_by_start(self, module: Module, node: ast.ClassDef, scope: Scope, place: Place) -> list[Template]:
        """What an ``__init__`` hands on to the class above."""
        for statement, path in scope.statements():
            match statement:
                case ast.Expr(value=ast.Call(func=ast.Attribute(value=owner, attr="__init__") as callee) as inner):
                    here = place.deeper(scope, path, statement.lineno)
                    if not (isinstance(owner, ast.Call) and last_name(owner.func) == "super"):
                        inner = ast.Call(func=callee, args=inner.args[1:], keywords=inner.keywords)
                    return self._made_by_bases(module, node, inner, here) or self._first_argument(inner, here)
                case _:
                    pass
        return []

    def _attributes(
        self, module: Module, node: ast.ClassDef, call: ast.Call, place: Place
    ) -> dict[str, list[Template]]:
        """What ``__init__`` keeps in ``self``, as far as it is text."""
        start = module.methods.get((node.name, "__init__"))
        if start is None:
            return {}
        scope = Scope(module, start, start.body, None, node.name)
        scope = scope.with_arguments(self.bind(scope, call, place, skip=1))
        kept: dict[str, list[Template]] = {}
        for statement, path in scope.statements():
            match statement:
                case ast.Assign(targets=[ast.Attribute(value=ast.Name(id="self"), attr=name)], value=value):
                    kept[f"self.{name}"] = self.text(value, place.deeper(scope, path, statement.lineno))
                case _:
                    pass
        return kept

    def _made_by_bases(self, module: Module, node: ast.ClassDef, call: ast.Call, place: Place) -> list[Template]:
        here = Place(Scope(module, None, []), (), 0)
        for base in node.bases:
            found = self.class_of(base, here)
            if found and found[1] is not node:
                made = self._made_by_class(*found, call, place.deeper())
                if made:
                    return made
        return []


def _wrapped(template: Template, before: str, behind: str) -> Template:
    """A template with text round it."""
    if len(template) == 1:
        return (f"{before}{template[0]}{behind}",)
    return (before + template[0], *template[1:-1], template[-1] + behind)
