"""Every request gets an id, which stands in each of its log lines, in the audit log and in the answer."""

from __future__ import annotations

import secrets

from flask import Flask, Response, g, request

from dashboard import logs
from dashboard.services.audit import Origin


def init_request_ids(app: Flask) -> None:
    app.before_request(_begin)
    app.after_request(_tell)


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
        found = g.request_id = secrets.token_hex(8)
        logs.request_id.set(found)
    return found


def _begin() -> None:
    current_id()


def _tell(response: Response) -> Response:
    response.headers["X-Request-Id"] = current_id()
    return response
