"""Metrics read from the store at each scrape: the same whichever process, on whichever machine, answers."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from datetime import datetime

from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from dashboard.domain.intents import IntentState
from dashboard.domain.links import KNOWN_STATUSES
from dashboard.errors import CallGroup, ServiceGroup
from dashboard.services.container import Services
from dashboard.services.operations.blocks import LINK_ALLOWANCE, ORGANIZATION, SEARCH_ALLOWANCE, SECRET
from dashboard.store.links import due_links
from dashboard.store.operations import metrics as counts

log = logging.getLogger(__name__)

#: The allowances of a day, by the calls that they are for.
_ALLOWANCES = {SEARCH_ALLOWANCE: CallGroup.SEARCH.value, LINK_ALLOWANCE: CallGroup.CREATE.value}


def store_metrics(services: Services) -> Iterator[Metric]:
    """Read the store's metrics, or only that it does not answer; and count what waits on this machine's disk."""
    try:
        with services.store.read() as connection:
            families = list(_ledger(services, connection))
        families += _call_policy(services)
        up = 1
    except SQLAlchemyError:
        log.exception("the metrics of the store could not be read")
        families, up = [], 0
    yield _gauge("dashboard_store_up", "Whether the database answered.", up)
    waiting = services.outcome_recorder.count_spooled()
    yield _gauge("dashboard_spooled_records", "Created links on this machine's disk, not yet in the database.", waiting)
    yield from families


def _ledger(services: Services, connection: Connection) -> Iterator[Metric]:
    now = services.clock()
    states = {state.value: 0 for state in IntentState} | counts.intents_by_state(connection)
    yield _by_label("dashboard_intents", "Requests to create a link, by state.", "state", states)
    statuses = dict.fromkeys((*sorted(KNOWN_STATUSES), "other"), 0)
    for status, number in counts.links_by_status(connection).items():
        # A status that the document does not name is the service's text, and may be any.
        statuses[status if status in KNOWN_STATUSES else "other"] += number
    yield _by_label("dashboard_links", "Payment links, by status.", "status", statuses)
    yield _gauge(
        "dashboard_oldest_unknown_intent_seconds",
        "Age of the oldest send whose outcome is unknown; 0 when there is none.",
        _since(counts.oldest_sent(connection, IntentState.UNKNOWN), now),
    )
    yield _gauge(
        "dashboard_poll_lag_seconds",
        "How far the most overdue link is behind its poll; 0 when none is.",
        _since(due_links.most_overdue(connection, now), now),
    )


def _call_policy(services: Services) -> Iterator[Metric]:
    """Return the blocks that the banner shows, and the use of the day's allowances."""
    blocked = {block.scope for block in services.call_policy.active_blocks()}
    held = GaugeMetricFamily(
        "dashboard_calls_held_back", "1 while calls are blocked, by why and by which.", labels=("why", "scope")
    )
    for why, scopes in (
        ("secret", {SECRET: "all"}),
        ("organization", {ORGANIZATION: "all"}),
        ("not enabled", {group: group.value for group in ServiceGroup}),
        ("breaker", {group: group.value for group in CallGroup}),
        ("allowance", _ALLOWANCES),
    ):
        for scope, name in scopes.items():
            held.add_metric((why, name), float(scope in blocked))
    yield held
    used = services.call_policy.allowances.used()
    calls = {each.call_group.value: each.calls for each in used}
    yield _by_label("dashboard_allowance_used", "Calls of the allowance's day, by group.", "group", calls)
    learned = {each.call_group.value: each.learned for each in used if each.learned is not None}
    words = "Calls of a day after which the service last answered 429."
    yield _by_label("dashboard_allowance_learned", words, "group", learned)


def _since(moment: datetime | None, now: datetime) -> float:
    return max(0.0, (now - moment).total_seconds()) if moment else 0.0


def _gauge(name: str, words: str, value: float) -> Metric:
    return GaugeMetricFamily(name, words, value=value)


def _by_label(name: str, words: str, label: str, values: Mapping[str, float]) -> Metric:
    family = GaugeMetricFamily(name, words, labels=(label,))
    for key, value in values.items():
        family.add_metric((key,), value)
    return family
