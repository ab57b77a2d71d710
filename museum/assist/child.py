"""Runs in a child: answers questions about code with jedi, one line of JSON each, until its input ends.

jedi imports the modules that the code imports to look at them, in a process of the environment that was asked about.
"""

import json
import sys
from functools import cache
from typing import Any

MOST_ITEMS = 200


@cache
def environment(python: str) -> Any:  # noqa: ANN401 - jedi has no types
    """The environment of a Python."""
    import jedi

    return jedi.create_environment(python, safe=False)


def complete(script: Any, line: int, column: int) -> dict[str, Any]:  # noqa: ANN401
    """Names that may stand at a place, those that hide behind an underscore last."""
    found = script.complete(line, column)
    names = sorted(found, key=lambda one: (one.name.startswith("_"), one.name.lower()))
    return {"items": [{"name": one.name, "kind": one.type} for one in names[:MOST_ITEMS]]}


def explain(script: Any, line: int, column: int) -> dict[str, Any]:  # noqa: ANN401
    """Signature and first line of documentation of the name at a place."""
    for name in script.help(line, column):
        signatures = name.get_signatures()
        words = name.docstring(raw=True).strip().partition("\n")[0]
        if signatures:
            return {"signature": signatures[0].to_string(), "words": words}
        if words or name.type in ("module", "class", "instance"):
            return {"signature": f"{name.type} {name.full_name or name.name}", "words": words}
    return {"signature": "", "words": ""}


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
    for line in sys.stdin:
        question = json.loads(line)
        sys.stdout.write(json.dumps({"id": question["id"], **answer(question)}) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
