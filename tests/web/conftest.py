"""What the tests of the pages share: the levers of the replica, and the desk behind the pages."""

from __future__ import annotations

import pytest
from flask import Flask

from dashboard.services.container import Services
from tests.conftest import ServedReplica
from tests.support.levers import Levers
from tests.support.web_client import WebClient
from tests.web import steps
from tests.web.steps import RC, challan


@pytest.fixture
def levers(replica: ServedReplica) -> Levers:
    return replica.levers


@pytest.fixture
def services(app: Flask) -> Services:
    """What stands behind the pages, for what a watcher would do."""
    services: Services = app.extensions["services"]
    return services


@pytest.fixture
def five(levers: Levers) -> dict[str, str]:
    """The usual vehicle with five payable challans, known to the organization: their numbers and ids."""
    told = levers.add_vehicle(RC, [challan(n) for n in range(1, 6)])
    return {f"MH100{n}": item["id"] for n, item in enumerate(told["challans"], 1)}


@pytest.fixture
def searched(staff: WebClient, five: dict[str, str]) -> dict[str, str]:
    """The same, just searched by staff."""
    steps.searches(staff)
    return five


@pytest.fixture
def unclear(staff: WebClient, searched: dict[str, str], levers: Levers) -> str:
    """The page of a request whose answer was lost after the link was made."""
    levers.fault("create_link", "cut", when="after")
    return steps.request_of(steps.create(staff, "MH1001", "MH1002", hours="72"))
