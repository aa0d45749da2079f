"""Our own fields on a link or a vehicle: what people write, and where it comes back."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from flask import Blueprint, abort, redirect, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict

from dashboard.domain.registration import normalize
from dashboard.store import links, own_fields, vehicles
from dashboard.store.own_fields import LINK, NOTHING, VEHICLE, OwnFields
from dashboard.web.desk import current_desk, note, person_id

bp = Blueprint("own_fields", __name__)

_FIELDS = ("cost_centre", "trip", "customer", "note")
_LONGEST = {"cost_centre": 60, "trip": 60, "customer": 100, "note": 500}


@dataclass(frozen=True, slots=True)
class OwnFieldsView:
    """What is kept of a link or vehicle by field, what its vehicle says instead, and what was written before."""

    fields: dict[str, str | None]
    inherited: dict[str, str | None]
    action: str
    known: dict[str, list[str]]


def own_of_link(link_id: str, rc: str | None) -> OwnFieldsView:
    with current_desk().store.read() as connection:
        own = own_fields.of(connection, LINK, [link_id]).get(link_id, NOTHING)
        vehicle = own_fields.of(connection, VEHICLE, [rc or ""]).get(rc or "", NOTHING)
        known = {name: own_fields.known(connection, name) for name in own_fields.ASKED_FOR}
    return OwnFieldsView(_dict(own), _dict(vehicle), url_for("own_fields.of_link", link_id=link_id), known)


def own_of_vehicle(rc: str) -> OwnFieldsView:
    with current_desk().store.read() as connection:
        own = own_fields.of(connection, VEHICLE, [rc]).get(rc, NOTHING)
        known = {name: own_fields.known(connection, name) for name in own_fields.ASKED_FOR}
    return OwnFieldsView(_dict(own), _dict(NOTHING), url_for("own_fields.of_vehicle", rc=rc), known)


def _dict(fields: OwnFields) -> dict[str, str | None]:
    return {name: getattr(fields, name) for name in _FIELDS}


@bp.post("/links/<uuid:link_id>/fields")
def of_link(link_id: UUID) -> ResponseReturnValue:
    with current_desk().store.read() as connection:
        if links.find(connection, str(link_id)) is None:
            abort(404)
    return _write(LINK, str(link_id), url_for("links.show", link_id=link_id, _anchor="own-fields"))


@bp.post("/vehicles/<rc>/fields")
def of_vehicle(rc: str) -> ResponseReturnValue:
    rc = normalize(rc)
    with current_desk().store.read() as connection:
        if vehicles.find(connection, rc) is None:
            abort(404)
    return _write(VEHICLE, rc, url_for("vehicles.show", rc=rc, _anchor="own-fields"))


def _write(kind: str, ref: str, back: str) -> ResponseReturnValue:
    fields = _read(request.form)
    desk = current_desk()
    with desk.store.write() as connection:
        own_fields.write(connection, kind, ref, fields, desk.clock(), person_id())
    note("fields", f"{kind} {ref}")
    return redirect(back, 303)


def _read(form: MultiDict[str, str]) -> OwnFields:
    """What was typed, on one line each and no longer than it may be: the fields say how long that is."""
    found = {name: " ".join(form.get(name, "").split())[:most] or None for name, most in _LONGEST.items()}
    return OwnFields(**found)
