"""An open museum and the hands of a visitor."""

import asyncio
from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from gui.app import Museum
from museum.lab.environments import Environment
from museum.lab.lab import Lab


class OwnLab(Lab):
    """The real lab, with the environments of the test."""

    def __init__(self, *environments: Environment, spares: int = 2) -> None:
        super().__init__(spares)
        self._at_hand = environments

    async def environments(self) -> Sequence[Environment]:
        return self._at_hand


class Hands:
    """What a visitor does with keys, and sees in words."""

    def __init__(self, museum: Museum) -> None:
        self.museum, self.window = museum, museum.window
        self.staying = asyncio.ensure_future(museum.stay())

    async def begun(self) -> None:
        """Wait until the window is on the screen, takes keys, and knows where to run."""
        painted = asyncio.get_running_loop().create_future()
        self.window.painted.connect(lambda: painted.set_result(None))
        await painted
        self.window.activateWindow()
        QApplication.processEvents()
        assert self.window.isActiveWindow()
        await self.museum.exhibits.runs.find_environments()

    def press(
        self, *keys: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier, ctrl: bool = False
    ) -> None:
        """Press keys wherever the focus is."""
        if ctrl:
            modifiers |= Qt.KeyboardModifier.ControlModifier
        for key in keys:
            QTest.keyClick(self.window.focusWidget() or self.window, key, modifiers)

    def ctrl(self, key: Qt.Key) -> None:
        self.press(key, ctrl=True)

    def said(self, part: QWidget) -> str:
        return "\n".join(label.text() for label in part.findChildren(QLabel) if label.isVisibleTo(part))

    async def leave(self) -> None:
        """Close the window and wait until nothing of it is alive."""
        self.window.close()
        await self.staying
        assert asyncio.all_tasks() == {asyncio.current_task()}
