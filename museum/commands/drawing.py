"""``mesh``: who holds what, drawn or as code."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from museum.commands.command import BAD_NEWS, FINE, AddCommand, print_json
from museum.errors import MuseumError

if TYPE_CHECKING:
    from museum.mesh.document import StudioArray
    from museum.mesh.picture import Picture


def add_commands(command: AddCommand) -> None:
    """What may stand on the command line."""
    one = command("mesh", _mesh, "draw who holds what: a mesh, arrays, their specs")
    one.add_argument("--mesh", metavar="M", required=True, help="data=4,model=2, or data=4:explicit,model=2")
    one.add_argument("--shape", metavar="S", action="append", help="16,16; may be repeated for several arrays")
    one.add_argument(
        "--spec", metavar="P", action="append", help="data,model or -,data+model or P('data'), one a shape"
    )
    one.add_argument(
        "--dtype", metavar="D", action="append", help="float32 (default), bfloat16, ...: one for all or each"
    )
    one.add_argument("--topology", metavar="T", help="the machine: v5p:4x4x4, 2x v5e:4x4, h100:16, devices:64")
    one.add_argument("--jax", metavar="V", help="JAX version to write code for, or any (default: the newest known)")
    shown = one.add_mutually_exclusive_group()
    shown.add_argument("--png", metavar="F", type=Path, help="write a picture to a file, - for standard output")
    shown.add_argument("--svg", metavar="F", type=Path, help="write an SVG picture to a file, - for standard output")
    shown.add_argument("--code", action="store_true", help="print it as Python that runs")


def _mesh(options: argparse.Namespace) -> int:
    from museum.mesh.answer import as_json, physical_words
    from museum.mesh.code import as_code
    from museum.mesh.document import StudioDocument, memory
    from museum.mesh.picture import Shown, compose
    from museum.mesh.textual import as_text, mesh_lines
    from museum.mesh.torus import NEWEST_JAX

    if sum((options.json, options.code, options.svg is not None, options.png is not None)) > 1:
        raise MuseumError("give one of --json, --code, --svg and --png")
    document = StudioDocument.of(options.mesh, _mesh_arrays(options), options.topology or "")
    pairs = list(zip(document.arrays, document.layouts, strict=True))
    shown = [Shown(layout, array.name if len(pairs) > 1 else "", array.dtype) for array, layout in pairs]
    if options.json:
        print_json(as_json(document))
    elif options.code:
        print(as_code(document, options.jax or NEWEST_JAX), end="")
    elif options.svg is not None or options.png is not None:
        if not shown:
            raise MuseumError(f"{'--svg' if options.svg else '--png'} needs an array: give --shape")
        _write_picture(options, compose(shown))
    else:
        print(as_text(shown) if shown else "\n".join((*mesh_lines(document.mesh), "")), end="")
        about = [f"✗ {document.problem}"] if document.problem and not shown else []
        about += [*physical_words(document), *([str(memory(document))] if document.topology and shown else [])]
        if about:
            print("", *about, sep="\n")
    return BAD_NEWS if document.problem or any(layout.problems for _, layout in pairs) else FINE


def _mesh_arrays(options: argparse.Namespace) -> "list[StudioArray]":
    from museum.mesh.document import StudioArray
    from museum.mesh.dtypes import parse_dtype
    from museum.mesh.layout import parse_shape
    from museum.mesh.spec import Spec

    shapes, specs, dtypes = options.shape or [], options.spec or [], options.dtype or ["float32"]
    if specs and len(specs) != len(shapes):
        raise MuseumError(
            f"--shape is given {len(shapes)} and --spec {len(specs)} times: give one of each for an array"
        )
    if len(dtypes) not in (1, len(shapes)):
        raise MuseumError(f"--dtype is given {len(dtypes)} times: give one for all arrays or one for each")
    rows = zip(shapes, specs or [""] * len(shapes), dtypes * len(shapes), strict=False)
    return [
        StudioArray(f"array{number}", parse_shape(shape), parse_dtype(dtype), Spec.parse(spec))
        for number, (shape, spec, dtype) in enumerate(rows)
    ]


def _write_picture(options: argparse.Namespace, picture: "Picture") -> None:
    from museum.mesh.svg import svg

    file: Path = options.svg or options.png
    if options.svg is not None:
        content = svg(picture).encode()
    elif options.paint is None:
        raise MuseumError("--png is painted by the window's part of the museum, which is not there; take --svg")
    else:
        content = options.paint(picture)
    if str(file) == "-":
        sys.stdout.flush()
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
        return
    try:
        file.write_bytes(content)
    except OSError as failure:
        raise MuseumError(f"{file} cannot be written: {failure.strerror}") from failure
