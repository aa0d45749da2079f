"""Counts over the whole ledger, for /metrics and /service."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Column, Connection, Table, func, select

from dashboard.domain.intents import IntentState
from dashboard.store.creation.intents import intent
from dashboard.store.links.tables import link


def intents_by_state(connection: Connection) -> dict[str, int]:
    return _counted(connection, intent, intent.c.state)


def links_by_status(connection: Connection) -> dict[str, int]:
    """Count the links by status as the service spells it; a status may be undocumented text."""
    return _counted(connection, link, link.c.status)


def oldest_sent(connection: Connection, state: IntentState) -> datetime | None:
    """Return when the send of the oldest intent in a state began; None when there is none."""
    return connection.execute(select(func.min(intent.c.send_started)).where(intent.c.state == state)).scalar()


def _counted(connection: Connection, table: Table, column: Column[str]) -> dict[str, int]:
    query = select(column, func.count()).select_from(table).group_by(column)
    return {str(value): number for value, number in connection.execute(query)}
