"""Build the page of a payment link: its panel, its payment URL, its amounts and challans."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

from flask_login import current_user
from sqlalchemy import Connection

from dashboard.domain import follow_up
from dashboard.domain.discrepancies import DiscrepancyKind
from dashboard.domain.fingerprints import fingerprint
from dashboard.domain.link_doubts import LinkDoubt
from dashboard.domain.links import FAILED, is_ended, is_live, is_paid
from dashboard.domain.money import add_up
from dashboard.domain.registration import spaced
from dashboard.domain.sharing import Answer
from dashboard.services.links import doubts
from dashboard.services.links.duplicates import has_ended_duplicate
from dashboard.services.vehicles import eligibility
from dashboard.store.creation import organization, possible_makers
from dashboard.store.creation.possible_makers import PossibleMaker
from dashboard.store.links import links
from dashboard.store.links.records import Link
from dashboard.store.sharing import follow_ups, shares
from dashboard.store.sharing import questions as driver_questions
from dashboard.store.vehicles import vehicles
from dashboard.web.links import (
    cards,
    checks,
    covered,
    doubt_words,
    failed_texts,
    faults,
    in_reconcile,
    marked,
    panel_warnings,
    questions,
    related_links,
    texts,
    timeline,
    unknown_link_texts,
    unknown_links,
)
from dashboard.web.links.amounts import amount_table, ways
from dashboard.web.links.payment import (
    back_in_follow_up,
    card_fingerprint,
    card_of,
    has_receipt,
    is_resting,
    payment_address,
    sent_last,
    whom_to_ask,
)
from dashboard.web.links.records import LinkPage, LinkPanel, PaymentCard
from dashboard.web.links.related_links import RelatedLinks
from dashboard.web.shared.current import current_services, format_moment, names
from dashboard.web.shared.languages import language
from dashboard.web.shared.live import whole_seconds
from dashboard.web.shared.records import Freshness
from dashboard.web.shared.texts import state_of

#: The range of seconds between a due poll and the fetch of its answer, because a poll takes a moment.
_AFTER_A_POLL = (0.3, 1.2)


def link_panel(link_id: str) -> LinkPanel | None:
    """Build the live region of a link; None when the ledger does not know it."""

    def read(connection: Connection) -> LinkPanel | None:
        row = links.find(connection, link_id)
        return None if row is None else _panel(connection, row, related_links.of_link(connection, row))

    # All watchers of a link with the same role and language see the same panel, so it is built once per second.
    services = current_services()
    second = int(services.clock().timestamp())
    return services.store.cached_read(("panel", link_id, current_user.role, language(), second), read)


def panel_for(panel: LinkPanel, card: PaymentCard) -> LinkPanel:
    """Return the panel, which everybody shares, as the signed-in person sees it on the link's own page."""
    is_sent = bool(panel.sent and card.sent_words)
    can_undo = is_sent and panel.copyable and card.sent is not None and not card.sent.is_unconfirmed
    words, undo = card.sent_words if is_sent else panel.sent, card.sent if can_undo else None
    return replace(panel, sent=words, undoable=undo, asked=card.asked if panel.asked else None)


def _copied(connection: Connection, row: Link) -> str:
    """Say when a person copied the payment URL of an unpaid link that was not sent otherwise; "" when nobody did."""
    copied = None if is_paid(row.status) else follow_ups.copied_at(connection, [row.id]).get(row.id)
    return texts.copied_only(copied) if copied else ""


def link_page(link_id: str) -> LinkPage | None:
    """Build the whole page of a link; None when the ledger does not know it."""
    with current_services().store.read() as connection:
        row = links.find(connection, link_id)
        if row is None:
            return None
        ours = organization.find(connection)
        challans = links.challans_of(connection, link_id)
        searched = vehicles.challans_by_id(connection, [item.challan_id for item in challans])
        related = related_links.of_link(connection, row)
        panel = _panel(connection, row, related)
        replaces = related_links.replaces(connection, row)
        had_before = None if replaces else related_links.had_before(connection, row, challans)
        check_first = has_ended_duplicate(connection, link_id)
        maker = possible_makers.of_links(connection, [link_id]).get(link_id)
        history = timeline.timeline_of(connection, row)
        rows = covered.challan_rows(row, challans, searched, in_reconcile.still_pending(connection, row))
        missing = covered.missing_rows(connection, row)
        release = unknown_links.offer(connection, row)
        payment = payment_address(row, related.has_paid_duplicate, check_first=check_first)
        card = card_of(connection, row, payment)
        panel = panel_for(panel, card)
        says_challans = panel.odd_challans or (card.asks_support and card.in_reconcile and not card.is_mismatch)
        said = [DiscrepancyKind.CHALLANS] if says_challans else []
        said += [DiscrepancyKind.SUMS] if _says_mismatch(card) else []
        # What is wrong with a link that cannot be shared stands in one place.
        listed = None if payment.next else in_reconcile.of_link(connection, row, besides=said)
    return LinkPage(
        panel=panel,
        rc=row.rc,
        plate=spaced(row.rc) if row.rc else None,
        payment=payment,
        card=card,
        amounts=amount_table(row, challans, searched, is_mismatch=card.is_mismatch),
        challans=rows,
        missing=missing,
        created_at=row.created_at,
        created_by=names().get(row.person_id),
        unnamed_maker=texts.MAKER_NOT_SETTLED if maker else texts.MADE_ELSEWHERE_IN_LIST,
        origin=_origin(row, maker),
        found_at=row.first_seen_at if row.is_observed and maker is None else None,
        is_detailed=row.detailed,
        hours=row.hours,
        organization=ours.name if ours is not None else None,
        replaces=replaces,
        had_before=had_before,
        in_reconcile=listed,
        alarm=related.alarm,
        timeline=history,
        release=release,
    )


def _says_mismatch(card: PaymentCard) -> bool:
    """Tell whether it is said beside the ways to share a link that its amounts do not match."""
    return card.is_mismatch and card.payment.copyable and not (card.sent and card.sent.is_unconfirmed)


def _panel(connection: Connection, row: Link, related: RelatedLinks) -> LinkPanel:
    warnings = tuple(panel_warnings.of_state(connection, row))
    doubt = doubts.of_link(connection, row)
    doubted = doubt_words.sentence(connection, row, doubt)
    # Beside the panel stands what is odd about those.
    besides = panel_warnings.of_other_vehicles(connection, row) if doubt is LinkDoubt.OTHER_VEHICLE else ()
    check_first = has_ended_duplicate(connection, row.id)
    payment = payment_address(row, related.has_paid_duplicate, check_first=check_first)
    is_unchecked = payment.copyable and row.checked_at is None
    is_checked_first = is_unchecked or doubt in doubt_words.OF_MONEY
    odd_challans = () if payment.next else tuple(panel_warnings.of_challans(connection, row, besides))
    is_listed = bool(odd_challans) and in_reconcile.lists_challans(connection, row)
    state = state_of(row)
    if row.may_be_paid and not row.is_unknown:
        state = replace(state, words=texts.MAY_BE_PAID_STATE)
    stopped = checks.stopped(row)
    trouble = checks.trouble(row, stopped)
    poll_seconds = poll_seconds_of(row)
    sent = shares.of_link(connection, row.id)
    given = sent_last(sent) or _copied(connection, row)
    again = back_in_follow_up(connection, row, sent)
    is_urgent = follow_up.is_urgent(row.expires_at, current_services().clock())
    held_by = () if related_links.is_replaced(related.replaced_by) else related.held_by
    is_taken = bool(held_by) or related_links.is_replaced(related.replaced_by)
    can_replace = is_ended(row.status) and row.rc is not None and not is_taken
    has_failed = row.status == FAILED
    asked = driver_questions.newest_of_links(connection, [row.id]).get(row.id) if has_failed else None
    shown_question = questions.for_everybody(asked)
    to_ask = whom_to_ask(connection, row) if has_failed else None
    # Somebody has it, or drives the vehicle; of any other link it is chosen first whom to ask.
    asks_driver = has_failed and bool(given or to_ask or asked)
    is_settled = not has_failed or (shown_question is not None and shown_question.answer is Answer.NOT_TAKEN)
    free, again_sum = _free_again(connection, row, is_settled=is_settled) if can_replace else ("", None)
    taken = related_links.taken_by(connection, row, related.replaced_by, held_by) if is_taken else ()
    hold_back, hold_back_why = questions.held_back(asked, taken, is_new=not held_by)
    was_paid_for = shown_question is not None and shown_question.is_taken
    support, reference = questions.of_money_taken(connection, row, asked)
    note = _note(row, related, comes_first=can_replace and not was_paid_for)
    unknown, unknown_next = unknown_links.advice(connection, row)
    last_known = ""
    if row.is_unknown:
        at = format_moment(row.checked_at or row.first_seen_at)
        last_known = texts.last_known(state, at)
    # The interval itself may change without anything else; every answer carries it.
    shown = (
        row.status,
        str(row.is_unknown),
        unknown,
        unknown_next,
        str(row.paid_at),
        str(row.expires_at),
        str(row.total),
        trouble,
        str(row.is_unknown and checks.is_overdue(row)),
        given,
        str(again),
        is_urgent,
        note,
        free,
        str(again_sum),
        to_ask.name if to_ask else "",
        str(asked),
        reference.noted if reference else "",
        related.alarm is not None,
        *warnings,
        *odd_challans,
        *(checked := marked.of_link(connection, row.id)),
        is_listed,
        stopped is not None,
        poll_seconds is None,
        row.checked_at is None,
    )
    return LinkPanel(
        id=row.id,
        state=state,
        since=cards.ended_at(row),
        expires_at=row.expires_at,
        paid_at=row.paid_at,
        freshness=Freshness(row.failed_at if checks.is_not_found(row) else row.checked_at, trouble),
        warnings=warnings,
        odd_challans=odd_challans,
        in_reconcile=is_listed,
        marked=checked,
        duplicates=tuple(_duplicates(related)),
        poll_seconds=poll_seconds,
        seen=fingerprint((*shown, payment.copyable, doubted, *related.replaced_by, *taken)),
        total=row.total,
        ways=ways(row),
        says_state=row.may_be_paid or not row.status,
        ask_first=questions.ask_first(row, asked, asks_driver=asks_driver, can_replace=can_replace),
        asks_driver=asks_driver,
        to_ask=to_ask.name if to_ask else "",
        asked=shown_question,
        answers=questions.choices(row, asked),
        if_taken=str(failed_texts.IF_MONEY_WAS_TAKEN),
        support=support,
        reference=reference,
        is_urgent=is_urgent,
        sent=given,
        asks_again=again,
        is_unsent=not given and not is_paid(row.status),
        may_be_sent_elsewhere=row.is_observed,
        note=note,
        free=free,
        again_sum=again_sum,
        copyable=payment.copyable,
        is_doubtful=bool(doubted),
        is_overdue=row.is_unknown and checks.is_overdue(row),
        to_call=related_links.to_tell(to_ask) if was_paid_for and to_ask else None,
        payer_not_known=questions.payer_not_known(sent) if was_paid_for else "",
        is_unchecked=is_unchecked,
        can_check=not (has_receipt(row) and row.paid_at),
        is_stopped=stopped is not None,
        for_admin=checks.for_admin(stopped) if stopped else "",
        has_receipt=has_receipt(row),
        has_ended=is_ended(row.status) and not row.is_unknown,
        copy_problem=payment.problem or "",
        unknown=unknown,
        unknown_warns=unknown == unknown_link_texts.DO_NOT_SEND,
        unknown_next=unknown_next,
        last_known=last_known,
        badge=panel_warnings.badge(state, payment, related.replaced_by, is_doubtful=is_checked_first),
        timeline=timeline.fingerprint_of(connection, row, again),
        payment=fingerprint((payment,)),
        amounts=amount_table(row, is_mismatch=doubt is LinkDoubt.AMOUNTS).fingerprint,
        card=card_fingerprint(
            row,
            payment,
            sent,
            rests=is_resting(row, sent, again),
            doubt=(doubted, *faults.beside_url(connection, row, payment).words),
        ),
        title=f"{state.shown} · {spaced(row.rc) if row.rc else texts.PAYMENT_LINK} · Challan Dashboard",
        replaced_by=related.replaced_by,
        held_by=held_by,
        taken_by=taken,
        hold_back=hold_back,
        hold_back_why=hold_back_why,
        can_replace=can_replace,
        next_check_at=row.next_check_at,
        service_clock_offset=timedelta(seconds=row.service_clock_offset or 0),
    )


def next_poll(panel: LinkPanel) -> float | None:
    """Return the seconds until the page polls again: right after the link's next poll, where that is soon.

    A jitter spreads the polls of people who watch the same link.
    """
    if panel.poll_seconds is None or panel.next_check_at is None:
        return panel.poll_seconds
    watched_poll = current_services().schedule.watched_poll
    wait = panel.next_check_at - current_services().clock()
    if not -watched_poll < wait <= 2 * watched_poll:  # The link backs off, or no watcher is running.
        return panel.poll_seconds
    after = random.uniform(*_AFTER_A_POLL)  # noqa: S311 - spreading, not secrecy.
    return round(max(0.0, wait.total_seconds()) + after, 1)


def poll_seconds_of(row: Link) -> int | None:
    """Return the polling interval of a page that shows a link, in whole seconds; None when nothing can change."""
    schedule = current_services().schedule
    if row.next_check_at is None or (is_paid(row.status) and row.paid_at):
        return None
    backs_off = row.next_check_at - current_services().clock() > 2 * schedule.watched_poll
    return whole_seconds(schedule.watched_poll if is_live(row.status) and not backs_off else schedule.poll)


def _duplicates(related: RelatedLinks) -> Iterator[str]:
    if related.alarm is not None:
        yield str(texts.HAS_DUPLICATES)
    if related.has_paid_duplicate:
        yield str(texts.PAID_WITH_DUPLICATE)


def _note(row: Link, related: RelatedLinks, *, comes_first: bool) -> str:
    """Say until when a late payment is looked for, where nothing else does.

    `comes_first`: it stands below the button for a replacement link, which looks for one first.
    """
    first = str(texts.LATE_PAYMENT_FIRST) if comes_first else ""
    if not is_ended(row.status) or not (row.status == FAILED or related_links.is_replaced(related.replaced_by)):
        return first
    if row.next_check_at is None:
        return first or texts.CHECKED_NO_MORE
    last = current_services().schedule.last_check(row.expires_at, row.first_seen_at)
    words = texts.LATE_PAYMENT_FIRST_AND_UNTIL if comes_first else texts.CHECKED_UNTIL
    return words.format(until=texts.in_one_line(format_moment(last)))


def _free_again(connection: Connection, row: Link, *, is_settled: bool) -> tuple[str, Decimal | None]:
    """Say which challans of an ended link another one may have, with their sum where it is known and not the link's.

    No words unless `is_settled`: a payment may have gone through after all.
    """
    if row.rc is None or row.is_unknown:
        return "", None
    covered = {item.challan_id for item in links.challans_of(connection, row.id)}
    listed = (item for item in eligibility.of_vehicle(connection, row.rc) if item.selectable)
    free = [item.challan.total_amount for item in listed if item.challan.id in covered]
    total = add_up(free)
    words = texts.free_again(len(free), len(covered), total) if free and is_settled else ""
    return words, total.total if free and not total.unknown and total.total != row.total else None


def _origin(row: Link, maker: PossibleMaker | None) -> str:
    if maker is not None:
        return texts.ORIGIN_OPEN.format(asked=format_moment(maker.prepared_at))
    if row.origin == links.RECOVERED:
        return texts.origin_recovered(row.made_at)
    return ""
