"""Runs in a child: answers questions about code with jedi, one line of JSON each, until its input ends.

jedi imports the modules that the code imports to look at them, in a process of the environment that was asked about.
"""

import json
import resource
import signal
import sys
from contextlib import suppress
from functools import cache
from typing import Any

MOST_NAMES = 2000
MOST_MEMORY = 4 << 30  # bytes that may be mapped, by this process and by that of an environment
LONGEST = 30  # seconds of a question, should nobody be there any more to end this


@cache
def environment(python: str) -> Any:  # noqa: ANN401 - jedi has no types
    """The environment of a Python."""
    import jedi

    return jedi.create_environment(python, safe=False)


def complete(script: Any, line: int, column: int) -> dict[str, Any]:  # noqa: ANN401
    """Names that may stand at a place, those that hide behind an underscore last.

    What each of them is stays unsaid: to find out, jedi would read half of JAX.
    """
    found = {one.name for one in script.complete(line, column)}
    return {"names": sorted(found, key=lambda name: (name.startswith("_"), name.lower(), name))[:MOST_NAMES]}


def explain(script: Any, line: int, column: int) -> dict[str, Any]:  # noqa: ANN401
    """Signature and first paragraph of documentation of the name at a place."""
    for name in script.help(line, column):
        signatures = name.get_signatures()
        words = " ".join(name.docstring(raw=True).strip().partition("\n\n")[0].split())
        if signatures:
            return {"signature": signatures[0].to_string(), "words": words}
        if words or name.type in ("module", "class", "instance"):
            return {"signature": f"{name.type} {name.full_name or name.name}", "words": words}
    return {}


def answer(question: dict[str, Any]) -> dict[str, Any]:
    """The answer to one question; a question that jedi breaks at has an empty one."""
    import jedi

    try:
        script = jedi.Script(question["code"], environment=environment(question["python"]))
        work = complete if question["kind"] == "complete" else explain
        return work(script, question["line"], question["column"])
    except Exception as failure:  # noqa: BLE001 - jedi breaks at some code, and must answer the next question
        return {"fault": f"{type(failure).__name__}: {failure}"[:300]}


def main() -> None:
    """Answer until the input ends."""
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    if hard == resource.RLIM_INFINITY or hard > MOST_MEMORY:
        with suppress(ValueError, OSError):  # not everywhere
            resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, hard))
    for line in sys.stdin:
        signal.alarm(LONGEST)
        sys.stdout.write(json.dumps(answer(json.loads(line))) + "\n")
        sys.stdout.flush()
        signal.alarm(0)


if __name__ == "__main__":
    main()
