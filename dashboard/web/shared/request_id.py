"""Give every request an id: it is in each of its log lines, in the audit log and in the answer."""

from __future__ import annotations

import re
import secrets
from uuid import UUID

from flask import Flask, Response, current_app, g, request

from dashboard import log_context
from dashboard.services.accounts.audit import Origin

#: An id that a proxy may give: short enough for the audit log, and without characters that have a meaning in logs.
_PLAIN = re.compile(r"[A-Za-z0-9_-]{1,32}")
_UUID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
#: Argument of an address -> field of the log.
_SUBJECTS = {"link_id": "link_id", "request_id": "intent_id"}


def init_request_ids(app: Flask) -> None:
    app.before_request(_begin)
    app.after_request(_add_header)
    app.teardown_appcontext(_end)


def request_origin() -> Origin:
    """Return from where this request comes."""
    return Origin(
        address=request.remote_addr or "",
        user_agent=request.user_agent.string[:200],
        request_id=current_id(),
    )


def current_id() -> str:
    """Return the id of this request; the first call sets the log context."""
    found: str | None = g.get("request_id")
    if found is None:
        found = g.request_id = _given_id() or secrets.token_hex(8)
        log_context.begin(found, **_subjects())
    return found


def _given_id() -> str | None:
    """Return the id that our proxy gave the request, a UUID without its hyphens; ids from anybody else are ignored."""
    if not current_app.extensions["settings"].proxy_count:
        return None
    given = request.headers.get("X-Request-Id", "")
    if _UUID.fullmatch(given):
        return given.replace("-", "")
    return given if _PLAIN.fullmatch(given) else None


def _subjects() -> dict[str, str]:
    """Return the ids of the link and the intent in the address, as fields of the log."""
    named = (request.view_args or {}).items()
    return {_SUBJECTS[name]: str(value) for name, value in named if name in _SUBJECTS and isinstance(value, UUID)}


def _begin() -> None:
    current_id()


def _add_header(response: Response) -> Response:
    response.headers["X-Request-Id"] = current_id()
    return response


def _end(_error: BaseException | None) -> None:
    # The thread answers another request next.
    log_context.end()
