"""Folders and zips from others: what they may hold, and every way in which they may not be trusted."""

import os
import stat
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import museum.incoming
from museum.errors import MuseumError
from museum.incoming import FILES, IncomingError, read_incoming, slug_of


def write(folder: Path, **other: bytes) -> Path:
    folder.mkdir(parents=True)
    for name in FILES:
        (folder / name).write_bytes(name.encode())
    return folder


def zipped(path: Path, *entries: tuple[str | zipfile.ZipInfo, bytes]) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in entries:
            # Named in two steps: the library would tidy the name up.
            info = name if isinstance(name, zipfile.ZipInfo) else zipfile.ZipInfo("x")
            if isinstance(name, str):
                info.filename = name
            archive.writestr(info, data)
    return path


def faults(path: Path) -> list[str]:
    with pytest.raises(IncomingError) as caught:
        read_incoming(path)
    assert all("\n" not in fault for fault in caught.value.faults)
    return list(caught.value.faults)


GOOD = tuple((name, name.encode()) for name in FILES)


def test_a_folder_is_one_exhibit_or_holds_some(tmp_path: Path) -> None:
    write(tmp_path / "all" / "Odd Rows")
    write(tmp_path / "all" / "two")
    (tmp_path / "all" / ".DS_Store").write_bytes(b"x")
    assert list(read_incoming(tmp_path / "all" / "two").exhibits) == ["two"]
    incoming = read_incoming(tmp_path / "all")
    assert (incoming.name, list(incoming.exhibits)) == ("all", ["odd-rows", "two"])
    assert incoming.exhibits["two"] == dict(GOOD)


@pytest.mark.parametrize(
    ("prefixes", "slugs"),
    [(("",), ["odd-rows"]), (("One/",), ["one"]), (("a/", "b/"), ["a", "b"]), (("x/a/", "x/b/"), ["a", "b"])],
)
def test_a_zip_is_the_same(tmp_path: Path, prefixes: tuple[str, ...], slugs: list[str]) -> None:
    entries = [(prefix + name, data) for prefix in prefixes for name, data in GOOD]
    path = zipped(tmp_path / "Odd rows.zip", *entries, ("__MACOSX/._x", b"x"), *((p, b"") for p in prefixes if p))
    assert list(read_incoming(path).exhibits) == slugs


def link(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.create_system = 3
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    return info


def device(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.external_attr = (stat.S_IFCHR | 0o666) << 16
    return info


@pytest.mark.parametrize(
    ("entry", "fault"),
    [
        (("../fix.py", b""), "../fix.py: has a path that leads elsewhere"),
        (("odd/../../fix.py", b""), "odd/../../fix.py: has a path that leads elsewhere"),
        (("./fix.py", b""), "./fix.py: has a path that leads elsewhere"),
        (("odd//fix.py", b""), "odd//fix.py: has a path that leads elsewhere"),
        (("/etc/fix.py", b""), "/etc/fix.py: has an absolute path"),
        (("C:/fix.py", b""), "C:/fix.py: has an absolute path"),
        (("..\\fix.py", b""), "..\\fix.py: has a name that is no path of a zip"),
        (("a\nb/fix.py", b""), "'a\\nb/fix.py': has a name that is no path of a zip"),
        ((link("odd/fix.py"), b"/etc/passwd"), "odd/fix.py: is a link; an exhibit holds plain files"),
        ((device("odd/fix.py"), b""), "odd/fix.py: is no plain file"),
        (("odd/setup.py", b""), f"odd/setup.py: does not belong to an exhibit, which holds {', '.join(FILES)}"),
        (("odd/fix.py/fix.py/x/fix.py", b""), "odd/fix.py/fix.py/x/fix.py: does not belong to an exhibit"),
        (("odd/placard.png", b""), "odd/placard.png: does not belong to an exhibit"),
    ],
)
def test_an_entry_that_does_not_belong_keeps_everything_out(
    tmp_path: Path, entry: tuple[str | zipfile.ZipInfo, bytes], fault: str
) -> None:
    found = faults(zipped(tmp_path / "odd.zip", *GOOD, entry))
    assert [one for one in found if one.startswith(fault)] == found


def test_every_fault_is_named(tmp_path: Path) -> None:
    found = faults(zipped(tmp_path / "odd.zip", ("../a", b""), ("/b", b""), (link("fix.py"), b""), *GOOD[:2]))
    assert len(found) == 3


def test_the_same_name_twice_is_told(tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match="Duplicate name"):
        path = zipped(tmp_path / "odd.zip", *GOOD, ("fix.py", b"other"))
    assert faults(path) == ["fix.py: is in it twice"]


def test_bombs_are_not_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(museum.incoming, "LARGEST_FILE", 1 << 20)
    path = tmp_path / "odd.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        archive.writestr("fix.py", b"\0" * (64 << 20))
    assert faults(path) == ["fix.py: is larger than 1 MiB"]
    monkeypatch.setattr(museum.incoming, "LARGEST_WHOLE", 3 << 20)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(9):
            archive.writestr(f"{number}/fix.py", b"\0" * (1 << 20))
    assert faults(path) == [f"{path}: holds more than 3 MiB"]


def test_a_size_that_lies_is_not_believed(tmp_path: Path) -> None:
    path = tmp_path / "odd.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("fix.py", b"\0" * (2 << 20))
    data = path.read_bytes()
    path.write_bytes(data.replace((2 << 20).to_bytes(4, "little"), (5).to_bytes(4, "little")))
    assert len(faults(path)) == 1


def test_too_many_entries_are_not_walked(tmp_path: Path) -> None:
    path = zipped(tmp_path / "odd.zip", *((f"{number}/fix.py", b"") for number in range(401)))
    assert f"{path}: holds more than 400 entries" in faults(path)
    folder = tmp_path / "odd"
    for number in range(401):
        (folder / str(number)).mkdir(parents=True)
    assert faults(folder) == [f"{folder}: holds more than 400 entries"]


@pytest.mark.parametrize("data", [b"", b"PK\x05\x06", b"not a zip", b"PK\x03\x04" + b"\xff" * 100])
def test_what_is_no_zip_is_told(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "odd.zip"
    path.write_bytes(data)
    assert faults(path)[0].startswith(f"{path}: is no zip that can be read: ")


def test_a_large_zip_is_not_opened(tmp_path: Path) -> None:
    path = tmp_path / "odd.zip"
    with path.open("wb") as file:
        file.truncate((4 << 20) + 1)
    assert faults(path) == [f"{path}: is larger than 4 MiB; an exhibit is a few kilobytes"]


def test_encrypted_and_rare_compression_is_told(tmp_path: Path) -> None:
    path = tmp_path / "odd.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("fix.py", b"x")
    assert faults(path) == ["fix.py: is compressed in a way that is not taken"]


def test_links_pipes_and_depth_in_a_folder_are_told(tmp_path: Path) -> None:
    folder = write(tmp_path / "odd")
    secret = tmp_path / "secret"
    secret.write_text("s")
    (folder / "fix.py").unlink()
    (folder / "fix.py").symlink_to(secret)
    (folder / "captures.toml").unlink()
    os.mkfifo(folder / "captures.toml")
    (folder / "deep").symlink_to(tmp_path)
    (folder / "a/b/c").mkdir(parents=True)
    (folder / ".git").mkdir()
    (folder / ".git/config").write_text("x")
    assert sorted(faults(folder)) == [
        f".git/config: does not belong to an exhibit, which holds {', '.join(FILES)}",
        "a/b/c: is a folder too deep for an exhibit",
        "captures.toml: is no plain file",
        "deep: is a link; an exhibit holds plain files",
        "fix.py: is a link; an exhibit holds plain files",
    ]


def test_nothing_and_nowhere_are_told(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert faults(tmp_path / "empty")[0].startswith(f"{tmp_path / 'empty'}: holds no exhibit; one is a folder with")
    with pytest.raises(MuseumError, match="there is no such file"):
        read_incoming(tmp_path / "nowhere")


@given(st.text())
def test_any_name_gives_a_slug(name: str) -> None:
    slug = slug_of(name)
    assert slug
    assert slug_of(slug) == slug
    assert set(slug) <= set("abcdefghijklmnopqrstuvwxyz0123456789-")
    assert not slug.startswith("-")
    assert "--" not in slug


@given(st.lists(st.tuples(st.text(min_size=1, max_size=30), st.binary(max_size=20)), max_size=6))
def test_no_zip_leads_anywhere(tmp_path_factory: pytest.TempPathFactory, entries: list[tuple[str, bytes]]) -> None:
    unique = {name: data for name, data in entries if name.isascii() and "\0" not in name}
    path = zipped(tmp_path_factory.mktemp("zips") / "odd.zip", *unique.items())
    names, told = set[str](), tuple[str, ...]()
    try:
        names = {name for files in read_incoming(path).exhibits.values() for name in files}
    except IncomingError as error:
        told = error.faults
    assert names <= set(FILES)
    assert [fault for fault in told if len(fault.splitlines()) != 1] == []
