"""Define the search form: the number first; RC type and City only when the service needs them."""

from __future__ import annotations

from flask_wtf import FlaskForm
from wtforms import SelectField, StringField
from wtforms.fields.choices import SelectChoice
from wtforms.validators import DataRequired, ValidationError

from dashboard.domain.registration import InvalidRegistration, RegistrationProblem, normalize
from dashboard.web.shared.current import current_services
from dashboard.web.shared.texts import REGISTRATION_PROBLEMS
from dashboard.web.vehicles import texts

_NO_TYPE = SelectChoice("", texts.CHOOSE_TYPE)
_NO_CITY = SelectChoice("", texts.CHOOSE_CITY)


class SearchVehicleForm(FlaskForm):  # type: ignore[misc]  # Flask-WTF has no types.
    """Take a number, and after `ask_for_more` the two fields that a first search needs as well."""

    rc_number = StringField("RC number", [DataRequired(REGISTRATION_PROBLEMS[RegistrationProblem.EMPTY])])
    rc_type = SelectField("RC type", choices=[_NO_TYPE], validate_choice=False)
    city_id = SelectField("City", choices=[_NO_CITY], validate_choice=False)

    #: The number in its stored spelling, once the form is valid.
    rc = ""
    first_search = False

    def validate_rc_number(self, field: StringField) -> None:
        try:
            self.rc = normalize(field.data or "")
        except InvalidRegistration as invalid:
            raise ValidationError(REGISTRATION_PROBLEMS[invalid.problem]) from None

    def ask_for_more(self, *, fresh: bool) -> None:
        """Reveal RC type and City; `fresh` calls the service when the stored lists are older than a day.

        Raises ServiceError when `fresh` and there is no list at all.
        """
        reference_data = current_services().reference_data
        cities, rc_types = reference_data.fresh() if fresh else reference_data.known()
        self.first_search = True
        self.rc_type.choices = [_NO_TYPE, *(SelectChoice(item.value, item.label) for item in rc_types)]
        self.city_id.choices = [_NO_CITY, *(SelectChoice(city.id, city.label) for city in cities)]
