"""What was typed into a form that was sent with an ended session: shown after signing in, and saved by a click.

Forms that lead to the service do not wait here: their fields go back into the page that they belong to.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from flask import Blueprint, redirect, render_template, session, url_for
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict

from dashboard.store.people import Person
from dashboard.web import kept_posts
from dashboard.web.desk import person_id

bp = Blueprint("kept", __name__)

#: What a form is about, by its endpoint.
_ABOUT = {
    "drivers.add": "A new driver",
    "drivers.change": "What is known of a driver",
    "follow_up.write_note": "A note on a link",
    "messages.write": "The wording of a message",
    "own_fields.of_link": "Our own fields on a link",
    "own_fields.of_vehicle": "Our own fields on a vehicle",
}
_SESSION_KEY = "kept_form"


@dataclass(frozen=True, slots=True)
class KeptForm:
    """`shown` are the fields that hold something, with their names as words; `fields` are all of them."""

    about: str
    action: str
    shown: tuple[tuple[str, str], ...]
    fields: tuple[tuple[str, str], ...]


@bp.get("/kept")
def show() -> ResponseReturnValue:
    post = kept_posts.find(session.get(_SESSION_KEY), person_id())
    if post is None:
        return redirect(url_for("home.index"), 303)
    shown = tuple((name.replace("_", " ").capitalize(), value) for name, value in post.fields if value.strip())
    form = KeptForm(_ABOUT[post.endpoint], post.path, shown, tuple(post.fields))
    return render_template("kept/show.html", form=form)


def _wait(endpoint: str, person: Person, view_args: dict[str, Any], fields: MultiDict[str, str]) -> str:
    pairs = list(fields.items(multi=True))
    session[_SESSION_KEY] = kept_posts.keep_for(person, endpoint, url_for(endpoint, **view_args), view_args, pairs)
    return url_for("kept.show")


kept_posts.RESUMERS.update({endpoint: partial(_wait, endpoint) for endpoint in _ABOUT})
