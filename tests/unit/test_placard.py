from pathlib import Path

import pytest

from museum.exhibit import Placard
from museum.placard import parse_placard

FILE = Path("xla/one/placard.md")
GOOD = """## What it means

Ten rows do not split in four.

```python
## not a heading
```

## When you meet it
In the last batch.

## Ways out
1. Pad the array.

   It costs two rows.
2. Split another dimension,
a lazy second line.

## See also
"""


def lines_of(text):
    placard, problems = parse_placard(text, FILE)
    assert (placard is None) == bool(problems)
    return [str(problem).removeprefix(f"{FILE}: ") for problem in problems]


def test_a_good_placard_is_cut_at_its_headings():
    placard, problems = parse_placard(GOOD, FILE)

    assert problems == ()
    assert placard == Placard(
        what_it_means="Ten rows do not split in four.\n\n```python\n## not a heading\n```",
        when_you_meet_it="In the last batch.",
        ways_out="1. Pad the array.\n\n   It costs two rows.\n2. Split another dimension,\na lazy second line.",
        see_also="",
    )


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("## When you meet it\n", "", "When you meet it: this heading is missing"),
        ("## See also\n", "", "See also: this heading is missing"),
        ("In the last batch.\n", "", "When you meet it: nothing is written under it"),
        ("## What", "Hi.\n## What", "line 1: text before the first heading; start with ## What it means"),
        ("## See also", "## Ways out\n## See also", "Ways out: stands there twice; join the two"),
        (
            "## See also",
            "## See Also\n## See also",
            "See Also: unknown heading; a placard has What it means, When you meet it, Ways out, See also",
        ),
        (
            "## When you meet it",
            "# When\n## When you meet it",
            "When: unknown heading; a placard has What it means, When you meet it, Ways out, See also",
        ),
        ("python\n## not a heading\n```", "python", "What it means: the code fence of line 5 is never closed"),
        (
            "1. Pad",
            "- Pad",
            "Ways out: must be a numbered list (1. 2. 3.), the safest way first; '- Pad the array.' stands outside it",
        ),
        ("2. Split", "3. Split", "Ways out: must be a numbered list; number 3 stands where 2 belongs"),
        (
            "   It costs two rows.",
            "It costs.",
            "Ways out: must be a numbered list (1. 2. 3.), the safest way first; 'It costs.' stands outside it",
        ),
    ],
)
def test_each_fault_is_one_line_under_its_heading(old, new, line):
    assert old in GOOD
    assert line in lines_of(GOOD.replace(old, new, 1))


def test_headings_out_of_order():
    before, after = GOOD.split("## When you meet it")
    met, out = after.split("## Ways out")
    out = out.removesuffix("## See also\n")
    swapped = f"{before}## Ways out{out}## When you meet it{met}## See also\n"

    assert lines_of(swapped) == ["When you meet it: out of order; it goes before Ways out"]


def test_all_faults_come_at_once():
    assert lines_of("Hello\n## Ways out\nPad.\n## Means\n") == [
        "line 1: text before the first heading; start with ## What it means",
        "Ways out: must be a numbered list (1. 2. 3.), the safest way first; 'Pad.' stands outside it",
        "Means: unknown heading; a placard has What it means, When you meet it, Ways out, See also",
        "What it means: this heading is missing",
        "When you meet it: this heading is missing",
        "See also: this heading is missing",
    ]
