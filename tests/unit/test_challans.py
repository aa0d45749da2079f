"""Test which challans may be put on a link, by the service's data alone."""

from dataclasses import replace

import pytest

from dashboard.domain.challans import AttachedLink, Challan, EligibilityGroup, EligibilityReason, eligibility_of

PLAIN = Challan(id="0b0e7a2e-0000-4000-8000-000000000001", challan_no="MH1", status="PENDING")


def on_link(link_status, **changes):
    link = AttachedLink("9d0e7a2e-0000-4000-8000-000000000009", link_status, None, None)
    return replace(PLAIN, payment_link_id=link.id, payment_link=link, prepaid=True, **changes)


@pytest.mark.parametrize("status", ["PENDING", "TO_BE_ASSIGNED"])
def test_the_two_documented_states_are_payable_even_without_an_amount(status):
    assert eligibility_of(replace(PLAIN, status=status)).selectable


@pytest.mark.parametrize("status", ["IN_COURT_REVIEW", "PAID", "pending", ""])
def test_any_other_state_is_not_payable(status):
    assert eligibility_of(replace(PLAIN, status=status)).reason is EligibilityReason.STATUS


@pytest.mark.parametrize("status", ["ACTIVE", "ON_HOLD", "active", ""])
def test_a_challan_on_a_live_link_cannot_be_selected_and_unknown_states_count_as_live(status):
    assert eligibility_of(on_link(status)).group is EligibilityGroup.ON_LINK


@pytest.mark.parametrize("status", ["EXPIRED", "FAILED", "CANCELLED"])
def test_a_challan_on_an_ended_link_can_be_selected_though_it_is_marked_prepaid(status):
    assert eligibility_of(on_link(status)).selectable


def test_a_challan_on_a_paid_link_cannot_be_paid_again():
    assert eligibility_of(on_link("PAID")).reason is EligibilityReason.PAID_LINK


def test_a_link_id_without_its_summary_counts_as_a_live_link():
    assert (
        eligibility_of(replace(PLAIN, payment_link_id="9d0e7a2e-0000-4000-8000-000000000009")).group
        is EligibilityGroup.ON_LINK
    )


def test_prepaid_without_any_visible_link_cannot_be_selected():
    assert eligibility_of(replace(PLAIN, prepaid=True)).reason is EligibilityReason.PREPAID_WITHOUT_LINK


def test_a_missing_required_field_makes_a_challan_unselectable():
    assert eligibility_of(replace(PLAIN, id=None, gaps=("id",))).reason is EligibilityReason.GAPS


def test_an_ended_link_does_not_make_a_settled_challan_payable():
    assert eligibility_of(on_link("EXPIRED", status="DISPOSED")).reason is EligibilityReason.STATUS
