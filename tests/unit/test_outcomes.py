"""Test which outcome the evidence proves for an intent whose answer was lost."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from dashboard.domain.challans import AttachedLink, Challan
from dashboard.domain.links import LinkChallan, PaymentLink
from dashboard.domain.outcomes import Attempt, Outcome, conclude

SENT = datetime(2026, 11, 21, 8, 30, tzinfo=UTC)
A, B, C = (f"0b0e7a2e-0000-4000-8000-00000000000{n}" for n in "abc")
LINK = "9d0e7a2e-0000-4000-8000-000000000009"


def attempt(*ids, conflict=False, known=()):
    return Attempt(
        frozenset(ids),
        hours=48,
        since_send=timedelta(minutes=2),
        service_now=SENT + timedelta(minutes=2),
        conflict=conflict,
        known_links=frozenset(known),
    )


def challan(challan_id, link_status=None, **changes):
    link = AttachedLink(LINK, link_status, None, None) if link_status else None
    plain = Challan(challan_id, "MH1", "PENDING", payment_link_id=LINK if link else None, payment_link=link)
    return replace(plain, **({"prepaid": link is not None} | changes))


def a_link(*ids, status="ACTIVE", made=SENT + timedelta(seconds=1), expires=True):
    rows = tuple(LinkChallan(item, None, None, None, None, None, None, None, None) for item in ids)
    return PaymentLink(LINK, status, expires_at=made + timedelta(hours=48) if expires else None, challans=rows)


def test_a_link_new_since_the_send_on_exactly_this_set_is_ours():
    listing = [challan(A, "ACTIVE"), challan(B, "ACTIVE"), challan(C)]
    conclusion = conclude(attempt(A, B), listing, {LINK: a_link(A, B)})
    assert (conclusion.outcome, conclusion.link_id) == (Outcome.RECOVERED, LINK)


def test_our_link_is_recovered_although_it_was_paid_or_has_ended():
    for status in ("PAID", "EXPIRED", "CANCELLED"):
        assert conclude(attempt(A), [challan(A, status)], {LINK: a_link(A, status=status)}).outcome is Outcome.RECOVERED


def test_a_link_created_before_the_send_is_not_ours():
    conclusion = conclude(attempt(A), [challan(A, "ACTIVE")], {LINK: a_link(A, made=SENT - timedelta(minutes=1))})
    assert (conclusion.outcome, conclusion.held) == (Outcome.ATTACHED, {A: LINK})


def test_a_link_that_the_ledger_knew_before_is_not_ours():
    conclusion = conclude(attempt(A, known=[LINK]), [challan(A, "ACTIVE")], {LINK: a_link(A)})
    assert conclusion.outcome is Outcome.ATTACHED


def test_a_link_on_another_set_holds_some_and_leaves_the_rest():
    conclusion = conclude(attempt(A, B), [challan(A, "ACTIVE"), challan(B)], {LINK: a_link(A, C)})
    assert (conclusion.outcome, conclusion.held) == (Outcome.ATTACHED, {A: LINK})


def test_a_null_expiry_leaves_the_set_to_decide():
    assert conclude(attempt(A), [challan(A, "ACTIVE")], {LINK: a_link(A, expires=False)}).outcome is Outcome.RECOVERED


def test_there_is_no_outcome_while_a_link_on_the_challans_cannot_be_read():
    assert conclude(attempt(A), [challan(A, "ACTIVE")], {}).outcome is Outcome.NOTHING_YET


def test_all_payable_and_free_is_a_negative():
    assert conclude(attempt(A, B), [challan(A), challan(B)], {}).outcome is Outcome.NEGATIVE


def test_free_of_an_older_ended_link_is_a_negative_too():
    old = a_link(A, status="EXPIRED", made=SENT - timedelta(days=3))
    assert conclude(attempt(A), [challan(A, "EXPIRED")], {LINK: old}).outcome is Outcome.NEGATIVE


def test_links_of_others_after_a_release_prove_nothing():
    asked = replace(attempt(A, B), released=True)
    assert conclude(asked, [challan(A, "ACTIVE"), challan(B)], {LINK: a_link(A, C)}).outcome is Outcome.NOTHING_YET
    paid_since = replace(attempt(A, conflict=True), released=True)
    assert conclude(paid_since, [challan(A, status="DISPOSED")], {}).outcome is Outcome.NOTHING_YET
    assert (
        conclude(asked, [challan(A, "ACTIVE"), challan(B, "ACTIVE")], {LINK: a_link(A, B)}).outcome is Outcome.RECOVERED
    )


def test_free_challans_are_no_negative_when_absence_does_not_count():
    asked = replace(attempt(A), released=True, absence_counts=False)
    assert conclude(asked, [challan(A)], {}).outcome is Outcome.NOTHING_YET
    assert conclude(replace(asked, absence_counts=True), [challan(A)], {}).outcome is Outcome.NEGATIVE


def test_a_challan_that_is_delisted_or_prepaid_without_a_link_allows_no_outcome():
    assert conclude(attempt(A, B), [challan(A)], {}).outcome is Outcome.NOTHING_YET
    assert conclude(attempt(A), [challan(A, prepaid=True)], {}).outcome is Outcome.NOTHING_YET


def test_only_after_a_conflict_does_a_settled_challan_explain_the_refusal():
    listing = [challan(A, status="DISPOSED"), challan(B)]
    assert conclude(attempt(A, B, conflict=True), listing, {}).outcome is Outcome.REJECTED
    assert conclude(attempt(A, B), listing, {}).outcome is Outcome.NOTHING_YET


def test_a_link_observed_before_ours_could_have_been_created_is_not_ours():
    """Created an hour after the send, for 9 hours more than we requested: by its expiry it seems 9 hours younger."""
    a_day_later = replace(attempt(A), since_send=timedelta(hours=24), service_now=SENT + timedelta(hours=24))
    theirs = a_link(A, made=SENT + timedelta(hours=1 + 9))
    known = replace(a_day_later, known_for={LINK: timedelta(hours=23)})
    assert conclude(known, [challan(A, "ACTIVE")], {LINK: theirs}).outcome is Outcome.ATTACHED
    ours = a_link(A, made=SENT + timedelta(hours=1))
    assert conclude(known, [challan(A, "ACTIVE")], {LINK: ours}).outcome is Outcome.RECOVERED


def test_a_link_created_elsewhere_for_longer_is_not_ours_though_its_set_is_the_same():
    for hours in (24, 168):
        made = SENT + timedelta(seconds=1) + timedelta(hours=hours - 48)
        assert conclude(attempt(A), [challan(A, "ACTIVE")], {LINK: a_link(A, made=made)}).outcome is Outcome.ATTACHED


def test_a_service_whose_clock_is_off_does_not_hide_our_own_link():
    for off in (timedelta(minutes=-10), timedelta(minutes=10)):
        asked = replace(attempt(A), service_now=SENT + timedelta(minutes=2) + off)
        made = SENT + timedelta(seconds=1) + off
        assert conclude(asked, [challan(A, "ACTIVE")], {LINK: a_link(A, made=made)}).outcome is Outcome.RECOVERED
