"""Serve the receipt of a paid link."""

from __future__ import annotations

from uuid import UUID

from flask import redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from dashboard.domain.sharing import Channel
from dashboard.web.shared import htmx
from dashboard.web.sharing import recipients, texts
from dashboard.web.sharing.page import names_of
from dashboard.web.sharing.receipt_page import receipt
from dashboard.web.sharing.routes import bp


@bp.get("/links/<uuid:link_id>/receipt", endpoint="receipt")
def show_receipt(link_id: UUID) -> ResponseReturnValue:
    """Show the receipt, or open WhatsApp with its message; what is not paid has none, and leads to the link's page."""
    found = receipt(str(link_id), recipients.of_form(request.args), request.args.get("language"))
    if found is None:
        return redirect(url_for("links.show", link_id=link_id), 303)
    if request.args.get("send") == Channel.WHATSAPP:
        way = next((each for each in found.ways if each.number), None)
        return redirect(
            way.address if way else url_for("sharing.receipt", link_id=link_id, _anchor="thanks-title"), 303
        )
    if htmx.puts_into("thanks"):
        said = found.to.problem or texts.worded(*names_of(found.to))
        return htmx.region("sharing/_thanks.html", announce=said, receipt=found)
    return render_template("sharing/receipt.html", receipt=found, print_now=request.args.get("print") == "now")
