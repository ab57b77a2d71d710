"""A tab of the bench: its type is as large as the visitor wants it."""

import pytest
from looks import keep_look
from PySide6.QtWidgets import QApplication, QLineEdit
from pytestqt.qtbot import QtBot

from gui.theme import Theme
from gui.widgets.bench_page import BenchPage


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_code_and_fields_have_the_size_of_the_theme_from_the_first(
    scale: float, qtbot: QtBot, qapp: QApplication
) -> None:
    sized = Theme(dark=False, scale=scale)
    give_look_back = keep_look(qapp)
    sized.apply(qapp)
    try:
        page = BenchPage(sized, 16)
        qtbot.addWidget(page)
        view = page.make_view("a")
        with qtbot.waitExposed(page):
            page.show()
        (arguments,) = [one for one in view.findChildren(QLineEdit) if one.accessibleName() == "Arguments"]
        assert [one.font().pointSizeF() for one in (view.editor, arguments)] == [sized.sizes.code] * 2
    finally:
        give_look_back()
