"""Serve the second step of a sign-in: the code of an app, or the app's own setting up where a role requires it."""

from __future__ import annotations

from flask import Response, make_response, redirect, render_template, session, url_for
from flask.typing import ResponseReturnValue
from flask_login import current_user

from dashboard.services.accounts.people import TooManyTries
from dashboard.services.accounts.second_factors import Setup, StepEnded, WrongCode, shown
from dashboard.web.accounts import devices, refusals, second_step, texts
from dashboard.web.accounts.current import current_second_factors
from dashboard.web.accounts.forms import CodeForm
from dashboard.web.accounts.routes import bp, enter, redirect_into
from dashboard.web.shared.current import settings
from dashboard.web.shared.errors import SIGN_IN_NOTICE
from dashboard.web.shared.request_id import request_origin


@bp.get("/sign-in/code", endpoint="second_step")
def ask_for_code() -> ResponseReturnValue:
    try:
        _, setup = current_second_factors().step(second_step.token())
    except StepEnded:
        return redirect(url_for("accounts.sign_in"), 303)
    return _page(CodeForm(formdata=None), setup)


@bp.post("/sign-in/code")
def enter_code() -> ResponseReturnValue:
    if not settings().local_sign_in:  # The step followed a password.
        return redirect(url_for("accounts.sign_in"), 303)
    form, token = CodeForm(), second_step.token()
    setup: Setup | None = None
    try:
        _, setup = current_second_factors().step(token)
        if not form.validate():
            return _page(form, setup), 422
        device = devices.device_of_request()
        entered = current_second_factors().finish(token, form.code.data, request_origin(), device)
    except StepEnded:
        session[SIGN_IN_NOTICE] = str(texts.STEP_ENDED)
        return redirect(url_for("accounts.sign_in"), 303)
    except WrongCode:
        form.code.errors = [texts.WRONG_CODE]
        return _page(form, setup), 422
    except TooManyTries as refused:
        return refusals.answer(refused, lambda words: _page(form, setup, words))
    next_page = second_step.next_page()
    if not entered.codes:
        return redirect_into(entered.token, next_page)
    # Shown before anything else, because they are shown once.
    address = enter(entered.token, next_page)
    response: Response = make_response(codes_page(entered.codes, address))
    devices.remember(response, current_user.id)
    return response


def codes_page(codes: tuple[str, ...], next_address: str) -> str:
    """Render recovery codes, once."""
    return render_template("accounts/recovery_codes.html", codes=[shown(each) for each in codes], next=next_address)


def _page(form: CodeForm, setup: Setup | None, notice: str | None = None) -> str:
    return render_template("accounts/second_step.html", form=form, setup=setup, notice=notice)
