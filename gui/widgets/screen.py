"""Sizes that the screen has room for."""

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QWidget

EDGE = 48  # pixels left free for the frame of a window


def room_for(window: QWidget) -> QSize:
    """What the screen has room for."""
    return window.screen().availableSize()


def resize_within_screen(window: QWidget, width: int, height: int) -> None:
    """Give a window a size, or as much of it as there is room for."""
    room = room_for(window)
    window.resize(min(width, room.width() - EDGE), min(height, room.height() - EDGE))
