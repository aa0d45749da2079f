"""Test concurrent transactions on the same rows: each is recorded, and none overwrites newer data.

On SQLite writers take turns; on PostgreSQL the second writer waits for the first one's uncommitted rows.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import Connection, event, text

from dashboard.domain.challans import AttachedLink, Challan, SearchResult
from dashboard.domain.intents import IntentState
from dashboard.domain.links import ACTIVE, EXPIRED, PAID, AmountBreakdown, LinkChallan, Organization, PaymentLink
from dashboard.services.links.ledger import enter_link
from dashboard.services.schedule import Schedule
from dashboard.store.accounts import people
from dashboard.store.creation import intents, organization
from dashboard.store.engine import Store
from dashboard.store.links import due_links, duplicates, links
from dashboard.store.links.records import Asked
from dashboard.store.operations import call_blocks
from dashboard.store.operations.call_blocks import CallBlock
from dashboard.store.vehicles import vehicles
from dashboard.upstream.values import amount, count

NOW = datetime(2026, 1, 5, 10, tzinfo=UTC)
LATER = NOW + timedelta(hours=48)
RC = "MH12AB1001"
OTHER_LINK = "9e0f4c11-3a7d-4b52-8c6e-1d2f3a4b5c6d"
LINK = "2b1d3c52-9d8c-4f3e-8a49-0c6f5a3f7e11"
OURS = Organization("5f0c8f7e-3c0e-4a53-9f5e-0d4f2f6f9a01", "Ours")
THEIRS = Organization("a1f9d7b2-7d4c-4f0e-b1f0-5e1d2c3b4a02", "Theirs")
SIGHTED = AttachedLink(LINK, ACTIVE, None, Decimal("500.50"))
Work = Callable[[Connection], Any]


@pytest.fixture
def asha(ledger: Store) -> int:
    values = {"email": "asha@example.com", "name": "Asha", "role": "staff", "password_hash": "-", "created_at": NOW}
    with ledger.write() as connection:
        person = people.add(connection, **values)
    assert person is not None
    return int(person.id)


def moment(seconds: int) -> datetime:
    return NOW + timedelta(seconds=seconds)


def challan(number: int) -> Challan:
    key = f"00000000-0000-4000-8000-{number:012}"
    return Challan(key, f"MH{number}", "PENDING", Decimal(500), Decimal(590))


def listing(*numbers: int) -> SearchResult:
    return SearchResult(RC, None, 0, tuple(map(challan, numbers)))


def covered(number: int, total: str = "590") -> LinkChallan:
    found = challan(number)
    assert found.id
    return LinkChallan(found.id, found.challan_no, RC, "PENDING", None, None, Decimal(500), None, Decimal(total))


def answered(answer: PaymentLink, at: int = 0, started: int = 0) -> Work:
    return lambda connection: (
        links.record_answer(
            connection, answer, moment(at), next_check_at=moment(at + 60), asked=Asked(0, moment(started)), rc=RC
        ).row
    )


def entered(answer: PaymentLink, at: int = 0) -> Work:
    return lambda connection: enter_link(connection, answer, Schedule(), moment(at), rc=RC)


def paid(link_id: str) -> AttachedLink:
    return AttachedLink(link_id, PAID, None, None)


def sighted(connection: Connection) -> bool:
    return links.record_sighting(connection, SIGHTED, RC, NOW)


def searched(result: SearchResult, at: int = 0) -> Work:
    return lambda connection: vehicles.record_search(connection, RC, result, None, moment(at))


def do(store: Store, work: Work) -> Any:
    with store.write() as connection:
        return work(connection)


def overlapping(store: Store, first: Work, second: Work) -> tuple[Any, Any]:
    """Run two transactions; the second begins after the first has done its work and before it commits."""
    worked = threading.Event()

    def leads(follower: Future[Any]) -> Any:
        with store.write() as connection:
            result = first(connection)
            worked.set()
            while not (store.is_sqlite or follower.done() or someone_waits(store)):
                pass
        return result

    def follows() -> Any:
        assert worked.wait(20)
        return do(store, second)

    with ThreadPoolExecutor(2) as pool:
        follower = pool.submit(follows)
        leader = pool.submit(leads, follower)
        return leader.result(30), follower.result(30)


def someone_waits(store: Store) -> bool:
    with store.read() as connection:
        return connection.execute(text("SELECT count(*) FROM pg_locks WHERE NOT granted")).scalar_one() > 0


def crowd(store: Store, work: Work, size: int = 8) -> list[Any]:
    """Run the same work in many concurrent transactions."""
    barrier = threading.Barrier(size)

    def one(_: int) -> Any:
        barrier.wait(20)
        return do(store, work)

    with ThreadPoolExecutor(size) as pool:
        return list(pool.map(one, range(size)))


def the_link(store: Store) -> Any:
    return do(store, lambda connection: links.find(connection, LINK))


def kinds(store: Store) -> list[str]:
    return [row.kind for row in do(store, lambda connection: links.events_of(connection, LINK))]


def listed(store: Store) -> list[tuple[str | None, bool, str | None]]:
    rows = do(store, lambda connection: vehicles.challans_of(connection, RC))
    return [(row.challan.challan_no, row.listed, row.mark) for row in rows]


# Call blocks


def test_every_failure_of_a_crowd_is_counted(ledger: Store) -> None:
    def count(connection: Connection) -> None:
        block = call_blocks.find_locked(connection, "search")
        call_blocks.save(connection, replace(block, failures=block.failures + 1))

    crowd(ledger, count)
    assert do(ledger, lambda connection: call_blocks.find_locked(connection, "search")).failures == 8


def test_two_first_refusals_are_one_block_with_the_time_of_the_first(ledger: Store) -> None:
    def refuse(at: datetime) -> Callable[[Connection], None]:
        def refused(connection: Connection) -> None:
            block = call_blocks.find_locked(connection, "search")
            call_blocks.save(
                connection, CallBlock("search", block.failures + 1, block.since or at, block.blocked_at or at, until=at)
            )

        return refused

    overlapping(ledger, refuse(NOW), refuse(moment(1)))
    block = do(ledger, lambda connection: call_blocks.find_locked(connection, "search"))
    assert (block.failures, block.since, block.until) == (2, NOW, moment(1))


def test_of_a_crowd_that_tries_one_may(ledger: Store) -> None:
    def block(connection: Connection) -> None:
        call_blocks.find_locked(connection, "secret")
        call_blocks.save(connection, CallBlock("secret", 1, NOW, NOW, until=NOW))

    do(ledger, block)
    tried = crowd(ledger, lambda connection: call_blocks.take_try(connection, "secret", moment(1), LATER))
    assert sorted(tried) == [False] * 7 + [True]


# Links


def test_a_link_created_and_sighted_at_once_is_one_link(ledger: Store) -> None:
    _, new = overlapping(ledger, answered(PaymentLink(LINK, ACTIVE, challans=(covered(1),))), sighted)
    assert not new
    assert (the_link(ledger).detailed, kinds(ledger)) == (True, ["observed"])


def test_a_link_sighted_and_created_at_once_has_what_the_creation_told(ledger: Store) -> None:
    new, row = overlapping(ledger, sighted, answered(PaymentLink(LINK, ACTIVE, expires_at=LATER)))
    assert new
    assert (row.version, row.detailed, row.expires_at) == (2, True, LATER)
    assert kinds(ledger) == ["observed"]


def test_of_many_sightings_at_once_one_is_the_first(ledger: Store) -> None:
    assert Counter(crowd(ledger, sighted)) == {True: 1, False: 7}
    assert kinds(ledger) == ["observed"]


def test_two_first_answers_at_once_are_one_link_with_each_challan_once(ledger: Store) -> None:
    answer = PaymentLink(LINK, ACTIVE, challans=(covered(1), covered(2)))
    overlapping(ledger, answered(answer), answered(answer, at=1, started=1))
    assert the_link(ledger).version == 2
    assert len(do(ledger, lambda connection: links.challans_of(connection, LINK))) == 2


@pytest.mark.parametrize("known", ["ended", "sighted", "without its challans"])
def test_of_two_links_on_one_challan_seen_paid_at_once_one_alarms(ledger: Store, known: str) -> None:
    both = [PaymentLink(link_id, PAID, challans=(covered(1),)) for link_id in (LINK, OTHER_LINK)]
    for answer in both:
        if known == "ended":
            do(ledger, entered(replace(answer, status=EXPIRED)))
        elif known == "without its challans":
            do(ledger, entered(replace(answer, challans=())))
        else:
            do(ledger, lambda connection, key=answer.id: links.record_sighting(connection, paid(key), RC, NOW))
    overlapping(ledger, entered(both[0], at=1), entered(both[1], at=1))
    assert {row.alarm_of for row in do(ledger, duplicates.unacknowledged)} == {OTHER_LINK}


def test_every_answer_of_a_crowd_is_counted(ledger: Store) -> None:
    crowd(ledger, answered(PaymentLink(LINK, ACTIVE, challans=(covered(1), covered(2)))))
    assert (the_link(ledger).version, kinds(ledger)) == (8, ["observed"])


@pytest.mark.parametrize("known", [True, False])
def test_an_older_answer_does_not_overwrite_a_newer_one_of_the_same_moment(ledger: Store, known: bool) -> None:
    if known:
        do(ledger, answered(PaymentLink(LINK, ACTIVE)))
    newer = answered(PaymentLink(LINK, PAID, paid_at=moment(4)), at=5, started=4)
    overlapping(ledger, newer, answered(PaymentLink(LINK, ACTIVE), at=9, started=1))
    assert (the_link(ledger).status, the_link(ledger).checked_at) == (PAID, moment(5))


@pytest.mark.parametrize("ahead", [timedelta(0), timedelta(seconds=5), timedelta(minutes=-1)])
def test_newer_means_asked_later_whatever_the_clocks_say(ledger: Store, ahead: timedelta) -> None:
    """The answer of the poll that began first is recorded last; or the hosts' clocks differ, or one stepped back."""
    do(ledger, answered(PaymentLink(LINK, ACTIVE)))
    first = do(ledger, lambda connection: due_links.begin_poll(connection, LINK, moment(10) + ahead))
    second = do(ledger, lambda connection: due_links.begin_poll(connection, LINK, moment(10)))
    for asked, status in ((second, PAID), (first, EXPIRED)):
        answer = PaymentLink(LINK, status)
        do(ledger, lambda connection: links.record_answer(connection, answer, NOW, next_check_at=None, asked=asked))  # noqa: B023 - called at once.
    assert the_link(ledger).status == PAID


def test_an_answer_asked_later_is_recorded_though_an_older_one_was_recorded_meanwhile(ledger: Store) -> None:
    do(ledger, answered(PaymentLink(LINK, ACTIVE)))
    first, second = (
        do(ledger, lambda connection: due_links.begin_poll(connection, LINK, moment(at)))  # noqa: B023 - called at once.
        for at in (1, 2)
    )
    for asked, at, status in ((first, 5, EXPIRED), (second, 6, PAID)):
        answer, when = PaymentLink(LINK, status), moment(at)
        do(ledger, lambda connection: links.record_answer(connection, answer, when, next_check_at=None, asked=asked))  # noqa: B023 - called at once.
    assert the_link(ledger).status == PAID


def test_a_late_record_moves_an_intent_whose_other_outcome_is_not_committed_yet(ledger: Store, asha: int) -> None:
    values: dict[str, Any] = {"intent_id": LINK, "request_key": "k" * 32, "person_id": asha, "rc": RC, "hours": 48}
    do(ledger, lambda connection: intents.add(connection, **values, challan_ids=[challan(1).id or ""], at=NOW))

    def moves(old: IntentState, new: IntentState) -> Work:
        return lambda connection: intents.move(connection, LINK, (old, IntentState.NOT_CREATED), new, NOW)

    do(ledger, moves(IntentState.PREPARED, IntentState.UNKNOWN))
    verdict, late = moves(IntentState.UNKNOWN, IntentState.NOT_CREATED), moves(IntentState.UNKNOWN, IntentState.CREATED)
    assert overlapping(ledger, verdict, late) == (True, True)
    found = do(ledger, lambda connection: intents.find(connection, LINK))
    assert found.state is IntentState.CREATED


# Vehicles


def test_two_first_searches_at_once_are_one_vehicle(ledger: Store) -> None:
    overlapping(ledger, searched(listing(1, 2)), searched(listing(1, 2), at=1))
    assert listed(ledger) == [("MH1", True, None), ("MH2", True, None)]
    row = do(ledger, lambda connection: vehicles.find(connection, RC))
    assert (row.searched_at, row.compared_with) == (moment(1), NOW)


def test_a_search_is_compared_with_the_one_of_the_same_moment(ledger: Store) -> None:
    do(ledger, searched(listing(1)))
    overlapping(ledger, searched(listing(1, 2), at=1), searched(listing(1), at=2))
    assert listed(ledger) == [("MH1", True, None), ("MH2", False, None)]


@pytest.mark.parametrize("known", [True, False])
def test_a_crowd_of_searches_lists_each_challan_once(ledger: Store, known: bool) -> None:
    if known:
        do(ledger, searched(listing(1)))
    crowd(ledger, searched(listing(1, 2, 3)))
    assert [number for number, _, _ in listed(ledger)] == ["MH1", "MH2", "MH3"]


def test_one_of_a_crowd_may_refresh(ledger: Store, asha: int) -> None:
    def take(connection: Connection) -> bool:
        return vehicles.take_refresh(connection, RC, asha, NOW, LATER)

    assert Counter(crowd(ledger, take)) == {True: 1, False: 7}


def test_one_of_a_crowd_takes_over_a_refresh_that_has_run_out(ledger: Store, asha: int) -> None:
    do(ledger, lambda connection: vehicles.take_refresh(connection, RC, asha, NOW, moment(30)))

    def take(connection: Connection) -> bool:
        return vehicles.take_refresh(connection, RC, asha, moment(31), LATER)

    assert Counter(crowd(ledger, take)) == {True: 1, False: 7}


# The organization


def learned(which: Organization) -> Work:
    return lambda connection: organization.learn(connection, which, NOW)


def test_an_organization_learned_twice_at_once_is_known_once(ledger: Store) -> None:
    assert overlapping(ledger, learned(OURS), learned(OURS)) == (True, True)


def test_of_two_organizations_at_once_the_first_is_the_stores(ledger: Store) -> None:
    assert overlapping(ledger, learned(OURS), learned(THEIRS)) == (True, False)
    assert do(ledger, organization.find) == OURS


# Values at the limits of parsing fit the columns


def test_the_longest_amounts_and_counts_that_are_read_can_be_kept(ledger: Store) -> None:
    spelled = ["999999999999.9999999999999999999", "0.000001234567890123456789012345", "1e-64", "0e12"]
    most = [found for found in map(amount, map(Decimal, spelled)) if found is not None]
    assert len(most) == len(spelled)
    for total in most:
        breakdown = AmountBreakdown(total, None, None, None, total)
        assert do(ledger, answered(PaymentLink(LINK, ACTIVE, amount=breakdown))).total == total
    result = replace(listing(1), new_challans_count=count(2**31 - 1))
    do(ledger, searched(result))
    assert do(ledger, lambda connection: vehicles.find(connection, RC)).new_count == 2**31 - 1


def test_no_more_is_read_than_can_be_kept() -> None:
    assert amount(Decimal("1.23456789012345678901234567890123456789012345")) is None
    assert count(2**31) is None
    assert count(Decimal("3e9")) is None


@pytest.mark.parametrize("year", [1, 9999])
def test_an_absurd_clock_of_the_service_can_be_kept(ledger: Store, year: int) -> None:
    answer = PaymentLink(LINK, ACTIVE, service_time=datetime(year, 6, 1, tzinfo=UTC))
    ahead = do(ledger, answered(answer)).service_clock_offset
    assert abs(ahead) == 2**31 - 1
    assert (ahead > 0) == (year > NOW.year)


def test_an_offset_that_differs_by_a_second_stays_as_the_service_says_whole_seconds(ledger: Store) -> None:
    def ahead(seconds: int) -> int | None:
        answer = PaymentLink(LINK, ACTIVE, service_time=NOW + timedelta(seconds=seconds))
        return do(ledger, answered(answer)).service_clock_offset

    assert [ahead(seconds) for seconds in (90, 91, 89, 92, 91)] == [90, 90, 90, 92, 92]


@pytest.mark.parametrize(("told", "kept"), [("mh 12 ab 1001", RC), ("X" * 500, None), ("?", None)])
def test_the_vehicle_of_a_link_is_kept_as_vehicles_are_known(ledger: Store, told: str, kept: str | None) -> None:
    answer = PaymentLink(LINK, ACTIVE, challans=(replace(covered(1), rc_number=told),))
    row = do(ledger, lambda connection: links.record_answer(connection, answer, NOW, next_check_at=None).row)
    assert row.rc == kept


# Fields missing from an answer stay as stored

FULL = PaymentLink(
    LINK,
    ACTIVE,
    organization=OURS,
    payment_url="https://pay.example/1",
    expires_at=LATER,
    amount=AmountBreakdown(None, None, None, None, Decimal(590)),
    payment_mode_options=(AmountBreakdown(None, None, None, None, Decimal(600), "UPI"),),
)


@pytest.mark.parametrize(
    "meagre",
    [
        PaymentLink(LINK, ACTIVE, gaps=("amount", "payment_mode_options")),
        PaymentLink(LINK, None, gaps=("status", "amount", "payment_mode_options")),
    ],
)
def test_an_answer_that_tells_less_erases_nothing(store: Store, meagre: PaymentLink) -> None:
    before = do(store, answered(FULL))
    after = do(store, answered(meagre, at=5, started=4))
    assert after.checked_at == moment(5)
    for name in ("status", "expires_at", "payment_url", "amount", "total", "payment_modes"):
        assert getattr(after, name) == getattr(before, name), name


@pytest.mark.parametrize(("status", "kept"), [(PAID, moment(3)), (None, moment(3)), (EXPIRED, None), (ACTIVE, None)])
def test_the_time_of_the_payment_stays_as_long_as_the_link_is_paid(
    store: Store, status: str | None, kept: datetime | None
) -> None:
    do(store, answered(PaymentLink(LINK, PAID, paid_at=moment(3)), at=4, started=3))
    assert do(store, answered(PaymentLink(LINK, status), at=6, started=5)).paid_at == kept


# A poll writes only changes


def writes(store: Store, work: Work) -> list[str]:
    """Return the kinds of statements that wrote challans of links."""
    said: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        if "link_challan" in statement and not statement.startswith("SELECT"):
            said.append(statement.split(maxsplit=1)[0])

    event.listen(store.engine, "before_cursor_execute", note)
    try:
        do(store, work)
    finally:
        event.remove(store.engine, "before_cursor_execute", note)
    return said


def test_a_poll_writes_only_the_challans_that_changed(ledger: Store) -> None:
    hundred = tuple(covered(number) for number in range(100))
    assert writes(ledger, answered(PaymentLink(LINK, ACTIVE, challans=hundred))) == ["INSERT"]
    assert writes(ledger, answered(PaymentLink(LINK, ACTIVE, challans=hundred), 2, 1)) == []
    changed = (*hundred[:99], covered(99, total="600"), covered(100), covered(101))
    assert writes(ledger, answered(PaymentLink(LINK, ACTIVE, challans=changed), 4, 3)) == ["UPDATE", "INSERT"]
    rows = do(ledger, lambda connection: links.challans_of(connection, LINK))
    assert [row.position for row in rows] == list(range(102))
    assert rows[99].total_amount == 600


def test_a_challan_listed_twice_is_kept_once_and_not_written_again(store: Store) -> None:
    answer = PaymentLink(LINK, ACTIVE, challans=(covered(1), covered(1, total="600")))
    assert writes(store, answered(answer)) == ["INSERT"]
    assert writes(store, answered(answer, 2, 1)) == []
    assert [row.total_amount for row in do(store, lambda connection: links.challans_of(connection, LINK))] == [600]
