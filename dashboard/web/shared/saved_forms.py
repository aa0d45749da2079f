"""A form that was sent with an ended session: its fields wait until its person has signed in again.

Going on means going back to a page with the fields in it: nothing is ever sent to the service by it. A blueprint
registers, for an endpoint of its own, how that is done.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import current_app, request, session
from werkzeug.datastructures import MultiDict

from dashboard.store.accounts import saved_forms
from dashboard.store.accounts.people import Person
from dashboard.store.accounts.saved_forms import SavedForm

Resumer = Callable[[Person, dict[str, Any], "MultiDict[str, str]"], str]

#: By endpoint: takes the person, the arguments of the address and the fields; returns the address to go on to.
RESUMERS: dict[str, Resumer] = {}
#: What people write in their own words is not shown to whoever signs in next: it is kept of senders who are known.
_OF_KNOWN_SENDERS: set[str] = set()

_SESSION_KEY = "kept_post"
_MOST_FIELDS, _MOST_CHARACTERS = 3000, 300_000


def register(endpoint: str, resumer: Resumer, *, of_known_senders: bool = False) -> None:
    """Say how to go on with the form of an endpoint. With `of_known_senders` it is kept only of a session that has
    ended, and not of one that nobody knows.
    """
    RESUMERS[endpoint] = resumer
    if of_known_senders:
        _OF_KNOWN_SENDERS.add(endpoint)


def keep(person_id: int | None) -> bool:
    """Keep the fields of the present request, when there is a way to go on with them."""
    fields = fields_of_request()
    size = sum(len(name) + len(value) for name, value in fields)
    if request.endpoint not in RESUMERS or len(fields) > _MOST_FIELDS or size > _MOST_CHARACTERS:
        return False
    if person_id is None and request.endpoint in _OF_KNOWN_SENDERS:
        return False
    with _store().write() as connection:
        session[_SESSION_KEY] = saved_forms.keep(
            connection,
            current_app.extensions["clock"](),
            person_id=person_id,
            path=request.path,
            endpoint=request.endpoint,
            view_args={name: str(value) for name, value in (request.view_args or {}).items()},
            fields=fields,
        )
    return True


def key() -> str | None:
    """What `resume` needs, to be read before the session is cleared."""
    found = session.get(_SESSION_KEY)
    return found if isinstance(found, str) else None


def resume(kept_key: str | None, person: Person) -> str | None:
    """The address to go on to, when this person's fields were kept."""
    post = take(kept_key, person.id)
    if post is None or post.endpoint not in RESUMERS:
        return None
    return RESUMERS[post.endpoint](person, post.view_args, MultiDict(post.fields))


def keep_for(person: Person, endpoint: str, path: str, view_args: dict[str, Any], fields: list[tuple[str, str]]) -> str:
    """Let fields that were kept wait on for somebody who has signed in; returns the key under which `find` has them."""
    at = current_app.extensions["clock"]()
    about: dict[str, Any] = {"path": path, "endpoint": endpoint, "view_args": view_args, "fields": fields}
    with _store().write() as connection:
        return saved_forms.keep(connection, at, person_id=person.id, **about)


def take(kept_key: str | None, person_id: int) -> SavedForm | None:
    """What waits under a key for a person, once."""
    if kept_key is None:
        return None
    with _store().write() as connection:
        return saved_forms.take(connection, kept_key, person_id, current_app.extensions["clock"]())


def find(kept_key: Any, person_id: int) -> SavedForm | None:
    """What waits under a key, as the session has it, for a person."""
    if not isinstance(kept_key, str):
        return None
    with _store().read() as connection:
        return saved_forms.find(connection, kept_key, person_id, current_app.extensions["clock"]())


def fields_of_request() -> list[tuple[str, str]]:
    """The form's fields, without token and passwords."""
    fields = request.form.items(multi=True)
    return [(name, value) for name, value in fields if name != "csrf_token" and "password" not in name.lower()]


class TypedText:
    """One field of a form that was sent with an ended session: its text waits on a page, until it is sent or forgotten.

    `address` gives that page from the arguments of the form's own address.
    """

    def __init__(self, endpoint: str, field: str, address: Callable[[dict[str, Any]], str]) -> None:
        self._endpoint = endpoint
        self._field = field
        self._address = address
        self._session_key = f"typed for {endpoint}"
        register(endpoint, self._resume, of_known_senders=True)

    def found(self, person_id: int) -> tuple[dict[str, Any], str] | None:
        """The arguments of the form's address and the text, when this person has typed one."""
        post = find(session.get(self._session_key), person_id)
        if post is None:
            return None
        return post.view_args, next((value for name, value in post.fields if name == self._field), "")

    def forget(self) -> None:
        session.pop(self._session_key, None)

    def _resume(self, person: Person, view_args: dict[str, Any], fields: MultiDict[str, str]) -> str:
        address, typed = self._address(view_args), [(self._field, fields.get(self._field, ""))]
        session[self._session_key] = keep_for(person, self._endpoint, address, view_args, typed)
        return address


def _store() -> Any:
    return current_app.extensions["store"]
