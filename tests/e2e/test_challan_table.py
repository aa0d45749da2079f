"""Test the table of a vehicle's challans: its order, its filters, and the layout of visible rows alone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Page, expect

from dashboard.upstream.values import MAX_INDEXED
from tests.e2e.conftest import Office
from tests.e2e.manager_steps import links_of
from tests.e2e.steps import Desk
from tests.support.people import ASHA

RC = "MH12AB2300"


def _shown(page: Page) -> list[str]:
    return page.locator("tbody[data-group=payable] tr.challan:visible .challan-no label").all_text_contents()


def _ago(days: int) -> str:
    return f"{datetime.now(UTC) - timedelta(days=days):%Y-%m-%dT08:00:00Z}"


def _furnish(office: Office, added: int = 0) -> None:
    orders = [
        {"challanNo": "MH01", "challanAmount": 900, "state": "Kerala", "challanDate": _ago(20)},
        {"challanNo": "MH02", "challanAmount": 10000, "state": "Punjab", "challanDate": _ago(700)},
        {"challanNo": "MH03", "challanAmount": None, "state": "Kerala", "challanDate": _ago(80)},
    ]
    more = [
        {"challanNo": f"MH{number}", "challanAmount": 5, "challanDate": _ago(5)} for number in range(10, 10 + added)
    ]
    office.levers.add_vehicle(RC, orders + more)


def test_each_column_sorts_the_table_and_unknown_values_stay_last(desk: Desk, office: Office):
    _furnish(office)
    desk.lists(RC)
    header = desk.page.get_by_role("columnheader", name="Fine")
    header.get_by_role("button").click()
    assert _shown(desk.page) == ["MH01", "MH02", "MH03"]
    expect(header).to_have_attribute("aria-sort", "ascending")
    header.get_by_role("button").click()
    assert _shown(desk.page) == ["MH02", "MH01", "MH03"]
    desk.page.get_by_role("button", name="Date").click()
    assert _shown(desk.page) == ["MH02", "MH03", "MH01"]


@pytest.mark.parametrize("width", [1024, 1280])
def test_nothing_of_a_row_is_cut_and_no_amount_is_broken(desk: Desk, office: Office, width: int):
    desk.page.set_viewport_size({"width": width, "height": 800})
    told = {"offenseDetails": "Driving without valid insurance, " * 4, "challanPlace": "Western Express Highway, " * 4}
    office.levers.add_vehicle(RC, [{"challanNo": "MH01", "challanAmount": 100000000, **told}, {"challanNo": "MH02"}])
    desk.lists(RC)
    row = desk.page.locator("tr.challan", has_text="MH01")
    expect(row).to_be_visible()
    cut = "cells => cells.filter((cell) => cell.scrollWidth > cell.clientWidth + 1).map((cell) => cell.className)"
    assert row.locator("td:not(.challan-status)").evaluate_all(cut) == []
    lines = "amounts => amounts.map((amount) => amount.getClientRects().length)"
    assert row.locator(".amount").evaluate_all(lines) == [1, 1]
    heights = "rows => rows.map((row) => row.getBoundingClientRect().height)"
    assert min(desk.page.locator("tr.challan").evaluate_all(heights)) <= 41, "a usual row is one of twelve in view"


def test_the_table_is_filtered_by_state_age_and_text(desk: Desk, office: Office):
    _furnish(office, added=12)
    desk.lists(RC)
    desk.page.get_by_label("State").select_option("Kerala")
    assert sorted(_shown(desk.page)) == ["MH01", "MH03"]
    desk.page.get_by_role("button", name="Show all").click()
    desk.page.get_by_label("Age", exact=True).select_option("Over a year")
    assert _shown(desk.page) == ["MH02"]
    desk.page.get_by_label("Age", exact=True).select_option("Any age")
    desk.page.get_by_label("Contains").fill("mh03")
    assert _shown(desk.page) == ["MH03"]


def test_a_short_list_has_no_filters(desk: Desk, office: Office):
    _furnish(office, added=11)
    desk.lists(RC)
    expect(desk.page.locator("tr.challan")).to_have_count(14)
    expect(desk.page.get_by_role("group", name="Filter the challans")).to_have_count(0)


def test_only_visible_rows_of_230_are_laid_out_and_their_columns_align(desk: Desk, office: Office):
    # The status stands at the end of the offence, and its head is for screen readers alone.
    status = {"status": "TO_BE_ASSIGNED"}
    office.levers.add_vehicle(RC, [{"challanNo": f"MH{number:04}", **status} for number in range(230)])
    desk.lists(RC)
    rows = desk.page.locator("tr.challan")
    expect(rows).to_have_count(230)
    rows.last.scroll_into_view_if_needed()
    expect(desk.page.locator(".table-challans thead")).to_be_in_viewport()
    shown = "row => [...row.cells].filter((cell) => !cell.matches('.challan-status'))"
    edges = shown + ".map((cell) => Math.round(cell.getBoundingClientRect().x))"
    assert rows.last.evaluate(edges) == desk.page.locator(".table-challans thead tr").evaluate(edges)
    rows.last.get_by_role("checkbox").check()
    expect(desk.page.locator("main")).to_contain_text("1 of 230 selected")


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)])
def test_a_word_of_two_thousand_letters_from_the_service_widens_no_page(
    desk: Desk, office: Office, width: int, height: int
):
    said: list[str] = []
    page = desk.page
    page.on("console", lambda message: said.append(message.text))
    page.set_viewport_size({"width": width, "height": height})
    word = "W" * 2000
    told = dict.fromkeys(("state", "challanType", "challanPlace", "offenseDetails"), word)
    office.levers.add_vehicle(RC, [{"challanNo": word, **told}, {"challanNo": "MH01", **told}])
    desk.lists(RC)
    expect(page.locator("tr.challan")).to_have_count(2)
    assert _over(page) == 0
    desk.ticks("MH01")
    desk.reviews()
    desk.creates_the_link()
    link_id = desk.sees_the_link("ACTIVE")
    assert _over(page) == 0
    office.levers.set_link(link_id, status=word)
    office.polls_until(link_id, status=word[:MAX_INDEXED])
    for address in (f"/links/{link_id}", "/links", "/"):
        desk.opens(address)
        assert _over(page) == 0, address
    # Whoever leaves a page may cut off one of its polls, of which htmx tells the console.
    cut_off = ("htmx:afterRequest", "htmx:sendAbort", "htmx:sendError")
    assert [each for each in said if not each.startswith(cut_off)] == [], "a browser warns of nothing"


def _over(page: Page) -> int:
    """Return by how many pixels the page is wider than its window."""
    return int(page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))


@pytest.mark.parametrize("typed", ["helmet", "हेलमेट"])
def test_an_offence_is_filtered_by_its_name_in_either_script(desk: Desk, office: Office, typed: str):
    offences = {"MH50": "Riding without helmet", "MH51": "बिना हेलमेट वाहन चलाना"}
    others = {f"MH{number}": "No parking" for number in range(10, 26)}
    office.levers.add_vehicle(
        RC, [{"challanNo": number, "offenseDetails": words} for number, words in {**offences, **others}.items()]
    )
    desk.lists(RC)
    expect(desk.page.locator("tr.challan")).to_have_count(18)
    desk.page.get_by_label("Contains").fill(typed)
    expect(desk.page.locator("tbody[data-group=payable] tr.challan:visible")).to_have_count(2)
    assert sorted(_shown(desk.page)) == ["MH50", "MH51"]


def test_the_jump_to_what_cannot_be_paid_shows_the_name_of_the_group(desk: Desk, office: Office) -> None:
    rc = "MH12AB4004"
    done = ["PENDING", "DISPOSED"]
    challans = [{"challanNo": f"MH4{n:03}", "challanAmount": 500, "status": done[n // 193]} for n in range(230)]
    office.levers.add_vehicle(rc, challans)
    desk.page.set_viewport_size({"width": 1280, "height": 800})
    desk.searches(rc)
    desk.page.get_by_role("link", name="37 not payable").click()
    title = desk.page.locator("#not_payable .group-title").bounding_box()
    head = desk.page.locator(".table-challans thead").bounding_box()
    assert title is not None
    assert head is not None
    assert head["y"] + head["height"] <= title["y"] < 200


def test_the_name_of_the_group_and_what_selects_at_once_stay_in_view_amid_many_rows(desk: Desk, office: Office) -> None:
    desk.page.set_viewport_size({"width": 1280, "height": 700})
    _furnish(office, added=60)
    desk.lists(RC)
    page = desk.page
    page.locator("tr.challan", has_text="MH50").scroll_into_view_if_needed()
    for part in ("thead", "#payable .group-head", "#payable .group-picks"):
        expect(page.locator(part)).to_be_in_viewport(ratio=0.9)
    page.get_by_role("button", name="Oldest 5").click()
    expect(page.locator("tr.challan:has(:checked)")).to_have_count(5)
    head, table = page.locator("#payable .group-head").bounding_box(), page.locator("thead").bounding_box()
    assert head is not None
    assert table is not None
    assert 0 <= head["y"] - (table["y"] + table["height"]) + 1 <= 1
    picks = page.locator("#payable .group-picks").bounding_box()
    assert picks is not None
    assert abs(picks["y"] - head["y"]) <= 1


@pytest.mark.parametrize("width", [1024, 1280])
def test_the_head_of_a_filtered_group_covers_the_rows_below_it_from_side_to_side(
    desk: Desk, office: Office, width: int
) -> None:
    """What selects at once is gone while a filter is on, and leaves its place to the head."""
    _furnish(office, added=60)
    desk.page.set_viewport_size({"width": width, "height": 800})
    desk.lists(RC)
    desk.page.get_by_label("Contains").fill("MH1")
    expect(desk.page.locator(".group-payable .group-picks")).to_be_hidden()
    group = desk.page.locator(".group-payable").bounding_box()
    head = desk.page.locator(".group-payable > .group-head").bounding_box()
    assert group is not None
    assert head is not None
    assert (head["x"], head["width"]) == (group["x"], group["width"])


def test_a_link_alone_is_as_wide_as_the_page_and_no_line_of_it_begins_with_a_dot(desk: Desk, office: Office) -> None:
    desk.page.set_viewport_size({"width": 1280, "height": 800})
    links_of(office, RC, ASHA, [2500])
    desk.opens(f"/vehicles/{RC}")
    link, list_of_links = (desk.page.locator(each).bounding_box() for each in (".vehicle-links > li", ".vehicle-links"))
    assert link is not None
    assert list_of_links is not None
    assert link["width"] == list_of_links["width"]
    before = "given => getComputedStyle(given, '::before').content"
    for width in (1280, 390):
        desk.page.set_viewport_size({"width": width, "height": 800})
        assert desk.page.locator(".vehicle-link-given").evaluate(before) == "none"


@pytest.mark.parametrize(("width", "place"), [(1280, 33), (390, 32)])
def test_the_counts_of_the_head_lead_to_where_the_name_of_their_group_sticks(
    desk: Desk, office: Office, width: int, place: int
) -> None:
    orders = [{"challanNo": f"MH{each:03}", "challanAmount": 500} for each in range(80)]
    orders += [{"challanNo": f"MH1{each:02}", "status": "DISPOSED"} for each in range(40)]
    office.levers.add_vehicle(RC, orders)
    desk.page.set_viewport_size({"width": width, "height": 800})
    desk.lists(RC)
    desk.page.get_by_role("link", name="40 not payable").click()
    top = "group => Math.round(group.getBoundingClientRect().y)"
    desk.page.wait_for_function(
        f"place => Math.abs(({top})(document.querySelector('#not_payable .group-head')) - place) <= 2", arg=place
    )
    desk.page.get_by_role("link", name="Add note").click()
    expect(desk.page.locator("#own-fields details")).to_have_attribute("open", "")
    expect(desk.page.get_by_label("Cost centre")).to_be_in_viewport()


def test_what_is_said_of_a_challan_stands_right_below_it_in_a_row_of_two_lines(desk: Desk, office: Office) -> None:
    desk.page.set_viewport_size({"width": 1280, "height": 800})
    statuses = {"MH01": "PENDING", "MH02": "TO_BE_ASSIGNED", "MH03": "PENDING", "MH04": "UNDER_VERIFICATION"}
    told = [
        {"challanNo": number, "status": status, "state": "Kerala" if number != "MH05" else "Punjab"}
        for number, status in {**statuses, "MH05": "PENDING", "MH06": "PENDING", "MH07": "TO_BE_ASSIGNED"}.items()
    ]
    # State and type stand below a place where they are not the usual ones.
    told += [{"challanNo": f"MH2{number}", "state": "Punjab", "status": "PENDING"} for number in range(8)]
    office.levers.add_vehicle(RC, told)
    desk.lists(RC)
    desk.ticks("MH03")
    desk.reviews()
    desk.creates_the_link()
    link_id = desk.sees_the_link("ACTIVE")
    office.levers.fail(link_id)
    office.polls_until(link_id, status="FAILED")
    desk.opens(f"/vehicles/{RC}")
    rows = desk.page.locator("tr.challan")
    expect(rows.first).to_be_visible()
    shown = """rows => Object.fromEntries(rows.map((row) => {
      const box = (part) => row.querySelector(part)?.getBoundingClientRect() ?? {};
      const [number, offence, place] = [".challan-no > *", ".offence > *", ".place > *"].map(box);
      return [row.dataset.challan, {
        height: row.getBoundingClientRect().height,
        lines: [offence.top - number.top, place.top - number.top],
        below: box(".challan-status > :not(.vh)").top - number.bottom,
        under: box(".challan-status > :not(.vh)").left - offence.left,
      }];
    }))"""
    drawn = rows.evaluate_all(shown)
    assert max(row["height"] for row in drawn.values()) <= 45
    assert all(abs(line) <= 1.5 for row in drawn.values() for line in row["lines"]), "they begin on one line"
    assert drawn["MH02"]["height"] == drawn["MH07"]["height"] == drawn["MH01"]["height"], "a status has room beside"
    for number in ("MH04", "MH03"):
        assert -3 <= drawn[number]["below"] <= 4, number
        assert abs(drawn[number]["under"]) <= 1, number
