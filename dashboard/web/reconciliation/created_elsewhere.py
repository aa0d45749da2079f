"""Show what else is known of links that were created outside this dashboard."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection

from dashboard.domain.discrepancies import DiscrepancyKind
from dashboard.domain.sharing import SENDS
from dashboard.store.links import links
from dashboard.store.sharing import shares
from dashboard.store.sharing.shares import Share
from dashboard.web.links import rows as link_rows
from dashboard.web.links.list_records import LinkRow
from dashboard.web.reconciliation import elsewhere_texts, texts


def of_links(connection: Connection, link_ids: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return what else is shown of such links: since when they are known, when they end or ended, and to whom they were
    or can be sent.
    """
    found, shared = links.find_all(connection, link_ids), shares.newest_of_links(connection, link_ids)
    sent = {each: share for each, share in shared.items() if share.channel in SENDS}
    rows = {row.card.id: row for row in link_rows.rows(connection, list(found.values()))}
    return {
        link.id: {
            "sentences": (
                elsewhere_texts.first_seen(link.first_seen_at),
                *_sent(sent.get(link.id)),
                elsewhere_texts.sentence(rows[link.id].card.when.words),
                *_to_be_sent(rows[link.id], sent.get(link.id)),
            ),
            # What was to be found out is known then.
            "ready": str(texts.KINDS[DiscrepancyKind.ELSEWHERE].notes[0]) if link.id in sent else "",
        }
        for link in found.values()
    }


def _to_be_sent(row: LinkRow, share: Share | None) -> tuple[str, ...]:
    is_usual = row.is_usual and row.payment is not None and share is None
    return (elsewhere_texts.usual_driver(row.driver),) if row.driver and is_usual else ()


def _sent(share: Share | None) -> tuple[str, ...]:
    return (elsewhere_texts.sent_to(share.driver_name, share.at),) if share else ()
