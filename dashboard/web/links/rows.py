"""Build the rows of the list of links: each link with its driver, and how it can be given to them at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from sqlalchemy import Connection

from dashboard.domain import follow_up
from dashboard.domain.link_doubts import LinkDoubt
from dashboard.domain.links import is_ended, is_live, is_paid, may_have_taken_money
from dashboard.domain.phones import InvalidPhone, international
from dashboard.domain.sharing import Channel
from dashboard.services.links import doubts
from dashboard.store.links import duplicates, links
from dashboard.store.links.duplicates import DuplicateLink
from dashboard.store.links.records import Link
from dashboard.store.sharing import drivers, ended_links, follow_ups, shares
from dashboard.store.sharing import questions as driver_questions
from dashboard.store.sharing.drivers import Driver
from dashboard.store.sharing.questions import Question
from dashboard.store.sharing.shares import Share
from dashboard.web.links import cards, list_texts, questions, texts
from dashboard.web.links.cards import mention
from dashboard.web.links.list_records import LinkRow
from dashboard.web.links.payment import payment_address, undoable
from dashboard.web.links.records import LinkCard, PaymentAddress
from dashboard.web.links.told_apart import told_apart
from dashboard.web.shared.current import current_services, format_near, name_of
from dashboard.web.sharing.texts import sent_brief


@dataclass(frozen=True, slots=True)
class _Facts:
    """Hold what is read for all links of a page at once, by link or by vehicle."""

    shared: Mapping[str, Share]
    opened: Mapping[str, Share]  # unconfirmed since
    messages: Mapping[shares.MessageKey, int]  # of those that can be taken back, how many links they named
    copied: Mapping[str, datetime]
    asked: Mapping[str, Question]
    snoozed: Mapping[str, datetime]
    present: Mapping[int, Driver]
    usual: Mapping[str, list[Driver]]
    duplicates: Mapping[str, list[DuplicateLink]]
    holding_all: Mapping[str, list[DuplicateLink]]
    doubtful: Mapping[str, LinkDoubt]
    apart: Mapping[str, str]


def rows(connection: Connection, found: Sequence[Link]) -> tuple[LinkRow, ...]:
    """Build the rows of links; the same number of statements for any number of them, and none for no link."""
    if not found:
        return ()
    ids = [link.id for link in found]
    live = [link for link in found if is_live(link.status)]
    given = [link.id for link in found if _is_to_give_or_ask(link)]
    failed = [link.id for link in found if may_have_taken_money(link.status)]
    shared = shares.newest_of_links(connection, ids)
    facts = _Facts(
        shared=shared,
        opened=shares.unconfirmed_of_links(connection, given),
        messages=shares.message_sizes(connection, filter(undoable, shared.values())),
        copied=follow_ups.copied_at(connection, given),
        asked=driver_questions.newest_of_links(connection, failed),
        snoozed=follow_ups.snoozed_until(connection, current_services().clock(), [link.id for link in live]),
        present=drivers.present(connection, {each.driver_id for each in shared.values() if each.driver_id is not None}),
        usual=drivers.of_vehicles(connection, {link.rc for link in found if link.rc and _is_to_give_or_ask(link)}),
        duplicates=duplicates.of_links(connection, [link.id for link in live]),
        holding_all=duplicates.holding_all_of(connection, [link.id for link in found if is_ended(link.status)]),
        doubtful=doubts.before_sending(connection, live),
        apart=told_apart(connection, found),
    )
    shown = cards.cards(connection, found, links.challan_counts(connection, found))
    return _undone_once(tuple(_row(link, card, facts) for link, card in zip(found, shown, strict=True)), facts)


def _undone_once(found: Sequence[LinkRow], facts: _Facts) -> tuple[LinkRow, ...]:
    """Leave the undo of a message that named several links to the first of their rows."""
    messages: dict[shares.MessageKey, LinkRow] = {}
    repeated, beside = set(), {}
    for row in found:
        if row.undoable and row.sent_links > 1:
            first = messages.setdefault(shares.message_of(facts.shared[row.card.id]), row)
            if first is not row:
                repeated.add(row.card.id)
                beside[first.card.id] = row.card.plate or ""
    return tuple(
        replace(row, sent_links=0)
        if row.card.id in repeated
        else replace(row, sent_with=beside.get(row.card.id, "") if row.sent_links == 2 else "")
        for row in found
    )


def recent(connection: Connection, without: Set[str] = frozenset(), limit: int = 10) -> tuple[LinkRow, ...]:
    """Build the rows of the newest links, newest first; without those that stand elsewhere, unless these are all."""
    newest = links.recent(connection, limit + len(without))
    others = [link for link in newest if link.id not in without]
    found = with_left(connection, rows(connection, (others or newest)[:limit]))
    ending = [row.card.id for row in found if row.ends_soon and not row.is_unsent]
    resting = follow_ups.resting(connection, current_services().clock(), ending) if ending else set()
    return tuple(replace(row, is_due=_is_due(row, resting)) for row in found)


def with_left(connection: Connection, found: Sequence[LinkRow]) -> tuple[LinkRow, ...]:
    """Say of ended links what of their challans can still be created again, where other links have taken some."""
    again = [row.card.id for row in found if row.may_create_again]
    if not again:
        return tuple(found)
    left = ended_links.left_of_those_taken_from(connection, current_services().clock(), again)
    return tuple(replace(row, left=left.get(row.card.id)) for row in found)


def _is_due(row: LinkRow, resting: Set[str]) -> bool:
    may_be_sent = row.payment is not None and not row.is_doubtful and row.snoozed_until is None
    return row.ends_soon and not row.is_unsent and may_be_sent and row.card.id not in resting


def _is_to_give_or_ask(link: Link) -> bool:
    return is_live(link.status) or may_have_taken_money(link.status)


def _row(link: Link, card: LinkCard, facts: _Facts) -> LinkRow:
    share, usual = facts.shared.get(link.id), facts.usual.get(link.rc or "", [])
    name, driver = None, usual[0] if len(usual) == 1 else None
    if share is not None and share.driver_id is not None:
        # Who has left is named, and not written to.
        name, driver = share.driver_name, facts.present.get(share.driver_id)
    others = facts.duplicates.get(link.id, [])
    payment = payment_of(link, others)
    may_share = payment is not None and payment.copyable
    opened = facts.opened.get(link.id)
    asked_sent = undoable(opened) if may_share else None
    # Whoever got the link in another way is not surprised by a message.
    is_messaged = share is None or (share.driver_id is not None and share.channel is Channel.WHATSAPP)
    reached = driver if driver and _has_phone(driver) else None
    is_undoable = share is not None and is_live(link.status) and opened is None
    holders, now = facts.holding_all.get(link.id), current_services().clock()
    # Who usually drives the vehicle was not given a link that is over, and can say what became of a payment.
    shown = name or (driver.name if driver and _is_to_give_or_ask(link) else None)
    has_failed_check = is_live(link.status) and link.failure is not None and not link.is_unknown
    contact, doubt = _contact(link, facts, may_share=may_share), facts.doubtful.get(link.id)
    is_failed_unsent = may_have_taken_money(link.status) and not contact
    may_create_again = is_ended(link.status) and link.rc is not None and not holders
    asks_driver = may_have_taken_money(link.status) and bool(share or opened or link.id in facts.copied or reached)
    # What is checked first, where nobody is known who could be asked.
    is_question = is_failed_unsent and may_create_again and not asks_driver
    never_sent = str(list_texts.WAS_MONEY_TAKEN if is_question else list_texts.NEVER_SENT)
    is_unsent = is_live(link.status) and share is None and link.id not in facts.copied
    return LinkRow(
        card=card,
        driver=shown,
        is_usual=name is None,
        contact=contact or (never_sent if shown or is_failed_unsent else ""),
        driver_id=reached.id if reached else None,
        is_reached=reached is not None and is_messaged and not asked_sent,
        payment=payment if may_share else None,
        why_not="" if payment is None or may_share else list_texts.why_not(payment),
        has_paid_duplicate=payment is not None and payment.problem == texts.PAID_WITH_DUPLICATE,
        paid_with=next((mention(each) for each in others if is_paid(each.status)), None),
        doubt=list_texts.check_because(doubt) if doubt and is_unsent and opened is None and may_share else "",
        runs_out=_runs_out(link),
        is_unsent=is_unsent,
        is_observed=link.is_observed,
        snoozed_until=facts.snoozed.get(link.id),
        is_doubtful=link.id in facts.doubtful,
        ends_soon=is_live(link.status) and follow_up.ends_soon(link.expires_at, now),
        is_urgent=is_live(link.status) and follow_up.is_urgent(link.expires_at, now),
        is_overdue=is_live(link.status) and link.expires_at is not None and link.expires_at <= now,
        is_open=is_live(link.status),
        is_unknown=link.is_unknown,
        has_failed_check=has_failed_check,
        checked_at=link.checked_at if has_failed_check else None,
        unchecked_since=(link.checked_at or link.first_seen_at) if has_failed_check else None,
        is_sent=share is not None,
        rests=share is not None and is_live(link.status) and follow_up.rests(share.at, link.expires_at, now),
        is_opened=opened is not None,
        asked_sent=asked_sent,
        undoable=undoable(share) if is_undoable else None,
        sent_brief=sent_brief(share.channel) if share else "",
        given_at=share.at if share else facts.copied.get(link.id),
        given_words=_given_words(share, facts.copied.get(link.id)),
        given_by=name_of(share.person_id) if share else "",
        sent_links=facts.messages.get(shares.message_of(share), 1) if share else 1,
        given_to=_given_to(name, share, is_copied=link.id in facts.copied),
        has_receipt=is_paid(link.status) and not link.is_unknown,
        may_create_again=may_create_again,
        asks_driver=asks_driver,
        asked=questions.for_person(facts.asked.get(link.id)),
        is_failed_unsent=is_failed_unsent and not shown,
        apart=facts.apart.get(link.id, ""),
        replaced_by=mention(holders[-1]) if holders else None,
    )


def _given_to(driver: str | None, share: Share | None, *, is_copied: bool) -> str:
    if share is not None:
        return driver or list_texts.given_to(share.channel)
    return list_texts.given_to(Channel.COPY) if is_copied else ""


def _given_words(share: Share | None, copied: datetime | None) -> str:
    if share is not None:
        return list_texts.given_briefly(share.channel, share.at)
    return list_texts.given_briefly(Channel.COPY, copied) if copied else ""


def _runs_out(link: Link) -> datetime | None:
    """Return when a link that can be paid expires, by our clock."""
    if not is_live(link.status) or link.is_unknown or link.expires_at is None:
        return None
    return link.expires_at - timedelta(seconds=link.service_clock_offset or 0)


def _contact(link: Link, facts: _Facts, *, may_share: bool) -> str:
    if asked := questions.for_person(facts.asked.get(link.id)):
        if asked.is_opened:
            return f"{asked.brief} {format_near(asked.at)}"
        return list_texts.says_taken(asked.at) if asked.is_taken else asked.words
    if opened := facts.opened.get(link.id):
        return list_texts.prepared(opened.at)
    if share := facts.shared.get(link.id):
        return list_texts.given(share.channel, share.at)
    if copied := facts.copied.get(link.id):
        return list_texts.copied(copied)
    if not is_live(link.status):
        return ""
    if not may_share:
        return str(list_texts.CANNOT_BE_SENT)
    return list_texts.not_sent(is_observed=link.is_observed)


def payment_of(link: Link, others: Sequence[DuplicateLink]) -> PaymentAddress | None:
    """Return the payment URL of a link that may still be paid, by the rules of its own page."""
    if not is_live(link.status):
        return None
    has_paid = any(is_paid(other.status) for other in others)
    has_ended = any(is_ended(other.status) for other in others)
    return payment_address(link, has_paid, check_first=has_ended)


def _has_phone(driver: Driver) -> bool:
    try:
        return bool(driver.phone and international(driver.phone))
    except InvalidPhone:
        return False
