"""Run the benchmarks and write their figures into the README's table.

uv run --no-sync python benchmarks/table.py [--quick]
"""

import argparse
import json
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
README = HERE.parent / "README.md"
KEY_MS = 8.0  # that a key may take; a paste may take longer
BEGIN, END = "<!-- figures, written by benchmarks/table.py -->", "<!-- end of figures -->"


def figures(name: str, *words: str) -> dict[str, Any]:
    """The JSON of one benchmark."""
    command = [sys.executable, str(HERE / f"{name}.py"), "--json", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def rows(*, quick: bool) -> list[tuple[str, str, str]]:
    """What was measured, the figure, and the most that it may be."""
    latency = figures("latency", "--rounds", "3" if quick else "9")
    window = figures("first_window", "--runs", "5" if quick else "15")
    verify = figures("verify")
    flood, memory, search = figures("flood"), figures("memory"), figures("search")
    opening = figures("opening")
    short = [figures("flood", "--short"), figures("flood", "--short", "--bench")]
    keys = figures("editor", *(["--keys", "8"] if quick else []))["rows"]
    slowest = max((row for row in keys if row["bound_ms"] == KEY_MS), key=lambda row: row["median_ms"])
    pauses = figures("collecting")
    doors = {what: row["first_ms"] for what, row in figures("first_openings")["rows"].items() if what[0] != "("}
    door = max(doors, key=lambda what: doors[what])
    return [
        ("failing exhibit, first run / cold `python snippet.py`", f"{latency['failing_over_cold']}", "0.10"),
        ("fix that compiles, first run / cold", f"{latency['fix_over_cold']}", "0.30"),
        ("failing exhibit, run again / cold", f"{latency['failing_again_over_cold']}", "0.06"),
        ("fix, run again / cold", f"{latency['fix_again_over_cold']}", "0.12"),
        ("failing exhibit / ipykernel restart and run", f"{latency['failing_over_ipykernel']}", "0.06"),
        ("fix / ipykernel restart and run", f"{latency['fix_over_ipykernel']}", "0.20"),
        ("first frame / bare window", f"{window['museum_over_bare']}", "1.7"),
        ("verify, times faster than its scripts in turn", f"{verify['times_faster']}", "at least 2.5"),
        ("100 MB of output: longest stall of the loop", f"{flood['worst_stall_ms']} ms", "50 ms"),
        ("100 MB of output: memory that stays", f"{flood['memory_grown_mb']} MB", "50 MB"),
        (
            "10,000 lines of output: most of the processor's time in a turn",
            f"{max(one['busiest_ms'] for one in short)} ms",
            "50 ms",
        ),
        ("a key in 2,000 lines: median", f"{statistics.median(row['median_ms'] for row in keys):.1f} ms", "8 ms"),
        (f"a key in 2,000 lines: the slowest, {slowest['what']}", f"{slowest['median_ms']:.1f} ms", "8 ms"),
        (
            "paste of 200 lines: median",
            f"{max(row['median_ms'] for row in keys if row['bound_ms'] > KEY_MS):.1f} ms",
            "50 ms",
        ),
        (
            "pause of the garbage collector: longest",
            f"{max(row['most_ms'] for row in pauses.values()):.1f} ms",
            "16 ms",
        ),
        (f"search over {search['exhibits']} exhibits: slowest key", f"{search['key_slowest_ms']} ms", "16 ms"),
        (f"an exhibit of {opening['exhibits']} opened and painted", f"{opening['open_median_ms']} ms", "50 ms"),
        (f"a first opening: the longest turn of the loop, {door}", f"{doors[door]} ms", "50 ms"),
        ("a key of a search, with the list painted: slowest", f"{opening['key_slowest_ms']} ms", "16 ms"),
        ("at rest: window", f"{memory['window_mib']} MiB", ""),
        (f"at rest: {memory['spares']} spare", f"{memory['spares_mib']} MiB", "220 MiB each"),
    ]


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="fewer rounds")
    options = parser.parse_args()
    lines = ["| what | figure | most |", "| --- | --- | --- |"]
    lines += [f"| {' | '.join(row)} |" for row in rows(quick=options.quick)]
    text = README.read_text("utf-8")
    before, _, rest = text.partition(BEGIN)
    after = rest.partition(END)[2]
    README.write_text(f"{before}{BEGIN}\n" + "\n".join(lines) + f"\n{END}{after}", "utf-8")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
