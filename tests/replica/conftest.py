"""Provide a replica for each test: in-process for the rules, on a socket where the test is about the socket."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from dashboard.replica.app import create_replica
from dashboard.replica.server import RunningReplica, running
from tests.replica.caller import ReplicaCaller, replica_settings


@pytest.fixture
def replica(tmp_path: Path) -> Iterator[ReplicaCaller]:
    """Return a replica with two organizations and their cities, and without vehicles."""
    app = create_replica(replica_settings(tmp_path))
    yield ReplicaCaller(app.test_client())
    app.extensions["replica"].state.close()


@pytest.fixture
def demo_replica(tmp_path: Path) -> Iterator[ReplicaCaller]:
    """Return a replica with the demo fleet."""
    app = create_replica(replica_settings(tmp_path, seed="demo"))
    yield ReplicaCaller(app.test_client())
    app.extensions["replica"].state.close()


@pytest.fixture
def socket_replica(tmp_path: Path) -> Iterator[RunningReplica]:
    """Return an empty replica on a socket of its own."""
    with running(replica_settings(tmp_path)) as server:
        yield server
