"""Test the review: what a link will hold, for how long, and that typed and ticked input is never lost."""

from __future__ import annotations

import json
import re

import pytest

from dashboard.domain.drivers import DriverDetails
from dashboard.services.container import Services
from tests.support.clock import MovableClock
from tests.support.levers import Levers
from tests.support.page import Page, words
from tests.support.web_client import HTMX, WebClient
from tests.web import steps
from tests.web.steps import RC, REVIEW, VEHICLE, calls_of, challan

SOME_ID = "00000000-0000-4000-8000-000000000000"


HOURS = "Expires after (hours)"


BAD_HOURS = ["", "23", "169", "48.5", "abc", "1e2", "-48", "٤٨", "0x30", "999999999999999"]


def covered(page: Page) -> list[str]:
    """Return the ids that the review's form sends."""
    button = next(name for name in page.buttons() if name.startswith("Create "))
    return [value for name, value in page.form(button).fields if name == "challan"]


def many(levers: Levers, count: int) -> list[str]:
    """Add a vehicle with so many payable challans; return their ids."""
    told = levers.add_vehicle(RC, [challan(n, challanNo=f"MH{2000 + n}") for n in range(count)])
    return [item["id"] for item in told["challans"]]


def test_the_review_says_what_the_link_will_hold(staff: WebClient, five: dict[str, str], levers: Levers) -> None:
    levers.set_challan(five["MH1002"], challanAmount=None, seen=True)
    steps.searches(staff)
    page = steps.reviewed(staff, "MH1001", "MH1002")
    assert covered(page) == [five["MH1001"], five["MH1002"]]
    assert "On the new link (2)" in page.text
    assert "To pay ₹559.00 + 1 unknown · The total may be higher. Fines ₹500.00 Legal fee and GST ₹59.00" in page.text
    assert not page.all("#create-link[autofocus]"), "Enter must not create a link that nobody has read about"
    assert page.field(HOURS)["value"] == "48"
    assert (page.field(HOURS)["min"], page.field(HOURS)["max"]) == ("24", "168")
    assert "Till it is paid or expires, no other link can take these 2 challans." in page.text
    assert re.search(r"Valid till \d{1,2} [A-Z][a-z]{2}, \d{1,2}:\d\d [ap]m ?\.", page.text)
    assert "You cannot cancel or extend it once created. No part payment, no refund." in page.text
    assert "make 2 links" not in page.text


def test_a_sum_of_which_nothing_is_known_is_no_amount(staff: WebClient, five: dict[str, str], levers: Levers) -> None:
    levers.set_challan(five["MH1002"], challanAmount=None, seen=True)
    steps.searches(staff)
    page = steps.reviewed(staff, "MH1002")
    total = "To pay Amount unknown The total will show on the link."
    assert f"{total} Fines Amount unknown Legal fee and GST Amount unknown" in page.text
    assert "₹0" not in page.text


def test_the_review_says_to_whom_the_link_goes(staff: WebClient, five: dict[str, str], services: Services) -> None:
    steps.searches(staff)
    assert "Then" not in steps.reviewed(staff).one("#review").get_text(), "nobody is known yet"
    for number, name in enumerate(("Ramesh Yadav", "Lakshmi Devi")):
        services.drivers.add(DriverDetails(name, f"98765 4321{number}", None, "hi", None, (RC,)), 1)
        page = staff.page(REVIEW)
        assert "Then send to" in page.text
        assert name in page.text


def test_the_first_choice_for_many_challans_is_all_of_their_links(staff: WebClient, levers: Levers) -> None:
    many(levers, 179)
    steps.searches(staff)
    page = steps.reviewed(staff)
    assert page.heading == "Create 2 payment links for MH12 AB 1001"
    assert page.one("#review .button-primary").get_text() == "Create 2 links"
    assert page.one("#create-all")["data-only"] == "₹1,00,061.00", "which it shows besides, as for one link"
    assert page.one("#create-link").get_text() == "Create payment link"
    assert page.one("#create-link")["data-only"] == "1", "which it shows besides"
    assert "179 challans make 2 links: 100 + 79." in page.text
    made_of, split = (words(each.get_text(" ")) for each in page.all("#review .facts"))
    assert made_of == "To pay ₹1,00,061.00 Fines ₹89,500.00 Legal fee and GST ₹10,561.00"
    assert split == "Link 1 ₹55,900.00 Link 2 ₹44,161.00", "which is no part of the same list"


def test_no_way_of_creating_stands_out_while_money_may_have_been_taken(staff: WebClient, levers: Levers) -> None:
    many(levers, 101)
    steps.searches(staff)
    first = steps.link_of(steps.create(staff))
    levers.fail(first)
    steps.check(staff, first)
    page = steps.reviewed(staff)
    assert page.one("#create-all")["data-only"].startswith("anyway"), "some of them were on a failed link"
    assert not page.all("#review .button-primary")


def test_what_each_link_of_a_plan_will_hold_is_listed_before_it_is_created(staff: WebClient, levers: Levers) -> None:
    many(levers, 179)
    steps.searches(staff)
    page = steps.reviewed(staff)
    first, second = page.all("#review .table-review")
    assert words(page.one("#review-list-title").get_text()) == "Challans (179)"
    assert [words(each.get_text(" ")) for each in page.all(".review-lot > summary")] == [
        "Challans on link 1 (100) ₹55,900.00",
        "Challans on link 2 (79) ₹44,161.00",
    ], "both in sight, and their challans a click away"
    numbers = [[words(each.get_text()) for each in table.select("tbody th")] for table in (first, second)]
    assert [len(each) for each in numbers] == [100, 79]
    assert len({*numbers[0], *numbers[1]}) == 179, "each of them once"
    assert len(covered(page)) == 100, "the first link alone takes its own"


def test_the_presets_only_fill_the_field(staff: WebClient, five: dict[str, str]) -> None:
    steps.searches(staff)
    presets = steps.reviewed(staff).all("button[data-hours]")
    assert [item["data-hours"] for item in presets] == ["24", "48", "72", "168"]
    assert {item["type"] for item in presets} == {"button"}


def test_every_drawn_form_has_a_key_of_its_own(staff: WebClient, five: dict[str, str]) -> None:
    steps.searches(staff)
    steps.select(staff)
    keys = {staff.page(REVIEW).one("input[name=request_key]")["value"] for _ in range(3)}
    assert len(keys) == 3
    assert all(len(str(key)) == 32 for key in keys)


def test_without_a_selection_there_is_nothing_to_review(staff: WebClient, five: dict[str, str]) -> None:
    assert staff.get(REVIEW).headers["Location"] == VEHICLE
    steps.searches(staff)
    assert staff.get(REVIEW).headers["Location"] == VEHICLE


# Beside the list


def test_the_review_opens_beside_the_list_as_a_region_with_its_address_and_title(
    staff: WebClient, five: dict[str, str]
) -> None:
    steps.searches(staff)
    page = staff.page(VEHICLE)
    assert {item["hx-post"] for item in page.all('[hx-target="#review-place"]')} == {f"{VEHICLE}/selection"}
    headers = {**HTMX, "HX-Current-URL": f"http://localhost{VEHICLE}"}
    answer = page.submit("Review and create", challan=[five["MH1003"]], headers=headers)
    region = Page(staff, answer, region=True)
    assert (answer.status_code, answer.headers["HX-Push-Url"]) == (200, REVIEW)
    assert "HX-Retarget" not in answer.headers
    assert region.one("title").text == "Review MH12 AB 1001 · Challan Dashboard"
    assert answer.text.partition("</title>")[2].strip().startswith('<section class="review" id="review"')
    assert covered(region) == [five["MH1003"]]
    assert staff.region(REVIEW, on=VEHICLE).one("section.review")["id"] == "review", "Forward asks for the same region"


def test_without_a_tick_the_list_stays_and_says_so(staff: WebClient, five: dict[str, str]) -> None:
    steps.searches(staff)
    answer = staff.page(VEHICLE).submit("Review and create", challan=None, headers=HTMX)
    assert (answer.status_code, answer.headers["HX-Retarget"]) == (422, "#selection-sum")
    assert "Tick a challan first." in Page(staff, answer, region=True).text


def test_wrong_hours_are_answered_with_the_region_at_the_same_address(staff: WebClient, five: dict[str, str]) -> None:
    steps.searches(staff)
    steps.select(staff)
    region = staff.region(REVIEW, on=REVIEW)
    answer = region.submit("Create payment link", hours="12", headers=HTMX)
    assert answer.status_code == 422
    assert "HX-Push-Url" not in answer.headers
    again = Page(staff, answer, region=True)
    assert again.field(HOURS)["aria-invalid"] == "true"
    assert again.one("[data-valid]").has_attr("hidden"), "no end is told for them"


def test_an_outage_leaves_the_review_in_its_place(
    staff: WebClient, five: dict[str, str], levers: Levers, clock: MovableClock
) -> None:
    steps.searches(staff)
    steps.select(staff)
    region = staff.region(REVIEW, on=REVIEW)
    clock.advance(minutes=16)
    levers.fault("search", "status", status=500)
    answer = region.submit("Create payment link", headers={**HTMX, "HX-Target": "review"})
    assert (answer.status_code, answer.headers["HX-Retarget"]) == (502, "#review")
    assert "Nothing was sent." in Page(staff, answer, region=True).text


def test_a_creation_is_answered_with_the_link_itself(staff: WebClient, five: dict[str, str]) -> None:
    steps.searches(staff)
    steps.select(staff)
    headers = {**HTMX, "HX-Current-URL": f"http://localhost{REVIEW}"}
    answer = staff.region(REVIEW, on=REVIEW).submit("Create payment link", headers=headers)
    assert answer.headers["HX-Push-Url"].startswith("/links/")
    assert answer.headers["HX-Retarget"] == "#main"
    page = Page(staff, answer, region=True)
    assert page.one("[data-toasts] [data-toast-words]").text == "Payment link created · MH12 AB 1001"
    assert "Payment link created" not in staff.page(answer.headers["HX-Push-Url"]).text, "it is said once"


def test_a_form_that_was_sent_twice_is_confirmed_once(staff: WebClient, five: dict[str, str]) -> None:
    steps.searches(staff)
    review = steps.reviewed(staff)
    first, second = (review.submit("Create payment link").headers["Location"] for _ in range(2))
    assert first == second
    assert staff.page(first).text.count("Payment link created") == 1


@pytest.mark.parametrize(
    ("address", "page"),
    [
        (f"{VEHICLE}/links", REVIEW),
        ("/vehicles/mh-12-ab-1001/links", REVIEW),
        (f"{VEHICLE}/selection", VEHICLE),
        (f"{VEHICLE}/refresh", VEHICLE),
        (f"{VEHICLE}/keep", VEHICLE),
        ("/search", "/"),
        *((f"/requests/{SOME_ID}/{act}", f"/requests/{SOME_ID}") for act in ("check", "again", "set-aside")),
    ],
)
def test_the_address_of_a_sent_form_leads_to_its_page(staff: WebClient, address: str, page: str) -> None:
    answer = staff.get(address)
    assert (answer.status_code, answer.headers["Location"]) == (303, page)


# Expiry


@pytest.mark.parametrize("typed", BAD_HOURS)
def test_bad_hours_are_explained_and_nothing_typed_is_lost(
    staff: WebClient, five: dict[str, str], levers: Levers, typed: str
) -> None:
    steps.searches(staff)
    review = steps.reviewed(staff, "MH1001", "MH1003")

    def send() -> None:
        page = staff.read(review.submit("Create payment link", hours=typed))
        assert page.status == 422
        assert "Enter a whole number of hours from 24 to 168." in page.text
        assert page.field(HOURS).get("value", "") == typed
        assert page.field(HOURS)["aria-invalid"] == "true"
        assert covered(page) == [five["MH1001"], five["MH1003"]]
        assert steps.ticked(staff.page(VEHICLE)) == ["MH1001", "MH1003"]

    assert calls_of(levers, send) == 0


def test_a_new_visit_begins_without_the_hours_that_were_refused(staff: WebClient, five: dict[str, str]) -> None:
    steps.searches(staff)
    steps.reviewed(staff, "MH1001").submit("Create payment link", hours="6")
    page = staff.page(f"{VEHICLE}/review")
    assert page.field(HOURS)["value"] == "48"
    assert not page.field(HOURS).has_attr("aria-invalid")
    assert page.one("#hours-range").has_attr("hidden")


@pytest.mark.parametrize("typed", ["24", "168", " 72 "])
def test_whole_hours_within_the_limits_are_sent(
    staff: WebClient, five: dict[str, str], levers: Levers, typed: str
) -> None:
    steps.searches(staff)
    steps.link_of(steps.create(staff, hours=typed))
    assert json.loads(levers.calls("create_link")[0]["body"])["expiry_time"] == int(typed)


def test_corrected_hours_go_through(staff: WebClient, five: dict[str, str]) -> None:
    steps.searches(staff)
    page = staff.read(steps.create(staff, hours="12"))
    steps.link_of(page.submit("Create payment link", hours="36"))


# More challans than a link can hold


def test_a_large_selection_is_planned_and_reviewed_link_by_link(staff: WebClient, levers: Levers) -> None:
    ids = many(levers, 179)
    steps.searches(staff)
    first = steps.reviewed(staff)
    assert "179 challans make 2 links: 100 + 79" in first.text
    assert len(covered(first)) == 100
    answer = first.submit("Create payment link")
    link = staff.page(f"/links/{steps.link_of(answer)}")
    assert levers.count("create_link") == 1
    assert "Challans (100)" in link.text
    assert "79 challans of your selection still wait for a link." in link.text
    assert link.link("Review the next 79") == REVIEW
    second = staff.page(REVIEW)
    assert len(covered(second)) == 79
    assert sorted(covered(first) + covered(second)) == sorted(ids)
    assert "make 2 links" not in second.text
    last = staff.page(f"/links/{steps.link_of(second.submit('Create payment link'))}")
    assert "Review the next" not in last.text
    assert staff.get(REVIEW).headers["Location"] == VEHICLE


def test_the_rest_of_a_very_large_selection_is_counted_whole(staff: WebClient, levers: Levers) -> None:
    many(levers, 230)
    steps.searches(staff)
    first = steps.reviewed(staff)
    assert "230 challans make 3 links: 100 + 100 + 30" in first.text
    link = staff.page(f"/links/{steps.link_of(first.submit('Create payment link'))}")
    assert "130 challans of your selection still wait for a link." in link.text
    assert link.link("Review the next 100") == REVIEW


def test_a_form_with_more_than_a_link_holds_is_not_sent(staff: WebClient, levers: Levers) -> None:
    ids = many(levers, 101)
    steps.searches(staff)
    page = staff.read(steps.reviewed(staff).submit("Create payment link", challan=ids))
    assert page.status == 422
    assert not page.all("#review .notice-wrong"), "the review says how many links they make"
    assert {"Create payment link", "Create 2 links"} <= set(page.buttons())
    assert levers.count("create_link") == 0


def test_the_rest_of_a_selection_is_offered_to_its_person_alone(
    staff: WebClient, manager: WebClient, levers: Levers
) -> None:
    many(levers, 101)
    steps.searches(staff)
    link_id = steps.link_of(steps.create(staff))
    assert "Review the next 1" in staff.page(f"/links/{link_id}").text
    assert "Review the next" not in manager.page(f"/links/{link_id}").text


def test_the_rest_of_a_selection_is_offered_on_the_link_of_its_plan_alone(staff: WebClient, levers: Levers) -> None:
    many(levers, 102)
    first, *others = steps.boxes(steps.searched(staff))
    before = steps.link_of(steps.create(staff, first))
    of_plan = steps.link_of(steps.create(staff, *others))
    assert "Review the next" not in staff.page(f"/links/{before}").text
    assert "Review the next 1" in staff.page(f"/links/{of_plan}").text
    steps.select(staff, others[-1])
    assert "Review the next" not in staff.page(f"/links/{of_plan}").text, "another selection is another plan"
