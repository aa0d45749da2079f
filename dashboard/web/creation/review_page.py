"""The review before a link is created: what it will hold, until when, and what is left out of it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from flask import current_app, url_for
from sqlalchemy import Connection

from dashboard.domain.links import DEFAULT_HOURS, MAX_HOURS, MIN_HOURS, is_ended, plan_links
from dashboard.domain.money import add_up
from dashboard.domain.registration import spaced
from dashboard.services.creation import replacement
from dashboard.services.creation.replacement import LeftOut
from dashboard.services.vehicles import eligibility
from dashboard.services.vehicles.eligibility import ListedChallan
from dashboard.store.creation import releases
from dashboard.store.creation.intents import Intent
from dashboard.store.links import links
from dashboard.store.vehicles import vehicles
from dashboard.store.vehicles.selections import Selection
from dashboard.web.creation.records import ReplacedLink, ReviewPage
from dashboard.web.links import related_links
from dashboard.web.shared.current import current_services, format_moment, names, person_id
from dashboard.web.shared.records import ChallanRow, HeldBy
from dashboard.web.vehicles.page import challan_row, row_on_other_page

PRESETS = (24, 48, 72, 168)


#: Said of a challan that the vehicle never had, or has had no more since before the last search.
UNKNOWN = "Not among the challans of this vehicle."


def review_page(
    rc: str, draft: Selection, problem: str | None = None, replaces: str | None = None
) -> ReviewPage | None:
    """The review of the first link that a draft makes, or None when the vehicle was never searched.

    `replaces` is the ended link in whose place it is to be; any other is left unsaid.
    """
    services = current_services()
    now = services.clock()
    with services.store.read() as connection:
        row = vehicles.find(connection, rc)
        if row is None:
            return None
        placed = {item.challan.id: item for item in eligibility.of_vehicle(connection, rc) if item.challan.id}
        chosen = [placed[item] for item in draft.challan_ids if item in placed]
        lots = plan_links([str(item.challan.id) for item in chosen if item.selectable])
        aside = releases.unclear_on(connection, lots[0] if lots else [])
        lot = [placed[item] for item in lots[0]] if lots else []
        old = replaced_link(connection, rc, replaces, lots[0] if lots else ()) if replaces else None
    told = {row.id for row in old.left_out} if old else set()
    dropped = [item for item in chosen if not item.selectable and item.claim is None and item.challan.id not in told]
    hours = draft.hours or str(DEFAULT_HOURS)
    return ReviewPage(
        rc=rc,
        plate=spaced(rc),
        rows=tuple(challan_row(item, now) for item in lot),
        sum=add_up(item.challan.total_amount for item in lot),
        base_sum=add_up(item.challan.challan_amount for item in lot),
        plan=tuple(len(ids) for ids in lots),
        dropped=tuple(row_on_other_page(item, now) for item in dropped),
        held=tuple(challan_row(item, now) for item in chosen if _is_held(item, told=problem is not None)),
        hours=hours,
        ends_at=now + timedelta(hours=int(hours)) if is_hours(hours) else None,
        presets=PRESETS,
        snapshot_at=row.searched_at,
        problem=problem,
        zone=current_app.config["TIMEZONE"],
        let_go=tuple(_request_of(row) for row in aside),
        replaces=old,
    )


def replaced_link(connection: Connection, rc: str, link_id: str, lot: Sequence[str]) -> ReplacedLink | None:
    """A link of this vehicle in whose place a review of the challans `lot` may stand; None when there is no such."""
    row = links.find(connection, link_id)
    if row is None:
        return None
    plan = replacement.plan_replacement(connection, row, rc)
    if row.rc != rc and not plan.payable:
        return None
    return ReplacedLink(
        link=related_links.mention(row),
        tied=is_ended(row.status) and replacement.is_replaceable(connection, link_id, tuple(lot)),
        covered=plan.covered,
        left_out=left_out_rows(plan.left_out),
        added=len(set(lot) - replacement.challans_of(connection, row).keys()),
    )


def left_out_rows(left_out: Sequence[LeftOut]) -> tuple[ChallanRow, ...]:
    """The challans of an ended link that cannot go on a new one, each with its reason."""
    now = current_services().clock()
    return tuple(row_on_other_page(item.placed, now) if item.placed else _unlisted_row(item) for item in left_out)


def _unlisted_row(item: LeftOut) -> ChallanRow:
    return ChallanRow(
        id=item.challan_id,
        challan_no=item.challan_no or "(no number)",
        status="(no status)",
        date=None,
        age_days=None,
        offence=None,
        place=None,
        state=None,
        type=None,
        amount=None,
        total=None,
        reason=UNKNOWN,
    )


def _request_of(row: Intent) -> HeldBy:
    who = names().get(row.person_id, "a colleague")
    return HeldBy(
        url_for("creation.request_page", request_id=row.id), f"the request by {who} of {format_moment(row.prepared_at)}"
    )


def next_lot(rc: str, draft: Selection) -> int:
    """How many challans of a selection still wait for a link."""
    if not draft.challan_ids:
        return 0
    with current_services().store.read() as connection:
        payable = {item.challan.id for item in eligibility.of_vehicle(connection, rc) if item.selectable}
    return sum(item in payable for item in draft.challan_ids)


def is_hours(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 3 and MIN_HOURS <= int(text) <= MAX_HOURS


def _is_held(item: ListedChallan, *, told: bool) -> bool:
    """Selected, but a request or its link holds it; one's own is worth saying only beside a refusal."""
    if item.selectable or item.claim is None:
        return False
    return told or bool(item.claim.person_id != person_id())
