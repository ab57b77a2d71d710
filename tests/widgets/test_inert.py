"""What others wrote is shown and does nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QApplication

from museum.inert import BREAK, inert_markdown


@pytest.fixture(scope="module", autouse=True)
def application(qapp: QApplication) -> QApplication:
    """Fonts need one."""
    return qapp


def links_and_images(text: str) -> list[str]:
    """Where a text leads, as the window's renderer understands it."""
    document = QTextDocument()
    document.setMarkdown(text)
    found = []
    block = document.begin()
    while block.isValid():
        pieces = block.begin()
        while not pieces.atEnd():
            form = pieces.fragment().charFormat()
            if form.isAnchor() or form.isImageFormat():
                found.append(form.anchorHref() or "image")
            pieces += 1
        block = block.next()
    return found


HOSTILE = [
    "[a](https://evil.example/x)",
    "![a](https://evil.example/x.png)",
    "![a][b]\n\n[b]: https://evil.example",
    "[b]\n\n[b]: https://evil.example",
    "<https://evil.example>",
    "https://evil.example/x",
    "www.evil.example",
    "mail@evil.example",
    "<mail@evil.example>",
    '<img src="file:///etc/passwd">',
    '<a href="https://evil.example">x</a>',
    "\\`![x](https://evil.example)\\`",
    "`` ` `` [x](<file:///etc/passwd>)",
    "[![a](b)](c)",
    "[a]( museum:xla/x)",
    "[a](museum:../../x)",
    "&#60;a href='x'&#62;",
    "ftp://evil.example",
    "[x](/etc/passwd)",
    '[a](museum:xla/x "t") <b>',
]


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_of_it_leads_anywhere(text: str) -> None:
    assert links_and_images(inert_markdown(text)) == []


def test_the_renderer_would_have_followed_them() -> None:
    assert links_and_images(HOSTILE[0]) == ["https://evil.example/x"]
    assert links_and_images(HOSTILE[5]) == ["https://evil.example/x"]


def test_links_within_the_museum_stay() -> None:
    text = "See [that](museum:xla/unknown-axis) and [mesh](museum:mesh)."
    assert inert_markdown(text) == text
    assert links_and_images(inert_markdown(text)) == ["museum:xla/unknown-axis", "museum:mesh"]


PIECES = st.sampled_from(
    [
        "[",
        "]",
        "(",
        ")",
        "!",
        "`",
        "\\",
        "<",
        ">",
        ":",
        "//",
        "https",
        "www.",
        "a.example",
        "@",
        "\n",
        "\n\n",
        " ",
        "    ",
        "*",
        "_",
    ]
)


@given(st.lists(PIECES, max_size=25).map("".join))
def test_no_text_leads_out_of_the_museum(text: str) -> None:
    left = inert_markdown(text)
    assert links_and_images(left) == []
    assert left.replace(BREAK, "") == text
    assert inert_markdown(left) == left
