"""Show the links that hold the same challans as one with a discrepancy, and who has those that can be paid."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sqlalchemy import Connection

from dashboard.domain.links import is_live
from dashboard.domain.sharing import SENDS
from dashboard.store.links import duplicates
from dashboard.store.links.duplicates import DuplicateLink
from dashboard.store.sharing import shares
from dashboard.store.sharing.shares import Share
from dashboard.web.reconciliation import advice_texts, texts
from dashboard.web.reconciliation.records import OtherLink
from dashboard.web.shared.texts import state_of

#: Above so many challans their number is said instead of theirs.
_MOST_NAMED = 3


def of_links(connection: Connection, found: Mapping[str, Sequence[DuplicateLink]]) -> dict[str, tuple[OtherLink, ...]]:
    """Return the other links of each link, by its id."""
    ids = {each.id for listed in found.values() for each in listed}
    sent = shares.newest_of_links(connection, ids) if ids else {}
    return {link_id: tuple(_other(each, sent.get(each.id)) for each in listed) for link_id, listed in found.items()}


def named(connection: Connection, link_ids: Iterable[str]) -> dict[str, dict[str, tuple[str, ...]]]:
    """Return what is said of links that share few challans: which these are, by the ids of the links."""
    return {
        link_id: {"sentences": (advice_texts.on_another_link(known),)}
        for link_id, numbers in duplicates.shared_numbers(connection, link_ids).items()
        if len(known := [number for number in numbers if number]) == len(numbers) <= _MOST_NAMED
    }


def _other(link: DuplicateLink, share: Share | None) -> OtherLink:
    live = is_live(link.status) and not link.is_unknown
    sent = share if share is not None and share.channel in SENDS else None
    words = advice_texts.who_has(sent.driver_name if sent else None, is_sent=sent is not None) if live else ""
    return OtherLink(link.id, texts.other_link(link.made_at), state_of(link), words, live)
