"""Make settlement checks by themselves, as `DASHBOARD_SETTLEMENT_CHECKS=1` does, of links that tests pay."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dashboard.services.container import Services
from dashboard.services.creation.unrecorded_links import UnrecordedLinks
from dashboard.services.schedule import Schedule
from tests.services.reconciliation.payments import Payments

UNATTENDED = replace(Schedule(), unattended_settlement_checks=True)


@pytest.fixture
def services(services: Services, tmp_path) -> Services:
    client = services.vehicle_search.client
    return Services(services.store, client, services.clock, UNATTENDED, UnrecordedLinks(tmp_path / "spool"))


@pytest.fixture
def payments(clerk, levers, clock):
    return Payments(clerk, levers, clock)
