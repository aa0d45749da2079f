"""Our own fields on a link or a vehicle: keeping what people write."""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID

from flask import abort, redirect, request, url_for
from flask.typing import ResponseReturnValue

from dashboard.domain.edit_conflicts import EditConflict, require_unchanged
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
    if (conflict := _save_unless_changed(LINK, str(link_id), typed)) is not None:
        return link_routes.page_of(link_id, own=conflict), 409
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
    if (conflict := _save_unless_changed(VEHICLE, rc, typed)) is not None:
        return vehicle_routes.page(rc, own=conflict) or abort(404), 409
    return redirect(url_for("vehicles.show", rc=rc, _anchor="own-fields"), 303)


def _save_unless_changed(kind: str, ref: str, typed: Typed) -> Typed | None:
    """Save the fields and return None; return the form with the conflict when others saved theirs meanwhile."""
    fields = CustomFields(**{name: text or None for name, text in typed.fields.items()})
    subject = f"{kind} {ref}"
    services = current_services()
    try:
        with services.store.write() as connection:
            kept = as_kept(stored_fields.of(connection, kind, [ref]).get(ref, NOTHING))
            require_unchanged(edit_conflicts.sent_basis(), kept, as_kept(fields))
            stored_fields.write(connection, kind, ref, fields, services.clock(), person_id())
    except EditConflict as conflict:
        labels = custom_fields.LABELS
        editing = edit_conflicts.restart(conflict, as_kept(fields), labels, subject=subject, actions=("fields",))
        return replace(typed, editing=editing)
    audit("fields", subject)
    return None
