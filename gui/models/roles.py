"""What the rows of the catalogue model carry besides their text."""

from PySide6.QtCore import Qt

ID_ROLE = Qt.ItemDataRole.UserRole + 1
ASIDE_ROLE = Qt.ItemDataRole.UserRole + 2
MARK_ROLE = Qt.ItemDataRole.UserRole + 3
ROW_ROLE = Qt.ItemDataRole.UserRole + 4
