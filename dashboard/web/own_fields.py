"""Our own fields on a link or a vehicle: keeping what people write."""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID

from flask import Blueprint, abort, redirect, request, url_for
from flask.typing import ResponseReturnValue

from dashboard.domain.registration import normalize
from dashboard.store import links as known_links
from dashboard.store import own_fields
from dashboard.store import vehicles as known_vehicles
from dashboard.store.own_fields import LINK, NOTHING, VEHICLE, OwnFields
from dashboard.web import editing, links, own_fields_views, vehicles
from dashboard.web.desk import current_desk, note, person_id
from dashboard.web.own_fields_views import Typed, as_kept

bp = Blueprint("own_fields", __name__)


@bp.post("/links/<uuid:link_id>/fields")
def of_link(link_id: UUID) -> ResponseReturnValue:
    with current_desk().store.read() as connection:
        if known_links.find(connection, str(link_id)) is None:
            abort(404)
    typed = own_fields_views.read(request.form)
    if typed.problems:
        return links.page_of(link_id, own=typed), 422
    if (over := _overtaken_or_write(LINK, str(link_id), typed)) is not None:
        return links.page_of(link_id, own=over), 409
    return redirect(url_for("links.show", link_id=link_id, _anchor="own-fields"), 303)


@bp.post("/vehicles/<rc>/fields")
def of_vehicle(rc: str) -> ResponseReturnValue:
    rc = normalize(rc)
    with current_desk().store.read() as connection:
        if known_vehicles.find(connection, rc) is None:
            abort(404)
    typed = own_fields_views.read(request.form)
    if typed.problems:
        return vehicles.page(rc, own=typed) or abort(404), 422
    if (over := _overtaken_or_write(VEHICLE, rc, typed)) is not None:
        return vehicles.page(rc, own=over) or abort(404), 409
    return redirect(url_for("vehicles.show", rc=rc, _anchor="own-fields"), 303)


def _overtaken_or_write(kind: str, ref: str, typed: Typed) -> Typed | None:
    """Keep the fields, unless others have saved theirs since the form began: then what the form says of that."""
    fields = OwnFields(**{name: text or None for name, text in typed.fields.items()})
    subject = f"{kind} {ref}"
    desk = current_desk()
    with desk.store.write() as connection:
        kept = as_kept(own_fields.of(connection, kind, [ref]).get(ref, NOTHING))
        over = editing.overtaken(connection, kept, as_kept(fields), subject=subject, actions=("fields",))
        if over is not None:
            return replace(typed, editing=over)
        own_fields.write(connection, kind, ref, fields, desk.clock(), person_id())
    note("fields", subject)
    return None
