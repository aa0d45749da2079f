"""The form for a driver."""

from __future__ import annotations

import re

from flask_wtf import FlaskForm
from wtforms import SelectField, StringField, TextAreaField
from wtforms.fields.choices import SelectChoice
from wtforms.validators import DataRequired, Length, ValidationError

from dashboard.domain.messages import LANGUAGES
from dashboard.domain.phones import InvalidPhone, international
from dashboard.domain.registration import InvalidRegistration, normalize

_LANGUAGES = [SelectChoice(each.code, each.name) for each in LANGUAGES.values()]
_LONGEST_PHONE = 20
_EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")


#: The fields of a driver, as people read them.
DRIVER_LABELS = {
    "name": "Name",
    "phone": "Phone",
    "email": "E-mail",
    "language": "Language",
    "vehicles": "Usual vehicles",
    "note": "Note",
}


class DriverForm(FlaskForm):  # type: ignore[misc]
    name = StringField(DRIVER_LABELS["name"], [DataRequired("Enter the driver’s name."), Length(max=100)])
    phone = StringField(DRIVER_LABELS["phone"])
    email = StringField(DRIVER_LABELS["email"])
    language = SelectField(DRIVER_LABELS["language"], choices=_LANGUAGES)
    vehicles = StringField(DRIVER_LABELS["vehicles"])
    note = TextAreaField(DRIVER_LABELS["note"], [Length(max=500, message="A note has at most 500 letters.")])

    def validate_phone(self, field: StringField) -> None:
        """A number as people write it, with its country or without; an empty one is none."""
        typed = (field.data or "").strip()
        if len(typed) > _LONGEST_PHONE:
            raise ValidationError(f"A phone number has at most {_LONGEST_PHONE} characters, blanks included.")
        try:
            if typed:
                international(typed)
        except InvalidPhone:
            raise ValidationError("Enter ten digits, or a number with its country such as +91 98765 43210.") from None

    def validate_email(self, field: StringField) -> None:
        if field.data and not (len(field.data) <= 254 and _EMAIL.fullmatch(field.data.strip())):
            raise ValidationError("Enter an e-mail address such as ramesh@fleet.example.")

    def validate_vehicles(self, field: StringField) -> None:
        try:
            self.rcs()
        except InvalidRegistration as problem:
            raise ValidationError(f"{problem} Several numbers are parted by commas.") from None

    def rcs(self) -> list[str]:
        """The usual vehicles, normalized. Raises InvalidRegistration."""
        return [normalize(part) for part in (self.vehicles.data or "").split(",") if part.strip()]

    def values(self) -> dict[str, str | None]:
        """The other fields, as they are kept."""
        texts = {name: (getattr(self, name).data or "").strip() or None for name in ("phone", "email", "note")}
        return texts | {"name": " ".join(self.name.data.split()), "language": self.language.data}
