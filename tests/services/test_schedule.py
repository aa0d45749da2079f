"""When a link is asked for again, and when a request is looked at again: each rule of the pace, by itself."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest

from dashboard.services.schedule import Schedule

NOW = datetime(2026, 11, 21, 8, 30, tzinfo=UTC)
SECOND, MINUTE, HOUR, DAY = timedelta(seconds=1), timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
ENDED = ["EXPIRED", "FAILED", "CANCELLED"]


def after(status, *, age=HOUR, since=None, looked=None, paid_at=None, expires=40 * HOUR, ahead=timedelta(0), at=NOW):
    """How long after now a link is asked for: one met `age` ago, in its state since `since`, looked at `looked` ago."""
    due = Schedule().next_check(
        status=status,
        status_since=at - (age if since is None else since),
        paid_at=paid_at,
        expires_at=at + expires if expires is not None else None,
        first_seen_at=at - age,
        looked_at=at - looked if looked is not None else None,
        now=at,
        clock_ahead=ahead,
    )
    return None if due is None else due - at


def assert_about(middle, **link):
    """Around the middle, 20 % to either side, and never the same: links must not march in step."""
    spans = [after(**link) for _ in range(200)]
    assert all(0.8 * middle <= span <= 1.2 * middle for span in spans), (min(spans), max(spans))
    assert max(spans) - min(spans) > 0.2 * middle


# Live links


@pytest.mark.parametrize("age", [MINUTE, 5 * HOUR, 6 * DAY])
def test_a_watched_link_is_asked_for_every_three_seconds(age):
    assert after("ACTIVE", age=age, looked=29 * SECOND) == 3 * SECOND
    assert after("ACTIVE", age=age, looked=31 * SECOND) > 10 * SECOND


@pytest.mark.parametrize("age", [timedelta(0), 29 * MINUTE])
def test_a_link_is_asked_for_every_fifteen_seconds_in_its_first_half_hour(age):
    assert_about(15 * SECOND, status="ACTIVE", age=age)


@pytest.mark.parametrize(
    ("age", "interval"),
    [(31 * MINUTE, MINUTE), (HOUR, MINUTE), (2 * HOUR, 2 * MINUTE), (5 * HOUR, 5 * MINUTE), (6 * DAY, 5 * MINUTE)],
)
def test_later_the_interval_is_a_sixtieth_of_its_age_from_one_minute_to_five(age, interval):
    assert_about(interval, status="ACTIVE", age=age)


def test_an_undocumented_state_is_followed_like_a_live_one():
    assert_about(15 * SECOND, status="ON_HOLD", age=MINUTE)
    assert after("ON_HOLD", looked=SECOND) == 3 * SECOND


def test_a_link_is_asked_for_exactly_at_its_expiry():
    assert after("ACTIVE", age=DAY, expires=90 * SECOND) == 90 * SECOND
    assert after("ACTIVE", age=DAY, expires=SECOND, looked=SECOND) == SECOND


@pytest.mark.parametrize("ahead", [7, -7])
def test_the_expiry_is_a_moment_of_the_services_clock(ahead):
    """A clock seven seconds ahead of ours comes to the expiry seven seconds before ours does."""
    assert after("ACTIVE", age=DAY, expires=90 * SECOND, ahead=ahead * SECOND) == (90 - ahead) * SECOND


def test_a_link_that_should_have_expired_is_asked_for_like_a_young_one_then_ever_less():
    assert_about(15 * SECOND, status="ACTIVE", age=2 * DAY, expires=timedelta(0))
    assert_about(15 * SECOND, status="ACTIVE", age=2 * DAY, expires=-29 * MINUTE)
    assert_about(2 * MINUTE, status="ACTIVE", age=2 * DAY, expires=-2 * HOUR)
    assert_about(HOUR, status="ACTIVE", age=9 * DAY, expires=-7 * DAY)


def test_a_link_without_an_expiry_is_followed_for_eight_days():
    assert_about(5 * MINUTE, status="ACTIVE", age=8 * DAY - HOUR, expires=None)
    assert after("ACTIVE", age=8 * DAY, expires=None) is None
    assert after("ACTIVE", age=9 * DAY, expires=None, looked=SECOND) == 3 * SECOND, "somebody wants to know"


# Paid links


def test_a_paid_link_is_left_alone_once_its_moment_is_known():
    assert after("PAID", paid_at=NOW) is None
    assert after("PAID", paid_at=NOW, looked=SECOND) is None


def test_a_paid_link_is_asked_for_its_moment_every_minute_and_then_less_until_it_comes():
    assert_about(MINUTE, status="PAID", since=timedelta(0))
    assert_about(2 * MINUTE, status="PAID", since=2 * HOUR)
    assert_about(24 * MINUTE, status="PAID", age=9 * DAY, since=DAY, expires=-7 * DAY)
    assert after("PAID", since=DAY, looked=SECOND) <= 18 * SECOND


# Ended links


def looks_until_the_end(status, *, expires):
    """The moments, after the end, at which a link that stays ended is asked for; asked for as soon as it is due."""
    passed, moments = timedelta(0), []
    while (span := after(status, since=passed, expires=expires - passed, at=NOW + passed)) is not None:
        passed += span
        moments.append(passed)
        assert len(moments) < 50, "there is no end to it"
    return moments


@pytest.mark.parametrize("status", ENDED)
def test_an_expired_link_is_looked_at_six_times_until_a_day_past_its_expiry(status):
    for _ in range(50):
        moments = looks_until_the_end(status, expires=timedelta(0))
        assert moments[-1] == DAY
        for moment, middle in zip(moments, [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 6 * HOUR], strict=False):
            assert 0.8 * middle <= moment <= 1.2 * middle
        assert len(moments) in (6, 7)


def test_a_link_that_failed_long_before_its_expiry_is_looked_at_daily_until_a_day_past_it():
    moments = looks_until_the_end("FAILED", expires=5 * DAY)
    assert moments[-1] == 6 * DAY
    assert 9 <= len(moments) <= 13
    assert all(later - earlier <= 1.2 * DAY for earlier, later in pairwise(moments))


@pytest.mark.parametrize("status", ENDED)
def test_an_ended_link_is_left_alone_a_day_past_its_expiry(status):
    assert after(status, age=4 * DAY, since=DAY, expires=-DAY) is None
    assert after(status, age=4 * DAY, since=DAY, expires=-DAY, looked=SECOND) is None


def test_an_ended_link_that_somebody_watches_is_asked_for_every_fifteen_seconds():
    assert after("CANCELLED", since=HOUR, looked=SECOND) == 15 * SECOND


@pytest.mark.parametrize("status", ENDED)
def test_an_ended_link_without_an_expiry_is_followed_for_eight_days(status):
    assert after(status, age=8 * DAY - HOUR, expires=None) is not None
    assert after(status, age=8 * DAY, expires=None) is None


# Links whose checks fail


def test_a_link_that_cannot_be_checked_is_left_alone_longer_each_time():
    spans = [Schedule(jitter=0).pause(failures, watched=False) for failures in range(1, 12)]
    assert spans[:4] == [15 * SECOND, 30 * SECOND, MINUTE, 2 * MINUTE]
    assert spans == sorted(spans)
    assert spans[-1] == HOUR
    assert Schedule().pause(10_000, watched=False) == HOUR


def test_a_watched_link_that_cannot_be_checked_is_tried_every_half_minute_at_least():
    assert Schedule().pause(20, watched=True) == 30 * SECOND
    spans = [Schedule(jitter=0).pause(failures, watched=True) for failures in range(1, 6)]
    assert spans == [3 * SECOND, 6 * SECOND, 12 * SECOND, 24 * SECOND, 30 * SECOND], "somebody waits for it"


# Unclear requests


def test_the_looks_at_an_unclear_request_come_after_3_30_and_130_seconds():
    looks = [Schedule().next_attempt(NOW, NOW + passed * SECOND) - NOW for passed in (0, 3, 29, 30, 129)]
    assert looks == [3 * SECOND, 30 * SECOND, 30 * SECOND, 130 * SECOND, 130 * SECOND]
    late = NOW + 12 * HOUR
    assert 5 * MINUTE <= Schedule().next_attempt(NOW, late) - late <= 30 * MINUTE
