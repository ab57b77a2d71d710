"""Colours and sizes: readable in both looks, told apart without colour, and all of them in the style sheet."""

import colorsys
import dataclasses
import re
from itertools import pairwise

import pytest
from PySide6.QtGui import QColor

from gui.rich_text import MOST_DRESSED, difference_html, error_html, escaped
from gui.theme import DARK, LIGHT, SYNTAX_DARK, SYNTAX_LIGHT, Colours, Theme
from museum.differences import word_difference

LOOKS = [LIGHT, DARK]


def luminance(colour: str) -> float:
    """Relative luminance, WCAG 2.1."""
    channels = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]
    return sum(share * value for share, value in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    """WCAG 2.1's contrast ratio."""
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("look", LOOKS, ids=["light", "dark"])
@pytest.mark.parametrize("ink", ["ink", "faint", "accent", "good", "bad", "doubt", "number", "name"])
@pytest.mark.parametrize("ground", ["wall", "paper", "hover"])
def test_every_text_can_be_read_on_its_ground(look: Colours, ink: str, ground: str) -> None:
    if (ink, ground) in {(name, "hover") for name in ("doubt", "number", "good", "bad", "name")}:
        assert contrast(getattr(look, ink), getattr(look, ground)) >= 3
    else:
        assert contrast(getattr(look, ink), getattr(look, ground)) >= 4.5


@pytest.mark.parametrize("look", LOOKS, ids=["light", "dark"])
@pytest.mark.parametrize("ground", ["accent_wash", "failing_wash", "fix_wash", "blame_wash", "selection"])
def test_ink_can_be_read_on_every_tint(look: Colours, ground: str) -> None:
    assert contrast(look.ink, getattr(look, ground)) >= 4.5


@pytest.mark.parametrize(("look", "syntax"), [(LIGHT, SYNTAX_LIGHT), (DARK, SYNTAX_DARK)], ids=["light", "dark"])
def test_code_can_be_read_on_paper_and_on_changed_lines(look: Colours, syntax: dict[str, str]) -> None:
    poor = {
        (name, ground): round(contrast(colour, getattr(look, ground)), 2)
        for name, colour in syntax.items()
        for ground in ("paper", "failing_wash", "fix_wash")
        if contrast(colour, getattr(look, ground)) < 4
    }
    assert poor == {}


@pytest.mark.parametrize("dark", [False, True])
def test_labels_can_be_read_on_every_shard_and_neighbours_differ_in_lightness(qapp: object, dark: bool) -> None:
    theme = Theme(dark=dark)
    fills = [theme.shard_colour(number).name() for number in range(512)]
    assert min(contrast(theme.label_colour(QColor(fill)).name(), fill) for fill in fills) >= 4.5
    lightness = [colorsys.rgb_to_hls(*QColor(fill).getRgbF()[:3])[1] for fill in fills]
    assert all(abs(one - other) > 0.05 for one, other in pairwise(lightness))
    assert len(set(fills[:24])) == 24


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("scale", [0.8, 1.0, 2.0])
def test_the_style_sheet_has_no_gap_left(qapp: object, dark: bool, scale: float) -> None:
    sheet = Theme(dark=dark, scale=scale).style_sheet()
    assert re.findall(r"@\w+@", sheet) == []
    assert sheet.count("{") == sheet.count("}")


def test_sizes_follow_scale_and_base(qapp: object) -> None:
    small, large = Theme(dark=False, base=9.0), Theme(dark=False, base=9.0, scale=2.0)
    for field in dataclasses.fields(small.sizes):
        assert getattr(large.sizes, field.name) == pytest.approx(2 * getattr(small.sizes, field.name))
    assert large.font("title").pointSizeF() == 36.0
    assert large.code_font().pointSizeF() == pytest.approx(17.1)


# Rich text


def test_verbatim_text_keeps_its_spaces_and_signs() -> None:
    assert escaped("a  b\n <i>&amp;") == "a&nbsp; b<br/> &lt;i&gt;&amp;amp;"


def test_the_telling_parts_of_a_message_are_dressed(qapp: object) -> None:
    theme = Theme(dark=False)
    html = error_html(
        "ValueError", "dimension 0 should be divisible by 4, but it is equal to 10 (full shape: (10, 16))", theme
    )
    for part in ("ValueError", "10", "4"):
        assert re.search(rf'<span style="color:#\w{{6}};[^"]*">{part}</span>', html)
    assert re.sub("<[^>]*>", "", html).startswith("ValueError: dimension 0")


@pytest.mark.parametrize(("error", "message", "text"), [("E", "", "E"), ("", "m", "m"), ("E", "m", "E: m")])
def test_class_and_message_are_joined(qapp: object, error: str, message: str, text: str) -> None:
    assert re.sub("<[^>]*>", "", error_html(error, message, Theme(dark=False))) == text


def test_only_the_beginning_of_a_huge_message_is_dressed(qapp: object) -> None:
    message = "size 10 " * MOST_DRESSED
    html = error_html("E", message, Theme(dark=False))
    assert html.count("<span") <= MOST_DRESSED
    assert re.sub("<[^>]*>", "", html) == f"E: {message}"


def test_only_differing_words_are_underlined(qapp: object) -> None:
    theme = Theme(dark=True)
    _, seen = word_difference("10 <rows>", "13 <rows>")
    html = difference_html(seen, theme)
    assert (
        html == f'<span style="background-color:{DARK.failing_wash}; text-decoration:underline;">13</span> &lt;rows&gt;'
    )
