"""Write down discrepancies for the service's support, in English as they read it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime

from dashboard.domain.discrepancies import DiscrepancyKind, Facts
from dashboard.store.links.duplicates import DuplicateLink
from dashboard.store.reconciliation.discrepancies import ListedDiscrepancy
from dashboard.store.reconciliation.settlements import TrackedSettlement

#: What to ask of the kinds about which only the service knows more.
_ASKS: Mapping[DiscrepancyKind, str] = {
    DiscrepancyKind.DUPLICATE: "Two payment links have the same challans",
    DiscrepancyKind.UNSETTLED: "Paid, but the source still lists a challan as payable",
    DiscrepancyKind.LATE: "A payment link was paid after its end, or its state went back",
    DiscrepancyKind.SUMS: "The amounts of a payment link do not add up",
    DiscrepancyKind.CHALLANS: "A payment link has other challans than were requested",
    DiscrepancyKind.UNCHECKED: "Amounts of a payment link are missing",
}


def for_support(
    kind: DiscrepancyKind,
    rows: Sequence[ListedDiscrepancy],
    tracked: Mapping[str, TrackedSettlement],
    others: Mapping[str, Sequence[DuplicateLink]] | None = None,
) -> str:
    """Write down these discrepancies with ids, moments and amounts; "" where staff can settle the kind themselves.

    `others` are the links that have the same challans as one of these.
    """
    if kind not in _ASKS or not rows:
        return ""
    same = others or {}
    written = ("\n".join(_lines(row, tracked.get(row.link_id), same.get(row.link_id, ()))) for row in rows)
    return "\n\n".join((_ASKS[kind], *written))


def _lines(row: ListedDiscrepancy, tracked: TrackedSettlement | None, others: Sequence[DuplicateLink]) -> Iterator[str]:
    yield f"Payment link: {row.link_id}"
    yield f"Vehicle: {row.rc or 'not known'}"
    yield f"State: {row.status}" + (f", paid {_moment(row.paid_at)}" if row.paid_at else "")
    yield f"Total: {'not known' if row.total is None else row.total}"
    yield f"Found: {_moment(row.found_at)}"
    for each in tracked.challans if tracked else ():
        yield f"Challan {each.challan_no or each.challan_id}: {each.status if each.listed else 'not listed'}"
    if tracked and tracked.checked_at:
        yield f"Source searched: {_moment(tracked.checked_at)}"
    for other in others:
        yield f"Other payment link: {other.id}, {other.status}"
    yield from _facts(row.facts)


def _facts(facts: Facts) -> Iterator[str]:
    for each in facts.get("parts", ()):
        by_mode = f" by {each['mode']}" if each["mode"] else ""
        yield f"Fine and fees{by_mode}: {each['parts']}, total {each['total']}"
    for name in ("fines", "totals"):
        if differ := facts.get(name):
            yield f"Sum of the challans ({name}): {differ['challans']}, link {differ['link']}"
    if late := facts.get("after_end"):
        yield f"Ended: {_stated(late['ended_at'])}"
    for name, words in (
        ("was_ended", "shown as {state} before, as PAID"),
        ("unsaid", "shown as PAID before, as {state}"),
    ):
        if late := facts.get(name):
            yield f"State: {words.format(state=late['state'])} at {_stated(late['at'])}"
    for name, words in (("missing", "Missing challans"), ("strays", "Challans not requested")):
        if names := facts.get(name):
            yield f"{words}: {', '.join(names)}"


def _stated(text: str) -> str:
    return _moment(datetime.fromisoformat(text))


def _moment(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"
