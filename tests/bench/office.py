"""Run a whole office as processes: the replica, the dashboard's servers, and their clients. All end with the block."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from dashboard.app import create_app
from dashboard.replica.settings import DEMO_SECRET
from dashboard.settings import Settings
from dashboard.store.engine import Store
from dashboard.store.migrate import migrate
from tests.support.levers import Levers
from tests.support.people import ARUN, ASHA, MEERA, add, cheap_passwords
from tests.support.ports import free_port

_HOST = "127.0.0.1"
_PATIENCE = 60.0
_TICKS = os.sysconf("SC_CLK_TCK")


class Office:
    """The folder, the ports and the processes of an office. `folder` is empty, and used by this office alone."""

    def __init__(self, folder: Path, **environ: str) -> None:
        self.folder = folder
        self.replica_url = f"http://{_HOST}:{free_port()}"
        self.url = f"http://{_HOST}:{free_port()}"
        self.levers = Levers(self.replica_url)
        self.environ = {
            "DASHBOARD_SERVICE_URL": self.replica_url,
            "DASHBOARD_API_SECRET": DEMO_SECRET,
            "DASHBOARD_SECRET_KEY": "a key for measuring alone, and for nothing else",
            "DASHBOARD_DATA_DIR": str(folder),
            "DASHBOARD_LISTEN": self.url.removeprefix("http://"),
            "DASHBOARD_INSECURE_COOKIES": "1",
            "DASHBOARD_LOG_LEVEL": "WARNING",
            "DASHBOARD_PERSON_SEARCHES_PER_HOUR": "100000",
            "REPLICA_DATABASE": str(self.replica_file),
            "REPLICA_SEED": "empty",
            "REPLICA_LEVERS": "1",
            "REPLICA_LINK_ALLOWANCE": "1000000",
            "REPLICA_SEARCH_ALLOWANCE": "1000000",
            **environ,
        }
        self.settings = Settings.from_environ(self.environ)

    @property
    def replica_file(self) -> Path:
        return self.folder / "replica.sqlite3"

    def furnish(self) -> dict[str, int]:
        """Create the store with one person of each role, and return their ids by email."""
        store = Store(self.settings.database_url)
        try:
            migrate(store)
            app = create_app(self.settings, store=store, passwords=cheap_passwords())
            return {somebody.email: add(app, somebody).id for somebody in (ASHA, MEERA, ARUN)}
        finally:
            store.close()

    @contextmanager
    def replica(self) -> Iterator[Levers]:
        listen = self.replica_url.removeprefix("http://")
        with running(["-m", "dashboard", "replica", "--listen", listen], self.environ) as child:
            answers(f"{self.replica_url}/", child)
            yield self.levers

    @contextmanager
    def dashboard(self, *command: str) -> Iterator[int]:
        """Start a server of the dashboard (`serve`, or `web` with its options), wait for its answer, and yield its
        process id.
        """
        with running(["-m", "dashboard", *command], self.environ) as child:
            answers(f"{self.url}/readyz", child)
            yield child.pid

    @contextmanager
    def worker(self) -> Iterator[int]:
        """Start `dashboard worker`, wait until it reports that it runs, and yield its process id."""
        with running(["-m", "dashboard", "worker"], self.environ) as child:
            assert child.stdout is not None
            assert child.stdout.readline(), "the worker has ended by itself"
            yield child.pid


@contextmanager
def running(arguments: list[str], environ: dict[str, str] | None = None) -> Iterator[subprocess.Popen[bytes]]:
    """Run a Python process, and end it with its children when the block ends or this process is killed."""
    own = {name: value for name, value in os.environ.items() if not name.startswith(("DASHBOARD_", "REPLICA_"))}
    child = subprocess.Popen(
        [sys.executable, *arguments],
        env={**own, **(environ or {})},
        stdout=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=_end_with_us,  # noqa: PLW1509 - this process has no threads.
    )
    try:
        yield child
    finally:
        child.terminate()
        with suppress(subprocess.TimeoutExpired):
            child.wait(20)
        with suppress(ProcessLookupError):  # Children that are still running.
            os.killpg(child.pid, signal.SIGKILL)
        child.wait()
        assert child.stdout is not None
        child.stdout.close()


def _end_with_us() -> None:
    """On Linux, have the kernel end a process when this one is killed."""
    if sys.platform.startswith("linux"):
        ctypes.CDLL(None).prctl(1, signal.SIGTERM)


def answers(address: str, child: subprocess.Popen[bytes]) -> None:
    """Wait until a process answers there."""
    until = time.monotonic() + _PATIENCE
    while True:
        try:
            with urllib.request.urlopen(address, timeout=5):
                return
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            if child.poll() is not None or time.monotonic() > until:
                raise
            time.sleep(0.01)


# Resources of processes


def family(pid: int) -> list[int]:
    """Return a process and all its descendants."""
    found = [pid]
    for each in found:
        with suppress(OSError):
            for task in Path(f"/proc/{each}/task").iterdir():
                found += [int(child) for child in (task / "children").read_text(encoding="ascii").split()]
    return found


def cpu_seconds(pid: int) -> float:
    """Return the CPU time of a process and its living descendants."""
    total = 0
    for each in family(pid):
        with suppress(OSError):
            parts = Path(f"/proc/{each}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
            total += int(parts[11]) + int(parts[12])
    return total / _TICKS


def memory_mb(pid: int) -> float:
    """Return the memory of a process and its descendants; shared memory counts once."""
    return sum(_kilobytes(each, "smaps_rollup", "Pss") for each in family(pid)) / 1024


def peak_mb(pid: int) -> float:
    """Return the peak memory of the largest process of a family since `forget_peak`."""
    return max(_kilobytes(each, "status", "VmHWM") for each in family(pid)) / 1024


def forget_peak(pid: int) -> None:
    for each in family(pid):
        with suppress(OSError):
            Path(f"/proc/{each}/clear_refs").write_text("5", encoding="ascii")


def _kilobytes(pid: int, file: str, name: str) -> int:
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/{file}").read_text(encoding="ascii").splitlines():
            if line.startswith(f"{name}:"):
                return int(line.split()[1])
    return 0
