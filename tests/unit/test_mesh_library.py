"""Saved layouts: by name, one of each, and the one at hand comes back after anything."""

import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from museum.errors import MuseumError
from museum.mesh.document import StudioArray, StudioDocument
from museum.mesh.library import LONGEST_NAME, VERSION, Library
from museum.mesh.spec import Spec


def document(mesh: str = "data=4,model=2", name: str = "") -> StudioDocument:
    made = StudioDocument.of(mesh, [StudioArray("w", (16, 16), "bfloat16", Spec.parse("data,model"))], "devices:8")
    return StudioDocument(made.mesh, made.arrays, made.topology, made.arrangement, name)


@pytest.fixture
def library(tmp_path: Path):
    library = Library(tmp_path / "studio.sqlite")
    yield library
    library.close()


def test_a_saved_layout_comes_back_as_it_was_with_its_name(library):
    saved = library.save(document(), "  my   layout ")
    assert saved == document(name="my layout")
    assert library.open("my layout") == saved
    assert library.names() == ("my layout",)


def test_names_are_listed_whatever_their_case(library):
    for name in ("beta", "Alpha", "gamma"):
        library.save(document(), name)
    assert library.names() == ("Alpha", "beta", "gamma")


def test_a_name_is_taken_only_once_unless_one_saves_over_it(library):
    library.save(document(), "mine")
    with pytest.raises(MuseumError, match="saved as 'mine' already: take another name, or save over it"):
        library.save(document("data=8"), "mine")
    assert library.open("mine").mesh == document().mesh
    library.save(document("data=8"), "mine", over=True)
    assert library.open("mine").mesh.command == "data=8"
    assert library.names() == ("mine",)


@pytest.mark.parametrize("name", ["", "   ", "x" * (LONGEST_NAME + 1)])
def test_a_name_that_is_none_is_refused(library, name):
    with pytest.raises(MuseumError, match=r"write a name|too long"):
        library.save(document(), name)
    assert library.names() == ()


def test_a_removed_layout_is_gone_and_an_unknown_one_is_told(library):
    library.save(document(), "mine")
    library.remove("mine")
    assert library.names() == ()
    for act in (library.remove, library.open):
        with pytest.raises(MuseumError, match="no layout is saved as 'mine'"):
            act("mine")


def test_nothing_is_at_hand_at_the_first_time_and_then_the_last_that_was_kept(library):
    assert library.kept() is None
    library.keep(document())
    library.keep(document("data=8", name="eight"))
    assert library.kept() == document("data=8", name="eight")
    assert library.names() == ()


def test_what_is_kept_survives_a_process_that_is_killed(tmp_path):
    file = tmp_path / "studio.sqlite"
    script = (
        "import sys, os, signal\n"
        "from pathlib import Path\n"
        "from museum.mesh.document import StudioDocument\n"
        "from museum.mesh.library import Library\n"
        "library = Library(Path(sys.argv[1]))\n"
        "library.save(StudioDocument.of('data=2'), 'two')\n"
        "library.keep(StudioDocument.of('data=3'))\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    ended = subprocess.run([sys.executable, "-c", script, file], env=dict(os.environ), check=False)
    assert ended.returncode == -signal.SIGKILL
    library = Library(file)
    kept, two = library.kept(), library.open("two")
    library.close()
    assert (kept and kept.mesh.command, two.mesh.command) == ("data=3", "data=2")


def test_two_windows_share_the_layouts(tmp_path):
    one, other = Library(tmp_path / "studio.sqlite"), Library(tmp_path / "studio.sqlite")
    one.save(document(), "mine")
    assert other.names() == ("mine",)
    with pytest.raises(MuseumError, match="already"):
        other.save(document(), "mine")
    one.close()
    other.close()


def test_a_file_from_a_later_museum_is_left_alone(tmp_path):
    file = tmp_path / "studio.sqlite"
    Library(file).close()
    base = sqlite3.connect(file)
    base.execute(f"pragma user_version = {VERSION + 1}")
    base.close()
    with pytest.raises(MuseumError, match="made by a later version"):
        Library(file)


def test_a_file_that_is_no_database_is_told_in_one_line(tmp_path):
    file = tmp_path / "studio.sqlite"
    file.write_bytes(b"this is no database at all, but it is long enough to look at" * 20)
    with pytest.raises(MuseumError, match=r"cannot keep layouts here: .*; move the file away to start anew"):
        Library(file)


def test_a_layout_that_cannot_be_read_is_told_when_it_is_opened(library):
    library.save(document(), "mine")
    library._base.execute("update layout set text = '{}'")
    with pytest.raises(MuseumError, match="no studio file"):
        library.open("mine")
    assert library.names() == ("mine",)


def test_it_lies_among_the_visitors_data(museum_home):
    library = Library()
    library.close()
    assert library.file == museum_home / "studio.sqlite"
    assert library.file.exists()
