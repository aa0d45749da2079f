"""Answer requests of htmx. No other module knows `htmx_flask`.

It adds `request.htmx`. Its own response helper refuses half of the swap styles, so headers are set here.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Mapping
from typing import Any, ParamSpec
from urllib.parse import urlsplit

from flask import Flask, Response, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from htmx_flask import Htmx
from htmx_flask import request as htmx_request

NOTICES = "#notices"
P = ParamSpec("P")


def init_htmx(app: Flask) -> None:
    Htmx(app)
    app.after_request(_redirect_the_page)


def is_htmx() -> bool:
    """Return whether the request is for a region instead of a page."""
    asked = htmx_request.htmx
    return bool(asked) and not asked.history_restore_request and not asked.boosted


def current_path() -> str | None:
    """Return path and query of the page that an htmx request came from. The browser says so: check them before use."""
    parts = urlsplit(htmx_request.htmx.current_url or "")
    if parts.netloc and parts.netloc != request.host:
        return None
    return (parts.path + (f"?{parts.query}" if parts.query else "")) or None


def region_of(
    page: str, query: Callable[[], Mapping[str, Any]] = dict
) -> Callable[[Callable[P, ResponseReturnValue]], Callable[P, ResponseReturnValue]]:
    """Serve the decorated view to htmx alone; anybody else is redirected to `page`, the endpoint of the whole page.

    That has the same arguments in its address, and those that `query` returns.
    """

    def wrap(view: Callable[P, ResponseReturnValue]) -> Callable[P, ResponseReturnValue]:
        @functools.wraps(view)
        def answer(*args: P.args, **kwargs: P.kwargs) -> ResponseReturnValue:
            if is_htmx():
                return view(*args, **kwargs)
            arguments: dict[str, Any] = {**(request.view_args or {}), **query()}
            return redirect(url_for(page, **arguments), 303)

        return answer

    return wrap


def region(template: str, status: int = 200, *, checked: dict[str, Any] | None = None, **context: Any) -> Response:
    """Answer with one region; `checked` is the event of a live region (see `live.checked_event`)."""
    response = make_response(render_template(template, **context), status)
    return vary(_with_event(response, checked) if checked else response)


def unchanged(checked: dict[str, Any]) -> Response:
    """Answer that the region on the page is still true: nothing is swapped, and the event brings its age up to date."""
    return vary(_with_event(make_response("", 204), checked))


def _with_event(response: Response, checked: dict[str, Any]) -> Response:
    response.headers["HX-Trigger"] = json.dumps({"checked": checked})
    return response


def notice(body: str, status: int) -> Response:
    """Answer with a notice; the rest of the page stays as it is."""
    response = make_response(body, status)
    response.headers["HX-Retarget"] = NOTICES
    response.headers["HX-Reswap"] = "innerHTML"
    return vary(response)


def redirect_page(address: str, status: int = 204) -> Response:
    """Send the whole page to another address."""
    response = make_response("", status)
    response.headers["HX-Redirect"] = address
    return vary(response)


def vary(response: Response) -> Response:
    """Name the header that the answer depends on, so that no cache gives a region to a plain request."""
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
