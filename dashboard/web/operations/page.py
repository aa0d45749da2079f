"""What the page of the service receives: plain, frozen records, already decided."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from flask import current_app

from dashboard.domain.intents import IntentState
from dashboard.errors import CallGroup, Operation
from dashboard.services.operations.allowances import Used, reserve
from dashboard.services.operations.call_policy import (
    LINK_ALLOWANCE,
    ORGANIZATION,
    SEARCH_ALLOWANCE,
    SECRET,
    ActiveBlock,
)
from dashboard.store.links import due_links
from dashboard.store.operations import metrics
from dashboard.web.shared.current import current_services, format_moment
from dashboard.web.shared.records import StateWords

_GROUPS = (
    ("Searching vehicles", Operation.SEARCH_CHALLANS),
    ("Creating links", Operation.CREATE_PAYMENT_LINK),
    ("Checking links", Operation.GET_PAYMENT_LINK),
)
_SPENT = {Operation.SEARCH_CHALLANS: SEARCH_ALLOWANCE, Operation.CREATE_PAYMENT_LINK: LINK_ALLOWANCE}
_OPEN = StateWords("OPEN", "Nothing is held back.", "good")


@dataclass(frozen=True, slots=True)
class CallRow:
    """One kind of calls: whether they are made, and how many were today, in India."""

    words: str
    state: StateWords
    calls: int
    learned: int | None  # after how many calls of a day the service said that its limit is reached
    kept: int  # of these, for looks at unclear requests


@dataclass(frozen=True, slots=True)
class ServicePage:
    address: str
    rows: tuple[CallRow, ...]
    unclear: int  # requests whose outcome is not known
    unclear_since: datetime | None
    overdue_since: datetime | None  # of the link that has waited longest to be checked
    unrecorded: int  # created links on this machine's disk that the database did not take yet


def service_page() -> ServicePage:
    services, settings = current_services(), current_app.extensions["settings"]
    with services.store.read() as connection:
        states = metrics.intents_by_state(connection)
        sent = [metrics.oldest_sent(connection, state) for state in (IntentState.UNKNOWN, IntentState.NEEDS_ATTENTION)]
        overdue = due_links.most_overdue(connection, services.clock())
    troubles = {trouble.scope: trouble for trouble in services.call_policy.active_blocks()}
    used = {each.call_group: each for each in services.call_policy.allowances.used()}
    return ServicePage(
        address=f"{settings.service_url}{settings.service_prefix}",
        rows=tuple(
            _row(words, used[operation.call_group], _state(operation, troubles)) for words, operation in _GROUPS
        ),
        unclear=states.get(IntentState.UNKNOWN, 0) + states.get(IntentState.NEEDS_ATTENTION, 0),
        unclear_since=min((moment for moment in sent if moment), default=None),
        overdue_since=overdue,
        unrecorded=services.outcome_recorder.count_spooled(),
    )


def _row(words: str, used: Used, state: StateWords) -> CallRow:
    kept = reserve(used.learned) if used.call_group is CallGroup.SEARCH and used.learned is not None else 0
    return CallRow(words, state, used.calls, used.learned, kept)


def _since(trouble: ActiveBlock) -> str:
    return format_moment(trouble.since)


def _until(trouble: ActiveBlock) -> str:
    return format_moment(trouble.until)


def _state(operation: Operation, troubles: dict[str, ActiveBlock]) -> StateWords:
    """Why these calls are not made at present, gravest first."""
    if trouble := troubles.get(SECRET):
        words = f"The API key was refused {_since(trouble)}. Next try at {_until(trouble)}."
        return StateWords("KEY REFUSED", words, "wrong")
    if trouble := troubles.get(ORGANIZATION):
        words = f"The key belongs to another organization, since {_since(trouble)}."
        return StateWords("OTHER ORGANIZATION", words, "wrong")
    if trouble := troubles.get(operation.group):
        words = f"{operation.group} was refused {_since(trouble)}. Asked again at {_until(trouble)}."
        return StateWords("NOT ENABLED", words, "wrong")
    if trouble := troubles.get(operation.call_group):
        words = f"Failing since {_since(trouble)}. One call may try from {_until(trouble)}."
        return StateWords("HELD BACK", words, "waiting")
    if trouble := troubles.get(_SPENT.get(operation, "")):
        words = f"The service has said so since {_since(trouble)}. Asked again from {_until(trouble)}."
        return StateWords("LIMIT REACHED", words, "waiting")
    return _OPEN
