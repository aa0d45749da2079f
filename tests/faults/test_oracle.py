"""Test that the oracle finds each violation in a real replica and a real store, corrupted on purpose."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from dashboard.domain.challans import AttachedLink
from dashboard.domain.discrepancies import DiscrepancyKind
from dashboard.failpoints import Point
from dashboard.store.creation.intents import claim, intent
from dashboard.store.engine import Store
from dashboard.store.links import links
from dashboard.store.links.tables import link
from dashboard.store.reconciliation import discrepancies
from tests.faults.scene import LISTS, Scene
from tests.faults.stage import RC
from tests.support.killable_processes import Answer, SentForm
from tests.support.levers import Levers
from tests.support.oracle import Kind, Violation
from tests.support.people import MEERA


@pytest.fixture
def scene(levers: Levers, store: Store, tmp_path: Path) -> Iterator[Scene]:
    with Scene.of(levers, store, tmp_path, careful=False) as scene:
        yield scene


@pytest.fixture
def form(scene: Scene) -> SentForm:
    """Return the form of an intent that created a link without any violation."""
    scene.search()
    form = scene.review()
    assert form
    scene.send(form)
    scene.all_is_well()
    return form


def change(scene: Scene, table: Any, **values: Any) -> None:
    """Change the store in a way that the dashboard never does."""
    with scene.store.write() as connection:
        connection.execute(update(table).values(**values))


def finds(scene: Scene, kind: Kind, words: str) -> Violation:
    """Return the violation of a kind that the oracle reports in these words."""
    with pytest.raises(AssertionError) as raised:
        scene.oracle.verify()
    found = [item for item in scene.oracle.violations if item.kind is kind and words in item.words]
    assert found, f"it found only: {raised.value}"
    assert words in str(raised.value)
    return found[0]


def reads(scene: Scene, kind: Kind, words: str) -> None:
    """Expect a violation while people read every page."""
    scene.reads_everything()
    finds(scene, kind, words)


def made_by_nobody(scene: Scene, form: SentForm) -> str:
    """Create a link for the same challans that no intent and no other system accounts for."""
    scene.levers.break_a2()
    link_id = scene.makes_elsewhere(form.challans)
    scene.oracle.theirs.clear()
    return link_id


def test_two_links_for_a_challan(scene, form):
    made_by_nobody(scene, form)
    finds(scene, Kind.DUPLICATE, "is on [")


def test_two_links_for_a_challan_though_one_ends_before_the_end(scene, form):
    second = made_by_nobody(scene, form)
    scene.reads_everything()
    scene.levers.cancel(second)
    finds(scene, Kind.DUPLICATE, second)


def test_a_link_that_the_ledger_does_not_know(scene, form):
    finds_lost = made_by_nobody(scene, form)
    finds(scene, Kind.LOST, f"link {finds_lost} (ACTIVE) is not in the ledger")


def test_a_link_without_an_intent(scene, form):
    change(scene, intent, link_id=None)
    finds(scene, Kind.LOST, "belongs to none of the requests")


def test_a_page_that_denies_a_link_that_was_created(scene, form):
    change(scene, intent, state="NOT_CREATED")
    reads(scene, Kind.FALSE_WORD, "but its page says: ")


def test_a_page_that_denies_a_link_before_anybody_can_know(scene, form):
    words = "The request was sent. If no link was created, the challans become free."
    change(scene, intent, state="UNKNOWN")
    scene.oracle.check_answer(Answer(200, scene.page_of(form), words, ""))
    finds(scene, Kind.FALSE_WORD, "is UNKNOWN, but its page says: ")


@pytest.mark.parametrize("address", ["/links/{}", *LISTS])
def test_a_page_a_list_or_an_export_that_calls_our_link_made_elsewhere(scene, form, address):
    (made,) = scene.levers.truth()["links"]
    change(scene, link, origin="observed", person_id=None, intent_id=None)
    with scene.store.write() as connection:
        discrepancies.record(connection, made["id"], DiscrepancyKind.ELSEWHERE, {}, datetime.now(UTC))
    scene.reads(address.format(made["id"]))
    finds(scene, Kind.FALSE_WORD, "calls made elsewhere")


@pytest.mark.parametrize("address", ["/links/{}", "/", *LISTS])
def test_a_link_of_a_request_whose_outcome_is_open_is_not_called_made_elsewhere(scene, form, address):
    (made,) = scene.levers.truth()["links"]
    change(scene, link, origin="observed", person_id=None, intent_id=None)
    change(scene, intent, state="UNKNOWN", link_id=None)
    with scene.store.write() as connection:
        discrepancies.record(connection, made["id"], DiscrepancyKind.ELSEWHERE, {}, datetime.now(UTC))
    scene.reads(address.format(made["id"]))
    assert not scene.oracle.violations


@pytest.mark.parametrize("address", LISTS)
def test_our_link_that_replaces_one_made_elsewhere_is_not_called_made_elsewhere(scene, form, address):
    scene.levers.break_a2()
    theirs = scene.makes_elsewhere(form.challans)
    scene.search()
    scene.settles()
    scene.levers.cancel(theirs)
    scene.passes(3600)
    scene.settles()
    scene.reads(address)
    assert not [found for found in scene.oracle.violations if found.kind is Kind.FALSE_WORD]


@pytest.mark.parametrize(
    "words",
    [
        "No link was created.",
        "The link was not created.",
        "We found no link.",
        "Creating the link failed.",
        "The request failed.",
        "The link could not be created.",
        "No payment link exists.",
        "Nothing was sent.",
        "No new link was created.",
    ],
)
def test_every_way_to_deny_a_link_is_understood(scene, form, words):
    scene.oracle.check_answer(Answer(200, scene.page_of(form), words, ""))
    finds(scene, Kind.FALSE_WORD, words.rstrip("."))


@pytest.mark.parametrize(
    "words",
    [
        "The link may or may not exist.",
        "The request was sent at 14:03 IST.",
        "a payment attempt failed",
        "No second link was created.",
    ],
)
def test_true_words_are_no_violation(scene, form, words):
    scene.oracle.check_answer(Answer(200, scene.page_of(form), words, ""))
    scene.oracle.verify()


def test_an_answer_that_denies_what_was_sent(scene, form):
    scene.check_answer(
        Answer(422, f"/vehicles/{RC}/links", "Another request holds them. No new link was created.", ""), form
    )
    finds(scene, Kind.FALSE_WORD, "was sent, but /vehicles/")


def test_a_page_that_claims_a_link_that_was_not_created(scene):
    form = scene.dies(Point.SEND_HALF)
    scene.settles()
    change(scene, intent, state="CREATED")
    reads(scene, Kind.FALSE_WORD, "made no link, but its page says so")
    assert scene.state(form) == "CREATED"


def test_a_request_that_calls_another_systems_link_its_own(scene, form):
    scene.oracle.theirs.add(scene.request_of(form).link_id)
    finds(scene, Kind.FALSE_WORD, "and made []")


def test_an_apology_that_is_missing(scene, form):
    change(scene, intent, state="NOT_CREATED")
    scene.oracle.late_links = True
    scene.reads_everything()
    change(scene, intent, state="RECOVERED")
    reads(scene, Kind.FALSE_WORD, "does not say sorry")


def test_an_apology_for_nothing(scene, form):
    scene.oracle.check_answer(Answer(200, scene.page_of(form), "That was wrong, and we are sorry.", ""))
    finds(scene, Kind.FALSE_WORD, "was never denied, and its page says sorry")


def test_a_page_of_a_link_that_does_not_exist(scene, form):
    with scene.store.write() as connection:
        made_up = AttachedLink("11111111-1111-4111-8111-111111111111", "ACTIVE", None, None)
        links.record_sighting(connection, made_up, RC, scene.app_factory.clock())
    reads(scene, Kind.FALSE_WORD, "the service knows no such link")


def test_a_link_shown_as_paid_that_is_not(scene, form):
    change(scene, link, status="PAID")
    reads(scene, Kind.FALSE_WORD, "is shown as PAID and is ACTIVE")


def test_a_form_that_leads_to_the_link_of_another_request(scene, form):
    other = made_by_nobody(scene, form)
    scene.oracle.theirs.add(other)
    scene.check_answer(Answer(200, f"/links/{other}", "", ""), form)
    finds(scene, Kind.FALSE_WORD, f"led to /links/{other}")


@pytest.mark.parametrize("state", ["PREPARED", "SENDING", "UNKNOWN", "NEEDS_ATTENTION"])
def test_a_request_without_an_end(scene, form, state):
    change(scene, intent, state=state)
    finds(scene, Kind.STUCK, f"is {state}")


def test_a_request_that_need_not_have_an_end(scene):
    form = scene.dies(Point.SEND_HALF)
    scene.passes(18)
    scene.work()
    scene.oracle.verify(undecided=[scene.request_of(form).id])


def test_a_second_post_for_a_request(scene, form):
    made_by_nobody(scene, form)
    finds(scene, Kind.POSTS, "2 POSTs for ")
    assert scene.oracle.most_posts == 2


def test_a_post_that_was_never_marked_as_sent(scene, form):
    change(scene, intent, sends=0)
    finds(scene, Kind.POSTS, "and 0 were marked as sent")


def test_a_challan_of_a_live_link_that_is_free_for_us(scene, form):
    change(scene, claim, released_at=scene.app_factory.clock(), why="on purpose")
    finds(scene, Kind.CLAIM, "and free for us")


def test_a_challan_that_stays_held_by_an_intent_without_a_link(scene):
    scene.dies(Point.PREPARE_DONE)
    change(scene, intent, state="ABANDONED")
    finds(scene, Kind.CLAIM, "which is ABANDONED")


def test_a_challan_that_stays_held_by_a_link_that_has_ended(scene, form):
    scene.levers.cancel(scene.request_of(form).link_id)
    finds(scene, Kind.CLAIM, "which has ended")


def test_a_challan_that_is_held_for_no_link(scene, form):
    change(scene, claim, link_id=None)
    finds(scene, Kind.CLAIM, "for no link")


def test_a_challan_that_is_held_and_offered(scene, form):
    page = scene.people[MEERA].get(f"/vehicles/{RC}")
    box = '<input type="checkbox" name="challan" value="{}">'
    markup = page.text + "".join(box.format(challan_id) for challan_id in form.challans)
    scene.oracle.check_answer(Answer(200, f"/vehicles/{RC}", "", page.text))
    scene.oracle.verify()
    scene.oracle.check_answer(Answer(200, f"/vehicles/{RC}", "", markup))
    finds(scene, Kind.CLAIM, "is held, and offered")


def test_an_offer_is_read_from_the_true_page(scene):
    scene.search()
    form = scene.review()
    page = scene.people[MEERA].get(f"/vehicles/{RC}").text
    scene.send(form)
    scene.oracle.check_answer(Answer(200, f"/vehicles/{RC}", "", page))
    finds(scene, Kind.CLAIM, "is held, and offered")


def test_a_status_that_the_service_did_not_return(scene, form):
    scene.levers.pay(scene.request_of(form).link_id)
    finds(scene, Kind.STATE, "is PAID, and we say 'ACTIVE'")


def test_a_link_that_the_service_does_not_have(scene, form):
    with scene.store.write() as connection:
        made_up = AttachedLink("11111111-1111-4111-8111-111111111111", "ACTIVE", None, None)
        links.record_sighting(connection, made_up, RC, scene.app_factory.clock())
    finds(scene, Kind.STATE, "is in the ledger, and the service knows no such link")
