"""Build the page for sharing a link: its message, the ways to send it, and past shares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from urllib.parse import quote

from sqlalchemy import Connection

from dashboard.domain.languages import DEFAULT_LANGUAGE, LANGUAGES, Language
from dashboard.domain.messages import Message
from dashboard.domain.phones import digits
from dashboard.domain.registration import spaced
from dashboard.domain.sharing import SENDS, Channel
from dashboard.services.links import doubts
from dashboard.services.links.duplicates import has_paid_duplicate
from dashboard.services.sharing.messages import facts_of
from dashboard.services.sharing.share import NotShareable
from dashboard.store.links import links
from dashboard.store.links.records import Link
from dashboard.store.sharing import drivers, follow_ups, message_templates, shares
from dashboard.store.sharing.drivers import Driver
from dashboard.store.sharing.follow_ups import Copy
from dashboard.store.sharing.shares import Share
from dashboard.web.links import doubt_words, unknown_links
from dashboard.web.links import page as link_page
from dashboard.web.links.payment import (
    as_typed,
    has_receipt,
    number_check,
    payment_address,
    usual_first,
)
from dashboard.web.links.records import UnsavedDriver
from dashboard.web.links.texts import PAID_WITH_DUPLICATE
from dashboard.web.links.timeline_texts import NOT_SAVED, PREPARED, SHARED, not_confirmed
from dashboard.web.shared import qr
from dashboard.web.shared.current import current_services, name_of, person_id
from dashboard.web.shared.languages import language_name
from dashboard.web.shared.texts import join_words
from dashboard.web.sharing import kept_back, texts, unsaved_driver
from dashboard.web.sharing.placeholders import missed
from dashboard.web.sharing.recipients import Meant
from dashboard.web.sharing.records import (
    Addition,
    Addressee,
    LanguageChoice,
    PastShare,
    SentNow,
    SharePage,
    SharesOf,
    UsualOffer,
    Way,
)
from dashboard.web.sharing.wording import untold, with_missed, worded


def share_page(
    link_id: str,
    to: Meant | None = None,
    language: str | None = None,
    problem: str | None = None,
    kept: str = "",
    typed: str | None = None,
    *,
    adds: bool = False,
) -> SharePage | None:
    """Build the page for somebody and a language, or for the likely ones; None when the link is not known.

    `problem` says why the link cannot be shared now, in addition to what is stored of it. A number that was typed is
    not kept; a language that was chosen before is `kept` for whoever has none of their own. `typed` is the message as a
    person has changed it, and `adds` appends what the standard text and it lack.
    """
    services = current_services()
    with services.store.read() as connection:
        link = links.find(connection, link_id)
        if link is None:
            return None
        usual = drivers.of_vehicle(connection, link.rc) if link.rc else []
        everybody = drivers.listed(connection)
        chosen = choose(to.asked if to else None, shares.last_driver_id(connection, link_id), usual, everybody)
        past = shares.of_link(connection, link_id)
        kept = by_hand(chosen, language, kept)
        # Whoever is no saved driver is written to again as before.
        spoken = spoken_by(chosen, kept or ("" if chosen else unsaved_driver.language_of(past)))
        usual_offer = _usual_offer(link, past, usual, chosen)
        unsaved = _unsaved(connection, link, past)
        if to is None and chosen is None and (number := unsaved_driver.number_of(link_id, past)):
            to = Meant(number, number=number)
        copies = follow_ups.newest_copies(connection, [link_id])
        challans = links.challan_counts(connection, [link])[link_id] or 0
        template = message_templates.find(connection, spoken.code)
        payment = payment_address(link, has_paid_duplicate(connection, link_id))
        release = unknown_links.offer(connection, link)
        paid = kept_back.paid_with(connection, link_id, past) if payment.problem == PAID_WITH_DUPLICATE else None
        doubt = doubt_words.sentence(connection, link, doubts.before_sending(connection, [link]).get(link.id))
    stored = _why_not(link)
    problem = problem or stored
    message = None
    lacks: tuple[str, ...] = ()
    additions: tuple[Addition, ...] = ()
    is_added = False
    if problem is None and services.sharing.is_prepared(link):
        facts = facts_of(link, challans, name_of_recipient(chosen, to))
        body = template.body if template else None
        message = worded(spoken, body, facts)
        lacks = missed(body) if body else ()
        untold_now = untold(spoken, message.text if typed is None else typed, lacks, facts)
        if adds and untold_now:
            typed = with_missed(spoken, message.text if typed is None else typed, untold_now, facts)
            is_added, untold_now = True, {}
        additions = tuple(Addition(told_by, str(texts.ADD[name])) for name, told_by in untold_now.items())
    text_problem = texts.message_problem(typed, link.payment_url or "") if typed is not None else ""
    sends = replace(message, text=typed) if message and typed is not None and not text_problem else message
    panel = link_page.link_panel(link_id)
    assert panel is not None
    return SharePage(
        panel=panel,
        plate=spaced(link.rc) if link.rc else None,
        payment=payment,
        to=addressee(everybody, usual, chosen, spoken, to, kept),
        message=message,
        ways=ways_of(sends, chosen, to) if sends else (),
        code=qr.draw(link.payment_url) if message and link.payment_url else None,
        problem=problem,
        is_paid=has_receipt(link) and problem == stored,
        shares=SharesOf(
            _past(past, copies.get(link_id)), _sent(past, chosen.id if chosen else None), usual_offer, unsaved
        ),
        no_url=str(texts.NO_URL_IN_MESSAGE),
        typed=typed,
        # Of the standard text alone: who changes it sees what it says.
        missed=tuple(str(texts.MISSED[name]) for name in lacks) if typed is None else (),
        additions=additions,
        is_added=is_added,
        text_problem=text_problem,
        doubt=doubt,
        had_by=kept_back.had_by(past, chosen),
        could_not_check=problem is not None and stored is None,
        paid_with=paid,
        follows=kept_back.what_follows(link, release),
        release=release,
        age=int((services.clock() - link.checked_at).total_seconds()) if message and link.checked_at else 0,
    )


def addressee(
    everybody: Sequence[Driver],
    usual: Sequence[Driver],
    chosen: Driver | None,
    spoken: Language,
    to: Meant | None,
    kept: str,
) -> Addressee:
    """Say to whom a message goes: to a chosen driver, or to whom was typed. `kept`: the language chosen by hand."""
    other = to or Meant()
    return Addressee(
        drivers=tuple(map(as_typed, usual_first(everybody, usual))),
        languages=tuple(_language_choice(each, spoken) for each in LANGUAGES.values()),
        typed=other.typed or (as_typed(chosen) if chosen else ""),
        found=as_typed(chosen) if chosen and other.typed not in ("", as_typed(chosen)) else "",
        driver_id=chosen.id if chosen else None,
        driver=name_of_recipient(chosen, to),
        has_phone=bool(chosen and digits(chosen.phone)),
        language=spoken.code,
        kept=kept,
        number="" if chosen or other.problem else other.number,
        problem="" if chosen else other.problem,
        check=number_check(has_drivers=bool(everybody)),
        place=(Meant(driver_id=chosen.id) if chosen else Meant(other.typed)).place,
        reads=_reads(chosen, spoken),
        usual=join_words([each.name for each in usual]) if chosen and usual and chosen not in usual else "",
    )


def name_of_recipient(chosen: Driver | None, to: Meant | None) -> str | None:
    """Return the name of a chosen driver, or of somebody new."""
    if chosen:
        return chosen.name
    return (to.name if to and not to.problem else "") or None


def by_hand(chosen: Driver | None, language: str | None, kept: str) -> str:
    """Return the language that was chosen now, or before for whoever is no saved driver; "" where none was."""
    return next((each for each in (language, "" if chosen else kept) if each in LANGUAGES), "")


def spoken_by(chosen: Driver | None, language: str | None) -> Language:
    """Return the language that was asked for, or else the chosen driver's."""
    return LANGUAGES.get(language or "") or LANGUAGES.get(chosen.language if chosen else "") or DEFAULT_LANGUAGE


def names_of(to: Addressee) -> tuple[str, str | None]:
    """Return the names of the language and of the driver that were chosen; None for no driver."""
    return language_name(LANGUAGES[to.language].locale), to.driver


def language_of(code: str | None) -> Language:
    """Return the language of a code, or the default one."""
    return LANGUAGES.get(code or "", DEFAULT_LANGUAGE)


def choose(asked: int | None, last: int | None, usual: Sequence[Driver], everybody: Sequence[Driver]) -> Driver | None:
    """Choose the requested driver, or the last recipient of the link, or the only usual driver of the vehicle."""
    by_id = {driver.id: driver for driver in everybody}
    if asked is not None:
        return by_id.get(asked)
    if last is not None and last in by_id:
        return by_id[last]
    return usual[0] if len(usual) == 1 else None


def _language_choice(language: Language, spoken: Language) -> LanguageChoice:
    translated = language_name(language.locale)
    translated = "" if language.name == translated else translated
    return LanguageChoice(language.code, language.name, translated, language is spoken)


def _reads(chosen: Driver | None, spoken: Language) -> LanguageChoice | None:
    """Return the saved language of the chosen driver, unless the message is written in it."""
    saved = LANGUAGES.get(chosen.language if chosen else "")
    return _language_choice(saved, spoken) if saved and saved is not spoken else None


def _why_not(link: Link) -> str | None:
    try:
        current_services().sharing.require_shareable(link)
    except NotShareable as refused:
        return texts.not_shareable(refused)
    return None


def ways_of(message: Message, driver: Driver | None, to: Meant | None) -> tuple[Way, ...]:
    """Offer the ways to send a message: to the driver's number and address where they are known, or to a number."""
    phone = digits(driver.phone if driver else to.number if to and not to.problem else "")
    email = quote(driver.email, safe="@") if driver and driver.email else ""
    text = quote(message.text, safe="")
    addresses = {
        Channel.WHATSAPP: f"https://wa.me/{phone}?text={text}",
        Channel.SMS: f"sms:{'+' + phone if phone else ''}?body={text}",
        Channel.EMAIL: f"mailto:{email}?subject={quote(message.subject, safe='')}&body={text}",
    }
    return tuple(
        Way(channel, words, addresses[channel], phone if channel is Channel.WHATSAPP else "")
        for channel, words in texts.WAYS.items()
    )


def shares_of(link_id: str, driver_id: int | None) -> SharesOf:
    """Return the shares of a link, the one that the signed-in person can still take back, and what to do about its
    vehicle's usual driver.
    """
    with current_services().store.read() as connection:
        past = shares.of_link(connection, link_id)
        copies = follow_ups.newest_copies(connection, [link_id])
        link = links.find(connection, link_id)
        usual = drivers.of_vehicle(connection, link.rc) if link and link.rc else []
        chosen = drivers.find(connection, driver_id) if driver_id is not None else None
        unsaved = _unsaved(connection, link, past) if link else None
    offer = _usual_offer(link, past, usual, chosen) if link else None
    return SharesOf(_past(past, copies.get(link_id)), sent_now(past[0] if past else None), offer, unsaved)


def _unsaved(connection: Connection, link: Link, past: Sequence[Share]) -> UnsavedDriver | None:
    """Offer to save the number that a link was sent to, once it is known that it was: one question at a time."""
    return None if past and past[0].is_unconfirmed else unsaved_driver.offer(connection, link, past)


def _usual_offer(
    link: Link, past: Sequence[Share], usual: Sequence[Driver], chosen: Driver | None
) -> UsualOffer | None:
    """Offer the chosen driver as the usual one, once he was sent a link of a vehicle that has no usual driver."""
    if not link.rc or usual or chosen is None or chosen.left_at:
        return None
    if all(each.driver_id != chosen.id for each in past):
        return None
    return UsualOffer(link.id, chosen.id, chosen.name, spaced(link.rc))


def _sent(past: Sequence[Share], driver_id: int | None) -> SentNow | None:
    """Say what was just sent to the chosen driver; of another one it would seem to be about this message."""
    return sent_now(past[0] if past and past[0].driver_id == driver_id else None)


def sent_now(newest: Share | None) -> SentNow | None:
    """Return the newest share of a link for its undo, if the signed-in person can still take it back."""
    if newest is None or not current_services().sharing.can_undo(newest, person_id()):
        return None
    words = str(PREPARED[newest.channel]) if newest.is_unconfirmed else _sent_words(newest)
    number = unsaved_driver.opened_for(newest)
    language = (newest.language or "") if newest.channel in SENDS and not newest.is_unconfirmed else ""
    return SentNow(newest.link_id, words, newest.id, newest.is_unconfirmed, number, language)


def _past_share(share: Share, number: str) -> PastShare:
    how, to, language = str(SHARED[share.channel]), "", ""
    if share.is_unconfirmed:
        how = not_confirmed(share.channel, number)
    else:
        language = _language_of(share)
        to = "" if share.driver_name else number or str(NOT_SAVED.get(share.channel, ""))
    is_sent, by = share.channel in NOT_SAVED, name_of(share.person_id)
    return PastShare(share.at, by, how, share.driver_name, share.driver_id, to, is_sent, language)


def _sent_words(share: Share) -> str:
    """Say how a link was sent, in which language if a message went with it."""
    words, language = texts.sent(share.channel, share.driver_name), _language_of(share)
    return texts.sent_in(words, language) if language else words


def _language_of(share: Share) -> str:
    """Name the language of the message that went with a share; "" where none did."""
    language = LANGUAGES.get(share.language or "") if share.channel in SENDS else None
    return language_name(language.locale) if language else ""


def _past(past: Sequence[Share], copy: Copy | None) -> tuple[PastShare, ...]:
    """List the shares, and who copied the payment URL last, newest first. What the page copied went to nobody."""
    # The sender's session has the number of the newest alone.
    listed = [_past_share(each, unsaved_driver.own_number(each) if each is past[0] else "") for each in past]
    if copy:
        listed.append(PastShare(copy.at, name_of(copy.person_id), texts.LINK_COPIED, None, None))
    return tuple(sorted(listed, key=lambda each: each.at, reverse=True))
