"""Make settlement checks by themselves, as `DASHBOARD_SETTLEMENT_CHECKS=1` does."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dashboard.services.container import Services
from dashboard.services.creation.unrecorded_links import UnrecordedLinks
from dashboard.services.schedule import Schedule

UNATTENDED = replace(Schedule(), unattended_settlement_checks=True)


@pytest.fixture
def services(services: Services, tmp_path) -> Services:
    client = services.vehicle_search.client
    return Services(services.store, client, services.clock, UNATTENDED, UnrecordedLinks(tmp_path / "spool"))
