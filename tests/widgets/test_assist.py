"""What becomes of an editor's wishes for names and help: a fake assistant, a real editor."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolTip

from gui.controllers import assist
from gui.controllers.assist import NO_ENVIRONMENT, TOO_LATE, AssistController
from gui.theme import Theme
from gui.widgets.code_editor import CodeEditor
from gui.widgets.completion import Completion
from museum.assist.assistant import Answer
from museum.lab.environments import Environment, EnvironmentKind

pytestmark = pytest.mark.qt_log_ignore("does not support")
OLD, NEW = (Environment(v, EnvironmentKind.NAMED, Path(v), "3.11", v, v) for v in ("0.4.38", "0.12.0.1"))


class Assistant:
    """Knows a name for each environment."""

    def __init__(self) -> None:
        self.process_id = None
        self.is_superseded = False

    async def ask(self, _kind: str, python: Path, *_place: object) -> Answer | None:
        return None if self.is_superseded else Answer(names=(f"of_{python.name.replace('.', '_')}",))

    async def close(self) -> None:
        """Nothing to end."""


class Desk:
    """An editor whose environment can be another one."""

    def __init__(self, editor: CodeEditor) -> None:
        self.environment: Environment | None = OLD
        self.assistant = Assistant()
        self.controller = AssistController(self.assistant)  # type: ignore[arg-type]
        self.editor = editor
        self.completion: Completion = self.controller.attach(editor, lambda: self.environment)

    async def ask(self) -> list[str]:
        QTest.keyClick(self.editor, Qt.Key.Key_Space, Qt.KeyboardModifier.ControlModifier)
        await asyncio.gather(*self.controller._asking)
        model = self.completion._completer.completionModel()
        shown = self.completion._popup.isVisible()
        self.completion._popup.hide()
        return [model.index(row, 0).data() for row in range(model.rowCount())] if shown else []


@pytest.fixture
def desk(qtbot, theme: Theme) -> Desk:
    editor = CodeEditor(theme.editor_colours("failing"), theme.syntax_colours())
    qtbot.addWidget(editor)
    with qtbot.waitExposed(editor):
        editor.show()
    editor.activateWindow()
    editor.setFocus()
    return Desk(editor)


def story(work: Callable[[], object]) -> None:
    asyncio.run(work())  # type: ignore[arg-type]


def test_each_environment_has_its_own_names(desk: Desk) -> None:
    async def work() -> None:
        assert await desk.ask() == ["of_0_4_38"]
        desk.environment = NEW
        assert await desk.ask() == ["of_0_12_0_1"]
        desk.assistant.is_superseded = True
        assert await desk.ask() == []
        await desk.controller.close()

    story(work)


def test_without_an_environment_the_key_says_so(desk: Desk) -> None:
    desk.environment = None
    QTest.keyClick(desk.editor, Qt.Key.Key_Space, Qt.KeyboardModifier.ControlModifier)
    assert QToolTip.text() == NO_ENVIRONMENT.replace(">", "&gt;")
    QToolTip.hideText()


def test_an_answer_that_took_too_long_opens_no_list(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assist, "PATIENCE", -1.0)

    async def work() -> None:
        assert await desk.ask() == []
        assert QToolTip.text() == TOO_LATE
        QToolTip.hideText()
        await desk.controller.close()

    story(work)
