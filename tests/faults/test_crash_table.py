"""Test the rows of the crash table that a click reaches: a real process, a real kill at a failpoint, the replica.

The rows of workers and of many processes are in test_crash_company.py, those of the database in test_crash_store.py.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from dashboard.failpoints import Point
from tests.faults.matrix import BY_NAME, Case, Play
from tests.faults.scene import Scene
from tests.support.killable_processes import Action, SentForm
from tests.support.people import MEERA
from tests.support.waiting import until

#: The shortest time from the end of the lease of a killed send to the verification of absence.
_SETTLE = timedelta(seconds=120)


@pytest.mark.databases
def test_killed_while_preparing_nothing_is_on_disk_and_the_same_form_starts_anew(scene):
    form = scene.dies(Point.PREPARE_INSIDE)
    assert not scene.requests()
    assert not scene.claimed()
    answer = scene.send(form)
    assert scene.state(form) == "CREATED"
    assert answer.address.startswith("/links/")
    assert scene.posts == 1
    scene.all_is_well()


@pytest.mark.parametrize("point", [Point.PREPARE_DONE, Point.CONNECT_DONE, Point.MARK_INSIDE])
def test_killed_before_the_mark_the_intent_is_abandoned_and_never_sent(scene, point):
    form = scene.dies(point)
    ends_abandoned(scene, form)


def ends_abandoned(scene: Scene, form: SentForm) -> None:
    """Check that the challans are free after half a minute, without a search, and that nothing is ever sent."""
    searched = scene.levers.count("search")
    assert scene.state(form) == "PREPARED"
    assert scene.claimed() == form.challans
    assert not scene.payable(MEERA)
    assert "The request is being prepared." in scene.reads(scene.page_of(form))
    scene.passes(15)
    scene.work()
    assert scene.state(form) == "PREPARED"
    scene.passes(16)
    scene.work()
    assert scene.state(form) == "ABANDONED"
    assert not scene.claimed()
    assert set(scene.payable(MEERA)) == form.challans
    answer = scene.send(form)
    assert answer.address == scene.page_of(form)
    assert "prepared but never sent" in answer.words
    assert scene.posts == 0
    assert scene.levers.count("search") == searched, "nothing is unclear"
    scene.all_is_well()


@pytest.mark.parametrize("point", [Point.MARK_DONE, Point.SEND_HALF])
def test_killed_before_the_whole_request_had_left_the_intent_ends_not_created(scene, point):
    form = scene.dies(point)
    assert scene.state(form) == "SENDING"
    sent = scene.request_of(form)
    scene.passes(20)
    while scene.app_factory.clock() < sent.lease_until.replace(microsecond=0) + _SETTLE:
        scene.round()
        assert scene.state(form) in ("SENDING", "UNKNOWN")
        assert scene.claimed() == form.challans
        scene.passes(10)
    scene.settles()
    assert scene.state(form) == "NOT_CREATED"
    assert not scene.claimed()
    assert "found no link" in scene.send(form).words
    assert scene.posts == 0
    searched = scene.levers.count("search")
    again = scene.review(MEERA)
    assert scene.send(again, MEERA).address.startswith("/links/")
    assert scene.levers.count("search") == searched + 1
    assert scene.posts == 1
    scene.all_is_well()


def test_killed_while_connecting_the_intent_is_abandoned_and_never_sent(scene):
    scene.search()
    form = scene.review()
    with full_port() as port:
        environ = {"DASHBOARD_SERVICE_URL": f"http://127.0.0.1:{port}", "DASHBOARD_CONNECT_SECONDS": "20"}
        click = scene.click(
            form, app_factory=replace(scene.app_factory, environ={**scene.app_factory.environ, **environ})
        )
        until(lambda: is_connecting(port))
        click.kill()
    assert click.was_killed
    ends_abandoned(scene, form)


@contextmanager
def full_port() -> Iterator[int]:
    """Open a port at which connections wait for ever: its queue is full, and no thread accepts."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(0)
        port = listening.getsockname()[1]
        first = [socket.socket() for _ in range(4)]
        for waiting in first:
            waiting.setblocking(False)
            waiting.connect_ex(("127.0.0.1", port))
        # Those without a place are still connecting, and could be taken for the click.
        until(lambda: sum(is_connected(waiting) for waiting in first) >= 1)
        for waiting in first:
            if not is_connected(waiting):
                waiting.close()
        yield port
        for waiting in first:
            waiting.close()


def is_connected(sock: socket.socket) -> bool:
    try:
        sock.getpeername()
    except OSError:
        return False
    return True


def is_connecting(port: int) -> bool:
    """Check whether the kernel has a connection to this port under way (state 02 is SYN_SENT)."""
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return any(row[2].endswith(f":{port:04X}") and row[3] == "02" for row in rows)


@pytest.mark.parametrize("point", [Point.SEND_WHOLE, Point.ANSWER_READ, Point.RECORD_INSIDE])
@pytest.mark.databases
def test_killed_after_the_whole_request_had_left_the_link_is_found(scene, point):
    form = scene.dies(point)
    assert scene.state(form) == "SENDING"
    assert scene.claimed() == form.challans
    assert "no answer is recorded yet" in scene.reads(scene.page_of(form))
    scene.passes(18)
    scene.round()
    row = scene.request_of(form)
    assert (row.state, row.attribution) == ("RECOVERED", "inferred")
    assert scene.claimed() == form.challans
    assert "most likely made by the request of" in scene.reads(scene.page_of(form))
    assert scene.send(form).address == f"/links/{row.link_id}"
    assert scene.posts == 1
    scene.all_is_well()


def test_killed_after_the_record_the_same_form_shows_the_link(scene):
    form = scene.dies(Point.RECORD_DONE)
    row = scene.request_of(form)
    assert (row.state, row.attribution) == ("CREATED", "certain")
    answer = scene.send(form)
    assert answer.address == f"/links/{row.link_id}"
    assert scene.posts == 1
    scene.all_is_well()


@pytest.mark.parametrize(
    ("point", "left", "end"),
    [(Point.END_INSIDE, "SENDING", "NOT_CREATED"), (Point.END_DONE, "REJECTED", "REJECTED")],
)
@pytest.mark.databases
def test_killed_at_the_record_of_a_refusal_no_challan_stays_held(scene, point, left, end):
    scene.levers.fault("create_link", "status", status=400)
    form = scene.dies(point)
    assert scene.state(form) == left
    scene.settles()
    assert scene.state(form) == end
    assert not scene.claimed()
    scene.all_is_well()


@pytest.mark.parametrize("point", [Point.END_INSIDE, Point.END_DONE])
def test_killed_at_the_record_of_a_lost_answer_the_link_is_found(scene, point):
    scene.levers.fault("create_link", "cut", when="after")
    form = scene.dies(point)
    scene.settles()
    assert scene.state(form) == "RECOVERED"
    scene.all_is_well()


@pytest.mark.parametrize(
    "behaviour",
    [
        "cut, after",
        "cut, before",
        "502, after",
        "502, before",
        "html, after",
        "truncated, after",
        "no id, after",
        "success false, after",
        "silence past the deadline, after",
        "silence, then made",
        "late, before not created",
        "late, and dropped",
    ],
)
def test_an_unclear_answer_ends_in_the_true_outcome(ledger, levers, tmp_path, behaviour):
    how = BY_NAME[behaviour]
    with Scene.of(levers, ledger, tmp_path, create_seconds="1" if how.hasty else "5") as scene:
        Play(Case(how), scene).run()


# Committed late, after NOT_CREATED.


def verified_absent(scene: Scene) -> SentForm:
    """Return a form whose link is committed after its intent ended NOT_CREATED."""
    scene.oracle.late_links = True
    scene.search()
    form = scene.review()
    scene.levers.break_a4()
    scene.send(form)
    scene.settles()
    assert scene.state(form) == "NOT_CREATED"
    assert "found no link" in scene.reads(scene.page_of(form))
    return form


def apologizes(scene: Scene, form: SentForm) -> None:
    assert scene.state(form) == "RECOVERED"
    assert "We said before that there was no link. That was wrong, and we are sorry" in scene.reads(scene.page_of(form))
    assert scene.claimed() == form.challans
    scene.all_is_well()


def test_a_link_committed_after_not_created_is_adopted_by_the_guard_of_the_next_attempt(scene):
    form = verified_absent(scene)
    again = scene.review(MEERA)
    scene.levers.commit_late()
    answer = scene.send(again, MEERA)
    assert scene.state(again) == "ATTACHED"
    assert "already on another link" in answer.words
    assert scene.posts == 1
    scene.settles()
    apologizes(scene, form)


@pytest.mark.parametrize(("minutes", "then"), [(0, 16), (20, 24 * 60)])
def test_a_link_committed_after_not_created_is_found_by_one_of_the_late_checks(scene, minutes, then):
    form = verified_absent(scene)
    scene.passes(minutes * 60)
    scene.round()
    assert scene.state(form) == "NOT_CREATED"
    scene.levers.commit_late()
    scene.work()
    assert scene.state(form) == "NOT_CREATED", "no attempt has been made yet"
    scene.passes(then * 60)
    for _ in range(3):
        scene.work()
        scene.passes(30)
    scene.signs_in_again()
    apologizes(scene, form)


def test_any_search_of_the_vehicle_finds_a_late_link(scene):
    form = verified_absent(scene)
    scene.levers.commit_late()
    scene.search(MEERA)
    scene.work()
    apologizes(scene, form)
    assert not scene.payable(MEERA)


def test_a_link_committed_before_not_created_is_shown_without_an_apology(scene):
    scene.search()
    form = scene.review()
    scene.levers.break_a4()
    scene.send(form)
    for seconds in (4, 31):
        scene.passes(seconds)
        scene.round()
    assert (scene.state(form), scene.request_of(form).negatives) == ("UNKNOWN", 2)
    scene.levers.commit_late()
    scene.settles()
    assert scene.state(form) == "RECOVERED"
    assert "sorry" not in scene.reads(scene.page_of(form)), "no page had said that there was no link"
    scene.all_is_well()


def test_an_answer_that_is_read_after_not_created_is_shown_with_an_apology(scene):
    """Stop the sender with the whole answer unread, while searches hide the link."""
    scene.oracle.late_links = True
    scene.levers.break_a3(3600)
    scene.search()
    form = scene.review()
    click = scene.click(form, at=Point.SEND_WHOLE, action=Action.STOP)
    assert click.wait_stopped()
    scene.awaits_the_service(1)
    for _ in range(6):
        scene.passes(35)
        scene.work()
    assert "found no link" in scene.reads(scene.page_of(form))
    click.resume()
    scene.check_answer(click.result(), form)
    assert scene.state(form) == "CREATED"
    assert "we are sorry" in scene.reads(scene.page_of(form))
    assert scene.claimed() == form.challans
    scene.all_is_well()
