"""Test the replica as a process: it starts, answers, and stops on a signal."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import requests

PROGRAM = """
import logging, sys
from pathlib import Path
from dashboard.replica.server import serve
from dashboard.replica.settings import ReplicaSettings
logging.basicConfig(level=logging.INFO, stream=sys.stdout, format="%(message)s")
serve(ReplicaSettings(database=Path(sys.argv[1]), seed="empty"), "127.0.0.1", 0)
print("stopped", flush=True)
"""


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_stops_the_server_cleanly(tmp_path: Path, how: signal.Signals):
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(tmp_path / "replica.sqlite3")],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        cwd=Path(__file__).parents[2],
    )
    try:
        assert process.stdout is not None
        assert select.select([process.stdout], [], [], 20)[0], "the server did not start"
        url = process.stdout.readline().split()[-1]
        assert requests.get(url, timeout=10).status_code == 200
        process.send_signal(how)
        output, _ = process.communicate(timeout=10)
        assert output.split() == ["stopped"]
        assert process.returncode == 0
    finally:
        if process.poll() is None:
            process.kill()
            process.communicate()
