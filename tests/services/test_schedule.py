"""Test when links are polled, when unclear outcomes are resolved again, and how long failures back off."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest

from dashboard.services.schedule import Schedule

NOW = datetime(2026, 11, 21, 8, 30, tzinfo=UTC)
SECOND, MINUTE, HOUR, DAY = timedelta(seconds=1), timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
ENDED = ["EXPIRED", "FAILED", "CANCELLED"]


def after(status, *, age=HOUR, since=None, watched=None, paid_at=None, expires=40 * HOUR, ahead=timedelta(0), at=NOW):
    """Return how long until a link is polled that was first seen `age` ago, and last watched `watched` ago."""
    due = Schedule().next_check(
        status=status,
        status_since=at - (age if since is None else since),
        paid_at=paid_at,
        expires_at=at + expires if expires is not None else None,
        first_seen_at=at - age,
        watched_at=at - watched if watched is not None else None,
        now=at,
        service_clock_offset=ahead,
    )
    return None if due is None else due - at


def assert_about(middle, **link):
    """Expect intervals up to 20 % to either side of the middle, which differ: links must not be polled all at once."""
    spans = [after(**link) for _ in range(200)]
    assert all(0.8 * middle <= span <= 1.2 * middle for span in spans), (min(spans), max(spans))
    assert max(spans) - min(spans) > 0.2 * middle


@pytest.mark.parametrize("status", ENDED)
@pytest.mark.parametrize("age", [MINUTE, 7 * HOUR, 30 * DAY])
def test_an_ended_link_beside_one_that_can_be_paid_is_polled_like_a_young_one(status, age):
    """Also when it would be polled no more by itself."""
    facts = {"status": status, "status_since": NOW - age, "first_seen_at": NOW - age, "expires_at": NOW - age}
    due = Schedule().next_check(**facts, paid_at=None, watched_at=None, now=NOW, beside_payable=True)
    assert due is not None
    assert 12 * SECOND <= due - NOW <= 18 * SECOND


# Live links


@pytest.mark.parametrize("age", [MINUTE, 5 * HOUR, 6 * DAY])
def test_a_watched_link_is_polled_every_three_seconds(age):
    assert after("ACTIVE", age=age, watched=29 * SECOND) == 3 * SECOND
    assert after("ACTIVE", age=age, watched=31 * SECOND) > 10 * SECOND


@pytest.mark.parametrize("age", [timedelta(0), 29 * MINUTE])
def test_a_link_is_polled_every_fifteen_seconds_in_its_first_half_hour(age):
    assert_about(15 * SECOND, status="ACTIVE", age=age)


@pytest.mark.parametrize(
    ("age", "interval"),
    [(31 * MINUTE, MINUTE), (HOUR, MINUTE), (2 * HOUR, 2 * MINUTE), (5 * HOUR, 5 * MINUTE), (6 * DAY, 5 * MINUTE)],
)
def test_later_the_interval_is_a_sixtieth_of_its_age_from_one_minute_to_five(age, interval):
    assert_about(interval, status="ACTIVE", age=age)


def test_a_link_in_an_undocumented_state_is_polled_like_an_active_one():
    assert_about(15 * SECOND, status="ON_HOLD", age=MINUTE)
    assert after("ON_HOLD", watched=SECOND) == 3 * SECOND


def test_a_link_is_polled_exactly_at_its_expiry():
    assert after("ACTIVE", age=DAY, expires=90 * SECOND) == 90 * SECOND
    assert after("ACTIVE", age=DAY, expires=SECOND, watched=SECOND) == SECOND


@pytest.mark.parametrize("ahead", [7, -7])
def test_the_expiry_is_a_moment_of_the_services_clock(ahead):
    """Poll seven seconds earlier if the service's clock is seven seconds ahead."""
    assert after("ACTIVE", age=DAY, expires=90 * SECOND, ahead=ahead * SECOND) == (90 - ahead) * SECOND


def test_a_link_past_its_expiry_is_polled_like_a_young_one_then_ever_less():
    assert_about(15 * SECOND, status="ACTIVE", age=2 * DAY, expires=timedelta(0))
    assert_about(15 * SECOND, status="ACTIVE", age=2 * DAY, expires=-29 * MINUTE)
    assert_about(2 * MINUTE, status="ACTIVE", age=2 * DAY, expires=-2 * HOUR)
    assert_about(HOUR, status="ACTIVE", age=9 * DAY, expires=-7 * DAY)


def test_a_link_without_an_expiry_is_polled_for_eight_days():
    assert_about(5 * MINUTE, status="ACTIVE", age=8 * DAY - HOUR, expires=None)
    assert after("ACTIVE", age=8 * DAY, expires=None) is None
    assert after("ACTIVE", age=9 * DAY, expires=None, watched=SECOND) == 3 * SECOND, "somebody watches it"


# Paid links


def test_a_paid_link_is_not_polled_once_its_payment_time_is_known():
    assert after("PAID", paid_at=NOW) is None
    assert after("PAID", paid_at=NOW, watched=SECOND) is None


def test_a_paid_link_without_a_payment_time_is_polled_every_minute_and_then_less():
    assert_about(MINUTE, status="PAID", since=timedelta(0))
    assert_about(2 * MINUTE, status="PAID", since=2 * HOUR)
    assert_about(24 * MINUTE, status="PAID", age=9 * DAY, since=DAY, expires=-7 * DAY)
    assert after("PAID", since=DAY, watched=SECOND) <= 18 * SECOND


# Ended links


def checks_until_the_last(status, *, expires):
    """Return the ages, counted from its end, at which an ended link is checked, each time as soon as it is due."""
    passed, moments = timedelta(0), []
    while (span := after(status, since=passed, expires=expires - passed, at=NOW + passed)) is not None:
        passed += span
        moments.append(passed)
        assert len(moments) < 50, "the checks never stop"
    return moments


@pytest.mark.parametrize("status", ENDED)
def test_an_expired_link_is_checked_six_times_until_a_day_past_its_expiry(status):
    for _ in range(50):
        moments = checks_until_the_last(status, expires=timedelta(0))
        assert moments[-1] == DAY
        for moment, middle in zip(moments, [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 6 * HOUR], strict=False):
            assert 0.8 * middle <= moment <= 1.2 * middle
        assert len(moments) in (6, 7)


def test_a_link_that_failed_long_before_its_expiry_is_checked_daily_until_a_day_past_it():
    moments = checks_until_the_last("FAILED", expires=5 * DAY)
    assert moments[-1] == 6 * DAY
    assert 9 <= len(moments) <= 13
    assert all(later - earlier <= 1.2 * DAY for earlier, later in pairwise(moments))


@pytest.mark.parametrize("status", ENDED)
def test_an_ended_link_is_not_checked_later_than_a_day_past_its_expiry(status):
    assert after(status, age=4 * DAY, since=DAY, expires=-DAY) is None
    assert after(status, age=4 * DAY, since=DAY, expires=-DAY, watched=SECOND) is None


def test_a_watched_link_that_has_ended_is_checked_every_fifteen_seconds():
    assert after("CANCELLED", since=HOUR, watched=SECOND) == 15 * SECOND


@pytest.mark.parametrize("status", ENDED)
def test_an_ended_link_without_an_expiry_is_checked_for_eight_days(status):
    assert after(status, age=8 * DAY - HOUR, expires=None) is not None
    assert after(status, age=8 * DAY, expires=None) is None


# Links whose checks fail


def test_the_backoff_doubles_with_each_failure_up_to_an_hour():
    spans = [Schedule(jitter=0).backoff(failures, watched=False) for failures in range(1, 12)]
    assert spans[:4] == [15 * SECOND, 30 * SECOND, MINUTE, 2 * MINUTE]
    assert spans == sorted(spans)
    assert spans[-1] == HOUR
    assert Schedule().backoff(10_000, watched=False) == HOUR


def test_a_watched_link_backs_off_for_half_a_minute_at_most():
    assert Schedule().backoff(20, watched=True) == 30 * SECOND
    spans = [Schedule(jitter=0).backoff(failures, watched=True) for failures in range(1, 6)]
    assert spans == [3 * SECOND, 6 * SECOND, 12 * SECOND, 24 * SECOND, 30 * SECOND], "it begins at its polling interval"


# Unclear outcomes


def test_the_attempts_to_resolve_an_outcome_come_after_3_30_and_130_seconds():
    attempts = [Schedule().next_attempt(NOW, NOW + passed * SECOND) - NOW for passed in (0, 3, 29, 30, 129)]
    assert attempts == [3 * SECOND, 30 * SECOND, 30 * SECOND, 130 * SECOND, 130 * SECOND]
    late = NOW + 12 * HOUR
    assert 5 * MINUTE <= Schedule().next_attempt(NOW, late) - late <= 30 * MINUTE
