"""What happens to a traceback on its way into a paste: by name, functions from a text to the text that arrives."""

import html
import json
import textwrap
from collections.abc import Callable
from itertools import chain, zip_longest

Mangler = Callable[[str], str]

OWN_FRAME = '  File "/home/me/train.py", line 30, in main\n    step(batch)\n'
OTHER = (
    'Traceback (most recent call last):\n  File "/home/me/data.py", line 8, in load\n    return files[name]\n'
    "KeyError: 'weights'\n"
)


def traceback_of(error: str, message: str, frames: str = "") -> str:
    """A traceback as Python prints it, JAX's own frames (`frames`) inside the visitor's."""
    return f"Traceback (most recent call last):\n{OWN_FRAME}{frames}{error}: {message}\n"


def prefixed(prefix: str) -> Mangler:
    """Each line behind a prefix, in which ``%d`` is the number of the line."""
    return lambda text: "".join(
        f"{prefix % number if '%' in prefix else prefix}{line}\n" for number, line in enumerate(text.splitlines())
    )


def coloured(text: str) -> str:
    """As a terminal gets it from IPython: class in red, files in green."""
    head, _, last = text.rstrip("\n").rpartition("\n")
    name, _, rest = last.partition(":")
    head = head.replace("File ", "\x1b[0;32mFile\x1b[0m ")
    return f"{head}\n\x1b[0;31m{name}\x1b[0m:{rest}\x1b[39;49m\n"


def marked_up(text: str) -> str:
    """As copied out of a page's source."""
    return f'<div class="output"><pre><span class="err">{html.escape(text)}</span></pre></div>'


def in_notebook(text: str) -> str:
    """As a notebook's file keeps it."""
    return json.dumps({"output_type": "error", "traceback": coloured(text).splitlines(keepends=True)}, indent=1)


def wrapped(text: str) -> str:
    """As a terminal of 80 columns breaks it."""
    return "\n".join(part for line in text.splitlines() for part in textwrap_hard(line, 80)) + "\n"


def textwrap_hard(line: str, width: int) -> list[str]:
    """A line in pieces of a width, wherever that cuts."""
    return [line[start : start + width] for start in range(0, len(line), width)] or [""]


def filled(text: str) -> str:
    """As a mail or an issue breaks it: at spaces."""
    return (
        "\n".join("\n".join(textwrap.wrap(line, 80, subsequent_indent="  ")) or "" for line in text.splitlines()) + "\n"
    )


def by_turns(text: str) -> str:
    """Two ranks that print at the same time."""
    lines = text.splitlines()
    one, other = (f"[rank{rank}]: " for rank in (0, 1))
    pairs = zip_longest((one + line for line in lines), (other + line for line in lines[1:]), fillvalue="")
    return "\n".join(line for line in chain.from_iterable(pairs) if line)


def chained(text: str) -> str:
    """Raised while another error was handled."""
    return f"{OTHER}\nDuring handling of the above exception, another exception occurred:\n\n{text}"


def grouped(text: str) -> str:
    """Inside an exception group."""
    inner = "".join(f"    | {line}\n" for line in text.splitlines())
    return (
        "  + Exception Group Traceback (most recent call last):\n"
        '  |   File "/home/me/train.py", line 3, in <module>\n'
        "  | ExceptionGroup: unhandled errors in a TaskGroup (1 sub-exception)\n"
        f"  +-+---------------- 1 ----------------\n{inner}    +------------------------------------\n"
    )


def filtered(text: str) -> str:
    """With what JAX says when it hides its own frames."""
    return (
        f"{text}--------------------\nFor simplicity, JAX has removed its internal frames from the traceback of the "
        "following exception. Set JAX_TRACEBACK_FILTERING=off to include these.\n"
    )


def by_pytest(text: str) -> str:
    """As pytest shows it."""
    last = text[text.index(OWN_FRAME) + len(OWN_FRAME) :]
    shown = "".join(f"E       {line}\n" for line in last.splitlines())
    return f"    def test_step():\n>       step(batch)\n\ntrain.py:30: \n_ _ _ _ _ _ _ _\n\n{shown}\n"


def without_top(text: str) -> str:
    """The last lines alone."""
    return text[text.index(OWN_FRAME) + len(OWN_FRAME) :]


def cut_off(text: str) -> str:
    """Without the last fifth of the message."""
    start = text.index(OWN_FRAME) + len(OWN_FRAME)
    return text[: len(text) - (len(text) - start) // 5]


def amid_logs(text: str) -> str:
    """Between lines of other things."""
    before = "".join(f"step {step}: loss {4 / step:.3f}\n" for step in range(1, 40))
    return (
        f"{before}I1130 10:00:00.000000 17 service.cc:148] XLA service initialized\n{text}srun: error: node3: exit 1\n"
    )


MANGLERS: dict[str, Mangler] = {
    "coloured": coloured,
    "marked up": marked_up,
    "in a notebook's file": in_notebook,
    "wrapped at 80 columns": wrapped,
    "filled at 80 columns": filled,
    "two ranks by turns": by_turns,
    "chained": chained,
    "in a group": grouped,
    "with JAX's note": filtered,
    "shown by pytest": by_pytest,
    "without its top": without_top,
    "cut off": cut_off,
    "amid logs": amid_logs,
    "absl": prefixed("E1130 10:00:00.%06d 4242 train.py:30] "),
    "time stamps": prefixed("2026-11-30 10:00:00,123 ERROR "),
    "Kubernetes": prefixed("2026-11-30T10:00:00.123456789Z stderr F "),
    "Ray": prefixed("(train_step pid=4242, ip=10.0.0.7) "),
    "torchrun": prefixed("[rank3]: "),
    "Slurm": prefixed("3: "),
    "Open MPI": prefixed("[1,3]<stderr>:"),
    "Compose": prefixed("trainer-1  | "),
    "quoted in a mail": prefixed("> "),
    "indented": prefixed("    "),
    "line ends of Windows": lambda text: text.replace("\n", "\r\n"),
}
