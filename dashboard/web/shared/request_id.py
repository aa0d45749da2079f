"""Every request gets an id, which stands in each of its log lines, in the audit log and in the answer."""

from __future__ import annotations

import re
import secrets
from uuid import UUID

from flask import Flask, Response, current_app, g, request

from dashboard import log_context
from dashboard.services.accounts.audit import Origin

#: An id that a proxy gave: short enough for the audit log, and nothing in it that could be taken for something else.
_PLAIN = re.compile(r"[A-Za-z0-9_-]{1,32}")
_UUID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
#: What the log calls the things that addresses name.
_SUBJECTS = {"link_id": "link_id", "request_id": "intent_id"}


def init_request_ids(app: Flask) -> None:
    app.before_request(_begin)
    app.after_request(_tell)
    app.teardown_request(_end)


def request_origin() -> Origin:
    """From where the present request comes."""
    return Origin(
        address=request.remote_addr or "",
        user_agent=request.user_agent.string[:200],
        request_id=current_id(),
    )


def current_id() -> str:
    found: str | None = g.get("request_id")
    if found is None:
        found = g.request_id = _given_id() or secrets.token_hex(8)
        log_context.begin(found, **_subjects())
    return found


def _given_id() -> str | None:
    """The id that a proxy of ours gave the request; nobody else is believed. A UUID is taken without its hyphens."""
    if not current_app.extensions["settings"].proxy_count:
        return None
    given = request.headers.get("X-Request-Id", "")
    if _UUID.fullmatch(given):
        return given.replace("-", "")
    return given if _PLAIN.fullmatch(given) else None


def _subjects() -> dict[str, str]:
    """The links and requests that the address names; a UUID is a UUID whoever typed it."""
    named = (request.view_args or {}).items()
    return {_SUBJECTS[name]: str(value) for name, value in named if name in _SUBJECTS and isinstance(value, UUID)}


def _begin() -> None:
    current_id()


def _tell(response: Response) -> Response:
    response.headers["X-Request-Id"] = current_id()
    return response


def _end(_error: BaseException | None) -> None:
    # The thread goes on to answer somebody else.
    log_context.end()
