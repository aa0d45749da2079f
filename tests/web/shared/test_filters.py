"""Test amounts, times and registration numbers as people read them."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import pytest
from markupsafe import escape

from dashboard.settings import Settings
from dashboard.web.shared.filters import Formats, breakable
from tests.support.clock import MovableClock

NOON = datetime(2026, 9, 12, 8, 33, 5, tzinfo=UTC)  # 14:03:05 in India


def formats(clock: MovableClock, **changed: str) -> Formats:
    environ = {
        "DASHBOARD_SERVICE_URL": "https://service.example",
        "DASHBOARD_API_SECRET": "secret",
        "DASHBOARD_SECRET_KEY": "a key of thirty-two characters or more",
        **{f"DASHBOARD_{name}": value for name, value in changed.items()},
    }
    return Formats(Settings.from_environ(environ), clock)


@pytest.fixture
def clock() -> MovableClock:
    return MovableClock(NOON)


@pytest.fixture
def write(clock: MovableClock) -> Formats:
    return formats(clock)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("1234567.50", "₹12,34,567.50"),
        ("123456789.9", "₹12,34,56,789.90"),
        ("14250.5", "₹14,250.50"),
        ("500", "₹500.00"),
        ("0", "₹0.00"),
        ("-2199", "-₹2,199.00"),
        ("0.005", "₹0.00"),
        ("99999999999999999.99", "₹99,99,99,99,99,99,99,999.99"),
    ],
)
def test_amounts_are_grouped_as_in_india(write: Formats, value: str, text: str) -> None:
    assert write.amount(Decimal(value)) == text


def test_an_unknown_amount_is_not_zero(write: Formats) -> None:
    assert write.amount(None) == "unknown"


def test_another_currency_may_be_shown(clock: MovableClock) -> None:
    assert formats(clock, CURRENCY="USD").amount(Decimal("1234567.5")) == "$12,34,567.50"


def test_a_time_of_today_has_no_date(write: Formats) -> None:
    assert write.moment(NOON) == "2:03\xa0pm"


def test_a_time_of_another_day_has_its_date(write: Formats, clock: MovableClock) -> None:
    clock.advance(days=1)
    assert write.moment(NOON) == "12 Sep, 2:03\xa0pm"


def test_a_deadline_is_a_day_and_a_time_of_the_clock(write: Formats, clock: MovableClock) -> None:
    assert write.deadline(NOON) == "12 Sep, 2:03\xa0pm"
    clock.advance(days=200)
    assert write.deadline(NOON) == "12 Sep 2026, 2:03\xa0pm"


def test_a_day_names_its_year_only_where_it_could_be_taken_for_another(write: Formats, clock: MovableClock) -> None:
    clock.set(datetime(2027, 1, 2, 12, 0, tzinfo=UTC))
    assert write.near(datetime(2026, 12, 30, 12, 0, tzinfo=UTC)) == "30 Dec, 5:30\xa0pm"
    assert write.short_day(date(2026, 7, 6)) == "6 Jul"
    assert write.short_day(date(2026, 7, 5)) == "5 Jul 2026"
    clock.set(datetime(2026, 12, 30, 12, 0, tzinfo=UTC))
    assert write.near_day(datetime(2027, 1, 2, 12, 0, tzinfo=UTC)) == "2 Jan"


def test_a_long_name_is_its_first_word_on_a_button(write: Formats) -> None:
    assert write.short_name("Ramesh Kumar Yadav") == "Ramesh Kumar Yadav"
    assert write.short_name("Ramachandran Venkatasubramanian") == "Ramachandran"


def test_today_is_the_day_of_the_zone_and_not_of_utc(write: Formats, clock: MovableClock) -> None:
    clock.set(datetime(2026, 9, 12, 18, 29, tzinfo=UTC))  # 23:59 there
    assert write.moment(NOON) == "2:03\xa0pm"
    clock.set(datetime(2026, 9, 12, 18, 30, tzinfo=UTC))  # midnight there
    assert write.moment(NOON) == "12 Sep, 2:03\xa0pm"
    assert write.moment(clock()) == "12:00\xa0am"


def test_a_time_of_day_ends_in_the_line_it_begins_in(write: Formats, clock: MovableClock) -> None:
    clock.advance(days=400)
    for text in (write.moment(NOON), write.exact(NOON), write.ago(NOON), write.deadline(NOON), write.near(NOON)):
        assert re.search(r":\d\d\xa0pm", text)
    assert write.hour(NOON) == "8\xa0am"


def test_whatever_else_is_written_has_plain_spaces(write: Formats, clock: MovableClock) -> None:
    clock.advance(days=400)
    for text in (write.moment(NOON), write.exact(NOON), write.day(NOON), write.ago(NOON), write.amount(Decimal(1))):
        assert not {character for character in text.replace("\xa0pm", "") if character.isspace()} - {" "}


@pytest.mark.parametrize(
    ("zone", "moment", "name"),
    [
        ("UTC", "8:33\xa0am", "UTC"),
        ("Asia/Kolkata", "2:03\xa0pm", "IST"),
        ("Europe/Berlin", "10:33\xa0am", "CEST"),
        ("Asia/Kathmandu", "2:18\xa0pm", "GMT+05:45"),  # It has no abbreviation.
    ],
)
def test_the_zone_is_named_apart_from_the_times_in_it(clock: MovableClock, zone: str, moment: str, name: str) -> None:
    write = formats(clock, TIMEZONE=zone)
    assert (write.moment(NOON), write.zone(NOON)) == (moment, name)
    assert write.exact(NOON).endswith(f"m {name}")


def test_days_and_exact_moments(write: Formats) -> None:
    assert write.day(NOON) == "12 Sep 26"
    assert write.exact(NOON) == "12 Sep 2026, 2:03:05\xa0pm IST"
    assert write.iso(NOON) == "2026-09-12T08:33:05Z"


@pytest.mark.parametrize(
    ("span", "text"),
    [
        ({"seconds": 0}, "just now"),
        ({"seconds": 4}, "4 s ago"),
        ({"seconds": 59.9}, "59 s ago"),
        ({"seconds": 60}, "1 min ago"),
        ({"minutes": 12, "seconds": 59}, "12 min ago"),
        ({"hours": 3, "minutes": 59}, "3 h ago"),
        ({"hours": 24}, "12 Sep, 2:03\xa0pm"),
        ({"seconds": -5}, "just now"),
    ],
)
def test_an_age_is_written_in_one_unit(write: Formats, clock: MovableClock, span: dict[str, float], text: str) -> None:
    clock.advance(**span)
    assert write.ago(NOON) == text


@pytest.mark.parametrize(
    ("span", "text"),
    [
        ({"hours": 47, "minutes": 59}, "48 h"),
        ({"hours": 47, "minutes": 29, "seconds": 59}, "47 h"),
        ({"hours": 71, "minutes": 59}, "3 days"),
        ({"hours": 71, "minutes": 29}, "71 h"),
        ({"hours": 167, "minutes": 59}, "7 days"),
        ({"hours": 2}, "2 h"),
        ({"hours": 1, "minutes": 59}, "1 h"),
        ({"hours": 72}, "3 days"),
        ({"hours": 168}, "7 days"),
        ({"minutes": 35}, "35 min"),
        ({"seconds": 40}, "40 s"),
        ({"seconds": 0.5}, "a moment"),
        ({"seconds": -1}, "a moment"),
    ],
)
def test_the_time_left_is_written_in_one_unit(write: Formats, span: dict[str, float], text: str) -> None:
    assert write.left(NOON + timedelta(**span)) == text


@pytest.mark.parametrize(
    ("number", "text"), [(24, "24 h"), (48, "48 h"), (72, "3 days"), (100, "100 h"), (168, "7 days")]
)
def test_whole_days_are_written_as_days(write: Formats, number: int, text: str) -> None:
    assert write.hours(number) == text


def test_an_unknown_time_says_so(write: Formats) -> None:
    assert {write.moment(None), write.exact(None), write.day(None), write.ago(None), write.left(None)} == {"unknown"}
    assert write.iso(None) == ""


def test_registration_numbers_are_spaced(write: Formats) -> None:
    assert write.plate("MH12AB1001") == "MH12 AB 1001"


@pytest.mark.parametrize(
    ("spelling", "html"),
    [
        ("UNDER_VERIFICATION", "UNDER_<wbr>VERIFICATION"),
        ("<b>_&", "&lt;b&gt;_<wbr>&amp;"),
        ("Paid", "Paid"),
    ],
)
def test_a_spelling_of_the_service_breaks_between_its_words_and_stays_text(spelling: str, html: str) -> None:
    assert str(breakable(spelling)) == html
    assert str(escape(breakable("<b>"))) == "&lt;b&gt;", "without one it is escaped where it is written"
