"""All that can be looked at in the whole museum: every page, in each of its states, and every dialog.

A new page or dialog is checked by `test_accessibility.py` and `test_text_scale.py` once it is in `MAKERS`.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any

import msgspec
from PySide6.QtWidgets import QApplication, QDialog, QWidget

from gui.app import Museum
from gui.controllers.navigation import WELCOME
from gui.controllers.runs import Wish
from gui.controllers.subjects import document_of
from gui.widgets.code_editor import Asked
from gui.widgets.compare_dialog import CompareDialog
from gui.widgets.filter_panel import FilterPanel
from gui.widgets.find_bar import FindBar
from gui.widgets.mine_bar import MineView
from museum.compare import Comparison, Stage, essence_of, places_for, table_of
from museum.diagnosis.records import Record
from museum.exhibit import Half
from museum.faults import fault_in_words
from museum.lab.outcome import Output, RaisedException, RunOutcome, RunStatus
from museum.lab.target import Target
from museum.mesh.layout import resolve
from museum.mesh.mesh import Axis, Mesh
from museum.mesh.spec import Spec

EXHIBIT = "xla/indivisible-dimension"
FAILED = RunOutcome(
    RunStatus.FAILED,
    1,
    "own",
    "cpu:8",
    RaisedException("ValueError", "One of the sizes 10 is not divisible by 4", (), blamed_line=3),
    stdout=Output(b"printed\n"),
    stderr=Output(b"Traceback (most recent call last):\n  ...\nValueError: no\n"),
    timings={"ended": 0.4},
)
REPORT = (
    "ValueError: One of device_put args was given the sharding of NamedSharding(mesh=Mesh('batch': 4, 'fsdp': 1, "
    "axis_types=(Auto, Auto)), spec=PartitionSpec(('batch', 'fsdp'),), memory_kind=device), which implies that the "
    "global size of its dimension 0 should be divisible by 4, but it is equal to 19 (full shape: (19, 10, 32))"
)


async def settled() -> None:
    """Until layouts and what follows from them are done."""
    for _ in range(4):
        await asyncio.sleep(0.01)


async def _exhibit(museum: Museum) -> QWidget:
    museum.window.show_exhibits()
    museum.navigation.go(EXHIBIT)
    for bar in museum.window.findChildren(FindBar):
        bar.hide()
    return museum.window


async def _exhibit_that_ran(museum: Museum) -> QWidget:
    await _exhibit(museum)
    museum.exhibits.bring_back(Half.FAILING, "# mine\n" + museum.exhibits.exhibit.scripts[Half.FAILING])
    museum.exhibits.runs._on_outcome(_wish(museum), FAILED, "0.10.2")
    return museum.window


def _wish(museum: Museum) -> Any:
    return Wish(EXHIBIT, Half.FAILING, museum.exhibits._texts[Half.FAILING])


async def _find_bar(museum: Museum) -> QWidget:
    await _exhibit(museum)
    editor = museum.window.exhibit_page.halves[Half.FAILING].editor
    editor.asked.emit(Asked.REPLACE)
    return museum.window


async def _wing(museum: Museum) -> QWidget:
    museum.window.show_exhibits()
    museum.navigation.go("xla")
    return museum.window


async def _nothing_found(museum: Museum) -> QWidget:
    await _exhibit(museum)
    museum.window.bar.search.setText("zzzz")
    museum.window.bar.query_edited.emit("zzzz")
    return museum.window


async def _studio(museum: Museum) -> QWidget:
    museum._actions["show-studio"]()
    return museum.window


async def _studio_with_problems(museum: Museum) -> QWidget:
    mesh = Mesh((Axis("data", 4), Axis("model", 2)))
    document = document_of("a_long_name_of_an_array", resolve(mesh, Spec.parse("data,model"), (10, 16)))
    museum._open_in_studio(document)  # type: ignore[arg-type]
    museum.window.studio_page._bar._on_machine("v5e:2x4")
    museum.window.studio_page.say("The file layouts/of-mine/long-name.json is not a layout: it has no mesh")
    return museum.window


async def _bench(museum: Museum) -> QWidget:
    museum.show_bench()
    return museum.window


async def _bench_that_ran(museum: Museum) -> QWidget:
    tab = museum.show_bench().current
    tab.runs._on_outcome(Wish(tab.snippet.id, Half.FAILING, tab.snippet.code), FAILED, "0.10.2")
    tab.view.warn(["--n 'x: no closing quotation", "FLAG: not NAME=VALUE"])
    tab.view.ask_about_file("train.py was changed by another program.", "Load train.py")
    return museum.window


async def _notices(museum: Museum) -> QWidget:
    await _exhibit(museum)
    museum.window.notices.say("The museum ended badly on 2026-01-01 at 10:00; what you wrote is kept.", "Show")
    return museum.window


def _dialog_of(action: str) -> Callable[[Museum], Awaitable[QWidget]]:
    async def make(museum: Museum) -> QWidget:
        museum._actions[action]()
        await asyncio.sleep(0.1)
        return _dialog()

    return make


async def _history(museum: Museum) -> QWidget:
    if not museum.history.runs.count():
        for place in (f"{EXHIBIT} failing", "bench: Snippet 1"):
            museum.history.runs.add(place, "import jax\n", FAILED, "0.10.2")
    dialog = await _dialog_of("history")(museum)
    dialog._table.selectRow(0)  # type: ignore[attr-defined]
    return dialog


async def _fault(museum: Museum) -> QWidget:
    dialog = museum._make_fault_dialog()
    fault = fault_in_words("in a task", "ValueError: something\nTraceback …\n")
    dialog.show_fault("Something in the museum itself went wrong.", fault.summary, "It happened 2 times.", fault.trace)
    return dialog


# -- the first page, search, and exhibits of the visitor's own ---------------------------------------------------------


async def _welcome(museum: Museum) -> QWidget:
    museum.window.show_exhibits()
    museum.navigation.go(WELCOME)
    return museum.window


async def _found(museum: Museum) -> QWidget:
    await _exhibit(museum)
    await _indexed(museum)
    museum.search.write("kind:raises,warns -wing:legacy memori")
    return museum.window


async def _indexed(museum: Museum) -> None:
    if museum.search._building is not None:
        await museum.search._building


async def _filters(museum: Museum) -> QWidget:
    await _exhibit(museum)
    await _indexed(museum)
    museum._actions["filter"]()
    return museum.window.finder.findChild(FilterPanel)


async def _mine(museum: Museum, view: MineView, progress: str = "") -> QWidget:
    await _wing(museum)
    await _exhibit(museum)
    bar = museum.window.exhibit_page.mine_bar
    bar.show_view(view)
    bar.show_progress(progress, running=bool(progress))
    return museum.window


async def _made_by_others(museum: Museum) -> QWidget:
    words = (
        "Made by others (from a-folder-of-exhibits.zip): look at the code first. Nothing of it runs before you agree."
    )
    return await _mine(museum, MineView("Theirs", words, is_own=False, is_trusted=False))


async def _recorded(museum: Museum) -> QWidget:
    view = MineView("Mine", "One of your own exhibits.", is_own=True, is_trusted=True, is_edited=True)
    return await _mine(museum, view, "failing on JAX 0.10.2: running …")


async def _renamed(museum: Museum) -> QWidget:
    await _recorded(museum)
    museum.window.exhibit_page.mine_bar._ask_for_title()
    return _dialog()


async def _removed(museum: Museum) -> QWidget:
    await _recorded(museum)
    museum.window.exhibit_page.mine_bar._ask_to_remove()
    return _dialog()


# -- a pasted error ----------------------------------------------------------------------------------------------------


async def _diagnosis(museum: Museum, text: str, records: Sequence[Record] = ()) -> QWidget:
    diagnosis, page = museum.show_diagnosis(), museum.window.diagnosis_page
    await asyncio.gather(*diagnosis.records._work)
    if page.field.text != text:
        diagnosis.explain(text)
    if diagnosis._asking is not None:
        await diagnosis._asking
    while not page._answer.is_complete:
        page._answer._build()
    page.records.show_records(records, len(records))
    if records:
        page.records._table.selectRow(0)
    return museum.window


async def _nothing_pasted(museum: Museum) -> QWidget:
    return await _diagnosis(museum, "")


async def _explained(museum: Museum) -> QWidget:
    return await _diagnosis(museum, REPORT)


async def _unexplained(museum: Museum) -> QWidget:
    return await _diagnosis(museum, "KeyError: 'no exhibit is about this one'")


async def _records(museum: Museum) -> QWidget:
    record = Record(
        "one", "example/a-repository-with-a-long-name", "The array of shape {shape} cannot be laid on {mesh}",
        "ValueError", "package/of/theirs/that_is_deep/module.py", 120, "What it means, at some length. " * 6, 2,
        github_url="https://github.com/example/a-repository-with-a-long-name/blob/main/package/module.py#L120",
        trigger_scenarios="When a mesh is made.", solutions=("Pad it.", "Take another mesh."),
        example_fix="mesh = jax.make_mesh((4,), ('x',))\n", tags=("mesh", "shape"),
    )  # fmt: skip
    return await _diagnosis(museum, "", [record, msgspec.structs.replace(record, id="two")])


# -- comparing and sharing ---------------------------------------------------------------------------------------------


async def _compare(museum: Museum) -> QWidget:
    await _exhibit(museum)
    return await _dialog_of("compare")(museum)


async def _comparing(museum: Museum) -> QWidget:
    dialog, table = await _table(museum)
    for number, stage in ((4, Stage.RUNNING), (5, Stage.WAITING)):
        table = table.with_cell(number, replace(table.cells[number], stage=stage, outcome=None, essence=""))
    museum.workshop.comparing._show(table)
    dialog.set_running(running=True)
    return dialog


async def _compared(museum: Museum) -> QWidget:
    dialog, table = await _table(museum)
    museum.workshop.comparing._show(table)
    return dialog


async def _one_of_them(museum: Museum) -> QWidget:
    dialog = await _compared(museum)
    dialog.cells_chosen.emit([3])  # type: ignore[attr-defined]
    return dialog


async def _two_of_them(museum: Museum) -> QWidget:
    dialog = await _compared(museum)
    dialog.cells_chosen.emit([3, 4])  # type: ignore[attr-defined]
    await museum.workshop.comparing._errands.settled()
    return dialog


async def _table(museum: Museum) -> tuple[CompareDialog, Comparison]:
    """The dialog, and a table whose places have all answered."""
    dialog: Any = await _compare(museum)
    comparing = museum.workshop.comparing
    versions = ["0.4.38", *(one.jax for one in museum.exhibits.runs.environments)]
    targets = [Target.parse(name) for name in ("cpu:8", "cpu:4", "cpu:2x4")]
    subject = comparing._compared.subjects["failing"]  # type: ignore[union-attr]
    table = table_of(subject, places_for(museum.exhibits.runs.environments, versions, targets))
    for number, cell in enumerate(table.cells):
        if not cell.place.obstacle:
            outcome = replace(FAILED, stdout=Output(b"other\n")) if number == 4 else FAILED
            done = replace(cell, stage=Stage.DONE, outcome=outcome, essence=essence_of(outcome))
            table = table.with_cell(number, done)
    return dialog, table


async def _report(museum: Museum) -> QWidget:
    await _exhibit_that_ran(museum)
    museum.workshop.sharing.copy_report()
    await museum.workshop.sharing._errands.settled()
    return _dialog()


async def _keep(museum: Museum) -> QWidget:
    await _exhibit_that_ran(museum)
    museum.workshop.sharing.keep()
    await museum.workshop.sharing._errands.settled()
    dialog: Any = _dialog()
    dialog.say("there is an exhibit mine/indivisible-dimension already: choose another id")
    return dialog


async def _told(museum: Museum) -> QWidget:
    museum.window.tell("Import exhibits", "Nothing was taken in.\n\nexhibits.zip: one/exhibit.toml: kind: unknown “x”")
    return _dialog()


def _dialog() -> QWidget:
    return [one for one in QApplication.topLevelWidgets() if isinstance(one, QDialog) and one.isVisible()][-1]


MAKERS: dict[str, Callable[[Museum], Awaitable[QWidget]]] = {
    "welcome": _welcome,
    "exhibit": _exhibit,
    "exhibit that ran": _exhibit_that_ran,
    "find bar": _find_bar,
    "exhibit made by others": _made_by_others,
    "exhibit that is recorded": _recorded,
    "wing": _wing,
    "found": _found,
    "nothing found": _nothing_found,
    "filters": _filters,
    "studio": _studio,
    "studio with problems": _studio_with_problems,
    "bench": _bench,
    "bench that ran": _bench_that_ran,
    "nothing pasted": _nothing_pasted,
    "error explained": _explained,
    "error without an exhibit": _unexplained,
    "records of others": _records,
    "notices": _notices,
    "palette": _dialog_of("palette"),
    "environments": _dialog_of("environments"),
    "history": _history,
    "settings": _dialog_of("settings"),
    "compare": _compare,
    "comparing": _comparing,
    "compared": _compared,
    "compared, one chosen": _one_of_them,
    "compared, two chosen": _two_of_them,
    "report": _report,
    "keep": _keep,
    "rename": _renamed,
    "remove": _removed,
    "told": _told,
    "fault": _fault,
    "log": _dialog_of("log"),
}
