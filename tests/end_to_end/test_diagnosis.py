"""Diagnosis in the real window: an error pasted into the search box, a log let go on the page, a run that failed."""

import asyncio
import json
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from hands import Hands, OwnLab
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton

from gui.app import Museum
from gui.loop import QEventLoop
from gui.widgets.row_button import RowButton
from museum.catalog import Catalog
from museum.exhibit import Half
from museum.lab.environments import Environment

REPORT = (
    "ValueError: One of device_put args was given the sharding of NamedSharding(mesh=Mesh('batch': 4, 'fsdp': 1, "
    "axis_types=(Auto, Auto)), spec=PartitionSpec(('batch', 'fsdp'),), memory_kind=device), which implies that the "
    "global size of its dimension 0 should be divisible by 4, but it is equal to 19 (full shape: (19, 10, 32))"
)
INDIVISIBLE = "xla/indivisible-dimension"


class Visit(Hands):
    """One who reads what the diagnosis says."""

    async def answered(self) -> str:
        """Wait until the latest text is explained; what the page says then."""
        diagnosis = self.museum.show_diagnosis()
        while diagnosis._reading is not None and not diagnosis._reading.done():
            await asyncio.wait([diagnosis._reading])
        while diagnosis._settling is not None or diagnosis._asking is not None:
            await (asyncio.wait([diagnosis._asking]) if diagnosis._asking else asyncio.sleep(0.02))
        while not self.window.diagnosis_page._answer.is_complete:
            QApplication.processEvents()
        return self.said(self.window.diagnosis_page)

    def row(self, words: str) -> RowButton:
        """The row whose title begins so."""
        QApplication.processEvents()
        rows = [row for row in self.window.findChildren(RowButton) if row.text().startswith(words)]
        return next(row for row in rows if row.isVisible())

    def button(self, words: str) -> QPushButton:
        QApplication.processEvents()
        return next(one for one in self.window.findChildren(QPushButton) if one.text() == words and one.isVisible())


@pytest.fixture
def visit(
    loop: QEventLoop, qapp: QApplication, catalog: Catalog, museum_home: Path, own_environment: Environment
) -> Callable[[Callable[[Visit], Coroutine[Any, Any, None]]], None]:
    """Opens the museum, lets the visitor do something there, and closes it."""

    def go(story: Callable[[Visit], Coroutine[Any, Any, None]]) -> None:
        async def whole() -> None:
            museum = Museum(qapp, catalog, OwnLab(own_environment), museum_home)
            hands = Visit(museum)
            try:
                async with asyncio.timeout(120):  # so that a fault fails instead of hanging
                    await hands.begun()
                    await story(hands)
            finally:
                await hands.leave()
                museum.window.deleteLater()

        loop.run_until_complete(whole())

    return go


def test_an_error_in_the_search_box_leads_to_its_exhibit(visit: Callable[..., None]) -> None:
    async def story(hands: Visit) -> None:
        hands.ctrl(Qt.Key.Key_K)
        QTest.keyClicks(hands.window.bar.search, "axis")
        QApplication.clipboard().setText(REPORT)
        hands.ctrl(Qt.Key.Key_V)
        said = await hands.answered()
        assert hands.window.bar.search.text() == "axis"
        assert hands.window.diagnosis_page.isVisible()
        assert "Explained by" in said
        assert f"100% match · {INDIVISIBLE}" in said
        row = hands.row("A dimension that the mesh axis does not divide")
        row.setFocus()
        hands.press(Qt.Key.Key_Return)
        assert hands.museum.navigation.place == INDIVISIBLE
        assert hands.window.exhibit_page.isVisible()

    visit(story)


def test_undo_brings_back_all_of_a_long_paste_and_its_answer(visit: Callable[..., None]) -> None:
    log = f"{REPORT}\n" + "a line of a log\n" * 20_000

    async def story(hands: Visit) -> None:
        hands.ctrl(Qt.Key.Key_4)
        field = hands.window.diagnosis_page.field
        QApplication.clipboard().setText(log)
        hands.ctrl(Qt.Key.Key_V)
        said = await hands.answered()
        assert "Explained by" in said
        assert "characters above what is shown here are read as well" in said
        hands.ctrl(Qt.Key.Key_A)
        QApplication.clipboard().setText("KeyError: 'other'")
        hands.ctrl(Qt.Key.Key_V)
        said = await hands.answered()
        assert "No exhibit yet" in said
        assert "characters above" not in said
        hands.ctrl(Qt.Key.Key_Z)
        said = await hands.answered()
        assert field.text == log
        assert "Explained by" in said
        assert "characters above what is shown here are read as well" in said

    visit(story)


def test_their_own_layout_in_the_studio(visit: Callable[..., None]) -> None:
    async def story(hands: Visit) -> None:
        hands.ctrl(Qt.Key.Key_4)
        QApplication.clipboard().setText(REPORT)
        hands.ctrl(Qt.Key.Key_V)  # the field has the focus
        await hands.answered()
        QTest.mouseClick(hands.button("Draw it in the studio"), Qt.MouseButton.LeftButton)
        document = hands.museum._studio().document
        assert hands.window.studio_page.isVisible()
        assert str(document.mesh) == "batch=4,fsdp=1"
        assert (document.arrays[0].shape, str(document.arrays[0].spec)) == ((19, 10, 32), "P(('batch', 'fsdp'))")

    visit(story)


def test_a_log_that_is_let_go_on_the_page(visit: Callable[..., None], tmp_path: Path) -> None:
    log = tmp_path / "train.log"
    log.write_bytes(b"step \xff ok\n" * 400_000 + REPORT.encode() + b"\n")

    async def story(hands: Visit) -> None:
        page = hands.museum.show_diagnosis() and hands.window.diagnosis_page
        dropped = QMimeData()
        dropped.setUrls([QUrl.fromLocalFile(str(log))])
        how = (Qt.DropAction.CopyAction, dropped, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
        QApplication.sendEvent(page, QDragEnterEvent(QPoint(5, 5), *how))
        QApplication.sendEvent(page, QDropEvent(QPointF(5, 5), *how))
        said = await hands.answered()
        assert INDIVISIBLE in said
        assert "train.log has 4.0 MB: its last 1,000,000 characters are read, the rest is left out" in said
        assert "\\xff" in page.field.text
        hands.museum.show_diagnosis().open_log(str(tmp_path / "none.log"))
        said = await hands.answered()
        assert f"{tmp_path / 'none.log'}: there is no such file" in said
        assert INDIVISIBLE in said  # what stood there still does

    visit(story)


def test_a_failed_run_on_the_bench_is_explained(visit: Callable[..., None], own_environment: Environment) -> None:
    async def story(hands: Visit) -> None:
        bench = hands.museum.show_bench()
        bench.open_text("mine", hands.museum.catalog.exhibit(INDIVISIBLE).scripts[Half.FAILING])
        tab = bench.current
        tab.view.editor.setFocus()
        hands.press(Qt.Key.Key_F5)
        await asyncio.wait([tab.runs._task])
        focus = hands.window.focusWidget()
        assert tab._finding is not None
        await asyncio.wait([tab._finding])
        assert hands.window.focusWidget() is focus
        assert hands.row("Explained by: ").accessibleName().startswith("Explained by: A dimension that the mesh axis")
        QTest.mouseClick(hands.button("Explain"), Qt.MouseButton.LeftButton)
        said = await hands.answered()
        assert hands.window.diagnosis_page.isVisible()
        assert INDIVISIBLE in said
        assert hands.window.diagnosis_page._jax.currentData() == own_environment.jax
        hands.ctrl(Qt.Key.Key_3)
        QTest.mouseClick(hands.row("Explained by: "), Qt.MouseButton.LeftButton)
        assert hands.museum.navigation.place == INDIVISIBLE

    visit(story)


def test_a_recorded_account_of_an_exhibit_is_explained(visit: Callable[..., None]) -> None:
    async def story(hands: Visit) -> None:
        hands.museum.navigation.go("xla/unknown-axis")
        account = hands.window.exhibit_page.readings.chosen
        assert account is not None
        hands.window.exhibit_page.ensureWidgetVisible(hands.button("Explain"))
        QTest.mouseClick(hands.button("Explain"), Qt.MouseButton.LeftButton)
        assert "xla/unknown-axis" in await hands.answered()
        assert hands.window.diagnosis_page._jax.currentData() == account.jax

    visit(story)


def test_records_stay_and_become_a_snippet(visit: Callable[..., None], tmp_path: Path) -> None:
    record = {
        "id": "a1",
        "repo": "example/repo",
        "errorMessage": "dimension {name} is no good",
        "errorClass": "ValueError",
        "filePath": "a.py",
        "lineNumber": 3,
        "documentation": "Means <b>something</b>.",
        "schemaVersion": 2,
        "exampleFix": "os.system('rm')",
    }
    file = tmp_path / "records.jsonl"
    file.write_text("\n".join([json.dumps({"record": record}), json.dumps({"record": {**record, "lineNumber": "x"}})]))

    async def take_in(hands: Visit) -> None:
        records = hands.museum.show_diagnosis().records
        records.take_in([str(file)])
        while records._work:
            await asyncio.wait(records._work)
        said = hands.said(hands.window.diagnosis_page)
        assert "1 record taken in, these were left out:" in said
        assert "records.jsonl: line 2: record.lineNumber: expected `int`, got `str`" in said

    async def come_back(hands: Visit) -> None:
        records = hands.museum.show_diagnosis().records
        while records._work:
            await asyncio.wait(records._work)
        view = hands.window.diagnosis_page.records
        view._table.selectRow(0)
        QApplication.processEvents()
        assert "Unproven: a record of example/repo" in hands.said(view)
        QTest.mouseClick(hands.button("Make an exhibit of it"), Qt.MouseButton.LeftButton)
        assert hands.window.bench_page.isVisible()
        code = hands.museum.show_bench().current.snippet.code
        assert code.startswith("# UNPROVEN draft")
        assert "# | os.system('rm')" in code

    visit(take_in)
    visit(come_back)
