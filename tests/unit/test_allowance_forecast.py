"""Test what bulk work leaves of a day's allowance: the reserve for unclear requests, and the share of people."""

from __future__ import annotations

import pytest

from dashboard.domain.allowance_forecast import left_for_bulk, people_share, reserve


@pytest.mark.parametrize(("learned", "reserved"), [(10_000, 500), (401, 21), (400, 20), (100, 20), (21, 20), (20, 0)])
def test_five_percent_are_reserved_for_resolving_and_twenty_at_least(learned: int, reserved: int) -> None:
    assert reserve(learned) == reserved


@pytest.mark.parametrize(("learned", "share"), [(0, 5), (40, 5), (100, 5), (101, 6), (5_000, 250)])
def test_people_keep_five_percent_and_five_calls_at_least(learned: int, share: int) -> None:
    assert people_share(learned, ()) == people_share(learned, (0,) * 7) == share


def test_people_keep_what_they_needed_on_the_second_busiest_day() -> None:
    assert people_share(1_000, (90, 400, 70, 0, 85, 0, 60)) == 90
    assert people_share(1_000, (90,)) == 90


def test_nothing_is_left_for_bulk_below_what_is_reserved() -> None:
    assert left_for_bulk(used=900, learned=1_000, reserved=99) == 1
    assert left_for_bulk(used=950, learned=1_000, reserved=100) == 0
