"""Test the ticks on the page of a vehicle: saved for their person, summed up, and back after another visit."""

from __future__ import annotations

from flask import Flask

from dashboard.services.container import Services
from tests.support.clock import MovableClock
from tests.support.levers import Levers
from tests.support.page import Page
from tests.support.people import ASHA, MEERA
from tests.support.web_client import HTMX, IN_PLACE, WebClient
from tests.web import steps
from tests.web.steps import RC, VEHICLE, calls_of, challan


def test_ticks_are_saved_for_the_person(staff: WebClient, five: dict[str, str]) -> None:
    steps.searches(staff)
    steps.select(staff, "MH1002", "MH1004")
    assert steps.ticked(staff.page(VEHICLE)) == ["MH1002", "MH1004"]
    staff.submit_sign_out()
    steps.comes_back(staff, ASHA)
    assert steps.ticked(staff.page(VEHICLE)) == ["MH1002", "MH1004"]


def test_ticks_are_not_shown_to_others(staff: WebClient, manager: WebClient, five: dict[str, str]) -> None:
    steps.searches(staff)
    steps.select(staff, "MH1002", "MH1004")
    assert steps.ticked(manager.page(VEHICLE)) == []
    assert manager.get(f"{VEHICLE}/review").headers["Location"] == VEHICLE
    steps.select(manager, "MH1001")
    assert steps.ticked(staff.page(VEHICLE)) == ["MH1002", "MH1004"]


def test_ticks_survive_a_search_and_a_refresh(staff: WebClient, five: dict[str, str]) -> None:
    steps.searches(staff)
    steps.select(staff, "MH1002")
    assert steps.ticked(steps.searched(staff)) == ["MH1002"]
    page = staff.read(staff.page(VEHICLE).form("Refresh from source").submit(challan=[five["MH1003"], five["MH1005"]]))
    assert steps.ticked(page) == ["MH1003", "MH1005"], "ticks that are sent along with a refresh are the newest"


def test_a_review_of_nothing_leads_back_with_a_message(staff: WebClient, five: dict[str, str]) -> None:
    page = steps.searched(staff)
    answer = page.submit("Review and create", challan=None)
    assert answer.headers["Location"] == VEHICLE
    assert "Tick a challan first." in staff.read(answer).text


SUM = {**HTMX, "HX-Target": "selection-sum", "HX-Current-URL": f"http://localhost{VEHICLE}"}


def tick(visitor: WebClient, *challan_ids: str, status: int = 200, **fields: str) -> Page:
    """Tick challans as the page does with scripts, and return the region that answers."""
    headers = {**SUM, "X-CSRFToken": visitor.csrf_token()}
    data = {"challan": list(challan_ids), "ticking": "yes", **fields}
    answer = visitor.post(f"{VEHICLE}/selection", data=data, headers=headers)
    assert answer.status_code == status, answer.text
    return Page(visitor, answer, region=True)


def test_each_tick_is_saved_and_summed_up(staff: WebClient, levers: Levers) -> None:
    levers.add_vehicle(RC, [challan(1), challan(2, challanAmount=None), challan(3)])
    ids = {name: str(box["value"]) for name, box in steps.boxes(steps.searched(staff)).items()}
    calls = len(levers.calls())
    region = tick(staff, ids["MH1001"], ids["MH1002"], step="page.1")
    assert "2 of 3 selected · ₹559.00 + 1 unknown" in region.text
    assert "saved" in region.text
    assert not {"HX-Push-Url", "HX-Retarget"} & set(region.headers.keys())
    assert steps.ticked(staff.page(VEHICLE)) == ["MH1001", "MH1002"]
    assert "0 of 3 selected" in tick(staff, step="page.2").text
    tick(staff, ids["MH1003"], step="page.1")
    assert steps.ticked(staff.page(VEHICLE)) == [], "a tick that was overtaken"
    assert len(levers.calls()) == calls, "no call to the service"


def test_the_plan_of_a_large_selection_comes_with_its_sum(staff: WebClient, levers: Levers) -> None:
    levers.add_vehicle(RC, [challan(number, challanNo=f"MH{number:04}") for number in range(179)])
    ids = [str(box["value"]) for box in steps.boxes(steps.searched(staff)).values()]
    assert "179 challans make 2 links: 100 + 79" in tick(staff, *ids).text


def test_a_challan_that_is_held_by_now_is_not_counted(
    staff: WebClient, manager: WebClient, five: dict[str, str]
) -> None:
    steps.searches(staff)
    steps.create(manager, "MH1002", "MH1003")
    region = tick(staff, five["MH1001"], five["MH1002"], five["MH1003"], "unknown")
    assert "1 of 3 selected" in region.text
    assert "MH1002, MH1003 and (no number) can no longer be paid, and are not counted." in region.text
    sum_ = region.one("#selection-sum")
    assert str(sum_["data-refused"]).split() == [five["MH1002"], five["MH1003"], "unknown"]
    assert sum_["data-announce"], "it is announced"
    assert "no longer be paid" in staff.page(VEHICLE).text


def test_all_are_ticked_where_select_all_was_pressed_before_its_script_had_come(
    staff: WebClient, five: dict[str, str]
) -> None:
    steps.searches(staff)
    address, sent = f"{VEHICLE}/selection", {"csrf_token": staff.csrf_token(), "all": "yes"}
    assert staff.post(address, data=sent).headers["Location"] == f"{VEHICLE}/review"
    assert steps.ticked(staff.page(VEHICLE)) == sorted(five)
    assert not staff.page(VEHICLE).one("#select-all").get("name"), "what is ticked is sent challan by challan"
    staff.post(address, data={**sent, "challan": five["MH1003"]})
    assert steps.ticked(staff.page(VEHICLE)) == ["MH1003"], "what is ticked says more"


def test_select_all_without_its_script_leaves_out_what_is_on_a_link(
    staff: WebClient, five: dict[str, str], services: Services, app: Flask
) -> None:
    steps.searches(staff)
    steps.create(staff, "MH1001", "MH1002")
    staff.post(f"{VEHICLE}/selection", data={"csrf_token": staff.csrf_token(), "all": "yes"})
    person = app.extensions["people"].find(ASHA.email)
    saved = services.selections.of(person.id, RC).challan_ids
    assert sorted(saved) == sorted(five[number] for number in ("MH1003", "MH1004", "MH1005"))


def test_a_review_of_nothing_is_explained_beside_the_button(staff: WebClient, five: dict[str, str]) -> None:
    steps.searches(staff)
    headers = {**IN_PLACE, "HX-Current-URL": f"http://localhost{VEHICLE}", "X-CSRFToken": staff.csrf_token()}
    answer = staff.post(f"{VEHICLE}/selection", data={"selection": "1"}, headers=headers)
    assert (answer.status_code, answer.headers["HX-Retarget"]) == (422, "#selection-sum")
    assert "Tick a challan first." in answer.text
    assert "Tick at least one" not in staff.page(VEHICLE).text


def test_ticks_of_an_earlier_visit_are_said_and_cleared(
    staff: WebClient, five: dict[str, str], clock: MovableClock
) -> None:
    steps.searches(staff)
    steps.select(staff, "MH1002", "MH1004")
    assert "Selection kept" in staff.page(VEHICLE).text
    from_review = staff.get(VEHICLE, headers={"Referer": f"http://localhost{VEHICLE}/review"})
    assert "Selection kept" not in from_review.text, "one visit"
    staff.page(VEHICLE).submit("Clear")
    assert steps.ticked(staff.page(VEHICLE)) == []
    steps.select(staff, "MH1002")
    clock.advance(minutes=20)
    staff.page("/")
    clock.advance(minutes=10)
    page = staff.page(VEHICLE)
    assert steps.ticked(page) == []
    assert "Selection kept" not in page.text


def test_a_tick_of_an_ended_session_returns_to_the_list(
    staff: WebClient, five: dict[str, str], clock: MovableClock
) -> None:
    steps.searches(staff)
    clock.advance(minutes=31)
    region = tick(staff, five["MH1003"], status=401)
    page = staff.read(staff.signs_in(ASHA.email, at=region.headers["HX-Redirect"]))
    assert page.response.request.path == VEHICLE
    assert steps.ticked(page) == ["MH1003"]


def test_a_selection_of_an_ended_session_returns_to_the_review(
    staff: WebClient, five: dict[str, str], levers: Levers, clock: MovableClock
) -> None:
    page = steps.searched(staff)
    clock.advance(minutes=31)
    chosen = [five["MH1001"], five["MH1003"]]

    def sign_in_again() -> None:
        answer = page.submit("Review and create", challan=chosen)
        assert answer.status_code == 303
        review = staff.read(staff.signs_in(ASHA.email, at=answer.headers["Location"]))
        assert review.response.request.path == f"{VEHICLE}/review"
        assert "On the new link (2)" in review.text
        assert "MH1001" in review.text
        assert "MH1003" in review.text

    assert calls_of(levers, sign_in_again) == 0


def test_ticks_of_an_ended_session_are_not_saved_for_another_person(
    staff: WebClient, manager: WebClient, five: dict[str, str], clock: MovableClock
) -> None:
    page = steps.searched(staff)
    clock.advance(minutes=31)
    answer = page.submit("Review and create", challan=[five["MH1001"]])
    staff.signs_in(MEERA.email, at=answer.headers["Location"])
    assert steps.ticked(staff.page(VEHICLE)) == []
