"""Test the discrepancy checks: sums, covered challans and late money, in the service's answer about a link."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest

from dashboard.domain.discrepancies import StatusChange, check_challans, check_late_money, check_sums
from dashboard.domain.links import AmountBreakdown, LinkChallan

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)


# Sums


def amount(
    base: str | None = "1000",
    legal: str | None = "100",
    gst: str | None = "18",
    fee: str | None = "0",
    *,
    total: str | None = "1118",
    mode: str | None = None,
) -> AmountBreakdown:
    parts = [None if each is None else Decimal(each) for each in (base, legal, gst, fee, total)]
    return AmountBreakdown(*parts, payment_mode=mode)


def challan(fine: str | None = "1000", total: str | None = "1118") -> LinkChallan:
    amounts = [None if each is None else Decimal(each) for each in (fine, total)]
    return LinkChallan("a", "MH1", None, "PENDING", None, None, amounts[0], None, amounts[1])


def test_a_link_whose_amounts_add_up_has_no_discrepancy() -> None:
    assert check_sums(amount(), [amount(mode="UPI")], [challan()]) == (None, 0)


def test_parts_that_do_not_come_to_the_total_are_found_for_each_way_to_pay() -> None:
    facts, _ = check_sums(
        amount(total="1200"), [amount(mode="UPI"), amount(fee="22.36", mode="CARD")], [challan(total="1200")]
    )
    assert facts == {
        "parts": [
            {"mode": None, "parts": "1118", "total": "1200"},
            {"mode": "CARD", "parts": "1140.36", "total": "1118"},
        ]
    }


@pytest.mark.parametrize("total", ["1118", "1100", "1095.5", "1077.5"])
def test_a_challan_may_hold_its_part_of_the_gst_and_the_fee_or_not(total: str) -> None:
    link = amount(fee="22.50", total="1140.50") if total != "1118" and total != "1100" else amount()
    assert check_sums(link, [], [challan(total={"1095.5": "1118", "1077.5": "1100"}.get(total, total))])[0] is None


def test_challans_that_do_not_come_to_the_link_are_found() -> None:
    assert check_sums(amount(), [], [challan(total="1110")])[0] == {"totals": {"challans": "1110", "link": "1118"}}
    assert check_sums(amount(), [], [challan(fine="900")])[0] == {"fines": {"challans": "900", "link": "1000"}}


def test_unknown_amounts_are_counted_and_never_zero() -> None:
    assert check_sums(amount(legal=None), [], [challan()]) == (None, 1)
    assert check_sums(amount(), [], [challan(total=None)]) == (None, 1)
    assert check_sums(amount(total=None), [], [challan()]) == (None, 2)
    assert check_sums(None, [], [challan()]) == (None, 1)
    assert check_sums(amount(), [], []) == (None, 1)


def test_less_than_half_a_paisa_is_the_same_and_a_paisa_is_not() -> None:
    assert check_sums(amount(total="1118.0000000001"), [], [challan()])[0] is None
    assert check_sums(amount(total="1118.01"), [], [challan(total="1118.01")])[0] is not None


# Challans


def test_challans_that_were_not_requested_are_named_by_their_numbers() -> None:
    facts = check_challans(["a", "b"], ["b", "c"], {"a": "MH1", "c": None})
    assert facts == {
        "asked": 2,
        "covered": 1,
        "missing": ["MH1"],
        "missing_count": 1,
        "strays": ["c"],
        "strays_count": 1,
    }
    assert check_challans(["a", "b"], ["b", "a"], {}) is None


# Late money


def test_a_payment_in_time_is_not_late() -> None:
    assert check_late_money("PAID", NOON, NOON + timedelta(hours=1), [StatusChange(NOON, "ACTIVE", "PAID")]) is None
    assert check_late_money("EXPIRED", None, NOON, [StatusChange(NOON, "ACTIVE", "EXPIRED")]) is None


def test_money_after_the_end_is_late_by_the_services_own_clock() -> None:
    facts = check_late_money("PAID", NOON + timedelta(seconds=1), NOON, [])
    assert facts is not None
    assert facts.keys() == {"after_end"}


@pytest.mark.parametrize("state", ["EXPIRED", "FAILED", "CANCELLED"])
def test_money_after_the_link_was_observed_ended_is_late(state: str) -> None:
    facts = check_late_money("PAID", NOON, NOON + timedelta(hours=1), [StatusChange(NOON, state, "PAID")])
    assert facts == {"was_ended": {"state": state, "at": NOON.isoformat()}}


def test_a_payment_that_the_service_took_back_is_found_even_when_it_is_paid_again() -> None:
    changes = [StatusChange(NOON, "PAID", "ACTIVE")]
    assert check_late_money("ACTIVE", None, None, changes) == {
        "unsaid": {"state": "ACTIVE", "at": NOON.isoformat(), "now": "ACTIVE"}
    }
    again = [*changes, StatusChange(NOON + timedelta(hours=1), "ACTIVE", "PAID")]
    facts = check_late_money("PAID", NOON, None, again)
    assert facts is not None
    assert facts["unsaid"]["now"] == "PAID"


def test_amounts_of_any_size_are_compared() -> None:
    huge = replace(amount(), total_amount=Decimal("1e30"))
    facts, _ = check_sums(huge, [], [challan()])
    assert facts is not None
    assert facts["parts"][0]["total"] == "1E+30"
