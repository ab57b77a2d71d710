"""Message templates: literal text with holes, and how they are put together.

A template is a tuple of strings of odd length: literal, hole, literal, …, literal. A hole is the source of the
expression that fills it. What an expression may come to is a list of templates, because branches make several.
"""

import re
from collections.abc import Iterable, Sequence

Template = tuple[str, ...]

MOST_ALTERNATIVES = 12
LONGEST_HOLE = 60
_PERCENT = re.compile(r"%(?:\((\w+)\))?[-#0 +]*(?:\d+|\*)?(?:\.(?:\d+|\*))?([a-zA-Z%])")
_FIELD = re.compile(r"\{\{|\}\}|\{([^{}!:]*)(?:![rsa])?(?::(?:[^{}]|\{[^{}]*\})*)?\}")


def literal(text: str) -> Template:
    """A template without holes."""
    return (text,)


def hole(source: str) -> Template:
    """A template of nothing but a hole."""
    return ("", source if len(source) <= LONGEST_HOLE else source[: LONGEST_HOLE - 1] + "…", "")


def join(parts: Iterable[Template]) -> Template:
    """Templates one after another; holes that touch become one."""
    joined: list[str] = [""]
    for part in parts:
        joined[-1] += part[0]
        joined += part[1:]
    result = [joined[0]]
    for name, text in zip(joined[1::2], joined[2::2], strict=True):
        if result[-1] == "" and len(result) > 1 and result[-2]:
            result[-2] = result[-2] if name in result[-2].split(" ") else f"{result[-2]} {name}"[:LONGEST_HOLE]
            result[-1] = text
        else:
            result += [name, text]
    return tuple(result)


def concatenate(pieces: Sequence[Sequence[Template]]) -> list[Template]:
    """Every way to choose one alternative from each piece, joined; too many become holes, the later pieces first."""
    results: list[tuple[Template, ...]] = [()]
    for alternatives in pieces:
        if len(results) * len(alternatives) <= MOST_ALTERNATIVES:
            results = [(*result, one) for result in results for one in alternatives]
        else:
            results = [(*result, hole("…")) for result in results]
    return unique(join(result) for result in results)


def unique(templates: Iterable[Template]) -> list[Template]:
    """Each template once, in order, no more than there may be."""
    return list(dict.fromkeys(templates))[:MOST_ALTERNATIVES]


def literal_length(template: Template) -> int:
    """How many characters of it are fixed."""
    return sum(len(text.strip()) for text in template[::2])


def percent(text: str, named: dict[str, list[Template]], given: list[list[Template]]) -> list[Template]:
    """``text % values``."""
    pieces: list[list[Template]] = []
    position, place = 0, 0
    for match in _PERCENT.finditer(text):
        pieces.append([literal(text[position : match.start()])])
        position = match.end()
        if match[2] == "%":
            pieces.append([literal("%")])
        elif match[1]:
            pieces.append(named.get(match[1], [hole(match[1])]))
        else:
            pieces.append(given[place] if place < len(given) else [hole("…")])
            place += 1
    return concatenate([*pieces, [literal(text[position:])]])


def formatted(text: str, named: dict[str, list[Template]], given: list[list[Template]]) -> list[Template]:
    """``text.format(values)``."""
    pieces: list[list[Template]] = []
    position, place = 0, 0
    for match in _FIELD.finditer(text):
        pieces.append([literal(text[position : match.start()])])
        position = match.end()
        name = match[1]
        if name is None:
            pieces.append([literal(match[0][0])])
            continue
        if not name:
            name = str(place)
            place += 1
        if name.isdecimal():
            pieces.append(given[int(name)] if int(name) < len(given) else [hole("…")])
        else:
            pieces.append(named.get(name, [hole(name)]))
    return concatenate([*pieces, [literal(text[position:])]])
