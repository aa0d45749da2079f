"""Serve invitations, to whoever holds the link: they set a password, once, and then sign in."""

from __future__ import annotations

from flask import redirect, render_template, session, url_for
from flask.typing import ResponseReturnValue

from dashboard.services.accounts.hashing_places import Busy
from dashboard.services.accounts.invitations import InvitationEnded
from dashboard.services.accounts.passwords import PasswordRefused
from dashboard.store.accounts.people import Person
from dashboard.web.accounts import refusals, texts
from dashboard.web.accounts.current import current_invitations
from dashboard.web.accounts.forms import NewPasswordForm
from dashboard.web.accounts.routes import bp
from dashboard.web.shared.current import settings
from dashboard.web.shared.errors import SIGN_IN_NOTICE, Way
from dashboard.web.shared.request_id import request_origin


@bp.get("/invitation/<token>")
def invitation(token: str) -> ResponseReturnValue:
    """Ask for a password. Nothing is used up: programs that preview links open them too."""
    try:
        person = _find(token)
    except InvitationEnded:
        return _over()
    return _page(token, person.name, person.email, NewPasswordForm(formdata=None)), 200


@bp.post("/invitation/<token>")
def accept_invitation(token: str) -> ResponseReturnValue:
    form = NewPasswordForm()
    try:
        person = _find(token)
        if not form.validate():
            return _page(token, person.name, person.email, form), 422
        current_invitations().accept(token, form.new_password.data, request_origin())
    except InvitationEnded:
        return _over()
    except PasswordRefused as refused:
        form.new_password.errors = [texts.refused(refused)]
        return _page(token, person.name, person.email, form), 422
    except Busy as waits:
        return refusals.answer(waits, lambda words: _page(token, person.name, person.email, form, words))
    session[SIGN_IN_NOTICE] = str(texts.PASSWORD_SET)
    return redirect(url_for("accounts.sign_in"), 303)


def _find(token: str) -> Person:
    """Return whom an invitation is for; nobody where no passwords are taken. Raises InvitationEnded."""
    if not settings().local_sign_in:
        raise InvitationEnded
    return current_invitations().find(token)


def _page(token: str, name: str, email: str, form: NewPasswordForm, notice: str | None = None) -> str:
    return render_template("accounts/invitation.html", token=token, name=name, email=email, form=form, notice=notice)


def _over() -> ResponseReturnValue:
    return render_template(
        "shared/error.html",
        title=texts.INVITATION_OVER_TITLE,
        text=texts.INVITATION_OVER_WORDS,
        status=404,
        ways=[Way(texts.TO_SIGN_IN, url_for("accounts.sign_in"))],
        place="",
        sent=None,
        finds=False,
    ), 404
