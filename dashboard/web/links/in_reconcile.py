"""Say what Reconcile lists of a link, on the page of the link."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from flask_login import current_user
from sqlalchemy import Connection

from dashboard.domain.discrepancies import DiscrepancyKind
from dashboard.domain.links import is_live, is_paid
from dashboard.domain.settlements import CheckedChallan
from dashboard.store.links.records import Link
from dashboard.store.reconciliation import discrepancies, settlements
from dashboard.store.reconciliation.discrepancies import Discrepancy
from dashboard.store.reconciliation.settlements import TrackedSettlement
from dashboard.web.links import texts
from dashboard.web.links.records import InReconcile
from dashboard.web.reconciliation.support import for_support
from dashboard.web.reconciliation.texts import KINDS, in_words
from dashboard.web.shared.current import current_services
from dashboard.web.shared.texts import link_state

#: Discrepancies of which the page of a link says everything itself, or nothing can be done yet.
_SAID_HERE = frozenset((DiscrepancyKind.DUPLICATE, DiscrepancyKind.ELSEWHERE, DiscrepancyKind.UNCHECKED))


def of_link(connection: Connection, row: Link, besides: Collection[DiscrepancyKind] = ()) -> InReconcile | None:
    """Say what Reconcile lists of a link apart from what its page says itself and `besides`; None where it is nothing.

    What a sentence says in full needs no title.
    """
    listed = [each for each in _listed(connection, row) if each.kind not in besides]
    listed.sort(key=lambda each: KINDS[each.kind].meaning != "wrong")
    if not listed:
        return None
    tracked = settlements.of_links(connection, [row.id])
    sentences = {each.kind: words for each in listed if (words := _sentence(each, tracked.get(row.id)))}
    titles = [str(KINDS[each.kind].title) for each in listed if each.kind not in sentences]
    rows = [found for each in listed if (found := discrepancies.find_open(connection, each.id))]
    support = (for_support(each.kind, [each], tracked) for each in rows)
    pending = tracked.get(row.id) if DiscrepancyKind.UNSETTLED in sentences else None
    at, then, asks_support = _pending_next(pending)
    return InReconcile(
        words=(*((texts.in_reconcile(titles),) if titles else ()), *sentences.values()),
        meaning="wrong" if any(KINDS[each.kind].meaning == "wrong" for each in listed) else "waiting",
        discrepancy_id=listed[0].id,
        comes_first=is_paid(row.status),
        support="\n\n".join(filter(None, support)),
        at=at,
        next=then,
        asks_support=asks_support,
    )


def mismatch(connection: Connection, row: Link) -> InReconcile | None:
    """Say which amounts of a link that can be sent do not match; None where Reconcile lists none."""
    if not is_live(row.status) or row.is_unknown:
        return None
    return of_link(connection, row, besides=frozenset(DiscrepancyKind) - {DiscrepancyKind.SUMS})


def comes_first(connection: Connection, row: Link) -> bool:
    """Tell whether the signed-in person goes to Reconcile before anything else is done about a paid link.

    Challans that are still pending can wait until the day when support is asked about them.
    """
    kinds = {each.kind for each in _listed(connection, row)}
    if not kinds or not current_user.may_open("reconciliation.index"):
        return False
    checked = settlements.of_links(connection, [row.id]).get(row.id)
    if checked is None or checked.checked_at is None or kinds != {DiscrepancyKind.UNSETTLED}:
        return True
    services = current_services()
    return services.clock() >= services.schedule.last_settlement_check(checked.since)


def still_pending(connection: Connection, row: Link) -> dict[str, str | None]:
    """Return the challans of a paid link that Reconcile lists as pending, with their status at the source."""
    if all(each.kind is not DiscrepancyKind.UNSETTLED for each in _listed(connection, row)):
        return {}
    checked = settlements.of_links(connection, [row.id]).get(row.id)
    return {each.challan_id: each.status for each in _pending(checked)}


def lists_challans(connection: Connection, row: Link) -> bool:
    """Tell whether Reconcile lists the link because of its challans."""
    found = discrepancies.of_link(connection, row.id).get(DiscrepancyKind.CHALLANS)
    return found is not None and found.is_open


def _listed(connection: Connection, row: Link) -> Iterator[Discrepancy]:
    found = discrepancies.of_link(connection, row.id).values()
    return (each for each in found if each.is_open and each.kind not in _SAID_HERE)


def _sentence(found: Discrepancy, checked: TrackedSettlement | None) -> str:
    """Say which amounts do not match, when it was paid late, or which challans are still pending.

    "" of what has no such sentence.
    """
    if found.kind is DiscrepancyKind.LATE:
        before = found.facts.get("was_ended")
        if before and not (found.facts.get("after_end") or found.facts.get("unsaid")):
            return texts.ended_before(link_state(before["state"]).shown)
        return " ".join(in_words(found.kind, found.facts))
    if found.kind is DiscrepancyKind.SUMS:
        return in_words(found.kind, found.facts)[0]
    if found.kind is not DiscrepancyKind.UNSETTLED or checked is None or checked.checked_at is None:
        return ""
    pending = sorted(each.challan_no or each.challan_id for each in _pending(checked))
    return texts.still_pending(pending) if pending else ""


def _pending_next(checked: TrackedSettlement | None) -> tuple[str, str, bool]:
    """Say when challans were pending, from when on to ask support about them, and whether that is now."""
    if checked is None or checked.checked_at is None:
        return "", "", False
    services = current_services()
    until = services.schedule.last_settlement_check(checked.since)
    days = (until - checked.since).days
    words = texts.ask_support(checked.checked_at, until, services.clock(), days=days)
    return texts.pending_at(checked.checked_at), words, checked.checked_at >= until


def _pending(checked: TrackedSettlement | None) -> Sequence[CheckedChallan]:
    return [each for each in checked.challans if each.is_payable] if checked else []
