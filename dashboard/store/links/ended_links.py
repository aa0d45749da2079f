"""Find the links that have ended by the challans that were on them."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import Connection

from dashboard.store.links import statements
from dashboard.store.links.records import Link


def ended_with(connection: Connection, challan_ids: Iterable[str]) -> list[str]:
    """Return the ended links that covered one of these challans, or that the latest search showed on one."""
    return list(connection.execute(statements.ENDED_WITH, {"challan_ids": list(challan_ids)}).scalars())


def ended_on(connection: Connection, challan_ids: Iterable[str]) -> list[tuple[str, Link]]:
    """Return each ended link that covered one of these challans, beside the id of that challan."""
    found = connection.execute(statements.ENDED_ON, {"challan_ids": list(challan_ids)})
    return [(row[0], Link(*row[1:])) for row in found]
