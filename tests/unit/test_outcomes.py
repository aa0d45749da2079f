"""What a fresh search may conclude about a request whose answer was lost."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from dashboard.domain.challans import AttachedLink, Challan
from dashboard.domain.links import LinkChallan, PaymentLink
from dashboard.domain.outcomes import Finding, Question, judge

SENT = datetime(2026, 11, 21, 8, 30, tzinfo=UTC)
A, B, C = (f"0b0e7a2e-0000-4000-8000-00000000000{n}" for n in "abc")
LINK = "9d0e7a2e-0000-4000-8000-000000000009"


def question(*ids, conflict=False, known=()):
    return Question(
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
    verdict = judge(question(A, B), listing, {LINK: a_link(A, B)})
    assert (verdict.finding, verdict.link_id) == (Finding.RECOVERED, LINK)


def test_ours_is_found_even_when_it_was_paid_or_has_ended_meanwhile():
    for status in ("PAID", "EXPIRED", "CANCELLED"):
        assert judge(question(A), [challan(A, status)], {LINK: a_link(A, status=status)}).finding is Finding.RECOVERED


def test_a_link_made_before_the_send_is_not_ours():
    verdict = judge(question(A), [challan(A, "ACTIVE")], {LINK: a_link(A, made=SENT - timedelta(minutes=1))})
    assert (verdict.finding, verdict.held) == (Finding.ATTACHED, {A: LINK})


def test_a_link_that_the_ledger_knew_before_is_not_ours():
    verdict = judge(question(A, known=[LINK]), [challan(A, "ACTIVE")], {LINK: a_link(A)})
    assert verdict.finding is Finding.ATTACHED


def test_a_link_on_another_set_holds_some_and_leaves_the_rest():
    verdict = judge(question(A, B), [challan(A, "ACTIVE"), challan(B)], {LINK: a_link(A, C)})
    assert (verdict.finding, verdict.held) == (Finding.ATTACHED, {A: LINK})


def test_a_null_expiry_leaves_the_set_to_decide():
    assert judge(question(A), [challan(A, "ACTIVE")], {LINK: a_link(A, expires=False)}).finding is Finding.RECOVERED


def test_no_verdict_while_a_link_on_the_challans_could_not_be_read():
    assert judge(question(A), [challan(A, "ACTIVE")], {}).finding is Finding.NOTHING_YET


def test_all_payable_and_free_is_a_negative():
    assert judge(question(A, B), [challan(A), challan(B)], {}).finding is Finding.NEGATIVE


def test_free_of_an_older_ended_link_is_a_negative_too():
    old = a_link(A, status="EXPIRED", made=SENT - timedelta(days=3))
    assert judge(question(A), [challan(A, "EXPIRED")], {LINK: old}).finding is Finding.NEGATIVE


def test_what_another_holds_after_the_challans_were_let_go_is_no_verdict():
    asked = replace(question(A, B), let_go=True)
    assert judge(asked, [challan(A, "ACTIVE"), challan(B)], {LINK: a_link(A, C)}).finding is Finding.NOTHING_YET
    paid_since = replace(question(A, conflict=True), let_go=True)
    assert judge(paid_since, [challan(A, status="DISPOSED")], {}).finding is Finding.NOTHING_YET
    assert judge(asked, [challan(A, "ACTIVE"), challan(B, "ACTIVE")], {LINK: a_link(A, B)}).finding is Finding.RECOVERED


def test_free_challans_are_no_negative_where_absence_does_not_show():
    asked = replace(question(A), let_go=True, absence_shows=False)
    assert judge(asked, [challan(A)], {}).finding is Finding.NOTHING_YET
    assert judge(replace(asked, absence_shows=True), [challan(A)], {}).finding is Finding.NEGATIVE


def test_a_challan_that_is_gone_or_prepaid_without_a_link_allows_no_verdict():
    assert judge(question(A, B), [challan(A)], {}).finding is Finding.NOTHING_YET
    assert judge(question(A), [challan(A, prepaid=True)], {}).finding is Finding.NOTHING_YET


def test_only_after_a_conflict_does_a_settled_challan_explain_the_refusal():
    listing = [challan(A, status="DISPOSED"), challan(B)]
    assert judge(question(A, B, conflict=True), listing, {}).finding is Finding.REJECTED
    assert judge(question(A, B), listing, {}).finding is Finding.NOTHING_YET


def test_a_link_that_was_met_before_ours_could_have_been_made_is_not_ours():
    """Made an hour after the send, for 9 hours more than we asked for: by its expiry it seems 9 hours younger."""
    a_day_later = replace(question(A), since_send=timedelta(hours=24), service_now=SENT + timedelta(hours=24))
    theirs = a_link(A, made=SENT + timedelta(hours=1 + 9))
    known = replace(a_day_later, known_for={LINK: timedelta(hours=23)})
    assert judge(known, [challan(A, "ACTIVE")], {LINK: theirs}).finding is Finding.ATTACHED
    ours = a_link(A, made=SENT + timedelta(hours=1))
    assert judge(known, [challan(A, "ACTIVE")], {LINK: ours}).finding is Finding.RECOVERED


def test_a_link_made_elsewhere_for_longer_is_not_ours_though_its_set_is_the_same():
    for hours in (24, 168):
        made = SENT + timedelta(seconds=1) + timedelta(hours=hours - 48)
        assert judge(question(A), [challan(A, "ACTIVE")], {LINK: a_link(A, made=made)}).finding is Finding.ATTACHED


def test_a_service_whose_clock_is_off_does_not_hide_our_own_link():
    for off in (timedelta(minutes=-10), timedelta(minutes=10)):
        asked = replace(question(A), service_now=SENT + timedelta(minutes=2) + off)
        made = SENT + timedelta(seconds=1) + off
        assert judge(asked, [challan(A, "ACTIVE")], {LINK: a_link(A, made=made)}).finding is Finding.RECOVERED
