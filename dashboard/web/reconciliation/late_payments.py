"""Show of payments that came late when their links were to end, and whether other links have the same challans."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection

from dashboard.store.links import links
from dashboard.store.links.duplicates import DuplicateLink
from dashboard.store.links.records import Link
from dashboard.store.reconciliation.discrepancies import ListedDiscrepancy
from dashboard.web.reconciliation import advice_texts, texts


def of_rows(
    connection: Connection,
    rows: Sequence[ListedDiscrepancy],
    others: Mapping[str, Sequence[DuplicateLink]],
    requests: Mapping[str, Mapping[str, Any]],
) -> dict[str, dict[str, Any]]:
    """Return what is shown of each row; `requests` is what is said where only a request has the same challans."""
    found = links.find_all(connection, [row.link_id for row in rows])
    counted = links.challan_counts(connection, found.values())
    shown = {}
    for row in rows:
        beside = requests.get(row.link_id, {})
        sentences = (
            *texts.in_words(row.kind, row.facts),
            *_end(row, found.get(row.link_id)),
            *_others(len(others.get(row.link_id, ())), beside, knows_challans=bool(counted.get(row.link_id))),
        )
        shown[row.link_id] = {**beside, "sentences": sentences}
    return shown


def _end(row: ListedDiscrepancy, link: Link | None) -> Iterator[str]:
    """Say when a link was to end that the service showed as ended before the payment; others say so themselves."""
    if "was_ended" in row.facts and "after_end" not in row.facts and link is not None:
        yield advice_texts.was_to_end(link.expires_at) if link.expires_at else str(advice_texts.END_NOT_KNOWN)


def _others(links: int, beside: Mapping[str, Any], *, knows_challans: bool) -> Iterator[str]:
    if links:
        yield advice_texts.on_other_links(links)
    yield from beside.get("sentences", ())
    if not links and not beside:
        yield str(advice_texts.ON_NO_OTHER_LINK if knows_challans else advice_texts.CHALLANS_NOT_KNOWN)
