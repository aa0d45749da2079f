"""Define the forms of creation: the review's, and the reason of a release."""

from __future__ import annotations

import secrets

from flask_wtf import FlaskForm
from wtforms import HiddenField, StringField, TextAreaField
from wtforms.validators import Length, ValidationError

from dashboard.domain.links import MAX_HOURS, MIN_HOURS
from dashboard.web.creation import texts
from dashboard.web.shared.languages import lazy

#: How many hours a button proposes.
PRESETS = (24, 48, 72, 168)


def is_hours(typed: str) -> bool:
    """Return whether a text is a number of hours that a link may live."""
    return typed.isascii() and typed.isdigit() and len(typed) <= 3 and MIN_HOURS <= int(typed) <= MAX_HOURS


class CreateLinkForm(FlaskForm):  # type: ignore[misc]  # Flask-WTF is not typed.
    hours = StringField(lazy("Expires after (hours)"), description=texts.HOURS)
    request_key = HiddenField(validators=[Length(min=16, max=64)])

    @classmethod
    def drawn(cls, hours: str) -> CreateLinkForm:
        """Draw a form with a new request key (128 random bits): sent more than once, it creates one link at most."""
        form = cls(formdata=None, data={"hours": hours, "request_key": secrets.token_hex(16)})
        if not is_hours(hours):
            form.hours.errors = [texts.HOURS]
        return form

    def validate_hours(self, field: StringField) -> None:
        field.data = (field.data or "").strip()
        if not is_hours(field.data):
            raise ValidationError(texts.HOURS)


class ReleaseClaimsForm(FlaskForm):  # type: ignore[misc]  # Flask-WTF is not typed.
    reason = TextAreaField(lazy("Reason"))
