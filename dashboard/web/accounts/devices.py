"""Recognize a browser that has signed in before, by a signed cookie. It opens nothing: it only cannot be locked out."""

from __future__ import annotations

import secrets

from flask import Response, current_app, request
from itsdangerous import BadSignature, URLSafeSerializer

from dashboard.services.accounts.sign_in_limits import Device

_SECONDS = 180 * 24 * 3600
#: Several people may share a machine; of more than so many the earliest are forgotten.
_MOST_PEOPLE = 20


def device_of_request() -> Device | None:
    """Return the browser that sent this request, if it has ever signed in."""
    device = _read()
    return Device(device[0], frozenset(device[1])) if device else None


def remember(response: Response, person_id: int) -> None:
    """Let the browser keep that this person has signed in with it."""
    device_id, people = _read() or (secrets.token_urlsafe(16), [])
    people = [*(each for each in people if each != person_id), person_id][-_MOST_PEOPLE:]
    secure = current_app.config["SESSION_COOKIE_SECURE"]
    response.set_cookie(
        _name(),
        str(_signer().dumps([device_id, people])),
        max_age=_SECONDS,
        secure=secure,
        httponly=True,
        samesite="Lax",
    )


def _read() -> tuple[str, list[int]] | None:
    try:
        device_id, people = _signer().loads(request.cookies.get(_name(), ""))
    except (BadSignature, ValueError, TypeError):
        return None
    return device_id, people


def _signer() -> URLSafeSerializer:
    return URLSafeSerializer(current_app.config["SECRET_KEY"], salt="device that has signed in")


def _name() -> str:
    return f"{current_app.config['SESSION_COOKIE_NAME']}-device"
