"""What the pages show of our own fields on a link or a vehicle, and how what was typed into them is read."""

from __future__ import annotations

from dataclasses import dataclass

from flask import url_for
from werkzeug.datastructures import MultiDict

from dashboard.store.links import custom_fields
from dashboard.store.links.custom_fields import LINK, NOTHING, VEHICLE, CustomFields
from dashboard.web.links.list_page import OWN_WORDS
from dashboard.web.shared.current import current_services
from dashboard.web.shared.edit_conflicts import Editing, go_on, start

#: The fields as people read them, in the order of their form.
LABELS = OWN_WORDS | {"note": "Note"}
_LONGEST = {"cost_centre": 60, "trip": 60, "customer": 100, "note": 500}


@dataclass(frozen=True, slots=True)
class Typed:
    """What was typed by field, on one line each, and what is wrong with it."""

    fields: dict[str, str]
    problems: dict[str, str]
    editing: Editing


@dataclass(frozen=True, slots=True)
class CustomFieldsView:
    """What is kept of a link or vehicle by field, what its vehicle says instead, and what was written before.

    `typed` is what the form holds: what is kept, or what was typed just now and has `problems`.
    """

    fields: dict[str, str | None]
    inherited: dict[str, str | None]
    action: str
    known: dict[str, list[str]]
    typed: dict[str, str]
    problems: dict[str, str]
    editing: Editing


def read(form: MultiDict[str, str]) -> Typed:
    fields = {name: " ".join(form.get(name, "").split()) for name in _LONGEST}
    return Typed(
        fields,
        {
            name: f"This has {len(fields[name]):,} letters, and at most {most} are kept. Nothing was saved."
            for name, most in _LONGEST.items()
            if len(fields[name]) > most
        },
        go_on(),
    )


def custom_fields_of_link(link_id: str, rc: str | None, typed: Typed | None = None) -> CustomFieldsView:
    with current_services().store.read() as connection:
        own = custom_fields.of(connection, LINK, [link_id]).get(link_id, NOTHING)
        vehicle = custom_fields.of(connection, VEHICLE, [rc or ""]).get(rc or "", NOTHING)
    return _view(own, vehicle, url_for("links.update_custom_fields", link_id=link_id), typed)


def custom_fields_of_vehicle(rc: str, typed: Typed | None = None) -> CustomFieldsView:
    with current_services().store.read() as connection:
        own = custom_fields.of(connection, VEHICLE, [rc]).get(rc, NOTHING)
    return _view(own, NOTHING, url_for("vehicles.update_custom_fields", rc=rc), typed)


def _view(own: CustomFields, vehicle: CustomFields, action: str, typed: Typed | None) -> CustomFieldsView:
    with current_services().store.read() as connection:
        known = {name: custom_fields.known(connection, name) for name in custom_fields.ASKED_FOR}
    fields = as_kept(own)
    typed = typed or Typed({name: value or "" for name, value in fields.items()}, {}, start(fields))
    return CustomFieldsView(fields, as_kept(vehicle), action, known, typed.fields, typed.problems, typed.editing)


def as_kept(fields: CustomFields) -> dict[str, str | None]:
    return {name: getattr(fields, name) for name in _LONGEST}
