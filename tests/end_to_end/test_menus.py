"""The menus of the whole window, with every page that is made late."""

from collections import Counter

from controls import words
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QShortcut
from PySide6.QtWidgets import QMenu
from whole_window import Whole


def test_no_key_stands_for_two_things(whole: Whole) -> None:
    """Over the whole window at once; a key of one part alone may have another meaning in another part."""
    for name in ("studio", "bench", "exhibit"):
        whole.show(name)
    window = whole.window
    keys: list[tuple[object, str]] = []
    for action in window.findChildren(QAction):
        keys += [("window", key.toString()) for key in action.shortcuts()]
    for shortcut in window.findChildren(QShortcut):
        narrow = shortcut.context() in (
            Qt.ShortcutContext.WidgetShortcut,
            Qt.ShortcutContext.WidgetWithChildrenShortcut,
        )
        keys += [(shortcut.parent() if narrow else "window", key.toString()) for key in shortcut.keys()]  # noqa: SIM118 - no dict
    assert len(keys) > 20
    assert [key for key, times in Counter(keys).items() if times > 1] == []
    everywhere = {key for scope, key in keys if scope == "window"}
    clashes = [(words(scope), key) for scope, key in keys if scope != "window" and key in everywhere]
    assert clashes == []


def test_entries_of_menus_are_named(whole: Whole) -> None:
    menus = [menu for menu in whole.window.findChildren(QMenu) if menu.title() or menu.actions()]
    assert menus
    assert [action for menu in menus for action in menu.actions() if not (action.text() or action.isSeparator())] == []
