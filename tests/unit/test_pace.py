from datetime import UTC, datetime, timedelta

import pytest

from dashboard.services.pace import Pace

NOW = datetime(2026, 11, 21, 8, 30, tzinfo=UTC)


def next_check(status, *, looked=None, paid_at=None, expires=timedelta(hours=40), pace=None):
    return (pace or Pace()).next_check(
        status=status,
        paid_at=paid_at,
        expires_at=NOW + expires if expires is not None else None,
        first_seen_at=NOW - timedelta(hours=1),
        looked_at=NOW - looked if looked is not None else None,
        now=NOW,
    )


def test_a_watched_link_is_asked_for_every_three_seconds_and_another_every_fifteen():
    assert next_check("ACTIVE", looked=timedelta(seconds=29)) == NOW + timedelta(seconds=3)
    assert next_check("ACTIVE", looked=timedelta(seconds=31)) == NOW + timedelta(seconds=15)
    assert next_check("ACTIVE") == NOW + timedelta(seconds=15)


def test_an_undocumented_state_is_followed_like_a_live_one():
    assert next_check("ON_HOLD") == NOW + timedelta(seconds=15)


def test_a_paid_link_is_left_alone_once_its_moment_is_known():
    assert next_check("PAID", paid_at=NOW) is None
    assert next_check("PAID") is not None


@pytest.mark.parametrize("status", ["EXPIRED", "FAILED", "CANCELLED"])
def test_an_ended_link_is_looked_at_until_a_day_past_its_expiry(status):
    assert next_check(status, expires=timedelta(hours=-23)) == NOW + timedelta(minutes=15)
    assert next_check(status, expires=timedelta(hours=-25)) is None
    assert next_check(status, expires=None) is not None


def test_the_looks_at_an_unclear_request_come_after_3_30_and_130_seconds():
    after = [Pace().next_look(NOW, NOW + timedelta(seconds=passed)) - NOW for passed in (0, 3, 29, 30, 129)]
    assert [span.total_seconds() for span in after] == [3, 30, 30, 130, 130]
    late = NOW + timedelta(hours=12)
    assert timedelta(minutes=5) <= Pace().next_look(NOW, late) - late <= timedelta(minutes=30)
