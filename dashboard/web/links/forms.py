"""Define the form that acknowledges a duplicate alarm."""

from __future__ import annotations

from flask_wtf import FlaskForm
from wtforms import HiddenField, StringField, TextAreaField
from wtforms.validators import ValidationError

from dashboard.domain.links import MAX_ALARM_NOTE, MIN_ALARM_NOTE
from dashboard.web.links import duplicate_texts as texts


class AcknowledgeDuplicatesForm(FlaskForm):  # type: ignore[misc]  # Flask-WTF has no types.
    note = TextAreaField(texts.ALARM_NOTE, description=texts.ALARM_NOTE_HINT, render_kw={"maxlength": MAX_ALARM_NOTE})
    newest = HiddenField()

    @classmethod
    def for_alarm(cls, newest: int, note: str = "") -> AcknowledgeDuplicatesForm:
        """Open a form for the alarm whose newest event has this id; a later alarm must be read first."""
        return cls(formdata=None, data={"note": note, "newest": str(newest)})

    def validate_note(self, field: StringField) -> None:
        field.data = (field.data or "").strip()
        if not MIN_ALARM_NOTE <= len(field.data) <= MAX_ALARM_NOTE:
            raise ValidationError(texts.ALARM_NOTE_LENGTH)

    def validate_newest(self, field: StringField) -> None:
        if not (field.data or "").isdecimal() or len(field.data) > 18:
            raise ValidationError(texts.OPEN_THE_PAGE_AGAIN)
