"""Guard every request, and add the security headers to every answer."""

from __future__ import annotations

import hmac

from flask import Flask, Response, abort, current_app, g, request
from flask_login import current_user
from flask_wtf.csrf import CSRFProtect, validate_csrf
from wtforms import ValidationError

from dashboard.settings import Settings
from dashboard.store.engine import commits
from dashboard.web.shared.access import OPEN, SECRET_ADDRESSES, TOKEN, least_role
from dashboard.web.shared.request_args import RowId, refuse_nul
from dashboard.web.shared.request_bodies import MOST_FIELDS, refuse_odd_bodies

_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "object-src 'none'",
    )
)
_NOT_USED = ("accelerometer", "autoplay", "camera", "display-capture", "geolocation", "gyroscope", "microphone")
_PERMISSIONS = ", ".join(
    [f"{name}=()" for name in (*_NOT_USED, "midi", "payment", "usb")]
    + [f"{name}=(self)" for name in ("clipboard-read", "clipboard-write")]
)
HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": _PERMISSIONS,
}
_FOR_MACHINES = "The bearer token, or an administrator who is signed in, may read this.\n"
STRICT_TRANSPORT = "max-age=31536000; includeSubDomains"


def configure(app: Flask, settings: Settings) -> None:
    """Set cookies, limits and hosts in the configuration of Flask."""
    secure = not settings.insecure_cookies
    app.url_map.converters["int"] = RowId  # Every number in an address is the id of a row.
    largest = settings.max_request_kb * 1024
    app.config.update(
        SECRET_KEY=settings.secret_key,
        TIMEZONE=settings.timezone.key,
        SESSION_COOKIE_NAME="__Host-dashboard" if secure else "dashboard",
        SESSION_COOKIE_SECURE=secure,
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_PATH="/",
        PERMANENT_SESSION_LIFETIME=settings.session_lifetime,
        TRUSTED_HOSTS=list(settings.trusted_hosts),
        MAX_CONTENT_LENGTH=largest,
        MAX_FORM_MEMORY_SIZE=largest,
        MAX_FORM_PARTS=MOST_FIELDS,
        WTF_CSRF_TIME_LIMIT=None,
        # Sec-Fetch-Site tells where a form comes from; a browser without Referer could not sign in.
        WTF_CSRF_SSL_STRICT=False,
        # Labels and messages are ours, and translated by us; the library would read its own catalogue for every form.
        WTF_I18N_ENABLED=False,
    )


def init_security(app: Flask, settings: Settings) -> None:
    """Add the hooks in this order: same site, body, no NUL, guard, CSRF. The guard saves forms, so it precedes CSRF."""

    def add_headers(response: Response) -> Response:
        for name, value in HEADERS.items():
            response.headers[name] = value
        if request.endpoint in SECRET_ADDRESSES:
            response.headers["Referrer-Policy"] = "no-referrer"
        if not settings.insecure_cookies:
            response.headers["Strict-Transport-Security"] = STRICT_TRANSPORT
        # Static files say how long they may be kept; a download of a library's making must not say so by itself.
        if request.endpoint != "static" or "Cache-Control" not in response.headers:
            response.headers["Cache-Control"] = "no-store"
        return response

    app.after_request(add_headers)
    app.before_request(_refuse_other_sites)
    app.before_request(refuse_odd_bodies)
    app.before_request(refuse_nul)
    app.before_request(_guard)
    CSRFProtect(app)
    app.before_request(_note_commits)


def _note_commits() -> None:
    # What the view itself has saved, should the database refuse in the middle of it.
    g.commits_before = commits()


def comes_from_us() -> bool:
    """Return whether the browser reports that our page sent this request; over plain HTTP it does not report."""
    return request.headers.get("Sec-Fetch-Site") == "same-origin"


def has_valid_token() -> bool:
    """Return whether the form or the header carries a valid CSRF token."""
    try:
        validate_csrf(request.form.get("csrf_token") or request.headers.get("X-CSRFToken"))
    except ValidationError:
        return False
    return True


def _has_bearer_token() -> bool:
    """Return whether the request carries the bearer token of the settings; never when there is none."""
    expected, given = current_app.extensions["settings"].metrics_token, request.authorization
    if not expected or given is None or given.type != "bearer" or not given.token:
        return False
    return hmac.compare_digest(given.token.encode(), expected.encode())


def _refuse_other_sites() -> None:
    if request.routing_exception is not None or request.method in _SAFE_METHODS:
        return
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
        g.cross_site = True
        abort(403)


def _guard() -> Response | None:
    # That an address or a method does not exist may be answered to anybody: it discloses nothing.
    if request.routing_exception is not None or request.endpoint is None or request.endpoint in OPEN:
        return None
    if request.endpoint in TOKEN and _has_bearer_token():
        return None
    if not current_user.is_authenticated:
        if request.endpoint in TOKEN:
            return Response(_FOR_MACHINES, 401, {"WWW-Authenticate": "Bearer"}, mimetype="text/plain")
        answer: Response = current_app.login_manager.unauthorized()  # type: ignore[attr-defined]  # Flask-Login's.
        return answer
    if not current_user.may_open(request.endpoint):
        g.needed_role = least_role(request.endpoint)
        abort(403)
    return None
