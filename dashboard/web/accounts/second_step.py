"""Keep, between a right password and its code, where a sign-in has come to; saved forms wait meanwhile."""

from __future__ import annotations

from flask import redirect, session, url_for
from flask.typing import ResponseReturnValue

from dashboard.services.accounts.second_factors import StepEnded
from dashboard.web.accounts.current import current_second_factors
from dashboard.web.shared.redirects import own_page

_STEP, _NEXT = "second_step", "second_step_next"


def begin(token: str, next_page: str | None) -> ResponseReturnValue:
    """Ask for the code; an app that the person's role requires is drawn up first."""
    try:
        person, _ = current_second_factors().step(token)
    except StepEnded:
        return redirect(url_for("accounts.sign_in"), 303)
    current_second_factors().begin_for_step(person)
    session[_STEP], session[_NEXT] = token, next_page
    return redirect(url_for("accounts.second_step"), 303)


def token() -> str:
    """Return the token of the step that this browser has come to; "" when it has come to none."""
    found = session.get(_STEP)
    return found if isinstance(found, str) else ""


def next_page() -> str | None:
    """Return the page that the person was going to."""
    found = session.get(_NEXT)
    return own_page(found) if isinstance(found, str) else None
