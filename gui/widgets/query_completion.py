"""Values of a filter to choose from while it is typed into the search box."""

import re
from collections.abc import Mapping, Sequence

from PySide6.QtCore import QObject, QStringListModel, Qt
from PySide6.QtWidgets import QCompleter, QLineEdit, QListView

from museum.search_query import KEYS

_BEGUN = re.compile(rf"(?:^|\s)-?(?P<key>{'|'.join(KEYS)}):(?:[^\s,]*,)*(?P<value>[^\s,]*)$", re.IGNORECASE)
MOST = 12  # values seen at once


class QueryCompletion(QObject):
    """Belongs to one search box.

    Args:
        search: The box.
    """

    def __init__(self, search: QLineEdit) -> None:
        super().__init__(search)
        self._search = search
        self._values: Mapping[str, Sequence[str]] = {}
        self._model = QStringListModel(self)
        self._completer = QCompleter(self._model, self)
        self._completer.setWidget(search)
        self._completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self._completer.setFilterMode(Qt.MatchFlag.MatchContains)
        self._completer.setMaxVisibleItems(MOST)
        self._popup = QListView()
        self._popup.setObjectName("completion")
        self._popup.setAccessibleName("Values of this filter")
        self._completer.setPopup(self._popup)
        self._completer.activated.connect(self._on_completer_activated)
        search.textEdited.connect(self._on_search_text_edited)

    def set_values(self, values: Mapping[str, Sequence[str]]) -> None:
        """Offer these from now on, by key."""
        self._values = values

    def _on_search_text_edited(self, _text: str) -> None:
        begun = _BEGUN.search(self._search.text()[: self._search.cursorPosition()])
        values = self._values.get(begun["key"].casefold(), ()) if begun else ()
        if begun is None or not values or begun["value"].casefold() in values:
            self._popup.hide()
            return
        self._model.setStringList(list(values))
        self._completer.setCompletionPrefix(begun["value"])
        if self._completer.completionCount():
            self._completer.complete()
        else:
            self._popup.hide()

    def _on_completer_activated(self, value: str) -> None:
        """Write the value in place of its part before the caret, as if it had been typed."""
        before = self._search.text()[: self._search.cursorPosition()]
        begun = _BEGUN.search(before)
        if begun is not None:
            self._search.setSelection(begun.start("value"), len(before) - begun.start("value"))
            self._search.insert(f"{value} ")
            self._search.textEdited.emit(self._search.text())
