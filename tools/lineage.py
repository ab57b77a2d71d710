"""Follow the raise sites that the exhibits are about through the versions of JAX, and write what they said on each.

    uv run --no-sync python tools/lineage.py INDEXES

INDEXES is a folder of indexes of raise sites, ``VERSION.json.gz`` each, made by
``python museum/diagnosis/extraction/__main__.py SITE_PACKAGES VERSION.json.gz`` of unpacked wheels of JAX: a version
every few months will do. A capture finds its site in its own version's index; from there the site is followed, version
by version, by its words and by its function. `lineage_links.toml` names old sites that neither leads to. Run it after
exhibits or captures were added.
"""

import argparse
import json
import math
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from packaging.version import Version

from museum.catalog import load_catalog
from museum.diagnosis.examples import printed
from museum.diagnosis.exhibit_search import at_odds
from museum.diagnosis.extraction.deprecated import SPEAKER
from museum.diagnosis.site_index import RaiseSite, SiteIndex, load_index, shown
from museum.diagnosis.site_search import find_sites
from museum.diagnosis.skeletons import HOLE, common, skeleton
from museum.errors import MuseumError
from museum.exhibit import Exhibit

HERE = Path(__file__).resolve().parent
DATA = HERE.parent / "museum" / "diagnosis" / "data" / "lineage.json"
LINKS = HERE / "lineage_links.toml"

_LEAST_FIXED, _LEAST_WORDS = 16, 3  # characters, and words, that a text must have of its own
_OPENERS = 4  # the rarest words of a text, of which another must have two to be compared
_SAME_FUNCTION, _ANYWHERE, _ALONE = 0.45, 0.6, 0.2  # shares of common words from which on a site is the same
_ENOUGH_IN_FUNCTION, _ENOUGH_ANYWHERE = 20.0, 30.0  # their weight
_UNKNOWN = 8.0  # weight of a word that was never seen
# A text that only carries another error's text is everybody's.
_ENVELOPE = re.compile(r"(?:str\(|repr\()?(?:e|ex|exc|err|error|msg|message|extra_msg)\)?|.*diagnostic.*")
# Of these every object, or every function, says the same: only the name or the type tells, and captures have it.
_ABOUT_NAMES = ("has no attribute", "for argument to vjp function")

Key = tuple[str, ...]
Found = dict[Key, dict[str, int]]
"""What was found for an exhibit: by text, the versions in which it stands, and its number there."""


class Old:
    """One version's texts, ready to be compared."""

    def __init__(self, file: Path) -> None:
        self.jax = file.name.removesuffix(".json.gz")
        self.index: SiteIndex = load_index(file)
        self.words = [skeleton(HOLE.join(template[::2])) for template in self.index.templates]
        self.numbers: dict[Key, list[int]] = {}
        self.holding: dict[str, set[int]] = {}
        self.saying: dict[tuple[str, str], set[int]] = {}
        self.places: list[set[tuple[str, str]]] = []
        for number, template in enumerate(self.index.templates):
            self.numbers.setdefault(key_of(template), []).append(number)
            places = {place_of(site) for site in self.sites(number)}
            self.places.append(places)
            for place in places:
                self.saying.setdefault(place, set()).add(number)
            for word in set(self.words[number]) - {HOLE}:
                self.holding.setdefault(word, set()).add(number)

    def sites(self, number: int) -> list[RaiseSite]:
        """Where a text is raised."""
        return [self.index.sites[site] for site in self.index.sites_of[number]]

    def key(self, number: int) -> Key:
        """A text without the names of its holes."""
        return key_of(self.index.templates[number])


@dataclass
class Weights:
    """How telling words are, over all versions."""

    by_word: dict[str, float]

    @classmethod
    def of(cls, versions: Iterable[Old]) -> "Weights":
        """Count."""
        frequency: Counter[str] = Counter()
        many = 0
        for version in versions:
            many += len(version.words)
            for words in version.words:
                frequency.update(set(words))
        weights = {word: math.log(1 + many / (count + 1)) for word, count in frequency.items()}
        return cls(weights | {HOLE: 0.0})

    def weight(self, word: str) -> float:
        """Of one word."""
        return self.by_word.get(word, _UNKNOWN)

    def likeness(self, one: Key, other: Key) -> tuple[float, float]:
        """The share of common words in order, and their weight."""
        both = common(one, other, self.by_word, _UNKNOWN)
        total = sum(map(self.weight, one)) + sum(map(self.weight, other))
        return (2 * both / total if total else 0.0), both

    def openers(self, words: Key) -> list[str]:
        """The rarest."""
        return sorted(set(words) - {HOLE}, key=lambda word: (-self.weight(word), word))[:_OPENERS]


def key_of(template: tuple[str, ...]) -> Key:
    """A template's fixed texts, white space squeezed."""
    return tuple(" ".join(text.split()) for text in template[::2])


def place_of(site: RaiseSite) -> tuple[str, str]:
    """A site's file and function without what moves about: folders and classes."""
    return site.file.rpartition("/")[2], site.function.rpartition(".")[2]


def about(old: Old, number: int) -> str:
    """The name that a table of given-up names tells of; "" for other texts."""
    first = old.index.templates[number][0].split(maxsplit=1)[:1]
    return first[0] if first and any(site.file == SPEAKER for site in old.sites(number)) else ""


def partners(old: Old, number: int, other: Old, weights: Weights) -> list[int]:
    """The same site's texts in another version: the same words, or else the likeliest rewording."""
    same = other.numbers.get(old.key(number))
    if same:
        return same
    best: tuple[float, int] | None = None
    for candidate, is_near in _candidates(old, number, other, weights):
        share, both = weights.likeness(old.words[number], other.words[candidate])
        least, enough = (_SAME_FUNCTION, _ENOUGH_IN_FUNCTION) if is_near else (_ANYWHERE, _ENOUGH_ANYWHERE)
        if at_odds(old.words[number], other.words[candidate]):
            continue
        if share >= least and both >= enough and about(old, number) == about(other, candidate):
            best = max(best or (share, candidate), (share, candidate))
    if best:
        return [best[1]]
    return list(_changed_alone(old, number, other, weights))


def _candidates(old: Old, number: int, other: Old, weights: Weights) -> Iterator[tuple[int, bool]]:
    """Texts that stand in the other version only, and whether in the same function."""
    near = {one for place in old.places[number] for one in other.saying.get(place, ())}
    openers = weights.openers(old.words[number])
    counts = Counter(one for word in openers for one in other.holding.get(word, ()))
    far = {one for one, count in counts.items() if count >= 2} if len(openers) >= 3 else set()
    for candidate in sorted(near | far):
        if other.key(candidate) not in old.numbers:
            yield candidate, candidate in near


def _changed_alone(old: Old, number: int, other: Old, weights: Weights) -> Iterator[int]:
    """The one text that changed in a function where all else stayed."""
    classes = {site.error for site in old.sites(number)}
    for place in old.places[number]:
        gone = [one for one in old.saying[place] if old.key(one) not in other.numbers and _raises(old, one, classes)]
        come = [
            one
            for one in other.saying.get(place, ())
            if other.key(one) not in old.numbers and _raises(other, one, classes)
        ]
        if len(gone) == len(come) == 1:
            share, _ = weights.likeness(old.words[number], other.words[come[0]])
            if share >= _ALONE and about(old, number) == about(other, come[0]):
                yield come[0]
                return


def _raises(old: Old, number: int, classes: set[str]) -> bool:
    return any(site.error in classes for site in old.sites(number))


def own_sites(exhibit: Exhibit, version: Old) -> Iterator[int]:
    """The texts that an exhibit's captures on a version were made from."""
    for jax, error, message in printed(exhibit):
        if jax != version.jax:
            continue
        hits = find_sites(version.index, message, error)
        for hit in hits:
            whole = hit.alignment is not None and hit.alignment.is_whole and hit.same_class is not False
            if whole and hit.points >= hits[0].points - 1:
                yield hit.template


def follow(exhibit: Exhibit, versions: list[Old], weights: Weights) -> Found:
    """Every text of an exhibit's sites, forwards and backwards from each capture."""
    found: Found = {}
    for start, version in enumerate(versions):
        for number in own_sites(exhibit, version):
            found.setdefault(version.key(number), {})[version.jax] = number
            for step in (-1, 1):
                front, place = {number}, start
                while front and 0 <= place + step < len(versions):
                    old, other = versions[place], versions[place + step]
                    front = {one for number in front for one in partners(old, number, other, weights)}
                    place += step
                    for one in front:
                        found.setdefault(other.key(one), {})[other.jax] = one
    return found


def linked(link: dict[str, Any], versions: list[Old]) -> Found:
    """The texts that a link names.

    Raises:
        MuseumError: There are none.
    """
    found: Found = {}
    for version in versions:
        for number, template in enumerate(version.index.templates):
            places = {place[1] for place in version.places[number]}
            if link["function"] in places and link["says"] in " ".join(shown(template).split()):
                found.setdefault(version.key(number), {})[version.jax] = number
    if not found:
        raise MuseumError(f"{LINKS.name}: no version has {link['says']!r} in a function {link['function']}")
    return found


def is_telling(key: Key, names: Iterable[str]) -> bool:
    """Whether a text has enough of its own, and does not just carry another one's."""
    words = [word for word in skeleton(HOLE.join(key)) if word != HOLE]
    enough = sum(map(len, key)) >= _LEAST_FIXED and len(words) >= _LEAST_WORDS
    carries = any(_ENVELOPE.fullmatch(part) for name in names for part in name.split())
    return enough and not carries and not any(about in text for about in _ABOUT_NAMES for text in key)


def rows(found: dict[str, Found], versions: list[Old]) -> Iterator[dict[str, Any]]:
    """One row for each text, with all the exhibits that are about it."""
    by_jax = {version.jax: version for version in versions}
    exhibits: dict[Key, list[str]] = {}
    merged: Found = {}
    for exhibit, texts in found.items():
        for key, places in texts.items():
            exhibits.setdefault(key, []).append(exhibit)
            merged.setdefault(key, {}).update(places)
    for key, places in merged.items():
        stands = sorted(places, key=Version)
        version = by_jax[stands[-1]]
        template = version.index.templates[places[stands[-1]]]
        if is_telling(key, template[1::2]):
            site = version.sites(places[stands[-1]])[0]
            yield {
                "exhibits": sorted(exhibits[key]),
                "class": site.error,
                "file": site.file,
                "function": site.function,
                "since": stands[0],
                "until": stands[-1],
                "template": list(template),
            }


def main() -> int:
    """Follow, and write."""
    parser = argparse.ArgumentParser(description="Follow the exhibits' raise sites through the versions of JAX.")
    parser.add_argument("indexes", type=Path, metavar="INDEXES")
    files = parser.parse_args().indexes.glob("*.json.gz")
    versions = sorted((Old(file) for file in files), key=lambda old: Version(old.jax))
    weights = Weights.of(versions)
    found = {exhibit.id: follow(exhibit, versions, weights) for exhibit in load_catalog(check=False).exhibits}
    try:
        for link in tomllib.loads(LINKS.read_text("utf-8"))["link"]:
            for exhibit in link["exhibits"]:
                for key, places in linked(link, versions).items():
                    found[exhibit].setdefault(key, {}).update(places)
    except (MuseumError, KeyError) as error:
        print(f"lineage: {error}", file=sys.stderr)
        return 2
    made = sorted(rows(found, versions), key=lambda row: (row["exhibits"], Version(row["since"]), row["template"]))
    lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in made)
    DATA.write_text(f"[\n{lines}\n]\n", "utf-8")
    print(f"{DATA}: {len(made)} texts of {len({one for row in made for one in row['exhibits']})} exhibits")
    return 0


if __name__ == "__main__":
    sys.exit(main())
