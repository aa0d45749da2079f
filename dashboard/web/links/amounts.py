"""Build what a link comes to in each way to pay."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from dashboard.domain.links import AmountBreakdown
from dashboard.store.links.records import Link
from dashboard.web.links import texts
from dashboard.web.links.records import AmountTable, ModeAmounts
from dashboard.web.shared.current import format_amount


def amount_table(row: Link) -> AmountTable:
    """Show each way to pay; of a link without any, its own amounts."""
    cheapest = _cheapest(row.payment_modes)
    ways = [_mode(mode, cheapest) for mode in row.payment_modes]
    known = {mode.total for mode in ways} - {None}
    if row.amount is not None and row.amount.total_amount not in known:
        ways.append(ModeAmounts(texts.LINK_AMOUNT, _parts(row.amount), row.amount.total_amount))
    if not ways:
        ways.append(ModeAmounts(texts.LINK_AMOUNT, (None,) * len(texts.AMOUNTS), row.total))
    return AmountTable(tuple(words for _, words in texts.AMOUNTS), tuple(ways))


def ways(row: Link) -> str:
    """Say by which way a link comes to its total, the cheapest of several, and what the others come to; else ""."""
    cheapest = _cheapest(row.payment_modes)
    if cheapest is None or cheapest != row.total:
        return ""
    cheap = [mode for mode in row.payment_modes if mode.total_amount == cheapest]
    if len(cheap) > 1:
        return ""
    others = [
        f"{format_amount(mode.total_amount)} {_by(mode)}"
        for mode in row.payment_modes
        if mode.total_amount is not None and mode.total_amount != cheapest
    ]
    return " · ".join((_by(cheap[0]), *others))


def _by(mode: AmountBreakdown) -> str:
    return str(texts.BY_MODE.get(mode.payment_mode or "") or texts.by_mode(_label(mode)))


def _mode(mode: AmountBreakdown, cheapest: Decimal | None) -> ModeAmounts:
    total = mode.total_amount
    is_cheapest = cheapest is not None and total == cheapest
    note = ""
    if is_cheapest:
        note = texts.CHEAPEST
    elif cheapest is not None and total is not None:
        note = texts.costs_more(format_amount(total - cheapest))
    return ModeAmounts(_label(mode), _parts(mode), total, note, is_cheapest)


def _cheapest(modes: Sequence[AmountBreakdown]) -> Decimal | None:
    """Return the lowest total of several ways to pay that differ; None while one of them is unknown."""
    totals = {mode.total_amount for mode in modes}
    known = [total for total in totals if total is not None]
    return min(known) if len(known) == len(totals) > 1 else None


def _parts(amounts: AmountBreakdown) -> tuple[Decimal | None, ...]:
    return tuple(getattr(amounts, name) for name, _ in texts.AMOUNTS)


def _label(mode: AmountBreakdown) -> str:
    return texts.MODES.get(mode.payment_mode or "", mode.payment_mode or texts.UNNAMED_MODE)
