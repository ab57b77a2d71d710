"""The look of the application, which outlives a test."""

from collections.abc import Callable

from PySide6.QtWidgets import QApplication


def keep_look(application: QApplication) -> Callable[[], None]:
    """Remember how the application looks; calling the answer gives it that look back."""
    style, sheet = application.style().name(), application.styleSheet()
    palette, font = application.palette(), application.font()
    quits = application.quitOnLastWindowClosed()

    def give_back() -> None:
        application.setQuitOnLastWindowClosed(quits)
        application.setStyleSheet(sheet)
        application.setStyle(style)
        application.setPalette(palette)
        application.setFont(font)

    return give_back
