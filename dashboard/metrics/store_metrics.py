"""What the store knows, asked at the moment of a scrape: the same whichever process, on whichever machine, answers."""

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
from dashboard.services.operations.call_policy import LINK_ALLOWANCE, ORGANIZATION, SEARCH_ALLOWANCE, SECRET
from dashboard.store.links import due_links
from dashboard.store.operations import metrics as store_figures

log = logging.getLogger(__name__)

#: The allowances of a day, by the calls that they are for.
_ALLOWANCES = {SEARCH_ALLOWANCE: CallGroup.SEARCH.value, LINK_ALLOWANCE: CallGroup.CREATE.value}


def figures(services: Services) -> Iterator[Metric]:
    """The store's figures, or only that it does not answer; and what waits on this machine's disk for it."""
    try:
        with services.store.read() as connection:
            families = list(_of_store(services, connection))
        families += _of_gate(services)
        up = 1
    except SQLAlchemyError:
        log.exception("the store's figures could not be read")
        families, up = [], 0
    yield _gauge("dashboard_store_up", "Whether the database answered.", up)
    waiting = services.outcome_recorder.count_spooled()
    yield _gauge("dashboard_spooled_records", "Created links on this machine's disk, not yet in the database.", waiting)
    yield from families


def _of_store(services: Services, connection: Connection) -> Iterator[Metric]:
    now = services.clock()
    states = {state.value: 0 for state in IntentState} | store_figures.intents_by_state(connection)
    yield _by_label("dashboard_intents", "Requests to create a link, by state.", "state", states)
    statuses = dict.fromkeys((*sorted(KNOWN_STATUSES), "other"), 0)
    for status, number in store_figures.links_by_status(connection).items():
        # A status that the document does not name is the service's text, and may be any.
        statuses[status if status in KNOWN_STATUSES else "other"] += number
    yield _by_label("dashboard_links", "Payment links, by status.", "status", statuses)
    yield _gauge(
        "dashboard_oldest_unknown_intent_seconds",
        "Since the oldest request was sent whose outcome is not known; 0 when there is none.",
        _since(store_figures.oldest_sent(connection, IntentState.UNKNOWN), now),
    )
    yield _gauge(
        "dashboard_poll_lag_seconds",
        "How far the most overdue link is behind its time to be asked for; 0 when none is.",
        _since(due_links.most_overdue(connection, now), now),
    )


def _of_gate(services: Services) -> Iterator[Metric]:
    """What is held back, as the banner tells it, and what was spent of the day."""
    shut = {trouble.scope for trouble in services.call_policy.active_blocks()}
    held = GaugeMetricFamily(
        "dashboard_calls_held_back", "1 while calls are not made, by why and by which.", labels=("why", "scope")
    )
    for why, scopes in (
        ("secret", {SECRET: "all"}),
        ("organization", {ORGANIZATION: "all"}),
        ("not enabled", {group: group.value for group in ServiceGroup}),
        ("breaker", {group: group.value for group in CallGroup}),
        ("allowance", _ALLOWANCES),
    ):
        for scope, name in scopes.items():
            held.add_metric((why, name), float(scope in shut))
    yield held
    used = services.call_policy.allowances.used()
    calls = {each.call_group.value: each.calls for each in used}
    yield _by_label("dashboard_allowance_used", "Calls made today, by group; the day ends in India.", "group", calls)
    learned = {each.call_group.value: each.learned for each in used if each.learned is not None}
    words = "After how many calls of a day the service last said that its allowance is spent."
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
