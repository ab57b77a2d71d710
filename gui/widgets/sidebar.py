"""The walk through the museum: wings and exhibits, or what a search found."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QTreeView, QWidget

from gui.models.roles import ID_ROLE
from gui.theme import Theme

if TYPE_CHECKING:
    from gui.models.catalog_model import CatalogModel
    from gui.widgets.row_painter import RowPainter


class Sidebar(QTreeView):
    """Shows a catalogue model.

    Args:
        theme: Colours and sizes.
        parent: The widget that it is a part of.

    Signals:
        chosen: The visitor went to a wing or an exhibit; carries its id.
        search_ended: Esc was pressed among what a search found.
        left_up: Up was pressed at the first that a search found.
    """

    chosen = Signal(str)
    search_ended = Signal()
    left_up = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        self._searching = False  # Qt lays out an empty list while it makes one
        super().__init__(parent)
        self.setObjectName("sidebar")
        self.setAccessibleName("Wings and exhibits")
        self.setHeaderHidden(True)
        self.setRootIsDecorated(False)
        self.setIndentation(0)
        self.setMouseTracking(True)
        self.setExpandsOnDoubleClick(False)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        # Always there: when it comes and goes, every title is laid out twice at a key.
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self._theme = theme
        self._rows: RowPainter | None = None
        self._catalog_model: CatalogModel | None = None
        self._following = True
        self._selected = ""
        self.set_theme(theme)

    def set_searching(self, *, searching: bool) -> None:
        """Whether it shows what a search found: Esc then ends the search, and Up leads back to the search box."""
        self._searching = searching

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Two keys more than a list has, while it shows what a search found."""
        if self._searching and event.key() == Qt.Key.Key_Escape:
            self.search_ended.emit()
        elif self._searching and event.key() == Qt.Key.Key_Up and self.currentIndex().row() <= 0:
            self.left_up.emit()
        else:
            super().keyPressEvent(event)

    def set_theme(self, theme: Theme) -> None:
        """Change colours and sizes."""
        self._theme = theme
        if self._rows is not None:
            self._rows.set_theme(theme)
        self.setMinimumWidth(theme.sizes.space * 19)
        self.scheduleDelayedItemsLayout()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Titles wrap at the new width."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.scheduleDelayedItemsLayout()

    def updateGeometries(self) -> None:
        """A list that is higher than what it holds takes more: Qt asks for more only at the end of a scroll bar."""
        super().updateGeometries()
        if self._searching and self.verticalScrollBar().maximum() == 0:
            QTimer.singleShot(0, self, self._fetch_more)

    def _fetch_more(self) -> None:
        model = self._catalog_model
        if model is not None and self.verticalScrollBar().maximum() == 0 and model.canFetchMore(QModelIndex()):
            model.fetchMore(QModelIndex())

    def set_catalog_model(self, model: "CatalogModel") -> None:
        """Show a model; every wing stays open, also after a search."""
        from gui.widgets.row_painter import RowPainter

        self._rows = RowPainter(self._theme)
        self.setItemDelegate(self._rows)
        self._catalog_model = model
        self.setModel(model)
        model.modelReset.connect(self._on_model_reset)
        model.rowsInserted.connect(self._on_rows_inserted)
        self.expandAll()
        self.selectionModel().currentChanged.connect(self._on_current_changed)

    def select(self, name: str) -> None:
        """Mark where the visitor is, without telling that they chose it."""
        self._selected = name
        if self._catalog_model is not None:
            index = self.currentIndex()
            if not index.isValid() or index.data(ID_ROLE) != name:  # a favourite stands in two places: stay at this one
                index = self._catalog_model.index_of(name)
            self._mark(index)
            if index.isValid():
                self.scrollTo(index)

    def _mark(self, index: QModelIndex) -> None:
        self._following = False
        self.setAutoScroll(False)
        self.setCurrentIndex(index)
        self.setAutoScroll(True)
        self._following = True

    def _on_model_reset(self) -> None:
        if self._searching and self._catalog_model is not None:
            self._mark(self._catalog_model.index_of(self._selected))
            self.scrollToTop()  # the best hits are to be seen, wherever the visitor is
        else:
            self.expandAll()
            self.select(self._selected)

    def _on_rows_inserted(self) -> None:
        """Among the further hits may be the one where the visitor is."""
        if self._catalog_model is not None and not self.currentIndex().isValid():
            self._mark(self._catalog_model.index_of(self._selected))

    def _on_current_changed(self, current: QModelIndex, _previous: QModelIndex) -> None:
        if self._following and current.isValid():
            self._selected = current.data(ID_ROLE)
            self.chosen.emit(current.data(ID_ROLE))
