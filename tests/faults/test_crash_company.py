"""Test the rows of the crash table with more than one process: workers, stopped senders, colleagues, a deploy."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
import requests

from dashboard.failpoints import Point
from tests.commands.conftest import Running, plain_environ
from tests.faults.scene import Scene
from tests.support import killable_processes
from tests.support.killable_processes import Action, KillableTask, SentForm
from tests.support.people import ASHA, MEERA
from tests.support.ports import free_port
from tests.support.waiting import until

_LOOKS = (Point.RESOLVE_CLAIMED, Point.RESOLVE_SEARCHED, Point.RESOLVE_INSIDE, Point.RESOLVE_DONE)


# Workers


@pytest.mark.parametrize("point", [Point.SWEEP_INSIDE, *_LOOKS])
@pytest.mark.databases
def test_a_worker_that_is_killed_leaves_the_intent_unchanged_or_done(scene, point):
    form = scene.dies(Point.SEND_WHOLE)
    scene.passes(18)
    assert scene.worker_dies(point)
    left = {Point.SWEEP_INSIDE: "SENDING", Point.RESOLVE_DONE: "RECOVERED"}.get(point, "UNKNOWN")
    assert scene.state(form) == left
    assert scene.claimed() == form.challans
    scene.settles()
    assert scene.state(form) == "RECOVERED"
    assert scene.posts == 1
    scene.all_is_well()


@pytest.mark.parametrize("point", _LOOKS)
def test_a_worker_that_is_killed_at_not_created_does_not_delay_it(scene, point):
    form = scene.dies(Point.SEND_HALF)
    for seconds in (18, 31, 80):
        scene.passes(seconds)
        scene.work()
    scene.passes(31)
    assert scene.worker_dies(point)
    assert scene.state(form) == ("NOT_CREATED" if point is Point.RESOLVE_DONE else "UNKNOWN")
    scene.settles()
    assert scene.state(form) == "NOT_CREATED"
    assert not scene.claimed()
    scene.all_is_well()


def test_a_worker_that_is_killed_while_abandoning_leaves_it_to_the_next(scene):
    form = scene.dies(Point.PREPARE_DONE)
    scene.passes(31)
    assert scene.worker_dies(Point.SWEEP_INSIDE)
    assert scene.state(form) == "PREPARED"
    assert scene.claimed() == form.challans
    scene.work()
    assert scene.state(form) == "ABANDONED"
    assert not scene.claimed()
    scene.all_is_well()


@pytest.mark.databases
def test_two_workers_at_once_make_one_attempt(scene):
    form = scene.dies(Point.SEND_WHOLE)
    scene.passes(18)
    scene.app.extensions["services"].outcome_resolver.sweep()
    searched = scene.levers.count("search")
    scene.levers.fault("search", "delay", seconds=0.5)
    workers = [KillableTask(scene.app_factory, killable_processes.run_worker_once) for _ in range(3)]
    for worker in workers:
        worker.result()
    assert scene.levers.count("search") == searched + 1
    assert scene.state(form) == "RECOVERED"
    scene.all_is_well()


# Stopped senders


def test_a_sender_that_was_stopped_past_its_lease_sends_nothing(scene):
    scene.search()
    form = scene.review()
    click = scene.click(form, at=Point.MARK_DONE, action=Action.STOP)
    assert click.wait_stopped()
    assert scene.state(form) == "SENDING"
    scene.settles()
    assert scene.state(form) == "NOT_CREATED"
    again = scene.review(MEERA)
    assert scene.send(again, MEERA).address.startswith("/links/")
    click.resume()
    answer = click.result()
    assert scene.posts == 1, "the colleague's"
    assert scene.state(form) == "NOT_CREATED"
    scene.check_answer(answer, form)
    scene.all_is_well()


def test_a_sender_that_was_stopped_for_a_moment_gives_up_and_says_so(scene):
    scene.search()
    form = scene.review()
    click = scene.click(form, at=Point.MARK_DONE, action=Action.STOP)
    assert click.wait_stopped()
    scene.passes(3)
    click.resume()
    answer = click.result()
    assert scene.posts == 0
    assert (scene.state(form), scene.request_of(form).outcome) == ("NOT_SENT", "TooLate")
    assert "could not leave soon enough after the click" in answer.words
    assert not scene.claimed()
    scene.check_answer(answer, form)
    scene.all_is_well()


@pytest.mark.parametrize("point", [Point.PREPARE_DONE, Point.CONNECT_DONE])
def test_a_sender_that_was_stopped_for_minutes_sends_nothing_though_nobody_abandoned_its_intent(scene, point):
    scene.search()
    form = scene.review()
    click = scene.click(form, at=point, action=Action.STOP)
    assert click.wait_stopped()
    scene.passes(31)
    click.resume()
    answer = click.result()
    assert scene.posts == 0
    assert (scene.state(form), scene.request_of(form).outcome) == ("NOT_SENT", "TooLate")
    assert not scene.claimed()
    scene.check_answer(answer, form)
    scene.all_is_well()


@pytest.mark.parametrize("point", [Point.PREPARE_DONE, Point.CONNECT_DONE])
def test_an_intent_that_was_abandoned_while_its_process_was_stopped_is_not_sent(scene, point):
    scene.search()
    form = scene.review()
    click = scene.click(form, at=point, action=Action.STOP)
    assert click.wait_stopped()
    scene.passes(31)
    scene.work()
    assert scene.state(form) == "ABANDONED"
    click.resume()
    answer = click.result()
    assert scene.posts == 0
    assert "prepared but never sent" in answer.words
    scene.check_answer(answer, form)
    scene.all_is_well()


@pytest.mark.parametrize("point", [Point.SEND_WHOLE, Point.ANSWER_READ, Point.RECORD_INSIDE])
def test_an_answer_that_is_read_after_its_lease_is_recorded(scene, point):
    if point is Point.RECORD_INSIDE and scene.store.is_sqlite:
        pytest.skip("it is stopped with the one write lock of SQLite: no other process can write meanwhile")
    scene.search()
    form = scene.review()
    click = scene.click(form, at=point, action=Action.STOP)
    assert click.wait_stopped()
    scene.awaits_the_service(1)
    if point is not Point.RECORD_INSIDE:
        scene.settles()
        assert scene.state(form) == "RECOVERED"
    click.resume()
    answer = click.result()
    row = scene.request_of(form)
    assert (row.state, row.attribution) == ("CREATED", "certain")
    assert answer.address == f"/links/{row.link_id}"
    assert scene.claimed() == form.challans
    assert scene.posts == 1
    scene.check_answer(answer, form)
    scene.all_is_well()


# Two people, or two clicks


@pytest.mark.databases
def test_a_form_sent_twice_at_once_creates_one_request_and_one_link(scene):
    scene.search()
    form = scene.review()
    answers = [click.result() for click in [scene.click(form) for _ in range(3)]]
    for answer in answers:
        scene.check_answer(answer, form)
    assert len(scene.requests()) == 1
    assert scene.posts == 1
    assert scene.state(form) == "CREATED"
    scene.all_is_well()


def test_a_form_sent_again_while_the_first_is_under_way_leads_to_its_request(scene):
    scene.search()
    form = scene.review()
    click = scene.click(form, at=Point.SEND_WHOLE, action=Action.STOP)
    assert click.wait_stopped()
    answer = scene.send(form)
    assert answer.address == scene.page_of(form)
    assert "no answer is recorded yet" in answer.words
    click.resume()
    assert click.result().address.startswith("/links/")
    assert scene.send(form).address.startswith("/links/")
    assert scene.posts == 1
    scene.all_is_well()


@pytest.mark.databases
def test_two_people_who_click_at_once_create_one_link(scene):
    scene.search()
    forms = {person: scene.review(person) for person in (ASHA, MEERA)}
    clicks = {person: scene.click(form) for person, form in forms.items()}
    for person, click in clicks.items():
        scene.check_answer(click.result(), forms[person], person)
    assert scene.posts == 1
    assert len(scene.requests()) == 1
    scene.all_is_well()


@pytest.mark.parametrize("point", [Point.PREPARE_DONE, Point.SEND_WHOLE, Point.ANSWER_READ])
def test_a_colleague_who_clicks_while_a_request_is_under_way_reads_so_and_sends_nothing(scene, point):
    scene.search()
    form, colleagues = scene.review(), scene.review(MEERA)
    click = scene.click(form, at=point, action=Action.STOP)
    assert click.wait_stopped()
    answer = scene.send(colleagues, MEERA)
    assert answer.status == 422
    assert "No new link was created" in answer.words
    assert "request" in answer.words
    click.resume()
    assert click.result().address.startswith("/links/")
    assert scene.posts == 1
    scene.all_is_well()


# A deploy


def serve(scene: Scene, folder: Path) -> tuple[Running, str]:
    """Start the dashboard as for people, over the scene's store; return its address."""
    environ = {**plain_environ(), **scene.app_factory.environ, "DASHBOARD_LISTEN": f"127.0.0.1:{free_port()}"}
    running = Running(["serve"], environ, folder)
    address = f"http://{environ['DASHBOARD_LISTEN']}"
    running.answers(f"{address}/readyz")
    return running, address


def test_a_deploy_in_mid_send_records_the_answer_and_answers_the_browser(scene, tmp_path):
    scene.search()
    form = scene.review()
    scene.levers.fault("create_link", "delay", seconds=2, when="after")
    running, address = serve(scene, tmp_path)
    try:
        answers: list[requests.Response] = []
        browser = in_the_background(lambda: answers.append(post(address, form)))
        until(lambda: scene.posts == 1)
        assert running.stop(signal.SIGTERM) == 0, running.said
        browser.join(30)
    finally:
        running.process.kill()
    row = scene.request_of(form)
    assert (row.state, row.attribution) == ("CREATED", "certain")
    [answer] = answers
    assert (answer.status_code, answer.headers["Location"]) == (303, f"/links/{row.link_id}")
    assert scene.send(form).address == f"/links/{row.link_id}"
    assert scene.posts == 1
    scene.all_is_well()


def test_a_server_killed_in_mid_send_loses_nothing(scene, tmp_path):
    scene.search()
    form = scene.review()
    scene.levers.fault("create_link", "delay", seconds=4, when="after")
    running, address = serve(scene, tmp_path)
    try:
        browser = in_the_background(lambda: gets_no_answer(address, form))
        until(lambda: scene.levers.truth()["links"])
    finally:
        os.killpg(running.process.pid, signal.SIGKILL)
        running.process.wait()
    browser.join(30)
    assert scene.state(form) == "SENDING"
    scene.settles()
    assert scene.state(form) == "RECOVERED"
    scene.all_is_well()


def post(address: str, form: SentForm) -> requests.Response:
    """Post a form with the headers and the cookie that a browser sends."""
    headers = {"Sec-Fetch-Site": "same-origin"}
    cookies = dict([form.cookie])
    return requests.post(
        f"{address}{form.address}", form.fields, headers=headers, cookies=cookies, allow_redirects=False, timeout=60
    )


def gets_no_answer(address: str, form: SentForm) -> None:
    with pytest.raises(requests.ConnectionError):
        post(address, form)


def in_the_background(act: Callable[[], object]) -> threading.Thread:
    thread = threading.Thread(target=act)
    thread.start()
    return thread
