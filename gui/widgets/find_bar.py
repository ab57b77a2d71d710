"""Find, replace and go to a line, below the code they work on."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent, QTextCursor
from PySide6.QtWidgets import QCheckBox, QGridLayout, QHBoxLayout, QLineEdit, QWidget

from gui.widgets import editor_commands as commands
from gui.widgets.code_editor import Asked, CodeEditor
from gui.widgets.editor_lines import utf16_length
from gui.widgets.labels import RoleLabel, button
from museum.finding import Found, Query, Wish, fulfil

LONG = 200_000  # characters, through which a search takes some 10 ms
Places = Sequence[tuple[int, int]]


class FindBar(QWidget):
    """Shown when the editor is asked for it; Esc leads back to the code.

    Expressions, and what is looked for in a long text, are looked for by somebody else.

    Args:
        editor: The code.
        parent: The widget that it is a part of.

    Signals:
        wanted: Somebody else shall `answer` this; carries a `museum.finding.Wish`. The last one counts.
    """

    wanted = Signal(object)

    def __init__(self, editor: CodeEditor, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._editor = editor
        self._asked: tuple[Wish, Callable[[Found], None]] | None = None
        self._known: tuple[Wish, Places, Places] | None = None  # in characters, and as Qt counts
        self._find = _field("Find", self._on_find_edited)
        self._by = _field("Replace by", self._mark)
        self._line = _field("Line", self._on_line_edited)
        self._case, self._words, self._regex = (
            _switch("Case", "Capitals count", self._mark),
            _switch("Words", "Only whole words count", self._mark),
            _switch("Regex", "It is a regular expression, as Python's re has them", self._mark),
        )
        self._said = RoleLabel("faint")
        self._said.setWordWrap(False)
        self._finding, self._going = QWidget(), QWidget()
        self._switches = _side_by_side(self._case, self._words, self._regex)
        self._steps = _side_by_side(
            button("Find previous", self.previous, role="quiet", tip="Go to the one before (Shift+F3)"),
            button("Find next", self.next, role="quiet", tip="Go to the next one (F3)"),
        )
        self._replacing = _side_by_side(
            button("Replace", self.replace, role="quiet", tip="Replace this one and go to the next"),
            button("Replace all", self.replace_all, role="quiet", tip="Replace all of them, as one step to undo"),
        )
        self._lay_out()
        for field in (self._find, self._by, self._line):
            field.installEventFilter(self)
        editor.asked.connect(self._on_editor_asked)
        editor.textChanged.connect(self._on_editor_text_changed)
        self.hide()

    def _lay_out(self) -> None:
        self._grid = QGridLayout(self._finding)
        going = QHBoxLayout(self._going)
        going.addWidget(self._line)
        going.addStretch(1)
        layout = QGridLayout(self)
        for one in (self._grid, going, layout):
            one.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._finding, 0, 0)
        layout.addWidget(self._going, 0, 0)
        close = button("Close", self.leave, role="quiet", tip="Back to the code (Esc)")
        layout.addWidget(close, 0, 1, Qt.AlignmentFlag.AlignTop)
        layout.setColumnStretch(0, 1)
        layout.addWidget(self._said, 1, 0, 1, 2)
        self._arrange()

    def _arrange(self) -> None:
        """Everything in two rows where the fields keep room in them, else below each other."""
        switches, steps = self._switches.sizeHint().width(), self._steps.sizeHint().width()
        width = self._finding.width()
        if width > 2 * (switches + steps):
            places = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1)]
        elif width > switches + steps:
            places = [(0, 0), (1, 0), (1, 1), (2, 0), (3, 0)]
        else:
            places = [(0, 0), (1, 0), (2, 0), (3, 0), (4, 0)]
        is_wide = places[1] == (0, 1)
        parts = (self._find, self._switches, self._steps, self._by, self._replacing)
        for part, (row, column) in zip(parts, places, strict=True):
            is_field = part in (self._find, self._by)
            across = 2 if part is self._replacing or (is_field and not is_wide) else 1
            self._grid.addWidget(part, row, column, 1, across)
        self._grid.setColumnStretch(0, 1)

    def minimumSizeHint(self) -> QSize:
        """As high as it must be; it never widens the page."""
        return QSize(1, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Find another arrangement."""
        super().resizeEvent(event)
        self._arrange()

    @property
    def query(self) -> Query:
        """What is looked for now."""
        return Query(self._find.text(), self._case.isChecked(), self._words.isChecked(), self._regex.isChecked())

    def _on_editor_asked(self, what: Asked) -> None:
        if what is Asked.NEXT and self._find.text():
            self.next()
        elif what is Asked.PREVIOUS and self._find.text():
            self.previous()
        elif what in (Asked.FIND, Asked.REPLACE, Asked.LINE):
            self.open(what)

    def open(self, what: Asked = Asked.FIND) -> None:
        """Show the fields that are asked for; what is selected is looked for."""
        goes = what is Asked.LINE
        self._going.setVisible(goes)
        self._finding.setVisible(not goes)
        for part in (self._by, self._replacing):
            part.setVisible(what is Asked.REPLACE and not self._editor.isReadOnly())
        self._say("")
        self.show()
        field = self._line if goes else self._find
        selected = self._editor.textCursor().selectedText()
        if goes:
            self._line.setText(str(self._editor.current_line))
        elif selected and "\u2029" not in selected:
            self._find.setText(selected)
        field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        field.selectAll()
        if not goes:
            self._mark()

    def leave(self) -> None:
        """Back to the code."""
        self._asked = None
        self._editor.set_found(())
        self.hide()
        self._editor.setFocus(Qt.FocusReason.OtherFocusReason)

    def next(self) -> None:
        """Select the next one, from the top again after the last."""
        self._go(forward=True)

    def previous(self) -> None:
        """Select the one before, from the bottom again before the first."""
        self._go(forward=False)

    def replace(self) -> None:
        """Replace the one that is selected, and go to the next."""
        self._look(self._replace)

    def _replace(self, places: Places) -> None:
        cursor = self._editor.textCursor()
        selected = cursor.selectionStart(), cursor.selectionEnd()
        if self._known is None or selected not in places:
            self._go_in(places, forward=True)
            return
        at = self._known[1][places.index(selected)]

        def put(found: Found) -> None:
            if found.text is not None:
                cursor.insertText(found.text)
            self.next()

        self._ask(Wish(self.query, self._editor.text(), self._by.text(), at), put)

    def replace_all(self) -> None:
        """Replace all of them, as one step to undo."""
        self._ask(Wish(self.query, self._editor.text(), self._by.text()), self._replace_all)

    def _replace_all(self, found: Found) -> None:
        if found.text is not None and found.text != self._editor.text():
            self._editor.replace_text(found.text)
            self._editor.text_edited.emit(found.text)
        self._look(lambda _: self._say(f"{found.count:,} replaced"))

    def _go(self, *, forward: bool) -> None:
        self._look(lambda places: self._go_in(places, forward=forward))

    def _go_in(self, places: Places, *, forward: bool) -> None:
        if not places:
            return
        cursor = self._editor.textCursor()
        if forward:
            number = bisect_left(places, (cursor.selectionEnd(), 0)) % len(places)
        else:
            number = bisect_right(places, cursor.selectionStart(), key=lambda place: place[1]) - 1
        self._select(places[number])
        self._say(f"{number % len(places) + 1:,} of {len(places):,}")

    def _select(self, place: tuple[int, int]) -> None:
        cursor = self._editor.textCursor()
        cursor.setPosition(place[0])
        cursor.setPosition(place[1], QTextCursor.MoveMode.KeepAnchor)
        self._editor.setTextCursor(cursor)

    def _look(self, then: Callable[[Places], object]) -> None:
        """Find the places, have them marked in the code, and go on; a bad expression is told in one line."""
        wish = Wish(self.query, self._editor.text())
        if self._known is not None and self._known[0] == wish:
            self._take(self._known, then)
        else:
            self._ask(
                wish, lambda found: self._take((wish, found.places, _as_qt_counts(wish.text, found.places)), then)
            )

    def _take(self, known: tuple[Wish, Places, Places], then: Callable[[Places], object]) -> None:
        self._known = known
        places = known[2]
        self._editor.set_found(places)
        self._say(f"{len(places):,} found" if places else "nothing found" if self._find.text() else "")
        then(places)

    def _ask(self, wish: Wish, then: Callable[[Found], None]) -> None:
        self._asked = wish, then
        if wish.query.regex or len(wish.text) > LONG:
            self._say("looking …")
            self.wanted.emit(wish)
        else:
            self.answer(wish, fulfil(wish))

    def answer(self, wish: Wish, found: Found) -> None:
        """Take what was found; one that nobody waits for any more is dropped."""
        if self._asked is None or self._asked[0] is not wish:
            return
        _, then = self._asked
        self._asked = None
        if found.fault:
            self._editor.set_found(())
            self._say(found.fault, "bad")
        elif wish.text == self._editor.text():
            then(found)

    def _mark(self, *_: object) -> None:
        self._look(lambda _: None)

    def _on_find_edited(self, _text: str) -> None:
        """Go to the first one at or after the caret while it is typed."""

        def select(places: Places) -> None:
            if places:
                start = self._editor.textCursor().selectionStart()
                self._select(places[bisect_left(places, (start, 0)) % len(places)])

        self._look(select)

    def _on_line_edited(self, text: str) -> None:
        if text.strip().isdecimal():
            self._say("")
            commands.go_to_line(self._editor, int(text))
        else:
            self._say("write the number of a line" if text else "", "bad")

    def _on_editor_text_changed(self) -> None:
        """Look again, whoever changed the text; what F3 found without the bar is marked no more."""
        if self.isVisible() and self._finding.isVisible():
            self._mark()
        else:
            self._editor.set_found(())

    def _say(self, text: str, role: str = "faint") -> None:
        self._said.say(text, role)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Return goes on, Esc goes back."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            backward = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            if event.key() == Qt.Key.Key_Escape:
                self.leave()
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                if watched is self._line:
                    self.leave()
                elif watched is self._by:
                    self.replace()
                else:
                    self._go(forward=not backward)
                return True
            if event.key() == Qt.Key.Key_F3:
                self._go(forward=not backward)
                return True
        return super().eventFilter(watched, event)


def _as_qt_counts(text: str, places: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Starts and ends, in order, in UTF-16 units."""
    if text.isascii():
        return list(places)
    made, at, units = [], 0, 0
    for start, end in places:
        first = units + utf16_length(text[at:start])
        units = first + utf16_length(text[start:end])
        at = end
        made.append((first, units))
    return made


def _field(name: str, edited: Callable[..., object]) -> QLineEdit:
    made = QLineEdit()
    made.setPlaceholderText(name)
    made.setAccessibleName(name)
    made.textEdited.connect(edited)
    return made


def _switch(text: str, tip: str, changed: Callable[..., object]) -> QCheckBox:
    made = QCheckBox(text)
    made.setToolTip(tip)
    made.setAccessibleName(tip)
    made.toggled.connect(changed)
    return made


def _side_by_side(*parts: QWidget) -> QWidget:
    made = QWidget()
    row = QHBoxLayout(made)
    row.setContentsMargins(0, 0, 0, 0)
    for part in parts:
        row.addWidget(part)
    row.addStretch(1)
    return made
