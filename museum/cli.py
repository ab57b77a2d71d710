"""The commands of ``xla-museum`` besides the window: thin, each calls the core and prints.

Exit codes: 0 fine, 1 the answer is bad news, 2 wrong use. Objects printed with ``--json`` are described in the README.
"""

import argparse
import asyncio
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from museum.cli_bench import add_commands
from museum.errors import MuseumError

if TYPE_CHECKING:
    from museum.catalog import Catalog
    from museum.lab.environments import Environment
    from museum.lab.outcome import RunOutcome
    from museum.lab.target import Target
    from museum.mesh.document import StudioArray
    from museum.mesh.picture import Picture

FINE, BAD_NEWS, WRONG_USE, INTERRUPTED = 0, 1, 2, 130


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """One clear line instead of a page of usage."""
        raise MuseumError(f"{message}; see {self.prog} --help")


def parser() -> argparse.ArgumentParser:
    """Everything that may stand on the command line."""
    top = _Parser(prog="xla-museum", description="The errors that JAX users meet where sharding meets the compiler.")
    top.add_argument("--exhibit", metavar="ID", help="open the window at this exhibit, for example xla/unknown-axis")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", parser_class=_Parser)

    def command(name: str, does: Callable[[argparse.Namespace], int], text: str) -> argparse.ArgumentParser:
        one = commands.add_parser(name, help=text, description=text)
        one.set_defaults(does=does)
        one.add_argument("--json", action="store_true", help="print one JSON object")
        return one

    one = command("list", _list, "the collection")
    one.add_argument("--wing", metavar="W", help="only this wing")
    one = command("show", _show, "one exhibit as text")
    one.add_argument("id", metavar="ID")
    one = command("run", _run, "run a script in the lab")
    one.add_argument("file", metavar="FILE", type=Path)
    one.add_argument("--devices", type=int, metavar="N", help="fake CPU devices (default 8)")
    one.add_argument("--processes", type=int, metavar="P", help="processes of N devices, joined by jax.distributed")
    one.add_argument("--target", metavar="T", help="cpu:8, cpu:2x4, local or tpu-compile")
    one.add_argument("--jax", metavar="V", help="JAX version (default: the museum's own)")
    one.add_argument("--timeout", type=float, metavar="S", help="seconds until the run is ended (default 120)")
    one = command("verify", _verify, "run failing and fix, and print verdicts")
    one.add_argument("ids", metavar="ID", nargs="*", help="exhibits (default: all)")
    one.add_argument(
        "--jax", metavar="V", action="append", help="JAX version; may be repeated (default: the museum's own)"
    )
    one.add_argument("--record", action="store_true", help="write what good runs printed into the exhibits' captures")
    one.add_argument("--resume", action="store_true", help="go on where an interrupted verify stopped")
    one = command("explain", _explain, "name a pasted error, its place in JAX and its exhibits")
    one.add_argument(
        "file", metavar="FILE", nargs="?", default="-", help="a log or traceback (default: standard input)"
    )
    one.add_argument(
        "--jax",
        metavar="V",
        default="",
        help="the JAX version that it came from (default: what it says, or the newest)",
    )
    one.add_argument("--jsonl", metavar="FILE", help='many at once: one {"text": ...} a line, one answer a line')
    one = command("new", _new, "a new exhibit from a script that fails")
    one.add_argument("id", metavar="WING/SLUG")
    one.add_argument("file", metavar="FILE", type=Path)
    one.add_argument("--target", metavar="T", help="cpu:8, cpu:2x4, local or tpu-compile (default cpu:8)")
    one.add_argument("--jax", metavar="V", help="JAX version (default: the museum's own)")
    one.add_argument("--timeout", type=float, metavar="S", help="seconds after which it counts as hanging (default 30)")
    one.add_argument("--into", metavar="DIR", type=Path, help="the folder that holds the wings (default: this museum)")
    one = command("mesh", _mesh, "draw who holds what: a mesh, arrays, their specs")
    one.add_argument("--mesh", metavar="M", required=True, help="data=4,model=2, or data=4:explicit,model=2")
    one.add_argument("--shape", metavar="S", action="append", help="16,16; may be repeated for several arrays")
    one.add_argument(
        "--spec", metavar="P", action="append", help="data,model or -,data+model or P('data'), one a shape"
    )
    one.add_argument(
        "--dtype", metavar="D", action="append", help="float32 (default), bfloat16, ...: one for all or each"
    )
    one.add_argument("--topology", metavar="T", help="the machine: v5p:4x4x4, 2x v5e:4x4, h100:16, devices:64")
    one.add_argument("--jax", metavar="V", help="JAX version to write code for, or any (default: the newest known)")
    shown = one.add_mutually_exclusive_group()
    shown.add_argument("--png", metavar="F", type=Path, help="write a picture to a file, - for standard output")
    shown.add_argument("--svg", metavar="F", type=Path, help="write an SVG picture to a file, - for standard output")
    shown.add_argument("--code", action="store_true", help="print it as Python that runs")
    add_commands(command, _Parser)
    one = command("env", _env_list, "the environments: list, add, remove")
    kinds = one.add_subparsers(dest="env_command", metavar="list|add|remove", parser_class=_Parser)
    kinds.add_parser("list", help="what is at hand")
    add = kinds.add_parser("add", help="build an environment for a JAX version")
    add.set_defaults(does=_env_add)
    add.add_argument("version", metavar="JAX_VERSION", help="or the path of a Python or venv that has JAX")
    add.add_argument("--tpu", action="store_true", help="with libtpu, Google's TPU compiler (its own licence terms)")
    gone = kinds.add_parser("remove", help="delete an environment that the museum built")
    gone.set_defaults(does=_env_remove)
    gone.add_argument("name", metavar="NAME")
    for kind in kinds.choices.values():
        # Without a default of its own: it would undo an `env --json list`.
        kind.add_argument("--json", action="store_true", default=argparse.SUPPRESS, help="print one JSON object")
    return top


def main(
    arguments: Sequence[str],
    open_window: Callable[[str], int],
    paint: "Callable[[Picture], bytes] | None" = None,
) -> int:
    """Run one command.

    Args:
        arguments: Without the program's name.
        open_window: Opens the window at an exhibit, or where the visitor left; called when no command is named.
        paint: Makes a PNG of a picture, which takes a library that the core does without.

    Returns:
        The exit code.
    """
    try:
        options = parser().parse_args(_with_values(arguments))
        if options.command is None:
            if options.exhibit is not None:
                _check_place(options.exhibit)
            return open_window(options.exhibit or "")
        options.paint = paint
        does: Callable[[argparse.Namespace], int] = options.does
        return does(options)
    except MuseumError as error:
        print(f"xla-museum: {error}", file=sys.stderr)
        return WRONG_USE
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # the reader has seen enough
        sys.stdout = None
        return FINE


def _check_place(place: str) -> None:
    """Refuse what is nowhere, before a window opens; the collection is read only to say what is near.

    Raises:
        MuseumError: There is no such exhibit or wing.
    """
    import exhibits

    file = Path(exhibits.__file__).parent / "wings" / place / ("exhibit.toml" if "/" in place else "wing.toml")
    if place.startswith("mine/") or file.is_file():  # the visitor's own wing is not of the collection
        return
    from museum.catalog import load_catalog

    catalog = load_catalog(check=False)
    if "/" in place or any(exhibit.id.endswith(f"/{place}") for exhibit in catalog.exhibits):
        catalog.exhibit(place)
    else:
        catalog.wing(place)


def _with_values(arguments: Sequence[str]) -> list[str]:
    """Join ``--spec`` to its value: argparse takes one that begins with ``-``, an uncut dimension, for an option."""
    joined: list[str] = []
    for argument in arguments:
        if joined and joined[-1] == "--spec" and argument[:2] != "--":
            joined[-1] += f"={argument}"
        else:
            joined.append(argument)
    return joined


def _say(text: str) -> None:
    print(f"xla-museum: {text}", file=sys.stderr, flush=True)


def _print_json(value: object) -> None:
    print(json.dumps(value, ensure_ascii=False))


def _catalog(ids: Sequence[str] = ()) -> "Catalog":
    """The collection, with the visitor's own wing where one of the ids is of it."""
    from museum.catalog import load_catalog
    from museum.mine import is_mine, load_mine, with_mine

    catalog = load_catalog()
    if any(map(is_mine, ids)):
        catalog = with_mine(catalog, load_mine())
    for problem in catalog.problems:
        _say(str(problem))
    return catalog


def _list(options: argparse.Namespace) -> int:
    from museum.showing import list_json, list_text

    catalog = _catalog()
    if options.json:
        _print_json(list_json(catalog, options.wing or ""))
    else:
        print(list_text(catalog, options.wing or ""))
    return FINE


def _show(options: argparse.Namespace) -> int:
    from museum.showing import list_entry, show_text

    exhibit = _catalog([options.id]).exhibit(options.id)
    if options.json:
        _print_json(list_entry(exhibit))
    else:
        print(show_text(exhibit))
    return FINE


def _target(options: argparse.Namespace) -> "Target":
    """What the command line says, else what the script's header asks for, else eight fake devices."""
    from museum.lab.header import wanted_target
    from museum.lab.target import Target

    chosen = None
    if (options.target, options.devices, options.processes) != (None, None, None):
        chosen = Target.parse(_target_text(options))
    try:
        wanted = wanted_target(options.file.read_text("utf-8", "replace"))
    except MuseumError as error:
        raise MuseumError(f"{options.file}: {error}") from error
    if chosen and wanted and chosen != wanted:
        _say(f"the script asks for {wanted}; it runs on {chosen}, as you chose")
    return chosen or wanted or Target.cpu(8)


def _target_text(options: argparse.Namespace) -> str:
    if options.target:
        if options.devices is not None or options.processes is not None:
            raise MuseumError("give either --target or --devices and --processes")
        return str(options.target)
    devices = 8 if options.devices is None else options.devices
    return f"cpu:{devices}" if options.processes is None else f"cpu:{options.processes}x{devices}"


def _check_run(options: argparse.Namespace) -> None:
    from museum.catalog import sort_versions

    sort_versions([options.jax] if options.jax else [])  # says what is no version
    if options.file.is_dir():
        raise MuseumError(f"{options.file}: is a directory, not a script")
    if not options.file.is_file():
        raise MuseumError(f"{options.file}: no such file")
    if options.timeout is not None and not options.timeout > 0:
        raise MuseumError("--timeout: seconds must be more than 0")


def _new(options: argparse.Namespace) -> int:
    from museum.catalog import collection_root, load_catalog
    from museum.lab.lab import Lab
    from museum.lab.runner import Limits, RunRequest
    from museum.lab.target import Target
    from museum.scaffold import scaffold

    _check_run(options)
    try:
        script = options.file.read_bytes().decode()
    except UnicodeDecodeError:
        raise MuseumError(f"{options.file}: is not UTF-8; save the script as UTF-8") from None
    target = Target.parse(options.target or "cpu:8")

    async def work() -> "tuple[RunOutcome, str]":
        environment = await _environment(options.jax, target)
        lab = Lab(spares=0)
        try:
            limits = Limits(seconds=options.timeout or 30)
            return await lab.run(RunRequest(script, environment, target, limits=limits)), environment.jax
        finally:
            await lab.close()

    outcome, jax = asyncio.run(work())
    root = options.into or collection_root()
    folder = scaffold(options.id, script, outcome, jax, root)
    left = [str(problem) for problem in load_catalog(root).problems if folder.name in problem.file.parts]
    if options.json:
        _print_json({"exhibit": options.id, "folder": str(folder), "outcome": str(outcome), "left": left})
    else:
        print(f"{folder}\nit did: {outcome}\nleft to write:")
        print("\n".join(f"- {line}" for line in left))
        print(f"then: xla-museum verify {options.id} --jax {jax} --record")
    return FINE


def _explain(options: argparse.Namespace) -> int:
    from museum.catalog import load_catalog
    from museum.diagnosis.command import prepared, read_lines, read_text, with_versions
    from museum.diagnosis.textual import as_text

    if options.jsonl and options.file != "-":
        raise MuseumError("give either FILE or --jsonl FILE")
    catalog = load_catalog(check=False)

    async def work() -> None:
        if not options.jsonl:
            text = read_text(options.file)
            diagnosis = await prepared(catalog, options.jax, _say)
            answer = diagnosis.explain(text, options.jax)
            if options.json:
                _print_json(answer.as_json())
            else:
                print(as_text(answer), end="")
            return
        lines = list(read_lines(options.jsonl))
        diagnosis = await prepared(catalog, options.jax, _say)
        await with_versions(diagnosis, {jax for _, jax in lines}, _say)
        for text, jax in lines:
            _print_json(diagnosis.explain(text, jax or options.jax).as_json())

    asyncio.run(work())
    return FINE


def _run(options: argparse.Namespace) -> int:
    from museum.lab.lab import Lab
    from museum.lab.outcome import RunStatus
    from museum.lab.runner import Limits, Progress, RunRequest

    _check_run(options)
    target = _target(options)
    limits = Limits() if options.timeout is None else Limits(seconds=options.timeout)

    def pass_on(progress: Progress) -> None:
        if progress.block and not options.json:
            stream = sys.stdout if progress.stream == "stdout" else sys.stderr
            stream.flush()
            stream.buffer.write(progress.block)
            stream.buffer.flush()

    async def work() -> "RunOutcome":
        environment = await _environment(options.jax, target)
        lab = Lab(spares=0)
        try:
            return await lab.run(RunRequest(options.file, environment, target, limits=limits), pass_on)
        finally:
            await lab.close()

    outcome = asyncio.run(work())
    if options.json:
        _print_json(outcome.as_json())
    elif outcome.detail or outcome.status not in (RunStatus.OK, RunStatus.FAILED):
        _say(f"{outcome.status}: {outcome.detail}" if outcome.detail else str(outcome.status))
    if outcome.status is RunStatus.NOT_STARTED:
        return WRONG_USE
    return BAD_NEWS if outcome.failed else FINE


async def _environment(jax: str | None, target: "Target") -> "Environment":
    from museum.lab.environments import discover
    from museum.lab.verify import choose

    environments = await discover()
    wanted = jax or environments[0].jax
    found = choose(environments, wanted, target)
    if found is None:
        raise MuseumError(f"no environment with JAX {wanted} here; make one with: xla-museum env add {wanted}")
    return found


def _verify(options: argparse.Namespace) -> int:
    from museum.catalog import sort_versions
    from museum.lab.verify import Result, Verdict, counts
    from museum.mine import load_mine
    from museum.strip import matrix

    sort_versions(options.jax or [])  # says what is no version
    catalog = _catalog(options.ids)
    exhibits = [catalog.exhibit(name) for name in options.ids] or list(catalog.exhibits)
    load_mine().refuse_untrusted(exhibits)
    done = 0

    def follow(result: Result, total: int) -> None:
        nonlocal done
        done += 1
        job = result.job
        if options.json:
            _say(f"{done}/{total}: {job.exhibit.id} {job.half} on JAX {job.jax}: {result.judged.verdict}")
        else:
            name = f"{job.exhibit.id} {job.half}"
            detail = f"  {result.judged.detail}" if result.judged.detail else ""
            print(f"{job.jax:9} {job.target!s:12} {name:58} {result.judged.verdict}{detail}", flush=True)

    results = asyncio.run(_verified(exhibits, options, follow))
    if options.record:
        _record(results)
    if options.json:
        _print_json({"results": [result.as_json() for result in results], "counts": counts(results)})
    else:
        if len({result.job.jax for result in results}) > 1:
            print(f"\n{matrix(results)}\n")
        print(", ".join(f"{number} {verdict}" for verdict, number in counts(results).items()))
    bad = catalog.problems or not all(Verdict(result.judged.verdict).good for result in results)
    return BAD_NEWS if bad else FINE


async def _verified(exhibits: list[Any], options: argparse.Namespace, follow: Callable[[Any, int], None]) -> list[Any]:
    from museum.lab.building import add, name_for
    from museum.lab.environments import discover, managed
    from museum.lab.lab import Lab
    from museum.lab.ledger import Ledger
    from museum.lab.verify import WORKERS, Result, plan, verify

    environments = await discover()
    obstacles = dict.fromkeys(options.jax or [environments[0].jax], "")
    for version in obstacles:
        if not any(environment.jax == version for environment in environments):
            _say(f"no environment with JAX {version} yet; making {name_for(version, tpu=False)}")
            try:
                await add(version)
            except MuseumError as error:
                obstacles[version] = str(error)
    environments = [*environments, *(one for one in managed() if one not in environments)]
    jobs = plan(exhibits, environments, obstacles)
    ledger = Ledger()
    if options.resume:
        ledger.load()
    else:
        ledger.start_anew()
    done = {job: result for job in jobs if (result := ledger.known(job)) is not None}
    for result in done.values():
        follow(result, len(jobs))

    def note(result: Result) -> None:
        ledger.note(result)
        follow(result, len(jobs))

    lab = Lab(spares=0, nurseries=WORKERS)
    try:
        rest = [job for job in jobs if job not in done]
        done |= {one.job: one for one in await verify(rest, lab, note, against_capture=not options.record)}
    finally:
        await lab.close()
    return [done[job] for job in jobs]


def _record(results: list[Any]) -> None:
    from museum.catalog import collection_root
    from museum.lab.recording import record
    from museum.mine import is_mine, my_root

    exhibits = {result.job.exhibit.id: result.job.exhibit for result in results}
    for name, exhibit in exhibits.items():
        if record(exhibit, results, my_root() if is_mine(name) else collection_root()):
            _say(f"{name}: captures written")


def _mesh(options: argparse.Namespace) -> int:
    from museum.mesh.answer import as_json, physical_words
    from museum.mesh.code import as_code
    from museum.mesh.document import StudioDocument, memory
    from museum.mesh.picture import Shown, compose
    from museum.mesh.textual import as_text, mesh_lines
    from museum.mesh.torus import NEWEST_JAX

    if sum((options.json, options.code, options.svg is not None, options.png is not None)) > 1:
        raise MuseumError("give one of --json, --code, --svg and --png")
    document = StudioDocument.of(options.mesh, _mesh_arrays(options), options.topology or "")
    pairs = list(zip(document.arrays, document.layouts, strict=True))
    shown = [Shown(layout, array.name if len(pairs) > 1 else "", array.dtype) for array, layout in pairs]
    if options.json:
        _print_json(as_json(document))
    elif options.code:
        print(as_code(document, options.jax or NEWEST_JAX), end="")
    elif options.svg is not None or options.png is not None:
        if not shown:
            raise MuseumError(f"{'--svg' if options.svg else '--png'} needs an array: give --shape")
        _write_picture(options, compose(shown))
    else:
        print(as_text(shown) if shown else "\n".join((*mesh_lines(document.mesh), "")), end="")
        about = [f"✗ {document.problem}"] if document.problem and not shown else []
        about += [*physical_words(document), *([str(memory(document))] if document.topology and shown else [])]
        if about:
            print("", *about, sep="\n")
    return BAD_NEWS if document.problem or any(layout.problems for _, layout in pairs) else FINE


def _mesh_arrays(options: argparse.Namespace) -> "list[StudioArray]":
    from museum.mesh.document import StudioArray
    from museum.mesh.dtypes import parse_dtype
    from museum.mesh.layout import parse_shape
    from museum.mesh.spec import Spec

    shapes, specs, dtypes = options.shape or [], options.spec or [], options.dtype or ["float32"]
    if specs and len(specs) != len(shapes):
        raise MuseumError(
            f"--shape is given {len(shapes)} and --spec {len(specs)} times: give one of each for an array"
        )
    if len(dtypes) not in (1, len(shapes)):
        raise MuseumError(f"--dtype is given {len(dtypes)} times: give one for all arrays or one for each")
    rows = zip(shapes, specs or [""] * len(shapes), dtypes * len(shapes), strict=False)
    return [
        StudioArray(f"array{number}", parse_shape(shape), parse_dtype(dtype), Spec.parse(spec))
        for number, (shape, spec, dtype) in enumerate(rows)
    ]


def _write_picture(options: argparse.Namespace, picture: "Picture") -> None:
    from museum.mesh.svg import svg

    file: Path = options.svg or options.png
    if options.svg is not None:
        content = svg(picture).encode()
    elif options.paint is None:
        raise MuseumError("--png is painted by the window's part of the museum, which is not there; take --svg")
    else:
        content = options.paint(picture)
    if str(file) == "-":
        sys.stdout.flush()
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
        return
    try:
        file.write_bytes(content)
    except OSError as failure:
        raise MuseumError(f"{file} cannot be written: {failure.strerror}") from failure


def _env_list(options: argparse.Namespace) -> int:
    from museum.lab.environments import discover

    environments = asyncio.run(discover())
    if options.json:
        _print_json({"environments": [_environment_json(environment) for environment in environments]})
    else:
        for environment in environments:
            print(environment)
    return FINE


def _environment_json(environment: "Environment") -> dict[str, object]:
    names = ("name", "kind", "python", "python_version", "jax", "jaxlib", "libtpu")
    return {name: str(getattr(environment, name)) for name in names} | {"targets": list(environment.targets)}


def _env_add(options: argparse.Namespace) -> int:
    from museum.lab.building import add
    from museum.lab.environments import name_python

    if "/" in options.version or Path(options.version).is_dir():
        environment = asyncio.run(name_python(Path(options.version)))
    else:
        environment = asyncio.run(add(options.version, tpu=options.tpu, say=_say))
    if options.json:
        _print_json(_environment_json(environment))
    else:
        print(environment)
    return FINE


def _env_remove(options: argparse.Namespace) -> int:
    from museum.lab.building import remove

    remove(options.name)
    if options.json:
        _print_json({"removed": options.name})
    return FINE
