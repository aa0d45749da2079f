"""Test several web processes and workers on one store: one link, one poll per interval, one attempt."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import partial
from itertools import pairwise
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select

from dashboard.failpoints import Point
from dashboard.store.engine import Store
from dashboard.store.links.tables import link
from tests.faults.scene import RC, Scene, until
from tests.support import killable_processes
from tests.support.killable_processes import CONTEXT, Action, Answer, AppFactory, KillableTask, SentForm
from tests.support.levers import Levers
from tests.support.long_running_processes import LongRunningProcess, all_stopped, run_worker
from tests.support.people import ASHA, MEERA, Somebody
from tests.support.staff_member import StaffMember
from tests.support.unchecked_page import UncheckedPage

pytestmark = pytest.mark.databases

#: The polling interval of a young link here, in seconds; a fifth more or less.
_POLL = 400


@pytest.fixture
def scene(levers: Levers, ledger: Store, environ: dict[str, str]) -> Iterator[Scene]:
    url = ledger.url.render_as_string(hide_password=False)
    more = {"DASHBOARD_DATABASE_URL": url, "DASHBOARD_CREATE_SECONDS": "30", "DASHBOARD_POLL_SECONDS": str(_POLL)}
    scene = Scene(AppFactory({**environ, **more}), levers)
    yield scene
    scene.close()


# Clicks


def send_all(app: Flask, forms: list[SentForm], together: Any) -> list[Answer]:
    """Send forms from a thread each, at the moment when every process is ready."""
    together.wait(60)
    with ThreadPoolExecutor(len(forms)) as pool:
        return list(pool.map(partial(killable_processes.send_form, app), forms))


def click_everywhere(scene: Scene, forms: list[list[SentForm]]) -> list[Answer]:
    """Send each list of forms from a process of its own, all at once."""
    together = CONTEXT.Barrier(len(forms))
    clicks = [KillableTask(scene.app_factory, send_all, part, together) for part in forms]
    return [answer for click in clicks for answer in click.result()]


def draw(scene: Scene, somebody: Somebody, challans: list[str]) -> SentForm:
    visitor = scene.people[somebody]
    address, fields = UncheckedPage(visitor.get(f"/vehicles/{RC}")).form("Review and create")
    review = UncheckedPage(visitor.post(address, data=fields | {"challan": challans}, follow_redirects=True))
    return killable_processes.open_form(visitor, review, "Create payment link")


def test_one_form_sent_by_thirty_two_threads_of_four_processes_creates_one_link(scene: Scene) -> None:
    scene.search()
    form = scene.review()
    assert form
    answers = click_everywhere(scene, [[form] * 8] * 4)
    (row,) = scene.requests()
    assert (row.state, row.sends) == ("CREATED", 1)
    assert scene.levers.count("create_link") == 1
    assert {answer.status for answer in answers} == {200}
    assert {answer.address for answer in answers} <= {f"/links/{row.link_id}", f"/requests/{row.id}"}
    assert scene.send(form).address == f"/links/{row.link_id}"
    scene.oracle.verify()


def test_thirty_two_forms_that_share_a_challan_create_one_link(scene: Scene) -> None:
    scene.search()
    shared, *others = scene.payable()
    forms = [
        draw(scene, (ASHA, MEERA)[number % 2], [shared, others[number % len(others)]][: 1 + number % 3])
        for number in range(32)
    ]
    answers = click_everywhere(scene, [forms[start::4] for start in range(4)])
    (row,) = [row for row in scene.requests() if row.sends]
    assert row.state == "CREATED"
    assert scene.levers.count("create_link") == 1
    winners = [answer for answer in answers if answer.address == f"/links/{row.link_id}"]
    losers = [answer for answer in answers if answer.status == 422]
    assert (len(winners), len(losers)) == (1, 31)
    said = ("No new link was created", "can go on this new link")
    assert [answer.words for answer in losers if not any(each in answer.words for each in said)] == []
    for form in forms:
        scene.send(form, ASHA if form.cookie == forms[0].cookie else MEERA)
    assert scene.levers.count("create_link") == 1
    scene.oracle.verify()


# Workers


@contextmanager
def workers(scene: Scene, number: int) -> Iterator[list[LongRunningProcess]]:
    crowd: list[LongRunningProcess] = []
    try:
        for _ in range(number):
            crowd.append(LongRunningProcess(run_worker, scene.app_factory, None))
        for worker in crowd:
            worker.wait_ready()
        yield crowd
    finally:
        for worker in crowd:
            worker.close()


def checked_since(scene: Scene, moment: datetime) -> bool:
    with scene.store.read() as connection:
        waiting = select(link.c.id).where((link.c.checked_at < moment) | link.c.checked_at.is_(None))
        return connection.execute(waiting.limit(1)).first() is None


def test_three_workers_poll_each_link_once_an_interval(scene: Scene) -> None:
    services = scene.app.extensions["services"]
    clerk = StaffMember(services, scene.app.extensions["people"].find(ASHA.email).id)
    for item in clerk.search(RC):
        clerk.create(RC, [item.challan.id])
    with workers(scene, 3) as crowd:
        for _ in range(3):
            began = scene.app_factory.clock()
            with all_stopped(crowd):
                scene.passes(_POLL * 1.25)
            until(partial(checked_since, scene, began + timedelta(seconds=_POLL)))
    asked: dict[str, list[datetime]] = {}
    for call in scene.levers.calls("link_status"):
        asked.setdefault(call["path"], []).append(datetime.fromisoformat(call["at"]))
    assert [len(moments) for moments in asked.values()] == [3] * 5, asked
    for moments in asked.values():
        assert min(later - sooner for sooner, later in pairwise(moments)) >= timedelta(seconds=_POLL * 0.8)


def unclear(scene: Scene) -> str:
    """Return an intent whose outcome is unclear and that is due."""
    scene.search()
    form = scene.review()
    assert form
    scene.levers.fault("create_link", "cut", when="after")
    scene.send(form)
    (row,) = scene.requests()
    assert row.state == "UNKNOWN"
    scene.passes(4)
    return str(row.id)


def take(app: Flask, together: Any) -> list[str]:
    together.wait(60)
    return app.extensions["services"].outcome_resolver.claim_due(50)


def resolve(app: Flask, intent_id: str) -> None:
    app.extensions["services"].outcome_resolver.resolve(intent_id)


def test_of_four_workers_one_claims_an_intent_that_is_due(scene: Scene) -> None:
    intent_id = unclear(scene)
    together = CONTEXT.Barrier(4)
    taking = [KillableTask(scene.app_factory, take, together) for _ in range(4)]
    assert sorted(worker.result() for worker in taking) == [[], [], [], [intent_id]]


def test_one_attempt_at_a_time_is_made_on_an_intent(scene: Scene) -> None:
    intent_id = unclear(scene)
    before = scene.levers.count("search")
    slow = KillableTask(scene.app_factory, resolve, intent_id, at=Point.RESOLVE_CLAIMED, action=Action.STOP)
    assert slow.wait_stopped()
    for _ in range(3):
        assert KillableTask(scene.app_factory, resolve, intent_id).result() is None
    killable_processes.run_worker_once(scene.app)
    assert scene.levers.count("search") == before
    slow.resume()
    slow.result()
    assert scene.levers.count("search") == before + 1
    assert scene.requests()[0].state == "RECOVERED"
    scene.oracle.verify()


def test_an_attempt_that_was_stopped_past_its_lease_concludes_nothing_twice(scene: Scene) -> None:
    intent_id = unclear(scene)
    slow = KillableTask(scene.app_factory, resolve, intent_id, at=Point.RESOLVE_SEARCHED, action=Action.STOP)
    assert slow.wait_stopped()
    scene.passes(300)
    assert KillableTask(scene.app_factory, resolve, intent_id).result() is None
    found = scene.requests()[0]
    assert found.state == "RECOVERED"
    slow.resume()
    slow.result()
    assert scene.requests()[0].state_since == found.state_since
    scene.settles()
    scene.oracle.verify()
