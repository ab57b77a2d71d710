"""Reads a collection from disk in one pass, and lists everything that is wrong with it."""

import math
import re
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

import msgspec

from museum.errors import ContentProblem, MuseumError
from museum.exhibit import (
    Capture,
    CapturesFile,
    Exhibit,
    ExhibitFile,
    Expectation,
    Half,
    LayoutFile,
    Origin,
    OutcomeKind,
    Placard,
    Wing,
    WingFile,
)
from museum.lab.target import Target
from museum.placard import parse_placard
from museum.promises import expectation_for
from museum.toml_faults import faults_of_toml
from museum.versions import fault_of_specifier, fault_of_version, is_within, sort_versions

_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
_HTTPS = re.compile(r"https://[^\s/]+\.[^\s/]+(?:/\S*)?")
_SLUG_RULE = "must be a slug: small letters, digits and single hyphens"
_SYNTAX_ERRORS = {"SyntaxError", "IndentationError", "TabError"}
_WING_FILE, _EXHIBIT_FILE, _PLACARD_FILE, _CAPTURES_FILE = "wing.toml", "exhibit.toml", "placard.md", "captures.toml"
_SCRIPTS = {half: f"{half}.py" for half in Half}
_EXHIBIT_FILES = {_EXHIBIT_FILE, _PLACARD_FILE, _CAPTURES_FILE, *_SCRIPTS.values()}

_File = TypeVar("_File", bound=msgspec.Struct)


class CatalogReader:
    """One pass over one collection, with the problems met so far."""

    def __init__(self, root: Path, *, check: bool) -> None:
        self.problems: list[ContentProblem] = []
        self._root = root
        self._check = check

    # -- wings -----------------------------------------------------------------------------------------------------

    def load_wings(self) -> tuple[Wing, ...]:
        """Every wing that opens, by position, with the exhibits that open; what does not is in `problems`."""
        placed: list[tuple[int, Wing]] = []
        for folder in self._folders(self._root, allowed_files=set()):
            placed += self._load_wing(folder)
        placed.sort(key=lambda pair: (pair[0], pair[1].id))
        for (earlier, first), (later, second) in pairwise(placed):
            if earlier == later:
                path = self._root / second.id / _WING_FILE
                self._add(path, "position", f"{later} is also the position of the wing {first.id}")
        return tuple(wing for _, wing in placed)

    def _load_wing(self, folder: Path) -> list[tuple[int, Wing]]:
        path = folder / _WING_FILE
        before = len(self.problems)
        if not _SLUG.fullmatch(folder.name):
            self._add(folder, "", f"a wing's folder name {_SLUG_RULE}")
        wing_file = self._decode(path, WingFile)
        if wing_file:
            self._check_filled(path, title=wing_file.title, intro=wing_file.intro)
        lost = wing_file is None or len(self.problems) > before
        listed = wing_file.exhibits if wing_file else ()
        folders = {child.name: child for child in self._folders(folder, allowed_files={_WING_FILE})}
        if wing_file:
            if wing_file.position < 1:
                self._add(path, "position", f"must be 1 or more, not {wing_file.position}")
            self._check_listing(path, listed, folders)
        opened: list[Exhibit] = []
        for slug in dict.fromkeys((*listed, *folders)):
            if slug not in folders:
                continue
            exhibit = self._load_exhibit(folders[slug], number=len(opened) + 1)
            if exhibit and slug in listed:
                opened.append(exhibit)
        if wing_file is None or lost:
            return []
        return [(wing_file.position, Wing(folder.name, wing_file.title, wing_file.intro, tuple(opened)))]

    def _check_listing(self, path: Path, listed: tuple[str, ...], folders: dict[str, Path]) -> None:
        for place, slug in enumerate(listed):
            if slug in listed[:place]:
                self._add(path, f"exhibits[{place}]", f"{slug} is listed twice")
            elif slug not in folders:
                self._add(path, f"exhibits[{place}]", f"{slug} is listed, but there is no such folder")
        for slug in folders:
            if slug not in listed:
                self._add(path, "exhibits", f"the folder {slug} is not listed; add it where a visitor should meet it")

    # -- exhibits --------------------------------------------------------------------------------------------------

    def _load_exhibit(self, folder: Path, number: int) -> Exhibit | None:
        before = len(self.problems)
        if not _SLUG.fullmatch(folder.name):
            self._add(folder, "", f"an exhibit's folder name {_SLUG_RULE}")
        for child in self._folders(folder, allowed_files=_EXHIBIT_FILES):
            self._add(child, "", f"unknown folder; an exhibit holds {', '.join(sorted(_EXHIBIT_FILES))}")
        facts = self._decode(folder / _EXHIBIT_FILE, ExhibitFile)
        placard = self._load_placard(folder / _PLACARD_FILE)
        scripts = {half: self._read(folder / name) for half, name in _SCRIPTS.items()}
        captures_path = folder / _CAPTURES_FILE
        # Not yet verified, when the file is missing.
        captured = self._decode(captures_path, CapturesFile) if captures_path.exists() else CapturesFile()
        if facts:
            self._check_facts(folder / _EXHIBIT_FILE, facts)
        self._check_scripts(folder, scripts, facts)
        if captured:
            self._check_captures(captures_path, captured.capture)
        if len(self.problems) > before or facts is None or placard is None or captured is None:
            return None
        texts = {half: text for half, text in scripts.items() if text is not None}
        exhibit_id = f"{folder.parent.name}/{folder.name}"
        return Exhibit(exhibit_id, number, facts, placard, texts, captured.capture)

    def _load_placard(self, path: Path) -> Placard | None:
        text = self._read(path)
        if text is None:
            return None
        placard, problems = parse_placard(text, path.relative_to(self._root))
        self.problems += problems
        return placard

    def _check_facts(self, path: Path, facts: ExhibitFile) -> None:
        self._check_filled(path, title=facts.title)
        if facts.title.rstrip().endswith("."):
            self._add(path, "title", "must not end with a full stop")
        if "\n" in facts.title:
            self._add(path, "title", "must be one line")
        self._check_lists(path, facts)
        self._check_sources(path, facts)
        if not 0 < facts.hangs_after < math.inf:
            self._add(path, "hangs_after", f"must be a number of seconds above 0, not {facts.hangs_after:g}")
        self._check_needs(path, facts)
        if facts.kind is OutcomeKind.PASSES:
            self._add(path, "kind", "must be how it fails; passes is for an [[expect]] of versions where it does not")
        if not facts.expect:
            self._add(path, "expect", "promises nothing; write at least one [[expect]]")
        for place, expectation in enumerate(facts.expect):
            self._check_expectation(path, f"expect[{place}]", expectation, expectation.kind or facts.kind)
        if facts.layout:
            self._check_layout(path, facts.layout)
        if self._check:
            self._check_versions(path, facts)

    def _check_needs(self, path: Path, facts: ExhibitFile) -> None:
        for half, needs, why in (
            ("", facts.needs_jax, facts.needs_why),
            ("fix_", facts.fix_needs_jax, facts.fix_needs_why),
        ):
            if needs and not why.strip():
                self._add(path, f"{half}needs_why", f"must say why, for visitors whose JAX {half}needs_jax rules out")
            if why and not needs:
                key = f"{half}needs_jax"
                self._add(path, key, f"is missing beside {half}needs_why; name the JAX versions that it runs on")

    def _check_lists(self, path: Path, facts: ExhibitFile) -> None:
        if not facts.targets:
            self._add(path, "targets", "names no target; write where it runs, such as cpu:8")
        for place, target in enumerate(facts.targets):
            if fault := _fault_of_target(target):
                self._add(path, f"targets[{place}]", fault)
        for place, tag in enumerate(facts.tags):
            if not _SLUG.fullmatch(tag):
                self._add(path, f"tags[{place}]", f"{tag!r} {_SLUG_RULE}")
        for key, values in (("targets", facts.targets), ("tags", facts.tags), ("jax", facts.jax)):
            for place, value in enumerate(values):
                if value in values[:place]:
                    self._add(path, f"{key}[{place}]", f"{value} stands there twice")

    def _check_sources(self, path: Path, facts: ExhibitFile) -> None:
        for place, source in enumerate(facts.sources):
            self._check_filled(path, f"sources[{place}].", title=source.title)
            if not _HTTPS.fullmatch(source.url):
                self._add(path, f"sources[{place}].url", f"{source.url!r} is not an https:// address")

    def _check_expectation(self, path: Path, key: str, expectation: Expectation, kind: OutcomeKind) -> None:
        if kind is OutcomeKind.RAISES and not expectation.error:
            self._add(path, f"{key}.class", "is missing; an exhibit that raises names its exception class")
        if kind is not OutcomeKind.RAISES and expectation.error:
            self._add(path, f"{key}.class", f"belongs to an exhibit that raises, and this one's kind is {kind}")
        if expectation.error and not _DOTTED.fullmatch(expectation.error):
            self._add(path, f"{key}.class", f"{expectation.error!r} is not the dotted name of a class")
        if expectation.error.startswith("builtins."):
            self._add(path, f"{key}.class", f"write {expectation.error.removeprefix('builtins.')}, without builtins.")
        # A script that hangs, or passes, may well do so in silence; and an error without a message promises just that.
        if not expectation.says and kind not in (OutcomeKind.HANGS, OutcomeKind.PASSES, OutcomeKind.RAISES):
            self._add(path, f"{key}.says", "is empty; name a piece of text that gives the failure away")
        if kind is OutcomeKind.SILENT and not expectation.fix_prints:
            self._add(path, f"{key}.fix_prints", "is empty; a silent exhibit's fix must print the right fact")
        for name, pieces in (("says", expectation.says), ("fix_prints", expectation.fix_prints)):
            for place, piece in enumerate(pieces):
                if not piece.strip():
                    self._add(path, f"{key}.{name}[{place}]", "is blank, which any text would match")

    def _check_layout(self, path: Path, layout: LayoutFile) -> None:
        from museum.mesh.mesh import Mesh
        from museum.mesh.spec import Spec

        for key, parse, text in (("mesh", Mesh.parse, layout.mesh), ("spec", Spec.parse, layout.spec)):
            try:
                parse(text)
            except MuseumError as error:
                self._add(path, f"layout.{key}", str(error))
        if any(size < 0 for size in layout.shape):
            self._add(path, "layout.shape", "a size is below 0")

    def _check_versions(self, path: Path, facts: ExhibitFile) -> None:
        """PEP 440, https://packaging.python.org/en/latest/specifications/version-specifiers/."""
        faults = {f"jax[{place}]": fault_of_version(version) for place, version in enumerate(facts.jax)}
        faults["needs_jax"] = fault_of_specifier(facts.needs_jax)
        faults["fix_needs_jax"] = fault_of_specifier(facts.fix_needs_jax)
        for place, expectation in enumerate(facts.expect):
            faults[f"expect[{place}].jax"] = fault_of_specifier(expectation.jax)
        for key, fault in faults.items():
            if fault:
                self._add(path, key, fault)
        if any(faults.values()):
            return
        if list(facts.jax) != sort_versions(facts.jax):
            self._add(path, "jax", f"must be sorted, oldest first: {', '.join(sort_versions(facts.jax))}")
        for place, version in enumerate(facts.jax):
            if not is_within(version, facts.needs_jax):
                self._add(path, f"jax[{place}]", f"{version} is ruled out by needs_jax {facts.needs_jax}")
            elif facts.expect and not expectation_for(facts, version):
                self._add(path, f"jax[{place}]", f"no [[expect]] covers {version}")

    def _check_scripts(self, folder: Path, scripts: dict[Half, str | None], facts: ExhibitFile | None) -> None:
        if scripts[Half.FAILING] is not None and scripts[Half.FAILING] == scripts[Half.FIX]:
            self._add(folder / _SCRIPTS[Half.FIX], "", "is the same as failing.py")
        if not self._check:
            return
        about_syntax = facts is not None and any(expectation.error in _SYNTAX_ERRORS for expectation in facts.expect)
        for half, text in scripts.items():
            if text is None or (about_syntax and half is Half.FAILING):
                continue
            if fault := _fault_of_script(text):
                self._add(folder / _SCRIPTS[half], *fault)

    def _check_captures(self, path: Path, captures: tuple[Capture, ...]) -> None:
        seen: dict[tuple[str, ...], int] = {}
        for place, capture in enumerate(captures):
            key = f"capture[{place}]"
            first = seen.setdefault((capture.half, capture.jax, capture.target, capture.origin), place)
            if first != place:
                shared = f"{capture.half}, JAX {capture.jax or 'unknown'}, {capture.target}, {capture.origin}"
                self._add(path, key, f"is for the same run as capture[{first}]: {shared}")
            self._check_filled(path, f"{key}.", status=capture.status, target=capture.target)
            if capture.origin is Origin.REPORTED:
                self._check_filled(path, f"{key}.", source=capture.source)
                continue
            self._check_filled(path, f"{key}.", jax=capture.jax, python=capture.python, platform=capture.platform)
            if capture.target and (fault := _fault_of_target(capture.target)):
                self._add(path, f"{key}.target", fault)
            if self._check and capture.jax and (fault := fault_of_version(capture.jax)):
                self._add(path, f"{key}.jax", fault)

    # -- files -----------------------------------------------------------------------------------------------------

    def _add(self, path: Path, key: str, text: str) -> None:
        self.problems.append(ContentProblem(path.relative_to(self._root), key, text))

    def _check_filled(self, path: Path, prefix: str = "", **texts: str) -> None:
        for key, text in texts.items():
            if not text.strip():
                self._add(path, prefix + key, "must not be empty")

    def _folders(self, parent: Path, allowed_files: set[str]) -> list[Path]:
        """Folders below `parent` by name; hidden entries and bytecode are nobody's content."""
        try:
            children = [path for path in sorted(parent.iterdir()) if path.name[0] not in "._"]
        except OSError as error:
            self._add(parent, "", f"cannot be read: {error.strerror}")
            return []
        for path in children:
            if path.name not in allowed_files and not path.is_dir():
                names = ", ".join(sorted(allowed_files)) or "folders, one a wing"
                self._add(path, "", f"unknown file; this folder holds {names}")
        return [path for path in children if path.name not in allowed_files and path.is_dir()]

    def _read(self, path: Path) -> str | None:
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            self._add(path, "", "is missing")
            return None
        except OSError as error:
            self._add(path, "", f"cannot be read: {error.strerror}")
            return None
        try:
            text = data.decode()
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            self._add(path, f"line {line}", f"byte 0x{data[error.start]:02x} is not UTF-8; save the file as UTF-8")
            return None
        if not text.strip():
            self._add(path, "", "is empty")
            return None
        return text

    def _decode(self, path: Path, file_type: type[_File]) -> _File | None:
        text = self._read(path)
        if text is None:
            return None
        try:
            return msgspec.toml.decode(text, type=file_type)
        except msgspec.DecodeError as error:
            faults = faults_of_toml(text, file_type) or [("", str(error))]
        for key, fault in faults:
            self._add(path, key, fault)
        return None


@lru_cache
def _fault_of_target(text: str) -> str:
    try:
        Target.parse(text)
    except MuseumError as error:
        return str(error)
    return ""


def _fault_of_script(text: str) -> tuple[str, str] | None:
    """Key and words of what keeps a text from being Python; nothing is executed."""
    import warnings

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(text, "script", "exec", dont_inherit=True)
    except SyntaxError as error:
        return (f"line {error.lineno}" if error.lineno else ""), f"is not Python: {error.msg}"
    except ValueError as error:
        return "", f"is not Python: {error}"
    except (MemoryError, RecursionError):
        return "", "is nested too deeply for Python"
    return None
