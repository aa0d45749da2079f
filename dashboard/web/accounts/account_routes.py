"""Serve everybody's own account: password, second factor, sessions, language and keys."""

from __future__ import annotations

from datetime import timedelta
from typing import cast

from flask import redirect, render_template, url_for
from flask.typing import ResponseReturnValue
from flask_login import current_user

from dashboard.services.accounts.hashing_places import Busy
from dashboard.services.accounts.passwords import PasswordRefused
from dashboard.services.accounts.people import PersonRefused, TooManyTries, WrongPassword
from dashboard.services.accounts.second_factors import WrongCode
from dashboard.store.accounts.people import Person
from dashboard.web.accounts import devices, refusals, texts
from dashboard.web.accounts.current import current_people, current_second_factors
from dashboard.web.accounts.forms import ChangePasswordForm, CodeForm, ConfirmPasswordForm
from dashboard.web.accounts.people_page import session_rows
from dashboard.web.accounts.routes import bp, go_on_as
from dashboard.web.accounts.second_step_routes import codes_page
from dashboard.web.shared.current import settings
from dashboard.web.shared.request_id import request_origin
from dashboard.web.shared.texts import ROLES
from dashboard.web.shared.toasts import notice, toast


@bp.get("/account")
def account() -> str:
    return _account_page(ChangePasswordForm(formdata=None))


@bp.post("/account/password")
def change_password() -> ResponseReturnValue:
    if not settings().local_sign_in:
        return redirect(url_for("accounts.account"), 303)
    form = ChangePasswordForm()
    if not form.validate():
        return _account_page(form), 422
    current, new = form.current_password.data, form.new_password.data
    try:
        device = devices.device_of_request()
        token = current_people().change_own_password(current_user.session, current, new, request_origin(), device)
    except WrongPassword:
        form.current_password.errors = [texts.CURRENT_PASSWORD_WRONG]
        return _account_page(form), 422
    except PasswordRefused as refused:
        form.new_password.errors = [texts.refused(refused)]
        return _account_page(form), 422
    except (TooManyTries, Busy) as waits:
        return refusals.answer(waits, lambda words: _account_page(form, words))
    go_on_as(token)
    toast(texts.PASSWORD_CHANGED)
    return redirect(url_for("accounts.account"), 303)


@bp.post("/account/sessions")
def end_other_sessions() -> ResponseReturnValue:
    current_people().end_other_sessions(current_user.session, request_origin())
    toast(texts.SIGNED_OUT_ELSEWHERE)
    return redirect(url_for("accounts.account"), 303)


@bp.post("/account/sessions/<int:session_id>")
def end_own_session(session_id: int) -> ResponseReturnValue:
    """Sign out of one other browser."""
    places = session_rows(current_people().living_sessions(_person().id))
    browser = next((each.browser for each in places if each.id == session_id), "")
    if current_people().end_own_session(current_user.session, session_id, request_origin()):
        toast(texts.SIGNED_OUT_THERE.format(browser=browser))
    else:
        toast(texts.ALREADY_SIGNED_OUT)
    return redirect(url_for("accounts.account"), 303)


@bp.get("/account/second-factor")
def second_factor() -> str:
    return _factor_page(ConfirmPasswordForm(formdata=None))


@bp.post("/account/second-factor")
def set_up_second_factor() -> ResponseReturnValue:
    """Draw a secret for an app, once the person has entered their password again."""
    return _with_password("set up")


@bp.post("/account/second-factor/codes")
def renew_recovery_codes() -> ResponseReturnValue:
    return _with_password("codes")


@bp.post("/account/second-factor/off")
def turn_off_second_factor() -> ResponseReturnValue:
    return _with_password("off")


def _with_password(act: str) -> ResponseReturnValue:
    form = ConfirmPasswordForm()
    if not form.validate():
        return _factor_page(form), 422
    try:
        current_people().confirm_password(_person(), form.password.data, request_origin(), devices.device_of_request())
    except WrongPassword:
        form.password.errors = [texts.CURRENT_PASSWORD_WRONG]
        return _factor_page(form), 422
    except (TooManyTries, Busy) as waits:
        return refusals.answer(waits, lambda words: _factor_page(form, words))
    here = url_for("accounts.second_factor")
    if act == "codes" and current_second_factors().state(_person()).enabled_at is not None:
        return codes_page(current_second_factors().renew_codes(_person(), request_origin()), here)
    if act == "set up":
        current_second_factors().begin(_person())
        return redirect(url_for("accounts.confirm_second_factor"), 303)
    if act == "off":
        try:
            current_second_factors().turn_off(_person(), request_origin())
            toast(texts.FACTOR_OFF)
        except PersonRefused as refused:
            notice(texts.refused(refused), "wrong")
    return redirect(here, 303)


@bp.get("/account/second-factor/app")
def confirm_second_factor() -> ResponseReturnValue:
    """Show the QR code of the app that is being set up."""
    return _app_page(CodeForm(formdata=None))


@bp.post("/account/second-factor/app")
def enable_second_factor() -> ResponseReturnValue:
    form = CodeForm()
    if not form.validate():
        return _app_page(form, 422)
    try:
        session_id = current_user.session.id
        codes = current_second_factors().confirm(
            _person(), form.code.data, session_id=session_id, origin=request_origin()
        )
    except WrongCode:
        form.code.errors = [texts.WRONG_CODE]
        return _app_page(form, 422)
    return codes_page(codes, url_for("accounts.account"))


def _app_page(form: CodeForm, status: int = 200) -> ResponseReturnValue:
    setup = current_second_factors().pending(_person())
    if setup is None:
        return redirect(url_for("accounts.second_factor"), 303)
    return render_template("accounts/second_factor_app.html", form=form, setup=setup), status


def _account_page(form: ChangePasswordForm, notice: str | None = None) -> str:
    return render_template(
        "accounts/account.html",
        form=form,
        notice=notice,
        email=_person().email,
        role=ROLES[_person().role],
        has_password=_person().has_password and settings().local_sign_in,
        factor=current_second_factors().state(_person()),
        sessions=session_rows(current_people().living_sessions(_person().id)),
        idle_minutes=settings().session_idle // timedelta(minutes=1),
        longest_hours=settings().session_lifetime // timedelta(hours=1),
        keys_on=current_user.uses_keys,
    )


def _factor_page(form: ConfirmPasswordForm, notice: str | None = None) -> str:
    state = current_second_factors().state(_person())
    return render_template("accounts/second_factor.html", form=form, notice=notice, factor=state)


def _person() -> Person:
    return cast(Person, current_user.session.person)
