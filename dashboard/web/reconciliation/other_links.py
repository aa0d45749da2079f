"""Show the links that hold the same challans as one with a discrepancy, and who has those that can be paid."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from sqlalchemy import Connection

from dashboard.domain.discrepancies import DiscrepancyKind
from dashboard.domain.links import is_live, is_paid
from dashboard.store.links import duplicates, links
from dashboard.store.links.duplicates import DuplicateLink
from dashboard.store.reconciliation.discrepancies import ListedDiscrepancy
from dashboard.store.sharing import shares
from dashboard.web.links import list_texts
from dashboard.web.links import rows as link_rows
from dashboard.web.reconciliation import advice_texts, texts
from dashboard.web.reconciliation.records import OtherLink, SentLink
from dashboard.web.shared.texts import state_of

#: Above so many challans their number is said instead of theirs.
_MOST_NAMED = 3
#: Of these kinds it matters who has a link that can be paid; of the first two, that they do not pay it yet.
_TO_WAIT = (DiscrepancyKind.SUMS, DiscrepancyKind.CHALLANS)
_ABOUT_SENT = (*_TO_WAIT, DiscrepancyKind.DUPLICATE, DiscrepancyKind.LATE)


def sent(
    connection: Connection,
    kind: DiscrepancyKind,
    rows: Sequence[ListedDiscrepancy],
    others: Mapping[str, Sequence[DuplicateLink]],
) -> dict[str, SentLink]:
    """Return to whom the links that can be paid were sent, by id: those of rows, and their `others`."""
    if kind not in _ABOUT_SENT:
        return {}
    ids = {row.link_id for row in rows} | {each.id for listed in others.values() for each in listed}
    return who_has(connection, ids, waits=kind in _TO_WAIT)


def who_has(connection: Connection, ids: Collection[str], *, waits: bool = False) -> dict[str, SentLink]:
    """Return to whom those of these links were sent that can be paid, by id. `waits`: they should not be paid yet."""
    known = links.find_all(connection, ids)
    live = {each.id: each for each in known.values() if is_live(each.status) and not each.is_unknown}
    messages = shares.newest_messages_of_links(connection, live) if live else {}
    found = {
        each.link_id: SentLink(
            advice_texts.sent_to(each.driver_name, each.at, waits=waits), each.driver_name, True, each.driver_id
        )
        for each in messages.values()
    }
    for row in link_rows.rows(connection, [each for each in live.values() if each.id not in messages]):
        is_given = row.is_opened or not row.is_unsent
        unsent = list_texts.not_sent(is_observed=live[row.card.id].is_observed)
        words = advice_texts.given(row.contact, waits=waits) if is_given else unsent
        found[row.card.id] = SentLink(words, None, is_given)
    return found


def of_links(
    found: Mapping[str, Sequence[DuplicateLink]], rows: Sequence[ListedDiscrepancy], has: Mapping[str, SentLink]
) -> dict[str, tuple[OtherLink, ...]]:
    """Return the other links of each link, by its id; `has` says who has which."""
    kept = {row.link_id for row in rows if is_paid(row.status) or (row.link_id in has and has[row.link_id].is_sent)}
    return {
        link_id: tuple(_other(each, has.get(each.id), is_spare=link_id in kept) for each in listed)
        for link_id, listed in found.items()
    }


def named(connection: Connection, link_ids: Iterable[str]) -> dict[str, dict[str, tuple[str, ...]]]:
    """Return what is said of links that share few challans: which these are, by the ids of the links."""
    return {
        link_id: {"sentences": (advice_texts.on_another_link(sorted(known)),)}
        for link_id, numbers in duplicates.shared_numbers(connection, link_ids).items()
        if len(known := [number for number in numbers if number]) == len(numbers) <= _MOST_NAMED
    }


def to_do(kind: DiscrepancyKind, has: Mapping[str, SentLink], of: int) -> str:
    """Return what is done with `of` rows, by whether links that can be paid were sent; "" where it is the same with
    all of their kind.
    """
    is_unsent = not all(each.is_sent for each in has.values())
    if kind is DiscrepancyKind.DUPLICATE and is_unsent:
        return advice_texts.do_not_send_other(is_sent=any(each.is_sent for each in has.values()))
    if kind is DiscrepancyKind.SUMS and has:
        return advice_texts.which_amount(of, is_unsent=is_unsent)
    if kind is DiscrepancyKind.CHALLANS and not is_unsent:
        return str(advice_texts.WHY_CHALLANS_DIFFER)
    return ""


def _other(link: DuplicateLink, has: SentLink | None, *, is_spare: bool) -> OtherLink:
    """`is_spare`: the link beside it is paid, or sent."""
    words = advice_texts.who_has(has, is_spare=is_spare) if has else ""
    return OtherLink(link.id, texts.other_link(link.made_at), link.total, state_of(link), words)
