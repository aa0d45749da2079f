"""Serve the receipt of a paid link, and record who sent it."""

from __future__ import annotations

from uuid import UUID

from flask import abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from dashboard.domain.sharing import SENDS, Channel
from dashboard.web.shared import htmx
from dashboard.web.shared.current import audit, current_services, person_id
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
        return htmx.region("sharing/_receipt_sent.html", said=str(texts.MESSAGE_COPIED), is_done=True)
    _record(found, channel)
    found = _asked(link_id) or abort(409)
    return htmx.region("sharing/_receipt_sent.html", said=found.said, is_done=found.is_sent)


def _asked(link_id: UUID) -> Receipt | None:
    """Return the receipt for whom the request means."""
    fields = request.values
    return receipt(str(link_id), recipients.of_form(fields), fields.get("language"), fields.get("kept", ""))


def _record(found: Receipt, channel: Channel) -> None:
    driver_id = found.to.driver_id
    if current_services().sharing.record_receipt(found.link_id, channel, person_id(), driver_id):
        audit("receipt", found.link_id, channel=str(channel), driver=driver_id)
