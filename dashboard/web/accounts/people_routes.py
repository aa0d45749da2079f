"""Serve the people, for administrators: the list, invitations, and the page of each."""

from __future__ import annotations

from flask import abort, redirect, url_for
from flask.typing import ResponseReturnValue
from flask_login import current_user

from dashboard.domain.roles import Role
from dashboard.services.accounts.people import PersonRefused
from dashboard.store.accounts.people import Person
from dashboard.web.accounts import texts
from dashboard.web.accounts.current import current_invitations, current_people, current_second_factors
from dashboard.web.accounts.forms import ChangeRoleForm, InvitePersonForm, RequiredRolesForm
from dashboard.web.accounts.people_page import invitation_link, people_page, person_page
from dashboard.web.accounts.routes import bp
from dashboard.web.accounts.single_sign_on_routes import single_sign_on
from dashboard.web.shared.current import person_id as own_id
from dashboard.web.shared.current import settings
from dashboard.web.shared.request_id import request_origin
from dashboard.web.shared.saved_forms import resumes_on_its_own_page
from dashboard.web.shared.texts import role_name
from dashboard.web.shared.toasts import Undo, notice, toast


@bp.get("/people")
def people() -> str:
    return people_page(InvitePersonForm(formdata=None))


@bp.post("/people")
def invite() -> ResponseReturnValue:
    """Add a person, and show the link by which they set their password: once, so in the answer itself.

    Where no passwords are taken there is no link.
    """
    form = InvitePersonForm()
    if not form.validate():
        return people_page(form), 422
    added = {"email": form.email.data, "name": form.name.data, "role": Role(form.role.data)}
    try:
        if not settings().local_sign_in:
            person = single_sign_on().add(**added, by=own_id(), origin=request_origin())
            toast(texts.PERSON_ADDED.format(name=person.name))
            return redirect(url_for("accounts.people"), 303)
        invited = current_invitations().invite(**added, by=own_id(), origin=request_origin())
    except PersonRefused as refused:
        form.email.errors = [texts.refused(refused)]
        return people_page(form), 422
    return people_page(InvitePersonForm(formdata=None), invitation_link(invited))


resumes_on_its_own_page("accounts.invite", texts.NEW_PERSON, texts.PERSON_LABELS)


@bp.get("/people/<int:person_id>")
def person(person_id: int) -> str:
    found = _find(person_id)
    return person_page(found, _role_form(found))


@bp.post("/people/<int:person_id>/role")
def change_role(person_id: int) -> ResponseReturnValue:
    found, form = _find(person_id), ChangeRoleForm()
    if not form.validate():
        return person_page(found, form), 422
    role = Role(form.role.data)
    if role is not found.role:
        try:
            current_people().set_role(found, role, by=own_id(), origin=request_origin())
        except PersonRefused as refused:
            return _refused(found, refused)
        toast(texts.ROLE_CHANGED.format(name=found.name, role=role_name(role)))
    return _back_to(found)


@bp.post("/people/<int:person_id>/disable")
def disable_person(person_id: int) -> ResponseReturnValue:
    found = _find(person_id)
    if found.disabled_at is None:
        try:
            current_people().disable(found, by=own_id(), origin=request_origin())
        except PersonRefused as refused:
            return _refused(found, refused)
        undo = Undo("accounts.enable_person", {"person_id": found.id})
        toast(texts.PERSON_DISABLED.format(name=found.name), undo=undo)
    return _back_to(found)


@bp.post("/people/<int:person_id>/enable")
def enable_person(person_id: int) -> ResponseReturnValue:
    found = _find(person_id)
    if found.disabled_at is not None:
        current_people().enable(found, by=own_id(), origin=request_origin())
        toast(texts.PERSON_ENABLED.format(name=found.name))
    return _back_to(found)


@bp.post("/people/<int:person_id>/sessions")
def end_sessions(person_id: int) -> ResponseReturnValue:
    found = _find(person_id)
    current_people().end_sessions(found, by=own_id(), origin=request_origin())
    toast(texts.SESSIONS_ENDED.format(name=found.name))
    return _back_to(found)


@bp.post("/people/<int:person_id>/invitation")
def send_invitation(person_id: int) -> ResponseReturnValue:
    """Void a lost password, and show a new link by which the person sets another."""
    found = _find(person_id)
    try:
        if found.id == own_id():
            raise PersonRefused(texts.NOT_YOURSELF)
        if not settings().local_sign_in:
            raise PersonRefused(texts.NO_PASSWORDS_TO_SET)
        invited = current_invitations().renew(found, by=own_id(), origin=request_origin())
    except PersonRefused as refused:
        return _refused(found, refused)
    found = _find(person_id)
    return person_page(found, _role_form(found), invitation_link(invited))


@bp.post("/people/<int:person_id>/second-factor")
def remove_second_factor(person_id: int) -> ResponseReturnValue:
    """Remove the second factor of somebody who has lost it."""
    found = _find(person_id)
    current_people().remove_second_factor(found, by=own_id(), origin=request_origin())
    toast(texts.FACTOR_REMOVED.format(name=found.name))
    return _back_to(found)


@bp.post("/people/second-factor")
def require_second_factor() -> ResponseReturnValue:
    """Require a second factor of the people of the ticked roles."""
    form = RequiredRolesForm()
    if form.validate():
        try:
            roles = [Role(role) for role in form.roles.data]
            by = current_user.session.person
            toast(texts.factor_required(current_second_factors().require(roles, by=by, origin=request_origin())))
        except PersonRefused as refused:
            notice(texts.refused(refused), "wrong")
    return redirect(url_for("accounts.people"), 303)


def _refused(found: Person, refused: PersonRefused) -> ResponseReturnValue:
    notice(texts.refused(refused), "wrong")
    return person_page(found, _role_form(found)), 409


def _back_to(found: Person) -> ResponseReturnValue:
    return redirect(url_for("accounts.person", person_id=found.id), 303)


def _role_form(found: Person) -> ChangeRoleForm:
    return ChangeRoleForm(formdata=None, data={"role": str(found.role)})


def _find(person_id: int) -> Person:
    return current_people().by_id(person_id) or abort(404)
