"""What the page for sharing a link shows."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast
from urllib.parse import quote

from babel import Locale
from babel.dates import format_datetime
from flask import current_app
from sqlalchemy import Row

from dashboard.domain.messages import DEFAULT, LANGUAGES, Language
from dashboard.domain.phones import InvalidPhone, international
from dashboard.domain.registration import spaced
from dashboard.services.links.duplicates import is_paid_beside
from dashboard.services.sharing.share import PREPARED_FOR, Channel, Message, NotShareable
from dashboard.store.links import links
from dashboard.store.links.records import Link
from dashboard.store.sharing import drivers, shares
from dashboard.web.links import page as link_page
from dashboard.web.links.list_page import Choice, zone
from dashboard.web.links.records import LinkPanel, PaymentAddress
from dashboard.web.shared import qr
from dashboard.web.shared import texts as shared_texts
from dashboard.web.shared.current import current_services, format_moment, names
from dashboard.web.shared.qr import QrCode

CHANNELS = {
    Channel.COPY: "Copied",
    Channel.WHATSAPP: "WhatsApp",
    Channel.SMS: "SMS",
    Channel.EMAIL: "e-mail",
    Channel.SHEET: "The phone's share sheet",
    Channel.QR: "QR code",
    Channel.PRINT: "Print",
}


@dataclass(frozen=True, slots=True)
class Way:
    """One way to send the message: the channel that is remembered, its words, the address that opens it, and the
    number that it goes to by itself ("" where whoever sends it chooses).
    """

    channel: str
    words: str
    address: str
    number: str = ""


@dataclass(frozen=True, slots=True)
class PastShare:
    at: datetime
    by: str
    channel: str
    driver: str | None
    driver_id: int | None


@dataclass(frozen=True, slots=True)
class SharePage:
    """`message`, `ways` and `code` are there only while the link was looked at just now and may be shared."""

    panel: LinkPanel
    plate: str | None
    payment: PaymentAddress
    drivers: tuple[Choice, ...]
    languages: tuple[Choice, ...]
    driver_id: int | None
    language: str
    message: Message | None
    ways: tuple[Way, ...]
    code: QrCode | None
    problem: str | None
    past: tuple[PastShare, ...]
    age: int = 0  # seconds since the link was looked at, and how old that may be for `message`, `ways` and `code`
    lasts: int = int(PREPARED_FOR.total_seconds())


def share_page(
    link_id: str, driver_id: int | None, language: str | None, problem: str | None = None
) -> SharePage | None:
    """The page as the ledger stands; None when the link is not known."""
    services = current_services()
    with services.store.read() as connection:
        row = links.find(connection, link_id)
        if row is None:
            return None
        usual = drivers.of_vehicle(connection, row.rc) if row.rc else ()
        everybody = drivers.listed(connection)
        chosen = _chosen(driver_id, shares.last_driver(connection, link_id), usual, everybody)
        spoken = LANGUAGES.get(language or "") or (LANGUAGES.get(chosen.language) if chosen else None) or DEFAULT
        challans = links.challan_counts(connection, [row])[link_id] or 0
        ready = problem is None and services.sharing.is_prepared(row) and _may_be_shared(row)
        message = None
        if ready:
            name = chosen.name if chosen else None
            message = services.sharing.message(connection, row, spoken, name, challans, _written, _moment)
        past = tuple(_past(each) for each in shares.of_link(connection, link_id))
        payment = link_page.payment_address(row, is_paid_beside(connection, link_id))
    panel = link_page.link_panel(link_id)
    assert panel is not None
    first = [driver.id for driver in usual]
    ordered = sorted(everybody, key=lambda driver: driver.id not in first)
    return SharePage(
        panel=panel,
        plate=spaced(row.rc) if row.rc else None,
        payment=payment,
        drivers=(
            Choice("", "Nobody in particular", chosen is None),
            *(Choice(str(each.id), each.name, chosen is not None and each.id == chosen.id) for each in ordered),
        ),
        languages=tuple(
            Choice(
                each.code, f"{each.name} ({each.english})" if each.name != each.english else each.name, each is spoken
            )
            for each in LANGUAGES.values()
        ),
        driver_id=chosen.id if chosen else None,
        language=spoken.code,
        message=message,
        ways=_ways(message, chosen) if message else (),
        code=qr.draw(row.payment_url) if message and row.payment_url else None,
        problem=problem or _why_not(row),
        past=past,
        age=int((services.clock() - row.checked_at).total_seconds()) if message and row.checked_at else 0,
    )


@dataclass(frozen=True, slots=True)
class Nudge:
    page: SharePage
    way: Way
    driver_id: int


def nudge(link_id: str, driver_id: int | None) -> Nudge | None:
    """WhatsApp with the message for a driver; None where it would reach nobody, or the link is not to be given now."""
    page = share_page(link_id, driver_id, None)
    if page is None or driver_id is None:
        return None
    way = next((each for each in page.ways if each.channel == Channel.WHATSAPP and each.number), None)
    return Nudge(page, way, driver_id) if way else None


def _chosen(asked: int | None, last: int | None, usual: Any, everybody: Any) -> Row[Any] | None:
    """The driver meant: who was asked for, or was given it last, or is the only one who usually drives the vehicle."""
    known = {driver.id: driver for driver in everybody}
    if asked is not None:
        return known.get(asked)
    return known.get(last) or (usual[0] if len(usual) == 1 else None)


def _may_be_shared(row: Link) -> bool:
    try:
        current_services().sharing.judge(row)
    except NotShareable:
        return False
    return True


def _why_not(row: Link) -> str | None:
    try:
        current_services().sharing.judge(row)
    except NotShareable as refused:
        return why_not(refused)
    return None


def why_not(refused: NotShareable) -> str:
    """Why a link is not to be given to anybody, in a sentence."""
    if refused.problem:
        return refused.problem
    if refused.ended_at is not None:
        return f"{shared_texts.RUN_OUT.format(at=format_moment(refused.ended_at))} It must not be given to anybody."
    state = shared_texts.link_state(refused.status)
    return f"This link is {state.raw}: {state.words}. It must not be given to anybody."


def _ways(message: Message, driver: Row[Any] | None) -> tuple[Way, ...]:
    phone = _digits(driver.phone) if driver and driver.phone else ""
    email = quote(driver.email, safe="@") if driver and driver.email else ""
    text = quote(message.text, safe="")
    return (
        Way(Channel.WHATSAPP, "WhatsApp", f"https://wa.me/{phone}?text={text}", phone),
        Way(Channel.SMS, "SMS", f"sms:{'+' + phone if phone else ''}?body={text}"),
        Way(Channel.EMAIL, "E-mail", f"mailto:{email}?subject={quote(message.subject, safe='')}&body={text}"),
    )


def _digits(phone: str) -> str:
    """A phone number as wa.me wants it; where it is none, the person chooses whom to send the message to."""
    try:
        return international(phone)
    except InvalidPhone:
        return ""


def _past(row: Row[Any]) -> PastShare:
    by = names().get(row.person_id, "a former colleague")
    return PastShare(row.at, by, CHANNELS.get(row.channel, row.channel), row.driver_name, row.driver_id)


def _written(amount: Any) -> str:
    return cast(str, current_app.jinja_env.filters["amount"](amount))


def _moment(at: datetime, locale: str) -> str:
    """A moment in the words of a language, its zone named."""
    local = at.astimezone(zone())
    text = format_datetime(local.replace(tzinfo=None), "d MMM y, HH:mm", locale=Locale.parse(locale))
    return f"{text} {local.tzname()}".replace("\u202f", " ")


def language_of(code: str | None) -> Language:
    return LANGUAGES.get(code or "", DEFAULT)
