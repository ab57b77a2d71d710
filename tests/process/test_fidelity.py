"""The lab against plain ``python snippet.py``: the same stdout, stderr and exit code, byte for byte.

One difference is deliberate: the lab's stdout is buffered by lines, as at a terminal, so that nothing is lost when a
run ends hard, and so that what a child writes to the same descriptor arrives in order. Snippets in which that shows
are compared with ``python -u``.
"""

import asyncio
import functools
import os
import re
import signal
import tempfile
import textwrap
from collections.abc import Coroutine
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import pytest

from museum.lab.environments import Environment, managed
from museum.lab.lab import Lab
from museum.lab.nursery import Nurseries
from museum.lab.outcome import RunOutcome
from museum.lab.runner import RunRequest, run
from museum.lab.spares import Spare
from museum.lab.target import Target
from museum.lab.warmth import Warmth, warmth_for

T = TypeVar("T")
TARGET = Target.cpu(4)
AT_ONCE = 2


@dataclass(frozen=True)
class Snippet:
    """One row of the table.

    Attributes:
        code: The script.
        variables: The visitor's own.
        unbuffered: Whether it shows that a pipe's buffer is larger, and is compared with ``python -u``.
    """

    code: str
    variables: dict[str, str] = field(default_factory=dict)
    unbuffered: bool = False


@dataclass(frozen=True)
class Seen:
    """What both ways must agree on."""

    stdout: str
    stderr: str
    exit_code: int | None


PLAIN = {
    "nothing": "",
    "a print": "print('one'); print('two', end='')",
    "a raise in a function": """
        def outer(): inner()
        def inner(): raise ValueError("no\\nsecond line")
        outer()
        """,
    "a cause, a context and none": """
        def fail(): raise KeyError("first")
        try:
            try: fail()
            except KeyError as error: raise ValueError("second") from error
        except ValueError:
            try: raise TypeError("third")
            except TypeError:
                try: raise OSError(2, "fourth")
                except OSError: raise RuntimeError("fifth") from None
        """,
    "a chain to its end": """
        try: {}["x"]
        except KeyError as error:
            error.add_note("a note")
            raise LookupError from error
        """,
    "a group of exceptions": """
        def one(number): return ValueError(number)
        raise ExceptionGroup("outer", [one(1), ExceptionGroup("inner", [one(2), TypeError("three")])])
        """,
    "an exception without a text": """
        class Bad(Exception):
            def __str__(self): raise RuntimeError
        raise Bad
        """,
    "a syntax error": "x = 1\nx = (\n",
    "a syntax error inside a line": "x = 1\ny = 1 +* 2 + 'µ'\n",
    "an indentation error": "if True:\nx = 1\n",
    "a tab error": "if True:\n        x = 1\n\ty = 2\n",
    "a warning of the compiler": "assert (1, 'always true')\nx = 1 is 1\nprint('\\d')\n",
    "exit 0": "raise SystemExit",
    "exit 3": "import sys; sys.exit(3)",
    "exit 256 and more": "import sys; sys.exit(259)",
    "exit -1": "import sys; sys.exit(-1)",
    "exit with a text": "import sys; print('out'); sys.exit('that is why: µ')",
    "exit with an object": "import sys; sys.exit([1, None])",
    "exit inside finally": """
        import sys
        try: raise ValueError
        finally: sys.exit(4)
        """,
    "exit in a thread": """
        import sys, threading
        thread = threading.Thread(target=sys.exit, args=(5,))
        thread.start(); thread.join()
        print("still here")
        """,
    "keyboard interrupt": "raise KeyboardInterrupt",
    "keyboard interrupt by signal": """
        import os, signal
        os.kill(os.getpid(), signal.SIGINT)
        while True: pass
        """,
    "keyboard interrupt with threads": """
        import atexit, threading
        atexit.register(print, "at exit")
        threading.Thread(target=print, args=("in a thread",)).start()
        raise KeyboardInterrupt("told")
        """,
    "warnings": """
        import warnings
        warnings.warn("plain")
        warnings.warn("old", DeprecationWarning)
        warnings.warn("pending", PendingDeprecationWarning)
        for _ in range(2): warnings.warn("once", FutureWarning, stacklevel=1)
        def inner(): warnings.warn("of the caller", stacklevel=2)
        inner()
        """,
    "a warning as an error": """
        import warnings
        warnings.simplefilter("error")
        warnings.warn("no")
        """,
    "an unclosed file": """
        import warnings
        warnings.simplefilter("always")
        def leave(): file = open(__file__)
        leave()
        kept = open(__file__)
        """,
    "a coroutine never awaited": """
        async def work(): pass
        work()
        print("done")
        """,
    "logging": """
        import logging
        logging.warning("by the root")
        logging.getLogger("mine").error("no", exc_info=ValueError("told"))
        logging.error("bad %d", "argument")
        """,
    "logging of last resort": """
        import logging
        logging.getLogger("mine").warning("no handler")
        """,
    "a stack": """
        import inspect, traceback, sys
        def f():
            traceback.print_stack()
            print(len(inspect.stack()), sys._getframe(1).f_code.co_name, sys._getframe(1).f_back)
        f()
        """,
    "the depth of recursion": """
        deepest = 0
        def f(depth):
            global deepest
            deepest = depth
            f(depth + 1)
        try: f(1)
        except RecursionError as error: print(deepest, error)
        f(1)
        """,
    "the main module": """
        import sys
        main = sys.modules["__main__"]
        print([(name, type(value).__name__) for name, value in vars(main).items()])
        print(main.__name__, main.__spec__, main.__file__, main.__doc__, main.__cached__, main.__package__)
        """,
    "the modules": "import sys\nprint(list(sys.modules))",
    "the way of imports": """
        import sys
        print(sys.path)
        print(len(sys.path_hooks), sorted(sys.path_importer_cache), sys.warnoptions, sys._xoptions, sys.flags)
        """,
    "the words": "import sys\nprint(sys.argv, sys.orig_argv, sys.executable, sys.prefix, __file__)",
    "the variables": """
        import os
        print(list(os.environ), os.environ["JAX_PLATFORMS"], os.environ["XLA_FLAGS"])
        print(os.popen("env | cut -d= -f1").read())
        """,
    "variables of the visitor": Snippet(
        "import os, sys\nprint(os.environ['PYTHONPATH'], sys.path, sys.flags.optimize, 'assert off')\nassert False",
        {"PYTHONPATH": "/nowhere:/else", "PYTHONOPTIMIZE": "1", "PYTHONWARNINGS": "error"},
    ),
    "a hash seed": Snippet("print(hash('a'), {*'abcdef'})", {"PYTHONHASHSEED": "7"}),
    "development mode": Snippet(
        "import sys\nopen(__file__)\nprint(sys.flags.dev_mode)", {"PYTHONDEVMODE": "1", "PYTHONTRACEMALLOC": "0"}
    ),
    "descriptors and signals": """
        import os, resource, signal, sys
        print(open(__file__).fileno(), os.isatty(0), os.isatty(1), os.getsid(0) == os.getpid() == os.getpgrp())
        print([signal.getsignal(number) for number in sorted(signal.valid_signals()) if number < 32])
        print(signal.pthread_sigmask(signal.SIG_BLOCK, []), oct(os.umask(0)), resource.getrlimit(resource.RLIMIT_CORE))
        """,
    "the streams": """
        import sys
        for stream in (sys.stdin, sys.stdout, sys.stderr):
            print(stream.name, stream.mode, stream.encoding, stream.errors, stream.newlines, stream.isatty())
        print(sys.stdout is sys.__stdout__, type(sys.stdout.buffer), sys.displayhook, sys.excepthook)
        """,
    "a guard": """
        import runpy
        if __name__ == "__main__":
            print("as main", __name__)
            print(sorted(runpy.run_path(__file__, run_name="other")))
        else:
            print("as", __name__)
        """,
    "an import of itself": "import sys\nprint(__name__, 'snippet' in sys.modules)\nimport snippet\nprint(snippet)",
    "spawned processes": """
        import multiprocessing, sys
        def work(number):
            print("child", number, sys.argv, flush=True)
            return number * 2
        if __name__ == "__main__":
            context = multiprocessing.get_context("spawn")
            with context.Pool(1) as pool: print(pool.map(work, [1, 2]))
            child = context.Process(target=work, args=("bad",)); child.start(); child.join(); print(child.exitcode)
            child = context.Process(target=int, args=("bad",), name="named"); child.start(); child.join()
        """,
    "forked processes": """
        import atexit, os
        atexit.register(print, "at exit")
        child = os.fork()
        if child == 0: raise ValueError("in the child")
        print(os.waitpid(child, 0)[1])
        """,
    "a child": """
        import subprocess, sys
        code = "import os, sys; print(sys.path[1:], os.environ.get('PYTHONPATH'), sorted(sys.modules)[:3])"
        print(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True))
        """,
    "input": "print(input('name? '))",
    "nothing on stdin": "import sys\nprint(repr(sys.stdin.read()))\nfor line in sys.stdin: print(line)",
    "bytes that are no text": """
        import os, sys
        sys.stdout.buffer.write(bytes(range(256)))
        sys.stderr.buffer.write(b"\\xff\\n")
        os.write(2, b"\\xfe\\n")
        """,
    "a text that cannot be encoded": "import sys\nprint('\\udcff', file=sys.stderr)\nprint('\\udcff')",
    "other encodings": Snippet(
        "import sys\nprint(sys.stdout.encoding, 'µ')\nprint('数', file=sys.stderr)\nprint('数')",
        {"PYTHONIOENCODING": "latin-1"},
    ),
    "an interpreter without UTF-8": Snippet(
        "import sys\nprint(sys.getfilesystemencoding(), sys.stdout.encoding, 'µ', open(__file__).encoding)",
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    ),
    "source with a coding line": "# -*- coding: utf-8 -*-\nµ = 'é 数 \N{GRINNING FACE}'\nprint(µ)\nµ + 1\n",
    "exits in order": """
        import atexit, weakref
        class Last:
            def __del__(self): print("deleted")
        last, other = Last(), Last()
        weakref.finalize(other, print, "finalized")
        atexit.register(print, "second", end=";\\n")
        @atexit.register
        def first(): print("first"); raise ValueError("in atexit")
        print("end")
        """,
    "modules at the exit": """
        import atexit, sys
        before = set(sys.modules)
        atexit.register(lambda: print(sorted(set(sys.modules) - before)))
        """,
    "a handler that exits": "import atexit, sys\natexit.register(sys.exit, 6)\nprint('end')",
    "threads that live on": """
        import threading, time
        def work():
            time.sleep(0.05)
            print("after main")
            raise ValueError("in a thread")
        threading.Thread(target=work, name="worker").start()
        threading.Thread(target=time.sleep, args=(99,), daemon=True).start()
        threading._register_atexit(print, "before threads are joined")
        print("main is done", threading.current_thread().name, threading.active_count())
        """,
    "hooks": """
        import sys, threading
        sys.excepthook = lambda kind, error, trace: print("hooked", kind, error, trace.tb_lineno)
        threading.excepthook = lambda arguments: print("hooked too", arguments.exc_value)
        sys.unraisablehook = lambda raised: print("hooked as well", raised.exc_value)
        class Bad:
            def __del__(self): raise ValueError("del")
        Bad()
        thread = threading.Thread(target=int, args=("x",)); thread.start(); thread.join()
        raise ValueError("main")
        """,
    "what cannot be raised": """
        class Bad:
            def __del__(self): raise ValueError("in del")
        Bad()
        kept = Bad()
        """,
    "frames of exec and eval": """
        exec("def f(): raise ValueError('in exec')")
        code = compile("f()", "given name.py", "exec")
        try: eval("1 +")
        except SyntaxError as error: print(error)
        exec(code)
        """,
    "tracing": """
        import sys
        def trace(frame, event, argument):
            print(event, frame.f_code.co_name, frame.f_lineno)
            return trace
        sys.settrace(trace)
        def f(): return 1
        f()
        sys.settrace(None)
        """,
    "asyncio": """
        import asyncio
        async def fail(): raise ValueError("in a task")
        async def main():
            task = asyncio.create_task(fail())
            await asyncio.sleep(0)
            del task
            async with asyncio.TaskGroup() as group: group.create_task(fail())
        asyncio.run(main())
        """,
    "a debugger without a terminal": "x = 1\nbreakpoint()\nprint(x)",
    "much output": "for number in range(20_000): print(number, 'x' * 40)",
    "lines without an end": "import sys\nfor n in range(3): sys.stdout.write(f'{n}%\\r')\nsys.stderr.write('no end')",
    "the buffer of C": "import ctypes\nctypes.CDLL(None).puts(b'from C')\nprint('from Python')",
    "a closed stdout": "import sys\nprint('before')\nsys.stdout.close()\nprint('after')",
    "a stdout that is none": "import sys\nsys.stdout = None\nprint('nowhere')\nsys.stderr.write('here\\n')",
    "a redirected stdout": """
        import contextlib, io
        with contextlib.redirect_stdout(io.StringIO()) as held: print("held")
        print(repr(held.getvalue()))
        """,
    "a child on the same descriptor": Snippet(
        "import os\nprint('first')\nos.system('echo second')\nprint('third')", unbuffered=True
    ),
    "a child that inherits the buffer": Snippet(
        "import os\nprint('once')\nif os.fork(): print(os.wait()[1])\nelse: print('child')", unbuffered=True
    ),
    "a hard exit": Snippet("import os\nprint('so far')\nos._exit(7)", unbuffered=True),
    "an abort": Snippet("import os\nprint('so far')\nos.abort()", unbuffered=True),
    "a kill": Snippet("import os\nprint('so far')\nos.kill(os.getpid(), 9)", unbuffered=True),
    "a termination": Snippet("import os\nprint('so far')\nos.kill(os.getpid(), 15)", unbuffered=True),
    "a segmentation fault": Snippet(
        "import ctypes, faulthandler\nfaulthandler.enable()\nprint('so far')\nctypes.string_at(0)", unbuffered=True
    ),
    "another program": Snippet("import os\nprint('so far')\nos.execlp('echo', 'echo', 'instead')", unbuffered=True),
}

HEAD = """
import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P
try:
    from jax import shard_map
except ImportError:
    from jax.experimental.shard_map import shard_map
mesh = Mesh(np.array(jax.devices()).reshape(2, 2), ("data", "model"))
"""
WITH_JAX = {
    "jax in user code": """
        print(jax.devices(), mesh, NamedSharding(mesh, P("data")))
        x = jnp.arange(8.0)
        print(x, repr(x), x.sharding, jax.make_jaxpr(lambda y: y * 2)(x))
        def fail(y): return y[jnp.array([1.5])]
        fail(x)
        """,
    "jax in jit": """
        @jax.jit
        def step(x): return inner(x)
        def inner(x): return x @ jnp.ones(5)
        step(jnp.ones((3, 3)))
        """,
    "jax in shard_map": """
        def body(x): return jax.lax.psum(x, "nowhere")
        shard_map(body, mesh=mesh, in_specs=P("data"), out_specs=P())(jnp.ones(8))
        """,
    "jax and a spec that does not fit": """
        try: jax.device_put(jnp.zeros((9, 4)), NamedSharding(mesh, P("data")))
        except ValueError as error: print(type(error), error)
        NamedSharding(mesh, P("pod"))
        """,
    "jax and a concrete value": """
        @jax.jit
        def f(x):
            if x > 0: return x
            return -x
        f(1.0)
        """,
    "jax and an escaped tracer": """
        kept = []
        @jax.jit
        def f(x):
            kept.append(x)
            return x
        f(1.0)
        kept[0] + 1
        """,
    "jax and leaks": """
        kept = []
        @jax.jit
        def f(x):
            kept.append(x)
            return x
        with jax.checking_leaks(): f(1.0)
        """,
    "jax and a scan": """
        def body(carry, x): return carry.astype(jnp.int32), x
        jax.lax.scan(body, 1.0, jnp.ones(3))
        """,
    "jax and printing callbacks": """
        @jax.jit
        def f(x):
            jax.debug.print("x is {x}", x=x)
            jax.debug.callback(lambda y: print("got", y), x)
            return x
        f(jnp.arange(3)).block_until_ready()
        jax.effects_barrier()
        """,
    "jax and a failing callback": """
        def fail(x): raise ValueError(f"in the callback with {x}")
        @jax.jit
        def f(x): return jax.pure_callback(fail, jax.ShapeDtypeStruct((), jnp.float32), x)
        f(1.0).block_until_ready()
        """,
    "jax and a stack in a callback": """
        import traceback
        def look(x):
            print(len(traceback.extract_stack()), [frame.name for frame in traceback.extract_stack()][-3:])
            return x
        @jax.jit
        def f(x): return jax.pure_callback(look, jax.ShapeDtypeStruct((), jnp.float32), x)
        print(f(1.0))
        """,
    "jax and HLO with places": """
        def step(x):
            y = jnp.sin(x)
            return y @ y
        lowered = jax.jit(step).lower(jnp.ones((4, 4)))
        print(lowered.as_text("hlo"))
        print(lowered.compiler_ir().operation.get_asm(enable_debug_info=True))
        print(lowered.compile().as_text())
        """,
    "jax and variables set before its import": Snippet(
        """
import os, sys
os.environ.update(JAX_ENABLE_X64="1", JAX_TRACEBACK_FILTERING="off")
os.environ["XLA_FLAGS"] += " --xla_force_host_platform_device_count=2"
print("jax" in sys.modules)
import jax, jax.numpy as jnp
print(jnp.ones(1).dtype, len(jax.devices()))
jax.jit(lambda x: x @ jnp.ones(5))(jnp.ones(3))
"""
    ),
    "jax and variables of the visitor": Snippet(
        "import jax, jax.numpy as jnp\nprint(jnp.ones(1).dtype, len(jax.devices()))\njnp.ones(2) @ jnp.ones(3)",
        {
            "JAX_ENABLE_X64": "1",
            "JAX_TRACEBACK_FILTERING": "quiet_remove_frames",
            "XLA_FLAGS": "--xla_force_host_platform_device_count=3",
        },
    ),
    "jax and logging": """
        import logging
        logging.basicConfig(level=logging.INFO)
        jax.config.update("jax_log_compiles", True)
        jax.jit(lambda x: x + 1)(jnp.ones(3))
        """,
    "jax and what C++ logs": Snippet(
        """
import os
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "0"
os.environ["TF_CPP_MAX_VLOG_LEVEL"] = "0"
import jax, jax.numpy as jnp
print(jnp.ones(3).sum())
"""
    ),
    "jax and an unknown flag": Snippet(
        "import jax\nprint('so far')\njax.devices()", {"XLA_FLAGS": "--xla_no_such_flag=1"}, unbuffered=True
    ),
    "jax and warnings": """
        print(jnp.zeros(2, "float64").dtype)
        f = jax.jit(lambda x: x[:1], donate_argnums=0)
        x = jnp.ones(4)
        f(x)
        print(x + 1)
        """,
    "jax and nan": """
        jax.config.update("jax_debug_nans", True)
        @jax.jit
        def f(x): return jnp.log(x)
        f(-1.0)
        """,
    "jax and an exit while tracing": """
        import sys
        @jax.jit
        def f(x): sys.exit("while tracing")
        f(1.0)
        """,
    "jax and an interrupt": """
        jnp.ones(3).block_until_ready()
        raise KeyboardInterrupt
        """,
    "jax and its exit": """
        import atexit, threading, sys
        atexit.register(lambda: print("at exit", jnp.arange(3).sum(), len(jax.devices())))
        before = set(sys.modules)
        atexit.register(lambda: print(sorted(set(sys.modules) - before)))
        x = jnp.ones(3)
        threading.Thread(target=lambda: print(jax.jit(jnp.sum)(x))).start()
        """,
    "jax and spawned processes": """
        import multiprocessing
        def work(): print("child", len(jax.devices()), jnp.ones(2).sum(), flush=True)
        if __name__ == "__main__":
            child = multiprocessing.get_context("spawn").Process(target=work)
            child.start(); child.join(); print(child.exitcode)
        """,
    "jax and a fork": """
        import os, sys
        jnp.ones(3).block_until_ready()
        child = os.fork()
        if child == 0: os._exit(3)  # JAX in the child would hang or crash, now and then
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        """,
    "jax and the modules": Snippet(
        """
import sys
import jax
print(sorted(sys.modules))
print(sys.meta_path, sys.path)
print([(name, type(value).__name__) for name, value in vars(sys.modules["__main__"]).items()])
"""
    ),
    "jax that is broken": Snippet("import sys\nsys.modules['jaxlib'] = None\nimport jax"),
}

# Rows only for warm starts: what a visitor writes, and what could show that something ran before it.
WARM = {
    "a first look": """
        print(jax.__version__, jax.devices(), jax.local_devices()[1:], jax.device_count(), jax.process_index())
        print(mesh.devices, mesh.shape, jax.devices()[0].device_kind, jax.devices()[0].client)
        print([device.id for device in jax.devices("cpu")], jax.devices()[0].memory_stats())
        """,
    "a platform that is not here": "print(len(jax.devices()))\njax.devices('gpu')",
    "names that are there": """
        print(dir(jax), dir(jnp), dir(jax.experimental), dir(jax.interpreters), dir(jax.lax))
        print(sorted(globals()), dir(), __name__, __file__)
        """,
    "a module that is not imported yet": Snippet(
        "import jax\nfrom jax.sharding import PartitionSpec as P\nprint(P())\njax.experimental.shard_map.shard_map\n"
    ),
    "counters and names": """
        print(jax.make_jaxpr(lambda x, y: jnp.where(x > y, x, jnp.sin(y)))(1.0, 2.0))
        print(jax.jit(lambda x: x).__name__, jax.jit, jax.tree.structure({"a": [1, (2,)]}))
        f = jax.jit(lambda x: x * 2)
        f(1.0), f(2.0), f(jnp.ones(2))
        print(f._cache_size(), jax.eval_shape(f, 1.0))
        """,
    "a training step": """
        def loss(w, x): return jnp.mean((jnp.tanh(x @ w["one"]) @ w["two"] - 1) ** 2)
        @jax.jit
        def step(w, x): return jax.tree.map(lambda a, b: a - 0.1 * b, w, jax.grad(loss)(w, x))
        one, two = jax.random.split(jax.random.key(0))
        w = {"one": jax.random.normal(one, (8, 4)), "two": jax.random.normal(two, (4, 2))}
        x = jax.device_put(jnp.linspace(0, 1, 32).reshape(4, 8), NamedSharding(mesh, P("data")))
        for _ in range(3): w = step(w, x)
        print(w, loss(w, x), jax.value_and_grad(loss)(w, x)[0].sharding)
        """,
    "collectives": """
        def body(x): return jax.lax.psum(x, "data"), jax.lax.all_gather(x, "model"), jax.lax.axis_index("data")[None]
        specs = dict(in_specs=P("data", "model"), out_specs=(P(None, "model"), P(("data", "model")), P("data")))
        f = jax.jit(shard_map(body, mesh=mesh, **specs))
        for result in f(jnp.arange(16.0).reshape(4, 4)): print(result, result.sharding)
        """,
    "what the partitioner says": """
        x = jax.device_put(jnp.ones((8, 8)), NamedSharding(mesh, P("data", "model")))
        @jax.jit
        def f(x):
            y = jax.lax.with_sharding_constraint(x.reshape(4, 2, 8) * 2, NamedSharding(mesh, P(None, "model", "data")))
            return jax.lax.with_sharding_constraint(y.reshape(64), NamedSharding(mesh, P(("model", "data")))).sum()
        print(f(x))
        """,
    "a donated array": """
        x = jax.device_put(jnp.ones((8, 8)), NamedSharding(mesh, P("data")))
        f = jax.jit(lambda x: (x + 1, x.sum()), donate_argnums=0)
        y, total = f(x)
        print(total, x.is_deleted(), y)
        print(x)
        """,
    "linear algebra": """
        a = jnp.array([[4.0, 1.0], [1.0, 3.0]])
        print(jnp.linalg.inv(a), jnp.linalg.eigh(a), jnp.linalg.cholesky(a), jnp.fft.fft(jnp.arange(4.0)))
        print(jnp.sort(jnp.array([3, 1, 2])), jnp.linalg.solve(a, jnp.ones(2)), jnp.einsum("ij,jk->ik", a, a))
        """,
    "an error while it runs": """
        def check(x):
            if x > 2: raise FloatingPointError(f"{x} is too much")
        @jax.jit
        def f(x):
            jax.debug.callback(check, x)
            return x + 1
        f(3.0).block_until_ready()
        jax.effects_barrier()
        """,
    "control flow": """
        print(jax.lax.while_loop(lambda c: c[0] < 5, lambda c: (c[0] + 1, c[1] * 2), (0, 1.0)))
        print(jax.lax.cond(True, lambda x: x, lambda x: -x, 3.0), jax.lax.fori_loop(0, 4, lambda i, c: c + i, 0))
        print(jax.lax.scan(lambda c, x: (c + x, c), 0.0, jnp.arange(3.0)))
        print(jax.vmap(jnp.dot)(jnp.ones((2, 3)), jnp.ones((2, 3))))
        jax.lax.cond(jnp.ones(2), lambda: 1, lambda: 2)
        """,
    "text in many forms": """
        import json, datetime, decimal, traceback
        print(json.dumps({"a": jnp.ones(2).tolist()}), f"{jnp.pi:.3f}", np.asarray(jnp.arange(3)), flush=True)
        try: jnp.ones(3) @ jnp.ones(4)
        except TypeError: traceback.print_exc()
        input("nothing is there: ")
        """,
    "asyncio and time": """
        import asyncio, time
        async def work():
            await asyncio.sleep(0.01)
            return await asyncio.to_thread(lambda: float(jnp.ones(3).sum()))
        print(asyncio.run(work()), time.time() > 1e9)
        exit(4)
        """,
    "a class of its own": """
        from functools import partial
        from dataclasses import dataclass
        @partial(jax.tree_util.register_dataclass, data_fields=["w"], meta_fields=["n"])
        @dataclass
        class Model:
            w: jax.Array
            n: int
        @partial(jax.custom_vjp, nondiff_argnums=(1,))
        def f(x, n): return x ** n
        f.defvjp(lambda x, n: (f(x, n), x), lambda n, x, g: (g * n * x ** (n - 1),))
        print(jax.grad(lambda m: f(m.w, m.n).sum())(Model(jnp.arange(3.0), 2)))
        jax.jit(lambda m: m.w.reshape(2, 2))(Model(jnp.arange(3.0), 2))
        """,
    "a kernel": """
        from jax.experimental import pallas as pl
        def kernel(x_ref, o_ref): o_ref[...] = x_ref[...] * 2
        shape = jax.ShapeDtypeStruct((8, 8), jnp.float32)
        print(pl.pallas_call(kernel, out_shape=shape, interpret=True)(jnp.ones((8, 8))))
        pl.pallas_call(kernel, out_shape=shape)(jnp.ones((8, 8)))
        """,
    "more bits": """
        print(jnp.arange(3, dtype="int64").dtype, jnp.float64(1).dtype)
        print(jnp.array(1 << 40))
        """,
    "a result that nobody waits for": """
        step = jax.jit(lambda x: jax.lax.fori_loop(0, 40, lambda _, y: y @ y / 300, x))
        spec = jax.sharding.PartitionSpec("a")
        mesh = jax.sharding.Mesh(jax.devices(), ("a",))
        rows = jax.device_put(jnp.ones((512, 512)), jax.sharding.NamedSharding(mesh, spec))
        print(step(rows).sharding.is_fully_replicated)
        """,
    "a syntax error in what imports JAX": Snippet("import jax\nx = (1,\n"),
    "a script that only imports": Snippet("import jax\nprint('done')\n"),
}
# Of those that may start warm, the ones that are always run; the others take minutes.
TELLING = (
    *("jax in jit", "jax in shard_map", "jax and leaks", "jax and printing callbacks", "jax and a failing callback"),
    *("jax and warnings", "jax and an interrupt", "what the partitioner says", "a module that is not imported yet"),
    *("a training step", "names that are there", "a result that nobody waits for"),
)


def table() -> dict[str, Snippet]:
    """Every row by name."""
    rows: dict[str, Snippet] = {}
    for name, row in PLAIN.items():
        rows[name] = row if isinstance(row, Snippet) else Snippet(textwrap.dedent(row))
    for name, row in WITH_JAX.items():
        rows[name] = row if isinstance(row, Snippet) else Snippet(HEAD + textwrap.dedent(row))
    return rows


SNIPPETS = table()


def warm_table() -> dict[str, Snippet]:
    """The rows that may start warm, by name."""
    more = {
        name: row if isinstance(row, Snippet) else Snippet(HEAD + textwrap.dedent(row)) for name, row in WARM.items()
    }
    return {name: row for name, row in (SNIPPETS | more).items() if warmth_for(row.code, row.variables)}


WARM_SNIPPETS = warm_table()

# What differs between any two runs of plain Python: the run's directory, addresses, threads, times.
_OF_THE_RUN = (
    (re.compile(r"xla-museum-\w{8}"), "xla-museum-…"),
    (re.compile(r"\b0x[0-9a-f]{4,}\b"), "0x…"),
    (re.compile(r"<(\w+) \d{9,}>"), r"<\1 …>"),
    (re.compile(r"\b(pid|id|thread|Thread-)[ =]?\d{3,}"), r"\1…"),
    (re.compile(r"\b\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[.,]\d+"), "…"),
    (re.compile(r"^([IWEF])\d{4} \d\d:\d\d:\d\d\.\d+ +\d+", re.MULTILINE), r"\1…"),
    (re.compile(r"\b\d+\.\d+(e-\d+)? sec\b"), "… sec"),
    (re.compile(r"\bfingerprint: \d+"), "fingerprint: …"),
)


def seen(stdout: bytes, stderr: bytes, exit_code: int | None) -> Seen:
    """The one place that normalises; latin-1 keeps every byte apart from every other."""

    def stable(stream: bytes) -> str:
        text = stream.decode("latin-1")
        for pattern, replacement in _OF_THE_RUN:
            text = pattern.sub(replacement, text)
        return text

    return Seen(stable(stdout), stable(stderr), exit_code)


async def cold(snippet: Snippet, environment: Environment) -> Seen:
    """Plain Python, in a directory named like the lab's."""
    with tempfile.TemporaryDirectory(prefix="xla-museum-") as folder:
        (Path(folder) / "snippet.py").write_text(snippet.code, "utf-8")
        command = [str(environment.python), *(["-u"] if snippet.unbuffered else []), "snippet.py"]
        child = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            cwd=folder,
            env=TARGET.environment(os.environ, snippet.variables),
            start_new_session=True,
        )
        stdout, stderr = await child.communicate()
    return seen(stdout, stderr, child.returncode)


async def warm(snippet: Snippet, environment: Environment) -> Seen:
    """The lab."""
    outcome = await run(RunRequest(snippet.code, environment, TARGET, variables=snippet.variables))
    return seen(outcome.stdout.head, outcome.stderr.head, outcome.exit_code)


async def both_of_all(environment: Environment) -> dict[str, tuple[Seen, Seen]]:
    """Every row both ways, a few at a time."""
    room = asyncio.Semaphore(AT_ONCE)

    async def both(snippet: Snippet) -> tuple[Seen, Seen]:
        async with room:
            return await cold(snippet, environment), await warm(snippet, environment)

    return dict(zip(SNIPPETS, await asyncio.gather(*map(both, SNIPPETS.values())), strict=True))


def like_a_shell(work: Coroutine[Any, Any, T]) -> T:
    """Do it as from a shell in the foreground, without variables for Python."""
    # A test run in the background of a shell ignores SIGINT, and plain Python would inherit that.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.MonkeyPatch.context() as patch:
            for name in [name for name in os.environ if name.startswith("PYTHON")]:
                patch.delenv(name)
            return asyncio.run(work)
    finally:
        signal.signal(signal.SIGINT, before)


@functools.cache
def results(environment: Environment) -> dict[str, tuple[Seen, Seen]]:
    """Every row both ways on one environment, run once in a session."""
    return like_a_shell(both_of_all(environment))


class WarmRow:
    """One row cold, warm (twice where its second start finds its programs in the cache) and born of a nursery."""

    def __init__(self, snippet: Snippet, environment: Environment, plain: Seen | None) -> None:
        self.snippet, self.environment, self.plain = snippet, environment, plain
        self.warmth = warmth_for(snippet.code, snippet.variables)
        self.lab: list[Seen] = []
        self.started_warm: list[bool] = []

    async def run(self, nurseries: Nurseries) -> None:
        self.plain = self.plain or await cold(self.snippet, self.environment)
        await self._run_warm()
        born = Watched(nurseries)
        outcome = await run(RunRequest(self.snippet.code, self.environment, TARGET), None, born)
        self.lab.append(seen(outcome.stdout.head, outcome.stderr.head, outcome.exit_code))
        self.started_warm += born.given

    async def _run_warm(self) -> None:
        lab = Lab(spares=1)
        try:
            for _ in range(2 if self.warmth is Warmth.BACKEND else 1):
                lab.prepare(self.environment, TARGET, [self.snippet.code])
                await lab.settled()
                outcome = await lab.run(RunRequest(self.snippet.code, self.environment, TARGET))
                self.lab.append(seen(outcome.stdout.head, outcome.stderr.head, outcome.exit_code))
                self.started_warm.append(waited(outcome))
        finally:
            await lab.close()


class Watched:
    """Nurseries, with a note of each request: whether a process was born for it."""

    def __init__(self, nurseries: Nurseries) -> None:
        self.nurseries = nurseries
        self.given: list[bool] = []

    async def take(self, environment: Environment, target: Target, warmth: Warmth) -> Spare | None:
        spare = await self.nurseries.take(environment, target, warmth)
        self.given.append(spare is not None)
        return spare


def waited(outcome: RunOutcome) -> bool:
    """Whether the process had been at the gate, with JAX imported, before the run was asked for."""
    return outcome.timings["importing"] == outcome.timings["ready"] == 0.0


async def warm_rows(rows: list[WarmRow]) -> None:
    """All of them, a few at a time."""
    room = asyncio.Semaphore(AT_ONCE)
    nurseries = Nurseries(AT_ONCE)

    async def one(row: WarmRow) -> None:
        async with room:
            await row.run(nurseries)

    try:
        await asyncio.gather(*map(one, rows))
    finally:
        await nurseries.close()


@functools.cache
def warm_results(environment: Environment, *, all_of_them: bool) -> dict[str, WarmRow]:
    """Rows warm on one environment, run once in a session, all with one new compilation cache."""
    known = results(environment)
    names = [name for name in WARM_SNIPPETS if (name in TELLING) is not all_of_them]
    rows = {
        name: WarmRow(WARM_SNIPPETS[name], environment, known[name][0] if name in known else None) for name in names
    }
    like_a_shell(warm_rows(list(rows.values())))
    return rows


@pytest.mark.parametrize("name", SNIPPETS)
def test_a_run_is_what_plain_python_makes_of_it(name: str, own_environment: Environment) -> None:
    plain, lab = results(own_environment)[name]
    assert lab == plain


@pytest.mark.matrix
@pytest.mark.parametrize("environment", managed(), ids=lambda environment: environment.name)
@pytest.mark.parametrize("name", SNIPPETS)
def test_a_run_is_what_plain_python_makes_of_it_elsewhere(name: str, environment: Environment) -> None:
    plain, lab = results(environment)[name]
    assert lab == plain


def test_the_table_is_long_enough_and_every_row_says_something() -> None:
    assert len(SNIPPETS) >= 50


def check(row: WarmRow) -> None:
    assert row.started_warm == [True] * (3 if row.warmth is Warmth.BACKEND else 2)
    for lab in row.lab:
        assert lab == row.plain


@pytest.mark.parametrize("name", [name for name in WARM_SNIPPETS if name in TELLING])
def test_a_warm_run_is_what_plain_python_makes_of_it(name: str, own_environment: Environment) -> None:
    check(warm_results(own_environment, all_of_them=False)[name])


@pytest.mark.matrix
@pytest.mark.parametrize("name", [name for name in WARM_SNIPPETS if name not in TELLING])
def test_a_warm_run_of_the_others_is_what_plain_python_makes_of_it(name: str, own_environment: Environment) -> None:
    check(warm_results(own_environment, all_of_them=True)[name])


@pytest.mark.matrix
@pytest.mark.parametrize("environment", managed(), ids=lambda environment: environment.name)
@pytest.mark.parametrize("name", WARM_SNIPPETS)
def test_a_warm_run_is_what_plain_python_makes_of_it_elsewhere(name: str, environment: Environment) -> None:
    check(warm_results(environment, all_of_them=name not in TELLING)[name])


def test_the_tables_hold_what_they_should() -> None:
    assert set(TELLING) <= set(WARM_SNIPPETS)
    assert set(WARM) <= set(WARM_SNIPPETS)
    assert not set(WARM) & set(SNIPPETS)
    found = [warmth_for(row.code, row.variables) for row in WARM_SNIPPETS.values()]
    assert found.count(Warmth.BACKEND) >= 20
