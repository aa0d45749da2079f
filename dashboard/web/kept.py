"""What was typed into a form that could not be taken: shown after signing in, and saved by a click.

Forms that lead to the service do not wait here: their fields go back into the page that they belong to.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from flask import Blueprint, flash, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict

from dashboard.domain.messages import LANGUAGES
from dashboard.domain.registration import spaced
from dashboard.store import drivers, links
from dashboard.store.people import Person
from dashboard.web import kept_posts
from dashboard.web.desk import current_desk, person_id
from dashboard.web.editing import FIELD_WORDS, written

bp = Blueprint("kept", __name__)

_SESSION_KEY = "kept_form"


@dataclass(frozen=True, slots=True)
class KeptForm:
    """`subject` and its `address` tell what the form is about, where that is there already; `shown` are the fields that
    people fill, by their words; `fields` are all of them.
    """

    key: str
    about: str
    subject: str | None
    address: str | None
    shown: tuple[tuple[str, str], ...]
    fields: tuple[tuple[str, str], ...]


@bp.get("/kept")
def show() -> ResponseReturnValue:
    key = str(session.get(_SESSION_KEY, ""))
    post = kept_posts.find(key, person_id())
    if post is None:
        return redirect(url_for("home.index"), 303)
    about, find_subject = _FORMS[post.endpoint]
    subject, address = find_subject(post.view_args)
    shown = tuple((FIELD_WORDS[name], written(name, value)) for name, value in post.fields if name in FIELD_WORDS)
    return render_template("kept/show.html", form=KeptForm(key, about, subject, address, shown, tuple(post.fields)))


@bp.post("/kept")
def save() -> ResponseReturnValue:
    """Send the form on to where it belongs, once."""
    post = kept_posts.take(request.form.get("kept"), person_id())
    if post is None:
        flash("It was sent already, or had waited for too long. Look whether it is there.", "waiting")
        return redirect(url_for("home.index"), 303)
    # The browser sends the same fields again, to another address of ours.
    return redirect(url_for(post.endpoint, **post.view_args), 307)


@bp.post("/kept/forget")
def forget() -> ResponseReturnValue:
    kept_posts.take(request.form.get("kept"), person_id())
    flash("It was not saved.", "neutral")
    return redirect(url_for("home.index"), 303)


_Subject = tuple[str, str] | tuple[None, None]


def _nothing_yet(_view_args: dict[str, Any]) -> _Subject:
    return None, None


def _of_link(view_args: dict[str, Any]) -> _Subject:
    with current_desk().store.read() as connection:
        row = links.find(connection, view_args["link_id"])
    words = spaced(row.rc) if row is not None and row.rc else "a link without a vehicle"
    return words, url_for("links.show", link_id=view_args["link_id"])


def _of_vehicle(view_args: dict[str, Any]) -> _Subject:
    return spaced(view_args["rc"].upper()), url_for("vehicles.show", rc=view_args["rc"])


def _of_driver(view_args: dict[str, Any]) -> _Subject:
    with current_desk().store.read() as connection:
        row = drivers.find(connection, int(view_args["driver_id"]))
    return (row.name, url_for("drivers.show", driver_id=row.id)) if row is not None else (None, None)


def _of_language(view_args: dict[str, Any]) -> _Subject:
    language = LANGUAGES.get(view_args["language"])
    return (language.english, url_for("messages.index")) if language else (None, None)


#: What a form is about, by its endpoint.
_FORMS: dict[str, tuple[str, Callable[[dict[str, Any]], _Subject]]] = {
    "drivers.add": ("A new driver", _nothing_yet),
    "drivers.change": ("What is known of a driver", _of_driver),
    "follow_up.write_note": ("A note on a link", _of_link),
    "links.save_view": ("A view of the list of links", _nothing_yet),
    "messages.write": ("The wording of a message", _of_language),
    "own_fields.of_link": ("Our own fields on a link", _of_link),
    "own_fields.of_vehicle": ("Our own fields on a vehicle", _of_vehicle),
}


def _wait(endpoint: str, person: Person, view_args: dict[str, Any], fields: MultiDict[str, str]) -> str:
    pairs = list(fields.items(multi=True))
    session[_SESSION_KEY] = kept_posts.keep_for(person, endpoint, url_for(endpoint, **view_args), view_args, pairs)
    return url_for("kept.show")


def _wait_on(person: Person, _view_args: dict[str, Any], fields: MultiDict[str, str]) -> str:
    """The session ended again, while this page was open: what waits is still there."""
    if kept_posts.find(fields.get("kept"), person.id) is not None:
        session[_SESSION_KEY] = fields["kept"]
    return url_for("kept.show")


for _endpoint in _FORMS:
    kept_posts.register(_endpoint, partial(_wait, _endpoint), of_known_senders=True)
kept_posts.register("kept.save", _wait_on, of_known_senders=True)
