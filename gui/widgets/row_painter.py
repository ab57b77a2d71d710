"""Paints the rows of the sidebar."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from gui.models.catalog_model import Row
from gui.models.roles import MARK_ROLE, ROW_ROLE
from gui.theme import Theme

LONG_WORD = 10  # letters that may be wider than the list is
MOST_HEIGHTS = 5000  # worked out at several widths, while the visitor drags a pane
_LEFT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft


class RowPainter(QStyledItemDelegate):
    """A wing as a heading with its count; an exhibit as mark and title, a hit with its wing below.

    How high a title is at a width is worked out once: a list is laid out anew at every key of a search.

    Args:
        theme: Colours and sizes.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        """Change colours and sizes."""
        self.theme = theme
        weights = {False: QFont.Weight.Normal, True: QFont.Weight.DemiBold}
        self._fonts = {is_heading: theme.font("text", weight=weight) for is_heading, weight in weights.items()}
        self._small = theme.font("small")
        self._metrics = {is_heading: QFontMetrics(font) for is_heading, font in self._fonts.items()}
        self._small_metrics = QFontMetrics(self._small)
        self._heights: dict[tuple[Row, int], int] = {}

    def _title_rect(self, rect: QRect, is_heading: bool, aside: str) -> QRect:
        space = self.theme.sizes.space
        left, right, below = 2 * space, 2 * space, self._small_metrics.height() if aside else 0
        if is_heading:
            left, right, below = 0, 2 * space + self._small_metrics.horizontalAdvance(aside), 0
        return rect.adjusted(space + left, space // 2, -right, -space // 2 - below)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Everything by hand: the style's own rows are boxes."""
        theme, space = self.theme, self.theme.sizes.space
        row: Row = index.data(ROW_ROLE)
        is_heading, aside = row.is_heading, row.aside
        painter.save()
        rect: QRect = option.rect
        state: QStyle.StateFlag = option.state
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, theme.colour("accent_wash"))
            painter.fillRect(QRect(rect.left(), rect.top(), 3, rect.height()), theme.colour("accent"))
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(rect, theme.colour("hover"))
        title = self._title_rect(rect, is_heading, aside)
        painter.setFont(self._fonts[is_heading])
        painter.setPen(theme.colour("ink"))
        painter.drawText(title, _LEFT | self._wrapping(row.title, is_heading, title.width()), row.title)
        painter.setFont(self._small)
        painter.setPen(theme.colour("faint"))
        if is_heading:
            right = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
            painter.drawText(rect.adjusted(0, 0, -space, 0), right, aside)
        elif aside:
            below = QRect(title.left(), title.bottom() + 1, title.width(), self._small_metrics.height())
            painter.drawText(below, _LEFT, aside)
        mark = index.data(MARK_ROLE)
        if mark is not None:
            painter.setPen(theme.colour(mark.role))
            painter.drawText(QRect(rect.left() + space, title.top(), 2 * space, title.height()), _LEFT, mark.sign)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """As many lines as the title needs at this width."""
        widget: QWidget = option.widget
        width = widget.viewport().width() if isinstance(widget, QAbstractItemView) else 220
        key = index.data(ROW_ROLE), width
        height = self._heights.get(key)
        if height is None:
            if len(self._heights) > MOST_HEIGHTS:
                self._heights.clear()
            height = self._heights[key] = self._height(*key)
        return QSize(width, height)

    def _height(self, row: Row, width: int) -> int:
        text, aside, is_heading = row.title, row.aside, row.is_heading
        space = self.theme.sizes.space
        title = self._title_rect(QRect(0, 0, width, 1000), is_heading, aside)
        flags = int(self._wrapping(text, is_heading, title.width()))
        lines = self._metrics[is_heading].boundingRect(title, flags, text).height()
        if is_heading:
            return lines + space * 2
        return lines + space + (self._small_metrics.height() if aside else 0)

    def _wrapping(self, text: str, is_heading: bool, width: int) -> Qt.TextFlag:
        """Between words, unless there is one that a line cannot hold."""
        advance = self._metrics[is_heading].horizontalAdvance
        is_long = any(len(word) >= LONG_WORD and advance(word) > width for word in text.split())
        return Qt.TextFlag.TextWrapAnywhere if is_long else Qt.TextFlag.TextWordWrap
