"""Every page and dialog by keyboard and by screen reader: names, roles, ways out, a focus that is seen, words."""

import re
from collections import Counter
from collections.abc import Iterator

import pytest
from controls import called, controls, words
from makers import MAKERS
from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAccessible, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QCheckBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QSpinBox,
    QTabBar,
    QTextBrowser,
    QToolButton,
    QWidget,
)
from whole_window import SIZE, Whole

from gui.widgets.code_editor import CodeEditor
from museum.settings import SCHEME

ROLES = {
    QComboBox: {QAccessible.Role.ComboBox},
    QSpinBox: {QAccessible.Role.SpinBox},
    QLineEdit: {QAccessible.Role.EditableText},
    QPlainTextEdit: {QAccessible.Role.EditableText},
    QTextBrowser: {QAccessible.Role.EditableText, QAccessible.Role.StaticText},
    QCheckBox: {QAccessible.Role.CheckBox},
    QPushButton: {
        QAccessible.Role.Button,
        QAccessible.Role.RadioButton,
        QAccessible.Role.CheckBox,
        QAccessible.Role.ButtonMenu,
    },
    QTabBar: {QAccessible.Role.PageTabList},
    QAbstractItemView: {QAccessible.Role.Table, QAccessible.Role.List, QAccessible.Role.Tree},
}
MOST_LINKS = 80  # of a text, at each of which Tab stops
VERBS = frozenset(
    re.findall(
        r"\w+",
        """
        add ask build cancel change check choose clear close compare continue copy delete dismiss draw explain export
        filter find fit fold forget import keep lay load make manage merge move name new open paste pin quit record redo
        remove rename replace reset run save search shard show split stop take trust try undo unpin use walk write zoom
        """,
    )
)  # a new word belongs here if it is one


@pytest.fixture(params=MAKERS, scope="module")
def shown(request: pytest.FixtureRequest, whole: Whole, light: None) -> Iterator[QWidget]:
    yield from look_at(request.param, whole)


@pytest.fixture(params=MAKERS, scope="module")
def in_dark(request: pytest.FixtureRequest, whole: Whole, dark: None) -> Iterator[QWidget]:
    yield from look_at(request.param, whole)


@pytest.fixture(scope="module")
def light(whole: Whole) -> None:
    whole.museum.kept.choose(SCHEME, "light")


@pytest.fixture(scope="module")
def dark(whole: Whole) -> None:
    """Other colours take long: they are changed once."""
    whole.museum.kept.choose(SCHEME, "dark")


def look_at(name: str, whole: Whole) -> Iterator[QWidget]:
    whole.window.resize(SIZE)
    yield whole.show(name)
    whole.clear()


def stop_of(widget: QWidget | None) -> QObject | None:
    """Where Tab stops for a widget: a row of tabs is one stop, and arrow keys walk within it."""
    group = widget.group() if isinstance(widget, QAbstractButton) else None
    return group or widget


def test_every_control_has_a_name(shown: QWidget) -> None:
    found = controls(shown)
    assert found
    assert [repr(widget) for widget in found if not called(widget)] == []


def test_a_box_of_choices_is_described_or_has_a_label(shown: QWidget) -> None:
    """On Linux a screen reader hears what is chosen in place of its name."""
    labelled = {label.buddy() for label in shown.findChildren(QLabel)}
    boxes = [one for one in controls(shown) if isinstance(one, QComboBox)]
    assert [words(box) for box in boxes if not box.accessibleDescription() and box not in labelled] == []


def test_names_tell_controls_of_a_kind_apart(shown: QWidget) -> None:
    names = Counter((type(widget).__name__, called(widget)) for widget in controls(shown))
    assert [name for name, times in names.items() if times > 1] == []


def test_every_control_is_what_it_says(shown: QWidget) -> None:
    wrong = []
    for widget in controls(shown):
        role = QAccessible.queryAccessibleInterface(widget).role()
        allowed = next((roles for kind, roles in ROLES.items() if isinstance(widget, kind)), None)
        if role is QAccessible.Role.NoRole or (allowed and role not in allowed):
            wrong.append((words(widget), role))
    assert wrong == []


def press_tab(widget: QWidget, key: Qt.Key = Qt.Key.Key_Tab) -> None:
    """Leave a widget; an editor of code says itself that Esc comes first."""
    if isinstance(widget, CodeEditor) and not widget.isReadOnly():
        assert "Esc, then Tab" in widget.accessibleDescription()
        QTest.keyClick(widget, Qt.Key.Key_Escape)
    shift = Qt.KeyboardModifier.ShiftModifier if key == Qt.Key.Key_Backtab else Qt.KeyboardModifier.NoModifier
    QTest.keyClick(widget, key, shift)


@pytest.mark.parametrize("key", [Qt.Key.Key_Tab, Qt.Key.Key_Backtab], ids=["tab", "shift-tab"])
def test_tab_reaches_every_control_and_leaves_it(shown: QWidget, key: Qt.Key) -> None:
    wanted = {stop_of(widget) for widget in controls(shown)}
    start = controls(shown)[0]
    start.setFocus(Qt.FocusReason.TabFocusReason)
    reached, stuck = {stop_of(shown.focusWidget())}, []
    for _ in range(3 * len(wanted)):
        here = shown.focusWidget()
        assert here is not None
        for _ in range(MOST_LINKS if isinstance(here, QTextBrowser) else 1):
            press_tab(here, key)
            if shown.focusWidget() is not here:
                break
        else:
            if len(wanted) > 1:
                stuck.append(words(here))
                break
        reached.add(stop_of(shown.focusWidget()))
    assert stuck == []
    missed = [one for one in wanted - reached if not isinstance(one, QWidget) or one.isEnabled()]
    assert [words(one) for one in missed] == []  # some are for a row that Tab left meanwhile


def test_the_focus_is_seen(shown: QWidget) -> None:
    assert without_visible_focus(shown) == []


def test_the_focus_is_seen_in_the_dark(in_dark: QWidget) -> None:
    assert without_visible_focus(in_dark) == []


def without_visible_focus(shown: QWidget) -> list[str]:
    shown.activateWindow()
    shown.window().setAttribute(Qt.WidgetAttribute.WA_KeyboardFocusChange)  # as a real Tab key does
    QApplication.processEvents()
    unseen = []
    found = controls(shown)
    for number, widget in enumerate(found):
        if isinstance(widget, QScrollArea):
            continue  # a page: where the keys go is seen by what they do, it scrolls
        bring_into_sight(widget)
        widget.setFocus(Qt.FocusReason.TabFocusReason)
        if not widget.hasFocus():
            continue
        with_focus = picture(widget)
        elsewhere = [one for one in (*found[:number], *found[number + 1 :]) if one.isEnabled()]
        if elsewhere:
            elsewhere[(number - 1) % len(elsewhere)].setFocus(Qt.FocusReason.TabFocusReason)
        else:
            widget.clearFocus()
        assert not widget.hasFocus()
        if not differ(with_focus, picture(widget)):
            unseen.append(words(widget))
    return unseen


def bring_into_sight(widget: QWidget) -> None:
    around = widget.parentWidget()
    while around is not None:
        if isinstance(around, QScrollArea):
            around.ensureWidgetVisible(widget)
        around = around.parentWidget()


def picture(widget: QWidget) -> QImage:
    """The widget with what is around it."""
    QApplication.processEvents()
    return widget.grab().toImage()


def differ(one: QImage, other: QImage) -> bool:
    """Whether more than the caret is another."""
    if one.size() != other.size():
        return True
    changed = 0
    for y in range(one.height()):
        for x in range(one.width()):
            if one.pixel(x, y) != other.pixel(x, y):
                changed += 1
                if changed > 30:
                    return True
    return False


def test_buttons_begin_with_a_verb(shown: QWidget) -> None:
    others = []
    for kind in (QPushButton, QToolButton):
        for button in shown.findChildren(kind):
            is_thing = button.isCheckable() or button.property("role") == "chip"  # chosen or dragged, not pressed
            if is_thing or not button.isVisible() or isinstance(button.parentWidget(), QLineEdit):
                continue
            first = called(button).split(" ")[0].rstrip("…:").lower()
            if first not in VERBS:
                others.append(f"{button.text()!r} called {called(button)!r}")
    assert others == []


def test_what_cannot_be_pressed_says_why(shown: QWidget) -> None:
    disabled = [one for kind in (QAbstractButton, QComboBox, QLineEdit) for one in shown.findChildren(kind)]
    assert [words(one) for one in disabled if one.isVisible() and not one.isEnabled() and not one.toolTip()] == []


@pytest.mark.parametrize("shown", ["settings"], indirect=True, scope="module")
def test_every_label_of_a_field_is_its_buddy(shown: QWidget) -> None:
    fields = [one for one in controls(shown) if isinstance(one, QLineEdit | QComboBox) and one.accessibleName()]
    buddies = {label.buddy() for label in shown.findChildren(QLabel) if label.buddy()}
    assert [words(one) for one in fields if one not in buddies] == [
        "QLineEdit 'Folder of a virtual environment, or a Python'"
    ]
