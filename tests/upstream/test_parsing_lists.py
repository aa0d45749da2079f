"""Test the parsing of the lists of cities and RC types."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from dashboard.upstream.envelope import Unfit
from dashboard.upstream.parsing import parse_locations, parse_rc_types
from tests.upstream.documented import ID, OTHER
from tests.upstream.rude_server import envelope

CITY = {
    "cityId": ID,
    "cityName": "Pune",
    "stateId": OTHER,
    "stateName": "Maharashtra",
    "stateCode": "MH",
    "zipCode": "411001",
}


def test_a_city_that_cannot_be_chosen_is_left_out_and_the_others_have_labels() -> None:
    body = envelope(
        [CITY, {**CITY, "cityId": "x"}, None, {**CITY, "cityId": OTHER, "stateName": 7, "zipCode": 7}, CITY]
    )
    first, second = parse_locations(body)
    assert (first.id, first.name, first.state_name, first.state_code, first.zip_code) == (
        ID,
        "Pune",
        "Maharashtra",
        "MH",
        "411001",
    )
    assert (second.id, second.state_name, second.zip_code) == (OTHER, "", None)
    assert parse_locations(envelope([])) == ()


def test_an_rc_type_that_cannot_be_sent_is_left_out_and_the_others_stay_in_order() -> None:
    body = envelope(
        [{"value": "TRUCK", "label": "Truck"}, {"label": "?"}, 7, {"value": "HOVER", "label": 7}, {"value": ""}]
    )
    assert [(kind.value, kind.label) for kind in parse_rc_types(body)] == [("TRUCK", "Truck"), ("HOVER", "HOVER")]
    assert parse_rc_types(envelope([])) == ()


@pytest.mark.parametrize("parse", [parse_locations, parse_rc_types])
def test_a_list_without_a_readable_record_is_not_an_empty_list(parse: Callable[[bytes], object]) -> None:
    with pytest.raises(Unfit, match="could be read"):
        parse(envelope([{}, None]))
