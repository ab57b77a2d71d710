"""What must not leave this machine with a text: the one home for the rules.

Paths, user and host names, home directories, e-mail addresses, private network addresses, passwords and tokens are
taken out of whatever is copied to be shown to others. A rule that is not sure takes away rather than leaves.
"""

import contextlib
import io
import os
import re
import tokenize
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from museum.lab.normalise import without_directories

USER, HOST, MAIL, SECRET, ADDRESS = "user", "host", "<e-mail>", "<secret>", "<address>"
"""What stands in the place of what was there."""

SHORTEST_NAME, SHORTEST_SECRET = 3, 6  # characters; anything shorter stands everywhere by chance
# Names of users and hosts that tell nothing, or are words of every message.
ORDINARY = frozenset(
    re.findall(
        r"\w+",
        """
        root user users admin host localhost ubuntu debian runner jovyan colab nobody jax jaxlib xla tpu gpu cpu mesh
        axis shape array batch data model test tests main home work app build train docker worker node local server
        python true false none error value line file code mail address secret the and for not with from
        """,
    )
)

_PRIVATE_KEY = re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)", re.DOTALL)
_KNOWN_TOKENS = re.compile(
    r"(?<![A-Za-z0-9])(?:gh[opusr]_[A-Za-z0-9]{16,}|github_pat_\w{20,}|glpat-[\w-]{16,}|hf_[A-Za-z0-9]{16,}"
    r"|sk-[\w-]{16,}|xox[abeoprs]-[\w-]{10,}|(?:AKIA|ASIA)[0-9A-Z]{12,}|AIza[\w-]{30,}|ya29\.[\w.-]{16,}"
    r"|pypi-[\w-]{20,}|eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?)"
)
_BEARER = re.compile(r"\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{8,}", re.IGNORECASE)
_NAMED_SECRET = re.compile(
    r"(?P<name>\b[\w-]{0,40}(?:passw(?:or)?d|secret|api[_-]?key|access[_-]?key|private[_-]?key|credentials?)\b[\"']?\s*[:=]\s*)"
    r"(?P<quote>[\"']?)(?!<secret>)(?P<value>[^\s\"',;&]+)",
    re.IGNORECASE,
)
_NAMED_TOKEN = re.compile(
    r"(?P<name>\b[\w-]{0,40}token\b[\"']?\s*[:=]\s*[\"']?)(?=[^\s\"',;&]*\d)(?=[^\s\"',;&]*[A-Za-z])[A-Za-z0-9._~+/=-]{16,}",
    re.IGNORECASE,
)
_SECRET_VARIABLE = re.compile(r"TOKEN|SECRET|PASSW|PASSPHRASE|CREDENTIAL|AUTH|_KEY$|^KEY$", re.IGNORECASE)
_IN_ADDRESS = re.compile(r"(?<=://)[^\s/@\"']+@")
_MAIL = re.compile(r"(?<![\w.+-])[\w.+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,24}(?![\w(])")
_AT_HOST = re.compile(r"(?<![\w.+-])[A-Za-z_][\w.-]*@[A-Za-z0-9][A-Za-z0-9.-]*(?=:[/~]|:\s|\s*[$#]\s)")
_LOCAL_HOST = re.compile(
    r"(?<![\w.-])[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.(?:local|internal|intranet|lan|corp|home\.arpa)(?![\w-])"
)
_NETWORK = re.compile(
    r"(?<![\w.])(?!127\.|0\.0\.0\.0)(?:(?:10|192\.168|172\.(?:1[6-9]|2\d|3[01]))(?:\.\d{1,3}){2,3}(?![\w.])"
    r"|\d{1,3}(?:\.\d{1,3}){3}(?=:\d))"
)
_NETWORK_6 = re.compile(r"(?<![\w:])(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}(?![\w:])", re.IGNORECASE)
_HOME = re.compile(r"(?:/home|/Users|/export/home|[A-Za-z]:\\Users)[/\\][^\s/\\:'\"<>|,;()\[\]{}]+")
_QUOTED = re.compile(r"(?P<quote>[\"'`])(?P<path>~?/[^\"'`\n]{0,1000}/[^\"'`\n]{0,1000})(?P=quote)")
_PATH = re.compile(
    r"(?<![\w.)\]}>/~*-])(?:file:/*(?=/))?/(?:[^\s/:'\"`<>|,;()\[\]{}]+/+)+(?P<last>[^\s/:'\"`<>|,;()\[\]{}]*)"
)
_BELOW_HOME = re.compile(r"~/(?:[^\s/:'\"`<>|,;()\[\]{}]+/+)+")
_AT_HOME = "/\0"  # a home directory while the rules are at work: a path like any other
_OF_THE_SYSTEM = ("/dev/", "/proc/", "/sys/")  # say what machine it is, and no more


@dataclass(frozen=True, slots=True)
class Private:
    """What is known to be private on this machine.

    Attributes:
        homes: Home directories.
        users: Names of the visitor.
        hosts: Names of the machine.
        secrets: Values that must never show.
    """

    homes: tuple[str, ...] = ()
    users: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    secrets: tuple[str, ...] = ()

    @classmethod
    def of_this_machine(cls, variables: Mapping[str, str] | None = None) -> "Private":
        """As the system and the environment's variables (default: this process's) tell it; no network is asked."""
        import socket
        from pathlib import Path

        variables = os.environ if variables is None else variables
        homes = {variables.get("HOME", "")}
        users = {variables.get(name, "") for name in ("USER", "LOGNAME", "USERNAME", "SUDO_USER")}
        with contextlib.suppress(RuntimeError):  # neither a variable nor an entry for this user
            homes.add(str(Path.home()))
        try:
            import pwd

            entry = pwd.getpwuid(os.getuid())
            users |= {entry.pw_name, entry.pw_gecos.partition(",")[0]}
        except (ImportError, KeyError):
            pass
        host = socket.gethostname()
        hosts = {host, host.partition(".")[0], variables.get("HOSTNAME", "")}
        secrets = {value for name, value in variables.items() if _SECRET_VARIABLE.search(name)}
        homes = {home for home in homes if len(home.strip("/")) > 1}
        return cls(*(tuple(sorted(filter(None, values))) for values in (homes, users, hosts, secrets)))


def scrubbed(text: str, private: Private) -> str:
    """The text without what must not leave this machine; doing it twice changes nothing more."""
    for secret in _longest_first(private.secrets, SHORTEST_SECRET):
        text = text.replace(secret, SECRET)
    text = _PRIVATE_KEY.sub(SECRET, text)
    text = _KNOWN_TOKENS.sub(SECRET, text)
    text = _BEARER.sub(rf"\1 {SECRET}", text)
    text = _NAMED_SECRET.sub(rf"\g<name>\g<quote>{SECRET}", text)
    text = _NAMED_TOKEN.sub(rf"\g<name>{SECRET}", text)
    text = _IN_ADDRESS.sub("", text)
    text = _MAIL.sub(MAIL, text)
    text = _AT_HOST.sub(f"{USER}@{HOST}", text)
    text = _without_paths(text, private)
    text = _LOCAL_HOST.sub(HOST, text)
    text = _NETWORK.sub(ADDRESS, text)
    text = _NETWORK_6.sub(ADDRESS, text)
    for names, instead in ((private.hosts, HOST), (private.users, USER)):
        for name in _longest_first(names, SHORTEST_NAME):
            if name.casefold() not in ORDINARY:
                text = _whole(name).sub(instead, text)
    return text


def scrubbed_value(name: str, value: str, private: Private) -> str:
    """The value of a variable without the same; that of one whose name speaks of a secret goes altogether."""
    return SECRET if value and _SECRET_VARIABLE.search(name) else scrubbed(value, private)


def scrubbed_code(code: str, private: Private) -> str:
    """A script without the same, changed in its strings and comments and in names alone, so that it still runs.

    What is no Python is scrubbed as any text.
    """
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(code).readline))
    except (tokenize.TokenError, SyntaxError):
        return scrubbed(code, private)
    starts = [0]
    for line in io.StringIO(code):
        starts.append(starts[-1] + len(line))
    spoken = {tokenize.STRING, tokenize.COMMENT, getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING)}
    pieces, end = [], 0
    for token in tokens:
        if token.type not in spoken and token.type != tokenize.NAME:
            continue
        start = starts[token.start[0] - 1] + token.start[1]
        stop = starts[token.end[0] - 1] + token.end[1]
        if start < end or code[start:stop] != token.string:
            continue  # braces that stand for themselves in an f-string are told as one
        rule = scrubbed if token.type in spoken else _without_names
        pieces += [code[end:start], rule(token.string, private)]
        end = stop
    return "".join((*pieces, code[end:]))


def _without_names(word: str, private: Private) -> str:
    for names, instead in ((private.hosts, HOST), (private.users, USER)):
        for name in _longest_first(names, SHORTEST_NAME):
            if name.casefold() not in ORDINARY:
                word = _whole(name).sub(instead, word)
    return word


def _without_paths(text: str, private: Private) -> str:
    text = text.replace("\0", "")
    for home in _longest_first(private.homes, 2):
        text = re.sub(rf"{re.escape(home.rstrip('/'))}(?![\w.-])", lambda _: _AT_HOME, text)
    text = without_directories(_HOME.sub(lambda _: _AT_HOME, text))
    text = _QUOTED.sub(lambda found: found["quote"] + _cut_quoted(found["path"]) + found["quote"], text)
    return _BELOW_HOME.sub(".../", _PATH.sub(_cut, text).replace(_AT_HOME, "~"))


def _cut(found: re.Match[str]) -> str:
    return found[0] if found[0].startswith(_OF_THE_SYSTEM) else f".../{found['last']}"


def _cut_quoted(path: str) -> str:
    """A path in quotes may have blanks in it; what has more than a path in it is left to the other rules."""
    if path.startswith(_OF_THE_SYSTEM) or re.search(r"[:,;(){}<>|]|\s~?/", path):
        return path
    return f".../{path.rpartition('/')[2]}"


def _longest_first(names: tuple[str, ...], shortest: int) -> list[str]:
    return sorted((name for name in names if len(name) >= shortest), key=lambda name: (-len(name), name))


@lru_cache
def _whole(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![A-Za-z0-9]){re.escape(name)}(?![A-Za-z0-9])", re.IGNORECASE)
