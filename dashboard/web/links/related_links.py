"""Build how a link relates to others: replacement links and duplicate links."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from flask import url_for
from flask_login import current_user
from sqlalchemy import Connection

from dashboard.domain.links import is_ended, is_live, is_paid
from dashboard.domain.phones import international, is_phone, shown
from dashboard.domain.registration import spaced
from dashboard.services.creation.replacement import challans_of
from dashboard.services.links.duplicates import Alarm, alarm_of
from dashboard.store.creation import claims, intents, replacements
from dashboard.store.creation.claims import OpenClaim
from dashboard.store.links import duplicates, ended_links, links
from dashboard.store.links.records import CoveredChallan, Link
from dashboard.store.sharing import drivers
from dashboard.store.sharing.drivers import Driver
from dashboard.web.links import cards, duplicate_texts, texts
from dashboard.web.links.cards import mention
from dashboard.web.links.duplicate_records import AlarmNote, DuplicateAlarm, ToTell
from dashboard.web.links.records import EndedLink, Replacement, TakenBy
from dashboard.web.reconciliation import advice_texts, other_links
from dashboard.web.reconciliation.records import SentLink
from dashboard.web.shared.current import format_amount, names
from dashboard.web.shared.records import LinkMention
from dashboard.web.shared.texts import state_of


@dataclass(frozen=True, slots=True)
class RelatedLinks:
    """Relate a link to others. `has_paid_duplicate`: it can still be paid, and a duplicate of it is paid.

    `held_by` are the links that hold all challans of an ended one.
    """

    alarm: DuplicateAlarm | None
    has_paid_duplicate: bool
    replaced_by: tuple[Replacement, ...]
    held_by: tuple[LinkMention, ...]


def of_link(connection: Connection, row: Link) -> RelatedLinks:
    """Return how a link relates to others."""
    others = duplicates.of_link(connection, row.id)
    return RelatedLinks(
        alarm=_alarm(connection, row, others),
        has_paid_duplicate=is_live(row.status) and any(is_paid(other.status) for other in others),
        replaced_by=_replaced_by(connection, row.id),
        held_by=_held_by(connection, row, others),
    )


def replaces(connection: Connection, row: Link) -> LinkMention | None:
    """Return the ended link that this one replaces, if any."""
    intent = intents.find(connection, row.intent_id) if row.intent_id else None
    old = links.find(connection, intent.replaces) if intent is not None and intent.replaces else None
    return mention(old) if old is not None else None


def had_before(connection: Connection, row: Link, covered: Sequence[CoveredChallan]) -> EndedLink | None:
    """Return the newest link that ended with challans of this one, which a person chose again and not to replace it."""
    found = (link for _id, link in ended_links.ended_on(connection, [each.challan_id for each in covered]))
    newest = max(
        (link for link in found if link.id != row.id and link.made_at <= row.made_at),
        key=lambda link: link.made_at,
        default=None,
    )
    return EndedLink(newest.id, texts.ended_link(newest.status, cards.ended_at(newest))) if newest is not None else None


def is_replaced(replacements: Sequence[Replacement]) -> bool:
    """Return whether one of these replaces the link: it has not ended, or its outcome is unknown."""
    return any(item.link is None or not is_ended(item.link.state.raw) for item in replacements)


def _replaced_by(connection: Connection, link_id: str) -> tuple[Replacement, ...]:
    """Return the requests that replaced the link or still may, newest first."""
    return tuple(
        Replacement(
            request_id=request.id,
            by=names().get(request.person_id, texts.A_COLLEAGUE),
            at=request.prepared_at,
            link=LinkMention(new.id, new.made_at, state_of(new)) if (new := request.link) else None,
        )
        for request in replacements.of_link(connection, link_id)
    )


def _held_by(connection: Connection, row: Link, others: Sequence[Link]) -> tuple[LinkMention, ...]:
    """Return the links that hold all challans of an ended link: a new link would have nothing left to hold."""
    if not is_ended(row.status) or not others:
        return ()
    return tuple(map(mention, duplicates.holding_all_of(connection, [row.id]).get(row.id, ())))


def taken_by(
    connection: Connection, row: Link, replaced_by: Sequence[Replacement], held_by: Sequence[LinkMention]
) -> tuple[TakenBy, ...]:
    """Return the links that have the challans of an ended one; none while the outcome of its request is unknown."""
    if not is_ended(row.status):
        return ()
    newest = replaced_by[0].link if replaced_by and not held_by else None
    covered = {item.challan_id for item in links.challans_of(connection, row.id)}
    shown = []
    for each in held_by or ((newest,) if newest is not None else ()):
        taken = covered & {item.challan_id for item in links.challans_of(connection, each.id)}
        words = texts.taken(len(taken), len(covered), is_new=not held_by)
        if (found := links.find(connection, each.id)) is not None:
            shown.append(TakenBy(each, words, found.total, cards.when(found).words))
    return tuple(shown)


def _alarm(connection: Connection, row: Link, others: Sequence[Link]) -> DuplicateAlarm | None:
    """Return the alarm that concerns a link: its own, or another's while it is unacknowledged or both can be paid."""
    found = alarm_of(connection, row.id, others)
    if found is None:
        return None
    not_ended = [other for other in others if not is_ended(other.status)]
    concerns = not is_ended(row.status) and any(other.id in found.alarmed for other in not_ended)
    if row.id not in found.alarmed and not found.unacknowledged and not concerns:
        return None
    claim = _claim_alone(connection, row, not_ended)
    listed = [other for other in others if other in not_ended or other.id in found.alarmed]
    has = other_links.who_has(connection, [each.id for each in (row, *not_ended)])
    is_one_paid = any(is_paid(each.status) for each in (row, *not_ended))
    advice = _advice(row, not_ended, claim, has, is_only=len(listed) == 1)
    return DuplicateAlarm(
        unacknowledged=bool(found.unacknowledged),
        newest=found.newest,
        since=found.since,
        advice=advice,
        others=tuple(mention(other) for other in listed),
        who_has={
            other.id: advice_texts.who_has(has[other.id], is_spare=is_one_paid) for other in listed if other.id in has
        },
        to_tell=_to_tell(connection, has) if is_one_paid or claim is not None else (),
        notes=_notes(found),
        request_id=claim.intent_id if claim is not None else None,
        may_acknowledge=current_user.may_open("links.acknowledge_duplicates"),
        for_manager=_for_manager(row, advice),
    )


def _for_manager(row: Link, advice: str) -> str:
    """Write down what a manager has to know of an alarm, with the address of the link."""
    amount = format_amount(row.total) if row.total is not None else ""
    about = " · ".join(filter(None, (spaced(row.rc) if row.rc else str(texts.WITHOUT_VEHICLE), amount)))
    return f"{duplicate_texts.for_manager(about, advice)}\n{url_for('links.show', link_id=row.id, _external=True)}"


def is_alarmed_by_request(connection: Connection, row: Link) -> bool:
    """Tell whether no link that is known has challans of this one, but a request of unknown outcome does."""
    not_ended = [other for other in duplicates.of_link(connection, row.id) if not is_ended(other.status)]
    return _claim_alone(connection, row, not_ended) is not None


def _claim_alone(connection: Connection, row: Link, not_ended: Sequence[Link]) -> OpenClaim | None:
    """Return the claim of a request that has no link yet, where no link has challans of this one."""
    return None if not_ended else claim_without_link(connection, row)


def claim_without_link(connection: Connection, row: Link) -> OpenClaim | None:
    """Return a claim of another request, which has no link yet, on a challan of this link."""
    held = claims.open_of(connection, challans_of(connection, row)).values()
    return next((claim for claim in held if claim.link_id is None and claim.intent_id != row.intent_id), None)


def _notes(found: Alarm) -> tuple[AlarmNote, ...]:
    """Return each note once; it is in the history of every link that it is about."""
    distinct = {(event.person_id, event.at, event.new): event for event in found.acknowledgements}
    return tuple(
        AlarmNote(names().get(event.person_id, texts.A_COLLEAGUE), event.at, event.new or "")
        for event in distinct.values()
    )


def _to_tell(connection: Connection, has: Mapping[str, SentLink]) -> tuple[ToTell, ...]:
    """Return the drivers who have links that nobody should pay, each once."""
    found = drivers.present(connection, {each.driver_id for each in has.values() if each.driver_id is not None})
    return tuple(filter(None, map(to_tell, found.values())))


def to_tell(driver: Driver) -> ToTell | None:
    """Name a driver with the address that calls them; None where no number is known."""
    if not driver.phone or not is_phone(driver.phone):
        return None
    return ToTell(driver.id, driver.name, shown(driver.phone), f"tel:+{international(driver.phone)}")


def _advice(
    here: Link, not_ended: Sequence[Link], claim: OpenClaim | None, has: Mapping[str, SentLink], *, is_only: bool
) -> str:
    """Say what to do, by which of the links are paid, which can still be paid, and who has these.

    `is_only`: but one other is shown.
    """
    named = {
        row.id: str(duplicate_texts.OTHER_LINK) if is_only else duplicate_texts.link_of(row.made_at)
        for row in not_ended
    } | {here.id: str(duplicate_texts.THIS_LINK)}
    paid = [named[row.id] for row in (here, *not_ended) if is_paid(row.status)]
    live = [row for row in (here, *not_ended) if is_live(row.status)]
    unshared = " ".join(_do_not_share(row, named[row.id], has.get(row.id)) for row in live)
    if claim is not None:
        return duplicate_texts.duplicate_request(claim.prepared_at, unshared)
    if len(paid) > 1:
        return duplicate_texts.paid_twice(paid, unshared)
    if paid:
        return duplicate_texts.paid_once(paid[0], unshared)
    if len(live) > 1:
        return duplicate_texts.payable_duplicates([(named[row.id], row.expires_at) for row in live])
    return duplicate_texts.only_payable(named[live[0].id]) if live else duplicate_texts.NONE_PAYABLE


def _do_not_share(row: Link, name: str, has: SentLink | None) -> str:
    if has is not None and has.driver:
        return duplicate_texts.do_not_share_with(name, row.expires_at, has.driver)
    # Of a link that was made elsewhere nobody knows here who has it.
    is_sent = has is None or has.is_sent or row.is_observed
    return duplicate_texts.do_not_share(name, row.expires_at, is_sent=is_sent)
