"""Write a statement as the rows of an exported file."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import tzinfo

from dashboard.domain.spreadsheets import Cell, defused
from dashboard.services.reconciliation.statement import Movement, Statement, Tally
from dashboard.web.reconciliation import statement_texts as texts
from dashboard.web.reconciliation.periods import Asked, By


def head(currency: str, zone: tzinfo, asked: Asked) -> list[str]:
    """Return the head of the columns; `zone` is the one that people see."""
    columns = [
        str(texts.EXPORT_DAYS),
        texts.export_made_at(zone),
        str(texts.EXPORT_OF),
        str(_day_or_month(asked) if asked.by is By.DAY else texts.EXPORT_NAME),
    ]
    for part in texts.EXPORT_PARTS.values():
        columns += texts.export_part(str(part), currency)
    return columns


def rows(statement: Statement, asked: Asked, zone: tzinfo) -> Iterator[list[Cell]]:
    """Return a row for all links, then one for each vehicle and for each cost centre, or for each day or month.

    They are written at once, because a file is sent after the request, which knows the language.
    """
    return iter(list(_rows(statement, asked, zone)))


def _day_or_month(asked: Asked) -> str:
    return texts.MONTH if asked.period.is_long else texts.DAY


def _rows(statement: Statement, asked: Asked, zone: tzinfo) -> Iterator[list[Cell]]:
    period = asked.period
    common: list[Cell] = [texts.export_days(period.first, period.last, zone), statement.made_at]
    yield [*common, *_cells(str(texts.EXPORT_ALL), "", statement.whole)]
    if asked.by is By.DAY:
        for span in period.spans():
            if moved := statement.spans.get(span.start):
                name = f"{span.first:%Y-%m}" if period.is_long else span.first.isoformat()
                yield [*common, *_cells(str(_day_or_month(asked)).lower(), name, moved)]
        return
    for rc, movement in sorted(statement.vehicles.items()):
        yield [*common, *_cells(str(texts.EXPORT_VEHICLE), rc or str(texts.EXPORT_NO_VEHICLE), movement)]
    for name, movement in sorted(statement.cost_centres.items()):
        yield [*common, *_cells(str(texts.EXPORT_COST_CENTRE), name or str(texts.EXPORT_NO_COST_CENTRE), movement)]


def _cells(of: str, name: str, movement: Movement) -> list[Cell]:
    cells: list[Cell] = [of, defused(name)]
    for part in texts.EXPORT_PARTS:
        tally: Tally = getattr(movement, part)
        cells += [tally.links, tally.total, tally.unknown]
    return cells
