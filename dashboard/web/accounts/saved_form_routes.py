"""What was typed into a form that could not be taken: shown after signing in, and saved by a click.

Forms that lead to the service do not wait here: their fields go back into the page that they belong to.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from flask import flash, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict

from dashboard.domain.messages import LANGUAGES
from dashboard.domain.registration import spaced
from dashboard.store.accounts.people import Person
from dashboard.store.links import links
from dashboard.store.sharing import drivers
from dashboard.web.accounts.routes import bp
from dashboard.web.links.list_page import OWN_WORDS
from dashboard.web.shared import saved_forms
from dashboard.web.shared.current import current_services, person_id
from dashboard.web.shared.edit_conflicts import shown_value
from dashboard.web.sharing.forms import DRIVER_LABELS

_SESSION_KEY = "kept_form"
FIELD_WORDS = {**DRIVER_LABELS, **OWN_WORDS, "body": "Message"}


@dataclass(frozen=True, slots=True)
class SavedFormPage:
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
def saved_form() -> ResponseReturnValue:
    key = str(session.get(_SESSION_KEY, ""))
    post = saved_forms.find(key, person_id())
    if post is None:
        return redirect(url_for("home.index"), 303)
    about, find_subject = _FORMS[post.endpoint]
    subject, address = find_subject(post.view_args)
    shown = tuple((FIELD_WORDS[name], shown_value(name, value)) for name, value in post.fields if name in FIELD_WORDS)
    return render_template(
        "accounts/saved_form.html", form=SavedFormPage(key, about, subject, address, shown, tuple(post.fields))
    )


@bp.post("/kept")
def submit_saved_form() -> ResponseReturnValue:
    """Send the form on to where it belongs, once."""
    post = saved_forms.take(request.form.get("kept"), person_id())
    if post is None:
        flash("It was sent already, or had waited for too long. Look whether it is there.", "waiting")
        return redirect(url_for("home.index"), 303)
    # The browser sends the same fields again, to another address of ours.
    return redirect(url_for(post.endpoint, **post.view_args), 307)


@bp.post("/kept/forget")
def discard_saved_form() -> ResponseReturnValue:
    saved_forms.take(request.form.get("kept"), person_id())
    flash("It was not saved.", "neutral")
    return redirect(url_for("home.index"), 303)


_Subject = tuple[str, str] | tuple[None, None]


def _nothing_yet(_view_args: dict[str, Any]) -> _Subject:
    return None, None


def _of_link(view_args: dict[str, Any]) -> _Subject:
    with current_services().store.read() as connection:
        row = links.find(connection, view_args["link_id"])
    words = spaced(row.rc) if row is not None and row.rc else "a link without a vehicle"
    return words, url_for("links.show", link_id=view_args["link_id"])


def _of_vehicle(view_args: dict[str, Any]) -> _Subject:
    return spaced(view_args["rc"].upper()), url_for("vehicles.show", rc=view_args["rc"])


def _of_driver(view_args: dict[str, Any]) -> _Subject:
    with current_services().store.read() as connection:
        row = drivers.find(connection, int(view_args["driver_id"]))
    return (row.name, url_for("sharing.driver", driver_id=row.id)) if row is not None else (None, None)


def _of_language(view_args: dict[str, Any]) -> _Subject:
    language = LANGUAGES.get(view_args["language"])
    return (language.english, url_for("sharing.messages")) if language else (None, None)


#: What a form is about, by its endpoint.
_FORMS: dict[str, tuple[str, Callable[[dict[str, Any]], _Subject]]] = {
    "sharing.add_driver": ("A new driver", _nothing_yet),
    "sharing.update_driver": ("What is known of a driver", _of_driver),
    "sharing.add_note": ("A note on a link", _of_link),
    "links.save_view": ("A view of the list of links", _nothing_yet),
    "sharing.save_message": ("The wording of a message", _of_language),
    "links.update_custom_fields": ("Our own fields on a link", _of_link),
    "vehicles.update_custom_fields": ("Our own fields on a vehicle", _of_vehicle),
}


def _wait(endpoint: str, person: Person, view_args: dict[str, Any], fields: MultiDict[str, str]) -> str:
    pairs = list(fields.items(multi=True))
    session[_SESSION_KEY] = saved_forms.keep_for(person, endpoint, url_for(endpoint, **view_args), view_args, pairs)
    return url_for("accounts.saved_form")


def _wait_on(person: Person, _view_args: dict[str, Any], fields: MultiDict[str, str]) -> str:
    """The session ended again, while this page was open: what waits is still there."""
    if saved_forms.find(fields.get("kept"), person.id) is not None:
        session[_SESSION_KEY] = fields["kept"]
    return url_for("accounts.saved_form")


for _endpoint in _FORMS:
    saved_forms.register(_endpoint, partial(_wait, _endpoint), of_known_senders=True)
saved_forms.register("accounts.submit_saved_form", _wait_on, of_known_senders=True)
