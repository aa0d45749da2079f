"""The search form: number first; RC type and City only when the service needs them."""

from __future__ import annotations

from flask_wtf import FlaskForm
from wtforms import SelectField, StringField
from wtforms.fields.choices import SelectChoice
from wtforms.validators import DataRequired, ValidationError

from dashboard.domain.registration import InvalidRegistration, normalize
from dashboard.web.shared.current import current_services

NO_TYPE = SelectChoice("", "Choose a type")
NO_CITY = SelectChoice("", "Choose a city")


class SearchVehicleForm(FlaskForm):  # type: ignore[misc]
    """The number alone; with `ask_for_more`, the two fields that a first search needs as well."""

    rc_number = StringField("RC number", [DataRequired("Enter a registration number, for example MH12 AB 1001.")])
    rc_type = SelectField("RC type", choices=[NO_TYPE], validate_choice=False)
    city_id = SelectField("City", choices=[NO_CITY], validate_choice=False)

    first_search = False

    def validate_rc_number(self, field: StringField) -> None:
        try:
            normalize(field.data or "")
        except InvalidRegistration as problem:
            raise ValidationError(str(problem)) from None

    def ask_for_more(self, *, fresh: bool) -> None:
        """Reveal RC type and City; `fresh` asks the service for the lists when ours are older than a day."""
        lookups = current_services().reference_data
        cities, rc_types = lookups.fresh() if fresh else lookups.known()
        self.first_search = True
        self.rc_type.choices = [NO_TYPE, *(SelectChoice(item.value, item.label) for item in rc_types)]
        self.city_id.choices = [NO_CITY, *(SelectChoice(city.id, city.label) for city in cities)]
