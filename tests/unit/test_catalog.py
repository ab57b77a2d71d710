import dataclasses

import pytest

from museum.catalog import load_catalog
from museum.errors import MuseumError
from museum.exhibit import Half
from museum.promises import expectation_for
from museum.versions import is_within, sort_versions

EXHIBIT = """\
title = "Ten rows over four devices"
kind = "raises"
targets = ["cpu:8"]
jax = ["0.4.38", "0.10.2"]
tags = ["device-put"]
needs_jax = ">=0.4"
needs_why = "there is no device_put before"

[[expect]]
jax = "<0.5"
class = "ValueError"
says = ["divisible by 4"]

[[expect]]
jax = ">=0.5"
class = "jax._src.sharding.IndivisibleError"
says = ["divisible"]

[[sources]]
url = "https://docs.jax.dev/en/latest/"
title = "The documentation"

[layout]
mesh = "data=4,model=2"
shape = [10, 4]
spec = "data,-"
"""
PLACARD = """\
## What it means
Ten rows.
## When you meet it
Often.
## Ways out
1. Pad.
## See also
"""
CAPTURES = """\
[[capture]]
half = "failing"
jax = "0.10.2"
target = "cpu:8"
origin = "reproduced"
status = "failed"
date = 2026-11-20
python = "3.11.7"
platform = "linux-x86_64"
class = "jax._src.sharding.IndivisibleError"
message = "not divisible"

[[capture]]
half = "failing"
jax = ""
target = "a v4-8"
origin = "reported"
status = "failed"
date = 2025-01-20
source = "https://example.org/thread"
"""


def write_exhibit(folder):
    folder.mkdir(parents=True)
    (folder / "exhibit.toml").write_text(EXHIBIT)
    (folder / "placard.md").write_text(PLACARD)
    (folder / "failing.py").write_text("rows = 10\nprint(rows)\n")
    (folder / "fix.py").write_text("rows = 12\nprint(rows)\n")
    (folder / "captures.toml").write_text(CAPTURES)


def write_wing(folder, slugs, position=1):
    for slug in slugs:
        write_exhibit(folder / slug)
    listed = ", ".join(f'"{slug}"' for slug in slugs)
    (folder / "wing.toml").write_text(
        f'title = "{folder.name}"\nposition = {position}\nintro = "Words."\nexhibits = [{listed}]\n'
    )


@pytest.fixture
def root(tmp_path):
    """Two wings: `xla` with the exhibits that the tests break (`bad`) and leave alone (`good`), and `mesh`."""
    write_wing(tmp_path / "xla", ["bad", "good"], position=1)
    write_wing(tmp_path / "mesh", ["other"], position=2)
    return tmp_path


def edit(path, old, new):
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def lines_of(catalog):
    return [str(problem) for problem in catalog.problems]


def ids_of(catalog):
    return [exhibit.id for exhibit in catalog.exhibits]


# -- what opens --------------------------------------------------------------------------------------------------------


def test_a_good_collection_opens_whole(root):
    catalog = load_catalog(root)

    assert lines_of(catalog) == []
    assert [wing.id for wing in catalog.wings] == ["xla", "mesh"]
    assert ids_of(catalog) == ["xla/bad", "xla/good", "mesh/other"]
    exhibit = catalog.exhibit("xla/good")
    assert (exhibit.wing, exhibit.number, exhibit.title) == ("xla", 2, "Ten rows over four devices")
    assert exhibit.scripts[Half.FIX] == "rows = 12\nprint(rows)\n"
    assert exhibit.placard.ways_out == "1. Pad."
    assert exhibit.capture_for("0.10.2").error == "jax._src.sharding.IndivisibleError"
    assert catalog.wing("xla").exhibits[1] is exhibit


def test_the_catalog_is_frozen(root):
    with pytest.raises(dataclasses.FrozenInstanceError):
        load_catalog(root).wings = ()


def test_wings_stand_by_position_and_exhibits_as_listed(root):
    edit(root / "xla/wing.toml", "position = 1", "position = 3")
    edit(root / "xla/wing.toml", '"bad", "good"', '"good", "bad"')

    assert ids_of(load_catalog(root)) == ["mesh/other", "xla/good", "xla/bad"]


def test_captures_may_be_missing_before_the_first_verify(root):
    (root / "xla/bad/captures.toml").unlink()

    catalog = load_catalog(root)

    assert lines_of(catalog) == []
    assert catalog.exhibit("xla/bad").captures == ()


def test_hidden_files_and_bytecode_are_nobodys_content(root):
    (root / "xla/bad/.failing.py.swp").write_bytes(b"\xff")
    (root / "xla/bad/__pycache__").mkdir()

    assert lines_of(load_catalog(root)) == []


def test_scripts_are_not_executed(root, tmp_path):
    marker = tmp_path.parent / f"{tmp_path.name}-was-run"
    (root / "xla/bad/failing.py").write_text(f"open({str(marker)!r}, 'w')\n")

    assert lines_of(load_catalog(root)) == []
    assert not marker.exists()


# -- one fault, one line -----------------------------------------------------------------------------------------------

ONE_FAULT = [
    ('kind = "raises"', "kind = ", "line 2: is not TOML: invalid value at column 8"),
    ('kind = "raises"', 'kind = "raises', "line 2: is not TOML: illegal character '\\n' at column 15"),
    (
        'spec = "data,-"',
        'spec = """data',
        "line 26: is not TOML: unterminated string, where the file ends",
    ),
    ('kind = "raises"\n', "", "kind: is missing"),
    (
        'kind = "raises"',
        'kind = "boom"',
        "kind: must be one of raises, warns, silent, aborts, hangs, passes, not 'boom'",
    ),
    (
        'needs_jax = ">=0.4"',
        'fix_needs_jax = ">=0.4"\nneeds_jax = ">=0.4"',
        "fix_needs_why: must say why, for visitors whose JAX fix_needs_jax rules out",
    ),
    (
        'needs_jax = ">=0.4"',
        'fix_needs_why = "older ones lack it"\nneeds_jax = ">=0.4"',
        "fix_needs_jax: is missing beside fix_needs_why; name the JAX versions that it runs on",
    ),
    (
        'needs_jax = ">=0.4"',
        'fix_needs_jax = "0.4"\nfix_needs_why = "older ones lack it"\nneeds_jax = ">=0.4"',
        "fix_needs_jax: '0.4' is not a version specifier such as >=0.5,<0.11",
    ),
    ('tags = ["device-put"]', "tags = []\ntgas = []", "tgas: unknown key; did you mean tags?"),
    ('jax = "<0.5"', 'jax = "<0.5"\nsayz = ["x"]', "expect[0].sayz: unknown key; did you mean says?"),
    (
        'says = ["divisible"]',
        'says = "divisible"',
        "expect[1].says: must be a list in brackets, not 'divisible'",
    ),
    ('class = "ValueError"', "class = 3", "expect[0].class: must be text in quotes, not 3"),
    ("shape = [10, 4]", "shape = [10, 4.5]", "layout.shape[1]: must be a whole number, not 4.5"),
    ("shape = [10, 4]", "shape = [10, true]", "layout.shape[1]: must be a whole number, not true"),
    (
        "[[sources]]",
        "[sources]",
        "sources: must be a list of tables, each under [[sources]], not a table",
    ),
    ('"Ten rows over four devices"', '" "', "title: must not be empty"),
    ("devices", "devices.", "title: must not end with a full stop"),
    ("over four", "\\nover four", "title: must be one line"),
    ('tags = ["device-put"]', 'tags = []\n"a\\nb" = 1', "'a\\nb': unknown key; "),
    ('["cpu:8"]', "[]", "targets: names no target; write where it runs, such as cpu:8"),
    ('"cpu:8"', '"cpu:8", "cpu:8"', "targets[1]: cpu:8 stands there twice"),
    (
        '"device-put"',
        '"Device put"',
        "tags[0]: 'Device put' must be a slug: small letters, digits and single hyphens",
    ),
    ('"0.4.38", "0.10.2"', '"0.10.2", "0.4.38"', "jax: must be sorted, oldest first: 0.4.38, 0.10.2"),
    ('"0.4.38", "0.10.2"', '"0.4.38", "new"', "jax[1]: 'new' is not a version such as 0.10.2"),
    ('"0.4.38", "0.10.2"', '"0.3.25", "0.10.2"', "jax[0]: 0.3.25 is ruled out by needs_jax >=0.4"),
    ('jax = ">=0.5"', 'jax = ">=0.11"', "jax[1]: no [[expect]] covers 0.10.2"),
    (
        'jax = "<0.5"',
        'jax = "below 0.5"',
        "expect[0].jax: 'below 0.5' is not a version specifier such as >=0.5,<0.11",
    ),
    (
        'needs_jax = ">=0.4"',
        'needs_jax = "0.4"',
        "needs_jax: '0.4' is not a version specifier such as >=0.5,<0.11",
    ),
    (
        'needs_why = "there is no device_put before"\n',
        "",
        "needs_why: must say why, for visitors whose JAX needs_jax rules out",
    ),
    (
        'needs_jax = ">=0.4"\n',
        "",
        "needs_jax: is missing beside needs_why; name the JAX versions that it runs on",
    ),
    (
        "[[expect]]",
        "hangs_after = nan\n[[expect]]",
        "hangs_after: must be a number of seconds above 0, not nan",
    ),
    (
        'class = "ValueError"\n',
        "",
        "expect[0].class: is missing; an exhibit that raises names its exception class",
    ),
    ('"ValueError"', '"builtins.ValueError"', "expect[0].class: write ValueError, without builtins."),
    ('"ValueError"', '"Value Error"', "expect[0].class: 'Value Error' is not the dotted name of a class"),
    (
        'class = "jax._src.sharding.IndivisibleError"\nsays = ["divisible"]',
        'kind = "warns"\nsays = []',
        "expect[1].says: is empty; name a piece of text that gives the failure away",
    ),
    ('says = ["divisible"]', 'says = [" "]', "expect[1].says[0]: is blank, which any text would match"),
    (
        "https://docs",
        "http://docs",
        "sources[0].url: 'http://docs.jax.dev/en/latest/' is not an https:// address",
    ),
    ('"The documentation"', '""', "sources[0].title: must not be empty"),
    ("shape = [10, 4]", "shape = [10, -4]", "layout.shape: a size is below 0"),
]


@pytest.mark.parametrize(("old", "new", "line"), ONE_FAULT, ids=[line for _, _, line in ONE_FAULT])
def test_a_fault_in_the_facts_is_one_line_and_the_rest_opens(root, old, new, line):
    edit(root / "xla/bad/exhibit.toml", old, new)

    catalog = load_catalog(root)

    assert [found.partition("known here: ")[0] for found in lines_of(catalog)] == [f"xla/bad/exhibit.toml: {line}"]
    assert ids_of(catalog) == ["xla/good", "mesh/other"]
    assert catalog.exhibit("xla/good").number == 1


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ('"cpu:8"', '"cpu:0"', "targets[0]"),
        ('"cpu:8"', '"gpu"', "targets[0]"),
        ("data=4,model=2", "data=four", "layout.mesh"),
        ('"data,-"', '"data,("', "layout.spec"),
    ],
)
def test_targets_and_layouts_are_judged_by_their_own_parsers(root, old, new, key):
    edit(root / "xla/bad/exhibit.toml", old, new)

    catalog = load_catalog(root)

    assert [(str(problem.file), problem.key) for problem in catalog.problems] == [("xla/bad/exhibit.toml", key)]
    assert ids_of(catalog) == ["xla/good", "mesh/other"]


def test_an_exhibit_that_promises_nothing(root):
    path = root / "xla/bad/exhibit.toml"
    path.write_text(path.read_text().partition("[[expect]]")[0] + "expect = []\n")

    assert lines_of(load_catalog(root)) == [
        "xla/bad/exhibit.toml: expect: promises nothing; write at least one [[expect]]"
    ]


def test_only_what_raises_has_a_class_and_what_is_silent_prints(root):
    edit(root / "xla/bad/exhibit.toml", '"raises"', '"silent"')

    assert lines_of(load_catalog(root)) == [
        f"xla/bad/exhibit.toml: expect[{place}].{line}"
        for place in (0, 1)
        for line in (
            "class: belongs to an exhibit that raises, and this one's kind is silent",
            "fix_prints: is empty; a silent exhibit's fix must print the right fact",
        )
    ]


def test_a_script_that_hangs_may_say_nothing(root):
    edit(root / "xla/bad/exhibit.toml", '"raises"', '"hangs"')
    for old in (
        'class = "ValueError"\nsays = ["divisible by 4"]',
        'class = "jax._src.sharding.IndivisibleError"\nsays = ["divisible"]',
    ):
        edit(root / "xla/bad/exhibit.toml", old, "")

    assert lines_of(load_catalog(root)) == []


@pytest.mark.parametrize(
    ("name", "content", "line"),
    [
        ("exhibit.toml", None, "exhibit.toml: is missing"),
        ("placard.md", None, "placard.md: is missing"),
        ("failing.py", None, "failing.py: is missing"),
        ("fix.py", b" \n", "fix.py: is empty"),
        ("placard.md", b"", "placard.md: is empty"),
        ("captures.toml", b"", "captures.toml: is empty"),
        ("placard.md", b"## What\n\xe9t", "placard.md: line 2: byte 0xe9 is not UTF-8; save the file as UTF-8"),
        ("exhibit.toml", b"\xff", "exhibit.toml: line 1: byte 0xff is not UTF-8; save the file as UTF-8"),
        ("fix.py", b"rows = 10\nprint(rows)\n", "fix.py: is the same as failing.py"),
        ("fix.py", b"rows = 1\nif rows\n", "fix.py: line 2: is not Python: expected ':'"),
        ("fix.py", b"rows = 1\nreturn\n", "fix.py: line 2: is not Python: 'return' outside function"),
        (
            "notes.txt",
            b"hello",
            "notes.txt: unknown file; this folder holds captures.toml, exhibit.toml, failing.py, fix.py, placard.md",
        ),
    ],
)
def test_a_fault_of_a_file_is_one_line_and_the_rest_opens(root, name, content, line):
    path = root / "xla/bad" / name
    if content is None:
        path.unlink()
    else:
        path.write_bytes(content)

    catalog = load_catalog(root)

    assert lines_of(catalog) == [f"xla/bad/{line}"]
    assert ids_of(catalog) == ["xla/good", "mesh/other"]


def test_a_folder_in_place_of_a_file(root):
    (root / "xla/bad/fix.py").unlink()
    (root / "xla/bad/fix.py").mkdir()

    assert lines_of(load_catalog(root)) == ["xla/bad/fix.py: cannot be read: Is a directory"]


def test_a_failing_half_about_syntax_need_not_compile(root):
    (root / "xla/bad/failing.py").write_text("if True\n")
    assert lines_of(load_catalog(root)) == ["xla/bad/failing.py: line 1: is not Python: expected ':'"]

    edit(root / "xla/bad/exhibit.toml", '"ValueError"', '"SyntaxError"')
    assert lines_of(load_catalog(root)) == []


def test_the_fast_path_leaves_scripts_and_versions_to_the_full_check(root):
    (root / "xla/bad/failing.py").write_text("if True\n")
    edit(root / "xla/good/exhibit.toml", "<0.5", "below 0.5")
    edit(root / "mesh/other/exhibit.toml", "cpu:8", "nowhere")

    assert ids_of(load_catalog(root, check=False)) == ["xla/bad", "xla/good"]
    assert ids_of(load_catalog(root)) == []


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ('python = "3.11.7"\n', "", "capture[0].python: must not be empty"),
        ('platform = "linux-x86_64"\n', "", "capture[0].platform: must not be empty"),
        ('jax = "0.10.2"', 'jax = ""', "capture[0].jax: must not be empty"),
        ('jax = "0.10.2"', 'jax = "newest"', "capture[0].jax: 'newest' is not a version such as 0.10.2"),
        ('source = "https://example.org/thread"\n', "", "capture[1].source: must not be empty"),
        (
            'origin = "reported"',
            'origin = "guessed"',
            "capture[1].origin: must be one of reproduced, reported, not 'guessed'",
        ),
        ("2026-11-20", '"2026-11-20"', "capture[0].date: must be a date like 2026-11-30, not '2026-11-20'"),
        (
            "2026-11-20",
            "2026-11-20T10:00:00",
            "capture[0].date: must be a date like 2026-11-30, not 2026-11-20 10:00:00",
        ),
    ],
)
def test_captures_state_where_they_come_from(root, old, new, line):
    edit(root / "xla/bad/captures.toml", old, new)

    catalog = load_catalog(root)

    assert lines_of(catalog) == [f"xla/bad/captures.toml: {line}"]
    assert ids_of(catalog) == ["xla/good", "mesh/other"]


def test_one_capture_a_run(root):
    path = root / "xla/bad/captures.toml"
    path.write_text(CAPTURES + CAPTURES.partition('[[capture]]\nhalf = "failing"\njax = ""')[0])

    assert lines_of(load_catalog(root)) == [
        "xla/bad/captures.toml: capture[2]: is for the same run as capture[0]: failing, JAX 0.10.2, cpu:8, reproduced"
    ]


# -- wings -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "line", "opened"),
    [
        ("position = 1", "position = one", "line 2: is not TOML: invalid value at column 12", ["mesh/other"]),
        ("position = 1", 'position = "1"', "position: must be a whole number, not '1'", ["mesh/other"]),
        ('"Words."', '""', "intro: must not be empty", ["mesh/other"]),
        ("position = 1", "position = 0", "position: must be 1 or more, not 0", None),
        ('"bad"', '"bad", "gone"', "exhibits[1]: gone is listed, but there is no such folder", None),
        ('"bad"', '"bad", "bad"', "exhibits[1]: bad is listed twice", None),
        (
            '"bad", ',
            "",
            "exhibits: the folder bad is not listed; add it where a visitor should meet it",
            ["xla/good", "mesh/other"],
        ),
    ],
)
def test_a_fault_of_a_wing_is_one_line(root, old, new, line, opened):
    edit(root / "xla/wing.toml", old, new)

    catalog = load_catalog(root)

    assert lines_of(catalog) == [f"xla/wing.toml: {line}"]
    assert ids_of(catalog) == (opened or ["xla/bad", "xla/good", "mesh/other"])


def test_a_wing_without_its_file_is_lost_with_one_line(root):
    (root / "xla/wing.toml").unlink()

    catalog = load_catalog(root)

    assert lines_of(catalog) == ["xla/wing.toml: is missing"]
    assert [wing.id for wing in catalog.wings] == ["mesh"]


def test_positions_are_unique(root):
    edit(root / "mesh/wing.toml", "position = 2", "position = 1")

    catalog = load_catalog(root)

    assert lines_of(catalog) == ["xla/wing.toml: position: 1 is also the position of the wing mesh"]
    assert ids_of(catalog) == ["mesh/other", "xla/bad", "xla/good"]


def test_folder_names_are_slugs(root):
    write_wing(root / "Mesh_2", ["a"], position=3)
    (root / "xla/bad").rename(root / "xla/Not_Good")
    edit(root / "xla/wing.toml", "bad", "Not_Good")

    catalog = load_catalog(root)

    assert lines_of(catalog) == [
        "Mesh_2: a wing's folder name must be a slug: small letters, digits and single hyphens",
        "xla/Not_Good: an exhibit's folder name must be a slug: small letters, digits and single hyphens",
    ]
    assert ids_of(catalog) == ["xla/good", "mesh/other"]


def test_stray_files_and_folders_are_named(root):
    (root / "notes.md").write_text("x")
    (root / "xla/notes.md").write_text("x")
    (root / "xla/bad/old").mkdir()

    assert lines_of(load_catalog(root)) == [
        "notes.md: unknown file; this folder holds folders, one a wing",
        "xla/notes.md: unknown file; this folder holds wing.toml",
        "xla/bad/old: unknown folder; an exhibit holds captures.toml, exhibit.toml, failing.py, fix.py, placard.md",
    ]


def test_every_fault_comes_at_once(root):
    edit(root / "xla/wing.toml", '"good"', '"good", "gone"')
    edit(root / "xla/bad/exhibit.toml", 'kind = "raises"', 'kind = "boom"\ncolour = 1')
    edit(root / "xla/bad/exhibit.toml", 'title = "Ten rows over four devices"\n', "")
    edit(root / "xla/bad/placard.md", "Often.\n", "")
    (root / "xla/bad/fix.py").write_text("(")
    (root / "xla/bad/failing.py").unlink()
    edit(root / "xla/bad/captures.toml", "[[capture]]", "[[captures]]")
    edit(root / "mesh/wing.toml", "position = 2\n", "")
    edit(root / "mesh/other/exhibit.toml", "cpu:8", "cpu:none")

    catalog = load_catalog(root)

    assert [line.partition(";")[0] for line in lines_of(catalog)] == [
        "mesh/wing.toml: position: is missing",
        "mesh/other/exhibit.toml: targets[0]: 'cpu:none' is not a target",
        "xla/wing.toml: exhibits[2]: gone is listed, but there is no such folder",
        "xla/bad/exhibit.toml: colour: unknown key",
        "xla/bad/exhibit.toml: title: is missing",
        "xla/bad/exhibit.toml: kind: must be one of raises, warns, silent, aborts, hangs, passes, not 'boom'",
        "xla/bad/placard.md: When you meet it: nothing is written under it",
        "xla/bad/failing.py: is missing",
        "xla/bad/captures.toml: captures: unknown key",
        "xla/bad/fix.py: line 1: is not Python: '(' was never closed",
    ]
    assert ids_of(catalog) == ["xla/good"]


# -- asking ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wanted", "line"),
    [
        ("xla/goof", "no exhibit xla/goof; did you mean xla/good?"),
        ("good", "no exhibit good; did you mean xla/good?"),
        ("zzz", "no exhibit zzz; `xla-museum list` names what there is"),
        ("", "no exhibit ''; `xla-museum list` names what there is"),
        ("xla/bad", "exhibit xla/bad cannot be opened: xla/bad/fix.py: is missing"),
    ],
)
def test_an_unknown_exhibit_names_the_nearest(root, wanted, line):
    (root / "xla/bad/fix.py").unlink()
    catalog = load_catalog(root)

    with pytest.raises(MuseumError) as error:
        catalog.exhibit(wanted)

    assert str(error.value) == line


def test_an_unknown_wing_names_the_nearest(root):
    with pytest.raises(MuseumError, match=r"^no wing mash; did you mean mesh\?$"):
        load_catalog(root).wing("mash")


def test_neighbours_cross_wings_and_end_at_the_doors(root):
    catalog = load_catalog(root)
    first, second, third = catalog.exhibits

    assert catalog.neighbours(first.id) == (None, second)
    assert catalog.neighbours(second.id) == (first, third)
    assert catalog.neighbours(third.id) == (second, None)


def test_a_root_that_is_not_there(tmp_path):
    with pytest.raises(MuseumError, match=r"there is no collection at .*nowhere; name the folder"):
        load_catalog(tmp_path / "nowhere")


def test_expectations_are_chosen_by_version(root):
    facts = load_catalog(root).exhibit("xla/good").facts

    assert expectation_for(facts, "0.4.38").error == "ValueError"
    assert expectation_for(facts, "0.12.0.1").error == "jax._src.sharding.IndivisibleError"
    assert is_within("0.12.0.dev1", ">=0.5")
    with pytest.raises(MuseumError, match="'x' is not a version"):
        expectation_for(facts, "x")


def test_versions_sort_as_numbers():
    assert sort_versions(["0.10.2", "0.4.38", "0.12.0.1"]) == ["0.4.38", "0.10.2", "0.12.0.1"]
