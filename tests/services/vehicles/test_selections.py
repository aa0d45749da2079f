"""Test what a selection holds after ticks, a review and a created link."""

from tests.support.ledger_fixtures import RC


def selection_of(clerk):
    return clerk.services.selections.of(clerk.person_id, RC)


def test_ticks_are_saved_in_listed_order_each_once_and_leave_the_typed_hours(clerk):
    clerk.search(RC)
    first, second, third, *_ = clerk.payable(RC)
    selections = clerk.services.selections
    selections.replace(clerk.person_id, RC, [second], "72")
    assert selections.tick(clerk.person_id, RC, [third, first, third]) == [first, third]
    assert selection_of(clerk).challan_ids == (first, third)
    assert selection_of(clerk).hours == "72"


def test_what_was_sent_goes_first_and_the_rest_waits_behind(clerk):
    clerk.search(RC)
    first, second, third, *_ = clerk.payable(RC)
    selections = clerk.services.selections
    selections.tick(clerk.person_id, RC, [first, second, third])
    selections.put_first(clerk.person_id, RC, [third], "24")
    assert selection_of(clerk).challan_ids == (third, first, second)
    selections.remove(clerk.person_id, RC, [third])
    assert selection_of(clerk).challan_ids == (first, second)
    assert selection_of(clerk).hours == "24"


def test_a_selection_without_ticks_is_empty(clerk):
    clerk.search(RC)
    clerk.services.selections.tick(clerk.person_id, RC, clerk.payable(RC))
    assert clerk.services.selections.tick(clerk.person_id, RC, []) == []
    assert selection_of(clerk).challan_ids == ()
    assert selection_of(clerk).hours == ""
