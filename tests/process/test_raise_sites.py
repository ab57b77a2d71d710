"""The child that reads raise sites: what it finds in made-up sources, how it tells its progress, and its cache."""

import asyncio
import gzip
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from museum.diagnosis.site_index import SiteIndex, load_index, shown
from museum.diagnosis.site_search import find_sites
from museum.diagnosis.sites import Installed, build_index, cache_file, cached_index
from museum.errors import MuseumError

EXTRACTOR = Path(__file__).parents[2] / "museum" / "diagnosis" / "extraction" / "__main__.py"

CORE = """
import warnings
import logging
from jax._src import errors, util
from jax._src.util import describe as told

logger = logging.getLogger(__name__)
_LIMIT_TEXT = "at most %d axes are allowed, got %s"
not_now = ValueError("not available while tracing")

def plain(x):
  raise ValueError("the plainest message")

def joined(x):
  raise ValueError(
      f"first {x} half, "
      "second half, " + "third " + str(x))

def percent(x):
  raise TypeError("%s is no %r of %d" % (x, "kind", 3))

def limit(x):
  raise ValueError(_LIMIT_TEXT % (3, x))

def formatted(x):
  raise TypeError("{} is {what!r} of {{}}".format(x, what=3))

def local(x, y):
  what = "an input" if y else "an output"
  msg = f"cannot take {x}"
  if y:
    msg += f" because of {y}"
  raise RuntimeError(msg + ", as " + what)

def other_arm(x):
  if x:
    msg = "never said here"
  else:
    msg = "only said here"
    raise ValueError(msg)

def helped(x):
  raise ValueError(told(x, "an axis"))

def helped_elsewhere(x):
  raise util.error_of(x)

def check(condition, message):
  if not condition:
    raise ValueError(message)

def uses_check(x):
  check(x, f"a word from the caller about {x}")

def walrus(x):
  if (m := told(x, "a walrus")): raise TypeError(m)

def constant(x):
  raise not_now

def classes(x):
  raise errors.SpecialError(x)

def shown_class(x):
  raise errors.ShownError("shown words", x)

def asserts(x):
  assert x > 0, f"must be positive, got {x}"
  assert x

def warns(x):
  warnings.warn(f"{x} is deprecated; use y", DeprecationWarning)

def logs(x):
  logger.warning("could not load %s", x)

def lists(x):
  lines = ["the first line"]
  if x:
    lines.append(f"and {x} more words")
  raise ValueError("\\n".join(lines))

def key(x):
  raise KeyError(f"no entry {x}")

def reraises(x):
  try:
    pass
  except ValueError as e:
    raise ValueError(f"{x} failed with: {e}") from e

class Thing:
  def method(self):
    def inner():
      raise IndexError("deep inside")
    inner()

def later(x):
  errors_ = util.problems(x)
  raise errors_[0]("the name")
"""

UTIL = """
def describe(x, what):
  return f"{what} was described as {x}"

def error_of(x):
  if x: return TypeError(f"made elsewhere of {x}")
  return ValueError("made elsewhere of nothing")

def problems(x):
  return list(_problems(x))

def _problems(x):
  yield lambda name: ValueError(f"different trees at {name}")
"""

ERRORS = """
class Mixin:
  def __init__(self, message):
    super().__init__(f"{message}\\nSee the page about {self.__class__.__name__}")

class SpecialError(Mixin, TypeError):
  def __init__(self, tracer):
    super().__init__(f"special words about {tracer}")

class ShownError(ValueError):
  def __init__(self, message, mesh):
    super().__init__(message, mesh)
    self.message = message

  def __str__(self):
    return f"{self.message} (shown)"
"""


@pytest.fixture
def place(tmp_path: Path) -> Installed:
    """A JAX of three files, with a generated one and a test beside them."""
    root = tmp_path / "site-packages"
    source = root / "jax" / "_src"
    source.mkdir(parents=True)
    (root / "jax-9.9.dist-info").mkdir()
    (root / "jax" / "__init__.py").write_text("")
    (source / "__init__.py").write_text("")
    (source / "core.py").write_text(CORE)
    (source / "util.py").write_text(UTIL)
    (source / "errors.py").write_text(ERRORS)
    (source / "broken.py").write_text("def f(:\n")
    (source / "_ops_gen.py").write_text('def f(): raise ValueError("generated")\n')
    (source / "x_test.py").write_text('def f(): raise ValueError("of a test")\n')
    return Installed("9.9", root, Path(sys.executable))


@pytest.fixture
def index(place: Installed) -> SiteIndex:
    return asyncio.run(build_index(place))


@pytest.fixture
def said(index: SiteIndex) -> Callable[[str], list[str]]:
    """What the sites of a function may say."""

    def said(function: str) -> list[str]:
        return [
            shown(index.templates[number])
            for site in index.sites
            if site.function == function
            for number in site.templates
        ]

    return said


@pytest.mark.parametrize(
    ("function", "words"),
    [
        ("plain", ["the plainest message"]),
        ("joined", ["first {x} half, second half, third {x}"]),
        ("percent", ["{x} is no kind of 3"]),
        ("limit", ["at most 3 axes are allowed, got {x}"]),
        ("formatted", ["{x} is 3 of {}"]),
        (
            "local",
            [
                f"cannot take {{x}}{why}, as an {what}"
                for why in ("", " because of {y}")
                for what in ("input", "output")
            ],
        ),
        ("other_arm", ["only said here"]),
        ("helped", ["an axis was described as {x}"]),
        ("helped_elsewhere", ["made elsewhere of {x}", "made elsewhere of nothing"]),
        ("check", ["{message}", "a word from the caller about {x}"]),
        ("walrus", ["a walrus was described as {x}"]),
        ("constant", ["not available while tracing"]),
        ("classes", ["special words about {tracer}\nSee the page about {self.__class__.__name__}"]),
        ("shown_class", ["shown words (shown)"]),
        ("asserts", ["must be positive, got {x}"]),
        ("warns", ["{x} is deprecated; use y"]),
        ("logs", ["could not load {x}"]),
        ("key", ["'no entry {x}'"]),
        ("reraises", ["{x} failed with: {e}"]),
        ("Thing.method.inner", ["deep inside"]),
        ("later", ["different trees at the name"]),
    ],
)
def test_what_a_site_may_say(function: str, words: list[str], said: Callable[[str], list[str]]) -> None:
    assert said(function) == words


def test_lines_of_a_list_may_be_there_or_not(said: Callable[[str], list[str]]) -> None:
    assert "the first line\nand {x} more words" in said("lists")


def test_classes_lines_and_kinds(index: SiteIndex) -> None:
    found = {site.function: site for site in index.sites}
    assert found["classes"].error == "jax.errors.SpecialError"
    assert found["plain"].error == "ValueError"
    assert found["plain"].line == CORE.splitlines().index('  raise ValueError("the plainest message")') + 1
    assert {site.kind for site in index.sites} == {"raise", "assert", "warn", "log"}
    assert found["warns"].error == "DeprecationWarning"
    # A bare assert says nothing; generated files, tests and files that cannot be read are left out.
    assert sum(site.function == "asserts" for site in index.sites) == 1
    assert {site.file for site in index.sites} == {"jax/_src/core.py"}
    assert (index.jax, found["plain"].importers) == ("9.9", 0)


def test_a_message_finds_its_site(index: SiteIndex) -> None:
    hit = find_sites(index, "cannot take 3 because of 4, as an input", "RuntimeError")[0]
    assert hit.site.function == "local"


def test_progress_is_told_and_the_second_time_comes_from_the_cache(place: Installed) -> None:
    told: list[float] = []
    assert cached_index(place) is None
    first = asyncio.run(build_index(place, told.append))
    assert told[-1] == 1.0
    again: list[float] = []
    second = asyncio.run(build_index(place, again.append))
    assert again == []
    assert (second.sites, second.digest) == (first.sites, first.digest)


def test_changed_files_have_another_index(place: Installed) -> None:
    before = cache_file(place)
    (place.root / "jax" / "_src" / "util.py").write_text(UTIL + "\n")
    assert cache_file(place) != before


def test_a_damaged_file_counts_as_not_made(place: Installed) -> None:
    asyncio.run(build_index(place))
    file = cache_file(place)
    file.write_bytes(file.read_bytes()[:100])
    assert cached_index(place) is None
    assert not file.exists()
    assert asyncio.run(build_index(place)).sites


def test_a_child_that_dies_leaves_no_half_written_index(place: Installed, tmp_path: Path) -> None:
    """The file is written beside and renamed: whoever looks in between finds nothing, or the old one."""
    out = tmp_path / "sites" / "index.json.gz"
    out.parent.mkdir()
    out.write_bytes(gzip.compress(b"{}"))
    program = (
        "import sys, pathlib\n"
        f"sys.path.append({str(EXTRACTOR.parents[3])!r})\n"
        "from museum.diagnosis.extraction import run\n"
        "pathlib.Path.replace = lambda *_: sys.exit(9)\n"
        f"run.write(pathlib.Path({str(out)!r}), {{'new': 1}})\n"
    )
    child = subprocess.run([sys.executable, "-c", program], check=False)
    assert child.returncode == 9
    assert gzip.decompress(out.read_bytes()) == b"{}"
    assert list(out.parent.iterdir()) == [out]


def test_cancelling_ends_the_child(place: Installed) -> None:
    async def work() -> None:
        started = asyncio.Event()
        for number in range(400):
            (place.root / "jax" / "_src" / f"more{number}.py").write_text(CORE)
        building = asyncio.create_task(build_index(place, lambda _: started.set()))
        await started.wait()
        building.cancel()
        with pytest.raises(asyncio.CancelledError):
            await building

    asyncio.run(work())
    assert not cache_file(place).exists()


def test_no_jax_is_one_clear_line(tmp_path: Path) -> None:
    empty = Installed("9.9", tmp_path, Path(sys.executable))
    with pytest.raises(MuseumError, match=r"the raise sites of JAX 9\.9 could not be read: no JAX in"):
        asyncio.run(build_index(empty))


def test_the_child_is_standard_library_only(place: Installed, tmp_path: Path) -> None:
    out = tmp_path / "out.json.gz"
    program = (
        "import runpy, sys\n"
        f"sys.argv = ['x', {str(place.root)!r}, {str(out)!r}]\n"
        "try:\n"
        f"    runpy.run_path({str(EXTRACTOR)!r}, run_name='__main__')\n"
        "finally:\n"
        "    names = {name.partition('.')[0] for name in sys.modules} - set(sys.stdlib_module_names)\n"
        "    print(sorted(names), file=sys.stderr)\n"
    )
    child = subprocess.run([sys.executable, "-I", "-S", "-c", program], capture_output=True, text=True, check=False)
    assert child.returncode == 0
    assert [json.loads(line) for line in child.stdout.splitlines()][-1]["share"] == 1.0
    assert child.stderr.strip() in ("['__main__', 'museum']", "['museum']", "['__main__', '__mp_main__', 'museum']")
    assert load_index(out).sites
