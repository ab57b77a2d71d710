import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from museum.lab import protocol
from museum.lab.protocol import (
    ArraySeen,
    Ended,
    Frame,
    Hello,
    MeshSeen,
    NotStarted,
    Opened,
    ProtocolError,
    RaisedError,
    Reported,
    ReportFailed,
    Stage,
    Start,
    Started,
    Stop,
    Versions,
    gate_orders,
)

ANSWERS = [
    Started(4711),
    NotStarted("[Errno 2] No such file or directory: 'python'"),
    Ended(0, "", 0, 1 << 40),
    Ended(None, "stopped", 3, 0),
    Ended(-9, "memory", 0, 1),
]
AXES = (("data", 4, "auto"), ("model", 2, "explicit"))
REPORTS = [
    Hello(1, "3.12.1"),
    Stage("running", 12.25),
    RaisedError("ValueError", 'a "quoted"\nµ \\ text', (Frame("snippet.py", 3, "<module>", True),), ("a note",), 3),
    RaisedError("KeyboardInterrupt", "", ()),
    Versions("0.10.2", "0.10.2", 8, "cpu"),
    MeshSeen("state['mesh']", AXES, tuple(range(8))),
    MeshSeen("abstract", AXES, ()),
    ArraySeen("x", (16, 4), "float32", "live", (("data",), None), "device", {0: ((0, 4), (0, 4))}, AXES),
    ArraySeen("y", (), "int32", "traced", None, None, {}),
    ArraySeen("z", (8,), "int8", "abstract", ("unconstrained", ("data", "model")), None, {}),
    Reported(0),
    ReportFailed("RecursionError"),
]
ORDERS = [
    Start(("python", "snippet.py"), {"A": "b=c"}, "work", (5, 6, 7), (8, 9), "gone"),
    Opened({"seconds": 1.5, "memory": 2.0}),
    Stop("stopped"),
]


def described(message: msgspec.Struct) -> dict[str, object]:
    """A message as an object built by hand, the way the two children build theirs."""
    tag = message.__struct_config__.tag
    fields = zip(message.__struct_encode_fields__, message.__struct_fields__, strict=True)
    return {"kind": tag, **{name: msgspec.to_builtins(getattr(message, field)) for name, field in fields}}


@pytest.mark.parametrize("message", ANSWERS, ids=repr)
def test_every_answer_of_the_keeper_is_read_back(message: protocol.Answer) -> None:
    assert protocol.decode_answer(json.dumps(described(message)).encode() + b"\n") == message


@pytest.mark.parametrize("message", REPORTS, ids=repr)
def test_every_report_of_the_gate_is_read_back(message: protocol.Report) -> None:
    assert protocol.decode_report(json.dumps(described(message)).encode()) == message


@pytest.mark.parametrize("message", ORDERS, ids=lambda message: type(message).__name__)
def test_every_order_to_the_keeper_is_one_line_of_json(message: Start | Opened | Stop) -> None:
    line = protocol.encode(message)
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    assert json.loads(line) == json.loads(json.dumps(described(message)))
    assert msgspec.json.decode(line, type=type(message)) == message


def test_no_message_of_any_side_is_left_out_here() -> None:
    kinds = {type(message) for message in [*ANSWERS, *REPORTS, *ORDERS]}
    assert kinds == set(protocol._Message.__subclasses__())


@pytest.mark.parametrize("message", [*ANSWERS, *REPORTS], ids=repr)
def test_a_message_without_one_of_its_fields_is_refused(message: protocol.Answer | protocol.Report) -> None:
    decode = protocol.decode_answer if isinstance(message, protocol.Answer) else protocol.decode_report
    whole = described(message)
    required = [name for name in whole if name not in ("notes", "blamed", "mesh")]
    for name in required:
        line = json.dumps({key: value for key, value in whole.items() if key != name}).encode()
        with pytest.raises(ProtocolError, match=r"^not a message: "):
            decode(line)


NO_MESSAGES = [
    b"",
    b"nonsense",
    b"{",
    b"[]",
    b"null",
    b'"started"',
    b"{}",
    b'{"kind": "coffee"}',
    b'{"kind": 1}',
    b'{"kind": "hello", "protocol": "one", "python": "3.12"}',
    b'{"kind": "started", "pid": "4711"}',
    b'{"kind": "stage", "stage": "\xff", "at": 1}',
    b"\xff\xfe",
    b"\0" * 20,
]


@pytest.mark.parametrize("line", NO_MESSAGES)
def test_what_is_no_message_is_refused_from_either_child(line: bytes) -> None:
    for decode in (protocol.decode_answer, protocol.decode_report):
        with pytest.raises(ProtocolError, match=r"^not a message: b"):
            decode(line)


def test_each_child_may_say_only_what_is_its_own() -> None:
    with pytest.raises(ProtocolError):
        protocol.decode_report(json.dumps(described(ANSWERS[0])).encode())
    with pytest.raises(ProtocolError):
        protocol.decode_answer(json.dumps(described(REPORTS[0])).encode())


def test_a_refusal_quotes_no_more_than_the_beginning() -> None:
    with pytest.raises(ProtocolError) as caught:
        protocol.decode_report(b"x" * 1_000_000)
    assert len(str(caught.value)) < 300


def test_the_gate_is_opened_by_words() -> None:
    changed = {"A": "1", "GONE": None, "B": "two words"}
    assert gate_orders(changed, ["--fast", "input.txt"]) == (
        b"set A=1\0unset GONE\0set B=two words\0argument --fast\0argument input.txt\0go\0"
    )
    assert gate_orders({}, []) == b"go\0"


@pytest.mark.parametrize(
    ("value", "sent"),
    [
        ("", b""),
        ("a=b=c", b"a=b=c"),
        ("=", b"="),
        ("two\nlines\n", b"two\nlines\n"),
        ("  kept  ", b"  kept  "),
        ("µ", b"\xc2\xb5"),
        ("latin \udcb5 one", b"latin \xb5 one"),
        ("go", b"go"),
    ],
)
def test_odd_values_reach_the_gate_as_they_are(value: str, sent: bytes) -> None:
    assert gate_orders({"NAME": value}, [value]) == b"set NAME=" + sent + b"\0argument " + sent + b"\0go\0"


WORDS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]))
NAMES = st.text(st.characters(exclude_characters="\0=", exclude_categories=["Cs"]), min_size=1)


@given(st.dictionaries(NAMES, WORDS | st.none()), st.lists(WORDS))
def test_the_orders_can_be_taken_apart_again(changed: dict[str, str | None], arguments: list[str]) -> None:
    words = gate_orders(changed, arguments).decode().split("\0")
    assert words[-2:] == ["go", ""]
    found: dict[str, str | None] = {}
    found_arguments = []
    for word in words[:-2]:
        order, _, rest = word.partition(" ")
        if order == "set":
            name, _, value = rest.partition("=")
            found[name] = value
        elif order == "unset":
            found[rest] = None
        else:
            assert order == "argument"
            found_arguments.append(rest)
    assert (found, found_arguments) == (changed, arguments)
