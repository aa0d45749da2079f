"""Which link was given to whom, by whom, when and how; append-only."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Column, Connection, ForeignKey, Index, Integer, Row, String, Table, func, insert, select

from dashboard.store.links.tables import link
from dashboard.store.schema import metadata
from dashboard.store.sharing.drivers import driver
from dashboard.store.types import Moment

share = Table(
    "share",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("link_id", String(36), ForeignKey("link.id"), nullable=False),
    Column("driver_id", Integer, ForeignKey("driver.id")),
    Column("channel", String(10), nullable=False),
    Column("language", String(5)),
    Column("person_id", Integer, ForeignKey("person.id"), nullable=False),
    Column("at", Moment, nullable=False),
)
Index("ix_share_link_id_at", share.c.link_id, share.c.at)
Index("ix_share_driver_id_at", share.c.driver_id, share.c.at)


def add(connection: Connection, **values: Any) -> None:
    connection.execute(insert(share).values(**values))


def of_link(connection: Connection, link_id: str) -> Sequence[Row[Any]]:
    """What was shared of a link, newest first, with the driver's name."""
    query = select(share, driver.c.name.label("driver_name"))
    query = query.outerjoin(driver, driver.c.id == share.c.driver_id).where(share.c.link_id == link_id)
    return connection.execute(query.order_by(share.c.at.desc(), share.c.id.desc())).all()


def of_driver(connection: Connection, driver_id: int, limit: int = 100) -> Sequence[Row[Any]]:
    """What a driver was given, newest first, with each link's vehicle, state and total."""
    query = select(share, link.c.rc, link.c.status, link.c.total, link.c.expires_at)
    query = query.join(link, link.c.id == share.c.link_id).where(share.c.driver_id == driver_id)
    return connection.execute(query.order_by(share.c.at.desc(), share.c.id.desc()).limit(limit)).all()


def last_of_links(connection: Connection, link_ids: Sequence[str]) -> dict[str, datetime]:
    """When each of these links was shared last; those never shared are left out."""
    query = select(share.c.link_id, func.max(share.c.at)).where(share.c.link_id.in_(link_ids))
    return {row.link_id: row[1] for row in connection.execute(query.group_by(share.c.link_id))}


def newest_of_links(connection: Connection, link_ids: Sequence[str]) -> dict[str, Row[Any]]:
    """The newest share of each of these links that was ever shared."""
    query = select(share).where(share.c.link_id.in_(link_ids)).order_by(share.c.at, share.c.id)
    return {row.link_id: row for row in connection.execute(query)}


def last_driver(connection: Connection, link_id: str) -> int | None:
    """To whom a link was given last."""
    query = select(share.c.driver_id).where(share.c.link_id == link_id, share.c.driver_id.is_not(None))
    return connection.execute(query.order_by(share.c.at.desc(), share.c.id.desc()).limit(1)).scalar()
