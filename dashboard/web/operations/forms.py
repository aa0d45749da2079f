"""Define the form that records what came of checking an assumption."""

from __future__ import annotations

from flask_wtf import FlaskForm
from wtforms import SelectField, TextAreaField
from wtforms.fields.choices import SelectChoice
from wtforms.validators import InputRequired, ValidationError

from dashboard.domain.assumptions import MAX_CHECK_NOTE, AssumptionOutcome
from dashboard.web.operations import texts


class RecordCheckForm(FlaskForm):  # type: ignore[misc]  # Flask-WTF has no types.
    outcome = SelectField(texts.CHECK_LABELS["outcome"], [InputRequired(texts.NO_OUTCOME)])
    note = TextAreaField(texts.CHECK_LABELS["note"], render_kw={"maxlength": MAX_CHECK_NOTE, "rows": 2})

    @classmethod
    def of(cls, code: str, *, sent: bool = False) -> RecordCheckForm:
        """Return the form of an assumption: `sent`, or empty. Its ids are its own, because a page has one of each."""
        form = cls() if sent else cls(formdata=None)
        form.outcome.choices = [SelectChoice(str(each), words) for each, words in texts.OUTCOMES.items()]
        for field in (form.outcome, form.note):
            field.id = f"{code}-{field.name}"
        return form

    def validate_note(self, field: TextAreaField) -> None:
        field.data = (field.data or "").strip()
        if len(field.data) > MAX_CHECK_NOTE:
            raise ValidationError(texts.NOTE_TOO_LONG)
        if not field.data and self.outcome.data in (AssumptionOutcome.FAILS, AssumptionOutcome.UNCLEAR):
            raise ValidationError(texts.NO_NOTE)
