"""Find the requests that have the same challans as a link, where no other link has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection

from dashboard.domain.links import is_ended
from dashboard.store.links import links
from dashboard.store.links.duplicates import DuplicateLink
from dashboard.store.reconciliation.discrepancies import ListedDiscrepancy
from dashboard.web.links.related_links import claim_without_link
from dashboard.web.reconciliation import advice_texts


def of_rows(
    connection: Connection, rows: Sequence[ListedDiscrepancy], others: Mapping[str, Sequence[DuplicateLink]]
) -> dict[str, dict[str, Any]]:
    """Return what is shown of such links: the sentence, and the request without a known outcome."""
    alone = [row.link_id for row in rows if all(is_ended(each.status) for each in others.get(row.link_id, ()))]
    held = {link.id: claim_without_link(connection, link) for link in links.find_all(connection, alone).values()}
    return {
        link_id: {"sentences": (advice_texts.same_on_a_request(claim.prepared_at),), "request_id": claim.intent_id}
        for link_id, claim in held.items()
        if claim is not None
    }
