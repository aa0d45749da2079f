"""What stands around the panel of a link's page and follows it: the payment URL and the history; and the note of who
copied it."""

from __future__ import annotations

from uuid import UUID

from flask import abort, redirect, url_for
from flask.typing import ResponseReturnValue

from dashboard.web.links import page as link_page
from dashboard.web.links import timeline
from dashboard.web.links.routes import bp
from dashboard.web.shared import htmx
from dashboard.web.shared.current import current_services, person_id
from dashboard.web.shared.request_id import request_origin


@bp.get("/links/<uuid:link_id>/payment")
def payment(link_id: UUID) -> ResponseReturnValue:
    """The payment URL and the ways to share it, fetched anew when the panel says that they have changed."""
    if not htmx.is_htmx():
        return redirect(url_for("links.show", link_id=link_id), 303)
    card = link_page.payment_card(str(link_id)) or abort(404)
    return htmx.region("links/_payment.html", card=card)


@bp.get("/links/<uuid:link_id>/timeline", endpoint="timeline")
def history(link_id: UUID) -> ResponseReturnValue:
    """The history, fetched anew when it has grown."""
    if not htmx.is_htmx():
        return redirect(url_for("links.show", link_id=link_id), 303)
    shown = timeline.timeline(str(link_id)) or abort(404)
    return htmx.region("links/_timeline.html", timeline=shown)


@bp.post("/links/<uuid:link_id>/copied")
def copied(link_id: UUID) -> ResponseReturnValue:
    """Note that the signed-in person copied the payment URL; asked for by the page, after the copy."""
    try:
        current_services().copying.record(str(link_id), person_id(), request_origin())
    except LookupError:
        abort(404)
    return "", 204
