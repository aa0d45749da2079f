"""The form of the review: how long the link is to live, for which challans, under which key."""

from __future__ import annotations

import secrets

from flask_wtf import FlaskForm
from wtforms import HiddenField, StringField
from wtforms.validators import Length, ValidationError

from dashboard.web.creation.review_page import is_hours

_HOURS_WORDS = "Enter a whole number of hours from 24 to 168."


class CreateLinkForm(FlaskForm):  # type: ignore[misc]
    hours = StringField("Expires after (hours)")
    request_key = HiddenField(validators=[Length(min=16, max=64)])

    @classmethod
    def drawn(cls, hours: str) -> CreateLinkForm:
        """A form with a key of its own (128 random bits): however often it is sent, it creates at most once."""
        form = cls(formdata=None, data={"hours": hours, "request_key": secrets.token_hex(16)})
        if not is_hours(hours):
            form.hours.errors = [_HOURS_WORDS]
        return form

    def validate_hours(self, field: StringField) -> None:
        field.data = (field.data or "").strip()
        if not is_hours(field.data):
            raise ValidationError(_HOURS_WORDS)
