"""The live region of a vehicle's page, and listing its challans anew with what is ticked."""

from __future__ import annotations

from flask import abort, redirect, request, url_for
from flask.typing import ResponseReturnValue

from dashboard.web.shared import htmx
from dashboard.web.shared.current import current_services
from dashboard.web.shared.live import checked_event
from dashboard.web.vehicles import panel as vehicle_panel
from dashboard.web.vehicles.routes import bp, keep_ticks


@bp.get("/vehicles/<rc>/panel")
@htmx.region_of("vehicles.show")
def panel(rc: str) -> ResponseReturnValue:
    """The states of the links; a poll that has seen them all gets nothing new."""
    drawn, listed = request.args.get("drawn"), request.args.get("listed") != "no"
    with current_services().store.read() as connection:
        region = vehicle_panel.vehicle_panel(connection, rc, drawn, listed=listed) or abort(404)
    if request.args.get("seen") == region.seen:
        return htmx.unchanged(checked_event(poll_seconds=region.poll_seconds))
    return htmx.region("vehicles/_panel.html", checked=checked_event(), panel=region)


@bp.post("/vehicles/<rc>/keep")
def keep(rc: str) -> ResponseReturnValue:
    keep_ticks(rc)
    return redirect(url_for("vehicles.show", rc=rc), 303)
