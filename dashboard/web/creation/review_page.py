"""Build the review before a link is created: what it will hold, until when, and what is left out of it."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

from flask import current_app, url_for
from sqlalchemy import Connection

from dashboard.domain.fingerprints import fingerprint
from dashboard.domain.links import DEFAULT_HOURS, is_ended, may_have_taken_money, plan_links
from dashboard.domain.money import add_up
from dashboard.domain.registration import spaced
from dashboard.services.creation import replacement
from dashboard.services.creation.commands import CreationProblem, CreationRefused
from dashboard.services.creation.replacement import LeftOut
from dashboard.services.vehicles import eligibility
from dashboard.services.vehicles.earlier_links import earlier_links
from dashboard.services.vehicles.eligibility import ListedChallan
from dashboard.store.creation import releases
from dashboard.store.creation.intents import Intent
from dashboard.store.links import links
from dashboard.store.sharing import drivers, questions
from dashboard.store.vehicles import vehicles
from dashboard.store.vehicles.selections import Selection
from dashboard.web.creation import holding_links, holding_texts, release_texts, texts
from dashboard.web.creation.earlier_payments import earlier_payments
from dashboard.web.creation.earlier_texts import MAY_BE_PAID_LATE
from dashboard.web.creation.forms import PRESETS, is_hours
from dashboard.web.creation.records import Problem, ReleasedRequest, ReplacedLink, ReviewPage
from dashboard.web.links import cards
from dashboard.web.shared.current import current_services, names, person_id
from dashboard.web.shared.records import ChallanRow
from dashboard.web.vehicles.card_links import usual_drivers
from dashboard.web.vehicles.challan_rows import challan_row, row_of_failed_link, row_on_other_page

#: The problems that concern single challans, whose holders are worth naming.
_OF_CHALLANS = (CreationProblem.HELD, CreationProblem.NOT_PAYABLE)


def review_page(
    rc: str,
    selection: Selection,
    problem: Problem | None = None,
    replaces: str | None = None,
    typed_hours: str | None = None,
) -> ReviewPage | None:
    """Build the review of the first link of a selection; None when the vehicle was never searched.

    `replaces` is the ended link to replace; the page is silent about a link that cannot be replaced. `typed_hours` are
    those of a form that was just sent. Of an earlier visit only hours that a link may live are shown again.
    """
    services = current_services()
    now = services.clock()
    with services.store.read() as connection:
        vehicle = vehicles.find(connection, rc)
        if vehicle is None:
            return None
        listed = {item.challan.id: item for item in eligibility.of_vehicle(connection, rc) if item.challan.id}
        chosen = [listed[item] for item in selection.challan_ids if item in listed]
        lots = plan_links([str(item.challan.id) for item in chosen if item.selectable])
        lot = [listed[item] for item in lots[0]] if lots else []
        usual = usual_drivers(drivers.of_vehicle(connection, rc))
        planned = [listed[item] for ids in lots for item in ids]
        earlier = earlier_links(connection, planned, services.schedule, now)
        failed = {link.id for link in earlier.values() if may_have_taken_money(link.status)}
        asked = questions.newest_of_links(connection, failed) if failed else {}
        old = replaced_link(connection, rc, replaces, lots[0] if lots else ()) if replaces else None
        before, total_before = _amounts_before(connection, old.link.id, lot) if old and old.tied else ({}, None)
        shown = {row.id for row in old.left_out} if old else set()
        is_plan = len(lots) > 1 and old is None
        sent = [challan_id for ids in (lots if is_plan else lots[:1]) for challan_id in ids]
        released = releases.unclear_on(connection, sent)
        dropped = [
            each for each in chosen if not each.selectable and each.claim is None and each.challan.id not in shown
        ]
        held = [item for item in chosen if _is_held(item, by_anybody=problem is not None)]
        on_links = [item for item in held + dropped if holding_links.is_on_link(item)]
        holders = holding_links.build(connection, on_links, are_all=len(on_links) == len(chosen))
    stored = selection.hours or ""
    # The head names the link that this one replaces, and nothing below repeats it but a warning.
    replaced = {each for each, link in earlier.items() if old and old.tied and link.id == old.link.id}
    warned = {each for each in replaced if may_have_taken_money(earlier[each].status)}
    if old and replaced - warned:
        old = replace(old, next=str(MAY_BE_PAID_LATE))
    unrepeated = {each: (link,) for each, link in earlier.items() if each not in replaced}
    besides = [earlier[each] for each in sent if each in earlier and each not in replaced - warned]
    hours = typed_hours if typed_hours is not None else stored if is_hours(stored) else str(DEFAULT_HOURS)

    def rows_of(ids: Sequence[str]) -> tuple[ChallanRow, ...]:
        return tuple(challan_row(listed[each], now, earlier=unrepeated.get(each, ())) for each in ids)

    return ReviewPage(
        rc=rc,
        plate=spaced(rc),
        rows=rows_of(lots[0] if lots else ()),
        next_rows=tuple(rows_of(ids) for ids in lots[1:]) if is_plan else (),
        sum=add_up(item.challan.total_amount for item in lot),
        base_sum=add_up(listed[each].challan.challan_amount for each in sent),
        fee_sum=add_up(listed[each].challan.fee for each in sent),
        plan=tuple(len(ids) for ids in lots),
        planned=fingerprint([each for ids in lots for each in ids]) if is_plan else "",
        plan_id=str(uuid.uuid4()),
        lot_sums=tuple(add_up(listed[each].challan.total_amount for each in ids) for ids in lots),
        drivers=usual,
        dropped=tuple(row_on_other_page(item, now) for item in dropped if item not in on_links),
        links=holders,
        held_words=holding_links.summary(holders, len(on_links), len(chosen)),
        held=tuple(challan_row(item, now) for item in held if item not in on_links),
        hours=hours,
        ends_at=now + timedelta(hours=int(hours)) if is_hours(hours) else None,
        presets=PRESETS,
        snapshot_at=vehicle.searched_at,
        list_address=url_for("vehicles.show", rc=rc, replaces=old.link.id if old and old.tied else None),
        problem=problem,
        zone=current_app.config["TIMEZONE"],
        way_back=texts.CHANGE_SELECTION if any(item.selectable for item in listed.values()) else texts.OPEN_VEHICLE,
        released=tuple(_released_request(intent, sent) for intent in released),
        released_ids={each for intent in released for each in intent.challan_ids},
        replaces=old,
        before=before,
        total_before=total_before,
        earlier=tuple(earlier_payments(besides, asked)),
    )


def problem(rc: str, refused: CreationRefused, chosen: Collection[str]) -> Problem | None:
    """Say why no link was created, and whose request holds which challans; `chosen` were requested.

    The review names the links that hold challans itself. None where they are more than a link holds: the review says
    how many links they make, and offers these.
    """
    if refused.problem is CreationProblem.TOO_MANY:
        return None
    if refused.problem not in _OF_CHALLANS:
        return Problem(texts.problem(refused.problem, {}, others=False))
    lost = len(set(chosen) & set(refused.challan_ids))
    others = len(set(chosen)) - lost
    is_counted = refused.problem is CreationProblem.NOT_PAYABLE and lost and others
    counted = holding_texts.no_longer_selectable(lost, lost + others) if is_counted else ""
    with current_services().store.read() as connection:
        listed = [item for item in eligibility.of_vehicle(connection, rc) if item.challan.id in refused.challan_ids]
    if listed and all(map(holding_links.is_on_link, listed)):
        return Problem(holding_texts.no_second_link(others), "neutral")
    if listed and all(item.claim is not None for item in listed):
        # Beside each stands whose request holds it.
        return Problem(texts.problem(refused.problem, {}, others=bool(others), counted=counted), "neutral")
    return Problem(texts.problem(refused.problem, _requests(listed), others=bool(others), counted=counted))


def _requests(listed: Sequence[ListedChallan]) -> dict[str, list[str]]:
    """Return the numbers of the challans that a request holds, by its words."""
    now = current_services().clock()
    found: dict[str, list[str]] = {}
    for row in (challan_row(item, now) for item in listed):
        if row.held_by is not None and row.held_by.state is None:
            found.setdefault(row.held_by.words, []).append(row.challan_no)
    return found


def replaced_link(connection: Connection, rc: str, link_id: str, lot: Sequence[str]) -> ReplacedLink | None:
    """Build the link to replace by a link for the challans `lot` of this vehicle; None when it is of another one."""
    row = links.find(connection, link_id)
    if row is None:
        return None
    plan = replacement.plan_replacement(connection, row, rc)
    if row.rc != rc and not plan.payable:
        return None
    return ReplacedLink(
        link=cards.mention(row),
        tied=is_ended(row.status) and replacement.is_replaceable(connection, link_id, tuple(lot)),
        left_out=left_out_rows([each for each in plan.left_out if each.challan_id not in lot]),
        added=len(set(lot) - replacement.challans_of(connection, row).keys()),
    )


def _amounts_before(
    connection: Connection, link_id: str, lot: Sequence[ListedChallan]
) -> tuple[dict[str, Decimal], Decimal | None]:
    """Return what the link to replace had of the amounts that the search does not know: of each challan, or as a whole.

    They are facts of the ledger, and part of no sum: the service names the amounts of a new link.
    """
    unknown = {item.challan.id for item in lot if item.challan.total_amount is None}
    if not unknown:
        return {}, None
    covered = links.challans_of(connection, link_id)
    of_each = {each.challan_id: each.total_amount for each in covered if each.total_amount is not None}
    before = {challan_id: of_each[challan_id] for challan_id in unknown if challan_id in of_each}
    is_same = {each.challan_id for each in covered} == {item.challan.id for item in lot}
    row = links.find(connection, link_id) if is_same and not before else None
    return before, row.total if row else None


def left_out_rows(left_out: Sequence[LeftOut]) -> tuple[ChallanRow, ...]:
    """Build the rows of an ended link's challans that are not on a new one, each with its reason."""
    return tuple(map(_left_out_row, left_out))


def _left_out_row(item: LeftOut) -> ChallanRow:
    if item.listed is None:
        return _unlisted_row(item)
    now = current_services().clock()
    return row_of_failed_link(item.listed, item.failed, now) if item.failed else row_on_other_page(item.listed, now)


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
        reason=texts.UNLISTED,
    )


def _released_request(intent: Intent, sent: Collection[str]) -> ReleasedRequest:
    person = names().get(intent.person_id, str(texts.A_COLLEAGUE))
    words = release_texts.were_released(len({*intent.challan_ids} & {*sent}), person, intent.prepared_at)
    return ReleasedRequest(words, url_for("creation.request_page", request_id=intent.id))


def count_waiting(rc: str, selection: Selection, link_id: str) -> int:
    """Count the challans that still wait for a link, of the selection whose first challans this link took."""
    if not selection.challan_ids or selection.link_id != link_id:
        return 0
    with current_services().store.read() as connection:
        payable = {item.challan.id for item in eligibility.of_vehicle(connection, rc) if item.selectable}
    return sum(item in payable for item in selection.challan_ids)


def _is_held(item: ListedChallan, *, by_anybody: bool) -> bool:
    """Return whether a request or its link holds a selected challan; `by_anybody` includes the person's own."""
    if item.selectable or item.claim is None:
        return False
    return by_anybody or item.claim.person_id != person_id()
