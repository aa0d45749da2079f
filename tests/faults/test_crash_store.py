"""Test the rows of the crash table in which our database, the key or the allowance is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from dashboard.failpoints import Point
from tests.faults import refusals
from tests.faults.refusals import REFUSALS, Full, Gone, Locked, Refusal
from tests.faults.scene import Scene
from tests.support.killable_processes import KillableTask, SentForm
from tests.support.people import MEERA
from tests.support.waiting import until

pytestmark = pytest.mark.databases


@pytest.fixture(params=REFUSALS.values(), ids=REFUSALS)
def refusal(request: pytest.FixtureRequest, scene: Scene) -> Refusal:
    refusal = request.param()
    if isinstance(refusal, Full) and not scene.store.is_sqlite:
        pytest.skip("the disk of a PostgreSQL server cannot be filled from here")
    assert isinstance(refusal, Refusal)
    return refusal


def spooled(tmp_path: Path) -> list[Path]:
    return list((tmp_path / "spool").glob("*.json"))


def sends_into(scene: Scene, refusal: Refusal, *, at: Point | None = None) -> tuple[KillableTask, SentForm]:
    """Let Asha click; the link is created, and from then on the database refuses."""
    scene.search()
    form = scene.review()
    assert form
    click = KillableTask(scene.app_factory, refusals.send, form, refusal.name, at=at)
    assert click.wait_stopped()
    refusal.recorder = click
    refusal.begin(scene.app_factory, scene.store)
    click.resume()
    return click, form


def test_a_link_whose_record_is_refused_and_whose_process_dies_is_recorded_from_disk(scene, tmp_path, refusal):
    click, form = sends_into(scene, refusal, at=Point.SPOOLED)
    assert click.result() is None
    assert click.was_killed
    [file] = spooled(tmp_path)
    refusal.end()
    assert scene.state(form) == "SENDING"
    assert file.stem == scene.request_of(form).id
    assert scene.claimed() == form.challans
    assert "no answer is recorded yet" in scene.reads(scene.page_of(form))
    scene.work()
    row = scene.request_of(form)
    assert (row.state, row.attribution) == ("CREATED", "certain")
    assert row.link_id == scene.levers.truth()["links"][0]["id"]
    assert not spooled(tmp_path)
    assert scene.send(form).address == f"/links/{row.link_id}"
    assert scene.posts == 1
    scene.all_is_well()


def test_a_database_that_recovers_within_the_click_records_the_link(scene, tmp_path, refusal):
    if isinstance(refusal, Gone) and scene.store.is_sqlite:
        pytest.skip("a connection that was made to the empty file stays with it; the worker's has the true one")
    click, form = sends_into(scene, refusal)
    until(lambda: spooled(tmp_path))
    refusal.end()
    answer = click.result()
    assert scene.state(form) == "CREATED"
    assert answer.address == f"/links/{scene.request_of(form).link_id}"
    assert not spooled(tmp_path)
    scene.check_answer(answer, form)
    scene.all_is_well()


def test_a_click_whose_link_cannot_be_recorded_says_that_the_link_was_created(scene, tmp_path):
    refusal = Locked()
    click, form = sends_into(scene, refusal)
    answer = click.result()
    refusal.end()
    assert answer.status == 503
    assert "The link was created" in answer.words
    assert "do not create it again" in answer.words
    assert scene.page_of(form) in answer.words
    scene.check_answer(answer, form)
    assert scene.state(form) == "SENDING"
    scene.work()
    assert scene.state(form) == "CREATED"
    assert not spooled(tmp_path)
    scene.all_is_well()


def test_a_link_recovered_before_it_is_recorded_from_disk_is_recorded_once(scene, tmp_path):
    """Store the ids on the disk of another machine, whose process starts again only after the attempt."""
    refusal = Locked()
    click, form = sends_into(scene, refusal, at=Point.SPOOLED)
    click.result()
    refusal.end()
    (tmp_path / "spool").rename(tmp_path / "elsewhere")
    scene.settles()
    assert scene.state(form) == "RECOVERED"
    (tmp_path / "elsewhere").rename(tmp_path / "spool")
    scene.work()
    row = scene.request_of(form)
    assert (row.state, row.attribution) == ("CREATED", "certain")
    assert not spooled(tmp_path)
    scene.all_is_well()


# Nothing can be called while an outcome is unclear.


def unknown(scene: Scene) -> SentForm:
    """Return the form of a created link whose answer was lost."""
    scene.search()
    form = scene.review()
    assert form
    scene.levers.fault("create_link", "cut", when="after")
    scene.send(form)
    assert scene.state(form) == "UNKNOWN"
    return form


def waits(scene: Scene, form: SentForm, *, minutes: int) -> str:
    """Let workers run, check that the intent does not change, and return the words of its page."""
    for _ in range(minutes):
        scene.passes(60)
        scene.round()
        assert scene.state(form) == "UNKNOWN"
        assert scene.claimed() == form.challans
    words = scene.reads(scene.page_of(form))
    assert "The link may or may not exist. These challans stay reserved." in words
    return words


def resumes(scene: Scene, form: SentForm) -> None:
    scene.settles()
    assert scene.state(form) == "RECOVERED"
    assert scene.posts == 1
    scene.all_is_well()


def test_with_a_revoked_secret_an_unclear_outcome_waits_and_resumes_with_a_new_one_at_once(levers, ledger, tmp_path):
    secret = tmp_path / "secret"
    secret.write_text(levers.replace_secret())
    with Scene.of(levers, ledger, tmp_path, secret_file=secret) as scene:
        form = unknown(scene)
        scene.levers.revoke_secret()
        scene.levers.forget_calls()
        words = waits(scene, form, minutes=10)
        assert "Checking is paused until" in words
        assert "The API key was refused; checking resumes as soon as it changes." in words
        assert len(scene.levers.calls()) <= 3, "a refused key is asked with after 1, 5 and 15 minutes"
        secret.write_text(levers.replace_secret())
        scene.passes(31)
        scene.work()
        assert scene.state(form) == "RECOVERED"
        assert levers.count("create_link") == 0, "none since it was revoked"
        scene.reads_everything()


def test_with_a_spent_search_allowance_an_unclear_outcome_waits_and_resumes(scene):
    form = unknown(scene)
    scene.levers.set_organization(searchAllowance=0)
    words = waits(scene, form, minutes=10)
    assert "Checking is paused until" in words
    assert "Today’s search limit is reached." in words
    scene.levers.set_organization(searchAllowance=None)
    resumes(scene, form)


def test_with_the_search_service_disabled_an_unclear_outcome_waits_and_resumes(scene):
    form = unknown(scene)
    scene.levers.set_organization(searchEnabled=False)
    words = waits(scene, form, minutes=10)
    assert "is not enabled for your organization" in words
    scene.levers.set_organization(searchEnabled=True)
    resumes(scene, form)


def test_during_an_outage_an_unclear_outcome_waits_and_resumes(scene):
    form = unknown(scene)
    scene.levers.fault("*", "cut", count=1000)
    words = waits(scene, form, minutes=10)
    assert "The service did not answer" in words
    assert "Do not create it elsewhere" in words
    assert not scene.payable(MEERA)
    scene.levers.clear_faults()
    resumes(scene, form)
