"""What two people write in the same place: whoever saves second is shown what is kept by then, and loses nothing."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from flask import request
from sqlalchemy import Connection

from dashboard.domain.messages import LANGUAGES
from dashboard.store.accounts import audit
from dashboard.web.links.list_page import OWN_WORDS
from dashboard.web.shared.current import current_services, format_moment, person_id
from dashboard.web.shared.fingerprints import fingerprint

#: The fields that people fill, in the words of their forms.
FIELD_WORDS = {
    "name": "Name",
    "phone": "Phone",
    "email": "E-mail",
    "language": "Language",
    "vehicles": "Usual vehicles",
    **OWN_WORDS,
    "note": "Note",
    "body": "Message",
}
#: Fields by name, as they are kept; an empty one is None.
Fields = Mapping[str, str | None]


@dataclass(frozen=True, slots=True)
class EditConflict:
    """Nothing was saved, as others had saved meanwhile; `fields` are those that are kept otherwise than typed."""

    title: str
    fields: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Editing:
    """`basis` travels with a form and stands for what it began with, and when."""

    basis: str
    overtaken: EditConflict | None = None


def begun(kept: Fields) -> Editing:
    """A form begins with what is kept now."""
    return Editing(f"{int(current_services().clock().timestamp())}-{_mark(kept)}")


def going_on() -> Editing:
    """The form that was just sent could not be taken, and goes on with what it began with."""
    return Editing(request.form.get("basis", ""))


def overtaken(
    connection: Connection, kept: Fields, typed: Fields, *, subject: str, actions: Collection[str]
) -> Editing | None:
    """Whether others have saved since the form began, unless they saved the same; sent again it is saved over theirs.

    A form without a basis is taken as it is. `subject` and `actions` are what the audit log calls such a change.
    """
    at, mark = _read(request.form.get("basis", ""))
    differing = [name for name in FIELD_WORDS if name in kept and typed[name] != kept[name]]
    if at is None or mark == _mark(kept) or not differing:
        return None
    others = tuple((FIELD_WORDS[name], written(name, kept[name])) for name in differing)
    return Editing(begun(kept).basis, EditConflict(_title(connection, subject, actions, at), others))


def written(name: str, value: str | None) -> str:
    """A field as people read it."""
    value = value or ""
    return LANGUAGES[value].english if name == "language" and value in LANGUAGES else value


def _title(connection: Connection, subject: str, actions: Collection[str], since: datetime) -> str:
    last = audit.last(connection, subject, actions, since)
    if last is None or last.name is None:
        return "This was changed while you were writing."
    who = "You" if last.person_id == person_id() else last.name
    return f"{who} saved this at {format_moment(last.at)}, while you were writing."


def _mark(kept: Fields) -> str:
    return fingerprint(sorted(kept.items()))


def _read(basis: str) -> tuple[datetime | None, str]:
    at, _, mark = basis.partition("-")
    try:
        return datetime.fromtimestamp(int(at), UTC), mark
    except (ValueError, OverflowError, OSError):
        return None, ""
