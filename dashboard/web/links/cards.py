"""Build the cards of links, which lists show."""

from __future__ import annotations

from dashboard.domain.registration import spaced
from dashboard.store.links import links
from dashboard.store.links.records import Link
from dashboard.web.links.records import LinkCard
from dashboard.web.shared.current import current_services, names
from dashboard.web.shared.texts import link_state


def card(link: Link, challans: int | None) -> LinkCard:
    """Build the card of a link that covers so many challans; None where that is not known."""
    return LinkCard(
        id=link.id,
        plate=spaced(link.rc) if link.rc else None,
        state=link_state(link.status),
        total=link.total,
        challans=challans,
        created_at=link.made_at,
        created_by=names().get(link.person_id),
        expires_at=link.expires_at,
    )


def recent(limit: int = 12) -> list[LinkCard]:
    """Build the cards of the newest links, newest first."""
    with current_services().store.read() as connection:
        found = links.recent(connection, limit)
        counts = links.challan_counts(connection, found)
    return [card(link, counts[link.id]) for link in found]
