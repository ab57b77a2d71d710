"""Every action of the menus with its name, its words and its keys."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

OF_THE_WORKSHOP = (
    "compare",
    "copy-report",
    "save-script",
    "keep",
    "save-folder",
    "export",
    "import-zip",
    "import-folder",
)
"""Actions that `gui.workshop` does, which is made when it is first asked for."""


EXHIBIT, WING, WELCOME, STUDIO, BENCH, DIAGNOSIS = PAGES = (
    "exhibit",
    "wing",
    "welcome",
    "studio",
    "bench",
    "diagnosis",
)
"""What can be in front."""

ONE, CODE = (EXHIBIT,), (EXHIBIT, BENCH)


@dataclass(frozen=True)
class ActionSpec:
    """One entry of a menu.

    Attributes:
        name: For the program.
        text: A verb first, with its mnemonic.
        keys: Shortcuts, the one shown first.
        is_switch: Whether it is on or off, with a tick.
        where: The pages on which it does something; none for all of them.
        bench_text: What it says on the bench; "" for the same.
    """

    name: str
    text: str
    keys: tuple[str, ...] = ()
    is_switch: bool = False
    where: tuple[str, ...] = ()
    bench_text: str = ""


def menu_actions() -> Mapping[str, Sequence[ActionSpec | None]]:
    """Menus in order; None is a dividing line."""
    return {
        "&Go": (
            ActionSpec("search", "&Search", ("Ctrl+K",)),
            ActionSpec("palette", "Find an &action…", ("Ctrl+Shift+P",)),
            None,
            ActionSpec("show-exhibits", "&Exhibits", ("Ctrl+1",)),
            ActionSpec("show-studio", "S&tudio", ("Ctrl+2",)),
            ActionSpec("show-bench", "Benc&h", ("Ctrl+3",)),
            ActionSpec("show-diagnosis", "&Diagnose", ("Ctrl+4",)),
            None,
            ActionSpec("next", "&Next exhibit", ("Ctrl+PgDown",)),
            ActionSpec("previous", "&Previous exhibit", ("Ctrl+PgUp",)),
            ActionSpec("back", "&Back", ("Alt+Left",)),
            ActionSpec("forward", "&Forward", ("Alt+Right",)),
            None,
            ActionSpec("filter", "Fi&lter the list…", ("Ctrl+Shift+F",)),
            ActionSpec("favourite", "Keep as fa&vourite", ("Ctrl+D",), is_switch=True, where=ONE),
            None,
            ActionSpec("quit", "&Quit", ("Ctrl+Q",)),
        ),
        "&Run": (
            ActionSpec("run-failing", "Run &failing", ("F5",), where=CODE, bench_text="Run the s&nippet"),
            ActionSpec("run-fix", "Run fi&x", ("F6",), where=ONE),
            ActionSpec("stop", "&Stop", ("Shift+F5",)),
            ActionSpec("compare", "Compare on other &versions…", ("Ctrl+Shift+R",), where=CODE),
            None,
            ActionSpec("reset-failing", "&Reset failing", where=ONE),
            ActionSpec("reset-fix", "R&eset fix", where=ONE),
            None,
            ActionSpec("cache", "Use the &compilation cache", is_switch=True),
            ActionSpec("environments", "&Manage environments…"),
            ActionSpec("history", "Open &history…", ("Ctrl+Shift+H",)),
        ),
        "&Bench": (
            ActionSpec("bench-new", "&New snippet", ("Ctrl+N",)),
            ActionSpec("bench-open", "&Open a file…", ("Ctrl+O",)),
            ActionSpec("bench-save", "&Save", ("Ctrl+S",), where=(BENCH, STUDIO)),
            ActionSpec("bench-save-as", "Save &as…", ("Ctrl+Shift+S",), where=(BENCH,)),
            None,
            ActionSpec("bench-close", "&Close snippet", ("Ctrl+W",), where=(BENCH,)),
            ActionSpec("bench-reopen", "&Reopen the last one closed", ("Ctrl+Shift+T",)),
        ),
        "&Diagnose": (
            ActionSpec("open-log", "&Open a log…", ("Ctrl+Shift+O",)),
            ActionSpec("import-records", "&Import records…"),
        ),
        "&Share": (
            ActionSpec("copy-report", "Copy as a &bug report…", ("Ctrl+Shift+B",), where=CODE),
            ActionSpec("save-script", "&Save as a script…", where=CODE),
            None,
            ActionSpec("keep", "&Keep as my exhibit…", ("Ctrl+Shift+K",), where=CODE),
            ActionSpec("save-folder", "Save as an exhibit &folder…", where=CODE),
            None,
            ActionSpec("export", "&Export this exhibit as a zip…", where=ONE),
            ActionSpec("import-zip", "Import exhibits from a &zip…"),
            ActionSpec("import-folder", "&Import exhibits from a folder…"),
        ),
        "&View": (
            ActionSpec("larger", "&Larger text", ("Ctrl+=", "Ctrl++")),
            ActionSpec("smaller", "S&maller text", ("Ctrl+-",)),
            ActionSpec("usual", "&Usual size", ("Ctrl+0",)),
            None,
            ActionSpec("whitespace", "Show &whitespace", is_switch=True),
            ActionSpec("code-font", "&Choose the font of code…"),
            ActionSpec("settings", "Change s&ettings…", ("Ctrl+,",)),
            None,
            ActionSpec("reset-panes", "&Reset panes"),
        ),
        "&Help": (
            ActionSpec("welcome", "Show the &welcome page"),
            ActionSpec("problems", "Show &problems of the collection"),
            ActionSpec("log", "Show the &log"),
            ActionSpec("about", "&About XLA Museum"),
        ),
    }
