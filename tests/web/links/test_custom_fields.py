"""Test that custom fields of a link and of its vehicle are saved, shown, searchable and exported."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask

from dashboard.domain.custom_fields import CUSTOM_FIELDS
from dashboard.web.links.custom_field_texts import LABELS
from tests.support.page import Page
from tests.support.web_client import WebClient
from tests.web.links.test_export import as_csv
from tests.web.links.test_list import Ledger, link_id, shown


@pytest.fixture
def entered(app: Flask, clock: Any) -> Ledger:
    return Ledger(app.extensions["services"], clock)


def test_custom_fields_are_saved_shown_found_by_and_exported(manager: WebClient, entered: Ledger) -> None:
    entered.enter(1)
    entered.enter(2)
    entered.enter(3, "KA05MN4321")
    page = manager.page(f"/links/{link_id(1)}")
    manager.read(page.submit("Save details", cost_centre="Pune depot", trip="T-1", customer="Acme", note="urgent"))
    manager.read(manager.page("/vehicles/MH12AB1001").submit("Save details", cost_centre="Mumbai"))
    page = manager.page(f"/links/{link_id(2)}")
    assert "Mumbai from the vehicle" in page.text
    assert "Pune depot" in manager.page(f"/links/{link_id(1)}").text
    assert shown(manager.page("/links?cost_centre=pune+DEPOT")) == [1]
    assert shown(manager.page("/links?cost_centre=mumbai")) == [2], "the link's field stands above its vehicle's"
    assert shown(manager.page("/links?note=URGEN")) == [1], "of a note, any words"
    assert shown(manager.page("/links?note=100%25")) == []
    assert shown(manager.page("/links?customer=Acme&trip=t-1")) == [1]
    rows = {row["Link id"]: row for row in as_csv(manager)}
    assert rows[link_id(1)]["Cost centre"] == "Pune depot"
    assert rows[link_id(2)]["Cost centre"] == "Mumbai"
    assert rows[link_id(3)]["Cost centre"] == ""
    assert rows[link_id(1)]["Note"] == "urgent"


def test_custom_fields_in_any_script_are_found_as_they_were_typed(manager: WebClient, entered: Ledger) -> None:
    entered.enter(1)
    page = manager.page(f"/links/{link_id(1)}")
    manager.read(page.submit("Save details", customer="ÉCOLE", note="ÄRGER am Tor, कल फिर"))
    for query in ("note=ÄRGER", "note=कल", "customer=ÉCOLE"):
        assert shown(manager.page(f"/links?{query}")) == [1]


@pytest.mark.parametrize("address", [f"/links/{link_id(1)}", "/vehicles/MH12AB1001"])
def test_custom_fields_that_are_too_long_are_explained_and_stay_in_the_form(
    staff: WebClient, entered: Ledger, address: str
) -> None:
    entered.enter(1)
    staff.read(staff.page(address).submit("Save details", cost_centre="Pune depot", note="urgent"))
    long = {"cost_centre": "P" * 61, "trip": "T" * 60, "customer": "A" * 101, "note": "n " * 250 + "end"}
    page = Page(staff, staff.page(address).submit("Save details", **long))
    assert page.status == 422
    assert page.one(".own-fields details").has_attr("open")
    assert "This has 61 letters; at most 60 fit. Nothing was saved." in page.text
    for name, typed in long.items():
        field = page.one(f"#own-{name}")
        assert field["value"] == typed
        assert field.has_attr("aria-invalid") == (name != "trip")
    assert "Pune depot" in page.one(".own-facts").text, "the value saved before is still stored"
    fields = {"cost_centre": "P" * 60, "customer": " A " * 50, "note": "n" * 500}
    assert staff.page(address).submit("Save details", **fields).status_code == 303
    assert "P" * 60 in staff.page(address).text


def test_values_that_were_saved_before_are_offered_again(staff: WebClient, entered: Ledger) -> None:
    entered.enter(1)
    entered.enter(2)
    staff.read(staff.page(f"/links/{link_id(1)}").submit("Save details", cost_centre="Pune depot"))
    options = staff.page(f"/links/{link_id(2)}").all("#known-cost_centre option")
    assert [option["value"] for option in options] == ["Pune depot"]


def test_each_field_has_the_same_name_on_pages_and_in_files() -> None:
    assert {field.name: field.label for field in CUSTOM_FIELDS} == LABELS
