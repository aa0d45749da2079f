"""The forms of signing in."""

from __future__ import annotations

from flask_wtf import FlaskForm
from wtforms import HiddenField, PasswordField, StringField
from wtforms.validators import InputRequired, Length


class SignInForm(FlaskForm):  # type: ignore[misc]
    email = StringField("Email", [InputRequired("Enter your email address."), Length(max=254)])
    password = PasswordField("Password", [InputRequired("Enter your password.")])
    next = HiddenField()
