"""The studio: a change by hand, from the document to both drawings and on to the screen, and pan and zoom.

    uv run --no-sync python benchmarks/studio.py [--runs 15] [--json] [--part all|core|window]

The core resolves and draws a change (mesh and array, rank 4) from scratch. The window is the real page with its
controller at 1280x760, painted offscreen: an edit takes as long as until all of it is painted. The median and the best
count; the worst tells of pauses. The bound of the core's rows is what the window needs to stay within its own: 16 ms at
512 devices, 100 ms at 4,096, and 60 frames a second for pan and zoom.
"""

import argparse
import asyncio
import gc
import json
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import cycle
from pathlib import Path

from museum.mesh.array_drawing import draw_array
from museum.mesh.document import StudioArray, StudioDocument
from museum.mesh.layout import resolve
from museum.mesh.mesh import Mesh
from museum.mesh.mesh_drawing import draw_mesh
from museum.mesh.picture import Shown, compose
from museum.mesh.spec import Spec
from museum.mesh.svg import svg
from museum.mesh.topologies import Topology
from museum.mesh.torus import neighbours, place

SHAPE = (4096, 64, 64, 64)
CHANGES = [
    (8, "a=8,b=8,c=8", "a,b,c"),
    (8, "a=8,b=8,c=8", "a+b+c"),
    (8, "a=8,b=8,c=8", "-,a,-,c"),
    (50, "a=16,b=16,c=16", "a,b,c"),
    (50, "a=16,b=16,c=16", "a+b+c"),
    (50, "a=16,b=16,c=16", "-,a,-,c"),
]
FRAME = 1000 / 60
ZOOMS = (1.0, 3.0, 9.0, 27.0)

Row = dict[str, object]


def timed(what: str, bound: float | None, runs: int, *works: Callable[[], object]) -> Row:
    """Median, least and most milliseconds of works that are done in turn, each as often as `runs`."""
    for work in works:
        work()
    times = []
    for _ in range(runs):
        for work in works:
            begun = time.perf_counter()
            work()
            times.append((time.perf_counter() - begun) * 1000)
    figures = {"median_ms": statistics.median(times), "least_ms": min(times), "most_ms": max(times)}
    return {"what": what, "bound_ms": bound, **figures}


def change(mesh_text: str, spec_text: str) -> None:
    """What a change by hand costs before anything is painted."""
    layout = resolve(Mesh.parse(mesh_text), Spec.parse(spec_text), SHAPE)
    draw_mesh(layout)
    draw_array(layout)


def core(runs: int) -> Iterator[Row]:
    """Without a window."""
    for bound, mesh, spec in CHANGES:
        yield timed(f"change {mesh} as {spec}", bound, runs, lambda mesh=mesh, spec=spec: change(mesh, spec))
    large = resolve(Mesh.parse("a=16,b=16,c=16"), Spec.parse("a,b,c"), SHAPE)
    drawing = draw_mesh(large)
    machine = Topology.parse("v5p:16x16x16")
    yield timed("labels at a scale, 4,096 devices", None, runs, lambda: drawing.labels_at(30.0))
    yield timed("SVG of 4,096 devices", None, runs, lambda: svg(compose([Shown(large)])))
    yield timed("placement (64, 64) on v5p:16x16x16", None, runs, lambda: place(machine, (64, 64)))
    yield timed("hops of (16, 16, 16) on v5p:16x16x16", None, runs, lambda: neighbours(machine, large.mesh))


def window(runs: int) -> Iterator[Row]:
    """The page with its controller."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtWidgets import QApplication

    from gui.controllers.studio import StudioController
    from gui.theme import Theme
    from gui.widgets.studio_page import StudioPage

    application = QApplication([])
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    page = StudioPage(Theme(dark=False))
    page.resize(1280, 760)
    with tempfile.TemporaryDirectory() as home:
        studio = StudioController(page, None, Path(home))
        page.show()
        application.processEvents()
        gc.collect()
        gc.freeze()  # as the museum does once the studio is there

        def painted(act: Callable[..., object], *values: object) -> None:
            act(*values)
            application.sendPostedEvents()
            application.processEvents()

        for size, bound in ((8, 16), (16, 100)):
            mesh = f"a={size},b={size},c={size}"
            array = StudioArray("x", SHAPE, "float32", Spec.parse("a,b,c"))
            edits: dict[str, list[Callable[[], object]]] = {
                "type a spec": [
                    lambda: page.spec_typed.emit("P(('a', 'b', 'c'))"),
                    lambda: page.spec_typed.emit("P(None, 'a', None, 'c')"),
                    lambda: page.spec_typed.emit("P('a', 'b', 'c')"),
                ],
                "drag an axis off and on": [
                    lambda: page.arrays.unsharded.emit("x", 2, "c"),
                    lambda: page.arrays.sharded.emit("x", 3, "c"),
                    lambda: page.arrays.resharded.emit("x", 3, 2, "c"),
                ],
                "resize an axis": [
                    lambda size=size: page.axes.resized.emit("a", str(size // 2)),
                    lambda size=size: page.axes.resized.emit("a", str(size)),
                ],
                "reorder the axes": [lambda: page.axes.moved.emit("a", 1), lambda: page.axes.moved.emit("a", -1)],
                "draw an axis elsewhere": [
                    lambda: page.axes.place_chosen.emit("b", "columns"),
                    lambda: page.axes.place_chosen.emit("b", "rows"),
                ],
                "rename an axis": [
                    lambda: page.axes.renamed.emit("a", "z"),
                    lambda: page.axes.renamed.emit("z", "a"),
                ],
                "undo and redo": [page.undo_requested.emit, page.redo_requested.emit],
            }
            for what, acts in edits.items():
                painted(studio.open_document, StudioDocument.of(mesh, [array]))
                steps = [lambda act=act: painted(act) for act in acts]
                yield timed(f"{what}, painted, {size**3:,} devices", bound, runs, *steps)
            for canvas in (page.mesh_canvas, page.array_canvas):
                name = canvas.accessibleName().lower()
                for zoom in ZOOMS:
                    painted(canvas.fit)
                    painted(canvas.zoom_by, zoom)
                    there = f"{name} of {size**3:,} devices at zoom {canvas.zoom:.3g}"
                    ways = cycle(((7, 5), (-7, -5)))
                    yield timed(f"pan the {there}", FRAME, runs, lambda: painted(canvas.pan_by, *next(ways)))  # noqa: B023 - done at once
                    factors = cycle((1.25, 0.8))
                    yield timed(f"zoom the {there}", FRAME, runs, lambda: painted(canvas.zoom_by, next(factors)))  # noqa: B023 - done at once
        loop.run_until_complete(studio.close())
    page.close()


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--part", choices=("all", "core", "window"), default="all")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rows = [*(core(options.runs) if options.part != "window" else ())]
    rows += window(options.runs) if options.part != "core" else ()
    if options.json:
        print(json.dumps({"rows": rows}))
        return
    for row in rows:
        bound = f"(at most {row['bound_ms']:.3g})" if row["bound_ms"] else ""
        figures = f"{row['median_ms']:8.2f} ms, least {row['least_ms']:8.2f}, most {row['most_ms']:8.2f}"
        print(f"{row['what']:54} {figures} {bound}")


if __name__ == "__main__":
    main()
