"""The sidebar's tree: wings with their counts, exhibits with their numbers and verdict marks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from gui.models.roles import ASIDE_ROLE, ID_ROLE, MARK_ROLE, ROW_ROLE

if TYPE_CHECKING:
    from museum.catalog import Catalog
    from museum.exhibit import Exhibit, Wing

_Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class Mark:
    """A verdict in one sign, with the colour role that backs it up and the words that say it."""

    sign: str
    role: str
    words: str


@dataclass(frozen=True, slots=True)
class Row:
    """What a row needs to be laid out, asked for at once: hundreds are laid out at a key.

    Attributes:
        title: Its text.
        aside: Beside or below it.
        is_heading: Whether it stands above others.
    """

    title: str
    aside: str
    is_heading: bool


AT_ONCE = 16  # hits that are listed before the visitor scrolls; a view takes two such portions
FAVOURITES = "favourites"  # id of the section above the wings; it is no place to go to


class CatalogModel(QAbstractItemModel):
    """Favourites and wings at the top, exhibits below; or, while the visitor searches, the exhibits found.

    Args:
        catalog: The collection.
        marks: Mark of each exhibit, by id.
        parent: Owner.
    """

    def __init__(self, catalog: "Catalog", marks: Mapping[str, Mark], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._wings = catalog.wings
        self._marks = dict(marks)
        self._favourites: Wing | None = None
        self._found: Sequence[Exhibit] | None = None
        self._fetched = AT_ONCE

    @property
    def _sections(self) -> "tuple[Wing, ...]":
        return (self._favourites, *self._wings) if self._favourites else self._wings

    def set_favourites(self, exhibits: "Sequence[Exhibit]") -> None:
        """Show these above the wings; none takes no room."""
        from museum.exhibit import Wing

        self.beginResetModel()
        self._favourites = Wing(FAVOURITES, "Favourites", "", tuple(exhibits)) if exhibits else None
        self.endResetModel()

    def set_mark(self, exhibit: str, mark: Mark) -> None:
        """Change one exhibit's mark."""
        self._marks[exhibit] = mark
        for index in self._indexes_of(exhibit):
            self.dataChanged.emit(index, index)
            wing = index.parent()  # none while only hits are shown
            if wing.isValid():
                self.dataChanged.emit(wing, wing)

    def set_catalog(self, catalog: "Catalog", marks: Mapping[str, Mark]) -> None:
        """Another collection; exhibits that were there before keep their marks unless `marks` has others."""
        self.beginResetModel()
        self._wings = catalog.wings
        self._marks |= marks
        self.endResetModel()

    def show_found(self, found: "Sequence[Exhibit] | None") -> None:
        """Show only these, flat, in this order; None for all."""
        self.beginResetModel()
        self._found = found
        self._fetched = AT_ONCE
        self.endResetModel()

    def canFetchMore(self, parent: _Index) -> bool:
        """Whether there are hits that the list has not come to yet."""
        return self._found is not None and not parent.isValid() and self._fetched < len(self._found)

    def fetchMore(self, parent: _Index) -> None:
        """The next ones: a list of hundreds is not laid out at each key."""
        if self.canFetchMore(parent):
            more = min(AT_ONCE, len(self._found or ()) - self._fetched)
            self.beginInsertRows(QModelIndex(), self._fetched, self._fetched + more - 1)
            self._fetched += more
            self.endInsertRows()

    def fetch_to(self, name: str) -> None:
        """List as many hits as it takes to come to one."""
        if self._found is not None:
            place = next((row for row, one in enumerate(self._found) if one.id == name), -1)
            while place >= self._fetched and self.canFetchMore(QModelIndex()):
                self.fetchMore(QModelIndex())

    def index_of(self, name: str) -> QModelIndex:
        """Where a wing or an exhibit stands, of a favourite the place in its wing; invalid when it does not."""
        return (self._indexes_of(name) or [QModelIndex()])[-1]

    def _indexes_of(self, name: str) -> list[QModelIndex]:
        if self._found is not None:
            listed = self._found[: self._fetched]
            return [self.createIndex(row, 0, 0) for row, one in enumerate(listed) if one.id == name]
        found = []
        for number, wing in enumerate(self._sections):
            if wing.id == name:
                found.append(self.createIndex(number, 0, 0))
            found += [self.createIndex(row, 0, number + 1) for row, one in enumerate(wing.exhibits) if one.id == name]
        return found

    def _item(self, index: _Index) -> "Wing | Exhibit":
        if self._found is not None:
            return self._found[index.row()]
        wing_number = index.internalId()
        sections = self._sections
        return sections[index.row()] if not wing_number else sections[wing_number - 1].exhibits[index.row()]

    def flags(self, index: _Index) -> Qt.ItemFlag:
        """The heading of the favourites only stands there."""
        is_place = index.isValid() and self._item(index).id != FAVOURITES
        return super().flags(index) if is_place else Qt.ItemFlag.NoItemFlags

    def index(self, row: int, column: int, parent: _Index = QModelIndex()) -> QModelIndex:  # noqa: B008
        """Children of a wing carry its number from 1; wings and hits carry 0."""
        if column or not 0 <= row < self.rowCount(parent):  # `hasIndex` asks the same in twice the time
            return QModelIndex()
        return self.createIndex(row, column, parent.row() + 1 if parent.isValid() else 0)

    def parent(self, index: _Index = QModelIndex()) -> QModelIndex:  # type: ignore[override]  # noqa: B008
        """The wing of an exhibit."""
        number = index.internalId() if index.isValid() else 0
        return self.createIndex(number - 1, 0, 0) if number else QModelIndex()

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        """Wings, exhibits of a wing, or hits."""
        if not parent.isValid():
            return len(self._sections) if self._found is None else min(len(self._found), self._fetched)
        is_wing = self._found is None and not parent.internalId()
        return len(self._sections[parent.row()].exhibits) if is_wing else 0

    def columnCount(self, _parent: _Index = QModelIndex()) -> int:  # noqa: B008
        """One."""
        return 1

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Text, id, what stands at the right edge, and the verdict mark."""
        if not index.isValid():
            return None
        item = self._item(index)
        if role == ROW_ROLE:
            return Row(item.title, self._aside(item), is_heading=_exhibits_of(item) is not None)
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return item.title
            case Qt.ItemDataRole.ToolTipRole | Qt.ItemDataRole.AccessibleTextRole:
                return self._words(item)
            case x if x == ID_ROLE:
                return item.id
            case x if x == ASIDE_ROLE:
                return self._aside(item)
            case x if x == MARK_ROLE:
                return self._marks.get(item.id)
        return None

    def _aside(self, item: "Wing | Exhibit") -> str:
        exhibits = _exhibits_of(item)
        if exhibits is None:
            return item.id.partition("/")[0] if self._found is not None else ""
        if item.id == FAVOURITES:
            return ""
        proven = sum(self._marks[exhibit.id].role == "good" for exhibit in exhibits if exhibit.id in self._marks)
        return f"{proven}/{len(exhibits)}"

    def _words(self, item: "Wing | Exhibit") -> str:
        if item.id == FAVOURITES:
            return item.title
        if _exhibits_of(item) is not None:
            return f"{item.title}: {self._aside(item)} proven"
        mark = self._marks.get(item.id)
        return f"{item.title} ({mark.words})" if mark else item.title


def _exhibits_of(item: "Wing | Exhibit") -> "Sequence[Exhibit] | None":
    """The exhibits of a wing; None for an exhibit."""
    return getattr(item, "exhibits", None)
