"""The sidebar's tree: wings with their counts, exhibits with their numbers and verdict marks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from gui.models.roles import ASIDE_ROLE, ID_ROLE, MARK_ROLE

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


class CatalogModel(QAbstractItemModel):
    """Wings at the top, exhibits below; or, while the visitor searches, the exhibits found.

    Args:
        catalog: The collection.
        marks: Mark of each exhibit, by id.
        parent: Owner.
    """

    def __init__(self, catalog: "Catalog", marks: Mapping[str, Mark], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._wings = catalog.wings
        self._marks = dict(marks)
        self._found: Sequence[Exhibit] | None = None

    def set_mark(self, exhibit: str, mark: Mark) -> None:
        """Change one exhibit's mark."""
        self._marks[exhibit] = mark
        index = self.index_of(exhibit)
        if index.isValid():
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
        self.endResetModel()

    def index_of(self, name: str) -> QModelIndex:
        """Where a wing or an exhibit stands; invalid when it does not."""
        if self._found is not None:
            return next((self.index(row, 0) for row, one in enumerate(self._found) if one.id == name), QModelIndex())
        for number, wing in enumerate(self._wings):
            top = self.index(number, 0)
            if wing.id == name:
                return top
            for row, exhibit in enumerate(wing.exhibits):
                if exhibit.id == name:
                    return self.index(row, 0, top)
        return QModelIndex()

    def _item(self, index: _Index) -> "Wing | Exhibit":
        if self._found is not None:
            return self._found[index.row()]
        wing_number = index.internalId()
        return self._wings[index.row()] if not wing_number else self._wings[wing_number - 1].exhibits[index.row()]

    def index(self, row: int, column: int, parent: _Index = QModelIndex()) -> QModelIndex:  # noqa: B008
        """Children of a wing carry its number from 1; wings and hits carry 0."""
        if not self.hasIndex(row, column, parent):
            return QModelIndex()
        return self.createIndex(row, column, parent.row() + 1 if parent.isValid() else 0)

    def parent(self, index: _Index = QModelIndex()) -> QModelIndex:  # type: ignore[override]  # noqa: B008
        """The wing of an exhibit."""
        number = index.internalId() if index.isValid() else 0
        return self.createIndex(number - 1, 0, 0) if number else QModelIndex()

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        """Wings, exhibits of a wing, or hits."""
        if not parent.isValid():
            return len(self._wings) if self._found is None else len(self._found)
        is_wing = self._found is None and not parent.internalId()
        return len(self._wings[parent.row()].exhibits) if is_wing else 0

    def columnCount(self, _parent: _Index = QModelIndex()) -> int:  # noqa: B008
        """One."""
        return 1

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Text, id, what stands at the right edge, and the verdict mark."""
        if not index.isValid():
            return None
        item = self._item(index)
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
        proven = sum(self._marks[exhibit.id].role == "good" for exhibit in exhibits if exhibit.id in self._marks)
        return f"{proven}/{len(exhibits)}"

    def _words(self, item: "Wing | Exhibit") -> str:
        if _exhibits_of(item) is not None:
            return f"{item.title}: {self._aside(item)} proven"
        mark = self._marks.get(item.id)
        return f"{item.title} ({mark.words})" if mark else item.title


def _exhibits_of(item: "Wing | Exhibit") -> "Sequence[Exhibit] | None":
    """The exhibits of a wing; None for an exhibit."""
    return getattr(item, "exhibits", None)
