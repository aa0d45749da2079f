"""Our own fields on a link or a vehicle: keeping what people write."""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID

from flask import abort, redirect, request, url_for
from flask.typing import ResponseReturnValue

from dashboard.domain.registration import normalize
from dashboard.store.links import custom_fields as stored_fields
from dashboard.store.links import links as known_links
from dashboard.store.links.custom_fields import LINK, NOTHING, VEHICLE, CustomFields
from dashboard.store.vehicles import vehicles as known_vehicles
from dashboard.web.links import custom_fields
from dashboard.web.links import routes as link_routes
from dashboard.web.links.custom_fields import Typed, as_kept
from dashboard.web.links.routes import bp
from dashboard.web.shared import edit_conflicts
from dashboard.web.shared.current import audit, current_services, person_id
from dashboard.web.vehicles import routes as vehicle_routes


@bp.post("/links/<uuid:link_id>/fields")
def update_custom_fields(link_id: UUID) -> ResponseReturnValue:
    with current_services().store.read() as connection:
        if known_links.find(connection, str(link_id)) is None:
            abort(404)
    typed = custom_fields.read(request.form)
    if typed.problems:
        return link_routes.page_of(link_id, own=typed), 422
    if (over := _overtaken_or_write(LINK, str(link_id), typed)) is not None:
        return link_routes.page_of(link_id, own=over), 409
    return redirect(url_for("links.show", link_id=link_id, _anchor="own-fields"), 303)


@vehicle_routes.bp.post("/vehicles/<rc>/fields", endpoint="update_custom_fields")
def update_vehicle_custom_fields(rc: str) -> ResponseReturnValue:
    rc = normalize(rc)
    with current_services().store.read() as connection:
        if known_vehicles.find(connection, rc) is None:
            abort(404)
    typed = custom_fields.read(request.form)
    if typed.problems:
        return vehicle_routes.page(rc, own=typed) or abort(404), 422
    if (over := _overtaken_or_write(VEHICLE, rc, typed)) is not None:
        return vehicle_routes.page(rc, own=over) or abort(404), 409
    return redirect(url_for("vehicles.show", rc=rc, _anchor="own-fields"), 303)


def _overtaken_or_write(kind: str, ref: str, typed: Typed) -> Typed | None:
    """Keep the fields, unless others have saved theirs since the form began: then what the form says of that."""
    fields = CustomFields(**{name: text or None for name, text in typed.fields.items()})
    subject = f"{kind} {ref}"
    services = current_services()
    with services.store.write() as connection:
        kept = as_kept(stored_fields.of(connection, kind, [ref]).get(ref, NOTHING))
        over = edit_conflicts.overtaken(connection, kept, as_kept(fields), subject=subject, actions=("fields",))
        if over is not None:
            return replace(typed, editing=over)
        stored_fields.write(connection, kind, ref, fields, services.clock(), person_id())
    audit("fields", subject)
    return None
