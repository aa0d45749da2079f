"""Define the forms of vehicles: the search, and the selection of challans."""

from __future__ import annotations

from flask_wtf import FlaskForm
from wtforms import BooleanField, HiddenField, SelectField, SelectMultipleField, StringField
from wtforms.fields.choices import SelectChoice
from wtforms.validators import DataRequired, ValidationError

from dashboard.domain.lookups import City, RcType
from dashboard.domain.registration import (
    Doubt,
    InvalidRegistration,
    RegistrationProblem,
    doubt,
    normalize,
    normalize_part,
    spaced,
)
from dashboard.store.vehicles import vehicles
from dashboard.web.shared.current import current_services
from dashboard.web.shared.languages import lazy
from dashboard.web.shared.texts import REGISTRATION_PROBLEMS
from dashboard.web.vehicles import texts
from dashboard.web.vehicles.search_failure import SearchFailure

_NO_TYPE = SelectChoice("", texts.CHOOSE_TYPE)
_NO_CITY = SelectChoice("", texts.CHOOSE_CITY)


class SearchVehicleForm(FlaskForm):  # type: ignore[misc]  # Flask-WTF has no types.
    """Take a number, and after `ask_for_more` the two fields that a first search needs as well."""

    rc_number = StringField(lazy("RC number"), [DataRequired(REGISTRATION_PROBLEMS[RegistrationProblem.EMPTY])])
    rc_type = SelectField(lazy("RC type"), choices=[_NO_TYPE], validate_choice=False)
    city_id = SelectField(lazy("City"), choices=[_NO_CITY], validate_choice=False)

    #: The number that a person wants to be searched although its shape is unlikely.
    anyway = HiddenField()
    #: The number that a person takes from the question whether it was meant.
    meant = HiddenField()
    #: The number that RC type and City were asked for.
    asked = HiddenField()

    #: What is unlikely about the number, once the person is to be asked.
    doubt: Doubt | None = None
    #: Why the search failed, once it has.
    failure: SearchFailure | None = None
    #: The number in its stored spelling, once the form is valid.
    rc = ""
    first_search = False

    def validate_rc_number(self, field: StringField) -> None:
        field.data = self.meant.data or field.data
        try:
            self.rc = normalize(field.data or "")
        except InvalidRegistration as invalid:
            raise ValidationError(REGISTRATION_PROBLEMS[invalid.problem]) from None

    def may_be_mistyped(self) -> bool:
        """Tell whether to ask before a search: of a new number of no known shape, until the person has answered."""
        if self.anyway.data == self.rc or not (found := doubt(self.rc)):
            return False
        with current_services().store.read() as connection:
            if vehicles.find(connection, self.rc) is None:
                self.doubt = found
        return self.doubt is not None

    @property
    def unlikely(self) -> str:
        """Return what is unlikely about the number, "" for nothing."""
        return texts.unlikely(spaced(self.doubt.rc), self.doubt.digits) if self.doubt else ""

    def lacks_more(self) -> bool:
        """Say at the field that RC type or City is missing, and return whether one is; unasked, neither is needed."""
        missing = [
            (field, words)
            for field, words in ((self.rc_type, texts.TYPE_MISSING), (self.city_id, texts.CITY_MISSING))
            if not field.data
        ]
        if len(missing) == 2 and self.asked.data != self.rc:
            return False
        for field, words in missing:
            field.errors = [words]
        return bool(missing)

    def ask_for_more(self, *, fresh: bool) -> None:
        """Reveal RC type and City; `fresh` calls the service when the stored lists are older than a day.

        Raises ServiceError when `fresh` and there is no list at all.
        """
        reference_data = current_services().reference_data
        self._offer(*(reference_data.fresh() if fresh else reference_data.known()))

    def explain_refusal(self, refusal: str) -> None:
        """Offer renewed lists after the service has refused RC type and City, and name the field that may be wrong."""
        self._offer(*current_services().reference_data.renew())
        gone = [
            (field, words)
            for field, words in ((self.rc_type, texts.TYPE_GONE), (self.city_id, texts.CITY_GONE))
            if field.data not in {choice.value for choice in field.choices}
        ]
        for field, words in gone:
            field.errors = [words]
        if not gone:
            self.rc_number.errors = [f"{refusal} {texts.CHECK_ALL_THREE}"]

    def explain_missing_city(self) -> None:
        """Say that the organization has no city, where none can be chosen."""
        if self.first_search and len(self.city_id.choices) == 1:
            self.city_id.errors = [texts.NO_CITIES]

    @property
    def why(self) -> str:
        """Return why RC type and City are asked for: nobody searched the vehicle before, or the service wants them."""
        with current_services().store.read() as connection:
            known = vehicles.find(connection, normalize_part(self.rc_number.data or ""))
        return texts.ASKED_AGAIN if known is not None else texts.NEW_HERE

    def _offer(self, cities: tuple[City, ...], rc_types: tuple[RcType, ...]) -> None:
        self.first_search = True
        self.rc_type.choices = [_NO_TYPE, *(SelectChoice(item.value, item.label) for item in rc_types)]
        # Most vehicles run where they are registered.
        state = normalize_part(self.rc_number.data or "")[:2]
        nearest = sorted(cities, key=lambda city: city.state_code != state)
        self.city_id.choices = [_NO_CITY, *(SelectChoice(city.id, city.label) for city in nearest)]


class SelectChallansForm(FlaskForm):  # type: ignore[misc]  # Flask-WTF has no types.
    """Take what is ticked. Whether a challan can be paid is decided when its selection is summed up and reviewed."""

    challan = SelectMultipleField(lazy("Challans"), choices=[], validate_choice=False)
    #: All that can be paid: pressed before the script came that ticks each challan.
    all = BooleanField()
    #: Counts the ticks of a page that runs scripts; see `Selections.tick`.
    step = HiddenField()
    #: The id of the ended link whose replacement the selection is for.
    replaces = HiddenField()

    @property
    def ticked(self) -> list[str]:
        return self.challan.data or []
