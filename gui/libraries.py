"""Looks for the system libraries that Qt needs, so that the program can name what is missing instead of dying."""

import ctypes
import os
import sys

from museum.errors import MuseumError

# Library and Debian package, from the NEEDED entries of PySide6-Essentials 6.12.
EVERYWHERE = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libX11.so.6": "libx11-6",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libxkbcommon.so.0": "libxkbcommon0",
}
ON_X11 = {
    "libX11-xcb.so.1": "libx11-xcb1",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
}
ON_WAYLAND = {
    "libwayland-client.so.0": "libwayland-client0",
    "libwayland-cursor.so.0": "libwayland-cursor0",
}


def platform_plugin() -> str:
    """The Qt platform that will be used here.

    Raises:
        MuseumError: There is no screen, and none was asked for.
    """
    asked = os.environ.get("QT_QPA_PLATFORM", "").partition(";")[0].partition(":")[0]
    if asked:
        return asked
    if os.environ.get("WAYLAND_DISPLAY"):
        return "wayland"
    if os.environ.get("DISPLAY"):
        return "xcb"
    raise MuseumError("no screen: neither DISPLAY nor WAYLAND_DISPLAY is set (commands such as `list` need none)")


def missing(wanted: dict[str, str]) -> dict[str, str]:
    """Those of the libraries that the loader cannot find."""
    found = {}
    for library, package in wanted.items():
        try:
            ctypes.CDLL(library)
        except OSError:
            found[library] = package
    return found


def check_libraries() -> None:
    """See that a window can open.

    Raises:
        MuseumError: No screen, or libraries are missing: names each, and the one command that installs them.
    """
    if sys.platform != "linux":
        return
    platform = platform_plugin()
    wanted = EVERYWHERE | (ON_X11 if platform == "xcb" else ON_WAYLAND if platform.startswith("wayland") else {})
    lacking = missing(wanted)
    if lacking:
        names, packages = ", ".join(lacking), " ".join(lacking.values())
        raise MuseumError(f"Qt needs libraries that are missing here: {names}; install: apt-get install {packages}")
