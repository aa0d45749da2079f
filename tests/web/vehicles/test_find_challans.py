"""Test that a challan that the find box finds says what keeps it off a new link, as the page of its vehicle does."""

from __future__ import annotations

from flask import Flask

from tests.support.levers import Levers
from tests.support.page import words
from tests.support.web_client import WebClient
from tests.web import steps
from tests.web.steps import RC, VEHICLE, challan


def found(visitor: WebClient, typed: str) -> dict[str, tuple[str, str]]:
    """Return the status of each challan that a text finds, and where it leads, by its number."""
    rows = visitor.page(f"/find?q={typed}").all(".found-challans tbody tr")
    leads = {row: row.select_one("th a") for row in rows}
    return {
        words(lead.get_text()): (words(row.select_one(".found-state").get_text(" ")), str(lead["href"]))
        for row, lead in leads.items()
        if lead
    }


def test_a_challan_on_a_link_that_only_a_search_has_shown_says_so_and_leads_to_the_link(
    app: Flask, staff: WebClient, five: dict[str, str]
) -> None:
    link_id = steps.elsewhere(app, five["MH1001"])
    page = steps.searched(staff)
    assert "MH1001" in steps.group(page, "on_link")
    said = found(staff, "MH100")
    assert said["MH1001"] == ("On a link", f"/links/{link_id}")
    assert said["MH1002"] == ("Pending", f"/vehicles/{RC}")


def test_a_challan_that_an_unclear_request_holds_says_that_its_link_may_exist(
    staff: WebClient, five: dict[str, str], levers: Levers
) -> None:
    steps.searches(staff)
    levers.fault("create_link", "cut", when="before")
    address = steps.request_of(steps.create(staff, "MH1001"))
    said = found(staff, "MH100")
    assert said["MH1001"] == ("Link may exist", address)
    assert said["MH1002"] == ("Pending", f"/vehicles/{RC}")


def test_a_challan_that_a_link_made_elsewhere_has_paid_says_so(
    app: Flask, staff: WebClient, five: dict[str, str], levers: Levers
) -> None:
    link_id = steps.elsewhere(app, five["MH1001"])
    levers.pay(link_id)
    steps.searches(staff)
    assert found(staff, "MH100")["MH1001"] == ("Paid", f"/links/{link_id}")


def test_a_challan_whose_link_has_ended_says_its_own_status_again(
    staff: WebClient, five: dict[str, str], levers: Levers
) -> None:
    steps.searches(staff)
    link_id = steps.link_of(steps.create(staff, "MH1001"))
    levers.expire(link_id)
    steps.check(staff, link_id)
    active = steps.link_of(steps.create(staff, "MH1002"))
    said = found(staff, "MH100")
    assert said["MH1001"] == ("Pending", f"/vehicles/{RC}")
    assert said["MH1002"] == ("On a link", f"/links/{active}")


def test_a_challan_that_its_status_keeps_off_a_link_has_its_fine_in_place_of_what_is_to_pay(
    staff: WebClient, five: dict[str, str], levers: Levers
) -> None:
    steps.searches(staff)
    steps.link_of(steps.create(staff, "MH1002"))
    levers.set_challan(five["MH1001"], status="DISPOSED")
    steps.refresh(staff)
    fine = words(staff.page(VEHICLE).all("[data-challan=MH1001] .num")[0].get_text())
    rows = staff.page("/find?q=MH100").all(".found-challans tbody tr")
    sums = [words(row.get_text(" ")) for row in rows]
    assert sums[0].endswith(f"Disposed – Fine {fine}")
    assert all("–" not in each and "Fine" not in each for each in sums[1:])
    offered = staff.region("/find?q=MH1001").all(".found")
    assert all("₹" not in each.get_text() for each in offered), "nothing that looks like an amount to pay"


def test_challans_alone_are_ordered_and_narrowed_by_what_can_be_paid_in_the_address(
    staff: WebClient, levers: Levers
) -> None:
    for number, day, amount, status in (
        ("ZZ9001", "2026-03-02T10:00:00Z", 900, "PENDING"),
        ("ZZ9002", "2026-05-02T10:00:00Z", 100, "DISPOSED"),
        ("ZZ9003", "2026-04-02T10:00:00Z", 5_000, "PENDING"),
    ):
        rc = f"MH12AB1{number[-3:]}"
        levers.add_vehicle(rc, [challan(1, challanNo=number, challanDate=day, challanAmount=amount, status=status)])
        steps.searches(staff, rc)

    def listed(address: str) -> list[str]:
        return [words(each.get_text()) for each in staff.page(address).all(".found-challans tbody th")]

    newest = staff.page("/find?q=ZZ9&of=challans")
    assert listed("/find?q=ZZ9&of=challans") == ["ZZ9002", "ZZ9003", "ZZ9001"]
    assert words(newest.one("th[aria-sort=descending]").get_text()) == "Date"
    assert listed(newest.link("Amount")) == ["ZZ9003", "ZZ9001", "ZZ9002"], "what has no sum comes last"
    assert listed(newest.link("Challan")) == ["ZZ9001", "ZZ9002", "ZZ9003"]
    highest = staff.page(newest.link("Amount"))
    payable = highest.link("Can be paid 2")
    assert payable == "/find?q=ZZ9&of=challans&only=payable&sort=sum"
    assert listed(payable) == ["ZZ9003", "ZZ9001"]
    assert words(staff.page(payable).one("h2").get_text()) == "Challans (2)"
    assert staff.page(payable).link("Can be paid 2") == "/find?q=ZZ9&of=challans&sort=sum", "again, all of them"


def test_where_no_challan_that_is_found_can_be_paid_the_list_leads_back_to_all(
    staff: WebClient, levers: Levers
) -> None:
    levers.add_vehicle(RC, [challan(number, challanNo=f"ZZ9{number}", status="DISPOSED") for number in range(2)])
    steps.searches(staff)
    none = staff.page("/find?q=ZZ9&of=challans&only=payable")
    assert "None of the challans found can be paid." in none.text
    assert none.link("Show all") == "/find?q=ZZ9&of=challans"


def test_an_order_that_does_not_exist_is_the_usual_one(staff: WebClient, five: dict[str, str]) -> None:
    steps.searches(staff)
    usual, odd = (list(found(staff, f"MH100&of=challans{more}")) for more in ("", "&sort=odd&only=odd"))
    assert odd == usual
    assert len(odd) == len(five)
