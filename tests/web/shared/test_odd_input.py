"""Test arguments that no page sends but any user can type: they cause no error on either database."""

from __future__ import annotations

from itertools import product
from typing import Any
from urllib.parse import urlencode

import pytest
from flask import Flask

from dashboard.store.engine import Store
from dashboard.store.sharing import drivers, shares
from tests.support.page import Page
from tests.support.web_client import HTMX, WebClient
from tests.web.links.test_list import Ledger, link_id, shown
from tests.web.steps import VEHICLE

pytestmark = pytest.mark.databases

#: The first number is too large for an id on PostgreSQL, the second on both databases.
BEYOND = ("3000000000", "9" * 20)
FAR = "9999-12-31T23:59:59-23:00"


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request: pytest.FixtureRequest, store: Store) -> Any:
    """Create an empty store on each of the two databases."""
    if request.param == "sqlite":
        yield store
        return
    other = Store(request.getfixturevalue("migrated_postgres").empty())
    yield other
    other.close()


@pytest.fixture
def entered(app: Flask, clock: Any) -> Ledger:
    ledger = Ledger(app.extensions["services"], clock)
    ledger.enter(1)
    return ledger


def posted(visitor: WebClient, address: str, **fields: str) -> Any:
    token = visitor.page("/").one("meta[name=csrf-token]")["content"]
    return visitor.post(address, data=fields | {"csrf_token": token})


def test_a_filter_beyond_what_the_store_holds_is_explained(admin: WebClient, entered: Ledger) -> None:
    dates, amounts = "Choose the day again.", "Enter an amount such as 2500 or 2,500.50."
    for query, said in (
        *((query, dates) for query in ("to=9999-12-31", "from=0001-01-01", "of=paid&to=9999-12-31")),
        *((query, amounts) for query in ("least=1e-300000", "most=0e300000", "least=0." + "0" * 400 + "1")),
    ):
        page = admin.page(f"/links?{query}")
        assert said in page.text
        assert shown(page) == [1], "a wrong part narrows nothing"
        assert len(page.response.data) < 100_000
        assert admin.get(f"/links/export.csv?{query}").status_code == 400


def test_an_id_that_no_column_holds_finds_nobody(admin: WebClient, entered: Ledger) -> None:
    for query in (f"{name}={number}" for name in ("creator", "driver") for number in BEYOND):
        assert shown(admin.page(f"/links?{query}")) == []
        assert link_id(1) not in admin.get(f"/links/export.csv?{query}").text


def test_a_place_that_no_list_has_is_its_start(admin: WebClient, entered: Ledger) -> None:
    for sort, way in product(("made", "ends"), ("after", "before")):
        for place in (FAR, "0001-01-01T00:00:00+23:00", "9999-12-31T23:59:59+00:00", "2026-11-21T10:00:00"):
            address = "/links?" + urlencode({"sort": sort, way: f"x~{place}"})
            assert shown(admin.page(address)) == [1], address
    for far in ("nan", "inf", "-inf", "1e999"):
        assert admin.page(f"/links?sort=amount&after=x~{far}").heading == "Payment links"


def test_a_page_is_shown_in_spite_of_odd_arguments(admin: WebClient, entered: Ledger) -> None:
    for address in (
        f"/reconcile/statement/open?day=2026-06-01&after=x~{FAR}",
        f"/reconcile/findings/late?after=1~{FAR}",
        *(f"/reconcile/findings/late?after={number}~2026-11-21T10:00:00%2B00:00" for number in BEYOND),
        *(f"/links/{link_id(1)}/share?driver={number}" for number in BEYOND),
    ):
        assert admin.page(address).heading


def test_an_address_with_an_id_that_no_column_holds_is_not_found(admin: WebClient, entered: Ledger) -> None:
    for number in (*BEYOND, 2**31, "9" * 5000):
        assert admin.get(f"/drivers/{number}").status_code == 404
        for address in (
            f"/drivers/{number}",
            f"/drivers/{number}/leave",
            f"/links/views/{number}/forget",
            f"/reconcile/findings/{number}/seen",
        ):
            assert posted(admin, address).status_code == 404, address


def test_the_largest_id_can_be_asked_for(admin: WebClient) -> None:
    assert "There is no such driver" in admin.page("/drivers/2147483647", status=404).text


def test_a_link_given_to_nobody_known_is_given_to_somebody(admin: WebClient, entered: Ledger) -> None:
    for driver in (*BEYOND, "-1", "x"):
        assert posted(admin, f"/links/{link_id(1)}/shared", channel="copy", driver=driver).status_code == 204
    with entered.services.store.read() as connection:
        assert {row.driver_id for row in shares.of_link(connection, link_id(1))} == {None}


def test_a_nul_in_an_address_is_refused_with_an_explanation(admin: WebClient, entered: Ledger) -> None:
    for address in (
        *(f"/links?{name}=" for name in ("q", "vehicle", "type", "cost_centre", "state", "sort=vehicle&after")),
        *("/links/export.csv?q=", "/find?q=", "/vehicles?q=", "/reconcile/findings/late?after=", "/links?"),
        *(f"/reconcile/statement/open?day=2026-06-01&{name}=" for name in ("vehicle", "cost_centre")),
        *(f"/links/{link_id(1)}/share?language=", f"{VEHICLE}?replaces=", "/reconcile/findings/"),
    ):
        assert "a character that cannot be saved" in admin.page(f"{address}%00", status=400).text
    for address in ("/nowhere/%00", "/vehicles/MH%00"):
        assert admin.get(address).status_code == 404


def test_a_nul_in_a_form_is_refused_with_an_explanation_and_nothing_is_done(admin: WebClient, entered: Ledger) -> None:
    for address, field in (
        ("/drivers", "name"),
        (f"/links/{link_id(1)}/fields", "note"),
        (f"/follow-up/{link_id(1)}/note", "note"),
        ("/links/views", "name"),
        ("/messages/en", "body"),
        ("/search", "rc_number"),
        (f"{VEHICLE}/links", "hours"),
        (f"{VEHICLE}/selection", "challan"),
    ):
        answer = posted(admin, address, **{field: "Ramesh\0Kumar {url}"})
        assert answer.status_code == 400, address
        assert "Nothing was done. Go back, take the NUL character" in Page(admin, answer).text
    with entered.services.store.read() as connection:
        assert not drivers.listed(connection)


def test_a_nul_of_a_stranger_is_stored_nowhere(visitor: WebClient, admin: WebClient) -> None:
    assert visitor.get("/sign-in?next=/%00").status_code == 400
    answer = visitor.post("/search", data={"rc_number": "MH\0"}, headers={"Sec-Fetch-Site": "same-origin"})
    assert answer.status_code == 400
    answer = visitor.page("/sign-in").submit("Sign in", email="asha\0@fleet.example", password="x")
    assert answer.status_code == 400


def test_a_nul_in_a_request_of_htmx_is_answered_with_a_notice(admin: WebClient, entered: Ledger) -> None:
    answer = admin.get("/links/rows?q=%00", headers=HTMX)
    assert answer.status_code == 400
    assert answer.headers["HX-Retarget"] == "#notices"


def test_a_text_that_is_too_long_is_explained_and_shown_again(admin: WebClient, entered: Ledger) -> None:
    phone = "+91 - (0) - 98765 - 43210"
    answer = admin.page("/drivers").submit("Add the driver", name="Ramesh Kumar", phone=phone)
    page = Page(admin, answer)
    assert page.status == 422
    assert "A phone number has at most 20 characters" in page.text
    assert page.one("#phone")["value"] == phone


def test_odd_hours_are_refused_without_an_error(admin: WebClient, entered: Ledger) -> None:
    for hours in ("9" * 500, "1e400"):
        answer = posted(admin, f"{VEHICLE}/links", hours=hours, challan="c1", request_key="k" * 32)
        assert answer.status_code == 422, hours
    for field in ("rc_number", "rc_type", "city_id"):
        answer = posted(admin, "/search", **({"rc_number": "MH12AB1001"} | {field: "9" * 500}))
        assert answer.status_code < 500, field
    answer = posted(admin, f"/follow-up/{link_id(1)}/snooze", until="x" * 500)
    assert answer.status_code == 400
    assert posted(admin, "/messages/" + "x" * 500).status_code == 404


def test_very_many_states_are_cut(admin: WebClient, entered: Ledger) -> None:
    for address, headers in (("/links", {}), ("/links/rows", HTMX), ("/links/export.csv", {})):
        answer = admin.get(address, query_string={"state": [f"S{n}" for n in range(600)]}, headers=headers)
        assert answer.status_code == 200, address


def test_no_address_repeats_a_field_without_bounds(admin: WebClient, entered: Ledger) -> None:
    long = "x" * 4000
    for address, fields in (
        (f"/links/{link_id(1)}/share", {"driver": long, "language": long}),
        ("/vehicles/MH12AB1001/selection", {"replaces": long}),
        ("/vehicles/MH12AB1001/selection", {"replaces": long, "challan": "x"}),
        ("/vehicles/MH12AB1001/refresh", {"replaces": long}),
        ("/links/views", {"name": "A", "state": long, "vehicle": long, "q": long, "driver": long}),
    ):
        answer = posted(admin, address, **fields)
        location = answer.headers.get("Location") or answer.headers.get("HX-Redirect") or ""
        assert len(location) < 1000, f"{address}: {location[:200]}"
    for name in ("replaces", "driver", "language"):
        assert long not in admin.get("/vehicles/MH12AB1001", query_string={name: long}).text
