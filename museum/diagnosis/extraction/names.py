"""Which function, class or module a name means, across all files of one JAX."""

import ast

from museum.diagnosis.extraction.modules import Module
from museum.diagnosis.extraction.place import Place, dotted, last_name
from museum.diagnosis.extraction.scopes import Scope

_MOST_HOPS = 4


class Names:
    """Looks names up, through imports."""

    def __init__(self, modules: dict[str, Module]) -> None:
        self._modules = modules

    def module(self, name: str) -> Module | None:
        """The module of a dotted name."""
        return self._modules.get(name)

    def function_of(self, callee: ast.expr, place: Place) -> tuple[Scope, bool] | None:
        """The function that an expression names, and whether it is a method; None where it is not known."""
        if isinstance(callee, ast.Name):
            inner = self._function_around(callee.id, place)
            if inner:
                return inner, False
            owner, name = self.resolve(place.scope.module, callee.id)
            return self._function_in(owner, name)
        if not isinstance(callee, ast.Attribute):
            return None
        if isinstance(callee.value, ast.Name) and callee.value.id in ("self", "cls"):
            module, class_name = place.scope.module, place.scope.class_name
            method = module.methods.get((class_name, callee.attr))
            if method:
                return Scope(module, method, method.body, None, class_name), True
        return self._function_in(self.module_of(callee.value, place), callee.attr)

    @staticmethod
    def _function_around(name: str, place: Place) -> Scope | None:
        scope: Scope | None = place.scope
        while scope is not None:
            for statement, _ in scope.statements():
                if isinstance(statement, ast.FunctionDef) and statement.name == name:
                    return Scope(place.scope.module, statement, statement.body, scope, scope.class_name)
            scope = scope.outer
        return None

    @staticmethod
    def _function_in(module: Module | None, name: str) -> tuple[Scope, bool] | None:
        if module is None or name not in module.functions:
            return None
        node = module.functions[name]
        return Scope(module, node, node.body), False

    def resolve(self, module: Module, name: str) -> tuple[Module | None, str]:
        """The module that declares a name which may be imported, and its name there."""
        for _ in range(_MOST_HOPS):
            if name in module.functions or name in module.classes or name not in module.imports:
                return module, name
            owner, _, last = module.imports[name].rpartition(".")
            if owner not in self._modules or self._modules[owner] is module:
                return None, name
            module, name = self._modules[owner], last
        return None, name

    def module_of(self, expression: ast.expr, place: Place) -> Module | None:
        """The module that an expression names."""
        full = dotted(expression)
        if not full:
            return None
        first, _, rest = full.partition(".")
        base = place.scope.module.imports.get(first, "")
        return self._modules.get(f"{base}.{rest}" if rest else base)

    def class_of(self, callee: ast.expr, place: Place) -> tuple[Module, ast.ClassDef] | None:
        """The class that an expression names, and its module."""
        owner: Module | None = place.scope.module
        name = last_name(callee)
        if isinstance(callee, ast.Name):
            owner, name = self.resolve(place.scope.module, name)
        elif isinstance(callee, ast.Attribute):
            owner = self.module_of(callee.value, place)
            if owner and name not in owner.classes:
                owner, name = self.resolve(owner, name)
        return (owner, owner.classes[name]) if owner and name in owner.classes else None
