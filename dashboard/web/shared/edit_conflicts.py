"""Show an edit conflict: what others saved meanwhile, next to what the person typed."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime

from flask import request

from dashboard.domain.edit_conflicts import Basis, EditConflict, Fields
from dashboard.domain.languages import LANGUAGES
from dashboard.store.accounts import audit
from dashboard.web.shared.current import current_services, format_moment, person_id
from dashboard.web.shared.languages import gettext as _


@dataclass(frozen=True, slots=True)
class ConflictNotice:
    """Report that nothing was saved because of a conflict.

    `fields` are the others' values, by label, of what both changed. `taken_over` are the labels of what they alone
    changed: the form has their values now.
    """

    title: str
    fields: tuple[tuple[str, str], ...]
    taken_over: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Editing:
    """Hold the text of a form's Basis, which detects a conflict, and the conflict that was just detected."""

    basis: str
    conflict: ConflictNotice | None = None


def start(stored: Fields) -> Editing:
    """Open a form on the stored fields."""
    return Editing(str(Basis.of(stored, current_services().clock())))


def go_on() -> Editing:
    """Show the form that was just sent again, on the basis that it began with."""
    return Editing(request.form.get("basis", ""))


def sent_basis() -> Basis | None:
    """Return the basis of the form that was just sent; None when it has none."""
    return Basis.parse(request.form.get("basis", ""))


def restart(
    conflict: EditConflict, typed: Fields, labels: Mapping[str, str], *, subject: str, actions: Collection[str]
) -> Editing:
    """Show the form again with the conflict; sent once more, it is saved over what others saved.

    The caller puts the others' values into the fields that the person left as they were.

    `labels` name the fields for people, in their order. `subject` and `actions` are the audit log's words for such a
    change: it knows who made it.
    """
    stored, untouched = conflict.stored, conflict.untouched
    changed = [name for name in labels if name in conflict.changed and typed[name] != stored[name]]
    theirs = tuple((labels[name], shown_value(name, stored[name])) for name in changed if name not in untouched)
    title = _title(subject, actions, conflict.opened_at)
    taken_over = tuple(labels[name] for name in changed if name in untouched)
    return Editing(start(stored).basis, ConflictNotice(title, theirs, taken_over))


def shown_value(name: str, value: str | None) -> str:
    """Return the value of a field as people read it."""
    value = value or ""
    return LANGUAGES[value].name if name == "language" and value in LANGUAGES else value


def _title(subject: str, actions: Collection[str], since: datetime) -> str:
    with current_services().store.read() as connection:
        last = audit.last(connection, subject, actions, since)
    if last is None or last.name is None:
        return _("This was changed while you were writing.")
    if last.person_id == person_id():
        return _("You saved this at %(moment)s, while you were writing.", moment=format_moment(last.at))
    return _(
        "%(name)s saved this at %(moment)s, while you were writing.", name=last.name, moment=format_moment(last.at)
    )
