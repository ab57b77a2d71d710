"""What is private does not leave with a text, and what is not stays."""

import ast
import string
from itertools import permutations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from museum.scrub import ORDINARY, Private, scrubbed, scrubbed_code, scrubbed_value

ANN = Private(
    homes=("/home/ann lee", "/root"),
    users=("annlee", "Ann Lee"),
    hosts=("box-7.corp.example", "box-7"),
    secrets=("hunter2222",),
)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ('File "/home/ann lee/My Project/x.py", line 3', 'File ".../x.py", line 3'),
        ("/home/ann lee/x.npy, /home/ann lee and /root", ".../x.npy, ~ and ~"),
        ("/home/somebody/else and /Users/Bob/x", "~ and .../x".replace("~", ".../else")),
        ("C:\\Users\\Bob\\x", "~\\x"),
        ("at /a/b/site-packages/jax/_src/pjit.py:12", "at jax/_src/pjit.py:12"),
        ("/data/annlee/x.npy and ~/p/q/r.txt", ".../x.npy and .../r.txt"),
        ("see file:///home/bob/x/y.txt", "see .../y.txt"),
        ("mail ann.lee@example.org now", "mail <e-mail> now"),
        ("export HF_TOKEN=hf_abcdefghijklmnopqrst", "export HF_TOKEN=<secret>"),
        ("ghp_0123456789abcdefghij", "<secret>"),
        ("password: hunter3", "password: <secret>"),
        ("the key is hunter2222", "the key is <secret>"),
        ("Authorization: Bearer abc.def-ghi", "Authorization: Bearer <secret>"),
        ("-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----\nx", "<secret>\nx"),
        ("https://bob:pw@host.org/a/b", "https://host.org/a/b"),
        ("annlee@box-7:~/x$ python", "user@host:~/x$ python"),
        ("AnnLee, annlee_data, Ann Lee on BOX-7", "user, user_data, user on host"),
        ("coordinator at 10.0.3.4:8476, 192.168.1.7", "coordinator at <address>:8476, <address>"),
        ("34.1.2.3:8476", "<address>:8476"),
        ("fe80:0:0:0:a:b:c:d", "<address>"),
        ("worker-3.internal", "host"),
    ],
)
def test_what_is_private_goes(text: str, left: str) -> None:
    assert scrubbed(text, ANN) == left


@pytest.mark.parametrize(
    "text",
    [
        "jit(f)/jit(main)/add f32[8,16]{1,0}",
        "jaxlib 0.12.0.1, nvidia 12.8.4.1, 127.0.0.1:8476, 0.0.0.0:80",
        "/dev/accel0 and /proc/driver/nvidia/version",
        "https://docs.jax.dev/en/latest/notebooks/x.html",
        "x @ w.T, a / b, a // b, jax.lax.with_sharding_constraint",
        "token: f32[8] and tokens = ordered",
        "malannleeous",
        "Sharding PartitionSpec('data', None) of shape (10, 4): 10 is not divisible by 4",
        'Traceback (most recent call last):\n  File "snippet.py", line 3, in <module>\n',
    ],
)
def test_what_is_not_private_stays(text: str) -> None:
    assert scrubbed(text, ANN) == text


def test_a_user_named_like_an_axis_takes_no_axis_away() -> None:
    data = Private(homes=("/home/data",), users=("data",), hosts=("mesh",))
    assert scrubbed("Mesh axis 'data' in /home/data/x/y.bin", data) == "Mesh axis 'data' in .../y.bin"


NAMES = st.text(alphabet=string.ascii_lowercase + string.digits, min_size=6, max_size=12).filter(
    lambda name: name not in ORDINARY and not any(word in name for word in ("user", "host", "mail", "secret", "addre"))
)
WORDS = st.sampled_from(["in", "jax", "f32[8,16]", "'data'", "(", "=", '"', ":", "\n", "line 3,", "/", "x/y", "`"])


@st.composite
def texts(draw: st.DrawFn) -> tuple[str, Private, tuple[str, ...]]:
    """A text with private things anywhere in it, what is known to be private, and what may not be left."""
    user, host, home, secret, folder = (draw(NAMES) for _ in range(5))
    assume(not any(one in other for one, other in permutations((user, host, home, secret, folder), 2)))
    private = Private((f"/{folder}/{home}",), (user,), (f"{host}.example.org", host), (secret,))
    pieces = [
        f"/{folder}/{home}",
        f"/{folder}/{home}/sub/file.npy",
        f'"/{folder}/{home}/with blank/file.npy"',
        f"/mnt/{folder}/{user}/file.npy",
        f"/home/{user}/file.npy",
        user,
        f"{user}@{host}.example.org",
        host,
        f"{host}.example.org",
        f"{user}.x@mail.org",
        secret,
        f"key={secret}",
    ]
    parts = draw(st.lists(st.one_of(st.sampled_from(pieces), WORDS), max_size=12))
    return " ".join(parts), private, (user, host, secret, f"/{folder}/", "/mnt/", "@mail.org")


@given(texts())
def test_nothing_private_is_left_wherever_it_stood(case: tuple[str, Private, tuple[str, ...]]) -> None:
    text, private, gone = case
    left = scrubbed(text, private)
    assert [word for word in gone if word in left] == []
    assert scrubbed(left, private) == left


@given(st.text())
def test_twice_is_once_for_any_text(text: str) -> None:
    once = scrubbed(text, ANN)
    assert scrubbed(once, ANN) == once


@given(st.text(alphabet=string.ascii_lowercase + " \n(),.[]0123456789'", max_size=80))
def test_a_text_without_paths_and_names_is_not_touched(text: str) -> None:
    assert scrubbed(text, Private()) == text


# -- code --------------------------------------------------------------------------------------------------------------


def test_code_is_changed_in_strings_comments_and_names_only() -> None:
    code = (
        "import jax  # of ann.lee@example.org\n"
        "x = a /b/ c @ w.real\n"
        "annlee = open('/data/annlee/set/x.npy', f'/home/ann lee/{annlee}')\n"
        'text = """\nhost box-7\n"""\n'
    )
    assert scrubbed_code(code, ANN) == (
        "import jax  # of <e-mail>\n"
        "x = a /b/ c @ w.real\n"
        "user = open('.../x.npy', f'.../{user}')\n"
        'text = """\nhost host\n"""\n'
    )


def test_what_is_no_python_is_scrubbed_as_text() -> None:
    assert scrubbed_code("def f(:\n  '''/home/bob/x/y.bin", ANN) == "def f(:\n  '''.../y.bin"


@given(texts())
def test_scrubbed_code_still_compiles(case: tuple[str, Private, tuple[str, ...]]) -> None:
    text, private, gone = case
    code = f"x = {text!r}\ny = {text.encode()!r}  # {' '.join(text.split())}\nz = '''\n{text}\n'''\n"
    left = scrubbed_code(code, private)
    ast.parse(left)
    assert [word for word in gone if word in left] == []


def test_this_machine_is_known_by_its_variables() -> None:
    private = Private.of_this_machine({"HOME": "/home/x", "USER": "xavier", "MY_TOKEN": "abcdefg", "MONKEY": "banana"})
    assert "/home/x" in private.homes
    assert "xavier" in private.users
    assert private.secrets == ("abcdefg",)
    assert private.hosts


@pytest.mark.parametrize(
    ("name", "value", "left"),
    [
        ("WANDB_API_KEY", "abc", "<secret>"),
        ("MY_TOKEN", "x", "<secret>"),
        ("XLA_FLAGS", "--xla_dump_to=/home/bob/dump/here", "--xla_dump_to=.../here"),
        ("JAX_PLATFORMS", "cpu", "cpu"),
        ("MY_SECRET", "", ""),
    ],
)
def test_a_variable_tells_by_its_name_that_it_is_a_secret(name: str, value: str, left: str) -> None:
    assert scrubbed_value(name, value, ANN) == left
