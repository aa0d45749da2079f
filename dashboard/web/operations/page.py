"""Build the service page: blocked calls, the use of the day's allowances, and what waits."""

from __future__ import annotations

from flask import current_app

from dashboard.domain.intents import IntentState
from dashboard.errors import CallGroup, Operation
from dashboard.services.operations.allowances import AllowanceUse, reserve
from dashboard.services.operations.blocks import (
    LINK_ALLOWANCE,
    ORGANIZATION,
    SEARCH_ALLOWANCE,
    SECRET,
    ActiveBlock,
    is_throttle,
)
from dashboard.store.links import due_links
from dashboard.store.operations import metrics
from dashboard.web.operations import texts
from dashboard.web.operations.records import CallRow, ServicePage
from dashboard.web.shared.current import current_services, format_moment
from dashboard.web.shared.records import StateWords

_ALLOWANCES = {Operation.SEARCH_CHALLANS: SEARCH_ALLOWANCE, Operation.CREATE_PAYMENT_LINK: LINK_ALLOWANCE}


def service_page() -> ServicePage:
    services, settings = current_services(), current_app.extensions["settings"]
    with services.store.read() as connection:
        states = metrics.intents_by_state(connection)
        sent = [metrics.oldest_sent(connection, state) for state in (IntentState.UNKNOWN, IntentState.NEEDS_ATTENTION)]
        overdue = due_links.most_overdue(connection, services.clock())
    blocks = {block.scope: block for block in services.call_policy.active_blocks()}
    used = {use.call_group: use for use in services.call_policy.allowances.used()}
    return ServicePage(
        address=f"{settings.service_url}{settings.service_prefix}",
        rows=tuple(
            _row(words, used[operation.call_group], _state(operation, blocks))
            for operation, words in texts.CALLS.items()
        ),
        unclear=states.get(IntentState.UNKNOWN, 0) + states.get(IntentState.NEEDS_ATTENTION, 0),
        unclear_since=min((moment for moment in sent if moment), default=None),
        overdue_since=overdue,
        unrecorded=services.outcome_recorder.count_spooled(),
    )


def _row(words: str, used: AllowanceUse, state: StateWords) -> CallRow:
    reserved = reserve(used.learned) if used.call_group is CallGroup.SEARCH and used.learned is not None else 0
    return CallRow(words, state, used.calls, used.learned, reserved)


def _state(operation: Operation, blocks: dict[str, ActiveBlock]) -> StateWords:
    """Return the gravest block of these calls."""
    for scope, name, text, meaning in (
        (SECRET, "Key refused", texts.KEY_REFUSED, "wrong"),
        (ORGANIZATION, "Other organization", texts.OTHER_ORGANIZATION, "wrong"),
        (operation.group, "Not enabled", texts.NOT_ENABLED, "wrong"),
        (operation.call_group, "Paused", texts.BREAKER_OPEN, "waiting"),
        (_ALLOWANCES.get(operation, ""), "Limit reached", texts.ALLOWANCE_SPENT, "waiting"),
    ):
        if block := blocks.get(scope):
            since, until = format_moment(block.since), format_moment(block.until)
            said = texts.KEY_THROTTLED if is_throttle(block) else text
            return StateWords(name, said.format(group=operation.group, since=since, until=until), meaning)
    return StateWords(texts.WORKING, "", "good")
