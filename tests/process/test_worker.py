"""One run, from the request to the outcome: what the keeper and the gate say, and what is made of it."""

import asyncio
import dataclasses
import os
import stat
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Mapping
from pathlib import Path

import pytest

from museum.lab import process, protocol
from museum.lab.environments import Environment
from museum.lab.outcome import RunOutcome, RunStatus
from museum.lab.protocol import ArraySeen, Frame, MeshSeen
from museum.lab.runner import Limits, Progress, RunRequest, run, why_not_here
from museum.lab.target import Target
from museum.lab.warmth import Warmth

# -- what the two children send ----------------------------------------------------------------------------------------


class Bare:
    """A keeper with a gate below it, spoken to by hand: every line that either sends is kept as it came.

    Args:
        code: The script.
        folder: Where it is written and run.
        warmth: What the process does while it waits.
        python: The interpreter of the run.
    """

    def __init__(self, code: str, folder: Path, *, warmth: Warmth = Warmth.PLAIN, python: str = sys.executable) -> None:
        (folder / "snippet.py").write_text(textwrap.dedent(code))
        inner, outer = process.family_of_pipes()
        started_with = Target.cpu(2).environment(os.environ)
        start = protocol.Start(
            (python, "snippet.py"),
            process._with_gate(started_with, {}, (inner["report"], inner["orders"]), warmth.name.lower()),
            str(folder),
            (inner["stdin"], inner["stdout"], inner["stderr"]),
            (inner["orders"], inner["report"]),
            "",
        )
        command = [sys.executable, "-I", "-S", str(process.KEEPER)]
        pipe = subprocess.PIPE
        with subprocess.Popen(command, stdin=pipe, stdout=pipe, pass_fds=tuple(inner.values())) as keeper:
            process.close_all(inner.values())
            assert keeper.stdin is not None
            assert keeper.stdout is not None
            keeper.stdin.write(protocol.encode(start) + protocol.encode(protocol.Opened({"seconds": 60.0})))
            keeper.stdin.flush()
            with os.fdopen(outer.pop("orders"), "wb") as orders:
                orders.write(protocol.gate_orders({"TOLD": "so", "HOME": None}, ["--fast"]))
            self.answers = keeper.stdout.read().splitlines()
        said = {}
        for name, number in outer.items():  # one after the other: what is said here fits into a pipe
            with os.fdopen(number, "rb") as stream:
                said[name] = stream.read()
        self.reports, self.stdout, self.stderr = said["report"].splitlines(), said["stdout"], said["stderr"]


FAILING_WITH_ALL = """
    import os, sys
    import jax, jax.numpy as jnp
    from jax.sharding import NamedSharding, PartitionSpec as P
    mesh = jax.make_mesh((2,), ("data",))
    x = jax.device_put(jnp.ones((4, 4)), NamedSharding(mesh, P("data")))
    print(os.environ["TOLD"], "HOME" in os.environ, sys.argv[1:])
    raise ValueError("\\udcff \\U0001f600")
"""


@pytest.mark.parametrize("warmth", list(Warmth), ids=lambda warmth: warmth.name.lower())
def test_every_line_that_the_children_send_is_a_message(warmth: Warmth, tmp_path: Path) -> None:
    bare = Bare(FAILING_WITH_ALL, tmp_path, warmth=warmth)
    answers = [protocol.decode_answer(line) for line in bare.answers]
    reports = [protocol.decode_report(line) for line in bare.reports]
    assert [type(answer) for answer in answers] == [protocol.Started, protocol.Ended]
    assert answers[-1] == protocol.Ended(1, "", 0, answers[-1].peak)
    stages = ["importing"] * (warmth is not Warmth.PLAIN) + ["ready", "running", "finished"]
    assert [report.stage for report in reports if isinstance(report, protocol.Stage)] == stages
    told = [type(report) for report in reports if not isinstance(report, protocol.Stage)]
    raised = [protocol.RaisedError, protocol.Versions, protocol.MeshSeen, protocol.ArraySeen]
    assert told == [protocol.Hello, *raised, protocol.Reported]
    assert reports[0] == protocol.Hello(protocol.VERSION, sys.version.split()[0])
    assert bare.stdout == b"so False ['--fast']\n"
    assert bare.stderr.startswith(b"Traceback (most recent call last):\n")


def test_a_keeper_that_cannot_start_the_run_says_why(tmp_path: Path) -> None:
    bare = Bare("", tmp_path, python="/nowhere/python")
    assert [protocol.decode_answer(line) for line in bare.answers] == [
        protocol.NotStarted("[Errno 2] No such file or directory: '/nowhere/python'")
    ]
    assert bare.reports == []


def test_the_keeper_speaks_the_museums_protocol() -> None:
    command = [sys.executable, "-I", "-S", str(process.KEEPER), "--protocol"]
    assert int(subprocess.check_output(command)) == protocol.VERSION


# -- what a run is worth -----------------------------------------------------------------------------------------------

HEAD = """
import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import AxisType, Mesh, NamedSharding, PartitionSpec as P
"""
SNIPPETS: Mapping[str, str] = {
    "everything": HEAD
    + """
import collections
mesh = Mesh(np.array(jax.devices()[::-1]).reshape(4, 2), ("data", "model"))
explicit = jax.make_mesh((2,), ("x",), axis_types=(AxisType.Explicit,))
abstract = jax.sharding.AbstractMesh((8,), ("pod",), axis_types=(AxisType.Auto,))
rows = jax.device_put(jnp.zeros((8, 6)), NamedSharding(mesh, P(("data", "model"), None)))
alias = rows
columns = jax.device_put(jnp.zeros((8, 6)), NamedSharding(mesh, P(None, "model")))
unconstrained = jax.ShapeDtypeStruct((8,), jnp.int8, sharding=NamedSharding(mesh, P(P.UNCONSTRAINED)))
abstract_array = jax.ShapeDtypeStruct((4,), jnp.int8, sharding=NamedSharding(explicit, P("x")))
no_sharding = jax.ShapeDtypeStruct((4, 0), jnp.bfloat16)
donated = jnp.ones(4)
jax.jit(lambda x: x + 1, donate_argnums=0)(donated).block_until_ready()
host = jnp.ones(4, device=NamedSharding(explicit, P("x"), memory_kind="pinned_host"))
keys = jax.random.key(0)
scalar = jnp.float32(3)
class Odd:
    def __getattr__(self, name): raise RuntimeError(name)
odd = Odd()
endless = []
endless.append(endless)
__hidden__ = jnp.ones(99)
""",
    "containers": HEAD
    + """
import collections
Point = collections.namedtuple("Point", "left right")
def one(): return jnp.ones(1)
mesh = jax.make_mesh((8,), ("data",))
state = {"params": [Point(one(), (one(),))], 7: {"deep": {"deeper": {"lost": one()}}}}
meshes = {"kept": [jax.make_mesh((4, 2), ("a", "b"))]}
hidden_in = [jax.device_put(one().repeat(8), NamedSharding(Mesh(np.array(jax.devices()[:2]), ("own",)), P("own")))]
too_deep = [[[[[one()]]]]]
a_set = {1, 2}
del Point, one
""",
    "very many": HEAD + "many = [jnp.zeros(number) for number in range(100)]\n",
    "inside a function": HEAD
    + """
def outer(x):
    of_outer = x + 1
    return inner(of_outer)
def inner(y):
    of_inner = y + 1
    return jnp.dot(of_inner, jnp.ones(5))
of_module = jnp.ones(3)
outer(of_module)
""",
    "inside jit": HEAD
    + """
def step(x):
    traced = x * 2
    return traced @ jnp.ones(5)
x = jnp.ones((3, 3))
jax.jit(step)(x)
""",
    "at lowering": HEAD
    + """
from jax.extend.core import Primitive
odd = Primitive("odd")
odd.def_abstract_eval(lambda x: x)
def step(x):
    y = x + 1
    return odd.bind(y)
jax.jit(step)(
    1.0,
)
""",
    "sharding": HEAD
    + """
mesh = jax.make_mesh((4, 2), ("data", "model"))
x = jnp.zeros((10, 4))
jax.device_put(x, NamedSharding(mesh, P("data", "model")))
""",
    "no backend": "import jax\n",
    "jax that is no jax": "import sys\nsys.modules['jax'] = object()\n",
    "no jax": "x = 1\n",
    "syntax error": "x = 1\nx = (\n",
    "indentation error": "if True:\nx = 1\n",
    "name error": "def f():\n    return missing\n\nf()\n",
    "custom class": "class Mine(Exception):\n    class Inner(Exception): pass\n\n\nraise Mine.Inner('no', 1)\n",
    "library class": "import json\njson.loads('{')\n",
    "notes": "error = ValueError('no')\nerror.add_note('first\\nline')\nerror.add_note('second')\nraise error\n",
    "odd notes": "error = ValueError('no')\nerror.__notes__ = None\nraise error\n",
    "no text": "class Bad(Exception):\n    def __str__(self): raise RuntimeError\n\nraise Bad\n",
    "long text": "raise ValueError('x' * 3_000_000)\n",
    "surrogates": "raise ValueError('caf\\udce9 \\U0001f600')\n",
    "group": "raise ExceptionGroup('two', [ValueError('a'), TypeError('b')])\n",
    "chain": "try:\n    1 / 0\nexcept ZeroDivisionError as error:\n    raise KeyError('k') from error\n",
    "exec": "code = 'x = 1\\ny = missing'\nexec(code)\n",
    "deep": "def f(n): return f(n + 1)\n\nf(0)\n",
    "exit code": "import sys\nsys.exit(7)\n",
    "exit text": "import sys\nsys.exit('that is why')\n",
    "interrupt": "raise KeyboardInterrupt\n",
    "input": "input('name? ')\n",
    "not utf-8": "import sys\nsys.stdout.buffer.write(b'caf\\xe9\\n')\nsys.stderr.buffer.write(b'\\xff')\n",
    "surrogates in the source": "print('\udc80')\n",
    "windows lines": "x = '''a\r\nb'''\r\nprint(repr(x))\r\n",
    "descriptors": "import os\nfor n in range(3, 256):\n    try: print(os.fstat(n).st_mode, os.get_inheritable(n))\n"
    "    except OSError: pass\n",
    "place": "import os, sys\nprint(os.listdir(), sys.argv, os.path.basename(__file__))\nprint(os.getcwd())\n",
}


@pytest.fixture(scope="module")
def outcomes(own_environment: Environment) -> dict[str, RunOutcome]:
    """What came of each snippet on eight devices, two at a time."""

    async def scenario() -> list[RunOutcome]:
        room = asyncio.Semaphore(2)

        async def one(code: str) -> RunOutcome:
            async with room:
                return await run(RunRequest(code, own_environment, Target.cpu(8)))

        return await asyncio.gather(*map(one, SNIPPETS.values()))

    return dict(zip(SNIPPETS, asyncio.run(scenario()), strict=True))


def line_of(name: str, text: str) -> int:
    """Number of the only line of a snippet that holds `text`."""
    (number,) = [number for number, line in enumerate(SNIPPETS[name].splitlines(), 1) if text in line]
    return number


def arrays(outcome: RunOutcome) -> dict[str, ArraySeen]:
    return {array.name: array for array in outcome.arrays}


BY_ALL_EIGHT = {7 - row: ((row, row + 1), (0, 6)) for row in range(8)}
MESH = (("data", 4, "auto"), ("model", 2, "auto"))


def test_meshes_are_reported_with_axes_types_and_device_order(outcomes: dict[str, RunOutcome]) -> None:
    assert outcomes["everything"].meshes == (
        MeshSeen("mesh", MESH, (7, 6, 5, 4, 3, 2, 1, 0)),
        MeshSeen("explicit", (("x", 2, "explicit"),), (0, 1)),
        MeshSeen("abstract", (("pod", 8, "auto"),), ()),
    )


@pytest.mark.parametrize(
    "array",
    [
        ArraySeen("rows", (8, 6), "float32", "live", (("data", "model"), None), "device", BY_ALL_EIGHT, MESH),
        ArraySeen(
            "columns",
            (8, 6),
            "float32",
            "live",
            (None, ("model",)),
            "device",
            {number: ((0, 8), (0, 3) if number % 2 else (3, 6)) for number in range(8)},
            MESH,
        ),
        ArraySeen(
            "unconstrained",
            (8,),
            "int8",
            "abstract",
            ("unconstrained",),
            "device",
            dict.fromkeys(range(8), ((0, 8),)),
            MESH,
        ),
        ArraySeen(
            "abstract_array",
            (4,),
            "int8",
            "abstract",
            (("x",),),
            "device",
            {0: ((0, 2),), 1: ((2, 4),)},
            (("x", 2, "explicit"),),
        ),
        ArraySeen("no_sharding", (4, 0), "bfloat16", "abstract", None, None, {}),
        ArraySeen("donated", (4,), "float32", "deleted", None, "device", {0: ((0, 4),)}),
        ArraySeen(
            "host",
            (4,),
            "float32",
            "live",
            (("x",),),
            "pinned_host",
            {0: ((0, 2),), 1: ((2, 4),)},
            (("x", 2, "explicit"),),
        ),
        ArraySeen("keys", (), "key<fry>", "live", None, "device", {0: ()}),
        ArraySeen("scalar", (), "float32", "live", None, "device", {0: ()}),
    ],
    ids=lambda array: array.name,
)
def test_an_array_is_reported_whole(array: ArraySeen, outcomes: dict[str, RunOutcome]) -> None:
    assert arrays(outcomes["everything"])[array.name] == array


def test_each_array_is_reported_once_and_odd_values_harm_nothing(outcomes: dict[str, RunOutcome]) -> None:
    outcome = outcomes["everything"]
    assert outcome.detail == ""
    names = ["rows", "columns", "unconstrained", "abstract_array", "no_sharding", "donated", "host", "keys", "scalar"]
    assert [array.name for array in outcome.arrays] == names
    assert outcome.stderr.text == ""


def test_plain_containers_are_looked_into_and_named_by_their_expression(outcomes: dict[str, RunOutcome]) -> None:
    outcome = outcomes["containers"]
    assert [array.name for array in outcome.arrays] == [
        "state['params'][0].left",
        "state['params'][0].right[0]",
        "state[7]['deep']['deeper']['lost']",
        "hidden_in[0]",
    ]
    assert [mesh.name for mesh in outcome.meshes] == ["mesh", "meshes['kept'][0]", "hidden_in[0].sharding.mesh"]


def test_the_number_of_reported_values_is_bounded(outcomes: dict[str, RunOutcome]) -> None:
    assert [array.name for array in outcomes["very many"].arrays] == [f"many[{number}]" for number in range(64)]


def test_a_failed_run_reports_the_variables_of_the_innermost_own_frame_first(outcomes: dict[str, RunOutcome]) -> None:
    outcome = outcomes["inside a function"]
    assert [array.name for array in outcome.arrays] == ["y", "of_inner", "of_module"]
    raised = outcome.exception
    assert raised is not None
    assert raised.error == "TypeError"
    assert [frame.function for frame in raised.frames if frame.own] == ["<module>", "outer", "inner"]
    assert raised.blamed_line == line_of("inside a function", "jnp.dot")
    assert raised.frames[-1].own is False


def test_an_error_inside_jit_is_blamed_on_its_line_and_its_values_are_traced(outcomes: dict[str, RunOutcome]) -> None:
    outcome = outcomes["inside jit"]
    raised = outcome.exception
    assert raised is not None
    assert raised.blamed_line == line_of("inside jit", "@ jnp.ones(5)")
    found = arrays(outcome)
    assert found["traced"] == ArraySeen("traced", (3, 3), "float32", "traced", None, None, {})
    states = {name: array.state for name, array in found.items()}
    # The module's x has the name of the function's: the innermost one is told first.
    assert states == {"x": "live", "traced": "traced"}
    assert [array.state for array in outcome.arrays if array.name == "x"] == ["traced", "live"]


def test_an_error_at_lowering_is_blamed_on_the_operation_that_jax_names(outcomes: dict[str, RunOutcome]) -> None:
    raised = outcomes["at lowering"].exception
    assert raised is not None
    assert raised.error == "NotImplementedError"
    assert "'odd' not found for platform cpu" in raised.message
    assert raised.blamed_line == line_of("at lowering", "odd.bind(y)")
    own = [(frame.function, frame.line) for frame in raised.frames if frame.own]
    assert own == [("<module>", line_of("at lowering", "jax.jit(step)("))]


def test_a_sharding_error_comes_with_the_mesh_and_the_array(outcomes: dict[str, RunOutcome]) -> None:
    outcome = outcomes["sharding"]
    raised = outcome.exception
    assert raised is not None
    assert (outcome.status, outcome.exit_code) == (RunStatus.FAILED, 1)
    # Qualified by the module that defines it, as a traceback names it.
    assert outcome.stderr.text.splitlines().count(f"{raised.error}: {raised.message.splitlines()[0]}") >= 1
    assert raised.blamed_line == line_of("sharding", "jax.device_put(")
    assert [mesh.name for mesh in outcome.meshes] == ["mesh"]
    assert arrays(outcome)["x"].shape == (10, 4)
    assert outcome.versions is not None
    assert (outcome.versions.devices, outcome.versions.platform) == (8, "cpu")


def test_versions_are_told_without_starting_a_backend(
    outcomes: dict[str, RunOutcome], own_environment: Environment
) -> None:
    told = outcomes["no backend"].versions
    assert told == protocol.Versions(own_environment.jax, own_environment.jaxlib, 0, "")


@pytest.mark.parametrize("name", ["no jax", "jax that is no jax"])
def test_a_script_without_jax_is_reported_without_it(name: str, outcomes: dict[str, RunOutcome]) -> None:
    outcome = outcomes[name]
    assert (outcome.status, outcome.exit_code, outcome.detail) == (RunStatus.OK, 0, "")
    assert (outcome.versions, outcome.meshes, outcome.arrays, outcome.exception) == (None, (), (), None)
    assert (outcome.stdout.text, outcome.stderr.text) == ("", "")
    assert "finished" in outcome.timings


RAISED = [
    ("syntax error", "SyntaxError", "'(' was never closed (snippet.py, line 2)", 2),
    ("indentation error", "IndentationError", "expected an indented block after 'if' statement on line 1", 2),
    ("name error", "NameError", "name 'missing' is not defined", 2),
    ("custom class", "Mine.Inner", "('no', 1)", 5),
    ("library class", "json.decoder.JSONDecodeError", "Expecting property name enclosed in double quotes", 2),
    ("notes", "ValueError", "no", 4),
    ("odd notes", "ValueError", "no", 3),
    ("no text", "Bad", "<its str() failed>", 4),
    ("long text", "ValueError", "xxx", 1),
    ("surrogates", "ValueError", "caf\\udce9 \U0001f600", 1),
    ("group", "ExceptionGroup", "two (2 sub-exceptions)", 1),
    ("chain", "KeyError", "'k'", 4),
    ("exec", "NameError", "name 'missing' is not defined", 2),
    ("deep", "RecursionError", "maximum recursion depth exceeded", 1),
    ("input", "EOFError", "EOF when reading a line", 1),
    ("surrogates in the source", "SyntaxError", "Non-UTF-8 code starting with '\\xed'", 0),
]


@pytest.mark.parametrize(("name", "error", "message", "line"), RAISED, ids=[case[0] for case in RAISED])
def test_an_exception_is_told_by_class_message_and_line(
    name: str, error: str, message: str, line: int, outcomes: dict[str, RunOutcome]
) -> None:
    outcome = outcomes[name]
    raised = outcome.exception
    assert raised is not None
    assert raised.error == error
    assert raised.message.startswith(message)
    assert raised.blamed_line == line
    assert outcome.status is RunStatus.FAILED
    assert outcome.detail == ""


def test_frames_are_told_outermost_first(outcomes: dict[str, RunOutcome]) -> None:
    raised = outcomes["name error"].exception
    assert raised is not None
    file = raised.frames[0].file
    assert Path(file).name == "snippet.py"
    assert raised.frames == (Frame(file, 4, "<module>", True), Frame(file, 2, "f", True))


def test_notes_are_told(outcomes: dict[str, RunOutcome]) -> None:
    raised = outcomes["notes"].exception
    assert raised is not None
    assert raised.notes == ("first\nline", "second")


@pytest.mark.parametrize(
    ("name", "code", "stderr"), [("exit code", 7, ""), ("exit text", 1, "that is why\n")], ids=["code", "text"]
)
def test_an_exit_is_no_exception(name: str, code: int, stderr: str, outcomes: dict[str, RunOutcome]) -> None:
    outcome = outcomes[name]
    assert (outcome.status, outcome.exit_code, outcome.stderr.text) == (RunStatus.FAILED, code, stderr)
    assert outcome.exception is None


def test_an_interrupt_ends_the_script_by_its_signal_as_without_the_lab(outcomes: dict[str, RunOutcome]) -> None:
    outcome = outcomes["interrupt"]
    assert (outcome.status, outcome.exit_code, outcome.detail) == (RunStatus.CRASHED, -2, "killed by SIGINT")
    assert outcome.stderr.text.endswith("\nKeyboardInterrupt\n")


def test_output_that_is_no_text_is_kept_as_it_came(outcomes: dict[str, RunOutcome]) -> None:
    assert outcomes["not utf-8"].stdout.head == b"caf\xe9\n"
    assert outcomes["not utf-8"].stderr.head == b"\xff"


def test_only_the_gates_own_descriptor_is_open_besides_the_three_and_no_child_inherits_it(
    outcomes: dict[str, RunOutcome],
) -> None:
    (one,) = outcomes["descriptors"].stdout.text.splitlines()
    mode, inheritable = one.split()
    assert stat.S_ISFIFO(int(mode))
    assert inheritable == "False"


def test_the_lines_of_a_text_are_run_as_they_are(outcomes: dict[str, RunOutcome]) -> None:
    # CPython itself reads CR LF as LF in a source.
    assert outcomes["windows lines"].stdout.text == "'a\\nb'\n"


def test_a_text_runs_alone_in_a_directory_that_is_gone_afterwards(outcomes: dict[str, RunOutcome]) -> None:
    first, folder = outcomes["place"].stdout.text.splitlines()
    assert first == "['snippet.py'] ['snippet.py'] snippet.py"
    assert Path(folder).parent == Path(tempfile.gettempdir()).resolve()
    assert not Path(folder).exists()


# -- requests ----------------------------------------------------------------------------------------------------------


def test_arguments_and_variables_reach_the_script_as_they_are(
    own_environment: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OF_THE_SHELL", "not \udcff utf-8")
    monkeypatch.setenv("JAX_PLATFORMS", "nonsense")
    code = """
import os, sys
print(sys.argv)
for name in (b"OF_THE_SHELL", b"MINE", b"JAX_PLATFORMS", b"XLA_FLAGS", b"XLA_MUSEUM_GATE"):
    print(os.environb.get(name))
"""
    arguments = ("--a=b", "two words", "", "line\nbreak", "\udcff", "go")
    variables = {"MINE": "=a\n\udcff", "XLA_FLAGS": "--xla_cpu_enable_fast_math=false"}
    request = RunRequest(code, own_environment, Target.cpu(3), arguments=arguments, variables=variables)
    outcome = asyncio.run(run(request))
    assert outcome.stderr.text == ""
    assert outcome.stdout.text.splitlines() == [
        repr(["snippet.py", *arguments]),
        repr(b"not \xff utf-8"),
        repr(b"=a\n\xff"),
        repr(b"cpu"),
        repr(b"--xla_force_host_platform_device_count=3 --xla_cpu_enable_fast_math=false"),
        "None",
    ]


def test_a_file_runs_where_it_lies_with_the_directory_of_the_caller(
    own_environment: Environment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "a folder"
    folder.mkdir()
    (folder / "beside.py").write_text("value = 'imported from beside'\n")
    script = folder / "latin.py"
    text = "# -*- coding: latin-1 -*-\nimport os, sys, beside\nprint(beside.value, os.getcwd(), sys.argv, 'é')\nbad\n"
    script.write_bytes(text.encode("latin-1"))
    monkeypatch.chdir(tmp_path)
    outcome = asyncio.run(run(RunRequest(Path("a folder/latin.py"), own_environment, Target.cpu(1))))
    assert outcome.stdout.text == f"imported from beside {tmp_path.resolve()} ['a folder/latin.py'] é\n"
    assert outcome.exception is not None
    assert outcome.exception.blamed_line == 4
    assert outcome.exception.frames == (Frame(str(script), 4, "<module>", True),)
    assert script.read_bytes() == text.encode("latin-1")


def test_stages_and_output_are_told_in_order_while_it_runs(own_environment: Environment) -> None:
    told: list[Progress] = []
    code = "import sys\nprint('out')\nprint('err', file=sys.stderr)\n"
    outcome = asyncio.run(run(RunRequest(code, own_environment, Target.cpu(1)), told.append))
    assert [progress.stage for progress in told if not progress.stream and not progress.outcome] == [
        "starting",
        "ready",
        "running",
        "finished",
        "ended",
    ]
    blocks = {stream: b"".join(each.block for each in told if each.stream == stream) for stream in ("stdout", "stderr")}
    assert blocks == {"stdout": b"out\n", "stderr": b"err\n"}
    assert list(outcome.timings) == ["ready", "running", "finished", "ended"]
    assert sorted(outcome.timings.values()) == list(outcome.timings.values())


def test_a_printed_line_is_heard_before_the_script_goes_on(own_environment: Environment, tmp_path: Path) -> None:
    mark = tmp_path / "heard"
    code = f"import os\nprint('first')\nwhile not os.path.exists({str(mark)!r}): pass\nprint('second')\n"

    heard = bytearray()

    def follow(progress: Progress) -> None:
        heard.extend(progress.block)
        if heard == b"first\n":
            mark.write_text("")

    request = RunRequest(code, own_environment, Target.cpu(1), limits=Limits(seconds=20))
    outcome = asyncio.run(run(request, follow))
    assert (outcome.status, outcome.stdout.text) == (RunStatus.OK, "first\nsecond\n")


def test_the_visitors_own_site_customisation_is_run(own_environment: Environment, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("import builtins\nbuiltins.customised = __file__\n")
    code = "import os, sitecustomize\nprint(customised == sitecustomize.__file__, os.environ['PYTHONPATH'])\n"
    request = RunRequest(code, own_environment, Target.cpu(1), variables={"PYTHONPATH": str(tmp_path)})
    outcome = asyncio.run(run(request))
    assert (outcome.stderr.text, outcome.stdout.text) == ("", f"True {tmp_path}\n")


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        (
            "tpu-compile",
            (
                "target tpu-compile needs libtpu, which environment mine lacks; "
                "make one with: xla-museum env add 0.10.2 --tpu"
            ),
        ),
    ],
)
def test_a_target_that_is_not_to_be_had_is_told_before_anything_starts(
    target: str, reason: str, own_environment: Environment
) -> None:
    mine = dataclasses.replace(own_environment, name="mine", jax="0.10.2", libtpu="", python=Path("/nowhere"))
    told: list[Progress] = []
    outcome = asyncio.run(run(RunRequest("print()", mine, Target.parse(target)), told.append))
    assert (outcome.status, outcome.exit_code, outcome.detail) == (RunStatus.NOT_STARTED, None, reason)
    assert told == [Progress("starting")]


def test_an_environment_without_jax_is_told(own_environment: Environment) -> None:
    bare = dataclasses.replace(own_environment, name="bare", jax="")
    assert why_not_here(bare, Target.cpu(1)) == "environment bare has no JAX"
    assert why_not_here(own_environment, Target.cpu(1)) == ""
