"""Test the page of a vehicle: what can be paid, what cannot and why, refreshes and ticks."""

from __future__ import annotations

import json
import re
import uuid

import pytest

from dashboard.services.container import Services
from dashboard.store.accounts import people
from dashboard.store.engine import Store
from dashboard.store.vehicles import vehicles
from dashboard.web.shared.texts import link_state
from tests.support.clock import MovableClock
from tests.support.levers import Levers
from tests.support.page import Page, words
from tests.support.people import ASHA, MEERA
from tests.support.web_client import HTMX, IN_PLACE, WebClient
from tests.web import steps
from tests.web.steps import RC, VEHICLE, calls_of, challan

LINK = "7d9f3c52-1b6e-4a57-9a05-2f60c1c6a001"


def summary(status: str, **more: object) -> dict[str, object]:
    """Return the fields by which a search describes the link that holds a challan."""
    link = {"id": LINK, "status": status, "externalPaymentUrl": None, "totalAmount": 500} | more
    return {"paymentLinkId": LINK, "paymentLink": link, "prepaid": True}


# The address


@pytest.mark.parametrize("spelled", ["mh12ab1001", "MH12%20AB%201001", "mh-12-ab-1001"])
def test_an_address_in_another_spelling_redirects_to_the_stored_one(
    staff: WebClient, five: dict[str, str], spelled: str
) -> None:
    steps.searches(staff)
    answer = staff.get(f"/vehicles/{spelled}")
    assert (answer.status_code, answer.headers["Location"]) == (308, VEHICLE)


@pytest.mark.parametrize("spelled", ["MH12%3F", "%E0%A4%AE", "-", "M" * 21])
def test_an_address_that_cannot_be_a_number_is_not_found(staff: WebClient, spelled: str) -> None:
    page = staff.page(f"/vehicles/{spelled}", status=404)
    assert "Page not found" in page.text


# The three groups


@pytest.fixture
def mixed(levers: Levers) -> None:
    """Add a vehicle with a challan of every eligibility."""
    orders = [
        challan(1),
        challan(2, status="TO_BE_ASSIGNED"),
        challan(3, status="IN_COURT_REVIEW"),
        challan(4, raw={"prepaid": True}),
        challan(5, raw=summary("ACTIVE")),
        challan(6, raw={"-": ["status"]}),
    ]
    levers.add_vehicle(RC, orders)


def test_the_three_groups_stand_in_one_table(staff: WebClient, mixed: None) -> None:
    page = steps.searched(staff)
    assert len(page.all("main table.table-challans")) == len(page.all("main table")) == 1
    assert steps.group(page, "payable") == ["MH1001", "MH1002"]
    assert steps.group(page, "on_link") == ["MH1005"]
    assert sorted(steps.group(page, "not_payable")) == ["MH1003", "MH1004", "MH1006"]
    assert "2 can be paid · 1 on a link · 3 not payable" in page.text


def test_only_payable_rows_have_a_checkbox_named_by_the_challan_number(staff: WebClient, mixed: None) -> None:
    page = steps.searched(staff)
    assert list(steps.boxes(page)) == ["MH1001", "MH1002"]
    assert page.field("MH1001")["type"] == "checkbox"
    assert len(page.all("tr.challan input")) == 2
    assert page.field("Select all payable")["type"] == "checkbox"


def test_the_review_button_is_never_disabled(staff: WebClient, mixed: None) -> None:
    page = steps.searched(staff)
    button = page.form("Review and create")
    assert button
    assert not [item for item in page.all("main button") if item.has_attr("disabled")]


def test_an_unknown_status_is_shown_as_sent_and_not_payable(staff: WebClient, levers: Levers) -> None:
    levers.add_vehicle(RC, [challan(1, status="zur Prüfung_2"), challan(2, challanType="MYSTERY")])
    page = steps.searched(staff)
    assert steps.group(page, "not_payable") == ["MH1001"]
    assert "zur Prüfung_2" in steps.row(page, "MH1001")
    assert "MYSTERY" in steps.row(page, "MH1002")


def test_prepaid_without_a_link_cannot_be_ticked_and_a_refresh_is_offered(staff: WebClient, mixed: None) -> None:
    page = steps.searched(staff)
    shown = steps.row(page, "MH1004")
    assert "Pending" in shown
    assert "prepaid, but no link is shown. Refresh from source to check again." in shown
    assert "Refresh from source" in page.buttons()


def test_a_record_with_a_gap_is_shown_and_cannot_be_ticked(staff: WebClient, mixed: None) -> None:
    assert "The service sent it without a status." in steps.row(steps.searched(staff), "MH1006")


ELIGIBILITIES = [
    (summary("ACTIVE"), "on_link"),
    (summary("ON_HOLD"), "held"),
    (summary("PAID"), "not_payable"),
    (summary("EXPIRED"), "payable"),
    (summary("FAILED"), "payable"),
    (summary("CANCELLED"), "payable"),
    ({"paymentLinkId": LINK, "prepaid": True}, "held"),
]


@pytest.mark.parametrize(("shown", "group"), ELIGIBILITIES)
def test_the_status_of_a_link_decides_the_group_of_its_challan(
    staff: WebClient, levers: Levers, shown: dict[str, object], group: str
) -> None:
    levers.add_vehicle(RC, [challan(1, raw=shown), challan(2)])
    page = steps.searched(staff)
    assert "MH1001" in steps.group(page, group)
    assert ("MH1001" in steps.boxes(page)) == (group == "payable")


def test_challans_of_an_unclear_request_are_not_called_on_an_active_link(
    staff: WebClient, searched: dict[str, str], levers: Levers
) -> None:
    levers.fault("create_link", "status", status=500, when="after")
    assert steps.create(staff, "MH1001", "MH1002").headers["Location"].startswith("/requests/")
    page = staff.page(VEHICLE)
    assert steps.group(page, "on_link") == []
    assert sorted(steps.group(page, "held")) == ["MH1001", "MH1002"]
    assert "Held (2)" in page.text
    assert "3 can be paid · 0 on a link · 2 held · 0 not payable" in page.text
    for address in ("/", "/vehicles"):
        [on_link] = staff.page(address).all(".table-vehicles td[data-label='On a link']")
        assert words(on_link.get_text()) == "0", address


def test_without_held_challans_there_is_no_such_group(staff: WebClient, searched: dict[str, str]) -> None:
    assert "Held" not in staff.page(VEHICLE).one("#selection").get_text()


@pytest.mark.parametrize("status", ["ACTIVE", "ON_HOLD", "PAID"])
def test_a_held_challan_leads_to_the_link_that_holds_it(staff: WebClient, levers: Levers, status: str) -> None:
    levers.add_vehicle(RC, [challan(1, raw=summary(status)), challan(2)])
    page = steps.searched(staff)
    assert link_state(status).shown in steps.row(page, "MH1001")
    assert page.link("open link , which holds MH1001") == f"/links/{LINK}"
    link = staff.page(f"/links/{LINK}")
    assert link.one("#link-panel")["data-status"] == status
    assert "Created outside this dashboard" in link.text


def test_unknown_amounts_are_counted_and_never_zero(staff: WebClient, levers: Levers) -> None:
    levers.add_vehicle(RC, [challan(1, challanAmount=100000), challan(2, challanAmount=None), challan(3)])
    page = steps.searched(staff)
    shown = steps.row(page, "MH1002")
    assert "unknown unknown" in shown
    assert "₹0" not in shown
    # Legal fee at most 499.00 with 18 % on it; and 50.00 with 9.00 for the third.
    assert "₹1,01,147.82 · 1 with amount not known yet" in page.text
    assert "₹1,00,000.00" in steps.row(page, "MH1001")
    assert "MH1002" in steps.boxes(page), "a documented null does not make a challan unselectable"
    known = staff.page("/")
    assert "1 with amount not known yet" in known.text


def test_text_from_the_service_is_escaped(staff: WebClient, levers: Levers) -> None:
    hostile = "<script>alert(1)</script>{{ 7*7 }}"
    levers.add_vehicle(RC, [challan(1, offenseDetails=hostile, challanPlace=hostile, status=hostile, state=hostile)])
    page = steps.searched(staff)
    assert hostile in steps.row(page, "MH1001")
    assert not page.all("main script")


def test_a_vehicle_without_challans_says_so(staff: WebClient, levers: Levers) -> None:
    levers.add_vehicle(RC)
    page = steps.searched(staff)
    assert "The service has none for this vehicle." in page.text
    assert "Refresh from source" in page.buttons()


# Refreshes from the source


def test_a_refresh_shows_what_is_new_changed_and_gone(
    staff: WebClient, five: dict[str, str], levers: Levers, clock: MovableClock
) -> None:
    page = steps.searched(staff)
    assert not page.all(".mark")
    levers.issue_challan(RC, **challan(6))
    levers.set_challan(five["MH1002"], challanAmount=750)
    levers.set_challan(five["MH1003"], status="DISPOSED")
    levers.set_challan(five["MH1004"], gone=True)
    assert not steps.searched(staff).all(".mark"), "a search may answer from the service's cache"
    clock.advance(minutes=5)
    page = staff.read(steps.refresh(staff))
    assert "1 new challan since" in page.text
    assert "MH1006 NEW" in steps.row(page, "MH1006")
    assert "MH1002 CHANGED" in steps.row(page, "MH1002")
    assert "Fine was 500" in steps.row(page, "MH1002")
    assert "Status was Pending" in steps.row(page, "MH1003")
    assert steps.group(page, "not_payable") == ["MH1003"]
    gone = page.one(".gone").get_text(" ")
    assert "MH1004" in gone
    assert "These challans are no longer listed. They may have been paid." in gone
    assert "MH1004" not in steps.boxes(page)


def test_a_refresh_asks_the_source_itself(staff: WebClient, five: dict[str, str], levers: Levers, store: Store) -> None:
    steps.searches(staff)
    assert steps.refresh(staff).status_code == 303
    first, second = (call["body"] for call in levers.calls("search"))
    assert "bypassCache" not in first
    assert '"bypassCache":true' in second
    assert steps.audited(store) == [("search", RC, "Asha Rao"), ("refresh", RC, "Asha Rao")]


def test_a_second_refresh_is_refused_and_says_who_refreshes(
    staff: WebClient, manager: WebClient, five: dict[str, str], levers: Levers, services: Services
) -> None:
    steps.searches(staff)
    with services.store.write() as connection:
        asha = people.find_by_email(connection, ASHA.email)
        now = services.clock()
        assert vehicles.take_refresh(connection, RC, asha.id, now, now + services.schedule.refresh_deadline)

    def second() -> None:
        page = manager.read(steps.refresh(manager))
        assert "A colleague is refreshing this vehicle from the source just now." in page.text
        assert "Asha Rao is refreshing this vehicle from the source just now." in page.text
        assert list(steps.boxes(page)) == list(five)

    assert calls_of(levers, second) == 0


def test_a_person_refreshes_a_vehicle_once_a_minute(
    staff: WebClient, manager: WebClient, five: dict[str, str], levers: Levers, clock: MovableClock
) -> None:
    steps.searches(staff)
    assert calls_of(levers, lambda: steps.refresh(staff)) == 1
    clock.advance(seconds=20)

    def again() -> None:
        page = staff.read(steps.refresh(staff))
        assert "You refreshed this vehicle from the source less than a minute ago." in page.text
        assert "You can do so again in 40 s." in page.text
        assert list(steps.boxes(page)) == list(five)

    assert calls_of(levers, again) == 0
    assert calls_of(levers, lambda: steps.refresh(manager)) == 1, "the limit is each person's own"
    clock.advance(seconds=40)
    assert calls_of(levers, lambda: steps.refresh(staff)) == 1


def test_a_refresh_that_failed_may_be_repeated_at_once(staff: WebClient, five: dict[str, str], levers: Levers) -> None:
    steps.searches(staff)
    levers.fault("search", "status", status=500)
    assert steps.refresh(staff).status_code == 502
    assert calls_of(levers, lambda: steps.refresh(staff)) == 1


def test_an_abandoned_refresh_blocks_only_until_its_lease_runs_out(
    staff: WebClient, manager: WebClient, five: dict[str, str], services: Services, clock: MovableClock
) -> None:
    steps.searches(staff)
    with services.store.write() as connection:
        asha = people.find_by_email(connection, ASHA.email)
        now = services.clock()
        vehicles.take_refresh(connection, RC, asha.id, now, now + services.schedule.refresh_deadline)
    clock.advance(minutes=1)
    assert "is refreshing" not in manager.read(steps.refresh(manager)).text


@pytest.mark.parametrize(
    ("fault", "status", "shown"),
    [
        ({"kind": "cut", "count": 2}, 504, "The service did not answer"),
        ({"kind": "status", "status": 500}, 502, "The service answered with an error"),
        ({"kind": "corrupt", "corruption": "nan"}, 502, "The service answered with an error"),
        ({"kind": "corrupt", "corruption": "success-false"}, 502, "The service answered with an error"),
    ],
)
def test_a_failed_refresh_keeps_the_last_list_with_its_age(
    staff: WebClient,
    five: dict[str, str],
    levers: Levers,
    clock: MovableClock,
    fault: dict[str, object],
    status: int,
    shown: str,
) -> None:
    asked = steps.searched(staff).one(".vehicle-facts time").get_text()
    clock.advance(minutes=7)
    levers.fault("search", **fault)  # type: ignore[arg-type]
    answer = steps.refresh(staff)
    assert answer.status_code == status
    page = staff.read(answer)
    assert list(steps.boxes(page)) == list(five)
    assert shown in page.text
    # Past midnight the moment shows its date too.
    assert re.search(rf"from [\w ,]*{re.escape(asked)}, 7 min ago\. Refresh from source asks again\.", page.text)
    assert shown not in staff.read(steps.refresh(staff)).text, "the next refresh may try again, and succeeds"


def test_a_vehicle_that_the_service_returns_under_another_number_is_shown_under_it(
    staff: WebClient, five: dict[str, str], levers: Levers
) -> None:
    steps.searches(staff)
    data = {"rcNumber": "MH12AB1002", "carId": str(uuid.uuid4()), "newChallansCount": 0, "challans": []}
    body = json.dumps({"success": True, "data": data})
    for ask in (steps.refresh, steps.search):
        levers.fault("search", "raw", status=200, body=body, content_type="application/json")
        assert ask(staff).headers["Location"] == "/vehicles/MH12AB1002"


# Ticks


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
    assert "Tick at least one challan to review." in staff.read(answer).text


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
    assert "2 of 3 selected · ₹559.00 · 1 with amount not known yet" in region.text
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


def test_a_review_of_nothing_is_explained_beside_the_button(staff: WebClient, five: dict[str, str]) -> None:
    steps.searches(staff)
    headers = {**IN_PLACE, "HX-Current-URL": f"http://localhost{VEHICLE}", "X-CSRFToken": staff.csrf_token()}
    answer = staff.post(f"{VEHICLE}/selection", data={"selection": "1"}, headers=headers)
    assert (answer.status_code, answer.headers["HX-Retarget"]) == (422, "#selection-sum")
    assert "Tick at least one challan to review." in answer.text
    assert "Tick at least one" not in staff.page(VEHICLE).text


def test_ticks_of_an_earlier_visit_are_said_and_cleared(
    staff: WebClient, five: dict[str, str], clock: MovableClock
) -> None:
    steps.searches(staff)
    steps.select(staff, "MH1002", "MH1004")
    assert "2 ticked earlier" in staff.page(VEHICLE).text
    from_review = staff.get(VEHICLE, headers={"Referer": f"http://localhost{VEHICLE}/review"})
    assert "ticked earlier" not in from_review.text, "one visit"
    staff.page(VEHICLE).submit("Clear")
    assert steps.ticked(staff.page(VEHICLE)) == []
    steps.select(staff, "MH1002")
    clock.advance(minutes=20)
    staff.page("/")
    clock.advance(minutes=10)
    page = staff.page(VEHICLE)
    assert steps.ticked(page) == []
    assert "ticked earlier" not in page.text


def test_the_page_says_what_it_shows_to_a_screen_reader(staff: WebClient, mixed: None) -> None:
    page = steps.searched(staff)
    assert page.one("#vehicle")["data-announce"] == "MH12 AB 1001: 2 can be paid, 1 on a link"


@pytest.mark.parametrize("act", ["refresh", "keep"])
def test_the_list_is_swapped_in_place_and_the_address_stays(
    staff: WebClient, five: dict[str, str], levers: Levers, clock: MovableClock, act: str
) -> None:
    steps.searches(staff)
    here = {"HX-Target": "vehicle", "HX-Current-URL": f"http://localhost{VEHICLE}?text=x"}
    headers = {**HTMX, **here, "X-CSRFToken": staff.csrf_token()}
    data = {"selection": "1", "challan": [five["MH1003"]]}
    answer = staff.post(f"{VEHICLE}/{act}", data=data, headers=headers)
    region = Page(staff, answer, region=True)
    assert (answer.status_code, answer.headers["HX-Push-Url"]) == (200, "false")
    assert steps.ticked(region) == ["MH1003"]
    assert not region.all("#search-form, #own-fields")
    levers.fault("search", "status", status=500)
    if act == "refresh":
        clock.advance(minutes=1)
        failed = staff.post(f"{VEHICLE}/{act}", data=data, headers=headers)
        assert (failed.status_code, failed.headers["HX-Retarget"]) == (502, "#vehicle")
        assert "The service answered with an error" in failed.text


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
        assert "Challans on this link (2)" in review.text
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
