"""The command ``xla-museum``: the window by default, the core's commands when one is named."""

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from museum.mesh.picture import Picture


def main() -> int:
    """Open the window, or run the command that the command line names; returns the exit code."""
    # Where PYTHONDONTWRITEBYTECODE is set, the program would compile itself at every start, for ever.
    sys.dont_write_bytecode = False
    arguments = sys.argv[1:]
    if not arguments:
        return _window("")
    from museum.cli import main as run_command

    return run_command(arguments, open_window=_window, paint=_paint)


def _paint(picture: "Picture") -> bytes:
    """A picture as PNG, without a screen."""
    import os

    from gui.libraries import check_libraries

    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    check_libraries()
    from PySide6.QtGui import QGuiApplication

    from gui.widgets.picture_painter import image_of, png_of
    from museum.mesh.svg import LIGHT

    application = QGuiApplication.instance() or QGuiApplication([sys.argv[0]])  # fonts need one
    content = png_of(image_of(picture, LIGHT))
    del application
    return content


def _window(place: str) -> int:
    from museum.errors import MuseumError

    try:
        from gui.libraries import check_libraries

        check_libraries()
        from gui.entrance import open_window

        return open_window(place)
    except MuseumError as error:
        from museum.commands.command import WRONG_USE  # here, for the commands take longer to load than the window

        sys.stderr.write(f"xla-museum: {error}\n")
        return WRONG_USE


if __name__ == "__main__":
    sys.exit(main())
