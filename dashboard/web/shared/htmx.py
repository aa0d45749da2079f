"""The one module that knows htmx on the server. (`htmx_flask` adds `request.htmx`; its own response helper refuses
half of the swap styles, so headers are set here.)"""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import urlsplit

from flask import Flask, Response, make_response, render_template, request
from htmx_flask import Htmx
from htmx_flask import request as htmx_request

NOTICES = "#notices"


def init_htmx(app: Flask) -> None:
    Htmx(app)
    app.after_request(_redirect_the_page)


def is_htmx() -> bool:
    """True for a request that wants a region and not a page."""
    asked = htmx_request.htmx
    return bool(asked) and not asked.history_restore_request and not asked.boosted


def current_path() -> str | None:
    """Path and query of the page that an htmx request came from, as the browser says; the caller judges them."""
    parts = urlsplit(htmx_request.htmx.current_url or "")
    if parts.netloc and parts.netloc != request.host:
        return None
    return (parts.path + (f"?{parts.query}" if parts.query else "")) or None


def region(template: str, status: int = 200, *, told: dict[str, Any] | None = None, **context: Any) -> Response:
    """One region, alone, for a request of htmx; what is `told` of a check rides along (see `unchanged`)."""
    response = make_response(render_template(template, **context), status)
    return vary(_checked(response, told) if told else response)


def unchanged(at: str, **told: Any) -> Response:
    """The region that the page shows is still true: nothing is swapped, its age starts anew, at `at`.

    `told` may hold the present by our clock (`now`), the seconds until the next poll (`pace`), what it is to send as
    `seen`, and marks of the regions that follow this one (`parts`).
    """
    return vary(_checked(make_response("", 204), {"at": at, **told}))


def _checked(response: Response, told: dict[str, Any]) -> Response:
    response.headers["HX-Trigger"] = json.dumps({"checked": told})
    return response


def notice(body: str, status: int) -> Response:
    """A notice beside what the page shows, which stays as it is."""
    response = make_response(body, status)
    response.headers["HX-Retarget"] = NOTICES
    response.headers["HX-Reswap"] = "innerHTML"
    return vary(response)


def redirect_page(address: str, status: int = 204) -> Response:
    """Send the whole page elsewhere."""
    response = make_response("", status)
    response.headers["HX-Redirect"] = address
    return vary(response)


def vary(response: Response) -> Response:
    """Note that another answer goes to those who ask without htmx, so that no cache mixes them up."""
    response.vary.add("HX-Request")
    return response


def _redirect_the_page(response: Response) -> Response:
    # A 303 would be followed by the browser inside the request of htmx, and a page would land in a region.
    if response.status_code not in (302, 303):
        return response
    vary(response)
    if is_htmx():
        response.headers["HX-Redirect"] = response.headers.pop("Location")
        response.status_code = 204
        response.set_data(b"")
        response.headers.pop("Content-Type", None)
    return response
