"""Snippets on the bench, and how they are kept so that they survive a crash of anything."""

import uuid
from collections.abc import Sequence
from pathlib import Path

import msgspec

from museum.history import History

PLACE = "bench"  # of the shelf; a snippet's own is "bench/<id>"
MOST_CLOSED = 20  # that can be opened again
MOST_RECENT = 12  # files that are offered
STARTER = "import jax\n\nprint(jax.devices())\n"


class Snippet(msgspec.Struct, frozen=True, kw_only=True):
    """One tab of the bench.

    Attributes:
        id: For ever, and unlike that of another window's.
        title: The file's name, or a name of the museum's.
        code: As it stands, saved or not.
        path: Its file; "" for one that lies in none.
        saved: Digest of what the file held when it was last read or written; "" without a file.
        newline: How the file ends its lines.
        mark: The byte order mark that the file begins with, or "".
        target: Where it runs.
        jax: Version that it runs with; "" for the first at hand.
        arguments: As in a shell.
        variables: Lines of NAME=VALUE.
    """

    id: str
    title: str
    code: str = ""
    path: str = ""
    saved: str = ""
    newline: str = "\n"
    mark: str = ""
    target: str = "cpu:8"
    jax: str = ""
    arguments: str = ""
    variables: str = ""

    @property
    def content(self) -> str:
        """What belongs into its file."""
        return self.mark + self.code

    @property
    def place(self) -> str:
        """Where its draft is kept."""
        return f"{PLACE}/{self.id}"


class Shelf(msgspec.Struct, frozen=True):
    """Which snippets there are.

    Attributes:
        order: Ids of the tabs, from the left.
        current: Id of the one in front.
        closed: Ids of those closed, the last one last; they can be opened again.
        recent: Files, the last one first.
    """

    order: tuple[str, ...] = ()
    current: str = ""
    closed: tuple[str, ...] = ()
    recent: tuple[str, ...] = ()


def new_id() -> str:
    """An id that no other window makes as well."""
    return uuid.uuid4().hex[:12]


def untitled(titles: Sequence[str]) -> str:
    """A name that none of the titles is."""
    number = 1
    while f"Snippet {number}" in titles:
        number += 1
    return f"Snippet {number}"


class SnippetStore:
    """Keeps snippets among the drafts of the history.

    Args:
        history: Open.
    """

    def __init__(self, history: History) -> None:
        self._history = history

    def load(self) -> tuple[Shelf, dict[str, Snippet]]:
        """What was on the bench, and on those of other windows that are gone.

        A draft that cannot be read is passed over and stays where it is.

        Raises:
            MuseumError: It cannot be read.
        """
        joins = False

        def reconcile(place: str, texts: Sequence[str]) -> dict[str, str]:
            nonlocal joins
            joins = joins or (place == PLACE and len(texts) > 1)
            return reconciled(place, texts)

        self._history.take_over(reconcile)
        shelf, found = self._read()
        return _without_starters(shelf, found) if joins else (shelf, found)

    def _read(self) -> tuple[Shelf, dict[str, Snippet]]:
        shelf, found = Shelf(), dict[str, Snippet]()
        for place, text in self._history.drafts().items():
            try:
                if place == PLACE:
                    shelf = msgspec.json.decode(text, type=Shelf)
                elif place.startswith(f"{PLACE}/"):
                    snippet = msgspec.json.decode(text, type=Snippet)
                    found[snippet.id] = snippet
            except msgspec.DecodeError:
                continue
        order = [name for name in dict.fromkeys(shelf.order) if name in found]
        closed = tuple(name for name in shelf.closed if name in found and name not in order)
        # One that is on no list was made just before a crash.
        order += [name for name in found if name not in order and name not in closed]
        current = shelf.current if shelf.current in order else next(iter(order), "")
        return msgspec.structs.replace(shelf, order=tuple(order), current=current, closed=closed), found

    def keep(self, snippet: Snippet) -> None:
        """Remember a snippet as it stands.

        Raises:
            MuseumError: It cannot be written; what was kept before is still there.
        """
        self._history.keep_draft(snippet.place, msgspec.json.encode(snippet).decode())

    def keep_shelf(self, shelf: Shelf) -> Shelf:
        """Remember which snippets there are; those that were closed long ago are forgotten.

        Raises:
            MuseumError: It cannot be written.
        """
        gone, closed = shelf.closed[:-MOST_CLOSED], shelf.closed[-MOST_CLOSED:]
        shelf = msgspec.structs.replace(shelf, closed=closed)
        self._history.keep_draft(PLACE, msgspec.json.encode(shelf).decode())
        for name in gone:
            self._history.drop_draft(f"{PLACE}/{name}")
        return shelf

    def drop(self, name: str) -> None:
        """Forget a snippet."""
        self._history.drop_draft(f"{PLACE}/{name}")


def reconciled(place: str, texts: Sequence[str]) -> dict[str, str]:
    """What is to stand where, when several windows that are gone left something at one place.

    The newest stays there. Shelves are joined; of anything else the older texts become snippets, so that none is lost.

    Args:
        place: As in the history.
        texts: What was left, the newest first.
    """
    newest, *older = dict.fromkeys(texts)
    if place == PLACE:
        return {PLACE: _joined(texts)}
    made = {place: newest}
    for text in older:
        snippet = _from_elsewhere(place, text)
        made[snippet.place] = msgspec.json.encode(snippet).decode()
    return made


def _from_elsewhere(place: str, text: str) -> Snippet:
    if place.startswith(f"{PLACE}/"):
        try:
            return msgspec.structs.replace(msgspec.json.decode(text, type=Snippet), id=new_id())
        except msgspec.DecodeError:
            pass
    return Snippet(id=new_id(), title=f"{place}, from another window", code=text)


def _joined(texts: Sequence[str]) -> str:
    shelves = []
    for text in texts:
        try:
            shelves.append(msgspec.json.decode(text, type=Shelf))
        except msgspec.DecodeError:
            continue
    if not shelves:
        return texts[0]
    ids = [tuple(dict.fromkeys(name for shelf in shelves for name in shelf.order))]
    ids += [tuple(dict.fromkeys(name for shelf in reversed(shelves) for name in shelf.closed))]
    recent = tuple(dict.fromkeys(path for shelf in shelves for path in shelf.recent))[:MOST_RECENT]
    return msgspec.json.encode(Shelf(ids[0], shelves[0].current, ids[1], recent)).decode()


def _without_starters(shelf: Shelf, found: dict[str, Snippet]) -> tuple[Shelf, dict[str, Snippet]]:
    """Without the tabs that a bench begins with and that nobody touched, unless there is nothing else."""
    kept = {
        name: one for name, one in found.items() if one.code != STARTER or one.path or one.arguments or one.variables
    }
    order = tuple(name for name in shelf.order if name in kept)
    if not order:
        return shelf, found
    current = shelf.current if shelf.current in order else order[0]
    return msgspec.structs.replace(shelf, order=order, current=current), kept


def with_recent(shelf: Shelf, path: str) -> Shelf:
    """The shelf with a file in front of the recent ones."""
    recent = tuple(dict.fromkeys((path, *shelf.recent)))[:MOST_RECENT]
    return msgspec.structs.replace(shelf, recent=recent)


def title_of(path: str) -> str:
    """A file's name."""
    return Path(path).name
