"""Build the receipt of a paid link for its driver: a sheet to print, and a message of thanks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from dashboard.domain.challans import Challan, newest_first
from dashboard.domain.languages import LANGUAGES
from dashboard.domain.links import is_paid, receipt_number
from dashboard.domain.money import add_up
from dashboard.domain.registration import spaced
from dashboard.services.sharing.messages import facts_of
from dashboard.store.creation import organization
from dashboard.store.links import links
from dashboard.store.links.records import CoveredChallan, Link
from dashboard.store.sharing import drivers, receipts, shares
from dashboard.store.vehicles import vehicles
from dashboard.web.links import texts as link_texts
from dashboard.web.links.amounts import added_otherwise, amount_table, how_paid, otherwise
from dashboard.web.links.payment import receipt_said, receipt_undo
from dashboard.web.shared.current import current_services, zone
from dashboard.web.sharing import unsaved_driver
from dashboard.web.sharing.page import addressee, by_hand, choose, name_of_recipient, spoken_by, ways_of
from dashboard.web.sharing.receipt_records import Receipt, ReceiptChallan
from dashboard.web.sharing.recipients import Meant
from dashboard.web.sharing.records import OpenedMessage
from dashboard.web.sharing.wording import thanks

#: A message that names more challans is hard to read on a phone.
_MOST_NAMED = 3


def receipt(link_id: str, to: Meant | None = None, language: str | None = None, kept: str = "") -> Receipt | None:
    """Build the receipt of a link; None unless the service says that it is paid.

    The thanks go to whom the request means, and else to who was given the link.
    """
    with current_services().store.read() as connection:
        link = links.find(connection, link_id)
        if link is None or not is_paid(link.status) or link.is_unknown:
            return None
        ours = organization.find(connection)
        challans = links.challans_of(connection, link_id)
        searched = vehicles.challans_by_id(connection, [each.challan_id for each in challans])
        last = shares.last_driver_id(connection, link_id)
        usual = drivers.of_vehicle(connection, link.rc) if link.rc else []
        everybody = drivers.listed(connection)
        sent = shares.of_link(connection, link_id)
        was_sent = receipts.newest(connection, link_id)
        # Whoever drives the vehicle now has not paid what somebody else was sent.
        likely = choose(None, last, () if sent else usual, everybody)
        recipient = likely if to is None else choose(to.asked, last, usual, everybody)
        if to is None and likely is None:
            # Whoever sent it to a number begins with that.
            number = unsaved_driver.number_of(link_id, sent)
            to = Meant(number, number=number)
        # Who has left is named, and not written to.
        driver = drivers.find(connection, last) if last is not None else likely
    spoken = spoken_by(recipient, kept := by_hand(recipient, language, kept))
    # Which way to pay was used is not reported: what was received is known where all of them come to the same.
    facts = facts_of(link, len(challans), name_of_recipient(recipient, to))
    whole = add_up(each.total_amount for each in challans)
    facts = replace(
        facts,
        amount=None if otherwise(link) else link.total,
        challan_total=whole.total if challans and not whole.unknown else None,
        paid_at=link.paid_at,
        receipt=receipt_number(link.id),
        challan_numbers=few_numbers(challans),
    )
    message = thanks(spoken, facts)
    rows = [_challan(each, searched.get(each.challan_id)) for each in challans]
    return Receipt(
        link_id=link.id,
        plate=spaced(link.rc) if link.rc else None,
        organization=ours.name if ours else None,
        driver=driver.name if driver else None,
        to=addressee(everybody, usual, recipient, spoken, to, kept),
        total=link.total,
        paid_at=link.paid_at,
        challans=tuple(sorted(rows, key=lambda row: newest_first(row.date, row.label, zone()))),
        made_of=_made_of(link),
        how_paid=how_paid(link),
        added_otherwise=added_otherwise(link),
        message=message,
        ways=ways_of(message, recipient, to),
        said=receipt_said(was_sent),
        undo_id=receipt_undo(was_sent),
        is_sent=was_sent is not None and was_sent.is_sent,
    )


def few_numbers(challans: Sequence[CoveredChallan]) -> tuple[str, ...]:
    """Return the numbers of a few challans, which a message names; none of more, or where one has no number."""
    numbers = tuple(sorted(each.challan_no for each in challans if each.challan_no))
    return numbers if len(challans) == len(numbers) <= _MOST_NAMED else ()


def opened_receipt(of: Receipt) -> OpenedMessage:
    """Return the message of a receipt with the address that opens WhatsApp."""
    to, spoken = of.to.driver or of.to.number, LANGUAGES[of.to.language]
    return OpenedMessage(((of.plate, of.total),), to, of.message.text, spoken, of.ways[0].address)


def _made_of(link: Link) -> tuple[tuple[str, Decimal], ...]:
    """Return what the total of a paid link is made of, without what is zero."""
    table = amount_table(link)
    parts = next((way.parts for way in table.ways if way.total == link.total), ())
    known = [(words, part) for words, part in zip(table.parts, parts, strict=False) if part is not None]
    if len(known) < len(table.parts) or sum(part for _, part in known) != link.total:
        return ()
    return tuple((words, part) for words, part in known if part)


def _challan(challan: CoveredChallan, searched: Challan | None) -> ReceiptChallan:
    return ReceiptChallan(
        label=challan.challan_no or link_texts.NO_NUMBER,
        amount=challan.total_amount,
        offence=searched.offense_details if searched else None,
        date=searched.challan_date if searched else None,
    )
