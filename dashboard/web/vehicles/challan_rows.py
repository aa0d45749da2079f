"""Show challans as rows of a table, on the page of their vehicle and on those of requests and links."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Sequence
from dataclasses import replace
from datetime import datetime

from flask import url_for

from dashboard.domain.challans import EligibilityReason
from dashboard.domain.links import is_live, may_have_taken_money
from dashboard.services.vehicles.eligibility import ListedChallan
from dashboard.store.links.records import Link
from dashboard.web.links import cards as link_cards
from dashboard.web.shared import texts as shared_texts
from dashboard.web.shared.current import format_moment, format_near_day, names, person_id, zone
from dashboard.web.shared.records import ChallanRow, EarlierLink, HeldBy
from dashboard.web.shared.service_words import is_done
from dashboard.web.vehicles import texts
from dashboard.web.vehicles.records import UsualWhere

_ON_LINKS = (EligibilityReason.LIVE_LINK, EligibilityReason.PAID_LINK)


def challan_row(
    item: ListedChallan,
    now: datetime,
    ticked: Container[str] = (),
    earlier: Sequence[Link] = (),
    doubtful: Container[str] = (),
) -> ChallanRow:
    """Show a challan as a row of a table; the ids in `ticked` are ticked.

    It was on the links `earlier`, which have ended; the row leads to the last of them. The payment of those
    whose ids are in `doubtful` is checked first, as it failed.
    """
    challan = item.challan
    # That a challan paid with a link is no longer pending is no news.
    is_paid = item.eligibility.reason is EligibilityReason.PAID_LINK
    changes = [(field, before) for field, before in item.stored.changes if not (is_paid and field == "status")]
    return ChallanRow(
        id=challan.id,
        challan_no=challan.challan_no or texts.NO_NUMBER,
        status=challan.status or texts.NO_STATUS,
        date=challan.challan_date,
        age_days=_days_between(challan.challan_date, now) if challan.challan_date else None,
        offence=challan.offense_details,
        place=challan.challan_place,
        state=challan.state,
        type=challan.challan_type,
        amount=challan.challan_amount,
        total=challan.total_amount,
        reason=texts.not_selectable(challan, item.eligibility.reason),
        held_by=_held_by(item),
        mark=None if item.stored.changes and not changes else item.stored.mark,
        changes=tuple(texts.change(field, before) for field, before in changes),
        ticked=challan.id in ticked,
        earlier=earlier_link(earlier[-1], earlier[:-1], is_to_check=challan.id in doubtful) if earlier else None,
        is_paid=is_paid,
        is_done=not is_paid and is_done(challan.status or ""),
        is_not_payable=item.eligibility.reason is EligibilityReason.STATUS,
    )


def earlier_link(link: Link, others: Sequence[Link] = (), *, is_to_check: bool = False) -> EarlierLink:
    """Name the ended link that a payable challan was on, and say that it was on the `others`."""
    ended = link_cards.ended_at(link)
    words = texts.was_on(link.status, format_moment(ended) if ended else "", format_near_day(ended) if ended else "")
    if is_to_check:
        words = str(texts.CHECK_FIRST)
    also = texts.and_on_others([each.status for each in others])
    return EarlierLink(url_for("links.show", link_id=link.id), words, may_have_taken_money(link.status), also)


def _days_between(since: datetime, until: datetime) -> int:
    """Count days as a calendar does, beside which they are shown."""
    here = zone()
    return (until.astimezone(here).date() - since.astimezone(here).date()).days


def row_on_other_page(item: ListedChallan, now: datetime) -> ChallanRow:
    """Show a challan away from its vehicle's page, where no heading says that it is no longer listed."""
    row = challan_row(item, now)
    if item.listed or row.held_by is not None:
        return row
    return replace(row, reason=texts.MAY_BE_PAID, is_gone=True)


def row_of_failed_link(item: ListedChallan, failed: Link, now: datetime) -> ChallanRow:
    """Show a challan that could be paid but for a link whose payment failed, with the way to that link."""
    address, state = url_for("links.show", link_id=failed.id), shared_texts.state_of(failed)
    held_by = HeldBy(address, texts.CHECK_PAYMENT, state, is_failed=True)
    return replace(challan_row(item, now), held_by=held_by)


def _held_by(item: ListedChallan) -> HeldBy | None:
    reason, claim = item.eligibility.reason, item.claim
    if reason is EligibilityReason.RESERVED and claim is not None:
        words = texts.reserving_request(
            format_moment(claim.prepared_at), names().get(claim.person_id), own=claim.person_id == person_id()
        )
        return HeldBy(url_for("creation.request_page", request_id=claim.intent_id), words)
    link_id = item.link.id if item.link else item.challan.link_id
    if reason not in _ON_LINKS or link_id is None:
        return None
    address = url_for("links.show", link_id=link_id)
    if item.link is None:
        shown = item.challan.payment_link
        return HeldBy(address, texts.OPEN_LINK, shared_texts.link_state(shown.status if shown else ""))
    expires_at = item.link.expires_at if is_live(item.link.status) else None
    return HeldBy(address, texts.OPEN_LINK, shared_texts.state_of(item.link), expires_at)


def usual_where(listed: Sequence[ListedChallan]) -> UsualWhere | None:
    """Return the state and type of most challans; None where there is no such majority, or but one challan."""
    counted = Counter((item.challan.state, item.challan.challan_type) for item in listed)
    if len(listed) < 2:
        return None
    [((state, kind), count)] = counted.most_common(1)
    return UsualWhere(state, kind, of_all=count == len(listed)) if 2 * count > len(listed) else None
