"""Test marking several discrepancies of a kind as checked with one note, and undoing that."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask

from dashboard.store.accounts import audit
from tests.support.page import Page
from tests.support.people import MEERA
from tests.support.web_client import WebClient
from tests.web.links.test_list import Ledger, link_id
from tests.web.reconciliation.test_discrepancies import enter_duplicates, section

NOTE = "Known: the driver has them."


@pytest.fixture
def entered(app: Flask, clock: Any) -> Ledger:
    return Ledger(app.extensions["services"], clock, observed=True)


def rows(page: Page) -> list[str]:
    """Return what the rows of links created elsewhere send when they are ticked."""
    return [str(box["value"]) for box in page.all("section#elsewhere tbody input[type=checkbox]")]


def ticked(page: Page) -> list[str]:
    return [str(box["value"]) for box in page.all("section#elsewhere tbody input[type=checkbox][checked]")]


def send(manager: WebClient, page: Page, *ticked: str, note: str = NOTE) -> Any:
    """Send the form of several rows with these ticked."""
    return manager.post(action(page), data={"csrf_token": token(page), "row": list(ticked), "note": note})


def action(page: Page) -> str:
    return str(page.one("form#several-elsewhere")["action"])


def token(page: Page) -> str:
    return str(page.one("meta[name=csrf-token]")["content"])


def test_several_rows_are_marked_with_one_note_and_each_keeps_it(
    manager: WebClient, app: Flask, entered: Ledger
) -> None:
    for number in (1, 2, 3):
        entered.enter(number)
    page = manager.page("/reconcile")
    page = manager.read(send(manager, page, *rows(page)[:2]))
    assert "Marked as checked: Created outside this dashboard, 2 links." in page.text
    assert "Created outside this dashboard (1)" in section(page, "elsewhere")
    listed = page.one("details.acknowledged-list").get_text(" ")
    assert listed.count(NOTE) == 2
    marked = [number for number in (1, 2, 3) if NOTE in manager.page(f"/links/{link_id(number)}").text]
    assert len(marked) == 2
    with app.extensions["store"].read() as connection:
        entries = audit.newest(connection)[:2]
    assert [(each.action, each.name, each.detail) for each in entries] == [
        ("finding seen", MEERA.name, {"kind": "elsewhere"})
    ] * 2


def test_marking_several_is_undone_at_once(manager: WebClient, app: Flask, entered: Ledger) -> None:
    entered.enter(1)
    entered.enter(2)
    page = manager.page("/reconcile/findings/elsewhere")
    page = manager.read(send(manager, page, *rows(page)))
    undone = manager.read(page.submit("Undo"))
    assert "To be checked again: Created outside this dashboard, 2 links." in undone.text
    assert undone.heading == "Created outside this dashboard"
    assert len(undone.all("tbody.discrepancy")) == 2
    with app.extensions["store"].read() as connection:
        assert [each.action for each in audit.newest(connection)[:2]] == ["finding reopened"] * 2


def test_a_refused_note_keeps_what_was_typed_and_ticked(manager: WebClient, entered: Ledger) -> None:
    for number in (1, 2, 3):
        entered.enter(number)
    page = manager.page("/reconcile")
    answer = send(manager, page, *rows(page)[:2], note="x")
    assert answer.status_code == 422
    page = Page(manager, answer)
    assert "Write a note of 3 to 500 characters" in section(page, "elsewhere")
    assert page.one("#note-elsewhere")["value"] == "x"
    assert page.one("#note-elsewhere")["aria-invalid"] == "true"
    assert page.one(".discrepancy-several").has_attr("open")
    assert len(ticked(page)) == 2
    assert not page.all(".acknowledged-list")


def test_no_row_is_ticked_in_advance(manager: WebClient, entered: Ledger) -> None:
    entered.enter(1)
    entered.enter(2)
    page = manager.page("/reconcile")
    assert len(rows(page)) == 2
    assert not ticked(page)


def test_without_a_tick_nothing_is_marked_and_the_note_stays(manager: WebClient, entered: Ledger) -> None:
    entered.enter(1)
    entered.enter(2)
    answer = send(manager, manager.page("/reconcile"))
    assert answer.status_code == 422
    page = Page(manager, answer)
    assert "Tick at least one row." in section(page, "elsewhere")
    assert not page.one("#note-elsewhere").has_attr("aria-invalid"), "nothing is wrong with the note"
    assert page.one("#note-elsewhere")["value"] == NOTE
    assert "Created outside this dashboard (2)" in section(page, "elsewhere")


def test_what_a_colleague_marked_meanwhile_is_counted_and_the_others_are_marked(
    manager: WebClient, entered: Ledger
) -> None:
    entered.enter(1)
    entered.enter(2)
    page = manager.page("/reconcile")
    send(manager, page, rows(page)[0], note="Not ours.")
    later = manager.read(send(manager, page, *rows(page)))
    assert "Marked as checked: Created outside this dashboard, 1 link." in later.text
    assert "1 not marked: it changed meanwhile, or a colleague was first." in later.text
    noted = later.one("details.acknowledged-list").get_text(" ")
    assert noted.count(NOTE) == noted.count("Not ours.") == 1


def test_what_is_open_again_already_is_not_reopened_twice(manager: WebClient, entered: Ledger) -> None:
    entered.enter(1)
    entered.enter(2)
    page = manager.page("/reconcile")
    undo = action(page).replace("/seen", "/open")
    answer = manager.read(manager.post(undo, data={"csrf_token": token(page), "row": " ".join(rows(page))}))
    assert "Not undone: this changed meanwhile" in answer.text
    assert "To be checked again" not in answer.text


def test_a_note_on_several_typed_before_the_session_ended_waits(manager: WebClient, entered: Ledger) -> None:
    for number in (1, 2, 3):
        entered.enter(number)
    page = manager.page("/reconcile")
    chosen = rows(page)[:2]
    entered.clock.advance(minutes=31)
    answer = send(manager, page, *chosen, note="half a thou")
    assert answer.headers["Location"].startswith("/sign-in")
    page = manager.read(manager.signs_in(MEERA.email, at=answer.headers["Location"]))
    assert page.one("#note-elsewhere")["value"] == "half a thou"
    assert page.one(".discrepancy-several").has_attr("open")
    assert ticked(page) == chosen
    assert "Created outside this dashboard (3)" in section(page, "elsewhere"), "signing in acknowledged nothing"
    sent = manager.read(send(manager, page, chosen[0], note="half a thought"))
    assert not sent.one(".discrepancy-several").has_attr("open"), "it waits no longer"
    assert sent.one("#note-elsewhere")["value"] == ""


def test_what_cannot_be_read_is_not_marked(manager: WebClient, entered: Ledger) -> None:
    entered.enter(1)
    entered.enter(2)
    page = manager.page("/reconcile")
    later = manager.read(send(manager, page, "x", "1", f"{10**12}.1", "9999.1"))
    assert "1 not marked" in later.text
    assert "Created outside this dashboard (2)" in section(later, "elsewhere")


def test_alarms_have_a_note_each(manager: WebClient, entered: Ledger) -> None:
    enter_duplicates(entered)
    page = manager.page("/reconcile")
    assert page.all("section#double tbody.discrepancy")
    fields = {"csrf_token": token(page), "row": ["1.1"], "note": NOTE}
    for kind in ("double", "of-no-kind"):
        assert manager.post(f"/reconcile/findings/{kind}/seen", data=fields).status_code == 404
        assert manager.post(f"/reconcile/findings/{kind}/open", data=fields).status_code == 404


def test_a_row_of_another_kind_is_not_marked_with_them(manager: WebClient, entered: Ledger) -> None:
    enter_duplicates(entered)
    page = manager.page("/reconcile")
    [alarm] = page.all("section#double tbody.discrepancy")
    version = alarm.select_one("input[name=version]")
    assert version is not None
    number = str(alarm["id"]).removeprefix("discrepancy-")
    later = manager.read(send(manager, page, *rows(page), f"{number}.{version['value']}"))
    assert "1 not marked" in later.text
    assert later.all("section#double tbody.discrepancy"), "an alarm needs a note of its own"
    assert "Marked as checked: Created outside this dashboard, 2 links." in later.text


def test_a_kind_with_one_row_offers_its_own_note_only(manager: WebClient, entered: Ledger) -> None:
    entered.enter(1)
    page = manager.page("/reconcile")
    assert page.all("section#elsewhere form.tick-form")
    assert not page.all("form#several-elsewhere")


def test_staff_cannot_mark_several(staff: WebClient, manager: WebClient, entered: Ledger) -> None:
    entered.enter(1)
    entered.enter(2)
    page = manager.page("/reconcile")
    fields = {"csrf_token": token(staff.page("/")), "row": rows(page), "note": NOTE}
    answer = staff.post(action(page), data=fields)
    assert answer.status_code == 403
    assert "Created outside this dashboard (2)" in section(manager.page("/reconcile"), "elsewhere")
