"""Define the form of sign-in."""

from __future__ import annotations

from flask_wtf import FlaskForm
from wtforms import HiddenField, PasswordField, StringField
from wtforms.validators import InputRequired, Length

from dashboard.domain.people import MAX_EMAIL
from dashboard.web.accounts import texts


class SignInForm(FlaskForm):  # type: ignore[misc]
    email = StringField("Email", [InputRequired(texts.NO_EMAIL), Length(max=MAX_EMAIL)])
    password = PasswordField("Password", [InputRequired(texts.NO_PASSWORD)])
    next = HiddenField()
