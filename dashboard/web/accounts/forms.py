"""Define the forms of sign-in, of people and of invitations."""

from __future__ import annotations

from flask_wtf import FlaskForm
from wtforms import HiddenField, PasswordField, SelectField, SelectMultipleField, StringField
from wtforms.fields.choices import SelectChoice
from wtforms.validators import AnyOf, DataRequired, InputRequired, ValidationError

from dashboard.domain.people import MAX_EMAIL, MAX_NAME
from dashboard.domain.roles import Role
from dashboard.web.accounts import texts
from dashboard.web.shared.languages import lazy
from dashboard.web.shared.texts import NOT_OFFERED, ROLES, at_most

#: The most letters of a code, with what people type around it.
MAX_CODE = 64


class SignInForm(FlaskForm):  # type: ignore[misc]  # Flask-WTF has no types.
    email = StringField(lazy("Email"), [InputRequired(texts.NO_EMAIL), at_most(MAX_EMAIL)])
    password = PasswordField(lazy("Password"), [InputRequired(texts.NO_PASSWORD)])
    next = HiddenField()


def _role_field() -> SelectField:
    choices = [SelectChoice(str(role), ROLES[role]) for role in Role]
    # Of its own check WTForms speaks English.
    return SelectField(lazy("Role"), [AnyOf(list(Role), NOT_OFFERED)], choices=choices, validate_choice=False)


class InvitePersonForm(FlaskForm):  # type: ignore[misc]  # Flask-WTF has no types.
    name = StringField(lazy("Name"), [DataRequired(texts.NO_NAME), at_most(MAX_NAME)])
    email = StringField(lazy("Email"), [DataRequired(texts.NO_EMAIL_OF_OTHER), at_most(MAX_EMAIL)])
    role = _role_field()


class ChangeRoleForm(FlaskForm):  # type: ignore[misc]  # Flask-WTF has no types.
    role = _role_field()


class NewPasswordForm(FlaskForm):  # type: ignore[misc]  # Flask-WTF has no types.
    new_password = PasswordField(lazy("New password"), [InputRequired(texts.NO_NEW_PASSWORD)])
    repeat_password = PasswordField(lazy("Repeat password"), [InputRequired(texts.NO_REPEATED_PASSWORD)])

    def validate_repeat_password(self, field: PasswordField) -> None:
        if field.data != self.new_password.data:
            raise ValidationError(texts.PASSWORDS_DIFFER)


class ChangePasswordForm(FlaskForm):  # type: ignore[misc]  # Flask-WTF has no types.
    current_password = PasswordField(lazy("Current password"), [InputRequired(texts.NO_CURRENT_PASSWORD)])
    new_password = PasswordField(lazy("New password"), [InputRequired(texts.NO_NEW_PASSWORD)])


class ConfirmPasswordForm(FlaskForm):  # type: ignore[misc]  # Flask-WTF has no types.
    password = PasswordField(lazy("Your password"), [InputRequired(texts.NO_PASSWORD)])


class CodeForm(FlaskForm):  # type: ignore[misc]  # Flask-WTF has no types.
    code = StringField(lazy("Code"), [DataRequired(texts.NO_CODE), at_most(MAX_CODE)])


class RequiredRolesForm(FlaskForm):  # type: ignore[misc]  # Flask-WTF has no types.
    roles = SelectMultipleField(lazy("Roles"), choices=[SelectChoice(str(role), ROLES[role]) for role in Role])
