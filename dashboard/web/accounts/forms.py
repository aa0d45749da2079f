"""Define the forms of sign-in, of people and of invitations."""

from __future__ import annotations

from flask_wtf import FlaskForm
from wtforms import HiddenField, PasswordField, SelectField, SelectMultipleField, StringField
from wtforms.fields.choices import SelectChoice
from wtforms.validators import DataRequired, InputRequired, Length, ValidationError

from dashboard.domain.people import MAX_EMAIL, MAX_NAME
from dashboard.domain.roles import Role
from dashboard.web.accounts import texts
from dashboard.web.shared.languages import lazy
from dashboard.web.shared.texts import ROLES


class SignInForm(FlaskForm):  # type: ignore[misc]
    email = StringField(lazy("Email"), [InputRequired(texts.NO_EMAIL), Length(max=MAX_EMAIL)])
    password = PasswordField(lazy("Password"), [InputRequired(texts.NO_PASSWORD)])
    next = HiddenField()


def _role_field() -> SelectField:
    return SelectField(lazy("Role"), choices=[SelectChoice(str(role), ROLES[role]) for role in Role])


class InvitePersonForm(FlaskForm):  # type: ignore[misc]
    name = StringField(lazy("Name"), [DataRequired(texts.NO_NAME), Length(max=MAX_NAME)])
    email = StringField(lazy("Email"), [DataRequired(texts.NO_EMAIL_OF_OTHER), Length(max=MAX_EMAIL)])
    role = _role_field()


class ChangeRoleForm(FlaskForm):  # type: ignore[misc]
    role = _role_field()


class NewPasswordForm(FlaskForm):  # type: ignore[misc]
    new_password = PasswordField(lazy("New password"), [InputRequired(texts.NO_NEW_PASSWORD)])
    repeat_password = PasswordField(lazy("Repeat password"), [InputRequired(texts.NO_REPEATED_PASSWORD)])

    def validate_repeat_password(self, field: PasswordField) -> None:
        if field.data != self.new_password.data:
            raise ValidationError(texts.PASSWORDS_DIFFER)


class ChangePasswordForm(FlaskForm):  # type: ignore[misc]
    current_password = PasswordField(lazy("Current password"), [InputRequired(texts.NO_CURRENT_PASSWORD)])
    new_password = PasswordField(lazy("New password"), [InputRequired(texts.NO_NEW_PASSWORD)])


class ConfirmPasswordForm(FlaskForm):  # type: ignore[misc]
    password = PasswordField(lazy("Your password"), [InputRequired(texts.NO_PASSWORD)])


class CodeForm(FlaskForm):  # type: ignore[misc]
    code = StringField(lazy("Code"), [DataRequired(texts.NO_CODE), Length(max=64)])


class RequiredRolesForm(FlaskForm):  # type: ignore[misc]
    roles = SelectMultipleField(lazy("Roles"), choices=[SelectChoice(str(role), ROLES[role]) for role in Role])
