"""Validate the form for a driver."""

from __future__ import annotations

import re

from flask_wtf import FlaskForm
from wtforms import SelectField, StringField, TextAreaField
from wtforms.fields.choices import SelectChoice
from wtforms.validators import AnyOf, DataRequired, Length, ValidationError

from dashboard.domain.drivers import MAX_EMAIL, MAX_NAME, MAX_NOTE, MAX_PHONE, DriverDetails
from dashboard.domain.languages import LANGUAGES
from dashboard.domain.phones import InvalidPhone, international, shown
from dashboard.domain.registration import InvalidRegistration, normalize
from dashboard.store.sharing.drivers import Driver
from dashboard.web.shared.texts import NOT_OFFERED, REGISTRATION_PROBLEMS, at_most
from dashboard.web.sharing import texts
from dashboard.web.sharing.texts import DRIVER_LABELS

_LANGUAGES = [SelectChoice(each.code, each.name) for each in LANGUAGES.values()]
_EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")


class DriverForm(FlaskForm):  # type: ignore[misc]  # Flask-WTF has no types.
    name = StringField(DRIVER_LABELS["name"], [DataRequired(texts.NO_NAME), at_most(MAX_NAME)])
    phone = StringField(DRIVER_LABELS["phone"])
    email = StringField(DRIVER_LABELS["email"])
    language = SelectField(
        DRIVER_LABELS["language"], [AnyOf(list(LANGUAGES), NOT_OFFERED)], choices=_LANGUAGES, validate_choice=False
    )
    vehicles = StringField(DRIVER_LABELS["vehicles"])
    note = TextAreaField(DRIVER_LABELS["note"], [Length(max=MAX_NOTE, message=texts.DRIVER_NOTE_TOO_LONG)])

    #: Another driver, who has the phone number that was typed.
    taken: Driver | None = None

    def phone_is_of(self, driver: Driver) -> None:
        """Refuse the phone number, as it is that of another driver."""
        self.taken = driver
        self.phone.errors = [texts.phone_taken(shown(driver.phone or ""), driver.name)]

    def validate_phone(self, field: StringField) -> None:
        """Accept a number as people write it, with or without its country, or none."""
        typed = (field.data or "").strip()
        if len(typed) > MAX_PHONE:
            raise ValidationError(texts.PHONE_TOO_LONG)
        try:
            if typed:
                international(typed)
        except InvalidPhone:
            raise ValidationError(texts.NOT_A_PHONE) from None

    def validate_email(self, field: StringField) -> None:
        if field.data and not (len(field.data) <= MAX_EMAIL and _EMAIL.fullmatch(field.data.strip())):
            raise ValidationError(texts.NOT_AN_EMAIL)

    def validate_vehicles(self, field: StringField) -> None:
        try:
            self._vehicles()
        except InvalidRegistration as invalid:
            words = REGISTRATION_PROBLEMS[invalid.problem]
            raise ValidationError(f"{words} {texts.SEVERAL_VEHICLES}") from None

    def details(self, language: str | None = None) -> DriverDetails:
        """Return what was typed, in a chosen language if one is given; an empty field is None.

        Raises InvalidRegistration unless the form is valid.
        """
        return DriverDetails(
            name=" ".join(self.name.data.split()),
            phone=(self.phone.data or "").strip() or None,
            email=(self.email.data or "").strip() or None,
            language=self.language.data if language is None else language,
            note=(self.note.data or "").strip() or None,
            vehicles=self._vehicles(),
        )

    def _vehicles(self) -> tuple[str, ...]:
        return tuple(normalize(part) for part in (self.vehicles.data or "").split(",") if part.strip())
