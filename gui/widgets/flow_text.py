"""Rich text that is part of a page: as tall as what it says, never scrolled by itself."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import (
    QFont,
    QFontMetricsF,
    QImage,
    QResizeEvent,
    QTextCursor,
    QTextDocument,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QSizePolicy, QTextBrowser, QWidget


class FlowText(QTextBrowser):
    """A paragraph or a page of rich text, or verbatim text on paper.

    Images and other resources are never loaded: what stands in a placard is text.

    Args:
        name: Accessible name.
        paper: Whether it stands on paper, as verbatim text does.
        parent: The widget that it is a part of.

    Signals:
        link_activated: A link was followed; carries its address.
    """

    link_activated = Signal(str)

    def __init__(self, name: str, *, paper: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setOpenLinks(False)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setTabChangesFocus(True)
        interaction = Qt.TextInteractionFlag
        self.setTextInteractionFlags(interaction.TextBrowserInteraction | interaction.TextSelectableByKeyboard)
        self.document().setDocumentMargin(10 if paper else 0)
        self.document().setIndentWidth(22)
        if paper:
            self.setProperty("role", "paper")
        self._most_height = 0
        self._measure = 0
        self.anchorClicked.connect(lambda url: self.link_activated.emit(url.toString()))
        self.document().documentLayout().documentSizeChanged.connect(self._fit)

    def set_most_height(self, height: int) -> None:
        """Scroll inside beyond this many pixels; 0 for never."""
        self._most_height = height
        policy = Qt.ScrollBarPolicy.ScrollBarAsNeeded if height else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.setVerticalScrollBarPolicy(policy)
        self._fit()

    def set_measure(self, characters: int) -> None:
        """Keep lines to about this many characters, however wide the page is."""
        self._measure = characters

    def _set_font(self, font: QFont) -> None:
        self.document().setDefaultFont(font)
        if self._measure:
            self.setMaximumWidth(round(QFontMetricsF(font).averageCharWidth() * self._measure))

    def show_markdown(self, text: str, font: QFont) -> None:
        """Show Markdown with a text font; headings and code follow from it."""
        self._set_font(font)
        self.document().setMarkdown(text)
        self._let_lines_break()
        self._fit()

    def _let_lines_break(self) -> None:
        """Code wraps as well: there is no way to scroll to what would be cut off."""
        block = self.document().begin()
        while block.isValid():
            if block.blockFormat().nonBreakableLines():
                form = block.blockFormat()
                form.setNonBreakableLines(False)
                QTextCursor(block).setBlockFormat(form)
            block = block.next()

    def show_html(self, text: str, font: QFont) -> None:
        """Show HTML with a text font."""
        self._set_font(font)
        self.setHtml(text)
        self._fit()

    def show_plain(self, text: str, font: QFont) -> None:
        """Show verbatim text."""
        self._set_font(font)
        self.setPlainText(text)
        self._fit()

    def _fit(self) -> None:
        height = self.sizeHint().height()
        if height != self.height() or height != self.minimumHeight():
            self.setFixedHeight(height)

    def sizeHint(self) -> QSize:
        """As tall as the text at this width."""
        frame = 2 if self.property("role") == "paper" else 0
        height = int(self.document().size().height()) + 1 + 2 * frame
        return QSize(super().sizeHint().width(), min(height, self._most_height) if self._most_height else height)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Follow the width."""
        super().resizeEvent(event)
        self._fit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The page scrolls, unless there is something to scroll here."""
        bar = self.verticalScrollBar()
        if self._most_height and bar.minimum() != bar.maximum():
            super().wheelEvent(event)
        else:
            event.ignore()

    def loadResource(self, kind: int, _url: object) -> object:
        """Nothing is loaded, from nowhere: a picture is one clear pixel, since without any Qt looks for its file."""
        if kind != QTextDocument.ResourceType.ImageResource.value:
            return None
        nothing = QImage(1, 1, QImage.Format.Format_ARGB32)
        nothing.fill(0)
        return nothing
