"""Exhibits that others made, shown without anything in them that acts: no image, no address, no HTML.

Nothing is parsed, so that nobody can be of another mind than the renderer about what is code and what is text: wherever
a link, an image, an address or a tag could begin, a character of no width breaks it.
"""

import re
from collections.abc import Callable

import msgspec

from museum.exhibit import Exhibit, ExhibitFile, Placard

BREAK = "\N{ZERO WIDTH SPACE}"
_OWN_LINK = re.compile(r"\]\(museum:[a-z0-9-]+(?:/[a-z0-9-]+)?\)")
_RULES: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"!(?=\[)"), f"!{BREAK}"),  # an image
    (re.compile(r"\](?=[(:\[])"), f"]{BREAK}"),  # a link, a definition of one, a reference to one
    (re.compile(r"<(?=[A-Za-z/!?])"), f"<{BREAK}"),  # HTML, an address in angle brackets
    (re.compile(r":(?=//)"), f":{BREAK}"),  # an address by itself
    (re.compile(r"\b(www)(?=\.)", re.IGNORECASE), rf"\1{BREAK}"),
    (re.compile(r"@(?=\w)"), f"@{BREAK}"),  # a mail address by itself
    (re.compile(r"&(?=[#A-Za-z])"), f"&{BREAK}"),  # an entity, which could be any of these
)


def inert_markdown(text: str) -> str:
    """Markdown in which only links to exhibits and wings of the museum still lead anywhere."""
    pieces, end = [], 0
    for link in _OWN_LINK.finditer(text):
        pieces += [_broken(text[end : link.start()]), link[0]]
        end = link.end()
    return "".join((*pieces, _broken(text[end:])))


def inert_line(text: str) -> str:
    """A line in which nothing is markup for any renderer."""
    return _broken(" ".join(text.split()))


def inert(exhibit: Exhibit) -> Exhibit:
    """The exhibit with a placard, titles and sources that do nothing; its scripts and captures stay as they are.

    Sources become lines under "See also", to be read and not followed.
    """
    facts, placard = exhibit.facts, exhibit.placard
    see_also = [inert_markdown(placard.see_also)] if placard.see_also else []
    see_also += [f"- {inert_line(source.title)}: {inert_line(source.url)}" for source in facts.sources]
    told = Placard(
        inert_markdown(placard.what_it_means),
        inert_markdown(placard.when_you_meet_it),
        inert_markdown(placard.ways_out),
        "\n".join(see_also),
    )
    captures = tuple(
        msgspec.structs.replace(capture, source=inert_line(capture.source), target=inert_line(capture.target))
        for capture in exhibit.captures
    )
    return msgspec.structs.replace(exhibit, facts=_inert_facts(facts), placard=told, captures=captures)


def _inert_facts(facts: ExhibitFile) -> ExhibitFile:
    line: Callable[[str], str] = inert_line
    return msgspec.structs.replace(
        facts,
        title=line(facts.title),
        needs_why=line(facts.needs_why),
        fix_needs_why=line(facts.fix_needs_why),
        sources=(),
    )


def _broken(text: str) -> str:
    for pattern, instead in _RULES:
        text = pattern.sub(instead, text)
    return text
