"""Test that any bytes parse into records of the right types or are unfit, and that money is never a float."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from datetime import datetime
from decimal import Decimal
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dashboard.upstream.envelope import Unfit
from dashboard.upstream.parsing import (
    parse_created_link,
    parse_locations,
    parse_payment_link,
    parse_rc_types,
    parse_search,
)

ID = "2b1d3c52-9d8c-4f3e-8a49-0c6f5a3f7e11"
PARSERS: list[Callable[[bytes], object]] = [
    parse_locations,
    parse_rc_types,
    parse_search,
    parse_created_link,
    lambda body: parse_payment_link(body, ID),
]
FIELDS = [
    "id", "challanNo", "status", "challanAmount", "totalAmount", "challanDate", "state", "paymentLinkId", "paymentLink",
    "prepaid", "externalPaymentUrl", "organization", "name", "paymentUrl", "expiresAt", "paidAt", "amount", "challans",
    "paymentModeOptions", "baseAmount", "legalFee", "gst", "convenienceFee", "paymentMode", "rcNumber", "carId",
    "newChallansCount", "cityId", "cityName", "stateName", "value", "label", "success", "data",
]  # fmt: skip
KNOWN = [
    ID,
    "ACTIVE",
    "PAID",
    "PENDING",
    "NaN",
    "-Infinity",
    "2026-01-05T10:00:00Z",
    "0001-01-01T00:00:00+14:00",
    "\ud800",
    "\0",
]

leaves = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),  # NaN and the infinities included, as Python's own json writes them.
    st.sampled_from(KNOWN),
    st.text(max_size=8),
)
trees = st.recursive(
    leaves,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(FIELDS) | st.text(max_size=3), inner, max_size=8)
    ),
    max_leaves=25,
)
records = st.dictionaries(st.sampled_from(FIELDS), trees, max_size=12)
answers = st.one_of(
    trees,
    records,
    st.lists(records, max_size=4),
    st.fixed_dictionaries({"rcNumber": st.just("X"), "challans": st.lists(records, max_size=4)}),
    st.builds(lambda record: {**record, "id": ID}, records),
)
patient = settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def check(body: bytes) -> None:
    for parse in PARSERS:
        refusal, found = "", None
        try:
            found = parse(body)
        except Unfit as unfit:
            refusal = str(unfit)
        check_values(found)
        assert len(refusal) < 60  # No text of the answer.


def check_values(value: Any) -> None:
    """Check that every value inside has the type that its record promises, and can be stored."""
    if dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            check_values(getattr(value, field.name))
    elif isinstance(value, tuple):
        for item in value:
            check_values(item)
    elif isinstance(value, Decimal):
        assert value.is_finite()
        assert 0 <= value < Decimal("1e12")
        assert len(f"{value:f}") < 200
    elif isinstance(value, datetime):
        assert value.utcoffset() is not None
        assert 1990 <= value.year <= 2100
    elif isinstance(value, str):
        assert len(value) <= 8_000
        assert not any(ord(char) < 32 or 0x7F <= ord(char) < 0xA0 for char in value)
        value.encode()  # Without lone surrogates.
    else:
        assert value is None or type(value) in (bool, int)


@patient
@given(answers)
def test_any_json_becomes_records_or_is_unfit(data: Any) -> None:
    check(json.dumps({"success": True, "data": data}).encode())


@patient
@given(answers)
def test_any_json_written_with_raw_surrogates_becomes_records_or_is_unfit(data: Any) -> None:
    check(json.dumps({"success": True, "data": data}, ensure_ascii=False).encode("utf-8", "surrogatepass"))


@patient
@given(answers, st.integers(0, 500), st.binary(max_size=6))
def test_any_damage_to_an_answer_leaves_records_or_is_unfit(data: Any, at: int, damage: bytes) -> None:
    body = json.dumps({"success": True, "data": data}).encode()
    check(body[:at])
    check(body[:at] + damage + body[at + len(damage) :])


@patient
@given(st.binary(max_size=200))
def test_any_bytes_become_records_or_are_unfit(body: bytes) -> None:
    check(body)
    check(b'{"success":true,"data":' + body + b"}")


@patient
@given(st.from_regex(r"-?[0-9]{1,20}(\.[0-9]{1,20})?([eE][+-]?[0-9]{1,20})?", fullmatch=True))
def test_an_amount_is_exactly_what_was_spelled_or_unknown(literal: str) -> None:
    body = f'{{"success":true,"data":{{"rcNumber":"X","challans":[{{"id":"{ID}","totalAmount":{literal}}}]}}}}'
    try:
        (challan,) = parse_search(body.encode()).challans
    except Unfit:
        assert literal.lstrip("-")[0] == "0"  # A leading zero is not JSON.
        return
    if challan.total_amount is not None:
        assert type(challan.total_amount) is Decimal
        assert challan.total_amount == Decimal(literal)
