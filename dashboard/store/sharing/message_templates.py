"""Messages that managers have reworded, one a language. A language without one uses the wording of the product."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Column, Connection, ForeignKey, Integer, String, Table, Text, bindparam, select, update
from sqlalchemy import delete as remove

from dashboard.store.links.tables import LIVE, NO_LONGER_KNOWN, link
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
_OF_LANGUAGE = select(message_template).where(message_template.c.language == bindparam("language"))


@dataclass(frozen=True, slots=True)
class MessageTemplate:
    """The wording of a language (a code of LANGUAGES), with the person who wrote it."""

    language: str
    body: str
    written_at: datetime
    written_by: int


def find(connection: Connection, language: str) -> MessageTemplate | None:
    """Return the reworded message of a language; None while the product's wording is used."""
    row = connection.execute(_OF_LANGUAGE, {"language": language}).one_or_none()
    return None if row is None else MessageTemplate(*row)


def by_language(connection: Connection) -> dict[str, MessageTemplate]:
    """Return the reworded messages, by language."""
    found = [MessageTemplate(*row) for row in connection.execute(select(message_template))]
    return {template.language: template for template in found}


def newest_payable(connection: Connection, limit: int) -> list[str]:
    """Return the ids of the newest links that can be paid, whose values show how a message reads, newest first."""
    query = select(link.c.id).where(LIVE, ~NO_LONGER_KNOWN, link.c.payment_url.is_not(None), link.c.rc.is_not(None))
    return list(connection.execute(query.order_by(link.c.first_seen_at.desc(), link.c.id).limit(limit)).scalars())


def save(connection: Connection, language: str, body: str, at: datetime, by: int) -> None:
    """Store the wording of a language, over the one before."""
    values = {"body": body, "written_at": at, "written_by": by}
    if not insert_if_absent(connection, message_template, language=language, **values):
        one = update(message_template).where(message_template.c.language == language)
        connection.execute(one.values(**values))


def delete(connection: Connection, language: str) -> None:
    """Go back to the product's wording of a language."""
    connection.execute(remove(message_template).where(message_template.c.language == language))
