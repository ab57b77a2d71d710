"""What can be reached by keyboard in a window, and what it is called."""

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QComboBox, QSpinBox, QWidget


def controls(root: QWidget) -> list[QWidget]:
    """Whatever Tab must reach."""
    return [
        widget
        for widget in root.findChildren(QWidget)
        if widget.isVisible()
        and widget.window() is root.window()
        and widget.isEnabled()
        and widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and widget.focusProxy() is None
        and not inside_of_one(widget)
    ]


def inside_of_one(widget: QWidget) -> bool:
    """Whether it is a part of a control, which has the focus in its place."""
    return isinstance(widget.parentWidget(), QComboBox | QSpinBox)


def called(widget: QWidget) -> str:
    if isinstance(widget, QComboBox):
        return widget.accessibleName()  # on Linux, Qt tells what is chosen for its name
    interface = QAccessible.queryAccessibleInterface(widget)
    return interface.text(QAccessible.Text.Name).strip() if interface else ""


def words(widget: QObject | None) -> str:
    name = called(widget) if isinstance(widget, QWidget) else ""
    return f"{type(widget).__name__} {name!r}"
