from itertools import pairwise
from time import perf_counter

from hypothesis import given
from hypothesis import strategies as st

from museum.differences import Piece, changed_lines, word_difference

few_words = st.lists(
    st.sampled_from(["a", "b", "16", "(", " ", "\n", "\r\n", "\t", "é", "🦀", "\x0c"]), max_size=40
).map("".join)
texts = st.one_of(st.text(max_size=60), few_words)


def marked(pieces: tuple[Piece, ...]) -> list[str]:
    return [piece.text for piece in pieces if piece.differs]


def kept(pieces: tuple[Piece, ...]) -> str:
    return "".join(piece.text for piece in pieces if not piece.differs)


def test_lines_without_a_partner_are_numbered_from_one():
    assert changed_lines("a\nb\nc\n", "a\nx\nc\nd\n") == ({2}, {2, 4})


def test_an_inserted_line_leaves_its_neighbours_alone():
    assert changed_lines("a\nb", "a\nnew\nb") == (set(), {2})


def test_equal_texts_differ_nowhere():
    assert changed_lines("a\n\nb\n", "a\n\nb\n") == (set(), set())
    assert word_difference("a b", "a b") == ((Piece("a b", differs=False),),) * 2
    assert word_difference("", "") == ((), ())


def test_lines_end_at_newlines_only():
    assert changed_lines("a\x0cb\nc", "a\x0cb\nd") == ({2}, {2})


@given(texts, texts)
def test_unchanged_lines_are_the_same_in_both_texts(a, b):
    changed_a, changed_b = changed_lines(a, b)
    left = [line for number, line in enumerate(a.split("\n"), 1) if number not in changed_a]
    right = [line for number, line in enumerate(b.split("\n"), 1) if number not in changed_b]
    assert left == right
    assert bool(changed_a or changed_b) == (a != b)


def test_a_number_differs_as_a_whole_and_its_brackets_do_not():
    recorded, seen = word_difference("shape: (10, 16), 31.24G", "shape: (11, 16), 31.5G")
    assert marked(recorded) == ["10", "31.24"]
    assert marked(seen) == ["11", "31.5"]


def test_added_words_are_marked_on_their_side_only():
    recorded, seen = word_difference("spec=P('data')", "spec=P('data', 'model')")
    assert marked(recorded) == []
    assert marked(seen) == [", 'model'"]


def test_words_are_matched_within_changed_lines_only():
    recorded, seen = word_difference("one\nbeta\n", "alpha\none\n")
    assert marked(recorded) == ["beta\n"]
    assert marked(seen) == ["alpha\n"]


@given(texts, texts)
def test_pieces_join_to_their_text_and_agree_on_what_is_shared(recorded, seen):
    left, right = word_difference(recorded, seen)
    assert "".join(piece.text for piece in left) == recorded
    assert "".join(piece.text for piece in right) == seen
    assert kept(left) == kept(right)
    for pieces in (left, right):
        assert all(piece.text for piece in pieces)
        assert all(one.differs != two.differs for one, two in pairwise(pieces))
    assert (not marked(left) and not marked(right)) == (recorded == seen)


def test_huge_texts_are_compared_by_their_ends_and_in_bounded_time():
    # Two letters in random-looking order: an alignment of these would take minutes.
    noise = [f"{number * number % 7 % 2} " for number in range(30_000)]
    began = perf_counter()
    left, right = word_difference("same " + "".join(noise) + "end", "same x" + "".join(noise[::-1]) + "end")
    assert perf_counter() - began < 5
    assert left[0].text.startswith("same ")
    assert not left[0].differs
    assert left[-1].text.endswith("end")
    assert not left[-1].differs
    assert len(left) == len(right) == 3


def test_many_changed_lines_share_one_budget():
    # Each line is affordable alone; all of them together are not.
    a = "".join(f"same {number}\n{'0 1 ' * 150}\n" for number in range(200))
    b = "".join(f"same {number}\n{'1 0 0 ' * 100}\n" for number in range(200))
    began = perf_counter()
    left, right = word_difference(a, b)
    assert perf_counter() - began < 5
    assert "same 199" in kept(left)
    assert kept(left) == kept(right)


def test_lines_that_stand_once_divide_what_is_too_long_to_align():
    # Blank lines and brackets stand against each other hundreds of times over; aligning all of them takes seconds.
    body = "def step_{n}(a):\n    x = f(a)\n    return (\n        a\n    )\n\n\n"
    a = "".join(body.format(n=n) for n in range(300))
    lines = a.split("\n")
    b = "\n".join(
        f"# {line}" if line.strip() and 40 <= n < 1200 else line.replace("x", "y") for n, line in enumerate(lines)
    )
    changed_a, changed_b = changed_lines(a, b)
    once = {number for number, line in enumerate(lines, 1) if line.startswith("def ") and not 40 < number <= 1200}
    assert once
    assert not once & changed_a
    assert [line for number, line in enumerate(lines, 1) if number not in changed_a] == [
        line for number, line in enumerate(b.split("\n"), 1) if number not in changed_b
    ]
