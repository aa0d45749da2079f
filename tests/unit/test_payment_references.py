"""Reading the reference of a payment as people type it."""

from __future__ import annotations

import pytest

from dashboard.domain.payment_references import normalized


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("412345678901", "412345678901"),
        (" 4123 4567 8901 ", "412345678901"),
        ("hdfcr5-2026120100012345", "HDFCR52026120100012345"),
        ("", ""),
        ("  - ", ""),
        ("1234567", None),
        ("12345678", "12345678"),
        ("MH12 AB 1001", None),
        ("A1" * 17, "A1" * 17),
        ("1" * 36, None),
        ("4123 4567 890१", None),
        ("not known yet!", None),
    ],
)
def test_a_reference_is_read_as_banks_write_it(typed: str, read: str | None) -> None:
    assert normalized(typed) == read
