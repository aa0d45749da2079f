"""Where the pages find the desk, the signed-in person and the words for moments."""

from __future__ import annotations

from datetime import datetime
from typing import cast

from flask import current_app
from flask_login import current_user

from dashboard.services.desk import Desk
from dashboard.store import people


def current_desk() -> Desk:
    return cast(Desk, current_app.extensions["desk"])


def person_id() -> int:
    """The id of the signed-in person."""
    return int(current_user.person.id)


def names() -> dict[int, str]:
    """The names of everybody, by id."""
    with current_desk().store.read() as connection:
        return {person.id: person.name for person in people.everybody(connection)}


def shown(moment: datetime) -> str:
    """A moment as the pages write it, e.g. "14:03 IST"."""
    return cast(str, current_app.jinja_env.filters["moment"](moment))
