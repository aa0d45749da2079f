"""Test that the PostgreSQL server of a test run ends with the run, however that ends."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import make_url

from tests.support.postgres import programs
from tests.support.waiting import until

#: Starts a server, says its address and folder, and uses it until a line comes.
_RUN = """
import sys
from sqlalchemy import create_engine, text
from tests.support.postgres import running_server
with running_server() as address:
    with create_engine(f"{address}/postgres").connect() as connection:
        print(address, connection.execute(text("SHOW data_directory")).scalar_one(), flush=True)
        sys.stdin.readline()
"""


@pytest.mark.parametrize(
    "end",
    [
        pytest.param(lambda run: run.communicate("\n"), id="by itself"),
        pytest.param(lambda run: run.kill(), id="killed"),
        pytest.param(lambda run: run.send_signal(signal.SIGTERM), id="terminated"),
    ],
)
def test_a_server_ends_with_the_run_that_started_it(end: Callable[[subprocess.Popen[str]], object]) -> None:
    if programs() is None:
        pytest.skip("PostgreSQL is not installed on this machine")
    with subprocess.Popen(
        [sys.executable, "-c", _RUN], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as run:
        assert run.stdout is not None
        address, data = run.stdout.readline().split()
        assert Path(data).is_dir()
        end(run)
    until(lambda: not answers(address), "the server still answers")
    until(lambda: not Path(data).parent.exists(), "its files are still there")


def answers(address: str) -> bool:
    url = make_url(address)
    try:
        psycopg.connect(host=url.host, port=url.port, user=url.username, dbname="postgres").close()
    except psycopg.OperationalError:
        return False
    return True
