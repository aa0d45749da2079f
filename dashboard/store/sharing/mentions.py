"""Remove traces of people from every column in which people type what they like. No other column is touched."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import parse_qsl, urlencode

from sqlalchemy import Column, ColumnElement, Connection, Table, select, true, tuple_, update

from dashboard.domain.custom_fields import CUSTOM_FIELDS
from dashboard.domain.forgetting import Traces
from dashboard.store.accounts import audit
from dashboard.store.accounts.saved_forms import saved_form
from dashboard.store.creation.intents import claim, intent, intent_event
from dashboard.store.fleet.drafts import fleet_draft
from dashboard.store.fleet.jobs import fleet_job
from dashboard.store.fleet.lists import fleet_list
from dashboard.store.links.custom_fields import custom_field
from dashboard.store.links.saved_views import saved_view
from dashboard.store.links.tables import (
    COPIED,
    COPIED_UNASKED,
    RECEIPT_SENT,
    RECEIPT_UNDONE,
    SHARE_CONFIRMED,
    SHARE_UNDONE,
    link,
    link_event,
)
from dashboard.store.operations.assumption_checks import assumption_check
from dashboard.store.reconciliation.discrepancies import discrepancy
from dashboard.store.sharing.drivers import driver
from dashboard.store.sharing.message_templates import message_template
from dashboard.store.vehicles.selections import selection

#: So many rows are read at a time.
_AT_A_TIME = 1000

_EVERY: ColumnElement[bool] = true()
_UNTYPED = (COPIED, COPIED_UNASKED, RECEIPT_SENT, RECEIPT_UNDONE, SHARE_CONFIRMED, SHARE_UNDONE)
_TYPED_EVENT = link_event.c.person_id.is_not(None) & link_event.c.kind.not_in(_UNTYPED)
#: The columns that hold typed texts, and which of their rows; texts of the service are in none of them. A rule test
#: names every other column of text, with the reason why nobody types into it.
TYPED: tuple[tuple[tuple[Column[Any], ...], ColumnElement[bool]], ...] = (
    (tuple(custom_field.c[each.name] for each in CUSTOM_FIELDS), _EVERY),
    ((link_event.c.new,), _TYPED_EVENT & link_event.c.new.is_not(None)),
    ((link.c.release_reason,), link.c.release_reason.is_not(None)),
    ((intent.c.release_reason,), intent.c.release_reason.is_not(None)),
    ((intent_event.c.detail,), intent_event.c.detail.is_not(None)),
    ((claim.c.why,), claim.c.why.is_not(None)),
    ((selection.c.hours,), _EVERY),
    ((assumption_check.c.note,), _EVERY),
    ((discrepancy.c.note,), discrepancy.c.note.is_not(None)),
    ((driver.c.note,), driver.c.note.is_not(None)),
    ((message_template.c.body,), _EVERY),
    ((saved_view.c.name,), _EVERY),
    ((fleet_job.c.title,), _EVERY),
    ((saved_view.c.query,), _EVERY),
    ((saved_form.c.fields,), _EVERY),
    ((fleet_draft.c.title, fleet_draft.c.lines, fleet_draft.c.ignored), _EVERY),
    ((fleet_list.c.name,), _EVERY),
    ((audit.audit.c.subject, audit.audit.c.detail), _EVERY),
)


#: The columns of a row that holds a trace, and its key.
Mention = tuple[tuple[Column[Any], ...], tuple[Any, ...]]


def find(connection: Connection, traces: Traces) -> list[Mention]:
    """Return the rows whose texts hold a trace."""
    return [
        (columns, key)
        for columns, rows in TYPED
        for key, values in _read(connection, columns, rows)
        if _without(traces, columns, values) != values
    ]


def remove(connection: Connection, traces: Traces, found: Sequence[Mention]) -> int:
    """Remove the traces from rows; return from how many, as some may have changed since they were found."""
    changed = 0
    for columns, key in found:
        table = _table(columns[0])
        same = [column == part for column, part in zip(table.primary_key, key, strict=True)]
        row = connection.execute(select(*columns).where(*same)).one_or_none()
        if row is None or (without := _without(traces, columns, tuple(row))) == tuple(row):
            continue
        change = {column.name: value for column, value in zip(columns, without, strict=True)}
        if table is audit.audit:
            audit.rewrite(connection, key[0], **change)
        else:
            connection.execute(update(table).where(*same).values(**change))
        changed += 1
    return changed


def _without(traces: Traces, columns: tuple[Column[Any], ...], values: tuple[Any, ...]) -> tuple[Any, ...]:
    if columns[0] is saved_view.c.query:
        pairs = [(name, traces.removed_from(text)) for name, text in parse_qsl(values[0], keep_blank_values=True)]
        return values if pairs == parse_qsl(values[0], keep_blank_values=True) else (urlencode(pairs),)
    return tuple(traces.removed_from(value) for value in values)


def _read(
    connection: Connection, columns: tuple[Column[Any], ...], rows: ColumnElement[bool]
) -> Iterator[tuple[tuple[Any, ...], tuple[Any, ...]]]:
    """Yield the key and the values of each row, some at a time, so that a long history does not fill the memory."""
    key = tuple(_table(columns[0]).primary_key)
    query = select(*key, *columns).where(rows).order_by(*key).limit(_AT_A_TIME)
    page = connection.execute(query).all()
    while page:
        for row in page:
            yield tuple(row[: len(key)]), tuple(row[len(key) :])
        last = page[-1][: len(key)]
        page = connection.execute(query.where(tuple_(*key) > tuple_(*last))).all() if len(page) == _AT_A_TIME else []


def _table(column: Column[Any]) -> Table:
    table = column.table
    assert isinstance(table, Table)
    return table
