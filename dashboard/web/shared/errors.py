"""Turn every failure into a page, or into a notice on the page for htmx."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from flask import Flask, Response, current_app, g, make_response, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue
from flask_login import current_user
from flask_wtf.csrf import CSRFError
from sqlalchemy.exc import SQLAlchemyError
from werkzeug.exceptions import HTTPException, SecurityError

from dashboard.domain.registration import InvalidRegistration
from dashboard.domain.roles import Role
from dashboard.errors import ServiceError
from dashboard.services.creation.commands import NotRecorded
from dashboard.store.accounts import people
from dashboard.store.engine import commits
from dashboard.store.refusals import refusal_of
from dashboard.web.shared import error_page_texts as texts
from dashboard.web.shared import htmx, saved_forms
from dashboard.web.shared.current import current_services
from dashboard.web.shared.error_texts import NOT_RECORDED, explain, explain_refusal, retry_after, status_of, store_retry
from dashboard.web.shared.redirects import own_page
from dashboard.web.shared.request_args import NulTyped
from dashboard.web.shared.request_id import current_id
from dashboard.web.shared.saved_forms import SentForm

__all__ = ["SIGN_IN_NOTICE", "explain", "init_errors", "retry_after", "status_of"]

log = logging.getLogger(__name__)

#: The endpoint whose click creates a link.
_CREATES = {"creation.create"}
#: Where the session keeps what the page of sign-in says.
SIGN_IN_NOTICE = "sign_in_notice"

#: A failure after which the same click may succeed.
_MAY_PASS = (429, 500, 502, 503, 504)
#: What is not at this address may be in the section that the address begins with.
_NOT_THERE = (404, 405)
#: The most administrators that a page names.
_MOST_NAMED = 3
#: How much of an address that leads nowhere is shown.
_MOST_SHOWN = 120


@dataclass(frozen=True, slots=True)
class Way:
    """Lead on from an error page."""

    words: str
    address: str


def init_errors(app: Flask) -> None:
    app.register_error_handler(ServiceError, _service_error)
    app.register_error_handler(NotRecorded, _not_recorded)
    app.register_error_handler(InvalidRegistration, lambda _error: _answer(404, *texts.at_status(404)))
    app.register_error_handler(CSRFError, _csrf_error)
    app.register_error_handler(SecurityError, _foreign_host)
    app.register_error_handler(NulTyped, lambda _error: _answer(400, *texts.NUL_TYPED))
    app.register_error_handler(HTTPException, _http_error)
    app.register_error_handler(SQLAlchemyError, _store_error)
    app.register_error_handler(Exception, _unexpected)


def _service_error(error: ServiceError) -> ResponseReturnValue:
    log.warning("%s", error)
    answer = _answer(status_of(error), *explain(error))
    answer.headers.update(retry_after(error))
    return answer


def _not_recorded(error: NotRecorded) -> ResponseReturnValue:
    """Answer a creation whose outcome the database refused to record; say what is known even if more fails."""
    title, text = NOT_RECORDED[error.link_id is not None]
    address = url_for("creation.request_page", request_id=error.intent_id)
    return _answer(503, title, f"{text} {texts.request_page(address)}")


def _store_error(error: SQLAlchemyError) -> ResponseReturnValue:
    """Answer for a database that refuses, with what was typed; any other error of it is a fault of ours."""
    refusal = refusal_of(error)
    if refusal is None:
        return _unexpected(error)
    log.error("the database refuses (%s) in %s %s: %s", refusal, request.method, request.endpoint, type(error).__name__)
    writes = request.method == "POST"
    saved = commits() > g.get("commits_before", commits())
    title, text = explain_refusal(refusal, writes=writes, saved=saved, creates=request.endpoint in _CREATES)
    answer = _answer(503, title, text, saved_forms.sent_again() if writes else None)
    answer.headers["Retry-After"] = str(store_retry(refusal))
    return answer


def _http_error(error: HTTPException) -> ResponseReturnValue:
    status = error.code or 500
    if error.response is not None or status < 400:
        return error.get_response()
    title, text = texts.at_status(status)
    if status == 403:
        title, text = _forbidden()
    if status == 404 and (missing := _missing()):
        title = missing[0]
    answer = _answer(status, title, text)
    allowed = getattr(error, "valid_methods", None)
    if allowed:
        answer.headers["Allow"] = ", ".join(sorted(allowed))
    return answer


def _missing() -> tuple[str, str, str] | None:
    """Return what the address of this request names, with the way to its list; None for any other address."""
    missing = texts.MISSING.get(request.endpoint or "")
    return missing if missing and current_user.is_authenticated and current_user.may_open(missing[2]) else None


def _forbidden() -> tuple[str, str]:
    needed = g.get("needed_role")
    if needed is None:
        return texts.OTHER_SITE
    with current_services().store.read() as connection:
        everybody = people.everybody(connection)
    administrators = [each.name for each in everybody if each.role is Role.ADMIN and each.disabled_at is None]
    return texts.forbidden(needed, current_user.name, current_user.role, administrators[:_MOST_NAMED])


def _csrf_error(_error: CSRFError) -> ResponseReturnValue:
    """Answer a form from before the latest sign-in (in another tab, say): do nothing, but save its fields."""
    is_ours = current_user.is_authenticated and request.headers.get("Sec-Fetch-Site") == "same-origin"
    if is_ours and (address := saved_forms.resume_now()):
        return redirect(address, 303)
    if request.endpoint == "accounts.sign_in":
        session[SIGN_IN_NOTICE] = str(texts.SIGN_IN_AGAIN)
        return redirect(url_for("accounts.sign_in", next=own_page(request.form.get("next"))), 303)
    return _answer(400, *texts.OLD_PAGE)


def _foreign_host(_error: SecurityError) -> ResponseReturnValue:
    # No address can be built for a host that is not trusted, so not in the layout.
    return _plain(400, *texts.FOREIGN_HOST)


def _unexpected(_error: Exception) -> ResponseReturnValue:
    log.exception("unhandled error in %s %s", request.method, request.endpoint)
    title, text = texts.fault(current_id())
    try:
        return _answer(500, title, text)
    except Exception:
        # The layout itself fails when the store cannot return the signed-in person.
        log.exception("the error page failed as well")
        return _plain(500, title, text)


def _wants_notice() -> bool:
    # A form that fails stays as it is, with all that was typed.
    return htmx.wants_region() or (htmx.is_htmx() and request.method != "GET")


def _answer(status: int, title: str, text: str, sent: SentForm | None = None) -> Response:
    """Answer with a notice or a page; `sent` is the form of this request, to be sent again."""
    try:
        if _wants_notice():
            return htmx.notice(render_template("shared/_notice.html", title=title, text=text), status)
        section = _section()
        is_nowhere = status == 404 and request.url_rule is None
        finds = is_nowhere or (status == 404 and request.endpoint in texts.FOUND_BY_PART)
        if is_nowhere and current_user.is_authenticated:
            text = texts.nothing_at(request.path[:_MOST_SHOWN])
        page = render_template(
            "shared/error.html",
            status=status,
            title=title,
            text=text,
            ways=_ways(status, section),
            place=section.place if section else "",
            sent=sent,
            finds=finds and current_user.is_authenticated,
        )
        return htmx.vary(make_response(page, status))
    except SQLAlchemyError:
        # The layout itself fails when the store cannot return the signed-in person.
        log.exception("the page itself could not be drawn")
        return _plain(status, title, text, sent)


def _section() -> texts.Section | None:
    """Return the section that the address of this request belongs to, if this person may open it."""
    section = texts.SECTIONS.get(request.path.split("/")[1])
    return section if section and current_user.is_authenticated and current_user.may_open(section.endpoint) else None


def _ways(status: int, section: texts.Section | None) -> list[Way]:
    """Return where to go from here, the likeliest first."""
    if not current_user.is_authenticated:
        return [Way(texts.SIGN_IN, url_for("accounts.sign_in"))]
    ways = []
    here = own_page(request.full_path.removesuffix("?"))
    if request.method in ("GET", "HEAD") and here and status in _MAY_PASS:
        ways.append(Way(texts.TRY_AGAIN, here))
    if (came_from := _page_before()) and came_from != here:
        ways.append(Way(texts.GO_BACK, came_from))
    list_of_it = (missing := _missing()) and Way(missing[1], url_for(missing[2]))
    if status == 404 and list_of_it:
        ways.append(list_of_it)
    elif section and status in _NOT_THERE and url_for(section.endpoint) not in (here, came_from):
        ways.append(Way(texts.go_to(section), url_for(section.endpoint)))
    else:
        ways.append(Way(texts.SEARCH, url_for("home.index")))
    if status in (502, 503, 504) and current_user.may_open("operations.index"):
        ways.append(Way(texts.SERVICE_STATUS, url_for("operations.index")))
    return ways


def _page_before() -> str | None:
    """Return the page of ours that this request was sent from."""
    referrer = request.referrer or ""
    return own_page(f"/{referrer.removeprefix(request.host_url)}") if referrer.startswith(request.host_url) else None


def _plain(status: int, title: str, text: str, sent: SentForm | None = None) -> Response:
    if _wants_notice():
        template = current_app.jinja_env.get_template("shared/_notice.html")
        return htmx.notice(template.render(title=title, text=text), status)
    # Without the values that every page gets: one of them may be what fails.
    template = current_app.jinja_env.get_template("shared/plain_error.html")
    return make_response(template.render(title=title, text=text, sent=sent), status)
