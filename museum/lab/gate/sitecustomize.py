"""The gate: a start-up hook inside the real ``python snippet.py``, standard library only, Python 3.10 syntax.

The lab puts this folder first on PYTHONPATH, so that CPython imports the hook while it starts, before it has even
looked for the script. The hook hides every trace of itself, imports JAX where it was asked to, and waits for the gate
to open. Then it returns, and CPython runs the script as ``__main__`` itself: no frame, no wrapper of ours is there.

At the script's end, before JAX shuts down, the hook tells the lab what was raised and which meshes and arrays are
alive, on a descriptor of its own. The messages are listed in `museum.lab.protocol`.

Until the gate is open nothing is imported that plain Python has not loaded by now, unless a warm start was asked for:
then JAX is imported, or even its backend started and one tiny program run. As a *nursery* it never goes on itself but
forks processes that do. For the same reason the orders to the gate are words divided by NUL, not JSON.
"""

import os
import sys

VARIABLE = "XLA_MUSEUM_GATE"
MOST_VALUES = 64  # meshes and arrays reported from one run
MOST_LOOKED_AT = 2000  # objects looked at in the visitor's variables
DEEPEST = 4  # containers within containers


def main():
    """Hide, wait at the gate, leave a report for the end."""
    settings = os.environ.pop(VARIABLE, None)
    if settings is None:
        return  # not ours: a child of the snippet that was given our path by hand
    report_to, orders_from, warmth, hidden, hook, python_path = settings.split(os.pathsep, 5)
    vanish(hook, python_path)
    report = Report(int(report_to))
    report.hello()
    if warmth != "plain":
        report.stage("importing")
        warm_up(start_backend=warmth == "backend")
    for name in filter(None, hidden.split(",")):
        os.environ.pop(name, None)  # JAX has read them
    report.stage("ready")
    if warmth == "nursery":
        report_to, orders_from = nurse(report, int(orders_from), os.path.join(os.path.dirname(hook), "keeper.py"))
        report = Report(report_to)
        report.hello()
        report.stage("ready")
    wait_for_opening(int(orders_from))
    if sys.stdout is not None:
        # As at a terminal: a line shows when it is printed, and is not lost when the run is stopped.
        sys.stdout.reconfigure(line_buffering=True)
    report.stage("running")
    report.promise()


def warm_up(start_backend):
    """Import JAX and, where asked for, start the backend and run one tiny program."""
    try:
        import jax  # noqa: TID251 - this process is the snippet's, not the museum's

        if start_backend:
            jax.numpy.ones(1).block_until_ready()
    except Exception:
        pass  # the snippet's own import fails in the same way, where the visitor can see it


def nurse(report, line, keeper_file):
    """Bear one process after the other, each in the state of this one; return in each of them, ready for its gate.

    JAX is imported and no backend is up: nothing runs here but this thread, so that a fork is whole. Each birth makes
    the same family as `keeper.py`: a keeper, below it the guard, below that the process. The museum sends a byte on
    the socket `line` with seven descriptors: the keeper's stdin and stdout, the process's stdin, stdout, stderr,
    report and orders. The next birth waits until the keeper is gone.

    Returns:
        In a new process: descriptors of its report and of its orders.
    """
    import socket  # these are loaded with JAX, so that the process bears no trace of them

    museum = socket.socket(fileno=line)
    while True:
        byte, family, _, _ = socket.recv_fds(museum, 1, 8)
        if not byte:
            os._exit(0)
        keeper = os.fork()
        if keeper == 0:
            museum.close()
            os.close(report.descriptor)
            found = be_keeper(family, keeper_file)
            reseed()
            return found
        for number in family:
            os.close(number)
        os.waitpid(keeper, 0)


def be_keeper(family, keeper_file):
    """In the keeper's process: fork the guard, and it the run; then keep. Returns in the run's process alone."""
    orders_in, answers_out, stdin, stdout, stderr, report, orders = family
    import ctypes

    prctl = getattr(ctypes.CDLL(None), "prctl", None)  # Linux alone has it
    if prctl:
        prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER, before there is a child
    guard_read, guard_write = os.pipe()
    guard = os.fork()
    if guard == 0:
        for number in (orders_in, answers_out, guard_read):
            os.close(number)
        run = os.fork()
        if run == 0:
            os.close(guard_write)
            os.setsid()
            if prctl:
                prctl(1, 9, 0, 0, 0)  # PR_SET_PDEATHSIG
            for place, number in enumerate((stdin, stdout, stderr)):
                os.dup2(number, place)
                os.close(number)
            return report, orders
        os.write(guard_write, b"%8d" % run)
        for number in (0, 1, 2, stdin, stdout, stderr, report, orders):
            os.close(number)
        status = os.waitpid(run, 0)[1]
        os.write(guard_write, b"%8d" % os.waitstatus_to_exitcode(status))
        os._exit(0)
    os.close(guard_write)
    for number in (stdin, stdout, stderr, report, orders):
        os.close(number)
    os.dup2(orders_in, 0)
    os.dup2(answers_out, 1)
    for number in (orders_in, answers_out):
        os.close(number)
    keeping = {"__name__": "keeper"}
    try:
        with open(keeper_file, encoding="utf-8") as file:
            exec(compile(file.read(), keeper_file, "exec"), keeping)  # noqa: S102 - our own file, as if run by path
        keeper = keeping["Keeper"]()
        keeper.adopt(guard, guard_read)
        keeper.keep()
    finally:
        os._exit(0)


def reseed():
    """Give the new process random numbers of its own; Python's `random` sees to itself."""
    numpy_random = sys.modules.get("numpy.random")
    if numpy_random is not None:
        numpy_random.seed()


def vanish(hook, python_path):
    """Take this hook out of the visitor's sight and run the site customisation that it stood in front of."""
    if python_path == "-":
        os.environ.pop("PYTHONPATH", None)
    else:
        os.environ["PYTHONPATH"] = python_path[1:]
    sys.path[:] = [entry for entry in sys.path if entry != hook]
    sys.path_importer_cache.pop(hook, None)
    ours = sys.modules.pop(__name__, None)
    try:
        import sitecustomize  # noqa: F401 - the visitor's own, if there is one
    except ImportError as error:
        if error.name != "sitecustomize":
            raise
        sys.modules[__name__] = ours  # main's caller takes it out again


def wait_for_opening(orders_from):
    """Read orders until "go" and obey them; end when the lab is gone.

    ``set NAME=VALUE`` and ``unset NAME`` change the environment, ``argument TEXT`` adds to `sys.argv`,
    ``join ADDRESS COUNT NUMBER`` makes this process number NUMBER of COUNT that `jax.distributed` joins.
    """
    received = b""
    while not received.endswith(b"go\0"):
        block = os.read(orders_from, 65536)
        if not block:
            os._exit(0)
        received += block
    os.close(orders_from)
    for word in received.split(b"\0"):
        order, _, rest = os.fsdecode(word).partition(" ")
        if order == "set":
            name, _, value = rest.partition("=")
            os.environ[name] = value
        elif order == "unset":
            os.environ.pop(rest, None)
        elif order == "argument":
            sys.argv.append(rest)
        elif order == "join":
            join(*rest.split(" "))


def at_exit(callback):
    """Register a callback and leave `atexit` unloaded if it was."""
    known = "atexit" in sys.modules
    import atexit

    atexit.register(callback)
    if not known:
        del sys.modules["atexit"]


def join(address, count, number):
    """Make this process one of several before the script begins; what goes wrong is the script's to see."""
    try:
        import jax  # noqa: TID251

        try:
            jax.config.update("jax_cpu_collectives_implementation", "gloo")  # 0.4.38 does not read the variable
        except AttributeError:
            pass  # a JAX without the setting
        jax.distributed.initialize(address, int(count), int(number))
    except Exception:
        sys.excepthook(*sys.exc_info())
        os._exit(1)


class Report:
    """What the lab hears of a run besides its output."""

    def __init__(self, descriptor):
        """Keep the descriptor out of the snippet's children and note what already exists."""
        self.descriptor = descriptor
        self.process = os.getpid()
        self.script = os.path.abspath(sys.argv[0]) if sys.argv else ""
        self.done = False
        os.set_inheritable(descriptor, False)

    def hello(self):
        """Say who speaks."""
        self.send('{"kind": "hello", "protocol": 1, "python": "%s"}' % sys.version.split()[0])

    def send(self, line):
        """Write one line whole; the snippet must never notice when that fails."""
        data = memoryview(line.encode("utf-8", "backslashreplace") + b"\n")
        try:
            while data:
                data = data[os.write(self.descriptor, data) :]
        except OSError:
            pass

    def stage(self, name):
        """Say which stage begins now."""
        import time

        self.send('{"kind": "stage", "stage": "%s", "at": %r}' % (name, time.monotonic()))

    def promise(self):
        """Arrange that the report is made when the script's last line is done.

        CPython runs the callbacks of `threading._register_atexit` before the snippet's own atexit handlers and
        before JAX's, which takes the backends down. The module is not loaded yet in a run that starts plain, and
        must not be: then it is done when JAX is imported. A script without JAX is reported by the last atexit.
        """
        if "threading" in sys.modules:
            sys.modules["threading"]._register_atexit(self.make)
        else:
            sys.meta_path.insert(0, AtImportOfJax(self))
        at_exit(self.make)

    def make(self):
        """Send the report, once, and only from the process that is the run."""
        if self.done or os.getpid() != self.process:
            return
        self.done = True
        try:
            encode = json_encoder()
            self.stage("finished")
            error = getattr(sys, "last_exc", None) or getattr(sys, "last_value", None)
            frame = None
            if isinstance(error, BaseException):
                described, frame = describe_exception(error, self.script)
                self.send(encode(described))
            if "jax" in sys.modules and hasattr(sys.modules["jax"], "Array"):
                self.send(encode(describe_versions()))
                for value in describe_values(frame):
                    self.send(encode(value))
            self.send('{"kind": "reported", "threads": %d}' % waited_for())
        except BaseException as error:  # a run is never spoilt by its report
            self.send('{"kind": "report failed", "reason": "%s"}' % type(error).__name__)


def waited_for():
    """How many threads CPython will wait for before it exits."""
    threading = sys.modules.get("threading")
    return sum(not thread.daemon for thread in threading.enumerate()) - 1 if threading else 0


def json_encoder():
    """What `json.dumps` is made of, without its module.

    The import of `json` leads to an eval of a text (in `collections.namedtuple`), and with that CPython forgets that
    the script was ended by KeyboardInterrupt: it would exit with 1 and not by SIGINT.
    """
    import _json

    chunks = _json.make_encoder(None, None, _json.encode_basestring_ascii, None, ": ", ", ", False, False, True)
    return lambda value: "".join(chunks(value, 0))


class AtImportOfJax:
    """A finder that finds nothing: it hears of the import of JAX, does its errand and is gone."""

    def __init__(self, report):
        """The report to promise."""
        self.report = report

    def find_spec(self, name, path=None, target=None):
        """Called by the import system for each module that is not loaded."""
        if name == "jax":
            sys.meta_path.remove(self)
            import threading

            threading._register_atexit(self.report.make)


def class_name(cls):
    """A class as a traceback names it."""
    name = cls.__qualname__
    return name if cls.__module__ in ("builtins", "__main__") else cls.__module__ + "." + name


def printable(text):
    """A text as stderr shows it: a lone surrogate, which no JSON parser of the museum takes, is spelt out."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def walk(traceback, script):
    """The frames of a traceback, outermost first, and the innermost step of it in the visitor's own code."""
    frames, own = [], None
    while traceback is not None:
        code = traceback.tb_frame.f_code
        in_script = code.co_filename == script
        frame = {"file": printable(code.co_filename), "line": traceback.tb_lineno}
        frame.update(function=printable(code.co_name), own=in_script)
        frames.append(frame)
        own = traceback if in_script else own
        traceback = traceback.tb_next
    return frames, own


def describe_exception(error, script):
    """The uncaught exception as a message, and the innermost frame of the visitor's own code."""
    frames, own = walk(error.__traceback__, script)
    blamed = own.tb_lineno if own else 0
    if isinstance(error, SyntaxError) and error.filename == script:
        frames.append({"file": printable(script), "line": error.lineno or 0, "function": "<module>", "own": True})
        blamed = error.lineno or 0
    cause = error.__cause__
    if cause is not None and type(cause).__name__ == "JaxStackTraceBeforeTransformation":
        # JAX failed while it lowered or transformed an operation: what the visitor wrote stands in the cause.
        operation = walk(cause.__traceback__, script)[1]
        blamed = operation.tb_lineno if operation else blamed
    try:
        message = printable(str(error))
    except Exception:
        message = "<its str() failed>"
    try:
        notes = [printable(str(note)) for note in getattr(error, "__notes__", ())]
    except Exception:  # anything may stand there
        notes = []
    return {
        "kind": "exception",
        "class": printable(class_name(type(error))),
        "message": message,
        "frames": frames,
        "notes": notes,
        "blamed": blamed,
    }, own.tb_frame if own else None


def describe_versions():
    """JAX's versions, and the devices if a backend was started (it is not started for this)."""
    jax, jaxlib = sys.modules["jax"], sys.modules.get("jaxlib")
    described = {"kind": "versions", "jax": jax.__version__, "jaxlib": getattr(jaxlib, "__version__", ""), "devices": 0}
    described["platform"] = ""
    bridge = sys.modules.get("jax._src.xla_bridge")
    if bridge is not None and getattr(bridge, "_backends", None):
        devices = jax.devices()
        described.update(devices=len(devices), platform=devices[0].device_kind if devices else "")
    return described


def describe_values(frame):
    """Messages for the meshes and arrays in the visitor's variables.

    Args:
        frame: Innermost frame of the visitor's own code when the script failed, else None.
    """
    outer = getattr(sys.modules.get("__main__"), "__dict__", {})
    scopes = [outer] if frame is None or frame.f_locals is outer else [frame.f_locals, outer]
    search = Search()
    for scope in scopes:
        for name, value in list(scope.items()):
            if not name.startswith("__"):
                search.look(name, value)
    return search.found


class Search:
    """Finds meshes and arrays in variables and in the plain containers that they hold."""

    def __init__(self):
        """Nothing found yet."""
        jax = sys.modules["jax"]
        self.arrays = (jax.Array, jax.ShapeDtypeStruct)
        self.mesh = jax.sharding.Mesh
        self.meshes = (jax.sharding.Mesh, getattr(jax.sharding, "AbstractMesh", jax.sharding.Mesh))
        self.found = []
        self.known_meshes = []
        self.seen = set()

    def look(self, name, value, depth=0):
        """Note `value` if it is of interest, or look inside; one odd value must not hide the others."""
        if len(self.found) >= MOST_VALUES or len(self.seen) >= MOST_LOOKED_AT or id(value) in self.seen:
            return
        self.seen.add(id(value))
        try:
            if isinstance(value, self.meshes):
                self.add_mesh(name, value)
            elif isinstance(value, self.arrays):
                self.found.append(describe_array(name, value))
                mesh = getattr(getattr(value, "sharding", None), "mesh", None)
                if isinstance(mesh, self.mesh):
                    self.add_mesh(name + ".sharding.mesh", mesh)
            elif depth < DEEPEST:
                for step, item in self.inside(value):
                    self.look(name + step, item, depth + 1)
        except Exception:
            pass

    def add_mesh(self, name, mesh):
        """Note a mesh under the first name that it was found by."""
        if not mesh.empty and not any(mesh is other or mesh == other for other in self.known_meshes):
            self.known_meshes.append(mesh)
            self.found.append(describe_mesh(name, mesh))

    @staticmethod
    def inside(value):
        """The items of a plain container, each with the text that leads to it."""
        if type(value) is dict:
            return [("[%r]" % (key,), item) for key, item in value.items()]
        if type(value) in (list, tuple):
            return [("[%d]" % place, item) for place, item in enumerate(value)]
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return [("." + field, item) for field, item in zip(value._fields, value)]
        return []


def describe_mesh(name, mesh):
    """A mesh as a message: axes in order with their sizes and types, device ids row by row."""
    names = [str(axis) for axis in mesh.axis_names]
    types = getattr(mesh, "axis_types", None)
    if not isinstance(types, tuple) or len(types) != len(names):
        types = ["Auto"] * len(names)  # before axis types were a tuple all axes were automatic
    types = [getattr(kind, "name", str(kind)).lower() for kind in types]
    sizes = [int(size) for size in mesh.shape.values()]
    devices = getattr(mesh, "devices", None) if type(mesh).__name__ == "Mesh" else None
    ids = [device.id for device in devices.flat] if devices is not None else []
    axes = [list(axis) for axis in zip(names, sizes, types)]
    return {"kind": "mesh", "name": name, "axes": axes, "device_ids": ids}


def describe_array(name, array):
    """An array as a message; what a tracer or a deleted array cannot tell is left empty."""
    jax = sys.modules["jax"]
    described = {"kind": "array", "name": name, "shape": [int(size) for size in array.shape]}
    described["dtype"] = str(array.dtype)
    state = "abstract" if isinstance(array, jax.ShapeDtypeStruct) else "live"
    if isinstance(array, jax.core.Tracer):
        state = "traced"
    elif state == "live" and array.is_deleted():
        state = "deleted"
    described.update(state=state, spec=None, memory_kind=None, shards={}, mesh=None)
    try:
        sharding = array.sharding if state != "traced" else None
    except Exception:
        sharding = None
    if sharding is None:
        return described
    described["memory_kind"] = getattr(sharding, "memory_kind", None)
    if isinstance(sharding, jax.sharding.NamedSharding):
        described["spec"] = [describe_entry(entry) for entry in sharding.spec]
        described["mesh"] = describe_mesh("", sharding.mesh)["axes"]
    for device, index in sharding.devices_indices_map(tuple(array.shape)).items():
        described["shards"][device.id] = [list(part.indices(size)[:2]) for part, size in zip(index, array.shape)]
    return described


def describe_entry(entry):
    """One entry of a partition spec: None, a list of axis names, or "unconstrained"."""
    if entry is None:
        return None
    if isinstance(entry, str):
        return [entry]
    return [str(axis) for axis in entry] if isinstance(entry, tuple) else "unconstrained"


main()
if sys.modules.get(__name__) is not None and getattr(sys.modules[__name__], "__file__", None) == __file__:
    del sys.modules[__name__]
    raise ImportError("the gate leaves no module behind", name="sitecustomize")
