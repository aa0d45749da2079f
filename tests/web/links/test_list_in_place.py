"""The list of links with scripts: a filter, an order, a page and a view change the list alone."""

from __future__ import annotations

import json
from typing import Any

import pytest
from flask import Flask

from tests.support.page import Page
from tests.support.web_client import HTMX, IN_PLACE, WebClient
from tests.web.links.test_list import Ledger, link_id, shown

INTO_LIST = {**HTMX, "HX-Target": "links-list", "HX-Current-URL": "http://localhost/links"}


@pytest.fixture
def entered(app: Flask, clock: Any) -> Ledger:
    return Ledger(app.extensions["services"], clock)


def asks(visitor: WebClient, query: str, headers: dict[str, str] = INTO_LIST) -> Page:
    return Page(visitor, visitor.get(f"/links?{query}", headers=headers), region=True)


def test_a_changed_filter_swaps_the_list_alone_at_a_clean_address(staff: WebClient, entered: Ledger) -> None:
    entered.enter(1)
    entered.enter(2, status="PAID")
    region = asks(staff, "q=&state=PAID&vehicle=&creator=&of=made&from=&to=&took=&least=&most=&type=")
    assert shown(region) == [2]
    assert not region.all("main, #filter-q")
    assert region.headers["HX-Push-Url"] == "/links?state=PAID"
    assert json.loads(region.headers["HX-Trigger"])["announce"] == {"words": "1 link matches this filter"}
    assert str(region.one("#links-rows")["hx-get"]).startswith("/links/rows?state=PAID&seen="), "its poll goes on"
    assert not region.all("#filter-clear, #save-view"), "a tab alone is no filter"
    region = asks(staff, "q=mh12&state=PAID")
    assert region.one("#links-rows #filter-clear")["href"] == "/links"
    assert region.one("#filter-show[hx-swap-oob]").get_text() == "Show 1 link"
    assert region.one("#view-name").has_attr("hx-preserve"), "a name that is being typed stays"


def test_the_list_follows_what_is_typed_and_back_skips_what_was_half_typed(staff: WebClient, entered: Ledger) -> None:
    entered.enter(1)
    assert "input changed" in str(staff.page("/links").one(".filter-bar")["hx-trigger"])
    begun = asks(staff, "q=MH&state=ACTIVE", {**INTO_LIST, "HX-Current-URL": "/links?state=ACTIVE"})
    assert begun.headers["HX-Push-Url"] == "/links?q=MH&state=ACTIVE"
    on = {**INTO_LIST, "HX-Current-URL": "/links?q=MH&state=ACTIVE"}
    assert asks(staff, "q=MH12&state=ACTIVE", on).headers["HX-Replace-Url"] == "/links?q=MH12&state=ACTIVE"
    assert asks(staff, "q=MH&state=ACTIVE", on).headers["HX-Replace-Url"] == "/links?q=MH&state=ACTIVE", (
        "left as it was"
    )
    assert asks(staff, "q=MH&state=PAID", on).headers["HX-Push-Url"] == "/links?q=MH&state=PAID"
    assert asks(staff, "state=ACTIVE", on).headers["HX-Push-Url"] == "/links?state=ACTIVE"


def test_what_cannot_be_read_is_said_at_its_field_and_stays_in_the_address(staff: WebClient, entered: Ledger) -> None:
    entered.enter(1)
    region = asks(staff, "least=a+lot&q=")
    assert region.one("#filter-least-error").get_text() == "Enter an amount such as 2500 or 2,500.50."
    assert region.one("#filter-most-error").get_text() == ""
    assert region.headers["HX-Push-Url"] == "/links?least=a+lot"
    assert "aria-invalid" in staff.page("/links?least=a+lot").one("#filter-least").attrs


def test_an_order_and_a_page_swap_the_list_and_tell_the_filter(staff: WebClient, entered: Ledger) -> None:
    for number in range(1, 53):
        entered.enter(number)
    boosted = {**INTO_LIST, **IN_PLACE}
    region = asks(staff, "sort=amount&dir=up", boosted)
    assert shown(region)[:2] == [1, 2]
    assert [str(each["value"]) for each in region.all("#filter-order input")] == ["amount", "up"]
    assert region.headers["HX-Push-Url"] == "/links?sort=amount&dir=up"
    older = region.link("Next 50").partition("?")[2]
    region = asks(staff, older, boosted)
    assert shown(region) == [51, 52]
    assert region.one("#links-count").has_attr("autofocus")
    assert "after=" in region.headers["HX-Push-Url"]


def test_a_view_is_saved_deleted_and_brought_back_in_the_list(staff: WebClient, entered: Ledger) -> None:
    entered.enter(1, status="PAID")
    on = {**INTO_LIST, "HX-Current-URL": "http://localhost/links?state=PAID&state=EXPIRED"}
    region = asks(staff, "state=PAID&state=EXPIRED")
    refused = Page(staff, region.submit("Save the view", name=" ", headers=on), region=True)
    assert (refused.status, refused.one("#view-name").has_attr("aria-invalid")) == (422, True)
    region = Page(staff, refused.submit("Save the view", name="Done", headers=on), region=True)
    assert region.headers["HX-Push-Url"] == "/links?state=PAID&state=EXPIRED"
    assert region.one(".view-name[aria-current]").get_text() == "Done"
    assert "Save the view" not in region.buttons()
    forget = str(region.one(".view form")["action"])
    deleted = staff.post(forget, headers={**on, "X-CSRFToken": staff.csrf_token()})
    region = Page(staff, deleted, region=True)
    assert not region.all(".view")
    assert shown(region) == [1], "the filter stays"
    assert "View “Done” deleted" in region.text
    restored = region.submit("Undo", headers={**IN_PLACE, "HX-Current-URL": on["HX-Current-URL"]})
    page = Page(staff, restored, region=True)
    assert page.link("Done") == "/links?state=PAID&state=EXPIRED"


def test_a_view_and_a_cleared_filter_swap_the_filter_with_its_list(staff: WebClient, entered: Ledger) -> None:
    entered.enter(1, status="PAID")
    entered.enter(2)
    staff.read(staff.page("/links?state=PAID&vehicle=MH12").submit("Save the view", name="Done"))
    boosted = {**INTO_LIST, **IN_PLACE, "HX-Target": "links-all"}
    region = asks(staff, "state=PAID&vehicle=MH12", boosted)
    assert (shown(region), region.headers["HX-Push-Url"]) == ([1], "/links?state=PAID&vehicle=MH12")
    assert not region.all("main, h1, [hx-swap-oob=true]")
    assert region.one("input[value=PAID]").has_attr("checked")
    assert region.one(".view-name[aria-current]").has_attr("autofocus")
    region = asks(staff, "", boosted)
    assert (sorted(shown(region)), region.headers["HX-Replace-Url"]) == ([1, 2], "/links")
    assert not region.one("input[value=PAID]").has_attr("checked")
    assert region.one("#links-count").has_attr("autofocus"), "what was pressed is gone"


def test_back_and_a_reload_get_the_whole_page(staff: WebClient, entered: Ledger) -> None:
    entered.enter(1)
    back = {**INTO_LIST, "HX-History-Restore-Request": "true"}
    assert asks(staff, "state=ACTIVE", back).one("main #filter-q")
    assert link_id(1) in staff.page("/links?state=ACTIVE").response.text


def test_an_export_is_left_to_the_browser(manager: WebClient, entered: Ledger) -> None:
    entered.enter(1)
    assert manager.page("/links").one("form.export")["hx-boost"] == "false"
