"""Paints the rows of the sidebar."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from gui.models.roles import ASIDE_ROLE, ID_ROLE, MARK_ROLE
from gui.theme import Theme


class RowPainter(QStyledItemDelegate):
    """A wing as a heading with its count; an exhibit as mark and title.

    Args:
        theme: Colours and sizes.
    """

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
