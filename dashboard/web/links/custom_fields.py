"""Build the form of the custom fields of a link or a vehicle, and read what was typed into it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from flask import abort, url_for
from werkzeug.datastructures import MultiDict

from dashboard.domain.custom_fields import CUSTOM_FIELDS, in_full
from dashboard.domain.edit_conflicts import Basis, EditConflict
from dashboard.store.engine import NotStored
from dashboard.store.links import custom_fields
from dashboard.store.links.custom_fields import LINK, VEHICLE
from dashboard.web.links import custom_field_texts as texts
from dashboard.web.links.records import CustomFieldRow, CustomFieldsForm
from dashboard.web.shared import edit_conflicts
from dashboard.web.shared.current import audit, current_services, person_id
from dashboard.web.shared.edit_conflicts import Editing


@dataclass(frozen=True, slots=True)
class Typed:
    """Hold the typed values by field, each on one line and without empty ones, and their errors."""

    values: dict[str, str]
    problems: dict[str, str]
    editing: Editing


def read(form: MultiDict[str, str]) -> Typed:
    """Read a form that was sent."""
    typed = ((field.name, " ".join(form.get(field.name, "").split())) for field in CUSTOM_FIELDS)
    values = {name: text for name, text in typed if text}
    problems = {
        field.name: texts.CUSTOM_FIELD_TOO_LONG.format(length=f"{len(values[field.name]):,}", most=field.max_length)
        for field in CUSTOM_FIELDS
        if len(values.get(field.name, "")) > field.max_length
    }
    return Typed(values, problems, edit_conflicts.go_on())


def save(typed: Typed, subject: str, write: Callable[[Mapping[str, str], Basis | None, int], None]) -> Typed | None:
    """Save by `write` and return None; when others saved meanwhile, return the form again with the conflict.

    `subject` is that of the audit entry. Answers 404 for a link or vehicle that the store does not know.
    """
    try:
        write(typed.values, edit_conflicts.sent_basis(), person_id())
    except NotStored:
        abort(404)
    except EditConflict as conflict:
        fields = in_full(typed.values)
        editing = edit_conflicts.restart(conflict, fields, texts.LABELS, subject=subject, actions=("fields",))
        shown = fields | {name: conflict.stored[name] for name in conflict.untouched}
        return replace(typed, values={name: value for name, value in shown.items() if value}, editing=editing)
    audit("fields", subject)
    return None


def form_of_link(link_id: str, rc: str | None, typed: Typed | None = None) -> CustomFieldsForm:
    """Build a link's form with the stored or the typed values; show its vehicle's fields next to them."""
    with current_services().store.read() as connection:
        own = custom_fields.of(connection, LINK, [link_id]).get(link_id, {})
        vehicle = custom_fields.of(connection, VEHICLE, [rc or ""]).get(rc or "", {})
        suggestions = custom_fields.suggestions(connection)
    return _form(own, vehicle, suggestions, url_for("links.update_custom_fields", link_id=link_id), typed)


def form_of_vehicle(rc: str, typed: Typed | None = None) -> CustomFieldsForm:
    """Build a vehicle's form, as it is stored or with what was typed just now."""
    with current_services().store.read() as connection:
        own = custom_fields.of(connection, VEHICLE, [rc]).get(rc, {})
        suggestions = custom_fields.suggestions(connection)
    return _form(own, {}, suggestions, url_for("vehicles.update_custom_fields", rc=rc), typed)


def _form(
    stored: dict[str, str],
    vehicle: dict[str, str],
    suggestions: Mapping[str, tuple[str, ...]],
    action: str,
    typed: Typed | None,
) -> CustomFieldsForm:
    typed = typed or Typed(stored, {}, edit_conflicts.start(in_full(stored)))
    rows = tuple(
        CustomFieldRow(
            name=field.name,
            label=texts.LABELS[field.name],
            max_length=field.max_length,
            stored=stored.get(field.name, ""),
            inherited=vehicle.get(field.name, ""),
            typed=typed.values.get(field.name, ""),
            problem=typed.problems.get(field.name),
            suggestions=suggestions.get(field.name, ()),
        )
        for field in CUSTOM_FIELDS
    )
    return CustomFieldsForm(rows, action, typed.editing)
