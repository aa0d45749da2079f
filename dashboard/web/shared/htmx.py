"""Answer requests of htmx. No other module knows `htmx_flask`.

It adds `request.htmx`. Its own response helper refuses half of the swap styles, so headers are set here.

A request asks for a region, which it swaps in by itself, or, by a link or a form of the page, for a page without its
document (`wants_page_in_place`). A redirect is answered with the page that it leads to, in the same answer, so that no
document is loaded and no second request is made; only to leave the application (sign-in, a download) the browser goes.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Mapping
from io import BytesIO
from typing import Any, ParamSpec
from urllib.parse import unquote, urlsplit

from flask import Flask, Response, current_app, make_response, redirect, render_template, request, url_for
from flask.ctx import RequestContext
from flask.globals import request_ctx
from flask.typing import ResponseReturnValue
from htmx_flask import Htmx
from htmx_flask import request as htmx_request
from markupsafe import escape

from dashboard.web.shared import menu, toasts
from dashboard.web.shared.access import POLLS

NOTICES = "#notices"
MAIN = "#main"
#: Replaces the content of a page; another address begins at its top.
_SAME_PLACE, _FROM_THE_TOP = "outerHTML", "outerHTML show:window:top"
#: Marks the request for what a form's redirect leads to.
_FOLLOWS_FORM = "dashboard.follows_form"
#: A redirect to a redirect is followed, this often at most.
_MOST_HOPS = 3
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
#: A form that goes on to another address is sent there by the browser, before htmx hears of an answer.
_SENT_ON = frozenset({307, 308})
#: Where a session begins or ends, the document is loaded anew: it carries the token of the session.
_LEAVING = ("/sign-in", "/sign-out")
P = ParamSpec("P")


def init_htmx(app: Flask) -> None:
    Htmx(app)
    app.after_request(_stay_on_the_page)
    app.jinja_env.globals.update(in_place=is_htmx)


class Region(Response):
    """A part of a page, which htmx swaps in where it was asked for."""


def is_htmx() -> bool:
    """Return whether htmx sends the request, for a region or for a page without its document."""
    return bool(htmx_request.htmx)


def wants_region() -> bool:
    """Return whether the request is for a region instead of a page."""
    asked = htmx_request.htmx
    return bool(asked) and not asked.history_restore_request and not asked.boosted


def targets(region_id: str) -> bool:
    """Return whether the answer is swapped into the region with this id."""
    return wants_region() and htmx_request.htmx.target == region_id


def wants_page_in_place() -> bool:
    """Return whether the request is for a page without its document: by a link, a form, or Back."""
    return is_htmx() and not wants_region()


def puts_into(region_id: str) -> bool:
    """Return whether the answer takes the place of the element of this id, and not of the page."""
    asked = htmx_request.htmx
    return bool(asked) and not asked.history_restore_request and asked.target == region_id


def is_on(address: str) -> bool:
    """Return whether scripts show the page of this address now, so that an answer may change a part of it alone."""
    return is_htmx() and _path_of(current_path() or "") == _path_of(address)


def follows_form() -> bool:
    """Return whether this answers a form: at once, or with what its redirect leads to."""
    return request.method == "POST" or bool(request.environ.get(_FOLLOWS_FORM))


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
            if wants_region():
                return view(*args, **kwargs)
            arguments: dict[str, Any] = {**(request.view_args or {}), **query()}
            return redirect(url_for(page, **arguments), 303)

        return answer

    return wrap


def region(
    template: str,
    status: int = 200,
    *,
    checked: dict[str, Any] | None = None,
    announce: str = "",
    stale: str = "",
    page_title: str = "",
    counted: bool = False,
    **context: Any,
) -> Response:
    """Answer with one region. `checked` is the event of a live region (see `live.checked_event`), `announce` is said to
    people who do not see the change, and `stale` names another region of the page, which then fetches itself again.
    `page_title` is the title of the page from now on. `counted`: the counts of the menu go along, because what another
    tab did may have changed them.
    """
    title = f"<title>{escape(page_title)}</title>" if page_title else ""
    counts = menu.render_counts() if counted else ""
    response = Region(f"{title}{render_template(template, **context)}{counts}", status)
    events: dict[str, Any] = {"checked": checked} if checked else {}
    if announce:
        events["announce"] = {"words": str(announce)}
    if stale:
        events["stale"] = {"target": f"#{stale}"}
    if events:
        response.headers["HX-Trigger"] = json.dumps(events)
    target = htmx_request.htmx.target
    if status >= 400 and target:  # Otherwise it would be shown among the notices.
        response.headers.update({"HX-Retarget": f"#{target}", "HX-Reswap": _SAME_PLACE})
    return vary(response)


def unchanged(checked: dict[str, Any]) -> Response:
    """Answer that the region on the page is still true: nothing is swapped, and the event brings its age up to date."""
    response = Region(status=204)
    response.headers["HX-Trigger"] = json.dumps({"checked": checked})
    return vary(response)


def region_at(region_id: str, response: Response) -> Response:
    """Swap a region in at its id, whatever was asked for and whatever its status; the address stays."""
    response.headers.update({"HX-Retarget": f"#{region_id}", "HX-Reswap": "outerHTML", "HX-Push-Url": "false"})
    return response


def at_address(address: str, response: Response) -> Response:
    """Answer a form that was refused with the page of another address, where a reload shows it again."""
    response.headers["HX-Push-Url"] = address
    return response


def notice(body: str, status: int) -> Response:
    """Answer with a notice; the rest of the page stays as it is, and so does its address."""
    response = Region(body, status)
    response.headers.update({"HX-Retarget": NOTICES, "HX-Reswap": "innerHTML", "HX-Push-Url": "false"})
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


def _stay_on_the_page(response: Response) -> Response:
    """Answer htmx with what comes next, in place of the page that is shown."""
    if response.status_code in _REDIRECTS:
        vary(response)
    if not is_htmx() or "HX-Redirect" in response.headers:
        return response
    if response.status_code in _SENT_ON and request.method != "GET":
        return response
    if _is_undone_from_elsewhere(response):  # They stay where they are.
        return _with_what_stays(_nothing_but_toasts())
    address = request.full_path.removesuffix("?") if request.method == "GET" else None
    for _ in range(_MOST_HOPS):
        if response.status_code not in _REDIRECTS:
            break
        address = response.headers["Location"]
        if not _is_page_of_ours(address) or request.path.startswith(_LEAVING):
            return redirect_page(address)
        response = _answer_of(address)
    if response.status_code in _REDIRECTS or _is_download(response):
        return redirect_page(address or request.path)
    if isinstance(response, Region):
        if request.method != "GET" and address is not None:
            response.headers["HX-Push-Url"] = address
        return _with_what_stays(response)
    return _in_place_of_the_page(response, address)


def _with_what_stays(region: Response) -> Response:
    """Add what stands outside of the page to a region: the waiting toasts and, after a change, the counts of the menu.

    A poll gets no toast, because it may be of another tab; what waits is the same in all of them.
    """
    if region.status_code not in (200, 422):
        return region
    is_poll = request.endpoint in POLLS
    added = "" if is_poll else toasts.render_for_region()
    if is_poll or request.method == "POST":
        added += menu.render_counts()
    if added:
        region.set_data(region.get_data(as_text=True) + added)
    return region


def _is_undone_from_elsewhere(response: Response) -> bool:
    """Return whether somebody undoes, from a toast, what they did on a page that they have left."""
    is_undo = htmx_request.htmx.trigger_name == "undo" and request.method == "POST"
    return (
        is_undo
        and response.status_code in _REDIRECTS
        and _path_of(response.headers["Location"]) != _path_of(current_path() or "")
    )


def _nothing_but_toasts() -> Response:
    response = Region("")
    response.headers.update({"HX-Reswap": "none", "HX-Push-Url": "false"})
    return vary(response)


def _in_place_of_the_page(response: Response, address: str | None) -> Response:
    """Put a page in place of the one that is shown. `address` is None for a form that was refused: it stays there."""
    vary(response)
    if response.status_code == 204:
        return response
    if htmx_request.htmx.history_restore_request:
        if address is not None and _path_of(address) != request.path:
            response.headers["HX-Replace-Url"] = address
        return response
    address = response.headers.get("HX-Push-Url", address)
    is_same = address is not None and _path_of(address) == _path_of(current_path() or "")
    response.headers["HX-Retarget"] = MAIN
    response.headers["HX-Reswap"] = _SAME_PLACE if is_same else _FROM_THE_TOP
    if address == current_path():
        response.headers["HX-Replace-Url"] = address or "false"
    else:
        response.headers["HX-Push-Url"] = address or "false"
    return response


def _answer_of(address: str) -> Response:
    """Run the view of an address of ours within this request: same person, same session, messages included."""
    parts = urlsplit(address)
    environ = {
        **{name: value for name, value in request.environ.items() if not name.startswith("werkzeug.")},
        **{"REQUEST_METHOD": "GET", "PATH_INFO": unquote(parts.path), "QUERY_STRING": parts.query},
        **{"CONTENT_LENGTH": "0", "CONTENT_TYPE": "", "wsgi.input": BytesIO(), _FOLLOWS_FORM: follows_form()},
    }
    app: Flask = current_app._get_current_object()  # type: ignore[attr-defined]  # Of the proxy.
    with RequestContext(app, environ, session=request_ctx.session):
        try:
            answer = app.preprocess_request()
            answer = app.dispatch_request() if answer is None else answer
        except Exception as error:
            answer = app.handle_user_exception(error)
        return app.make_response(answer)


def _is_page_of_ours(address: str) -> bool:
    parts = urlsplit(address)
    return not parts.netloc and parts.path.startswith("/") and not parts.path.startswith(_LEAVING)


def _is_download(response: Response) -> bool:
    return response.status_code == 200 and response.mimetype not in ("text/html", "text/plain")


def _path_of(address: str) -> str:
    return urlsplit(address).path
