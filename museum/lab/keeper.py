"""The keeper: one small process between the museum and one run, which owns the run's whole process tree.

Started by path with any Python from 3.10 on, standard library only. It starts the run, watches its limits, ends it
on request, and ends it when the museum is gone. Because it adopts every orphan below it, a grandchild that starts a
session of its own is found and ended too. The run's parent is not the keeper but a guard, a fork of it that only
waits: a snippet that kills its parent loses the guard, and the keeper still ends everything that is left.

Orders come on stdin and answers leave on stdout, one JSON object a line; `museum.lab.protocol` lists both.
"""

import ctypes
import json
import os
import select
import shutil
import signal
import sys
import time

PROTOCOL = 1
WATCH_EVERY = 0.05  # seconds between two looks at the limits
SEARCH_EVERY = 5  # looks between two searches for new processes, which read all of /proc
LAST_LOOKS = 200  # rounds of killing before the keeper gives up on what cannot be killed
PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
PAGE = os.sysconf("SC_PAGE_SIZE")


def say(kind, **fields):
    """Send one answer; a museum that is gone is noticed on stdin, not here."""
    try:
        os.write(1, (json.dumps({"kind": kind, **fields}) + "\n").encode())
    except OSError:
        pass


def prctl(option, value):
    """Linux's prctl, or nothing where there is none."""
    try:
        ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0)
    except (OSError, AttributeError):
        pass


def parents():
    """Parent of each process of this machine, by process id."""
    found = {}
    try:
        names = [name for name in os.listdir("/proc") if name.isdigit()]
    except OSError:
        return parents_by_ps()
    for name in names:
        try:
            with open("/proc/%s/stat" % name, "rb") as stat:
                # The command may hold spaces and brackets; what follows its last bracket does not.
                found[int(name)] = int(stat.read().rpartition(b")")[2].split()[1])
        except (OSError, IndexError, ValueError):
            continue
    return found


def parents_by_ps():
    """As `parents`, for systems without /proc."""
    import subprocess

    text = subprocess.run(["ps", "-axo", "pid=,ppid="], capture_output=True, text=True, check=False).stdout
    return {int(pid): int(parent) for pid, parent in (line.split() for line in text.splitlines())}


def descendants(root):
    """Process ids below `root`."""
    children = {}
    for pid, parent in parents().items():
        children.setdefault(parent, []).append(pid)
    found, waiting = [], [root]
    while waiting:
        below = children.get(waiting.pop(), [])
        found += below
        waiting += below
    return found


def resident_bytes(pids):
    """Memory that the processes hold, in bytes; shared pages count once a process."""
    total = 0
    for pid in pids:
        try:
            with open("/proc/%d/statm" % pid, "rb") as statm:
                total += int(statm.read().split()[1]) * PAGE
        except (OSError, IndexError, ValueError):
            continue
    return total


class Keeper:
    """The life of one run."""

    def __init__(self):
        """Become the adopter of orphans and deaf to polite signals."""
        prctl(PR_SET_CHILD_SUBREAPER, 1)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE):
            signal.signal(number, signal.SIG_IGN)
        self.wake_read, wake_write = os.pipe()
        os.set_blocking(wake_write, False)
        signal.set_wakeup_fd(wake_write, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        self.main = 0
        self.guard = -1
        self.guard_pid = 0
        self.told = b""
        self.code = None
        self.reason = ""
        self.directory = ""
        self.limits = {}
        self.deadline = None
        self.peak = 0
        self.looks = 0
        self.tree = []
        self.pending = b""

    def start(self, order):
        """Start the run below a guard; say how that went."""
        self.directory = order["remove"]
        fault_read, fault_write = os.pipe()
        self.guard, guard_write = os.pipe()
        self.guard_pid = os.fork()
        if self.guard_pid == 0:
            self.stand_guard(order, fault_write, guard_write)
        os.close(fault_write)
        os.close(guard_write)
        for number in {*order["standard"], *order["keep"]}:
            os.close(number)
        self.main = int(os.read(self.guard, 8))
        fault = os.read(fault_read, 4096).decode("utf-8", "replace")  # ends when the run's exec closes its end
        os.close(fault_read)
        if fault:
            self.reason = "not started"
            say("not started", reason=fault)
        else:
            say("started", pid=self.main)

    def adopt(self, guard_pid, guard):
        """Keep a run that was forked before, below a guard that tells on the descriptor `guard`."""
        self.guard_pid, self.guard = guard_pid, guard
        self.main = int(os.read(guard, 8))
        say("started", pid=self.main)

    def stand_guard(self, order, fault_write, guard_write):
        """In the guard: be the run's parent, tell its id and then its exit status, and end."""
        try:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            main = os.fork()
            if main == 0:
                self.become(order, fault_write)
            os.write(guard_write, b"%8d" % main)
            for number in {0, fault_write, *order["standard"], *order["keep"]}:
                os.close(number)
            status = os.waitpid(main, 0)[1]
            os.write(guard_write, b"%8d" % os.waitstatus_to_exitcode(status))
        finally:
            os._exit(0)

    def become(self, order, fault_write):
        """In the child: turn into the run, or write why not and end."""
        try:
            os.setsid()
            prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                signal.signal(number, signal.SIG_DFL)
            # SIGPIPE stays ignored: so does CPython's own start.
            for place, number in enumerate(order["standard"]):
                os.dup2(number, place)
            for number in order["standard"]:
                if number > 2:  # the run's children would hold the pipes open
                    os.close(number)
            for number in order["keep"]:
                os.set_inheritable(number, True)
            os.chdir(order["directory"])
            os.execve(order["command"][0], order["command"], order["variables"])
        except BaseException as error:
            os.write(fault_write, str(error).encode("utf-8", "replace"))
        finally:
            os._exit(127)

    def reap(self):
        """Collect every child that has ended."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            if pid == self.main:  # adopted, because its guard was killed
                self.code = os.waitstatus_to_exitcode(status)

    def hear_guard(self):
        """Take the run's exit status from the guard, or learn that the guard is gone."""
        block = os.read(self.guard, 8)
        if block:
            self.told += block
            self.code = int(self.told) if len(self.told) == 8 else None
        else:
            os.close(self.guard)
            self.guard = -1

    def kill_tree(self):
        """End everything below the keeper and collect it; returns how many processes were left beside the run."""
        others = set()
        for _ in range(LAST_LOOKS):
            alive = descendants(os.getpid())
            others.update(alive)
            if not alive:
                break
            for pid in alive:
                try:
                    os.kill(pid, signal.SIGKILL)
                except OSError:
                    pass
            self.reap()
            time.sleep(0.002)
        return len(others - {self.main, self.guard_pid})

    def over_limit(self):
        """The limit that is exceeded now, or ""."""
        if self.deadline is not None and time.monotonic() > self.deadline:
            return "time"
        if self.looks % SEARCH_EVERY == 0:
            self.tree = descendants(os.getpid())
        self.looks += 1
        alive = self.tree
        most = self.limits.get("processes")
        if most and len(alive) > most:
            return "processes"
        held = resident_bytes(alive)
        self.peak = max(self.peak, held)
        most = self.limits.get("memory")
        return "memory" if most and held > most else ""

    def obey(self):
        """Read what has come on stdin and act; a closed stdin is an order to end."""
        block = os.read(0, 65536)
        if not block:
            self.reason = self.reason or "abandoned"
        *lines, self.pending = (self.pending + block).split(b"\n")
        for line in lines:
            order = json.loads(line)
            if order["kind"] == "start":
                self.start(order)
            elif order["kind"] == "opened":
                self.limits = order["limits"]
                seconds = self.limits.get("seconds")
                self.deadline = time.monotonic() + seconds if seconds else None
            elif order["kind"] == "stop":
                self.reason = self.reason or order["reason"]

    def keep(self):
        """Stay until the run has ended, however it ends."""
        while self.code is None and not self.reason:
            listened = [0, self.wake_read] + [self.guard] * (self.guard >= 0)
            ready, _, _ = select.select(listened, [], [], WATCH_EVERY if self.main else None)
            if self.wake_read in ready:
                os.read(self.wake_read, 4096)
            if self.guard in ready:
                self.hear_guard()
            if 0 in ready:
                self.obey()
            self.reap()
            if self.main and self.code is None and not self.reason:
                self.reason = self.over_limit()
        left = self.kill_tree()
        if self.main and self.code is None:
            self.code = -signal.SIGKILL  # by us, and its guard died before it could tell
        if self.main and self.reason != "not started":
            say("ended", code=self.code, reason=self.reason, left=left, peak=self.peak)
        if self.directory:
            shutil.rmtree(self.directory, ignore_errors=True)


if __name__ == "__main__":
    if sys.argv[1:] == ["--protocol"]:
        print(PROTOCOL)  # noqa: T201
    else:
        Keeper().keep()
