"""Offer until when a link of the follow-up queue can be put off."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, time, timedelta

from dashboard.domain.follow_up import RETURNS_BEFORE_END, SNOOZE
from dashboard.web.shared.current import today, zone
from dashboard.web.sharing import texts

_MORNING, _EVENING = time(9), time(18)


def snooze_until(choice: str, expires_at: datetime | None, now: datetime) -> datetime | None:
    """Return until when a choice asks to put a link off; None where there is no such choice."""
    match choice:
        case "hours":
            return now + SNOOZE
        case texts.EVENING:
            return max(datetime.combine(today(), _EVENING, zone()), now + timedelta(hours=1))
        case "morning":
            return datetime.combine(today() + timedelta(days=1), _MORNING, zone())
        case "end":
            return expires_at
    return None


def snoozes(expires_at: datetime | None, now: datetime, *, is_asked: bool) -> Iterator[tuple[str, str, datetime]]:
    """Offer the choices of a snooze that are not cut short, as the link ends.

    `is_asked`: there is somebody who may have said that they will pay today.
    """
    latest = expires_at - RETURNS_BEFORE_END if expires_at else None
    for choice, words in texts.SNOOZES.items():
        until = latest if choice == "end" else snooze_until(choice, expires_at, now)
        if choice == texts.EVENING and until and not (is_asked and until.astimezone(zone()).date() == today()):
            continue  # So late, nobody pays today who has not paid by the morning.
        if until is not None and until > now and (latest is None or until <= latest):
            yield choice, str(words), until
