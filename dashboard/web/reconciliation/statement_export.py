"""Write a statement as the rows of an exported file."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import tzinfo

from dashboard.domain.spreadsheets import Cell, defused
from dashboard.services.reconciliation.statement import Movement, Statement, Tally
from dashboard.web.reconciliation import texts
from dashboard.web.reconciliation.periods import Period


def head(currency: str, zone: tzinfo) -> list[str]:
    """Return the head of the columns; `zone` is the one that people see."""
    columns = [texts.EXPORT_DAYS, texts.export_made_at(zone), texts.EXPORT_OF, texts.EXPORT_NAME]
    for part in texts.EXPORT_PARTS.values():
        columns += texts.export_part(part, currency)
    return columns


def rows(statement: Statement, period: Period, zone: tzinfo) -> Iterator[list[Cell]]:
    """Yield a row for all links, then one for each vehicle and for each cost centre."""
    common: list[Cell] = [f"{period.first} to {period.last} ({zone})", statement.made_at]
    yield [*common, *_cells(texts.EXPORT_ALL, "", statement.whole)]
    for rc, movement in sorted(statement.vehicles.items()):
        yield [*common, *_cells(texts.EXPORT_VEHICLE, rc or texts.EXPORT_NO_VEHICLE, movement)]
    for name, movement in sorted(statement.cost_centres.items()):
        yield [*common, *_cells(texts.EXPORT_COST_CENTRE, name or texts.EXPORT_NO_COST_CENTRE, movement)]


def _cells(of: str, name: str, movement: Movement) -> list[Cell]:
    cells: list[Cell] = [of, defused(name)]
    for part in texts.EXPORT_PARTS:
        tally: Tally = getattr(movement, part)
        cells += [tally.links, tally.total, tally.unknown]
    return cells
