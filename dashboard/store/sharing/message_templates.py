"""The messages that managers have rewritten, by language; what is not here is as the product words it."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Column, Connection, ForeignKey, Integer, Row, String, Table, Text, delete, select, update

from dashboard.store.schema import metadata
from dashboard.store.types import Moment
from dashboard.store.upserts import insert_if_absent

message_template = Table(
    "message_template",
    metadata,
    Column("language", String(5), primary_key=True),
    Column("body", Text, nullable=False),
    Column("written_at", Moment, nullable=False),
    Column("written_by", Integer, ForeignKey("person.id"), nullable=False),
)


def find(connection: Connection, language: str) -> Row[Any] | None:
    return connection.execute(select(message_template).where(message_template.c.language == language)).one_or_none()


def everything(connection: Connection) -> dict[str, Row[Any]]:
    return {row.language: row for row in connection.execute(select(message_template))}


def write(connection: Connection, language: str, body: str, at: datetime, by: int) -> None:
    values = {"body": body, "written_at": at, "written_by": by}
    if not insert_if_absent(connection, message_template, language=language, **values):
        one = update(message_template).where(message_template.c.language == language)
        connection.execute(one.values(**values))


def forget(connection: Connection, language: str) -> None:
    """Go back to the product's own words."""
    connection.execute(delete(message_template).where(message_template.c.language == language))
