"""Provide the forms that the templates need, without a CSRF token and with few choices."""

from __future__ import annotations

from wtforms import EmailField, Form, HiddenField, PasswordField, SelectField, StringField, TextAreaField
from wtforms.fields.choices import SelectChoice

from dashboard.domain.languages import LANGUAGES


class SearchForm(Form):
    doubt = None
    unlikely = ""
    why = "This vehicle is new here. Its first search also needs the RC type and the city."
    rc_number = StringField("RC number")
    rc_type = SelectField(
        "RC type",
        choices=[SelectChoice("", "Choose a type"), SelectChoice("TRUCK", "Truck"), SelectChoice("LEASE", "Lease")],
    )
    city_id = SelectField(
        "City",
        choices=[
            SelectChoice("", "Choose a city"),
            SelectChoice("a", "Pune, Maharashtra, Depot 1"),
            SelectChoice("b", "Pune, Maharashtra, Head office"),
        ],
    )


class ReviewForm(Form):
    hours = StringField("Expires after (hours)")
    request_key = HiddenField()


class NoteForm(Form):
    note = TextAreaField(
        "What was done about it",
        description="At least 10 characters. It is shown here with your name, and the banner closes.",
    )
    newest = HiddenField()


class SignInForm(Form):
    email = EmailField("Email")
    password = PasswordField("Password")
    next = HiddenField()


_ROLES = [SelectChoice("staff", "Staff"), SelectChoice("manager", "Manager"), SelectChoice("admin", "Administrator")]


class InvitePersonForm(Form):
    name = StringField("Name")
    email = EmailField("Email")
    role = SelectField("Role", choices=_ROLES)


class ChangeRoleForm(Form):
    role = SelectField("Role", choices=_ROLES)


class NewPasswordForm(Form):
    new_password = PasswordField("New password")
    repeat_password = PasswordField("Repeat password")


class ChangePasswordForm(Form):
    current_password = PasswordField("Current password")
    new_password = PasswordField("New password")


class ConfirmPasswordForm(Form):
    password = PasswordField("Your password")


class CodeForm(Form):
    code = StringField("Code")


class DriverForm(Form):
    name = StringField("Name")
    phone = StringField("Phone")
    email = StringField("E-mail")
    language = SelectField("Language", choices=[SelectChoice(each.code, each.name) for each in LANGUAGES.values()])
    vehicles = StringField("Usual vehicles")
    note = TextAreaField("Note")


class RecordCheckForm(Form):
    outcome = SelectField(
        "Result", choices=[SelectChoice("", "Choose…"), SelectChoice("holds", "It holds"), SelectChoice("fails", "No")]
    )
    note = TextAreaField("What you saw")


class ReasonForm(Form):
    reason = TextAreaField("Reason")


def search_form(number: str = "", error: str = "") -> SearchForm:
    form = SearchForm(data={"rc_number": number})
    if error:
        form.rc_number.errors = [error]
    return form


def review_form(hours: str = "48", error: str = "") -> ReviewForm:
    form = ReviewForm(data={"hours": hours, "request_key": "k" * 32})
    if error:
        form.hours.errors = [error]
    return form


def check_form(code: str, note: str = "", error: str = "") -> RecordCheckForm:
    form = RecordCheckForm(data={"note": note})
    for field in form:
        field.id = f"{code}-{field.name}"
    if error:
        form.outcome.errors = [error]
    return form


def reason_form(typed: str = "", error: str = "") -> ReasonForm:
    form = ReasonForm(data={"reason": typed})
    if error:
        form.reason.errors = [error]
    return form
