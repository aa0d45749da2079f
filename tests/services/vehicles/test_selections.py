"""Test what a selection holds after ticks, a review and a created link."""

from functools import partial

from dashboard.services.vehicles.selections import EMPTY
from tests.support.ledger_fixtures import RC

LINK = "7d9f3c52-1b6e-4a57-9a05-2f60c1c6a001"


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


def test_what_was_sent_is_reviewed_again_whatever_another_tab_takes_out_meanwhile(clerk):
    clerk.search(RC)
    first, second, *_ = clerk.payable(RC)
    selections = clerk.services.selections
    selections.tick(clerk.person_id, RC, [second])
    sent = selections.put_first(clerk.person_id, RC, [first], "24")
    selections.remove(clerk.person_id, RC, [first, second], LINK)
    assert (sent.challan_ids, sent.hours) == ((first, second), "24")
    assert selections.put_first(clerk.person_id, RC, [], "24") == EMPTY


def test_a_selection_without_ticks_is_empty(clerk):
    clerk.search(RC)
    clerk.services.selections.tick(clerk.person_id, RC, clerk.payable(RC))
    assert clerk.services.selections.tick(clerk.person_id, RC, []) == []
    assert selection_of(clerk).challan_ids == ()
    assert selection_of(clerk).hours == ""


def test_ticks_are_dropped_after_half_an_hour_with_the_typed_hours(clerk, clock):
    clerk.search(RC)
    first, second, *_ = clerk.payable(RC)
    selections = clerk.services.selections
    selections.replace(clerk.person_id, RC, [first], "72")
    clock.advance(minutes=29)
    assert selection_of(clerk).challan_ids == (first,)
    clock.advance(minutes=1)
    assert selection_of(clerk) == EMPTY
    selections.put_first(clerk.person_id, RC, [second], "24")
    assert selection_of(clerk).challan_ids == (second,), "what was dropped does not join a later review"


def test_the_rest_of_a_plan_waits_for_a_day_and_names_the_link_before(clerk, clock):
    clerk.search(RC)
    first, second, third, *_ = clerk.payable(RC)
    selections = clerk.services.selections
    selections.tick(clerk.person_id, RC, [first, second, third])
    selections.remove(clerk.person_id, RC, [first], LINK)
    clock.advance(hours=23)
    assert selection_of(clerk).link_id == LINK
    selections.put_first(clerk.person_id, RC, [second], "24")
    assert selection_of(clerk).link_id == LINK, "until the next link is created"
    clock.advance(hours=24)
    assert selection_of(clerk) == EMPTY
    selections.tick(clerk.person_id, RC, [third])
    assert selection_of(clerk).link_id is None


def test_a_tick_that_a_later_one_of_the_same_page_overtook_is_not_saved(clerk):
    clerk.search(RC)
    first, second, *_ = clerk.payable(RC)
    tick = partial(clerk.services.selections.tick, clerk.person_id, RC)
    tick([first, second], "page-1.10")
    tick([first], "page-1.9")
    assert selection_of(clerk).challan_ids == (first, second)
    tick([second], "page-1.10")
    assert selection_of(clerk).challan_ids == (second,), "the review sends the number of the last tick"
    tick([], "page-1.11")
    tick([first], "page-1.10")
    assert selection_of(clerk).challan_ids == (), "an empty selection remembers its number"
    tick([first], "page-2.1")
    assert selection_of(clerk).challan_ids == (first,), "another page begins anew"
    for number in ("", "page-2", "page-2.x", "." * 99):
        tick([second], number)
        assert selection_of(clerk).challan_ids == (second,)
