"""Test that the banner says when clocks do not agree (A8)."""

from __future__ import annotations

from datetime import timedelta

import pytest

from dashboard.services.container import Services
from dashboard.store.operations import clock_checks
from dashboard.store.operations.clock_checks import ClockCheck
from tests.support.clock import MovableClock
from tests.support.web_client import WebClient


@pytest.mark.parametrize(
    ("found", "words"),
    [
        ({"database_ahead": -5.2}, "The clock of depot-2 is 5 s ahead of the database’s."),
        ({"service_ahead": 40.0}, "The clock of depot-2 is 40 s behind the service’s."),
        ({"stepped_by": -60.0}, "The clock of depot-2 jumped by 60 s."),
    ],
)
def test_a_host_whose_clock_is_wrong_is_named(
    staff: WebClient, services: Services, clock: MovableClock, found: dict[str, float], words: str
) -> None:
    stepped_at = clock() if "stepped_by" in found else None
    with services.store.write() as connection:
        clock_checks.save(connection, ClockCheck("depot-2", clock(), stepped_at=stepped_at, **found))
        clock_checks.save(connection, ClockCheck("depot-1", clock() - timedelta(seconds=1), 0.2, 1.0))
    banner = " ".join(each.get_text(" ") for each in staff.page("/").all(".banner"))
    assert "The clocks do not agree" in banner
    assert words in " ".join(banner.split())
    assert "depot-1" not in banner
