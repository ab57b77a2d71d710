"""What the visitor can choose: every setting with its name, type, default and range, in their one home.

Where they are kept is for the window to say; what may stand there is said here. Plain classes, since the first frame
waits for them.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Generic, TypeVar

from museum.errors import MuseumError

FORMAT = 1  # of what is kept; a later museum writes a larger number

Value = TypeVar("Value")


class Setting(ABC, Generic[Value]):
    """One thing that can be chosen.

    Attributes:
        key: Under which it is kept, for ever.
        title: What the visitor reads, also in front of a refusal.
        default: What holds until something else is chosen.
        tip: What it does, in one sentence.
    """

    def __init__(self, key: str, title: str, default: Value, tip: str = "") -> None:
        self.key, self.title, self.default, self.tip = key, title, default, tip

    @abstractmethod
    def read(self, text: str) -> Value:
        """What a text means.

        Raises:
            MuseumError: It means nothing here; says what would.
        """

    def write(self, value: Value) -> str:
        """A text that `read` takes back."""
        return str(value)

    def _no(self, text: str, wanted: str) -> MuseumError:
        shown = text if len(text) <= 40 else f"{text[:40]}…"
        return MuseumError(f"{self.title}: {wanted}, not {shown!r}")


class Switch(Setting[bool]):
    """On or off."""

    def read(self, text: str) -> bool:
        """`true` or `false`."""
        if text not in ("true", "false"):
            raise self._no(text, "true or false")
        return text == "true"

    def write(self, value: bool) -> str:
        """As it is read."""
        return "true" if value else "false"


class OneOf(Setting[str]):
    """One of a few.

    Attributes:
        choices: What it may be, and what the visitor reads for it.
    """

    def __init__(
        self, key: str, title: str, default: str, tip: str = "", *, choices: Sequence[tuple[str, str]]
    ) -> None:
        super().__init__(key, title, default, tip)
        self.choices = choices

    def read(self, text: str) -> str:
        """One of the choices."""
        names = [name for name, _ in self.choices]
        if text not in names:
            raise self._no(text, f"{', '.join(names[:-1])} or {names[-1]}")
        return text


class Whole(Setting[int]):
    """A whole number.

    Attributes:
        least: The smallest that is taken.
        most: The largest.
        unit: Behind the number.
    """

    def __init__(self, key: str, title: str, default: int, tip: str, least: int, most: int, unit: str = "") -> None:
        super().__init__(key, title, default, tip)
        self.least, self.most, self.unit = least, most, unit

    @property
    def range(self) -> str:
        """In words."""
        return f"{self.least:,} to {self.most:,} {self.unit}".strip()

    def read(self, text: str) -> int:
        """Digits, with or without commas between thousands."""
        digits = text.strip().replace(",", "")
        if not (digits.isascii() and digits.isdecimal() and len(digits) < 16):
            raise self._no(text, f"a whole number, {self.range}")
        number = int(digits)
        if not self.least <= number <= self.most:
            raise self._no(text, self.range)
        return number


class Scale(Setting[float]):
    """A size of text, 1.0 for the usual one.

    Attributes:
        steps: Those that can be chosen; what lies between two counts as the nearer one.
    """

    steps = (0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0)

    def read(self, text: str) -> float:
        """A number between the first step and the last."""
        try:
            number = float(text)
        except ValueError:
            number = 0.0
        if not self.steps[0] <= number <= self.steps[-1]:
            raise self._no(text, f"{self.steps[0]} to {self.steps[-1]}")
        return min(self.steps, key=lambda step: abs(step - number))


class Words(Setting[str]):
    """Any text of one line, or nothing."""

    def read(self, text: str) -> str:
        """The text, without white space around it."""
        text = text.strip()
        if not text.isprintable() or len(text) > 200:
            raise self._no(text, "one line of at most 200 characters")
        return text


class TargetName(Setting[str]):
    """A target, as `museum.lab.target` reads it."""

    def read(self, text: str) -> str:
        """A target in its usual spelling."""
        from museum.lab.target import Target

        try:
            return str(Target.parse(text.strip()))
        except MuseumError as fault:
            raise MuseumError(f"{self.title}: {fault}") from fault


SCHEME = OneOf(
    "look/scheme", "Theme", "system", choices=(("system", "As the system is"), ("light", "Light"), ("dark", "Dark"))
)
SCALE = Scale("look/scale", "Text size", 1.0)
FAMILY = Words("look/family", "Font", "", tip="Empty for the system's")
CODE_FAMILY = Words("look/code-family", "Font of code", "", tip="Empty for the system's")
MOTION = OneOf(
    "look/motion",
    "Motion",
    "system",
    tip="Blinking, fading and counting tenths of a second",
    choices=(("system", "As the system is"), ("reduced", "Reduced"), ("full", "Full")),
)
WHITESPACE = Switch("editor/whitespace", "Show whitespace in code", False)

SECONDS = Whole("run/seconds", "Time", 120, "A run that takes longer is ended", 1, 86_400, "s")
MEMORY = Whole("run/gibibytes", "Memory", 8, "Of the run and all that it starts", 1, 4_096, "GiB")
OUTPUT = Whole("run/output-mebibytes", "Output", 1_024, "A run that prints more is ended", 1, 16_384, "MiB")
PROCESSES = Whole("run/processes", "Processes", 256, "That a run may have at once", 4, 4_096)
TARGET = TargetName(
    "run/target", "Default target", "cpu:8", "For new snippets that do not ask for one: cpu:8, cpu:2x4, local, …"
)

SPARES = Whole("lab/spares", "Spare processes", 2, "Started ahead, so that a run begins at once", 0, 8)
IDLE = Whole("lab/idle-minutes", "Spares wait", 10, "Then they are let go", 1, 1_440, "min")
USE_CACHE = Switch("lab/use-compilation-cache", "Use the compilation cache", True)
CACHE = Whole("lab/cache-mebibytes", "Cache holds at most", 256, "The oldest programs go first", 16, 65_536, "MiB")

HISTORY_RUNS = Whole("history/runs", "Runs", 10_000, "The oldest that are not pinned go first", 10, 1_000_000)
HISTORY_SIZE = Whole("history/mebibytes", "Size", 64, "The oldest that are not pinned go first", 1, 4_096, "MiB")

SETTINGS: tuple[Setting[str] | Setting[bool] | Setting[int] | Setting[float], ...] = (
    *(SCHEME, SCALE, FAMILY, CODE_FAMILY, MOTION, WHITESPACE),
    *(SECONDS, MEMORY, OUTPUT, PROCESSES, TARGET),
    *(SPARES, IDLE, USE_CACHE, CACHE, HISTORY_RUNS, HISTORY_SIZE),
)
