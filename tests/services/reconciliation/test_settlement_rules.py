"""What a listing of a vehicle shows of the challans that were paid, and what of a link does not add up."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest

from dashboard.domain.discrepancies import Change, late, other_challans, sums
from dashboard.domain.links import AmountBreakdown, LinkChallan
from dashboard.domain.settlements import Covered, Listed, Listing, Shown, look

OURS = Covered("a", "MH1")
NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)


def shown(*listed: Listed, unreadable: int = 0, covered: tuple[Covered, ...] = (OURS,)) -> Shown:
    return look(covered, Listing(listed, unreadable)).shown


@pytest.mark.parametrize("status", ["PENDING", "TO_BE_ASSIGNED"])
def test_what_can_still_be_put_on_a_link_is_not_settled(status: str) -> None:
    assert shown(Listed("a", "MH1", status)) is Shown.PAYABLE


@pytest.mark.parametrize("status", ["PAID", "DISPOSED", "IN_COURT_REVIEW", "pending", ""])
def test_any_other_status_counts_as_settled(status: str) -> None:
    assert shown(Listed("a", "MH1", status)) is Shown.SETTLED


def test_what_is_gone_from_the_list_counts_as_settled() -> None:
    assert shown() is Shown.SETTLED
    assert shown(Listed("b", "MH2", "PENDING")) is Shown.SETTLED


def test_one_payable_challan_keeps_the_whole_link_open() -> None:
    both = (OURS, Covered("b", "MH2"))
    assert shown(Listed("a", "MH1", "PAID"), Listed("b", "MH2", "PENDING"), covered=both) is Shown.PAYABLE


def test_a_record_without_an_id_is_known_by_its_number() -> None:
    assert shown(Listed(None, "MH1", "PENDING")) is Shown.PAYABLE
    assert shown(Listed(None, "MH1", "PAID")) is Shown.SETTLED
    assert shown(Listed("b", "MH1", "PENDING")) is Shown.SETTLED, "that is another challan with the same number"


@pytest.mark.parametrize(
    ("listed", "unreadable"),
    [
        ((), 1),
        ((Listed("a", "MH1", None),), 0),
        ((Listed(None, None, "PAID"),), 0),
    ],
)
def test_what_cannot_be_read_settles_nothing(listed: tuple[Listed, ...], unreadable: int) -> None:
    assert shown(*listed, unreadable=unreadable) is Shown.UNCLEAR


def test_a_link_that_names_no_challans_is_never_settled() -> None:
    assert shown(covered=()) is Shown.UNCLEAR


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


def test_a_link_whose_amounts_add_up_is_not_found() -> None:
    assert sums(amount(), [amount(mode="UPI")], [challan()]) == (None, 0)


def test_parts_that_do_not_come_to_the_total_are_found_for_each_way_to_pay() -> None:
    facts, _ = sums(
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
    assert sums(link, [], [challan(total={"1095.5": "1118", "1077.5": "1100"}.get(total, total))])[0] is None


def test_challans_that_do_not_come_to_the_link_are_found() -> None:
    assert sums(amount(), [], [challan(total="1110")])[0] == {"totals": {"challans": "1110", "link": "1118"}}
    assert sums(amount(), [], [challan(fine="900")])[0] == {"fines": {"challans": "900", "link": "1000"}}


def test_unknown_amounts_are_counted_and_never_zero() -> None:
    assert sums(amount(legal=None), [], [challan()]) == (None, 1)
    assert sums(amount(), [], [challan(total=None)]) == (None, 1)
    assert sums(amount(total=None), [], [challan()]) == (None, 2)
    assert sums(None, [], [challan()]) == (None, 1)
    assert sums(amount(), [], []) == (None, 1)


def test_less_than_half_a_paisa_is_the_same_and_a_paisa_is_not() -> None:
    assert sums(amount(total="1118.0000000001"), [], [challan()])[0] is None
    assert sums(amount(total="1118.01"), [], [challan(total="1118.01")])[0] is not None


# Challans


def test_other_challans_than_asked_are_named_by_their_numbers() -> None:
    facts = other_challans(["a", "b"], ["b", "c"], {"a": "MH1", "c": None})
    assert facts == {
        "asked": 2,
        "covered": 1,
        "missing": ["MH1"],
        "missing_count": 1,
        "strays": ["c"],
        "strays_count": 1,
    }
    assert other_challans(["a", "b"], ["b", "a"], {}) is None


# Late money


def test_a_payment_in_time_is_not_late() -> None:
    assert late("PAID", NOON, NOON + timedelta(hours=1), [Change(NOON, "ACTIVE", "PAID")]) is None
    assert late("EXPIRED", None, NOON, [Change(NOON, "ACTIVE", "EXPIRED")]) is None


def test_money_after_the_end_is_late_by_the_services_own_clock() -> None:
    facts = late("PAID", NOON + timedelta(seconds=1), NOON, [])
    assert facts is not None
    assert facts.keys() == {"after_end"}


@pytest.mark.parametrize("state", ["EXPIRED", "FAILED", "CANCELLED"])
def test_money_after_we_saw_the_link_ended_is_late(state: str) -> None:
    facts = late("PAID", NOON, NOON + timedelta(hours=1), [Change(NOON, state, "PAID")])
    assert facts == {"was_ended": {"state": state, "at": NOON.isoformat()}}


def test_a_payment_that_was_unsaid_is_found_and_stays_so() -> None:
    changes = [Change(NOON, "PAID", "ACTIVE")]
    assert late("ACTIVE", None, None, changes) == {
        "unsaid": {"state": "ACTIVE", "at": NOON.isoformat(), "now": "ACTIVE"}
    }
    again = [*changes, Change(NOON + timedelta(hours=1), "ACTIVE", "PAID")]
    facts = late("PAID", NOON, None, again)
    assert facts is not None
    assert facts["unsaid"]["now"] == "PAID"


def test_amounts_of_any_size_are_compared() -> None:
    huge = replace(amount(), total_amount=Decimal("1e30"))
    facts, _ = sums(huge, [], [challan()])
    assert facts is not None
    assert facts["parts"][0]["total"] == "1E+30"
