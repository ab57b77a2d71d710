"""Names that JAX gives up: each module keeps a table of what to say of them, and one function says it."""

import ast
from collections.abc import Iterable, Iterator

from museum.diagnosis.extraction.modules import Module
from museum.diagnosis.extraction.place import Place
from museum.diagnosis.extraction.raised import Evaluator
from museum.diagnosis.extraction.scopes import Scope
from museum.diagnosis.extraction.templates import Template

TABLE = "_deprecations"
SPEAKER = "jax/_src/deprecations.py"
"""The file whose ``deprecation_getattr`` raises, or warns, with what stands in the tables."""


def deprecation_messages(modules: Iterable[Module], evaluator: Evaluator) -> tuple[Template, ...]:
    """What all tables say, each text once."""
    return tuple(dict.fromkeys(template for module in modules for template in _of(module, evaluator)))


def _of(module: Module, evaluator: Evaluator) -> Iterator[Template]:
    table = module.constants.get(TABLE)
    for value in table.values if isinstance(table, ast.Dict) else ():
        if isinstance(value, ast.Tuple) and value.elts:
            yield from evaluator.text(value.elts[0], Place(Scope(module, None, []), (), 0))
