"""Say how the attempts to resolve the unclear outcome of a request go, and what the source shows of its challans."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

from dashboard.domain.challans import EligibilityReason, eligibility_of
from dashboard.domain.intents import UNCLEAR, IntentState
from dashboard.errors import Operation
from dashboard.services.creation.evidence import would_have_ended
from dashboard.services.creation.resolve import LONGEST_UNCLEAR_WAIT
from dashboard.services.vehicles.eligibility import ListedChallan
from dashboard.store.creation.intents import Intent
from dashboard.web.creation import release, release_texts, texts, wait_texts
from dashboard.web.links.checks import LATE
from dashboard.web.shared.current import current_services


def what_next(intent: Intent, listed: list[ListedChallan], now: datetime) -> tuple[str, datetime | None]:
    """Say what happens next, and return the moment of the next attempt when the page counts down to it."""
    if intent.state not in UNCLEAR:
        return texts.what_next(intent, listed), None
    released = release.is_released(intent)
    if (block := current_services().call_policy.refusal(Operation.SEARCH_CHALLANS)) is not None:
        return texts.paused(block.scope, block.until, released=released), None
    coming, counted = _next_attempt(intent, now)
    overdue = coming if _is_overdue(intent, now) else ""
    failed = texts.failed_attempt(intent)
    if released:
        last_at = current_services().schedule.last_attempt(intent.send_ended or intent.prepared_at)
        goes_on = intent.next_check_at is not None
        said = release_texts.after_release(last_at, goes_on=goes_on)
        return joined(said, failed if goes_on else "", overdue), None
    if intent.state is IntentState.UNKNOWN:
        return joined(coming, failed), counted
    support = "" if release.may_release() else str(texts.NEEDS_MANAGER)
    if intent.send_started is not None and would_have_ended(intent, now):
        support = texts.outlived(intent.send_started + timedelta(hours=intent.hours))
    return joined(support, failed, overdue), None


def wait(intent: Intent, now: datetime) -> tuple[str, ...]:
    """Say since when an outcome is unclear, and, while the first attempts go as planned, when it should be known; once
    they have not settled it, when it was checked last, and when it is next.
    """
    if release.is_released(intent):
        return ()
    if intent.state is IntentState.NEEDS_ATTENTION:
        is_planned = current_services().call_policy.refusal(Operation.SEARCH_CHALLANS) is None
        coming = intent.next_check_at if is_planned and not _is_being_resolved(intent, now) else None
        last_at = None if intent.attempt_failure else intent.last_attempt_at
        coming = coming if coming and coming > now else None
        # The other checks come every few minutes.
        is_daily = bool(last_at and coming and coming - last_at > LONGEST_UNCLEAR_WAIT)
        return wait_texts.checked(last_at, coming, is_daily=is_daily)
    if intent.state is not IntentState.UNKNOWN:
        return ()
    since = intent.send_ended or intent.prepared_at
    known_at = since + current_services().schedule.resolve_after[-1]
    is_paused = current_services().call_policy.refusal(Operation.SEARCH_CHALLANS) is not None
    on_time = now < known_at and not is_paused and not _is_overdue(intent, now)
    return wait_texts.wait(since, known_at if on_time else None)


def joined(*sentences: str) -> str:
    return " ".join(str(each) for each in sentences if each)


def _next_attempt(intent: Intent, now: datetime) -> tuple[str, datetime | None]:
    """Say when the next attempt to resolve comes, or return its moment when that is still to come."""
    if _is_being_resolved(intent, now):
        return texts.RESOLVING_NOW, None
    if intent.next_check_at is not None and intent.next_check_at > now:
        return "", intent.next_check_at
    if intent.next_check_at is None or not _is_overdue(intent, now):
        return texts.ATTEMPT_DUE, None
    held_back = current_services().call_policy.room(Operation.SEARCH_CHALLANS, resolving=True) is not None
    return texts.overdue(intent.next_check_at, held_back=held_back), None


def _is_being_resolved(intent: Intent, now: datetime) -> bool:
    return intent.resolving_until is not None and intent.resolving_until > now


def _is_overdue(intent: Intent, now: datetime) -> bool:
    due = intent.next_check_at
    return due is not None and now - due >= LATE and not _is_being_resolved(intent, now)


def unsettled(intent: Intent, listed: list[ListedChallan]) -> str:
    """Say why attempts could not resolve a request, as far as the source shows it."""
    if intent.state not in UNCLEAR or not intent.attempts:
        return ""
    known = {item.challan.id: item for item in listed}
    gone = [known[each].challan.challan_no if each in known else None for each in _gone(intent, known)]
    prepaid = EligibilityReason.PREPAID_WITHOUT_LINK
    shown = [item.challan for item in listed if item.listed]
    return wait_texts.unsettled(gone, [each.challan_no for each in shown if eligibility_of(each).reason is prepaid])


def _gone(intent: Intent, known: Mapping[str | None, ListedChallan]) -> list[str]:
    return [each for each in intent.challan_ids if each not in known or not known[each].listed]
