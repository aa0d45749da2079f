"""The form of whoever takes note of an alarm: what was done about it, in words."""

from __future__ import annotations

from flask_wtf import FlaskForm
from wtforms import HiddenField, StringField, TextAreaField
from wtforms.validators import ValidationError

from dashboard.services.links.duplicates import MAX_NOTE, MIN_NOTE


class NoteAlarmForm(FlaskForm):  # type: ignore[misc]
    note = TextAreaField("What was done about it")
    newest = HiddenField()

    @classmethod
    def drawn(cls, newest: int, note: str = "") -> NoteAlarmForm:
        """A form for the alarm of this number; another one since then must be read first."""
        return cls(formdata=None, data={"note": note, "newest": str(newest)})

    def validate_note(self, field: StringField) -> None:
        field.data = (field.data or "").strip()
        if not MIN_NOTE <= len(field.data) <= MAX_NOTE:
            said = f"Write at least {MIN_NOTE} and at most {MAX_NOTE} characters: who was told, what was done."
            raise ValidationError(said)

    def validate_newest(self, field: StringField) -> None:
        if not (field.data or "").isdecimal() or len(field.data) > 18:
            raise ValidationError("Open the page again.")
