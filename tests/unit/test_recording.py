import datetime
import itertools
import tempfile
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from museum.exhibit import Capture, CapturesFile, Half, Origin
from museum.lab.recording import FILE, merge, reported_only, write

MONDAY, TUESDAY = datetime.date(2026, 11, 30), datetime.date(2026, 12, 1)


def capture(**differing: object) -> Capture:
    values = {
        "half": Half.FAILING,
        "jax": "0.10.2",
        "target": "cpu:8",
        "origin": Origin.REPRODUCED,
        "status": "failed",
        "date": MONDAY,
        "python": "3.11.7",
        "platform": "Linux x86_64",
        "exit_code": 1,
        "error": "ValueError",
        "message": "no",
        **differing,
    }
    return Capture(**values)


REPORTED = capture(origin=Origin.REPORTED, jax="", target="TPU v5e", source="an issue", exit_code=0)


@pytest.mark.parametrize(
    "circumstances",
    [
        {"date": TUESDAY},
        {"python": "3.13.0"},
        {"platform": "Darwin arm64"},
        {"date": TUESDAY, "message": "no "},
        {"date": TUESDAY, "stdout": "at 0x7f0000000002", "before": {"stdout": "at 0x7f0000000001"}},
        {"date": TUESDAY, "stderr": "failing.py:2: UserWarning", "before": {"stderr": "failing.py:1: UserWarning"}},
    ],
    ids=str,
)
def test_a_run_that_says_the_same_changes_nothing(circumstances: dict[str, object]) -> None:
    old = capture(**circumstances.get("before", {}))
    now = {name: value for name, value in circumstances.items() if name != "before"}
    assert merge([old], [capture(**now)]) == (old,)


@pytest.mark.parametrize(
    "news",
    [
        {"message": "no, thanks"},
        {"error": "TypeError"},
        {"line": 7},
        {"exit_code": 2},
        {"status": "crashed"},
        {"stdout": "printed"},
        {"stderr": "a warning"},
        {"jaxlib": "0.10.1"},
        {"libtpu": "0.0.42.1"},
    ],
    ids=str,
)
def test_a_run_that_says_something_else_takes_the_place(news: dict[str, object]) -> None:
    now = capture(date=TUESDAY, **news)
    assert merge([capture()], [now]) == (now,)


def test_reported_captures_and_those_of_other_runs_stay() -> None:
    old = [REPORTED, capture(jax="0.4.38"), capture(half=Half.FIX), capture(target="tpu-compile")]
    merged = merge(old, [capture(message="new")])
    assert set(merged) == {*old, capture(message="new")}


def test_two_reports_from_two_sources_both_stay() -> None:
    other = capture(origin=Origin.REPORTED, jax="", target="TPU v5e", source="another issue", exit_code=0)
    assert set(merge([REPORTED, other], [])) == {REPORTED, other}


def test_the_order_depends_on_nothing_but_the_captures() -> None:
    captures = [
        REPORTED,
        capture(jax="0.4.38"),
        capture(jax="0.10.2", half=Half.FAILING),
        capture(jax="0.10.2", half=Half.FIX),
        capture(jax="0.10.2", target="tpu-compile"),
        capture(jax="0.12.0.1"),
    ]
    for order in itertools.permutations(captures):
        for cut in (0, 3, 6):
            assert merge(order[:cut], order[cut:]) == tuple(captures)


def test_only_reports_are_picked_out() -> None:
    assert reported_only([capture(), REPORTED]) == (REPORTED,)


def read(folder: Path) -> tuple[Capture, ...]:
    return msgspec.toml.decode((folder / FILE).read_bytes(), type=CapturesFile).capture


def test_writing_twice_changes_nothing(tmp_path: Path) -> None:
    captures = (REPORTED, capture(stdout="two\nlines\n"))
    assert write(tmp_path, captures) is True
    first = (tmp_path / FILE).read_bytes()
    stamp = (tmp_path / FILE).stat().st_ino
    assert write(tmp_path, captures) is False
    assert ((tmp_path / FILE).read_bytes(), (tmp_path / FILE).stat().st_ino) == (first, stamp)
    assert [file.name for file in tmp_path.iterdir()] == [FILE]


def test_what_was_written_is_read_merged_and_written_without_a_change(tmp_path: Path) -> None:
    write(tmp_path, merge([REPORTED], [capture(stdout='a "quoted"\n\ttab\r\n')]))
    again = merge(read(tmp_path), [capture(stdout='a "quoted"\n\ttab\r\n', date=TUESDAY)])
    assert write(tmp_path, again) is False


def test_a_change_replaces_the_file_whole(tmp_path: Path) -> None:
    write(tmp_path, (capture(), REPORTED))
    assert write(tmp_path, (capture(message="new"),)) is True
    assert read(tmp_path) == (capture(message="new"),)


def test_no_captures_leave_a_file_that_can_be_read(tmp_path: Path) -> None:
    write(tmp_path, ())
    assert read(tmp_path) == ()


def test_a_file_is_easy_on_the_eye(tmp_path: Path) -> None:
    write(tmp_path, (capture(stdout="two\nlines\n"), capture(half=Half.FIX)))
    text = (tmp_path / FILE).read_text("utf-8")
    assert 'message = "no"\nstdout = """\ntwo\nlines\n"""\n\n[[capture]]\nhalf = "fix"\n' in text
    assert "\ndate = 2026-11-30\n" in text
    assert "source" not in text


ODD_TEXTS = {
    "quotes": "he said \"no\" and 'yes', \"\"\"thrice\"\"\" and '''thrice'''",
    "quotes in lines": 'one"""\n"""two""""\n"',
    "backslashes": "a\\b \\n \\u0041 \\\n\\\\\n ends in \\",
    "tabs": "\ta\tb\t\n\t",
    "unicode": "µ → “…” 数 \N{GRINNING FACE}\n\N{ZERO WIDTH JOINER}\N{LINE SEPARATOR}\N{NO-BREAK SPACE}\x85",
    "trailing spaces": "a  \nb \n   \n",
    "leading empty lines": "\n\n\na",
    "trailing empty lines": "a\n\n\n",
    "one empty line": "\n",
    "carriage returns": "10 %\r20 %\r100 %\n",
    "lines of Windows": "one\r\ntwo\r\n",
    "a lone carriage return": "\r",
    "controls": "".join(map(chr, range(32))) + "\x7f",
    "controls in one line": "".join(chr(number) for number in range(32) if chr(number) != "\n") + "\x7f",
    "colours of a terminal": "\x1b[31mred\x1b[0m\n",
    "what looks like TOML": '[[capture]]\nhalf = "fix"\n# no comment\n',
    "a byte order mark": "\ufeffa\n",
    "a replaced byte": "caf\ufffd",
}


@pytest.mark.parametrize("text", ODD_TEXTS.values(), ids=ODD_TEXTS)
def test_a_text_is_kept_verbatim(text: str, tmp_path: Path) -> None:
    captures = (capture(message=text, stdout=text, stderr=text + "\n"), capture(half=Half.FIX, stdout="after\n"))
    write(tmp_path, captures)
    assert read(tmp_path) == captures


ODD_CHARACTERS = st.sampled_from("ab\"'\\\n\r\t \x00\x1b\x7f\x85µ=")


@given(st.text(ODD_CHARACTERS, max_size=12), st.text(st.characters(codec="utf-8"), max_size=20))
def test_any_text_is_kept_verbatim(odd: str, any_text: str) -> None:
    captures = (capture(message=odd, stdout=any_text), REPORTED)
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder), captures)
        assert read(Path(folder)) == captures
