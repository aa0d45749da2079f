"""Serve single sign-on: the way to the provider, and the way back from it."""

from __future__ import annotations

import hmac
import secrets

from flask import redirect, request, session, url_for
from flask.typing import ResponseReturnValue

from dashboard.services.accounts.single_sign_on import SingleSignOn, SingleSignOnRefused
from dashboard.web.accounts import texts
from dashboard.web.accounts.current import current_single_sign_on
from dashboard.web.accounts.routes import bp, redirect_into
from dashboard.web.shared.errors import SIGN_IN_NOTICE
from dashboard.web.shared.redirects import own_page
from dashboard.web.shared.request_id import request_origin

#: Where the session keeps what the answer of the provider must fit.
_ASKED = "single_sign_on"
_LONGEST = 4000
#: Seconds within which the answer has to come.
_TIME_TO_ANSWER = 600


@bp.get("/sign-in/provider")
def ask_provider() -> ResponseReturnValue:
    """Send the browser to the provider; what comes back must bear the same state and nonce."""
    service = current_single_sign_on()
    if service is None:
        return redirect(url_for("accounts.sign_in"), 303)
    asked = {name: secrets.token_urlsafe(32) for name in ("state", "nonce", "verifier")}
    try:
        address = service.address(_callback(), **asked)
    except SingleSignOnRefused as refused:
        return _back(texts.SINGLE_SIGN_ON_PROBLEMS[refused.problem])
    session[_ASKED] = {**asked, "at": service.people.clock().timestamp(), "next": own_page(request.args.get("next"))}
    return redirect(address, 302)


@bp.get("/sign-in/provider/answer")
def provider_answered() -> ResponseReturnValue:
    """Begin the session of whom the provider vouches for. Each answer is heard once."""
    service, asked = current_single_sign_on(), session.pop(_ASKED, None)
    state, code = request.args.get("state", ""), request.args.get("code", "")
    if service is None:
        return redirect(url_for("accounts.sign_in"), 303)
    is_in_time = bool(asked) and service.people.clock().timestamp() - asked["at"] <= _TIME_TO_ANSWER
    if not is_in_time or not _is_same(state, asked["state"]):
        return _back(texts.ANSWER_NOT_ASKED_FOR)
    if not code or len(code) > _LONGEST:
        return _back(texts.PROVIDER_REFUSED)
    once = {name: asked[name] for name in ("nonce", "verifier")}
    try:
        token = service.sign_in(code, _callback(), **once, origin=request_origin())
    except SingleSignOnRefused as refused:
        return _back(texts.SINGLE_SIGN_ON_PROBLEMS[refused.problem])
    return redirect_into(token, own_page(asked["next"]))


def _is_same(given: str, expected: str) -> bool:
    return hmac.compare_digest(given.encode("utf-8", "replace"), expected.encode())


def _back(words: str) -> ResponseReturnValue:
    session[SIGN_IN_NOTICE] = str(words)
    return redirect(url_for("accounts.sign_in"), 303)


def _callback() -> str:
    return url_for("accounts.provider_answered", _external=True)


def single_sign_on() -> SingleSignOn:
    """Return the service; the settings see to it that there is one where no passwords are taken."""
    service = current_single_sign_on()
    assert service is not None
    return service
