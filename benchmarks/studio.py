"""The studio without its window: a change by hand, from the document to both drawings, for 512 and 4,096 devices.

    uv run --no-sync python benchmarks/studio.py [--runs 15] [--json]

A change is resolved and drawn (mesh and array, rank 4) from scratch; the median and the best count. The first number of
a row is the bound that the window needs to stay within its own (16 and 100 ms on screen).
"""

import argparse
import json
import statistics
import time
from collections.abc import Callable

from museum.mesh.drawing import draw_array, draw_mesh
from museum.mesh.layout import resolve
from museum.mesh.mesh import Mesh
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


def timed(work: Callable[[], object], runs: int) -> tuple[float, float]:
    """Median and least milliseconds."""
    work()
    times = []
    for _ in range(runs):
        begun = time.perf_counter()
        work()
        times.append((time.perf_counter() - begun) * 1000)
    return statistics.median(times), min(times)


def change(mesh_text: str, spec_text: str) -> None:
    """What a change by hand costs before anything is painted."""
    layout = resolve(Mesh.parse(mesh_text), Spec.parse(spec_text), SHAPE)
    draw_mesh(layout)
    draw_array(layout)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rows = []
    for bound, mesh, spec in CHANGES:
        median, least = timed(lambda mesh=mesh, spec=spec: change(mesh, spec), options.runs)
        rows.append({"what": f"change {mesh} as {spec}", "bound_ms": bound, "median_ms": median, "least_ms": least})
    large = resolve(Mesh.parse("a=16,b=16,c=16"), Spec.parse("a,b,c"), SHAPE)
    drawing = draw_mesh(large)
    machine = Topology.parse("v5p:16x16x16")
    others: dict[str, Callable[[], object]] = {
        "labels at a scale, 4,096 devices": lambda: drawing.labels_at(30.0),
        "SVG of 4,096 devices": lambda: svg(compose([Shown(large)])),
        "placement (64, 64) on v5p:16x16x16": lambda: place(machine, (64, 64)),
        "hops of (16, 16, 16) on v5p:16x16x16": lambda: neighbours(machine, large.mesh),
    }
    for what, work in others.items():
        median, least = timed(work, options.runs)
        rows.append({"what": what, "bound_ms": None, "median_ms": median, "least_ms": least})
    if options.json:
        print(json.dumps({"rows": rows}))
        return
    for row in rows:
        bound = f"(at most {row['bound_ms']})" if row["bound_ms"] else ""
        print(f"{row['what']:44} {row['median_ms']:8.2f} ms, least {row['least_ms']:8.2f} {bound}")


if __name__ == "__main__":
    main()
