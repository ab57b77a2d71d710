"""Colours, type sizes and the style sheet: every colour of the window has its role and its one place here.

Verdicts and shards are never told by colour alone: marks, words and labels stand beside it.
"""

import colorsys
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtGui import QColor, QFont, QFontDatabase, QPalette
from PySide6.QtWidgets import QApplication, QStyleFactory

import resources

if TYPE_CHECKING:
    from gui.widgets.editor_colours import EditorColours
    from gui.widgets.python_highlighter import SyntaxColours


class Scheme(StrEnum):
    """Which of the two looks, or the system's choice."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


@dataclass(frozen=True)
class Colours:
    """Colour roles as ``#rrggbb``.

    Attributes:
        wall: Behind everything.
        paper: Behind code and messages.
        ink: Text.
        faint: Text of lesser weight; still 4.5 to 1 against the wall.
        rule: Hairlines.
        hover: Behind the row under the pointer.
        accent: The one accent: links, focus, the selected row's edge.
        accent_wash: Behind the selected row.
        good: A verdict that holds.
        bad: A verdict that does not, an error's class.
        doubt: Something changed, or cannot be told.
        failing_wash: Changed lines of the failing half.
        fix_wash: Changed lines of the fix.
        blame_wash: The line at fault.
        number: Numbers and sizes in a message.
        name: Axis names and specs in a message.
    """

    wall: str
    paper: str
    ink: str
    faint: str
    rule: str
    hover: str
    accent: str
    accent_wash: str
    good: str
    bad: str
    doubt: str
    failing_wash: str
    fix_wash: str
    blame_wash: str
    number: str
    name: str
    selection: str


LIGHT = Colours(
    wall="#f7f5f1",
    paper="#fffefc",
    ink="#22262b",
    faint="#636a72",
    rule="#dedad2",
    hover="#eeebe4",
    accent="#27598f",
    accent_wash="#e3eaf2",
    good="#22703f",
    bad="#a9342a",
    doubt="#8a5a00",
    failing_wash="#fae7df",
    fix_wash="#e2f1e4",
    blame_wash="#f6cfc4",
    number="#9a3b00",
    name="#27598f",
    selection="#cfdff0",
)
DARK = Colours(
    wall="#191b1e",
    paper="#212428",
    ink="#e5e2dc",
    faint="#a0a4aa",
    rule="#363a40",
    hover="#26292e",
    accent="#86b6e6",
    accent_wash="#283543",
    good="#7cc796",
    bad="#f08a7c",
    doubt="#e0b060",
    failing_wash="#40292a",
    fix_wash="#223a2b",
    blame_wash="#5f3230",
    number="#f0a868",
    name="#86b6e6",
    selection="#34506c",
)

SYNTAX_LIGHT = {
    "keyword": "#7a3a8c",
    "string": "#2f6b3a",
    "number": "#9a3b00",
    "comment": "#6d7378",
    "name_function": "#1d5a96",
    "name_class": "#1d5a96",
    "name_builtin": "#7a5200",
    "operator": "#4a5058",
    "decorator": "#7a5200",
    "text": "#22262b",
}
SYNTAX_DARK = {
    "keyword": "#cf9fe0",
    "string": "#98cf9f",
    "number": "#f0a868",
    "comment": "#8f959c",
    "name_function": "#8fbdf0",
    "name_class": "#8fbdf0",
    "name_builtin": "#e0c070",
    "operator": "#b8bcc2",
    "decorator": "#e0c070",
    "text": "#e5e2dc",
}

# Eight hues that colour-blind eyes keep apart; neighbours also differ in lightness, see `shard_colour`.
_HUES = (0.58, 0.10, 0.42, 0.93, 0.15, 0.72, 0.50, 0.02)


STILL = "* { widget-animation-duration: 0; }"
"""The rule of a style sheet under which nothing slides, fades or pulses."""


@dataclass(frozen=True)
class Sizes:
    """Type sizes in points, and one unit of space in pixels."""

    text: float
    small: float
    code: float
    title: float
    heading: float
    space: int


class Theme:
    """One look: colours for a scheme, sizes for a text scale."""

    def __init__(
        self,
        *,
        dark: bool,
        scale: float = 1.0,
        base: float = 10.0,
        code_family: str = "",
        family: str = "",
        still: bool = False,
    ) -> None:
        """Derive everything from a few choices.

        Args:
            dark: Which colours.
            scale: 1.0 is 100 %.
            base: The system's text size in points.
            code_family: Font of code; "" for the system's monospaced one.
            family: Font of everything else; "" for the system's.
            still: Whether nothing may move that needs not.
        """
        self.dark = dark
        self.code_family, self.family = code_family, family
        self.still = still
        self.colours = DARK if dark else LIGHT
        text = base * scale
        self.sizes = Sizes(
            text=text,
            small=text * 0.9,
            code=text * 0.95,
            title=text * 2.0,
            heading=text * 1.15,
            space=max(4, round(8 * scale)),
        )

    def colour(self, role: str) -> QColor:
        """A role as Qt wants it."""
        return QColor(getattr(self.colours, role))

    def shard_colour(self, number: int) -> QColor:
        """The fill of the shard with that number among its array's slices.

        Neighbouring numbers differ in hue and, by turns, in lightness, so that greyscale tells them apart too.
        """
        turn, place = divmod(number, len(_HUES))
        hue = (_HUES[place] + 0.06 * turn) % 1.0
        # Three steps of lightness; 3 and 8 share no factor, so a hue comes back with another lightness.
        lightness = ((0.34, 0.46, 0.27) if self.dark else (0.80, 0.68, 0.88))[number % 3]
        red, green, blue = colorsys.hls_to_rgb(hue, lightness, 0.45 if self.dark else 0.55)
        return QColor.fromRgbF(red, green, blue)

    def label_colour(self, fill: QColor) -> QColor:
        """The colour of words on a fill: ink, or black or white where ink would have less than 4.5 to 1."""
        ink = self.colour("ink")
        if _contrast(ink, fill) >= 4.5:
            return ink
        return max(QColor("black"), QColor("white"), key=lambda colour: _contrast(colour, fill))

    def font(self, size: str = "text", *, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
        """The interface font at one of the sizes."""
        font = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
        if self.family:
            font.setFamilies([self.family, *font.families()])
        font.setPointSizeF(getattr(self.sizes, size))
        font.setWeight(weight)
        return font

    def code_font(self) -> QFont:
        """The monospaced font."""
        font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        if self.code_family:
            font.setFamilies([self.code_family, *font.families()])
        font.setPointSizeF(self.sizes.code)
        return font

    def editor_colours(self, changed: str) -> "EditorColours":
        """The roles that a code editor knows.

        Args:
            changed: What its changed lines are: "failing" or "fix".
        """
        from gui.widgets.editor_colours import EditorColours

        return EditorColours(
            text=self.colour("ink"),
            background=self.colour("paper"),
            gutter_text=self.colour("faint"),
            current_line=self.colour("hover"),
            changed_line=self.colour(f"{changed}_wash"),
            changed_mark=self.colour("bad" if changed == "failing" else "good"),
            blamed_line=self.colour("blame_wash"),
            blamed_mark=self.colour("bad"),
            note_mark=self.colour("doubt"),
            selection=self.colour("selection"),
            match=self.colour("accent_wash"),
        )

    def syntax_colours(self) -> "SyntaxColours":
        """The colours of Python code."""
        from gui.widgets.python_highlighter import SyntaxColours

        names = SYNTAX_DARK if self.dark else SYNTAX_LIGHT
        return SyntaxColours(**{name: QColor(value) for name, value in names.items()})

    def style_sheet(self) -> str:
        """The application's style sheet with its placeholders filled in."""
        styles = Path(resources.__file__).parent / "styles"
        text = (styles / "museum.qss").read_text("utf-8")
        values = asdict(self.colours) | {f"{name}_pt": f"{size:.1f}pt" for name, size in asdict(self.sizes).items()}
        for step in (1, 2, 3):
            values[f"space{step}"] = f"{self.sizes.space * step}px"
        values["tick"] = (styles / f"tick-{'dark' if self.dark else 'light'}.png").as_posix()
        values["down"] = (styles / f"down-{'dark' if self.dark else 'light'}.png").as_posix()
        values["check"] = f"{round(self.sizes.space * 1.6)}px"
        for name, value in values.items():
            text = text.replace(f"@{name}@", str(value))
        return f"{text}\n{STILL}" if self.still else text

    def palette(self) -> QPalette:
        """Colours for what no style sheet reaches."""
        roles = QPalette.ColorRole
        palette = QPalette()
        for role, name in (
            (roles.Window, "wall"),
            (roles.WindowText, "ink"),
            (roles.Base, "paper"),
            (roles.AlternateBase, "hover"),
            (roles.Text, "ink"),
            (roles.Button, "wall"),
            (roles.ButtonText, "ink"),
            (roles.ToolTipBase, "paper"),
            (roles.ToolTipText, "ink"),
            (roles.PlaceholderText, "faint"),
            (roles.Link, "accent"),
            (roles.LinkVisited, "accent"),
            (roles.Highlight, "accent"),
            (roles.HighlightedText, "paper"),
        ):
            palette.setColor(role, self.colour(name))
        for role in (roles.WindowText, roles.Text, roles.ButtonText):
            palette.setColor(QPalette.ColorGroup.Disabled, role, self.colour("faint"))
        return palette

    def apply(self, application: QApplication) -> None:
        """Dress the whole application; what it wears already is left alone, for each walks through all widgets."""
        sheet, palette, font = self.style_sheet(), self.palette(), self.font()
        if not application.styleSheet():  # below a style sheet the style stays
            application.setStyle("Fusion")
        if application.palette() != palette:
            application.setPalette(palette)
        if application.font() != font:
            application.setFont(font)
        if application.styleSheet() != sheet:
            application.setStyleSheet(sheet)


def _contrast(one: QColor, other: QColor) -> float:
    """Contrast ratio of WCAG 2.1, 1 to 21."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: QColor) -> float:
    channels = (colour.redF(), colour.greenF(), colour.blueF())
    red, green, blue = (value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def system_is_dark() -> bool:
    """Whether the desktop asks for dark windows."""
    # The style's own palette follows the desktop. Its colour scheme says the same, but any name of Qt's namespace loads
    # all hundred of its enums, a tenth of the time to the first frame.
    standard = QStyleFactory.create("Fusion").standardPalette()
    return standard.color(QPalette.ColorRole.Window).lightness() < 128
