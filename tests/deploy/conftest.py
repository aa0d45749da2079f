"""Run the dashboard as the files of deploy/ do, and walk through it as a clerk."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.bench.clerk import Clerk
from tests.commands.conftest import command_environ, start
from tests.conftest import ServedReplica

__all__ = ["command_environ", "start"]

RC = "MH12AB1001"


@pytest.fixture
def vehicle(replica: ServedReplica) -> None:
    """Give the replica a vehicle with challans."""
    replica.levers.add_vehicle(RC, [{"challanNo": f"MH100{number}"} for number in range(3)])


@pytest.fixture
def walk(replica: ServedReplica, vehicle: None) -> Callable[..., Clerk]:
    """Return a function that signs in, searches, creates a link and reads its page."""

    def walk(url: str, **how: object) -> Clerk:
        clerk = Clerk(url, **how)  # type: ignore[arg-type]  # Options of different types.
        link_id = clerk.creates_a_link(RC)
        assert replica.levers.link(link_id)["status"] == "ACTIVE"
        assert "Copy link" in clerk.opens(f"/links/{link_id}")
        return clerk

    return walk


__all__ += ["vehicle", "walk"]
