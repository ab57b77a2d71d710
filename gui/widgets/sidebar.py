"""The walk through the museum: wings and exhibits, or what a search found."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTreeView, QWidget

from gui.models.catalog_model import ASIDE_ROLE, ID_ROLE, MARK_ROLE, CatalogModel
from gui.theme import Theme


class Sidebar(QTreeView):
    """Shows a catalogue model.

    Args:
        theme: Colours and sizes.
        parent: The widget that it is a part of.

    Signals:
        chosen: The visitor went to a wing or an exhibit; carries its id.
    """

    chosen = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
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
        self._delegate = _RowPainter(theme)
        self.setItemDelegate(self._delegate)
        self._following = True
        self._nothing_found = False
        self.set_theme(theme)

    def set_empty(self, *, nothing_found: bool) -> None:
        """Say so when a search found nothing."""
        self._nothing_found = nothing_found
        self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The rows, or why there are none."""
        super().paintEvent(event)
        if self._nothing_found:
            painter = QPainter(self.viewport())
            painter.setPen(self._delegate.theme.colour("faint"))
            space = self._delegate.theme.sizes.space
            place = self.viewport().rect().adjusted(space, space * 2, -space, 0)
            words = "Nothing found. Every word must occur in an exhibit; try fewer of them."
            painter.drawText(place, int(Qt.TextFlag.TextWordWrap), words)

    def set_theme(self, theme: Theme) -> None:
        """Change colours and sizes."""
        self._delegate.theme = theme
        self.setMinimumWidth(theme.sizes.space * 19)
        self.scheduleDelayedItemsLayout()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Titles wrap at the new width."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.scheduleDelayedItemsLayout()

    def set_catalog_model(self, model: CatalogModel) -> None:
        """Show a model; every wing stays open, also after a search."""
        self.setModel(model)
        model.modelReset.connect(self.expandAll)
        self.expandAll()
        self.selectionModel().currentChanged.connect(self._on_current_changed)

    def select(self, name: str) -> None:
        """Mark where the visitor is, without telling that they chose it."""
        model = self.model()
        if isinstance(model, CatalogModel):
            index = model.index_of(name)
            self._following = False
            self.setCurrentIndex(index)
            self._following = True
            if index.isValid():
                self.scrollTo(index)

    def _on_current_changed(self, current: QModelIndex, _previous: QModelIndex) -> None:
        if self._following and current.isValid():
            self.chosen.emit(current.data(ID_ROLE))


class _RowPainter(QStyledItemDelegate):
    """A wing as a heading with its count; an exhibit as number, title (up to two lines) and mark."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.theme = theme

    def _is_heading(self, index: QModelIndex | QPersistentModelIndex) -> bool:
        return "/" not in index.data(ID_ROLE)

    def _font(self, index: QModelIndex | QPersistentModelIndex) -> QFont:
        return self.theme.font("text", weight=QFont.Weight.DemiBold if self._is_heading(index) else QFont.Weight.Normal)

    def _title_rect(self, rect: QRect, index: QModelIndex | QPersistentModelIndex) -> QRect:
        space = self.theme.sizes.space
        left = 0 if self._is_heading(index) else 2 * space
        return rect.adjusted(space + left, space // 2, -space * 2 - self._aside_width(index), -space // 2)

    def _aside_width(self, index: QModelIndex | QPersistentModelIndex) -> int:
        text = index.data(ASIDE_ROLE)
        return QFontMetrics(self.theme.font("small")).horizontalAdvance(text) if text else 0

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Everything by hand: the style's own rows are boxes."""
        theme, space = self.theme, self.theme.sizes.space
        painter.save()
        rect: QRect = option.rect
        state: QStyle.StateFlag = option.state
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, theme.colour("accent_wash"))
            painter.fillRect(QRect(rect.left(), rect.top(), 3, rect.height()), theme.colour("accent"))
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(rect, theme.colour("hover"))
        title = self._title_rect(rect, index)
        painter.setFont(self._font(index))
        painter.setPen(theme.colour("ink"))
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextWordWrap
        painter.drawText(title, flags, index.data())
        painter.setFont(theme.font("small"))
        painter.setPen(theme.colour("faint"))
        aside = rect.adjusted(0, 0, -space, 0)
        painter.drawText(aside, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, index.data(ASIDE_ROLE))
        mark = index.data(MARK_ROLE)
        if mark is not None:
            painter.setPen(theme.colour(mark.role))
            place = QRect(rect.left() + space, rect.top(), 2 * space, rect.height())
            painter.drawText(place, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, mark.sign)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """As many lines as the title needs at this width."""
        space = self.theme.sizes.space
        widget: QWidget = option.widget
        width = widget.viewport().width() if isinstance(widget, QAbstractItemView) else 220
        title = self._title_rect(QRect(0, 0, width, 1000), index)
        metrics = QFontMetrics(self._font(index))
        text = metrics.boundingRect(title, int(Qt.TextFlag.TextWordWrap), index.data())
        extra = space * 2 if self._is_heading(index) else space
        return QSize(width, text.height() + extra)
