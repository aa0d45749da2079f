"""Run the dashboard as the files of deploy/ do, and walk through it as a clerk."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.bench.clerk import Clerk
from tests.commands.conftest import command_environ, run, start
from tests.conftest import ServedReplica
from tests.support.people import ASHA, PASSWORD

__all__ = ["command_environ", "run", "start"]

RC = "MH12AB1001"


@pytest.fixture
def asha(replica: ServedReplica) -> list[str]:
    """Return the command that adds Asha, and give the replica a vehicle for her."""
    replica.levers.add_vehicle(RC, [{"challanNo": f"MH100{number}"} for number in range(3)])
    return ["user", "add", ASHA.email, "--name", ASHA.name, "--role", "staff", "--password-stdin"]


@pytest.fixture
def walk(replica: ServedReplica) -> Callable[..., Clerk]:
    """Return a function that signs in, searches, creates a link and reads its page."""

    def walk(url: str, **how: object) -> Clerk:
        clerk = Clerk(url, **how)  # type: ignore[arg-type]  # Options of different types.
        link_id = clerk.creates_a_link(RC)
        assert replica.levers.link(link_id)["status"] == "ACTIVE"
        assert "Copy link" in clerk.opens(f"/links/{link_id}")
        return clerk

    return walk


__all__ += ["PASSWORD", "asha", "walk"]
