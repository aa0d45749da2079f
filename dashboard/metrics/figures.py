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
from dashboard.services.desk import Desk
from dashboard.store import figures as store_figures

log = logging.getLogger(__name__)


def figures(desk: Desk) -> Iterator[Metric]:
    """The store's figures, or only that it does not answer; and what waits on this machine's disk for it."""
    try:
        with desk.store.read() as connection:
            families = list(_of_store(desk, connection))
        up = 1
    except SQLAlchemyError:
        log.exception("the store's figures could not be read")
        families, up = [], 0
    yield _gauge("dashboard_store_up", "Whether the database answered.", up)
    waiting = desk.recording.waiting()
    yield _gauge("dashboard_spooled_records", "Created links on this machine's disk, not yet in the database.", waiting)
    yield from families


def _of_store(desk: Desk, connection: Connection) -> Iterator[Metric]:
    now = desk.clock()
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
        _since(store_figures.most_overdue(connection, now), now),
    )


def _since(moment: datetime | None, now: datetime) -> float:
    return max(0.0, (now - moment).total_seconds()) if moment else 0.0


def _gauge(name: str, words: str, value: float) -> Metric:
    return GaugeMetricFamily(name, words, value=value)


def _by_label(name: str, words: str, label: str, values: Mapping[str, float]) -> Metric:
    family = GaugeMetricFamily(name, words, labels=(label,))
    for key, value in values.items():
        family.add_metric((key,), value)
    return family
