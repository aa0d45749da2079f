"""Test the page of a vehicle: what can be paid, and what cannot and why."""

from __future__ import annotations

from datetime import timedelta

import pytest

from dashboard.services.container import Services
from dashboard.web.shared.texts import link_state
from tests.support.clock import MovableClock
from tests.support.levers import Levers
from tests.support.page import Page, words
from tests.support.web_client import HTMX, WebClient
from tests.web import steps
from tests.web.steps import RC, VEHICLE, challan

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
    assert "2 can be paid 1 on a link 3 not payable" in page.text
    assert page.all(".vehicle-counts")


def test_a_vehicle_whose_challans_are_all_on_links_says_what_these_come_to(staff: WebClient, levers: Levers) -> None:
    levers.add_vehicle(RC, [challan(1), challan(2)])
    steps.searches(staff)
    steps.create(staff, "MH1001", "MH1002")
    page = staff.page(f"/vehicles/{RC}")
    assert words(page.one(".vehicle-sum").get_text()) == "₹1,118.00 on links, nothing else to pay"


@pytest.mark.parametrize(("number", "oldest"), [(5, []), (6, ["Oldest 5"]), (100, ["Oldest 5"]), (101, ["Oldest 100"])])
def test_the_oldest_that_are_selected_at_once_are_a_whole_link_where_there_are_more(
    staff: WebClient, levers: Levers, number: int, oldest: list[str]
) -> None:
    levers.add_vehicle(RC, [challan(each) for each in range(1, number + 1)])
    page = steps.searched(staff)
    assert [words(each.get_text()) for each in page.all("[data-pick=oldest]")] == oldest


def test_states_and_types_are_words_of_the_readers_language_with_what_was_sent_as_title(
    staff: WebClient, levers: Levers
) -> None:
    levers.add_vehicle(
        RC,
        [
            challan(1),
            challan(2, status="PAID"),
            challan(3, status="SOLD", challanType="HOLOGRAM"),
        ],
    )
    steps.searched(staff)
    staff.post("/language", data={"language": "hi", "csrf_token": staff.csrf_token()})
    page = staff.page(f"/vehicles/{RC}")
    of = {str(row["data-challan"]): row for row in page.all("tr.challan")}
    for number, status, name in (("MH1001", "PENDING", "बकाया"), ("MH1002", "PAID", "भुगतान हुआ")):
        shown = of[number].select_one(".challan-status .raw")
        assert (shown["data-raw"], shown["title"], shown.text) == (status, status, name)
    kind = of["MH1001"].select_one(".where span[data-raw]")
    assert (kind["data-raw"], kind["title"], kind.text) == ("ONLINE", "ONLINE", "ऑनलाइन")
    unknown = of["MH1003"].select_one(".challan-status .raw"), of["MH1003"].select_one(".where span[data-raw]")
    assert [(each.text, each.get("title")) for each in unknown] == [("SOLD", "जैसा सर्विस भेजती है"), ("HOLOGRAM", None)]
    state = of["MH1001"].select_one(".where bdi")
    assert (state.text, state["title"], state["data-raw"]) == ("महाराष्ट्र", "Maharashtra", "Maharashtra")


@pytest.mark.parametrize(
    ("types", "head"),
    [
        (("ONLINE", "ONLINE", "ONLINE"), "All: Maharashtra · Online"),
        (("ONLINE", "ONLINE", "COURT"), "Unless noted: Maharashtra · Online"),
        (("ONLINE", "OFFLINE", "COURT"), None),
        (("ONLINE",), None),
    ],
)
def test_state_and_type_of_most_challans_are_said_once_and_those_that_differ_in_their_rows(
    staff: WebClient, levers: Levers, types: tuple[str, ...], head: str | None
) -> None:
    levers.add_vehicle(RC, [challan(number, challanType=each) for number, each in enumerate(types, start=1)])
    page = steps.searched(staff)
    assert [each.get_text() for each in page.all(".usually")] == ([head] if head else [])
    beside = {"All": "all Maharashtra · Online", "Unless noted": "Maharashtra · Online unless noted"}
    in_head = [each.get_text() for each in page.all("thead .usually-beside")]
    assert in_head == ([beside[head.partition(":")[0]]] if head else []), "where there is room"
    usual = "ONLINE" if head else None
    for number, sent in enumerate(types, start=1):
        where = page.one(f"tr[data-challan=MH100{number}] .where")
        assert where.select_one("span[data-raw]")["data-raw"] == sent
        assert ("vh" in where["class"]) == (sent == usual), "what is usual is read out and not shown"
        assert bool(where.select_one("span.vh bdi")) == bool(usual), "nor is the usual state beside another type"


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


@pytest.mark.hour(19)  # Half past midnight in India.
def test_the_age_of_a_challan_is_counted_in_days_of_the_calendar(
    staff: WebClient, levers: Levers, clock: MovableClock
) -> None:
    levers.add_vehicle(RC, [challan(1, challanDate=f"{clock() - timedelta(hours=2):%Y-%m-%dT%H:%M:%SZ}")])
    assert "1 day" in steps.row(steps.searched(staff), "MH1001"), "it was made before midnight"


def test_a_challan_on_a_link_whose_amounts_the_search_left_out_has_those_of_the_link(
    staff: WebClient, five: dict[str, str], levers: Levers
) -> None:
    steps.searches(staff)
    steps.check(staff, steps.link_of(steps.create(staff, "MH1001", "MH1002")))
    levers.set_challan(five["MH1001"], raw={"challanAmount": None, "totalAmount": None})
    page = steps.searched(staff)
    assert steps.row(page, "MH1001").endswith("₹500.00 ₹559.00")


def test_a_paid_challan_whose_amounts_the_search_left_out_has_those_of_the_link_that_paid_it(
    staff: WebClient, five: dict[str, str], levers: Levers, services: Services
) -> None:
    steps.searches(staff)
    link_id = steps.link_of(steps.create(staff, "MH1001", "MH1002"))
    levers.pay(link_id)
    services.link_poller.refresh(link_id)
    for number in ("MH1001", "MH1003"):
        levers.set_challan(five[number], raw={"challanAmount": None, "totalAmount": None})
    page = steps.searched(staff)
    assert sorted(steps.group(page, "paid")) == ["MH1001", "MH1002"]
    assert steps.row(page, "MH1001").endswith("₹500.00 ₹559.00")
    aged = {str(row["data-challan"]) for row in page.all("tr.challan") if row.select(".date .sub")}
    assert aged == {"MH1003", "MH1004", "MH1005"}, "nobody waits for what is paid"
    assert steps.row(page, "MH1003").endswith("unknown unknown"), "no link has told what it costs"
    assert "₹1,118.00 to pay + 1 unknown" in page.text, "what is paid is not to pay"


def test_nothing_is_to_pay_for_a_challan_whose_status_keeps_it_off_a_link(staff: WebClient, levers: Levers) -> None:
    levers.add_vehicle(
        RC,
        [
            challan(1, status="DISPOSED"),
            challan(2, status="PAID"),
            challan(3, status="SOLD"),
            challan(4, status="IN_COURT_REVIEW"),
        ],
    )
    page = steps.searched(staff)
    assert steps.row(page, "MH1001").endswith("₹500.00 –")
    assert steps.row(page, "MH1002").endswith("₹500.00 –")
    assert steps.row(page, "MH1003").endswith("₹500.00 –"), "whatever its status is called"
    assert steps.row(page, "MH1004").endswith("₹500.00 –"), "the court says what is to pay"


def test_challans_that_are_new_here_are_counted_although_the_service_knew_them(
    staff: WebClient, five: dict[str, str], levers: Levers
) -> None:
    steps.searches(staff)
    levers.issue_challan(RC, challanNo="MH1009", seen=True)
    page = steps.searched(staff)
    assert "NEW" in steps.row(page, "MH1009")
    assert "· 1 new challan since" in page.text


def test_a_first_search_here_does_not_say_that_nothing_is_new(staff: WebClient, five: dict[str, str]) -> None:
    page = steps.searched(staff)
    assert words(page.one("#vehicle-updated").get_text(" ")).endswith("by Asha Rao")
    assert "· no new challans" in steps.searched(staff).text


@pytest.mark.parametrize(("amount", "is_wide"), [(9_000_000, False), (12_345_678.90, True)])
def test_amounts_of_crores_get_wider_columns(staff: WebClient, levers: Levers, amount: float, *, is_wide: bool) -> None:
    levers.add_vehicle(RC, [challan(1, challanAmount=amount), challan(2)])
    assert bool(steps.searched(staff).all(".table-crores")) == is_wide


def test_prepaid_without_a_link_cannot_be_ticked_and_a_refresh_is_offered(staff: WebClient, mixed: None) -> None:
    page = steps.searched(staff)
    shown = steps.row(page, "MH1004")
    assert "Pending" in shown
    assert "prepaid, but its link is not shown. Refresh from source to check again." in shown
    assert "Refresh from source" in page.buttons()


def test_a_record_with_a_gap_is_shown_and_cannot_be_ticked(staff: WebClient, mixed: None) -> None:
    assert "The service sent it without a status." in steps.row(steps.searched(staff), "MH1006")


ELIGIBILITIES = [
    (summary("ACTIVE"), "on_link"),
    (summary("ON_HOLD"), "held"),
    (summary("PAID"), "paid"),
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
    assert sorted(steps.group(page, "requested")) == ["MH1001", "MH1002"]
    assert "May be on a link (2)" in page.text
    assert "3 can be paid 2 may be on a link Updated" in page.text
    assert "eld (" not in page.text, "which is said of links in another state alone"
    for address in ("/", "/vehicles"):
        on_link = staff.page(address).all(".table-vehicles tbody td.counted")[1]
        assert words(on_link.get_text()) == "", address


def test_the_first_page_says_of_a_vehicle_how_many_challans_its_sum_is_for(
    staff: WebClient, searched: dict[str, str]
) -> None:
    def said() -> str:
        return words(staff.page("/").one(".table-vehicles .counted-words").get_text())

    steps.create(staff, "MH1001", "MH1002")
    assert said() == "3 can be paid · 2 on a link"
    steps.create(staff, *("MH1003", "MH1004", "MH1005"))
    assert said() == "5 on a link"


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
    assert "₹1,01,147.82 to pay + 1 unknown" in page.text
    assert "₹1,00,000.00" in steps.row(page, "MH1001")
    assert "MH1002" in steps.boxes(page), "a documented null does not make a challan unselectable"
    known = staff.page("/")
    assert "₹1,01,147.82 + 1 unknown" in known.text


def test_the_script_counts_unknown_amounts_in_the_readers_language(staff: WebClient, levers: Levers) -> None:
    levers.add_vehicle(RC, [challan(1)])
    assert steps.searched(staff).one("challan-table")["data-without"] == "+ {unknown} unknown"
    staff.post("/language", data={"language": "hi", "csrf_token": staff.csrf_token()})
    assert staff.page(f"/vehicles/{RC}").one("challan-table")["data-without"] == "+ {unknown} पता नहीं"


def test_text_from_the_service_is_escaped(staff: WebClient, levers: Levers) -> None:
    hostile = "<script>alert(1)</script>{{ 7*7 }}"
    levers.add_vehicle(RC, [challan(1, offenseDetails=hostile, challanPlace=hostile, status=hostile, state=hostile)])
    page = steps.searched(staff)
    assert hostile in steps.row(page, "MH1001")
    assert not page.all("main script:not([src^='/static/js/'])")


def test_a_vehicle_without_challans_says_so(staff: WebClient, levers: Levers) -> None:
    levers.add_vehicle(RC)
    page = steps.searched(staff)
    assert words(page.one(".vehicle-head .vehicle-sum").get_text()) == "No challans"
    assert words(page.one(".empty > p").get_text(" ")) == "The department may have newer challans."
    assert "no new challans" not in page.text
    assert page.buttons().count("Refresh from source") == 1
    assert page.one(".empty #refresh")


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
    assert not region.all("#own-fields")
    assert region.one(".search-bar")["id"] == f"search-beside-{RC}"
    assert region.one(".search-bar").has_attr("hx-preserve"), "what is being typed there stays"
    levers.fault("search", "status", status=500)
    if act == "refresh":
        clock.advance(minutes=1)
        failed = staff.post(f"{VEHICLE}/{act}", data=data, headers=headers)
        assert (failed.status_code, failed.headers["HX-Retarget"]) == (502, "#vehicle")
        assert "The service answered with an error" in failed.text


def test_the_page_says_what_it_shows_to_a_screen_reader(staff: WebClient, mixed: None) -> None:
    page = steps.searched(staff)
    assert page.one("#vehicle")["data-announce"] == "MH12 AB 1001: 2 can be paid, 1 on a link"


# Its drivers, and what is selected at once


def test_a_vehicle_names_its_usual_driver_or_leads_to_adding_one(staff: WebClient, searched: dict[str, str]) -> None:
    page = staff.page(VEHICLE)
    form = staff.page(page.link("Choose driver"))
    assert form.field("Usual vehicles (optional)")["value"] == "MH12 AB 1001"
    added = form.submit("Add the driver", name="Ramesh Kumar", phone="98765 43210")
    assert added.headers["Location"] == VEHICLE
    page = staff.page(VEHICLE)
    assert page.link("Ramesh Kumar") == "/drivers/1"
    assert "98765 43210" in page.one(".vehicle-driver").get_text()


def test_the_head_says_what_is_to_pay_and_how_many_amounts_it_lacks(staff: WebClient, levers: Levers) -> None:
    levers.add_vehicle(RC, [challan(1, challanAmount=500), challan(2, challanAmount=None)])
    page = steps.searched(staff)
    parts = "Fines ₹500.00, legal fee and GST ₹59.00"
    assert words(page.one(".vehicle-sum").get_text()) == f"₹559.00 to pay + 1 unknown {parts}"


def test_a_single_challan_that_can_be_paid_is_selected_in_its_row_alone(staff: WebClient, levers: Levers) -> None:
    levers.add_vehicle("MH12ZZ0001", [{"challanNo": "Z1"}])
    page = steps.searched(staff, "MH12ZZ0001")
    [box] = page.all("#selection input[type=checkbox]")
    assert box["name"] == "challan"
    assert box.has_attr("data-focus"), "the work goes on there"
    assert "Can be paid (1)" in words(page.one(".group-payable .group-head").get_text(" "))
    levers.issue_challan("MH12ZZ0001", challanNo="Z2", seen=True)
    page = steps.searched(staff, "MH12ZZ0001")
    assert page.field("Select all payable")["type"] == "checkbox"
    assert not page.all("input[name=challan][data-focus]")
