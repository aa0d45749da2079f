"""Test what a selection holds after ticks, a review and a created link."""

from tests.support.ledger_fixtures import RC


def selection_of(counter):
    return counter.services.selections.of(counter.person_id, RC)


def test_ticks_are_saved_in_listed_order_each_once_and_leave_the_typed_hours(counter):
    counter.search(RC)
    first, second, third, *_ = counter.payable(RC)
    selections = counter.services.selections
    selections.replace(counter.person_id, RC, [second], "72")
    assert selections.tick(counter.person_id, RC, [third, first, third]) == [first, third]
    assert selection_of(counter).challan_ids == (first, third)
    assert selection_of(counter).hours == "72"


def test_what_was_sent_goes_first_and_the_rest_waits_behind(counter):
    counter.search(RC)
    first, second, third, *_ = counter.payable(RC)
    selections = counter.services.selections
    selections.tick(counter.person_id, RC, [first, second, third])
    selections.put_first(counter.person_id, RC, [third], "24")
    assert selection_of(counter).challan_ids == (third, first, second)
    selections.remove(counter.person_id, RC, [third])
    assert selection_of(counter).challan_ids == (first, second)
    assert selection_of(counter).hours == "24"


def test_a_selection_without_ticks_is_empty(counter):
    counter.search(RC)
    counter.services.selections.tick(counter.person_id, RC, counter.payable(RC))
    assert counter.services.selections.tick(counter.person_id, RC, []) == []
    assert selection_of(counter).challan_ids == ()
    assert selection_of(counter).hours == ""
