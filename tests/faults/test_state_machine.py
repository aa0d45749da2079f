"""Check the invariants after every step of random histories of people, the service, time and kills.

Hypothesis generates the histories: clicks, resends and forms used twice, faults of the service, links made, paid and
ended elsewhere, hours that pass, and a process that dies or is held up at any failpoint. Real services over the real
client and the replica on a socket; the clock is virtual.
"""

from __future__ import annotations

import random
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from dashboard.failpoints import Point
from dashboard.store.engine import Store
from tests.conftest import CANARY, ServedReplica
from tests.faults.office import Form, Interruption, Office
from tests.faults.promises import Promises
from tests.faults.surroundings import FLEET
from tests.support.oracle import Kind
from tests.support.people import ASHA, MEERA, Somebody

OpenOffice = Callable[[bool], Office]

INSIDE = {point for point in Point if point.value.endswith(".inside")}
RESOLVE = [point for point in Point if point.value.startswith("resolve.")]
SWEEP_AND_RESOLVE = [Point.SWEEP_INSIDE, *RESOLVE]
CLICKS = [point for point in Point if point not in (Point.SPOOLED, *SWEEP_AND_RESOLVE)]

PEOPLE = st.sampled_from([ASHA, MEERA])
VEHICLES = st.sampled_from(sorted(FLEET))
CHALLANS = st.sets(st.integers(0, 5), min_size=1, max_size=3)
HOURS = st.sampled_from([24, 48, 168])
#: None of our hours: a link created elsewhere in the same seconds, on the same challans and for the same hours, cannot
#: be distinguished from one of ours.
THEIR_HOURS = st.sampled_from([25, 71, 167])
PAUSES = st.sampled_from([0, 1, 20, 45, 131, 400, 4001])
SPANS = st.sampled_from([2, 31, 131, 300, 901, 3600, 6 * 3600 + 1, 26 * 3600])
OTHERS = st.sampled_from(["watcher", "twin", "colleague", "commit", "pay", "expire"])
#: Faults between us and the service: before it receives the request, or after it has handled it.
ANSWERS = st.none() | st.sampled_from(
    [
        *({"kind": "status", "status": code} for code in (400, 401, 403, 404, 413, 422, 429)),
        *({"kind": "status", "status": code, "when": when} for code in (302, 409, 503) for when in ("before", "after")),
        *({"kind": "cut", "when": when} for when in ("before", "after", "after")),
        *({"kind": "corrupt", "corruption": how, "when": "after"} for how in ("html", "empty", "success-false")),
        {"kind": "corrupt", "corruption": "missing-field", "missing": "data.id", "when": "after"},
        {"kind": "truncate", "when": "after"},
        *[{"kind": "late"}] * 3,
    ]
)
READ_FAULTS = st.sampled_from(
    [
        {"kind": "status", "status": 502, "count": 3},
        *({"kind": "status", "status": code} for code in (403, 404, 429)),
        {"kind": "cut", "count": 2},
        {"kind": "corrupt", "corruption": "html", "when": "after"},
    ]
)
#: Changes at the service: commit or drop a late creation, change the secret, or change a challan.
CHANGES = st.sampled_from(
    ["commit", "drop", "revoke", "replace", {"status": "DISPOSED"}, {"gone": True}, {"gone": False}]
)


def interruption_at(point: Point) -> st.SearchStrategy[Interruption]:
    # In the middle of a transaction the other process, which is the same thread, would wait for ever.
    others = st.just(()) if point in INSIDE else st.lists(OTHERS, max_size=3, unique=True).map(tuple)
    # A send that is stopped halfway is cut by its watchdog, which goes by real time.
    seconds = st.just(0) if point is Point.SEND_HALF else PAUSES
    return st.builds(Interruption, st.just(point), seconds, others, st.booleans())


def held_up(points: list[Point]) -> st.SearchStrategy[Interruption | None]:
    return st.none() | st.sampled_from(points).flatmap(interruption_at)


class Histories(RuleBasedStateMachine):
    """Play one history of an office; each rule is a possible next event."""

    forms = Bundle("forms")

    def __init__(self, open_office: OpenOffice, tell: Callable[[Office], None]) -> None:
        super().__init__()
        self._open_office = open_office
        self._tell = tell
        self._numbers = count(1)
        self.office: Office | None = None

    @initialize(
        target=forms,
        late_links=st.booleans(),
        rc=VEHICLES,
        which=CHALLANS,
        answer=ANSWERS,
        held=st.sampled_from(CLICKS).flatmap(interruption_at),
    )
    def opens(self, late_links: bool, rc: str, which: set[int], answer: Any, held: Interruption) -> Form:
        """Open an office and make a first, interrupted click, so that no history is empty."""
        self.office = self._open_office(late_links)
        self.around, self.levers = self.office.around, self.office.around.levers
        self.promises = Promises(self.office)
        for each in FLEET:
            self.office.search(ASHA, each, fresh=False)
        return self.clicks_for_some(ASHA, rc, which, 48, answer, held)

    # People

    @rule(target=forms, person=PEOPLE, rc=VEHICLES, which=CHALLANS, hours=HOURS)
    def opens_a_review(self, person: Somebody, rc: str, which: set[int], hours: int) -> Form:
        """Review the selectable ones of the challans; all of them if none is selectable, as on an outdated page."""
        offered, listed = self.office.offered(rc), self.around.challans[rc]
        wanted = [item for number, item in enumerate(listed) if number in which] or listed
        chosen = [item for item in wanted if item in offered] or wanted
        return Form(person, f"key-of-a-form-{next(self._numbers):08d}", rc, tuple(chosen), hours)

    @rule(target=forms, person=PEOPLE, rc=VEHICLES, which=CHALLANS, hours=HOURS, answer=ANSWERS, held=held_up(CLICKS))
    def clicks_for_some(
        self, person: Somebody, rc: str, which: set[int], hours: int, answer: Any, held: Interruption | None
    ) -> Form:
        form = self.opens_a_review(person, rc, which, hours)
        self.clicks_again(form, answer, held)
        return form

    @rule(target=forms, person=PEOPLE, rc=VEHICLES, answer=ANSWERS, held=held_up(CLICKS))
    def clicks_for_all(self, person: Somebody, rc: str, answer: Any, held: Interruption | None) -> Form:
        return self.clicks_for_some(person, rc, set(range(6)), 48, answer, held)

    @rule(form=forms, answer=ANSWERS, held=held_up(CLICKS))
    def clicks_again(self, form: Form, answer: Any, held: Interruption | None) -> None:
        if answer:
            self.levers.clear_faults()
            self.levers.fault("create_link", **answer)
        before = self.office.request_of(form)
        self.office.run(lambda process: self.office.send(form, process), held, form)
        after = self.office.request_of(form)
        assert before is None or (before.id, before.sends) == (after.id, after.sends), "a resend was sent"

    @rule(form=forms, hours=HOURS)
    def uses_a_form_for_something_else(self, form: Form, hours: int) -> None:
        if self.office.request_of(form) is None or hours == form.hours:
            return
        posts = self.levers.count("create_link")
        other = Form(form.person, form.key, form.rc, form.challan_ids, hours)
        assert self.office.run(lambda process: self.office.send(other, process)) is None
        assert self.levers.count("create_link") == posts

    @rule(person=PEOPLE, rc=VEHICLES, fresh=st.booleans())
    def searches(self, person: Somebody, rc: str, fresh: bool) -> None:
        self.office.search(person, rc, fresh=fresh)

    @rule(form=forms, held=held_up(RESOLVE))
    def resolves_now(self, form: Form, held: Interruption | None) -> None:
        if (row := self.office.request_of(form)) is not None:
            self.office.run(lambda process: process.services.outcome_resolver.resolve(row.id), held, form)

    # The watcher, and time

    @rule(held=held_up(SWEEP_AND_RESOLVE), seconds=PAUSES)
    def the_watcher_works(self, held: Interruption | None, seconds: int) -> None:
        self.around.passes(seconds)
        self.office.run(lambda process: process.watch(), held)

    @rule(seconds=SPANS)
    def time_passes(self, seconds: int) -> None:
        self.around.passes(seconds)

    # The service

    @rule(operation=st.sampled_from(["search", "link_status"]), fault=READ_FAULTS)
    def reads_will_fail(self, operation: str, fault: dict[str, Any]) -> None:
        self.levers.fault(operation, **fault)

    @rule(rc=VEHICLES, which=CHALLANS, hours=THEIR_HOURS)
    def somebody_else_makes_a_link(self, rc: str, which: set[int], hours: int) -> None:
        wanted = [item for number, item in enumerate(self.around.challans[rc]) if number in which]
        self.around.make_elsewhere(wanted, rc, hours, self.office.known_links())

    @rule(pick=st.integers(0, 5), how=st.sampled_from(["pay", "expire", "fail", "cancel", "pay late"]))
    def a_link_ends(self, pick: int, how: str) -> None:
        self.around.end_links(how, self.office.known_links(), pick)

    @rule(rc=VEHICLES, which=st.integers(0, 5), change=CHANGES)
    def the_service_changes(self, rc: str, which: int, change: Any) -> None:
        if change in ("commit", "drop"):
            self.around.settle_late(commit=change == "commit")
        elif change == "revoke":
            self.around.revoke_secret()
        elif change == "replace":
            self.around.replace_secret(f"secret-number-{next(self._numbers):08d}")
        else:
            listed = self.around.challans[rc]
            self.levers.set_challan(listed[which % len(listed)], **change)

    # After each step, and in the end

    @invariant()
    def the_promises_hold(self) -> None:
        self.around.passes(0)
        truth = self.levers.truth()
        self.promises.hold(truth)
        self.office.reads_pages(truth)

    def teardown(self) -> None:
        if self.office is None:
            return
        try:
            if sys.exc_info()[0] is None:
                self.office.settles(self.the_promises_hold)
                self.office.is_true(self.the_promises_hold)
                self._tell(self.office)
        finally:
            self.office.close()


@pytest.fixture
def open_office(
    request: pytest.FixtureRequest,
    ledger: Store,
    served_replica: ServedReplica,
    migrated_database: Path,
    tmp_path: Path,
) -> Iterator[OpenOffice]:
    """Yield a function that opens an office on an empty store; on PostgreSQL it empties the same store each time."""
    numbers = count(1)

    def opened(late_links: bool) -> Office:
        folder = tmp_path / f"office-{next(numbers)}"
        folder.mkdir()
        if ledger.is_sqlite:
            shutil.copyfile(migrated_database, folder / "dashboard.db")
            url = f"sqlite:///{folder / 'dashboard.db'}"
        else:
            url = request.getfixturevalue("migrated_postgres").empty()
        return Office(served_replica.levers, url, folder, CANARY, late_links=late_links)

    yield opened
    served_replica.levers.replace_secret(secret=CANARY)


class Figures(Counter[str]):
    """Add up the figures of the histories for the table of `make faults`."""

    def add(self, office: Office) -> None:
        truth, oracle = office.around.levers.truth(), office.oracle
        self.update(cases=1, kills=office.deaths, posts=truth["calls"].get("create_link", 0), links=len(truth["links"]))
        self.update(duplicates=oracle.count(Kind.DUPLICATE), lost=oracle.count(Kind.LOST))
        self.update(false_words=oracle.count(Kind.FALSE_WORD), stuck=oracle.count(Kind.STUCK))
        self["most_posts"] = max(self["most_posts"], oracle.most_posts)


def few(store: Store) -> settings:
    """Return settings for a few fixed histories, fast enough for every run of the tests."""
    return settings(_ALL, max_examples=6 if store.is_sqlite else 3, derandomize=True)


_ALL = settings(
    stateful_step_count=25,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.generate, Phase.shrink],
    print_blob=False,
)


def test_no_history_breaks_a_promise(ledger: Store, open_office: OpenOffice) -> None:
    figures = Figures()
    run_state_machine_as_test(lambda: Histories(open_office, figures.add), settings=few(ledger))
    assert figures["links"] >= figures["cases"], "the histories are about nothing"


def test_a_link_on_a_delisted_challan_is_awaited_and_found_once_the_challan_is_listed_again(ledger, open_office):
    """No search can show the link meanwhile: its request needs a person, and holds the challan."""
    history = Histories(open_office, lambda office: None)
    rc, which = "KA01CD2002", 2
    history.opens(False, rc, {0}, None, Interruption(Point.PREPARE_DONE))
    history.the_service_changes(rc, which, {"gone": True})
    unreadable = {"kind": "corrupt", "corruption": "success-false", "when": "after"}
    form = history.clicks_for_some(ASHA, rc, {which}, 168, unreadable, None)
    office = history.office
    assert office is not None
    office.settles(history.the_promises_hold)
    waiting = office.request_of(form)
    assert (waiting.state, waiting.link_id) == ("NEEDS_ATTENTION", None)
    history.teardown()


def test_a_link_that_ended_on_a_delisted_challan_is_not_denied_once_the_challan_is_listed_again(ledger, open_office):
    """The service shows no ended links here: what a search shows after the link's lifetime proves nothing."""
    history = Histories(open_office, lambda office: None)
    rc, which = "KA01CD2002", 2
    history.opens(False, rc, {0}, None, Interruption(Point.PREPARE_DONE))
    history.levers.switch(ended_links_visible=False)
    history.the_service_changes(rc, which, {"gone": True})
    unreadable = {"kind": "corrupt", "corruption": "success-false", "when": "after"}
    history.clicks_for_some(ASHA, rc, {which}, 24, unreadable, None)
    office = history.office
    assert office is not None
    office.settles(history.the_promises_hold)
    history.the_service_changes(rc, which, {"gone": False})
    history.teardown()


def test_a_link_from_elsewhere_on_a_delisted_challan_is_not_called_lost(ledger, open_office):
    """No search can show it, and no request of ours waits for it."""
    history = Histories(open_office, lambda office: None)
    history.opens(False, "MH12AB1001", {0, 1}, {"kind": "status", "status": 400}, Interruption(Point.END_INSIDE))
    history.somebody_else_makes_a_link("MH12AB1001", {5}, 71)
    history.the_service_changes("MH12AB1001", 5, {"gone": True})
    history.teardown()


def test_a_second_request_for_the_challans_of_an_ended_link_may_say_that_it_made_none(ledger, open_office):
    """The link of the first request was created before the second one was sent."""
    history = Histories(open_office, lambda office: None)
    history.opens(False, "MH12AB1001", {0, 1}, {"kind": "status", "status": 400}, Interruption(Point.END_INSIDE))
    first = history.clicks_for_all(MEERA, "KA01CD2002", {"kind": "truncate", "when": "after"}, None)
    history.a_link_ends(2, "expire")
    history.resolves_now(first, None)
    history.clicks_for_all(ASHA, "KA01CD2002", {"kind": "status", "status": 503, "when": "before"}, None)
    history.teardown()


@pytest.mark.faults
def test_no_history_of_many_breaks_a_promise(
    request: pytest.FixtureRequest,
    capsys: pytest.CaptureFixture[str],
    ledger: Store,
    open_office: OpenOffice,
    figures: Callable[..., None],
) -> None:
    """Run new histories each time; `--hypothesis-seed` repeats those of a run that printed its seed."""
    asked = request.config.getoption("--hypothesis-seed")
    number = random.SystemRandom().randrange(10**6) if asked is None else int(asked)
    counted = Figures(seed=number)
    with capsys.disabled():
        print(f"\n{ledger.engine.name}: --hypothesis-seed={number}")
    history = seed(number)(lambda: Histories(open_office, counted.add))
    many = settings(_ALL, max_examples=32 if ledger.is_sqlite else 8, stateful_step_count=40)
    try:
        run_state_machine_as_test(history, settings=many)
    except BaseException as error:
        error.add_note(f"Found with --hypothesis-seed={number}.")
        raise
    figures(f"histories, {ledger.engine.name}", **counted)
