"""Test the parsing of challans, and of answers as such: what becomes a value, what a gap, and what is unfit."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest

from dashboard.domain.challans import Challan, EligibilityGroup, eligibility_of
from dashboard.upstream.envelope import Unfit
from dashboard.upstream.parsing import (
    parse_created_link,
    parse_locations,
    parse_payment_link,
    parse_rc_types,
    parse_search,
)
from tests.upstream.documented import CHALLAN, ID, OTHER
from tests.upstream.rude_server import envelope

PARSERS: list[Callable[[bytes], object]] = [
    parse_locations,
    parse_rc_types,
    parse_search,
    parse_created_link,
    lambda body: parse_payment_link(body, ID),
]


def search_body(*challans: Any, **more: Any) -> bytes:
    return envelope({"rcNumber": "MH12AB1001", "carId": ID, "newChallansCount": 2, "challans": list(challans), **more})


def challan(**changes: Any) -> Challan:
    """Return the parsed challan with fields changed; `...` leaves a field out."""
    record = {name: value for name, value in {**CHALLAN, **changes}.items() if value is not ...}
    (found,) = parse_search(search_body(record)).challans
    return found


def challan_with(field: str, literal: str) -> Challan:
    """Parse a challan with one field spelled in JSON exactly like this."""
    body = search_body({**CHALLAN, field: "@"}).replace(b'"@"', literal.encode())
    (found,) = parse_search(body).challans
    return found


def test_a_challan_as_documented_is_parsed_whole() -> None:
    assert challan() == Challan(
        id=ID,
        challan_no="MH/1",
        status="PENDING",
        challan_amount=Decimal("500.5"),
        total_amount=Decimal(600),
        challan_date=datetime(2026, 1, 5, 10, tzinfo=UTC),
        state="Maharashtra",
        challan_type="ONLINE",
        challan_place="Pune",
        offense_details="Without helmet",
    )
    assert eligibility_of(challan()).selectable


def test_a_search_as_documented_is_parsed_whole() -> None:
    result = parse_search(search_body(CHALLAN, {**CHALLAN, "id": OTHER}))
    assert (result.rc_number, result.car_id, result.new_challans_count) == ("MH12AB1001", ID, 2)
    assert [found.id for found in result.challans] == [ID, OTHER]
    assert result.unreadable == 0


@pytest.mark.parametrize(
    ("field", "gap"), [("id", "id"), ("challanNo", "challan_no"), ("status", "status"), ("prepaid", "prepaid")]
)
@pytest.mark.parametrize("value", [..., None, 7, "x", [], {}, "true"])
def test_a_required_field_that_is_missing_or_ill_typed_is_a_gap(field: str, gap: str, value: Any) -> None:
    if value in ("x", "true") and field in ("challanNo", "status"):
        assert challan(**{field: value}).gaps == ()
        return
    found = challan(**{field: value})
    assert found.gaps == (gap,)
    assert not eligibility_of(found).selectable


OPTIONAL = {
    "challanAmount": "challan_amount",
    "totalAmount": "total_amount",
    "challanDate": "challan_date",
    "state": "state",
    "challanType": "challan_type",
    "challanPlace": "challan_place",
    "offenseDetails": "offense_details",
}


@pytest.mark.parametrize(("field", "name"), OPTIONAL.items())
@pytest.mark.parametrize("value", [..., None, True, [], {}, [[1]]])
def test_an_optional_field_that_is_missing_null_or_ill_typed_is_unknown_and_no_gap(
    field: str, name: str, value: Any
) -> None:
    found = challan(**{field: value})
    assert getattr(found, name) is None
    assert eligibility_of(found).selectable


def test_one_bad_record_drops_nothing_but_itself() -> None:
    result = parse_search(search_body(CHALLAN, None, 7, "x", [], {}, {"id": 7}, {"state": "Goa"}, CHALLAN))
    assert len(result.challans) == 2
    assert result.unreadable == 7


@pytest.mark.parametrize("expected", [{"id": ID}, {"challanNo": "1"}, {"status": "PAID"}, {"paymentLinkId": ID}])
def test_a_record_with_anything_to_show_is_shown(expected: dict[str, Any]) -> None:
    result = parse_search(search_body(expected))
    assert result.unreadable == 0
    assert not eligibility_of(result.challans[0]).selectable


def test_the_attached_link_has_its_own_status() -> None:
    summary = {
        "id": OTHER.upper(),
        "status": "ACTIVE",
        "externalPaymentUrl": "https://pay.example/x",
        "totalAmount": 9.5,
    }
    found = challan(paymentLinkId=OTHER, paymentLink=summary, prepaid=True)
    assert found.payment_link is not None
    assert (found.payment_link.id, found.payment_link.status) == (OTHER, "ACTIVE")
    assert (found.payment_link.payment_url, found.payment_link.total_amount) == (
        "https://pay.example/x",
        Decimal("9.5"),
    )
    assert eligibility_of(found).group is EligibilityGroup.ON_LINK


@pytest.mark.parametrize(
    ("link_id", "summary"),
    [
        ("garbage", None),
        (7, None),
        (None, {"status": "EXPIRED"}),
        (None, {"id": "garbage", "status": "EXPIRED"}),
        (None, "EXPIRED"),
        (None, [OTHER]),
        ("", {}),
    ],
)
def test_a_link_that_cannot_be_read_is_a_gap_and_never_a_free_challan(link_id: Any, summary: Any) -> None:
    found = challan(paymentLinkId=link_id, paymentLink=summary)
    assert found.gaps
    assert not eligibility_of(found).selectable


@pytest.mark.parametrize(
    "summary", [{"id": OTHER}, {"id": OTHER, "status": None}, {"id": OTHER, "status": 7}, "x", [], {}]
)
def test_a_link_without_a_readable_status_counts_as_live(summary: Any) -> None:
    found = challan(paymentLinkId=OTHER, paymentLink=summary)
    assert found.link_id == OTHER
    assert eligibility_of(found).group is EligibilityGroup.ON_LINK


def test_two_different_links_on_a_challan_are_a_gap_with_both_ids() -> None:
    found = challan(paymentLinkId=ID, paymentLink={"id": OTHER, "status": "EXPIRED"})
    assert found.gaps == ("payment_link",)
    assert found.payment_link is not None
    assert {found.payment_link_id, found.payment_link.id} == {ID, OTHER}


@pytest.mark.parametrize(
    ("literal", "expected"),
    [
        ("0.1", "0.1"),
        ("1.10", "1.10"),
        ("118.00000000000001", "118.00000000000001"),
        ("1e3", "1E+3"),
        ("0", "0"),
        ("-0.0", "0.0"),
        ("-0", "0"),
        ("999999999999.99", "999999999999.99"),
        ("5.551115123125783e-17", "5.551115123125783E-17"),
    ],
)
def test_an_amount_is_parsed_exactly_as_spelled(literal: str, expected: str) -> None:
    found = challan_with("totalAmount", literal).total_amount
    assert type(found) is Decimal
    assert str(found) == expected


@pytest.mark.parametrize(
    "literal",
    [
        "1e999",
        "-1",
        "-0.01",
        "1e12",
        "1000000000000",
        "123456789012345678901234567890",
        "9" * 5_000,
        "1e-999999",
        "1e99999999999999999999",
        "0e99999",
        "0." + "1" * 500,
        '"100"',
        '"NaN"',
        '"Infinity"',
        "true",
        "NaN",
        "Infinity",
        "-Infinity",
    ],
)
def test_an_invalid_amount_is_unknown_and_its_challan_is_parsed(literal: str) -> None:
    found = challan_with("totalAmount", literal)
    assert found.total_amount is None
    assert found.challan_amount == Decimal("500.5")
    assert eligibility_of(found).selectable


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-01-05T10:00:00Z", "2026-01-05T10:00:00+00:00"),
        ("2026-01-05T15:30:00+05:30", "2026-01-05T10:00:00+00:00"),
        ("2026-01-05T10:00:00", "2026-01-05T10:00:00+00:00"),
        ("2026-01-05T10:00:00.123456789Z", "2026-01-05T10:00:00.123456+00:00"),
        ("2026-01-05", "2026-01-05T00:00:00+00:00"),
        ("1989-12-31T23:59:59Z", None),
        ("2101-01-01T00:00:00Z", None),
        ("0001-01-01T00:00:00+14:00", None),
        ("9999-12-31T23:59:59-12:00", None),
        ("2026-02-30T00:00:00Z", None),
        ("yesterday", None),
        ("", None),
        ("1" * 10_000, None),
        (1767607200, None),
    ],
)
def test_a_moment_is_aware_utc_or_unknown(text: Any, expected: str | None) -> None:
    found = challan(challanDate=text).challan_date
    assert (found.isoformat() if found else None) == expected


@pytest.mark.parametrize(
    ("literal", "expected"),
    [
        (r'"a\ud800b"', "a\ufffdb"),
        (r'"\udc00\ud83d\ude00"', "\ufffd\U0001f600"),
        (r'"\ud83d"', "\ufffd"),
        (r'"\\ud800"', r"\ud800"),
        (r'"a\u0000b\u001b[0m\u007f\u009b"', "a\ufffdb\ufffd[0m\ufffd\ufffd"),
        (r'"one\r\n\ttwo\u2028three"', "one   two three"),
        ('"raw\x01control\n"', "raw control "),
        (r'"user\u202egnp.exe\u2066"', "user\ufffdgnp.exe\ufffd"),
        ('"क्षमा करें\\u200d"', "क्षमा करें\u200d"),
        ('"<b>&"', "<b>&"),
        (f'"{"x" * 5_000}"', "x" * 2_000),
    ],
)
def test_text_is_made_safe_to_store_and_is_otherwise_unchanged(literal: str, expected: str) -> None:
    assert challan_with("offenseDetails", literal).offense_details == expected


def test_bytes_that_are_not_utf_8_are_replaced() -> None:
    body = search_body({**CHALLAN, "state": "@"}).replace(b"@", b"\xff\xed\xa0\x80")
    found = parse_search(b"\xef\xbb\xbf" + body).challans[0].state
    assert found is not None
    assert set(found) == {"\ufffd"}


def test_ids_are_canonical_and_nothing_else_is_an_id() -> None:
    assert challan(id=ID.upper()).id == ID
    for wrong in (
        ID.replace("-", ""),
        "{" + ID + "}",
        "urn:uuid:" + ID,
        ID + "\n",
        " " + ID,
        ID[:-1],
        ID[:-1] + "١",
        "g" + ID[1:],
    ):
        assert challan(id=wrong).gaps == ("id",)


def test_undocumented_values_are_data() -> None:
    found = challan(status="ON_HOLD", challanType="HOLOGRAM", unknown={"deep": [1]})
    assert (found.status, found.challan_type, found.gaps) == ("ON_HOLD", "HOLOGRAM", ())


@pytest.mark.parametrize(
    ("value", "expected"), [(3, 3), (3.0, 3), (0, 0), (-1, None), (1.5, None), ("3", None), (True, None)]
)
def test_the_count_of_new_challans_is_a_whole_number_or_unknown(value: Any, expected: int | None) -> None:
    assert parse_search(search_body(newChallansCount=value)).new_challans_count == expected


@pytest.mark.parametrize("parse", PARSERS)
@pytest.mark.parametrize(
    "body",
    [b"", b" ", b"null", b"[]", b"7", b'"x"', b"{", b"<html>", b"{}", b"\x00", b"\xff",
     b'{"success": true}', b'{"data": []}',
     b'{"success": false, "data": []}', b'{"success": "true", "data": []}', b'{"success": 1, "data": []}',
     b'{"success": null, "data": []}', b'{"success": true, "data": 7}', b'{"success": true, "data": null}',
     b'{"success": true, "data": "x"}', b'{"success": true, "data": true}', b'{"success": true, "data": []} x',
     b"[" * 100_000, b'{"a":' * 100_000, b'{"success": true, "data": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
     b'{"success": true, "x": ' + b"[" * 100_000 + b"]" * 100_000 + b', "data": []}'],
)  # fmt: skip
def test_an_answer_that_is_no_successful_envelope_is_unfit(parse: Callable[[bytes], object], body: bytes) -> None:
    with pytest.raises(Unfit) as caught:
        parse(body)
    assert caught.value.__context__ is None


@pytest.mark.parametrize(
    "data",
    [{}, [], {"rcNumber": "X"}, {"challans": []}, {"rcNumber": 7, "challans": []}, {"rcNumber": "X", "challans": {}}],
)
def test_a_search_answer_without_its_vehicle_or_challans_is_unfit(data: Any) -> None:
    with pytest.raises(Unfit):
        parse_search(envelope(data))


def test_a_deeply_nested_field_costs_its_record_at_most() -> None:
    body = json.dumps({"success": True, "data": {"rcNumber": "X", "challans": [CHALLAN, {**CHALLAN, "x": "@"}]}})
    for depth in (50, 100_000):
        try:
            result = parse_search(body.replace('"@"', "[" * depth + "]" * depth).encode())
        except Unfit:
            continue
        assert result.challans[0] == challan()


@pytest.mark.parametrize(
    "body",
    [b'{"success":true,"x":"' + b'\\"' * 2_000_000, b'{"success":true,"x":' + b"NaN," * 1_000_000, b'"' * 4_000_001,
     b"\\" * 8_000_001, b'{"success":true,"x":"' + b"\\ud800" * 1_000_000],
)  # fmt: skip
def test_a_large_answer_made_to_be_slow_is_refused_within_seconds(body: bytes) -> None:
    started = time.thread_time()  # CPU time of this thread, so that a busy machine does not matter.
    with pytest.raises(Unfit):
        parse_search(body)
    assert time.thread_time() - started < 10  # Anything quadratic would take hours.
