"""Tracebacks as a visitor wants to read them first: their own frames open, the libraries' folded."""

import re

# The label is that of one process among several.
_FRAME = re.compile(r'(?P<label>(?:\[\d+\] )?)  File "(?P<file>[^"]+)", line \d+(?:, in .*)?')
_PACKAGE = re.compile(r"/(?:site|dist)-packages/(\w+)/")
_STANDARD_LIBRARY = re.compile(r"/lib/python3\.\d+/|^<frozen ")


def fold_traceback(text: str) -> str:
    """Traceback text with each run of library frames replaced by one line that says how many it stands for.

    Everything that is no frame stays as it is, wherever it stands.
    """
    folded: list[str] = []
    hidden: list[str] = []
    label = ""
    lines = text.splitlines()
    place = 0
    while place < len(lines):
        if not hidden and '  File "' not in lines[place]:
            folded.append(lines[place])  # as nearly all of ten thousand lines are
            place += 1
            continue
        match = _FRAME.fullmatch(lines[place])
        library = _library_of(match["file"]) if match else ""
        if not match or not library:
            folded += _summary(hidden, label)
            hidden = []
            folded.append(lines[place])
            place += 1
            continue
        if hidden and match["label"] != label:
            folded += _summary(hidden, label)
            hidden = []
        label = match["label"]
        hidden.append(library)
        place += 1
        # Source and marker lines of this frame are indented deeper than any frame line.
        while place < len(lines) and lines[place].startswith(f"{label}    "):
            place += 1
    return "\n".join([*folded, *_summary(hidden, label)])


def _library_of(file: str) -> str:
    """The package that a file belongs to, or "" for the visitor's own."""
    package = _PACKAGE.search(file)
    if package:
        return "JAX" if package[1] == "jax" else package[1]
    return "Python" if _STANDARD_LIBRARY.search(file) else ""


def _summary(packages: list[str], label: str) -> list[str]:
    if not packages:
        return []
    names = " and ".join(dict.fromkeys(packages))
    many = "s" if len(packages) > 1 else ""
    return [f"{label}  … {len(packages)} frame{many} of {names} …"]
