"""Serve the sharing of a link with a driver: the share page, reminders, and the QR code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from flask import Blueprint, Response, abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict

from dashboard.domain.fingerprints import fingerprint
from dashboard.domain.languages import LANGUAGES
from dashboard.domain.registration import spaced
from dashboard.domain.sharing import SENDS, Channel
from dashboard.errors import ServiceError
from dashboard.services.sharing.share import NotShareable, TooLateToUndo
from dashboard.store.accounts.saved_forms import SavedForm
from dashboard.store.engine import NotStored
from dashboard.store.links import links
from dashboard.store.sharing import drivers, shares
from dashboard.web.links.list_routes import list_shown
from dashboard.web.links.payment import payment_card, undoable
from dashboard.web.links.routes import page_of
from dashboard.web.shared import htmx, qr, saved_forms
from dashboard.web.shared.current import audit, current_services, person_id
from dashboard.web.shared.errors import explain, status_of
from dashboard.web.shared.request_args import row_id
from dashboard.web.shared.saved_forms import resumes
from dashboard.web.shared.toasts import notice, toast
from dashboard.web.sharing import page as sharing_page
from dashboard.web.sharing import recipients, texts, unsaved_driver
from dashboard.web.sharing.follow_up_page import items_of, moved_rows, places
from dashboard.web.sharing.messages_sent import MOST_OF_A_MESSAGE, Recipient, opened_message, recipient, send_together
from dashboard.web.sharing.records import OpenedMessage, SentNow, SharePage
from dashboard.web.sharing.reminder_address import is_in_queue, queue_address
from dashboard.web.sharing.wording import qr_lines

bp = Blueprint("sharing", __name__)
#: The forms that hold a message, which a person may have changed.
_WITH_A_MESSAGE = ("sharing.choose", "sharing.send")
#: The way back from a message to the queue where it was sent.
_QUEUE = "follow-up"


@bp.get("/links/<uuid:link_id>/share")
def show(link_id: UUID) -> ResponseReturnValue:
    """Show the message and the ways to send it while the last check is fresh; else the button that checks."""
    current_services().link_poller.mark_watched(str(link_id))
    return _shown(str(link_id), None, 200)


@bp.post("/links/<uuid:link_id>/share")
def choose(link_id: UUID) -> ResponseReturnValue:
    """Check the link now, then word the message for the chosen driver and language, or add to it what it lacks."""
    if (refused := _refusal(link_id)) is not None:
        return refused
    if _typed() is not None or "add" in request.form:
        return _shown(str(link_id), None, 200)
    return redirect(_address(str(link_id), request.form), 303)


@bp.post("/links/<uuid:link_id>/share/send")
def send(link_id: UUID) -> ResponseReturnValue:
    """Record that the message is sent as it stands on the page, and open the way to send it: without scripts."""
    try:
        channel = Channel(request.form.get("channel", ""))
    except ValueError:
        abort(400)
    if channel not in SENDS:
        abort(400)
    if (refused := _refusal(link_id)) is not None:
        return refused
    page = _page(str(link_id), None)
    reaches = not page.to.problem or (channel is Channel.EMAIL and page.to.driver_id)
    if page.text_problem or not reaches:
        return _shown(str(link_id), None, 422)
    way = next(each for each in page.ways if each.channel == channel)
    meant = recipients.of_form(request.form) or recipients.Meant()
    meant = recipients.saved(meant, str(link_id), page.to.language)
    if not current_services().sharing.was_just_shared(str(link_id), channel, person_id(), meant.driver_id):
        unsaved_driver.store_number(str(link_id), meant.number)
        _record(link_id, channel, meant.driver_id, page.to.language)
    saved_forms.discard(*_WITH_A_MESSAGE)
    message = OpenedMessage(
        ((page.plate, page.panel.total),),
        page.to.driver or page.to.number,
        page.text,
        LANGUAGES[page.to.language],
        way.address,
        str(way.words),
        is_of_driver=meant.driver_id is not None,
        ends=(page.panel.expires_at,),
    )
    return _opened(link_id, message)


def _typed() -> str | None:
    """Return the message of the form as a person has changed it; None where it stands as it was worded."""
    return _changed(request.form)


def _changed(fields: MultiDict[str, str]) -> str | None:
    text = fields.get("message", "").replace("\r\n", "\n")
    is_changed = "worded" in fields and fingerprint((text,)) != fields["worded"]
    return text if is_changed else None


def _saved_text(link_id: str) -> str | None:
    """Return the message that was changed before the session expired, in the language of the request; None without."""
    form = saved_forms.waiting(*_WITH_A_MESSAGE)
    if form is None or form.view_args["link_id"] != link_id or form.first("language") != request.values.get("language"):
        return None
    return None if "standard" in request.args else _changed(MultiDict(form.fields))


@bp.post("/links/<uuid:link_id>/nudge")
def remind(link_id: UUID) -> ResponseReturnValue:
    """Check the link now, and those that go `also` to the driver, record the shares, and open WhatsApp: one tap.

    What must not be sent is left out of the message, and what is doubtful unless it is sent `anyway`, by somebody who
    has read why. Where nothing is left, the page of the link says why.
    """
    meant, named = recipients.of_form(request.form), message_links(link_id, request.form)
    if meant is not None and meant.problem and "to" in request.form:
        card = payment_card(str(link_id)) or abort(404)
        return page_of(link_id, card=replace(card, to=meant.typed, to_problem=meant.problem)), 422
    if len(named) == 1 and (refused := _refusal(link_id)) is not None:
        return refused
    elsewhere = redirect(_address(str(link_id), request.form), 303)
    meant = recipients.saved(meant, str(link_id)) if meant else None
    if meant is None or (to := recipient(meant.asked, meant.number)) is None:
        return elsewhere
    return _sent(link_id, to, named, driver=meant.asked, number=meant.number or None) or elsewhere


def _sent(link_id: UUID, to: Recipient, named: Sequence[str], **chosen: Any) -> ResponseReturnValue | None:
    """Send one message about links, of which the first is that of the address; None where nothing may be sent."""
    ready = send_together(to, named, with_doubtful="anyway" in request.form)
    if not ready:
        return _refusal(link_id)
    first, *others = ready
    unsaved_driver.store_number(first, chosen.get("number") or "")
    if is_in_queue(request.referrer or ""):
        chosen["back"] = _QUEUE
    return redirect(url_for("sharing.reminder_sent", link_id=first, also=others, **chosen), 303)


@bp.get("/links/<uuid:link_id>/nudge")
def reminder_sent(link_id: UUID) -> ResponseReturnValue:
    """Open WhatsApp with the message while the check is fresh; a reload records nothing."""
    meant = recipients.of_form(request.args)
    to = recipient(meant.asked, meant.number) if meant else None
    if to is None or (opened := opened_message(to, message_links(link_id, request.args))) is None:
        return redirect(_address(str(link_id), request.args), 303)
    return _opened(link_id, opened)


def _opened(link_id: UUID, message: OpenedMessage) -> str:
    """Show a message that opens: to a driver it is `marked` as sent, and of anybody else it is asked whether it was."""
    of_links = shares.newest_of_links if message.is_of_driver else shares.unconfirmed_of_links
    with current_services().store.read() as connection:
        last = undoable(of_links(connection, [str(link_id)]).get(str(link_id)))
    rows = items_of(message_links(link_id, request.args)) if message.is_of_driver else []
    about: dict[str, Any] = {"marked" if message.is_of_driver else "asked": last, "rows": rows}
    about["is_of_queue"] = len(message.links) > 1 or request.args.get("back") == _QUEUE
    return render_template("sharing/reminder_sent.html", message=message, link_id=str(link_id), **about)


def message_links(link_id: UUID, fields: MultiDict[str, str]) -> list[str]:
    """Return the ids of the links of a message: the one of the address, and those that `also` belong to it."""
    return list(dict.fromkeys([str(link_id), *fields.getlist("also")]))[:MOST_OF_A_MESSAGE]


def _refusal(link_id: UUID) -> ResponseReturnValue | None:
    """Check a link unless that was done just now; return the page to answer with if it must not be shared."""
    try:
        current_services().sharing.prepare(str(link_id))
    except NotStored:
        abort(404)
    except NotShareable as refused:
        return _shown(str(link_id), texts.not_shareable(refused), 409)
    except ServiceError as error:
        title, _text = explain(error)
        return _shown(str(link_id), texts.not_checked(title), status_of(error))
    return None


@bp.post("/links/<uuid:link_id>/shared")
def record_share(link_id: UUID) -> ResponseReturnValue:
    """Record a share of the link; the page posts it when a way to send is used."""
    try:
        channel = Channel(request.form.get("channel", ""))
    except ValueError:
        abort(400)
    with current_services().store.read() as connection:
        if links.find(connection, str(link_id)) is None:
            abort(404)
    language = sharing_page.language_of(request.form.get("language")).code
    meant = recipients.of_form(request.form) or recipients.Meant()
    if channel in (Channel.WHATSAPP, Channel.SMS):
        meant = recipients.saved(meant, str(link_id), language)
        unsaved_driver.store_number(str(link_id), meant.number)
    _record(link_id, channel, meant.driver_id, language)
    saved_forms.discard(*_WITH_A_MESSAGE)
    if htmx.wants_region():
        return shares_region(link_id, meant.driver_id)
    if request.form.get("back"):
        return redirect(url_for("sharing.show", link_id=link_id), 303)
    return "", 204


def _record(link_id: UUID, channel: Channel, driver_id: int | None, language: str) -> None:
    current_services().sharing.record_share(str(link_id), channel, person_id(), driver_id, language)
    audit("share", str(link_id), channel=str(channel), driver=driver_id, language=language)


@bp.post("/links/<uuid:link_id>/shared/<int:share_id>/undo")
def undo_share(link_id: UUID, share_id: int) -> ResponseReturnValue:
    """Take a share back that this person recorded just now, with all that its message named."""
    try:
        undone = current_services().sharing.undo_share(str(link_id), share_id, person_id())
    except NotStored:
        abort(404)
    except TooLateToUndo:
        undone, words, status = [], str(texts.TOO_LATE_TO_UNDO), 409
    else:
        for each in undone:
            audit("share undone", each.link_id, share=each.id)
        words, status = texts.share_taken_back(len(undone)), 200 if undone else 409
    in_queue = htmx.puts_into(f"contact-{link_id}")
    in_list = request.form.get("back") == "links"
    if htmx.wants_region() and not (in_queue or in_list):
        return shares_region(link_id, None, SentNow(str(link_id), words), status)
    if status == 200:
        toast(words)
    else:
        notice(words, "wrong")
    if in_queue and request.form.get("back") == "follow-up":
        return moved_rows([str(link_id), *(each.link_id for each in undone)], is_undone=True)
    return redirect(page_of_undo(link_id, request.form.get("back", "share")), 303)


def page_of_undo(link_id: UUID, back: str) -> str:
    """Return the address of the page from which a share or a question was taken back."""
    match back:
        case "home":
            return url_for("home.index")
        case "links":
            return list_shown()
        case "follow-up":
            return url_for("sharing.follow_up", **places())
        case "reminders":
            return queue_address(request.form)
        case "link":
            return url_for("links.show", link_id=link_id)
        case "driver" if driver_id := request.form.get("of", type=row_id):
            return url_for("sharing.driver", driver_id=driver_id)
    return url_for("sharing.show", link_id=link_id)


@bp.post("/links/<uuid:link_id>/usual-driver")
def make_usual_driver(link_id: UUID) -> ResponseReturnValue:
    """Make the driver who was sent a link the usual one of its vehicle."""
    driver_id = request.form.get("driver", type=row_id)
    with current_services().store.read() as connection:
        link = links.find(connection, str(link_id)) or abort(404)
        driver = drivers.find(connection, driver_id) if driver_id is not None else None
    if driver is None or link.rc is None:
        abort(400)
    if current_services().drivers.make_usual_driver(driver.id, link.rc):
        audit("driver changed", str(driver.id), name=driver.name)
    toast(texts.is_usual_driver(driver.name, spaced(link.rc)))
    if htmx.puts_into("share-sent"):
        return htmx.region_at("share-sent", shares_region(link_id, driver.id))
    return redirect(url_for("sharing.show", link_id=link_id, driver=driver.id), 303)


def shares_region(link_id: UUID, driver_id: int | None, said: SentNow | None = None, status: int = 200) -> Response:
    """Answer what was done just now with the renewed list of shares."""
    found = sharing_page.shares_of(str(link_id), driver_id)
    found = replace(found, sent=said or found.sent)
    return htmx.region("sharing/_shares.html", status, announce=found.sent.words if found.sent else "", of=found)


@bp.get("/links/<uuid:link_id>/qr")
def qr_screen(link_id: UUID) -> str:
    """Show the QR code alone, as large as a depot's screen allows, with the live state of the link."""
    current_services().link_poller.mark_watched(str(link_id))
    page = sharing_page.share_page(str(link_id)) or abort(404)
    return render_template("sharing/qr_screen.html", page=page)


@bp.get("/links/<uuid:link_id>/qr.png")
def qr_picture(link_id: UUID) -> ResponseReturnValue:
    """Download the QR code as a picture that WhatsApp can send, with plate, amount and deadline under it.

    It needs a link that may be shared, and whose check is fresh.
    """
    services = current_services()
    with services.store.read() as connection:
        link = links.find(connection, str(link_id)) or abort(404)
    try:
        services.sharing.require_shareable(link)
    except NotShareable as refused:
        return _shown(str(link_id), texts.not_shareable(refused), 409)
    if not link.payment_url or not services.sharing.is_prepared(link):
        return qr_screen(link_id), 409
    answer = Response(qr.as_png(link.payment_url, qr_lines(link)), content_type="image/png")
    answer.headers["Content-Disposition"] = f'attachment; filename="payment-link-{link.rc or link_id}.png"'
    return answer


def _page(link_id: str, problem: str | None) -> SharePage:
    fields = request.values
    language, meant = _language(fields), recipients.of_form(fields)
    typed = _typed() if request.method == "POST" else _saved_text(link_id)
    kept, adds = fields.get("kept", ""), request.method == "POST" and "add" in fields
    return sharing_page.share_page(link_id, meant, language, problem, kept, typed, adds=adds) or abort(404)


def _language(fields: MultiDict[str, str]) -> str | None:
    """Return the language of the fields. A message that was changed stays in the language in which it is written."""
    language = fields.get("language")
    if _changed(fields) is not None:
        return language if language in LANGUAGES else None
    return recipients.language_of(fields)


def _shown(link_id: str, problem: str | None, status: int) -> ResponseReturnValue:
    fields, page = request.values, _page(link_id, problem)
    if not htmx.puts_into("share-now"):
        return render_template("sharing/share.html", page=page), status
    worded = texts.worded(*sharing_page.names_of(page.to)) if page.message else texts.CHECK_FIRST
    said = page.problem or page.to.problem or (texts.ADDED if page.is_added else worded)
    # A driver who was chosen brings along his language, in the field that was left alone.
    brings_language = _language(fields) is None
    answer = htmx.region("sharing/_now.html", status, announce=said, page=page, with_language=brings_language)
    if request.method == "GET":
        place = {"link_id": link_id, **page.to.place, "language": page.to.language}
        answer.headers["HX-Replace-Url"] = url_for("sharing.show", **place)
    return answer


def _address(link_id: str, fields: MultiDict[str, str]) -> str:
    """Return the address of the page for whom a form means, and for its language, if they can be any."""
    language, meant = _language(fields), recipients.of_form(fields)
    place = meant.place if meant else {}
    kept = None if language else fields.get("kept") or None
    return url_for("sharing.show", link_id=link_id, **place, language=language, kept=kept)


@resumes(*_WITH_A_MESSAGE, waits=True)
@resumes("sharing.make_usual_driver")
def _page_again(form: SavedForm) -> str:
    """Show the page with the driver and the language that were chosen again, and with the message as it was changed."""
    return _address(form.view_args["link_id"], MultiDict(form.fields))
