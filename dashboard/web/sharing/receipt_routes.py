"""Serve the receipt of a paid link, and record who sent it."""

from __future__ import annotations

from uuid import UUID

from flask import Response, abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from dashboard.domain.sharing import SENDS, Channel
from dashboard.services.sharing.share import TooLateToUndo
from dashboard.store.engine import NotStored
from dashboard.web.shared import htmx
from dashboard.web.shared.current import audit, current_services, person_id
from dashboard.web.shared.toasts import notice, toast
from dashboard.web.sharing import recipients, texts
from dashboard.web.sharing.page import names_of
from dashboard.web.sharing.receipt_page import opened_receipt, receipt
from dashboard.web.sharing.receipt_records import Receipt
from dashboard.web.sharing.routes import bp


@bp.get("/links/<uuid:link_id>/receipt", endpoint="receipt")
def show_receipt(link_id: UUID) -> ResponseReturnValue:
    """Show the receipt; what is not paid has none, and leads to the link's page."""
    found = _asked(link_id)
    if found is None:
        return redirect(url_for("links.show", link_id=link_id), 303)
    if htmx.puts_into("thanks"):
        said = found.to.problem or texts.worded(*names_of(found.to))
        return htmx.region("sharing/_thanks.html", announce=said, receipt=found)
    return render_template("sharing/receipt.html", receipt=found, print_now=request.args.get("print") == "now")


@bp.post("/links/<uuid:link_id>/receipt/whatsapp")
def send_receipt(link_id: UUID) -> ResponseReturnValue:
    """Record that the receipt is sent to whom it is for, and open WhatsApp: one tap."""
    found = _asked(link_id)
    if found is None:
        return redirect(url_for("links.show", link_id=link_id), 303)
    if not found.number:
        return redirect(url_for("sharing.receipt", link_id=link_id, _anchor="thanks-title"), 303)
    _record(found, Channel.WHATSAPP)
    return redirect(url_for("sharing.receipt_opened", link_id=link_id), 303)


@bp.get("/links/<uuid:link_id>/receipt/whatsapp")
def receipt_opened(link_id: UUID) -> ResponseReturnValue:
    """Open WhatsApp with the receipt; a reload records nothing."""
    found = _asked(link_id)
    if found is None or not found.number:
        return redirect(url_for("sharing.receipt", link_id=link_id), 303)
    return render_template("sharing/reminder_sent.html", message=opened_receipt(found), receipt=found)


@bp.post("/links/<uuid:link_id>/receipt/sent")
def record_receipt(link_id: UUID) -> ResponseReturnValue:
    """Record how the receipt was sent; its page posts this when a way to send it is used. A copy goes to nobody yet."""
    try:
        channel = Channel(request.form.get("channel", ""))
    except ValueError:
        abort(400)
    found = _asked(link_id) or abort(409)
    if channel not in SENDS:
        return _sent_region(found, str(texts.MESSAGE_COPIED))
    _record(found, channel)
    return _sent_region(_asked(link_id) or abort(409))


@bp.post("/links/<uuid:link_id>/receipt/<int:receipt_id>/undo")
def undo_receipt(link_id: UUID, receipt_id: int) -> ResponseReturnValue:
    """Take back that this person sent the receipt just now."""
    try:
        current_services().sharing.undo_receipt(str(link_id), receipt_id, person_id())
    except NotStored:
        abort(404)
    except TooLateToUndo:
        words, meaning = str(texts.TOO_LATE_TO_UNDO), "wrong"
    else:
        audit("receipt undone", str(link_id))
        words, meaning = str(texts.RECEIPT_TAKEN_BACK), "good"
    if htmx.puts_into("share-sent"):
        return _sent_region(_asked(link_id) or abort(409), words, 409 if meaning == "wrong" else 200)
    (toast if meaning == "good" else notice)(words, meaning)
    page = "links.show" if request.form.get("back") == "link" else "sharing.receipt"
    return redirect(url_for(page, link_id=link_id), 303)


def _sent_region(found: Receipt, said: str = "", status: int = 200) -> Response:
    """Answer how the receipt was sent last, or what was `said` of it instead, which cannot be taken back."""
    return htmx.region(
        "sharing/_receipt_sent.html",
        status,
        announce=said,
        link_id=found.link_id,
        said=said or found.said,
        is_done=bool(said) or found.is_sent,
        undo_id=0 if said else found.undo_id,
    )


def _asked(link_id: UUID) -> Receipt | None:
    """Return the receipt for whom the request means."""
    fields = request.values
    return receipt(str(link_id), recipients.of_form(fields), recipients.language_of(fields), fields.get("kept", ""))


def _record(found: Receipt, channel: Channel) -> None:
    driver_id = found.to.driver_id
    if current_services().sharing.record_receipt(found.link_id, channel, person_id(), driver_id):
        audit("receipt", found.link_id, channel=str(channel), driver=driver_id)
