"""What leaves the studio: a layout as code, text, JSON, SVG or pixels, on the clipboard or in a file."""

import json
import os
import tempfile
from pathlib import Path

from gui.widgets.studio_page import StudioPage
from gui.widgets.studio_view import Copied, Exported, StudioView
from museum.errors import MuseumError
from museum.lab.target import MOST_FAKE_DEVICES, Target
from museum.mesh.answer import as_json
from museum.mesh.code import as_code
from museum.mesh.document import StudioDocument, from_json, to_json
from museum.mesh.picture import Picture, Shown, compose
from museum.mesh.textual import as_text


def copy(what: Copied, view: StudioView, at: tuple[int, ...] | None, jax: str, page: StudioPage) -> None:
    """Put the layout on the clipboard.

    Args:
        what: In which form.
        view: What is shown.
        at: The slice of the array that is drawn.
        jax: The version to write code for.
        page: Has the clipboard.

    Raises:
        MuseumError: There is no array to draw, or the version lacks something of the layout.
    """
    document = view.document
    match what:
        case Copied.CODE:
            page.copy_text(as_code(document, jax))
        case Copied.SHARD_MAP:
            page.copy_text(as_code(document, jax, "shard_map"))
        case Copied.TEXT:
            page.copy_text(as_text([_shown(view, at)], document.arrangement))
        case Copied.JSON:
            page.copy_text(json.dumps(as_json(document), indent=2, ensure_ascii=False) + "\n")
        case Copied.IMAGE:
            from gui.widgets.picture_painter import image_of

            page.copy_image(image_of(_picture(view, at), page.mesh_canvas.palette_of_shards))


def export(what: Exported, path: Path, view: StudioView, at: tuple[int, ...] | None, page: StudioPage) -> None:
    """Write the layout to a file; arguments as for `copy`.

    Raises:
        MuseumError: There is no array to draw, or nothing can be written.
    """
    palette = page.mesh_canvas.palette_of_shards
    match what:
        case Exported.JSON:
            content = to_json(view.document)
        case Exported.SVG:
            from museum.mesh.svg import svg

            content = svg(_picture(view, at), palette).encode()
        case Exported.PNG:
            from gui.widgets.picture_painter import image_of, png_of

            content = png_of(image_of(_picture(view, at), palette))
    _write(path, content)


def for_bench(document: StudioDocument, jax: str) -> tuple[str, str, str]:
    """The layout as a snippet that runs as it stands: its title, its code, its target.

    Args:
        document: The layout.
        jax: The version to write code for.

    Raises:
        MuseumError: It has more devices than can be pretended, or the version lacks something of it.
    """
    if document.mesh.size > MOST_FAKE_DEVICES:
        raise MuseumError(
            f"the bench pretends at most {MOST_FAKE_DEVICES} devices; this mesh has {document.mesh.size:,}"
        )
    return document.name or "Layout", as_code(document, jax), str(Target.cpu(document.mesh.size))


def read(path: str) -> StudioDocument:
    """A document from a file.

    Raises:
        MuseumError: It cannot be read, or is no document.
    """
    try:
        return from_json(Path(path).read_bytes())
    except OSError as error:
        raise MuseumError(f"{path}: cannot be read: {error.strerror}") from error


def _shown(view: StudioView, at: tuple[int, ...] | None) -> Shown:
    if view.chosen is None or view.layout is None:
        raise MuseumError("add an array first: a picture needs one")
    return Shown(view.layout, view.chosen.name, view.chosen.dtype, at)


def _picture(view: StudioView, at: tuple[int, ...] | None) -> Picture:
    return compose([_shown(view, at)], view.document.arrangement)


def _write(path: Path, content: bytes) -> None:
    """All of it or nothing: a file that was there stays until the new one is whole."""
    try:
        descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(content)
            Path(name).chmod(0o644)
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise MuseumError(f"{path}: cannot be written: {error.strerror}") from error
