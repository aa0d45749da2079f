"""Test whether a listing of the vehicle proves that the paid challans are settled."""

from __future__ import annotations

import pytest

from dashboard.domain.settlements import Covered, Listed, Listing, Settlement, check_settlement

OURS = Covered("a", "MH1")


def result(*listed: Listed, unreadable: int = 0, covered: tuple[Covered, ...] = (OURS,)) -> Settlement:
    return check_settlement(covered, Listing(listed, unreadable)).result


@pytest.mark.parametrize("status", ["PENDING", "TO_BE_ASSIGNED"])
def test_a_challan_with_a_payable_status_is_not_settled(status: str) -> None:
    assert result(Listed("a", "MH1", status)) is Settlement.PAYABLE


@pytest.mark.parametrize("status", ["PAID", "DISPOSED", "IN_COURT_REVIEW", "pending", ""])
def test_any_other_status_counts_as_settled(status: str) -> None:
    assert result(Listed("a", "MH1", status)) is Settlement.SETTLED


def test_a_challan_that_is_no_longer_listed_counts_as_settled() -> None:
    assert result() is Settlement.SETTLED
    assert result(Listed("b", "MH2", "PENDING")) is Settlement.SETTLED


def test_one_payable_challan_keeps_the_whole_link_open() -> None:
    both = (OURS, Covered("b", "MH2"))
    assert result(Listed("a", "MH1", "PAID"), Listed("b", "MH2", "PENDING"), covered=both) is Settlement.PAYABLE


def test_a_record_without_an_id_is_identified_by_its_number() -> None:
    assert result(Listed(None, "MH1", "PENDING")) is Settlement.PAYABLE
    assert result(Listed(None, "MH1", "PAID")) is Settlement.SETTLED
    assert result(Listed("b", "MH1", "PENDING")) is Settlement.SETTLED, "that is another challan with the same number"


@pytest.mark.parametrize(
    ("listed", "unreadable"),
    [
        ((), 1),
        ((Listed("a", "MH1", None),), 0),
        ((Listed(None, None, "PAID"),), 0),
    ],
)
def test_records_that_cannot_be_read_settle_nothing(listed: tuple[Listed, ...], unreadable: int) -> None:
    assert result(*listed, unreadable=unreadable) is Settlement.UNCLEAR


def test_a_link_without_challans_is_never_settled() -> None:
    assert result(covered=()) is Settlement.UNCLEAR
