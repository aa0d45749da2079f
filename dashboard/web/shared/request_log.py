"""Log a line for each request, by the name of its route, because an address may hold typed text."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

from flask import Flask, Response, g, request

from dashboard.web.shared.access import POLLS
from dashboard.web.shared.current import known_person_id

log = logging.getLogger(__name__)

#: Called with endpoint, status and seconds of each answer.
Observer = Callable[[str, int, float], None]

#: Requested by pages and machines again and again.
_QUIET = POLLS | {"static", "operations.healthz", "operations.readyz"}
_NONE = "none"


def init_request_log(app: Flask, observer: Observer) -> None:
    def log_answer(response: Response) -> Response:
        seconds = time.monotonic() - g.pop("began", time.monotonic())
        endpoint = request.endpoint or _NONE
        _log(endpoint, response.status_code, seconds)
        try:
            observer(endpoint, response.status_code, seconds)
        except Exception:  # A failing metric must not turn a created link into an error.
            log.exception("the observer of requests failed")
        return response

    app.before_request(_begin)
    app.after_request(log_answer)


def _begin() -> None:
    # A redirect that is answered with its page begins a second time within the same request.
    g.setdefault("began", time.monotonic())


def _log(endpoint: str, status: int, seconds: float) -> None:
    level = logging.WARNING if status >= 500 else logging.DEBUG if endpoint in _QUIET else logging.INFO
    fields = {"method": request.method, "endpoint": endpoint, "status": status, "ms": round(seconds * 1000, 1)}
    log.log(
        level,
        "%s %s: %d (%.0f ms)",
        *fields.values(),
        extra={**fields, "person_id": known_person_id()},
    )
