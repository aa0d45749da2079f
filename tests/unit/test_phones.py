"""Test phone numbers as people write them."""

from __future__ import annotations

import pytest

from dashboard.domain.phones import InvalidPhone, international, shown


@pytest.mark.parametrize(
    "typed",
    [
        "9876543210",
        "98765 43210",
        " 98765-43210 ",
        "09876543210",
        "0 98765 43210",
        "(0) 98765 43210",
        "(0)98765 43210",
        "919876543210",
        "+91 98765 43210",
        "+91-9876543210",
        "+91 (0) 98765 43210",
        "+91 ( 0 ) 98765 43210",
        "+91 098765 43210",
        "(+91) 98765 43210",
        "00919876543210",
        "0091 (0) 98765 43210",
        "0091 09876543210",
        "+0091 98765 43210",
    ],
)
def test_an_indian_number_is_the_same_however_it_is_written(typed: str) -> None:
    assert international(typed) == "919876543210"


@pytest.mark.parametrize(
    ("typed", "digits"),
    [
        ("+971 50 123 4567", "971501234567"),
        ("00971 50 123 4567", "971501234567"),
        ("+44 (0) 20 7946 0018", "442079460018"),
        ("+65 9123 4567", "6591234567"),
        ("+977 980-1234567", "9779801234567"),
        ("022 2345 6789", "912223456789"),
    ],
)
def test_a_number_with_its_country_keeps_it(typed: str, digits: str) -> None:
    assert international(typed) == digits


@pytest.mark.parametrize("typed", ["", "call me", "12345", "0123456789", "9" * 16, "+0", "٩٨٧٦٥٤٣٢١٠", "+91 12"])
def test_a_text_that_is_no_phone_number_is_refused(typed: str) -> None:
    with pytest.raises(InvalidPhone):
        international(typed)


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("9876543210", "+91 98765 43210"),
        ("098765-43210", "+91 98765 43210"),
        ("+91 (0) 98765 43210", "+91 98765 43210"),
        ("+977 1 4412345", "+97714412345"),
        ("call me", "call me"),
        ("", ""),
    ],
)
def test_a_number_is_shown_in_one_format_and_what_is_none_as_typed(typed: str, read: str) -> None:
    assert shown(typed) == read
