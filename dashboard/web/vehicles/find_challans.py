"""Find challans for the find box, with what keeps each off a new link: the link or the request that holds it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from flask import url_for
from sqlalchemy import Connection

from dashboard.domain.challans import EligibilityGroup, EligibilityReason
from dashboard.domain.links import ACTIVE, is_live, is_paid
from dashboard.domain.money import add_up
from dashboard.domain.offences import same_offence
from dashboard.domain.registration import spaced
from dashboard.services.vehicles import eligibility
from dashboard.services.vehicles.eligibility import ListedChallan
from dashboard.store.vehicles import quick_find
from dashboard.store.vehicles.quick_find import FoundChallan
from dashboard.web.shared import texts as shared_texts
from dashboard.web.shared.records import StateWords
from dashboard.web.vehicles import texts
from dashboard.web.vehicles.find_hits import FEWEST, FEWEST_LETTERS, hit_of
from dashboard.web.vehicles.find_records import Found

_ON_LINK = (EligibilityReason.LIVE_LINK, EligibilityReason.PAID_LINK)


def find_challans(connection: Connection, typed: str, most: int) -> Iterator[Found]:
    shown, words = _found(connection, typed, most)
    known = eligibility.of_challans(connection, [item.challan_id for item in shown if item.challan_id])
    yield from (_challan(item, known.get(item.challan_id or ""), words) for item in shown)


def count_challans(connection: Connection, typed: str, most: int) -> int:
    """Count what `find_challans` finds, up to `most`, without asking what keeps each off a new link."""
    return len(_found(connection, typed, most)[0])


def _found(connection: Connection, typed: str, most: int) -> tuple[list[FoundChallan], Sequence[str]]:
    """Return the challans that a text finds, and the words by which their offences are found."""
    found = {item.challan_no: item for item in quick_find.challans(connection, typed, most)}
    words = same_offence(typed) if len(typed) >= FEWEST_LETTERS and any(map(str.isalpha, typed)) else ()
    part = typed if len(typed) >= FEWEST and any(sign.isdigit() for sign in typed) else ""
    place = typed if words else ""
    for item in quick_find.challans_with(connection, part, words, most, place):
        found.setdefault(item.challan_no, item)
    return list(found.values())[:most], words


def _challan(item: FoundChallan, known: ListedChallan | None, words: Sequence[str]) -> Found:
    """Show a challan with what holds or paid it; an ended link says nothing of it any more. What cannot be paid at all
    has no sum.

    `known` is what the last search of its vehicle says of it. Its offence has one of `words`, where it was found by
    that.
    """
    address, state = _holder(item, known) or (url_for("vehicles.show", rc=item.rc), None)
    no_sum = state is None and known is not None and known.eligibility.group is EligibilityGroup.NOT_PAYABLE
    return Found(
        item.challan_no,
        address,
        item.offence or "",
        state,
        None if no_sum else add_up([item.total]),
        plate=spaced(item.rc),
        status="" if state else item.status or "",
        is_not_payable=no_sum,
        is_payable=known is not None and known.selectable,
        fine=known.challan.challan_amount if known else None,
        dated=item.dated,
        place=item.place or "",
        more_hit=next((hit for word in words if (hit := hit_of(item.offence or "", word))[1]), (0, 0)),
    )


def _holder(item: FoundChallan, known: ListedChallan | None) -> tuple[str, StateWords] | None:
    """Return the address and the state of the link or the request that keeps a challan off a new link, if any does."""
    if item.link is not None and (is_live(item.link.status) or is_paid(item.link.status)):
        return _of_link(item.link.id, shared_texts.state_of(item.link))
    if known is None:
        return None
    reason, claim, link = known.eligibility.reason, known.claim, known.link
    if reason is EligibilityReason.RESERVED and claim is not None:
        return url_for("creation.request_page", request_id=claim.intent_id), texts.MAY_HAVE_A_LINK
    link_id = link.id if link else known.challan.link_id
    if reason not in _ON_LINK or link_id is None:
        return None
    if link is not None:
        return _of_link(link_id, shared_texts.state_of(link))
    shown = known.challan.payment_link
    return _of_link(link_id, shared_texts.link_state(shown.status if shown else ""))


def _of_link(link_id: str, state: StateWords) -> tuple[str, StateWords]:
    """Lead to a link; of an active one say that the challan is on it."""
    named = replace(state, name=str(texts.ON_A_LINK)) if state.raw == ACTIVE else state
    return url_for("links.show", link_id=link_id), named
