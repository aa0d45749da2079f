"""Build how the payment URL of a link is offered: its address, the drivers it can be sent to, or what it paid for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from flask_login import current_user
from sqlalchemy import Connection

from dashboard.domain import follow_up
from dashboard.domain.fingerprints import fingerprint
from dashboard.domain.languages import DEFAULT_LANGUAGE, LANGUAGES
from dashboard.domain.link_doubts import LinkDoubt
from dashboard.domain.links import has_run_out, is_ended, is_live, is_paid
from dashboard.domain.money import add_up
from dashboard.domain.payment_urls import UrlProblem, problem_of
from dashboard.domain.phones import TYPED, is_phone, shown
from dashboard.domain.registration import spaced
from dashboard.domain.roles import Role
from dashboard.domain.sharing import Channel
from dashboard.services.links import doubts
from dashboard.services.links.duplicates import alarm_of, has_ended_duplicate, has_paid_duplicate
from dashboard.services.sharing.messages import facts_of
from dashboard.services.vehicles import eligibility
from dashboard.store.links import duplicates, links
from dashboard.store.links.records import Link
from dashboard.store.sharing import drivers, follow_ups, message_templates, receipts, shares
from dashboard.store.sharing import questions as driver_questions
from dashboard.store.sharing.drivers import Driver
from dashboard.store.sharing.receipts import SentReceipt
from dashboard.store.sharing.shares import Share
from dashboard.store.vehicles import vehicles
from dashboard.web.links import doubt_words, faults, in_reconcile, marked, questions, texts
from dashboard.web.links.records import PaymentAddress, PaymentCard, Recipient, UndoableShare
from dashboard.web.shared.current import current_services, format_moment, name_of, person_id
from dashboard.web.sharing import unsaved_driver
from dashboard.web.sharing.texts import NAME_ALONE, NAME_NOT_LISTED, NOT_A_DRIVER, NOT_A_PHONE
from dashboard.web.sharing.wording import worded

#: The choice of somebody who is not among the drivers, in forms and in addresses.
SOMEONE_ELSE = 0
_LATELY = timedelta(minutes=5)


def payment_card(link_id: str) -> PaymentCard | None:
    """Build the payment URL as a link's page offers it; None when the ledger does not know the link."""
    with current_services().store.read() as connection:
        row = links.find(connection, link_id)
        if row is None:
            return None
        check_first = has_ended_duplicate(connection, link_id)
        payment = payment_address(row, has_paid_duplicate(connection, link_id), check_first=check_first)
        return card_of(connection, row, payment)


def card_of(connection: Connection, row: Link, payment: PaymentAddress) -> PaymentCard:
    """Offer the payment URL of a link that was read already."""
    sent = shares.of_link(connection, row.id)
    rests = is_resting(row, sent, asks_again(connection, row, sent))
    found = last_or_usual(connection, row)
    recipient = _recipient(connection, row, found)
    message, spoken = _message(connection, row, found) if payment.copyable else ("", "")
    own = undoable(sent[0] if sent else None)
    number = "" if recipient else unsaved_driver.number_of(row.id, sent)
    offered = _choices(connection, row) if payment.copyable and recipient is None else ()
    payable, more = _more_to_pay(connection, row)
    doubt = doubts.of_link(connection, row)
    advice, why = doubt_words.advice(connection, row, doubt)
    words = doubt_words.sentence(connection, row, doubt)
    is_mismatch = doubt is LinkDoubt.AMOUNTS
    support = _support(connection, row, doubt)
    asks_support = bool(support) and (doubt is not LinkDoubt.STATE or _is_checked_lately(row))
    found_faults = faults.beside_url(connection, row, payment)
    receipt = receipts.newest(connection, row.id) if has_receipt(row) else None
    return PaymentCard(
        link_id=row.id,
        payment=replace(payment, support="\n\n".join(filter(None, (payment.support, found_faults.support)))),
        recipient=recipient,
        drivers=offered,
        lacks_driver=row.rc is not None and not drivers.of_vehicle(connection, row.rc),
        fingerprint=card_fingerprint(row, payment, sent, rests=rests, doubt=(words, *found_faults.words)),
        has_receipt=has_receipt(row),
        has_ended=is_ended(row.status) and not row.is_unknown,
        doubt=advice,
        doubt_why=why,
        holds_url_back=row.checked_at is None or doubt in doubt_words.HELD_BACK,
        asks_support=asks_support,
        is_mismatch=is_mismatch,
        in_reconcile=is_mismatch
        or found_faults.in_reconcile
        or (asks_support and in_reconcile.lists_challans(connection, row)),
        discrepancy_id=found_faults.discrepancy_id,
        faults=found_faults.words,
        support=support,
        is_unknown=row.is_unknown,
        rests=rests,
        is_unchecked=payment.copyable and row.checked_at is None,
        payable=payable,
        more=more,
        rc=row.rc,
        plate=spaced(row.rc) if row.rc else None,
        total=row.total,
        expires_at=row.expires_at,
        number_check=number_check(has_drivers=bool(offered)),
        to=number,
        message=message,
        spoken=spoken,
        sent=own,
        sent_words=_own_words(sent, is_undoable=own is not None),
        number=number,
        unsaved=unsaved_driver.offer(connection, row, sent),
        receipt_said=receipt_said(receipt),
        receipt_undo=receipt_undo(receipt),
        receipt_is_sent=receipt is not None and receipt.is_sent,
        receipt_waits=has_receipt(row) and (in_reconcile.comes_first(connection, row) or _is_alarmed(connection, row)),
        receipt_is_noted=has_receipt(row) and marked.has_note_on_payment(connection, row.id),
        asked=questions.for_person(driver_questions.newest_of_links(connection, [row.id]).get(row.id)),
        only_sender=_only_sender(sent, number) if recipient is None else "",
    )


def _is_alarmed(connection: Connection, row: Link) -> bool:
    """Tell whether an alarm about duplicates of a link stands, which is seen to before anything is sent."""
    found = alarm_of(connection, row.id, duplicates.of_link(connection, row.id))
    return found is not None and bool(found.unacknowledged)


def _is_checked_lately(row: Link) -> bool:
    """Tell whether another check of a link would hardly say anything else."""
    return row.checked_at is not None and current_services().clock() - row.checked_at < _LATELY


def receipt_said(sent: SentReceipt | None) -> str:
    """Say how the receipt of a link was sent last and when, and by whom where a colleague did; "" where it was not."""
    if sent is None:
        return ""
    by = "" if sent.person_id == person_id() else name_of(sent.person_id)
    return texts.receipt_sent(sent.channel, sent.driver, sent.at, by)


def receipt_undo(sent: SentReceipt | None) -> int:
    """Return the id of a receipt that the signed-in person can still take back, or 0."""
    return sent.id if sent and current_services().sharing.can_undo_event(sent, person_id()) else 0


def _only_sender(sent: Sequence[Share], number: str) -> str:
    """Say who alone has the number that a link was sent to, and what to do; "" where this person knows whom to remind.

    A typed number is stored in its sender's session alone.
    """
    last = sent[0] if sent else None
    if last is None or number or last.driver_id is not None or last.is_unconfirmed:
        return ""
    if last.channel not in (Channel.WHATSAPP, Channel.SMS):
        return ""
    return texts.number_not_shown(None if last.person_id == person_id() else name_of(last.person_id))


def undoable(last: Share | None) -> UndoableShare | None:
    """Return the last share of a link, if the signed-in person can still take it back."""
    if last is None or not current_services().sharing.can_undo(last, person_id()):
        return None
    return UndoableShare(
        last.link_id,
        last.id,
        last.at,
        is_unconfirmed=last.is_unconfirmed,
        number=unsaved_driver.opened_for(last),
        in_whatsapp=last.channel is Channel.WHATSAPP,
    )


def card_fingerprint(
    row: Link, payment: PaymentAddress, sent: Sequence[Share], *, rests: bool, doubt: Sequence[str]
) -> str:
    """Return what changes with the payment URL, with how it was sent last, and with what is odd about the link."""
    is_unchecked = row.checked_at is None
    return fingerprint((payment, row.total, row.expires_at, is_unchecked, sent_last(sent), rests, tuple(doubt)))


def asks_again(connection: Connection, row: Link, sent: Sequence[Share]) -> datetime | None:
    """Return when Follow up asks again for a link that somebody has; None where it asks now, or no more."""
    if not is_live(row.status) or row.is_unknown:
        return None
    return follow_ups.asks_again(connection, row.id, _given_at(sent), row.expires_at, current_services().clock())


def back_in_follow_up(connection: Connection, row: Link, sent: Sequence[Share]) -> datetime | None:
    """Return when Follow up asks again for a link that was sent or copied; None where nobody is known to have it."""
    is_given = _given_at(sent) is not None or row.id in follow_ups.copied_at(connection, [row.id])
    return asks_again(connection, row, sent) if is_given else None


def is_resting(row: Link, sent: Sequence[Share], again: datetime | None) -> bool:
    """Tell whether nobody need be reminded of a link now, because it was sent and is asked for later, if `again`."""
    given_at = _given_at(sent)
    if given_at is None:
        return False
    return again is not None or follow_up.rests(given_at, row.expires_at, current_services().clock())


def _given_at(sent: Sequence[Share]) -> datetime | None:
    """Return when somebody got a link last, of its shares from the newest on; None where nobody is known to have it."""
    return next((share.at for share in sent if not share.is_unconfirmed), None)


def _more_to_pay(connection: Connection, row: Link) -> tuple[int, str]:
    """Return how many challans of the vehicle of a paid link can still be paid, and what is said of it."""
    vehicle = vehicles.find(connection, row.rc) if row.rc and has_receipt(row) else None
    if vehicle is None:
        return 0, ""
    payable = [item.challan for item in eligibility.of_vehicle(connection, vehicle.rc) if item.selectable]
    if not payable and in_reconcile.still_pending(connection, row):
        return 0, ""  # Those are neither paid, as the source says, nor to be paid again.
    if not payable:
        return 0, texts.no_more_to_pay(vehicle.searched_at)
    return len(payable), texts.more_to_pay(len(payable), add_up(challan.total_amount for challan in payable))


def has_receipt(row: Link) -> bool:
    """Tell whether a link is paid, as the service still says."""
    return is_paid(row.status) and not row.is_unknown


def sent_last(found: Sequence[Share], number: str = "") -> str:
    """Say to whom a link was sent last and when, and how often; "" when it was not sent.

    `number` is for its sender alone: the ledger has none.
    """
    if not found:
        return ""
    last = found[0]
    to = last.driver_name or number
    return texts.sent(last.channel, to, last.at, times=len(found), is_unconfirmed=last.is_unconfirmed)


def _own_words(found: Sequence[Share], *, is_undoable: bool) -> str:
    """Say the same to the signed-in person; how often it was sent makes room for the undo."""
    return sent_last(found[:1] if is_undoable else found, unsaved_driver.own_number(found[0])) if found else ""


def _message(connection: Connection, row: Link, driver: Driver | None) -> tuple[str, str]:
    """Return the message that one tap sends to a driver, or to whom WhatsApp asks for, and its language."""
    language = LANGUAGES.get(driver.language if driver else "", DEFAULT_LANGUAGE)
    template = message_templates.find(connection, language.code)
    facts = facts_of(row, links.challan_counts(connection, [row])[row.id] or 0, driver.name if driver else "")
    return worded(language, template.body if template else None, facts).text, language.code


def _recipient(connection: Connection, row: Link, found: Driver | None) -> Recipient | None:
    """Return whom one tap sends the link."""
    if found is None:
        return None
    return Recipient(found.id, found.name, was_sent_it=found.id == shares.last_driver_id(connection, row.id))


def last_or_usual(connection: Connection, row: Link) -> Driver | None:
    """Return who was sent a link last, or else the only usual driver of its vehicle; None unless they have a number.

    Whoever drives the vehicle now has nothing to do with a link that is over and that somebody else was sent.
    """
    last = shares.last_driver_id(connection, row.id)
    found = drivers.present(connection, filter(None, [last]))
    candidates = list(found.values())
    if not candidates and row.rc and (is_live(row.status) or not shares.of_link(connection, row.id)):
        candidates = drivers.of_vehicle(connection, row.rc)
    return candidates[0] if len(candidates) == 1 and is_phone(candidates[0].phone or "") else None


def whom_to_ask(connection: Connection, row: Link) -> Driver | None:
    """Return who was asked last about the failed payment of a link, or else whom `last_or_usual` has."""
    asked = driver_questions.newest_of_links(connection, [row.id]).get(row.id)
    found = drivers.present(connection, [asked.driver_id] if asked and asked.driver_id else [])
    asked_last = [each for each in found.values() if is_phone(each.phone or "")]
    return asked_last[0] if asked_last else last_or_usual(connection, row)


def _choices(connection: Connection, row: Link) -> tuple[str, ...]:
    """Offer all drivers who have a number, as they are typed, those who usually drive the vehicle first."""
    usual = drivers.of_vehicle(connection, row.rc) if row.rc else []
    listed = drivers.listed(connection)
    return tuple(map(as_typed, usual_first([each for each in listed if is_phone(each.phone or "")], usual)))


def usual_first(listed: Sequence[Driver], usual: Sequence[Driver]) -> list[Driver]:
    """Put those first who usually drive the vehicle."""
    first = {driver.id for driver in usual}
    return sorted(listed, key=lambda driver: driver.id not in first)


def as_typed(driver: Driver) -> str:
    """Return a driver as the field for the recipient of a message offers and shows them."""
    return f"{driver.name}, {shown(driver.phone)}" if driver.phone and is_phone(driver.phone) else driver.name


def number_check(*, has_drivers: bool) -> tuple[str, str, str]:
    """Return what a number looks like that is typed in that field, and what is said of anything else, or of a name."""
    if has_drivers:
        return TYPED, str(NOT_A_DRIVER), str(NAME_NOT_LISTED)
    return TYPED, str(NOT_A_PHONE), str(NAME_ALONE)


def payment_address(row: Link, has_paid_duplicate: bool, *, check_first: bool = False) -> PaymentAddress:
    """Check a link's payment URL. Only a safe one is a link; only that of a link that may be shared can be copied."""
    url = row.payment_url
    if row.is_unknown:
        return PaymentAddress(None, safe=False, copyable=False, problem=texts.UNKNOWN_NOT_SHARED)
    if not url and row.checked_at is None and is_live(row.status):
        return PaymentAddress(None, safe=False, copyable=False, problem=texts.NEVER_CHECKED)
    if not url:
        lacks = _not_to_share(row, texts.NO_PAYMENT_URL, texts.URL_LEFT_OUT_NEXT)
        return replace(lacks, title=str(texts.NOBODY_CAN_PAY), why=texts.NO_PAYMENT_URL)
    if (unsafe := problem_of(url, current_services().payment_page_base)) is not None:
        # An administrator is whom others show it to.
        is_other_page = unsafe is UrlProblem.NOT_ON_PAYMENT_PAGE
        report = texts.OTHER_PAGE_NEXT_ADMIN if is_other_page else texts.ADDRESS_NEXT_ADMIN
        next_step = report if current_user.role is Role.ADMIN else texts.ADDRESS_NEXT
        return _not_to_share(row, texts.URL_PROBLEMS[unsafe], next_step)
    problem = _why_not_copyable(row, has_paid_duplicate)
    if problem == texts.URL_LEFT_OUT:
        lacks = _not_to_share(row, texts.URL_LEFT_OUT, texts.URL_LEFT_OUT_NEXT)
        title, why = str(texts.DO_NOT_SEND_LINK), texts.URL_LEFT_OUT_WHY
        return replace(lacks, safe=True, is_left_out=True, title=title, why=why)
    return PaymentAddress(
        url,
        safe=True,
        copyable=problem is None,
        problem=problem,
        check_first=check_first,
        is_over=is_paid(row.status) or is_ended(row.status),
    )


def _not_to_share(row: Link, problem: str, next_step: str) -> PaymentAddress:
    """Say what is wrong with a payment URL and what to do, with the link's id if support is to know it."""
    link_id = "" if next_step == texts.ADDRESS_NEXT else row.id
    return PaymentAddress(
        row.payment_url,
        safe=False,
        copyable=False,
        problem=problem,
        next=str(next_step),
        link_id=link_id,
        support=for_support(row) if link_id else "",
    )


def _support(connection: Connection, row: Link, doubt: LinkDoubt | None) -> str:
    """Write down what is doubtful about a link for the service's support; "" where they have nothing to explain."""
    if doubt is LinkDoubt.AMOUNTS and (found := in_reconcile.mismatch(connection, row)):
        return found.support
    if doubt is LinkDoubt.MONEY_TAKEN:
        return doubt_words.for_support(connection, row)
    return for_support(row, doubt_words.QUESTIONS[doubt]) if doubt in doubt_words.QUESTIONS else ""


def for_support(row: Link, question: str = "") -> str:
    """Write down what is wrong with a link or its payment URL for the service's support, in English as they read it."""
    url, is_left_out = row.payment_url, row.leaves_out("payment_url")
    question = question or ("is this payment URL right?" if url and not is_left_out else "no payment URL")
    checked = (row.checked_at or row.first_seen_at).astimezone(UTC)
    return "\n".join(
        (
            f"Get Payment Link: {question}",
            f"Payment link: {row.id}",
            f"Vehicle: {row.rc or 'not known'}",
            f"State: {row.status or 'none'}",
            f"Answered: {checked:%Y-%m-%d %H:%M:%S} UTC",
            f"Payment URL: {'none' if not url else f'{url} (of an earlier answer)' if is_left_out else url}",
        )
    )


def _why_not_copyable(row: Link, has_paid_duplicate: bool) -> str | None:
    if is_paid(row.status):
        return texts.PAID_NOTHING_TO_SHARE
    if is_ended(row.status):
        return texts.ENDED_NOTHING_TO_SHARE
    if row.may_be_paid:
        return texts.MAY_BE_PAID
    if row.leaves_out("payment_url"):
        return texts.URL_LEFT_OUT
    if row.expires_at and has_run_out(row.expires_at, row.service_clock_offset, current_services().clock()):
        return texts.RUN_OUT.format(at=format_moment(row.expires_at))
    return texts.PAID_WITH_DUPLICATE if has_paid_duplicate else None
