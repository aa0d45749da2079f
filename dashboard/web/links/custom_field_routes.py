"""Our own fields on a link or a vehicle: keeping what people write."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from uuid import UUID

from flask import abort, redirect, request, url_for
from flask.typing import ResponseReturnValue

from dashboard.domain.edit_conflicts import EditConflict, require_unchanged
from dashboard.domain.registration import normalize, spaced
from dashboard.store.links import custom_fields as stored_fields
from dashboard.store.links import links as known_links
from dashboard.store.links.custom_fields import LINK, NOTHING, VEHICLE, CustomFields
from dashboard.store.vehicles import vehicles as known_vehicles
from dashboard.web.links import custom_fields
from dashboard.web.links import routes as link_routes
from dashboard.web.links.custom_fields import Typed, as_kept
from dashboard.web.links.routes import bp, subject_of_saved_form
from dashboard.web.shared import edit_conflicts
from dashboard.web.shared.current import audit, current_services, person_id
from dashboard.web.shared.saved_forms import resumes_on_its_own_page
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


def _vehicle(view_args: Mapping[str, str]) -> tuple[str, str]:
    """Return the vehicle that a saved form is about, and its address."""
    return spaced(view_args["rc"].upper()), url_for("vehicles.show", rc=view_args["rc"])


_LABELS = custom_fields.LABELS
resumes_on_its_own_page("links.update_custom_fields", "Our own fields on a link", _LABELS, subject_of_saved_form)
resumes_on_its_own_page("vehicles.update_custom_fields", "Our own fields on a vehicle", _LABELS, _vehicle)


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
        editing = edit_conflicts.restart(conflict, as_kept(fields), _LABELS, subject=subject, actions=("fields",))
        return replace(typed, editing=editing)
    audit("fields", subject)
    return None
