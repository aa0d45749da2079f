"""Run commands as people do: as processes with their own environment."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from dashboard.store.engine import Store
from tests.conftest import CANARY, SECRET_KEY, ServedReplica
from tests.support import forked_commands
from tests.support.forked_commands import ForkedCommand
from tests.support.ports import free_port

Run = Callable[..., "subprocess.CompletedProcess[str]"]


def plain_environ() -> dict[str, str]:
    """Return this process's environment without any setting of ours."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("DASHBOARD_", "REPLICA_"))}


@pytest.fixture
def command_environ(replica: ServedReplica, tmp_path: Path) -> dict[str, str]:
    return {
        **plain_environ(),
        "DASHBOARD_SERVICE_URL": replica.url,
        "DASHBOARD_API_SECRET": CANARY,
        "DASHBOARD_SECRET_KEY": SECRET_KEY,
        "DASHBOARD_DATA_DIR": str(tmp_path / "data"),
        "DASHBOARD_LISTEN": f"127.0.0.1:{free_port()}",
        "DASHBOARD_INSECURE_COOKIES": "1",
        "DASHBOARD_CONNECT_SECONDS": "1",
        "DASHBOARD_STATUS_SECONDS": "3",
    }


@pytest.fixture
def run(command_environ: dict[str, str], tmp_path: Path) -> Run:
    """Run a command to its end. No output may hold a secret. `anew` starts Python for it, which takes long."""

    def run(*arguments: str, stdin: str = "", anew: bool = False, **changed: str) -> subprocess.CompletedProcess[str]:
        environ = {**command_environ, **{f"DASHBOARD_{name}": value for name, value in changed.items()}}
        if anew:
            command = [sys.executable, "-m", "dashboard", *arguments]
            done = subprocess.run(
                command, check=False, env=environ, input=stdin, capture_output=True, text=True, timeout=60
            )
        else:
            with TemporaryDirectory(dir=tmp_path) as folder:
                done = forked_commands.run(arguments, environ, given=stdin, files_in=Path(folder), timeout=60)
        for secret in (CANARY, SECRET_KEY):
            assert secret not in done.stdout + done.stderr
        assert "Traceback" not in done.stdout + done.stderr
        return done

    return run


class Running:
    """Control a command that runs until it is stopped. `anew` starts Python for it, which takes long."""

    def __init__(self, arguments: list[str], environ: dict[str, str], folder: Path, *, anew: bool = False) -> None:
        self.output = folder / f"{arguments[0]}-{time.monotonic_ns()}.log"
        self.output.touch()
        self.process: subprocess.Popen[bytes] | ForkedCommand
        if not anew:
            self.process = ForkedCommand(arguments, environ, folder=folder, stdout=self.output, stderr=self.output)
            return
        command = [sys.executable, "-m", "dashboard", *arguments]
        with self.output.open("a") as file:
            self.process = subprocess.Popen(
                command, env=environ, cwd=folder, stdout=file, stderr=file, start_new_session=True
            )

    @property
    def said(self) -> str:
        return self.output.read_text()

    def answers(self, address: str, timeout: float = 60) -> str:
        """Wait until the address answers with success; return the text."""
        pause = threading.Event()
        deadline = time.monotonic() + timeout
        while time.monotonic() < deadline:
            assert self.process.poll() is None, f"ended with {self.process.returncode}:\n{self.said}"
            try:
                with urllib.request.urlopen(address, timeout=5) as answer:
                    return str(answer.read().decode())
            except OSError:
                pause.wait(0.05)
        raise AssertionError(f"{address} did not answer:\n{self.said}")

    def says(self, words: str, timeout: float = 60) -> None:
        pause = threading.Event()
        deadline = time.monotonic() + timeout
        while words not in self.said:
            assert self.process.poll() is None, f"ended with {self.process.returncode}:\n{self.said}"
            assert time.monotonic() < deadline, f"never said {words!r}:\n{self.said}"
            pause.wait(0.05)

    def stop(self, number: int) -> int:
        if self.process.poll() is None:
            self.process.send_signal(number)
        return self.process.wait(90)


@pytest.fixture
def start(command_environ: dict[str, str], tmp_path: Path) -> Iterator[Callable[..., Running]]:
    started: list[Running] = []

    def start(*arguments: str, environ: dict[str, str] | None = None, anew: bool = False) -> Running:
        started.append(Running(list(arguments), environ or command_environ, tmp_path, anew=anew))
        return started[-1]

    yield start
    for running in started:
        if running.process.poll() is None:
            running.process.kill()
            running.process.wait(30)


@pytest.fixture
def target(postgres_url: str) -> Iterator[Store]:
    """Yield the store on PostgreSQL, as yet without a table. It keeps no connection: the target must be nobody's."""
    store = Store(postgres_url, connections=1)
    yield store
    store.close()
