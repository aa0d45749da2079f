"""Build what a link comes to in each way to pay."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal

from dashboard.domain.challans import Challan
from dashboard.domain.link_doubts import LinkDoubt
from dashboard.domain.links import AmountBreakdown, is_ended, is_paid
from dashboard.domain.money import add_up
from dashboard.services.links import doubts
from dashboard.store.links import links
from dashboard.store.links.records import CoveredChallan, Link
from dashboard.store.vehicles import vehicles
from dashboard.web.links import texts
from dashboard.web.links.amount_records import AmountTable, ModeAmounts
from dashboard.web.shared.current import current_services, format_amount


def amount_table(
    row: Link,
    challans: Sequence[CoveredChallan] = (),
    searched: Mapping[str, Challan] | None = None,
    *,
    is_mismatch: bool = False,
) -> AmountTable:
    """Show each way to pay; of a link without any, its own amounts. `challans` are those that it covers, and `searched`
    the same as the last search of their vehicle described them. `is_mismatch`: they do not match, so that nobody knows
    yet what a payer is asked.

    Of a paid link too: the service does not report which way was used, and its own amount is that of the default one.
    """
    ways = [ModeAmounts(_label(mode), _parts(mode), mode.total_amount, by=_by(mode)) for mode in row.payment_modes]
    known = {mode.total for mode in ways} - {None}
    if row.amount is not None and row.amount.total_amount not in known:
        ways.append(ModeAmounts(texts.LINK_AMOUNT, _parts(row.amount), row.amount.total_amount))
    if not ways:
        ways.append(ModeAmounts(texts.LINK_AMOUNT, (None,) * len(texts.AMOUNTS), row.total))
    named = tuple(words for _, words in texts.AMOUNTS)
    return AmountTable(
        row.id,
        named,
        tuple(ways),
        row.total,
        str(texts.HOW_NOT_SAID) if is_paid(row.status) and not row.is_unknown and otherwise(row) else "",
        *_beyond(row, challans),
        _of_the_link(row.total, challans, searched or {}) if row.total is not None else "",
        _not_known(ways[0]) if len(ways) == 1 else "",
        _fines(ways, challans),
        is_mismatch,
        row.detailed,
    )


def _fines(ways: Sequence[ModeAmounts], challans: Sequence[CoveredChallan]) -> tuple[Decimal, Decimal] | None:
    """Return the fines of a link's challans and those that the link gives; None where one of them is not known."""
    stated = {way.parts[0] for way in ways}
    added = add_up(challan.challan_amount for challan in challans)
    of_link = stated.pop() if len(stated) == 1 else None
    return None if of_link is None or not challans or added.unknown else (added.total, of_link)


def _not_known(way: ModeAmounts) -> str:
    """Say which parts of an amount are not known, and whether the total is; "" where all are, or none is."""
    unknown = [words for words, part in zip(texts.PARTS, way.parts, strict=True) if part is None]
    if not unknown or len(unknown) == len(way.parts):
        return ""
    return texts.parts_not_known([*map(str, unknown), *([str(texts.TOTAL)] if way.total is None else [])])


def shown_amounts(link_id: str) -> AmountTable | None:
    """Read the amounts of a link; None when the ledger does not know it."""
    with current_services().store.read() as connection:
        row = links.find(connection, link_id)
        if row is None:
            return None
        challans = links.challans_of(connection, link_id)
        searched = vehicles.challans_by_id(connection, [each.challan_id for each in challans])
        is_mismatch = doubts.of_link(connection, row) is LinkDoubt.AMOUNTS
        return amount_table(row, challans, searched, is_mismatch=is_mismatch)


def ways(row: Link) -> str:
    """Say what a link comes to by each way to pay, where they differ, the cheapest first; else "".

    A paid one was paid in one of them; of an ended one nobody chooses a way any more.
    """
    if is_paid(row.status):
        return if_paid_otherwise(row)
    totals = [] if is_ended(row.status) else _different(row)
    if not totals:
        return ""
    # The cheapest amount is that of the link itself, which stands above.
    return " · ".join([totals[0][1], *(texts.amount_by(format_amount(total), by) for total, by in totals[1:])])


def _beyond(row: Link, challans: Sequence[CoveredChallan]) -> tuple[Decimal | None, str]:
    """Return what the challans of a link come to, and by how much it asks more or less; None where that is not known,
    or is no other amount.
    """
    of_challans = add_up(challan.total_amount for challan in challans)
    if row.total is None or not challans or of_challans.unknown or of_challans.total == row.total:
        return None, ""
    more = row.total - of_challans.total
    return of_challans.total, texts.beyond_challans(format_amount(abs(more)), is_more=more > 0)


def _of_the_link(total: Decimal, challans: Sequence[CoveredChallan], searched: Mapping[str, Challan]) -> str:
    """Say which amounts are not in the total as far as is known: the service's own says nothing of its challans."""
    unknown = [each for each in challans if each.total_amount is None]
    if unknown:
        others = add_up(each.total_amount for each in challans if each.total_amount is not None)
        of_others = len(challans) - len(unknown) if others.total == total else 0
        return texts.unknown_on_the_link([each.challan_no or each.challan_id for each in unknown], of_others=of_others)
    lacking = [each.challan_no or str(texts.NO_NUMBER) for each in searched.values() if each.total_amount is None]
    return texts.of_the_link(lacking) if lacking else ""


def otherwise(row: Link) -> list[tuple[Decimal, AmountBreakdown]]:
    """Return the ways by which a link comes to another amount than its own."""
    totals = ((mode.total_amount, mode) for mode in row.payment_modes)
    others = [(total, mode) for total, mode in totals if total is not None and row.total not in (None, total)]
    return sorted(others, key=lambda each: each[0])


def how_paid(row: Link) -> str:
    """Say by which ways a paid link may have been paid, all for its total; "" where they differ, or none is named."""
    ways = [] if otherwise(row) else list(map(_by, row.payment_modes))
    return texts.one_of_ways(ways) if ways else ""


def if_paid_otherwise(row: Link) -> str:
    """Say what a paid link came to in the ways that are not its own amount; the service does not report the way."""
    return " · ".join(texts.if_paid(format_amount(total), _by(mode)) for total, mode in otherwise(row))


def added_otherwise(row: Link) -> str:
    """Say how much more a paid link came to in the ways that are not its own amount.

    Where its own amount is that of none, or is not the least, what they came to is said.
    """
    least = min((mode.total_amount for mode in row.payment_modes if mode.total_amount is not None), default=None)
    if row.total is None or row.total != least:
        return if_paid_otherwise(row)
    more = ((total - row.total, total, _by(mode)) for total, mode in otherwise(row))
    return " · ".join(texts.added_if_paid(format_amount(added), format_amount(total), by) for added, total, by in more)


def _different(row: Link) -> list[tuple[Decimal, str]]:
    """Return what each way to pay comes to, the cheapest first; nothing unless they differ from it."""
    cheapest = _cheapest(row.payment_modes)
    if cheapest is None or cheapest != row.total:
        return []
    totals = sorted((mode.total_amount, _by(mode)) for mode in row.payment_modes if mode.total_amount is not None)
    return [] if totals[1][0] == cheapest else totals


def _by(mode: AmountBreakdown) -> str:
    return str(texts.BY_MODE.get(mode.payment_mode or "") or texts.by_mode(_label(mode)))


def _cheapest(modes: Sequence[AmountBreakdown]) -> Decimal | None:
    """Return the lowest total of several ways to pay that differ; None while one of them is unknown."""
    totals = {mode.total_amount for mode in modes}
    known = [total for total in totals if total is not None]
    return min(known) if len(known) == len(totals) > 1 else None


def _parts(amounts: AmountBreakdown) -> tuple[Decimal | None, ...]:
    return tuple(getattr(amounts, name) for name, _ in texts.AMOUNTS)


def _label(mode: AmountBreakdown) -> str:
    return texts.MODES.get(mode.payment_mode or "", mode.payment_mode or texts.UNNAMED_MODE)
