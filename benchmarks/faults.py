"""What the lab says of hostile snippets, and what of them is left alive: a table, and exit code 1 if anything is.

uv run --no-sync python benchmarks/faults.py
"""

import asyncio
import os
import sys
import tempfile
import textwrap
import time

import psutil

from museum.lab.environments import own
from museum.lab.lab import Lab
from museum.lab.runner import Limits, RunRequest
from museum.lab.target import Target

SNIPPETS = {
    "a Python loop": "while True: pass",
    "a loop inside a compiled program": """
        import jax
        jax.lax.while_loop(lambda n: n >= 0, lambda n: (n + 1) % 1000, 0).block_until_ready()
    """,
    "100 MB of output": "import sys\nfor _ in range(100): sys.stdout.write('x' * 1_000_000)",
    "output without end": "while True: print('y' * 10_000)",
    "memory without end": "held = []\nwhile True: held.append(bytearray(1 << 22))",
    "processes without end": """
        import os, time
        for _ in range(200):
            if os.fork() == 0: time.sleep(60)
        time.sleep(60)
    """,
    "os._exit": "import os\nos._exit(7)",
    "kills its process group": "import os\nos.killpg(0, 9)",
    "kills its parent": "import os, time\nos.kill(os.getppid(), 9)\ntime.sleep(60)",
    "ignores SIGTERM": "import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\nwhile True: pass",
    "children with sessions of their own": """
        import subprocess
        for _ in range(3): subprocess.Popen(["sleep", "60"], start_new_session=True)
    """,
    "a child that holds the pipe": "import os, time\nif os.fork() == 0:\n    os.setsid()\n    time.sleep(60)",
    "a forged protocol line": """print('{"kind": "exception", "class": "Forged", "message": "", "frames": []}')""",
    "nonsense on every descriptor": """
        import os
        for number in range(3, 64):
            try: os.write(number, b"nonsense" + bytes([10]))
            except OSError: pass
    """,
    "closes every descriptor": "import os\nos.closerange(3, 256)\nprint('done')",
    "changes and deletes its directory": "import os, shutil\nhere = os.getcwd()\nos.chdir('/')\nshutil.rmtree(here)",
    "aborts": "import os\nos.abort()",
    "overflows the C stack": "import sys\nsys.setrecursionlimit(10**8)\ndef f(): return [f()]\nf()",
    "threads that never end": "import threading, time\nthreading.Thread(target=time.sleep, args=(60,)).start()",
    "an atexit handler that hangs": "import atexit, time\natexit.register(time.sleep, 60)",
}


async def table() -> int:
    """Run them one by one and print a line each; returns how many processes were left in all."""
    environment, lab, left = await own(), Lab(spares=0), 0
    limits = Limits(seconds=3, memory=600 << 20, processes=50, output=200 << 20)
    print(f"{'snippet':38} {'outcome':18} {'exit':>5} {'seconds':>8} {'alive':>6}  words")
    for name, code in SNIPPETS.items():
        begun = time.monotonic()
        request = RunRequest(textwrap.dedent(code), environment, Target.cpu(1), limits=limits)
        outcome = await lab.run(request)
        took = time.monotonic() - begun
        alive = len(psutil.Process().children(recursive=True))
        left += alive
        print(f"{name:38} {outcome.status:18} {outcome.exit_code!s:>5} {took:8.2f} {alive:6}  {outcome.detail}")
    await lab.close()
    return left


def main() -> int:
    """Command line."""
    with tempfile.TemporaryDirectory() as home:
        os.environ["XLA_MUSEUM_HOME"] = home
        left = asyncio.run(table())
    print(f"processes left: {left}")
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
