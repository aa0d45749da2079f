"""Restore a form whose session had expired: save its fields, let its person sign in, and never submit it.

Each route whose form takes work declares how the form resumes: `@resumes` with a function that returns
the address where the fields are shown again, or `resumes_on_its_own_page` for the page that shows any saved form.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from flask import request, session, url_for
from flask_wtf.csrf import generate_csrf

from dashboard.store.accounts.saved_forms import SavedForm
from dashboard.web.shared.current import current_services, person_id

#: Returns what a form is about and the address of its page, from the arguments of the form's address.
Subject = Callable[[Mapping[str, str]], tuple[str, str] | None]
Address = Callable[[SavedForm], str]

#: Keys of saved forms in the session: the one to resume after sign-in, and the one that its person has yet to submit.
_TO_RESUME, _WAITING = "saved_form", "waiting_form"


@dataclass(frozen=True, slots=True)
class Resumption:
    """Resume a form at `address`. A form that `waits` stays saved until its person submits or discards it.

    A form that waits holds free text, which only its author may see. It is saved only when the expired session
    identifies its author. `fields` returns what is saved where that is more than the fields of the form.
    """

    address: Address
    waits: bool = False
    fields: Callable[[], list[tuple[str, str]]] | None = None


@dataclass(frozen=True, slots=True)
class Description:
    """Describe a saved form for its page: a title, the labels of its fields, and its subject."""

    title: str
    labels: Mapping[str, str]
    subject: Subject


@dataclass(frozen=True, slots=True)
class SentForm:
    """The form of a request that could not be saved, to be sent again: `shown` by their labels, `fields` by name."""

    address: str
    token: str
    shown: tuple[tuple[str, str], ...]
    fields: tuple[tuple[str, str], ...]


#: By endpoint.
RESUMPTIONS: dict[str, Resumption] = {}
DESCRIPTIONS: dict[str, Description] = {}


def resumes(
    *endpoints: str, waits: bool = False, fields: Callable[[], list[tuple[str, str]]] | None = None
) -> Callable[[Address], Address]:
    """Declare that the decorated function returns the address on which a form of these endpoints resumes."""

    def declare(address: Address) -> Address:
        RESUMPTIONS.update(dict.fromkeys(endpoints, Resumption(address, waits, fields)))
        return address

    return declare


def resumes_on_its_own_page(
    endpoint: str, title: str, labels: Mapping[str, str], subject: Subject = lambda _view_args: None
) -> None:
    """Declare that a form of this endpoint waits on the page of saved forms."""
    RESUMPTIONS[endpoint] = Resumption(lambda _form: url_for("accounts.saved_form"), waits=True)
    DESCRIPTIONS[endpoint] = Description(title, labels, subject)


def save(sender_id: int | None) -> bool:
    """Save the form of this request, if it resumes; `sender_id` is whose session it was, if that is known."""
    endpoint = request.endpoint or ""
    resumption = RESUMPTIONS.get(endpoint)
    if resumption is None or (resumption.waits and sender_id is None):
        return False
    view_args = {name: str(value) for name, value in (request.view_args or {}).items()}
    fields = (resumption.fields or _fields)()
    key = current_services().saved_forms.save(endpoint, view_args, fields, sender_id)
    if key is not None:
        session[_TO_RESUME] = key
    return key is not None


def sent_again() -> SentForm | None:
    """Return the form of this request, to be sent to the same address; None where a password was part of it."""
    if any("password" in name.lower() for name in request.form):
        return None
    fields = tuple(_fields())
    description = DESCRIPTIONS.get(request.endpoint or "")
    labels = description.labels if description else {}
    shown = tuple((labels[name], value) for name, value in fields if name in labels and value.strip())
    return SentForm(request.full_path.removesuffix("?"), generate_csrf(), shown, fields)


def key_to_resume() -> str | None:
    """Return what `resume` needs; read it before sign-in clears the session."""
    return _key(_TO_RESUME)


def resume(key: str | None) -> str | None:
    """Return the address where the signed-in person goes on with the form saved under a key."""
    form = current_services().saved_forms.find(key, person_id()) if key else None
    resumption = RESUMPTIONS.get(form.endpoint) if form else None
    if form is None or resumption is None:
        return None
    if resumption.waits:
        wait_for(form.key)
    else:
        current_services().saved_forms.take(form.key, person_id())
    return resumption.address(form)


def resume_now() -> str | None:
    """Resume the form of this request, which the signed-in person sent from a page of an earlier session."""
    return resume(session.pop(_TO_RESUME)) if save(person_id()) else None


def wait_for(key: str | None) -> None:
    """Let the session show the form saved under a key, until it is submitted or discarded."""
    session[_WAITING] = key


def waiting(*endpoints: str) -> SavedForm | None:
    """Return the form that waits in this session, when it is of one of these endpoints."""
    key = _key(_WAITING)
    form = current_services().saved_forms.find(key, person_id()) if key else None
    return form if form is not None and form.endpoint in endpoints else None


def discard(*endpoints: str) -> None:
    """Delete the form that waits in this session, when it is of one of these endpoints."""
    if (form := waiting(*endpoints)) is not None:
        current_services().saved_forms.take(form.key, person_id())
        session.pop(_WAITING)


def _key(name: str) -> str | None:
    found = session.get(name)
    return found if isinstance(found, str) else None


def _fields() -> list[tuple[str, str]]:
    """Return the form's fields, without token and passwords."""
    fields = request.form.items(multi=True)
    return [(name, value) for name, value in fields if name != "csrf_token" and "password" not in name.lower()]
