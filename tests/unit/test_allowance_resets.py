"""Test how the hour at which an allowance comes back is learned, narrowed, replaced and forgotten."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboard.domain.allowance_resets import (
    INDIA,
    Refusals,
    Reset,
    day_of,
    is_contradicted,
    learn,
    may_not_be_back,
    next_day_begins,
    next_return,
    next_try,
)


def at(text: str) -> datetime:
    """Return a moment in India, as in "21 20:05"."""
    return datetime.strptime(f"2026-11-{text}", "%Y-%m-%d %H:%M").replace(tzinfo=INDIA).astimezone(UTC)


def refused(since: str, latest: str) -> Refusals:
    return Refusals(at(since), at(latest))


def minutes(reset: Reset | None) -> tuple[str, str] | None:
    return reset and (f"{reset.after // 60}:{reset.after % 60:02}", f"{reset.by // 60}:{reset.by % 60:02}")


ELEVEN = learn(None, refused("21 08:00", "21 10:58"), at("21 11:57"))
assert ELEVEN


def test_an_allowance_comes_back_between_the_last_refused_and_the_first_granted_call() -> None:
    assert minutes(ELEVEN) == ("10:55", "12:00")
    assert minutes(learn(None, refused("21 18:00", "21 23:50"), at("22 00:20"))) == ("23:50", "0:25")


def test_a_further_day_narrows_it() -> None:
    narrowed = learn(ELEVEN, refused("22 09:00", "22 11:27"), at("22 11:44"))
    assert minutes(narrowed) == ("11:25", "11:45")
    assert narrowed
    assert narrowed.days == 2
    assert minutes(learn(narrowed, refused("22 20:00", "22 20:01"), at("23 12:00"))) == ("11:25", "11:45")


def test_a_further_return_on_the_same_day_is_no_further_day() -> None:
    again = learn(ELEVEN, refused("21 08:00", "21 10:58"), at("21 11:44"))
    assert again
    assert again.days == 1


def test_a_return_at_another_hour_replaces_it() -> None:
    assert minutes(learn(ELEVEN, refused("22 20:00", "22 23:40"), at("23 00:20"))) == ("23:40", "0:25")


def test_a_passing_refusal_shows_nothing() -> None:
    assert learn(None, refused("21 14:00", "21 14:01"), at("21 14:07")) is None
    assert learn(ELEVEN, refused("21 14:00", "21 14:01"), at("21 14:07")) == ELEVEN


def test_a_refusal_of_a_day_ago_shows_nothing() -> None:
    assert learn(None, refused("21 14:00", "21 14:01"), at("22 14:00")) is None


def test_a_clock_that_went_back_shows_nothing() -> None:
    assert learn(None, refused("21 10:00", "21 14:00"), at("21 13:00")) is None
    assert refused("21 10:00", "21 14:00").and_again(at("21 13:00")) == refused("21 13:00", "21 13:00")


def test_refusals_within_a_day_go_on_and_later_ones_begin_anew() -> None:
    assert refused("21 10:00", "21 14:00").and_again(at("22 13:00")) == refused("21 10:00", "22 13:00")
    assert refused("21 10:00", "21 14:00").and_again(at("22 15:00")) == refused("22 15:00", "22 15:00")


@pytest.mark.parametrize(
    ("since", "latest", "contradicted"),
    [
        ("22 09:00", "22 11:59", False),
        ("22 09:00", "22 12:04", False),  # The clocks may differ.
        ("22 09:00", "22 12:06", True),
        ("22 12:30", "22 23:00", False),  # Spent after it came back.
        ("22 12:30", "23 13:00", True),
        ("22 11:30", "22 14:00", False),  # Perhaps spent after it came back.
    ],
)
def test_a_refusal_after_the_hour_contradicts_it(since: str, latest: str, contradicted: bool) -> None:
    assert is_contradicted(ELEVEN, refused(since, latest)) is contradicted


def test_midnight_is_the_likeliest_hour_then_midnight_in_utc_then_the_earliest() -> None:
    night = learn(None, refused("21 20:00", "21 20:05"), at("22 09:00"))
    morning = learn(None, refused("21 20:00", "22 02:05"), at("22 09:00"))
    assert [each.begins if each else None for each in (night, morning, ELEVEN)] == [0, 330, 655]


def test_the_day_of_a_call_holds_the_greater_part_of_its_allowance() -> None:
    evening = learn(None, refused("21 20:00", "21 22:00"), at("21 22:20"))
    assert [day_of(at(moment), ELEVEN).day for moment in ("21 10:54", "21 10:55", "21 23:00")] == [20, 21, 21]
    assert [day_of(at(moment), evening).day for moment in ("21 21:59", "21 22:00", "22 21:00")] == [21, 22, 22]
    assert [day_of(at(moment), None).day for moment in ("21 00:00", "21 23:59")] == [21, 21]


def test_midnight_is_assumed_until_a_return_was_seen() -> None:
    assert next_return(at("21 10:00"), None) == (at("22 00:00"), at("22 00:00"))
    assert next_try(at("21 10:00"), None) == at("22 00:00")


def test_an_allowance_that_has_just_come_back_comes_back_tomorrow() -> None:
    assert next_return(at("21 11:58"), ELEVEN) == (at("22 10:55"), at("22 12:00"))
    assert next_return(at("22 11:58"), ELEVEN) == (at("22 10:55"), at("22 12:00"))
    assert may_not_be_back(at("22 10:55"), ELEVEN)
    assert not may_not_be_back(at("22 12:00"), ELEVEN)
    assert not may_not_be_back(at("21 11:58"), ELEVEN)


def test_a_refused_allowance_is_tried_amid_the_minutes_of_its_return_and_at_their_end() -> None:
    assert next_try(at("22 09:00"), ELEVEN) == at("22 11:27") + timedelta(seconds=30)
    assert next_try(at("22 11:30"), ELEVEN) == at("22 12:00")
    assert next_try(at("22 12:00"), ELEVEN) == at("23 11:27") + timedelta(seconds=30)
    narrow = Reset(0, 5, 3, at("21 00:05"))
    assert next_try(at("21 23:00"), narrow) == at("22 00:05")


MINUTES = st.integers(0, 24 * 60 - 1)


@given(MINUTES, st.lists(st.tuples(st.integers(1, 700), st.integers(1, 700)), min_size=1, max_size=12))
def test_the_true_hour_is_never_ruled_out(true_minute: int, nights: list[tuple[int, int]]) -> None:
    """Whatever the hour and whenever calls were made around it, what was learned includes it."""
    known = None
    for number, (before, after) in enumerate(nights):
        moment = at("01 00:00") + timedelta(days=number, minutes=true_minute)
        latest = moment - timedelta(minutes=before)
        known = learn(known, Refusals(latest - timedelta(minutes=20), latest), moment + timedelta(minutes=after))
        assert known is not None
        assert (true_minute - known.after) % (24 * 60) <= known.width
        narrow_enough = known.width <= before + after + 10
        assert narrow_enough


@given(MINUTES, MINUTES, st.integers(0, 2 * 24 * 60))
def test_the_next_day_begins_where_the_day_changes(after: int, width: int, minute: int) -> None:
    reset = Reset(after, (after + width) % (24 * 60), 1, at("01 00:00"))
    now = at("10 00:00") + timedelta(minutes=minute)
    begins = next_day_begins(now, reset)
    assert timedelta(0) < begins - now <= timedelta(days=1)
    assert day_of(begins - timedelta(minutes=1), reset) == day_of(now, reset)
    assert day_of(begins, reset) == day_of(now, reset) + timedelta(days=1)
