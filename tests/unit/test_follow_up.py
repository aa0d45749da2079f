"""Test until when a person can snooze an unpaid link."""

from datetime import UTC, datetime, timedelta

import pytest

from dashboard.domain.follow_up import NotSnoozed, Snooze, SnoozeProblem, rests, rests_until, snooze

NOW = datetime(2026, 11, 21, 6, 30, tzinfo=UTC)


def after(**span):
    return NOW + timedelta(**span)


@pytest.mark.parametrize("expires_at", [None, after(hours=5), after(days=2)])
def test_a_link_with_over_an_hour_left_after_the_snooze_is_snoozed_as_requested(expires_at):
    assert snooze(after(hours=4), expires_at, NOW) == Snooze(after(hours=4))


@pytest.mark.parametrize("ends", [timedelta(hours=4.5), timedelta(hours=1.1)])
def test_a_snooze_ends_an_hour_before_the_links_end_at_the_latest(ends):
    assert snooze(after(hours=4), NOW + ends, NOW) == Snooze(NOW + ends - timedelta(hours=1), is_shortened=True)


@pytest.mark.parametrize(
    ("minutes", "problem"),
    [(60, SnoozeProblem.ENDS_WITHIN_THE_HOUR), (0, SnoozeProblem.HAS_ENDED), (-5, SnoozeProblem.HAS_ENDED)],
)
def test_a_link_that_ends_within_the_hour_is_not_snoozed(minutes, problem):
    with pytest.raises(NotSnoozed) as refused:
        snooze(after(hours=4), after(minutes=minutes), NOW)
    assert refused.value.problem is problem


@pytest.mark.parametrize(
    ("sent", "ends", "too_early"),
    [
        (after(hours=-11), after(days=1), True),
        (after(hours=-11), None, True),
        (after(hours=-12), after(days=1), False),
        (after(hours=-2), after(hours=6), True),
        (after(hours=-3), after(hours=6), False),
    ],
)
def test_a_link_that_was_sent_rests_for_half_a_day_and_less_in_its_last_hours(sent, ends, too_early):
    assert rests(sent, ends, NOW) is too_early


@pytest.mark.parametrize("ends", [None, after(days=3), after(hours=20), after(hours=14), after(hours=2)])
def test_the_moment_that_is_said_is_the_first_at_which_a_reminder_is_not_too_early(ends):
    until = rests_until(NOW, ends)
    assert rests(NOW, ends, until - timedelta(seconds=1))
    assert not rests(NOW, ends, until)
