"""Test that a forked command behaves as one for which Python is started, so that the other tests may fork theirs."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable

import pytest

from tests.commands.conftest import Run, Running


@pytest.mark.parametrize(
    ("arguments", "code"), [(("--help",), 0), (("nonsense",), 2), (("check",), 1), (("serve", "--quiet"), 1)]
)
def test_it_says_the_same_and_ends_with_the_same_code(run: Run, arguments: tuple[str, ...], code: int) -> None:
    forked, started = (run(*arguments, anew=anew, SECRET_KEY="", TIMEZONE="Mars") for anew in (False, True))
    assert forked.returncode == started.returncode == code
    assert (forked.stdout, forked.stderr) == (started.stdout, started.stderr)


def test_its_environment_folder_and_session_are_its_own(
    start: Callable[..., Running], command_environ: dict[str, str]
) -> None:
    running = start("worker", environ={**command_environ, "DASHBOARD_DATA_DIR": "relative"})
    running.says("The worker runs.")
    assert (running.output.parent / "relative" / "dashboard.db").exists()
    assert os.getsid(running.process.pid) == running.process.pid
    assert running.stop(signal.SIGKILL) == -signal.SIGKILL
