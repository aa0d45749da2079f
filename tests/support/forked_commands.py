"""Run `python -m dashboard` as a process of its own without the seconds of processor time that its imports take.

It is forked as in `killable_processes`, from a server that runs no thread and has imported what the commands import.
Environment, folder, session and files are its own. Where Python itself is to be started, as by a setting of
Python's or with other code, use `subprocess`.
"""

from __future__ import annotations

import os
import runpy
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.support.killable_processes import CONTEXT, PRELOADED

CONTEXT.set_forkserver_preload([*PRELOADED, __name__, "tests.support.command_modules"])


class ForkedCommand:
    """A running command, to be handled as a `subprocess.Popen`. What it says is appended to files."""

    def __init__(
        self,
        arguments: Sequence[str],
        environ: dict[str, str],
        *,
        folder: Path,
        stdout: Path,
        stderr: Path,
        stdin: Path = Path(os.devnull),
    ) -> None:
        files = (str(stdin), str(stdout), str(stderr))
        self._process = CONTEXT.Process(target=_run, args=(list(arguments), environ, str(folder), files), daemon=True)
        self._process.start()
        assert self._process.pid is not None
        self.args = ["dashboard", *arguments]
        self.pid = self._process.pid

    @property
    def returncode(self) -> int | None:
        return self._process.exitcode

    def poll(self) -> int | None:
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        self._process.join(timeout)
        if self._process.exitcode is None:
            raise subprocess.TimeoutExpired(self.args, timeout or 0)
        return self._process.exitcode

    def send_signal(self, number: int) -> None:
        if self._process.exitcode is None:  # After its end, another process may have its id.
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


def run(
    arguments: Sequence[str], environ: dict[str, str], *, given: str, files_in: Path, timeout: float
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end. `given` is its standard input."""
    stdin, stdout, stderr = (files_in / name for name in ("stdin", "stdout", "stderr"))
    stdin.write_text(given, encoding="utf-8")
    command = ForkedCommand(arguments, environ, folder=Path.cwd(), stdin=stdin, stdout=stdout, stderr=stderr)
    try:
        code = command.wait(timeout)
    finally:
        command.kill()
    said = [file.read_text(encoding="utf-8") for file in (stdout, stderr)]
    return subprocess.CompletedProcess(command.args, code, *said)


def _run(arguments: list[str], environ: dict[str, str], folder: str, files: tuple[str, str, str]) -> None:
    os.setsid()
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environ)
    for number, file in enumerate(files):
        opened = os.open(file, os.O_RDONLY if number == 0 else os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        os.dup2(opened, number)
        os.close(opened)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", encoding="utf-8", errors="backslashreplace", buffering=1, closefd=False)  # noqa: SIM115
    sys.argv = ["dashboard", *arguments]
    runpy.run_module("dashboard", run_name="__main__", alter_sys=True)
