"""What staff do on the pages, for tests that are about what comes of it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from bs4.element import Tag
from flask import Flask
from werkzeug.test import TestResponse

from dashboard.app import create_client
from dashboard.store.accounts import audit
from dashboard.store.engine import Store
from tests.support.page import Page, words, words_of
from tests.support.people import Somebody, add
from tests.support.web_client import HTMX, WebClient

RC = "MH12AB1001"
VEHICLE = f"/vehicles/{RC}"
REVIEW = f"{VEHICLE}/review"


def challan(number: int, **changes: Any) -> dict[str, Any]:
    """An order for a payable challan; a higher number is listed later."""
    usual = {
        "challanNo": f"MH10{number:02}",
        "challanAmount": 500,
        "challanDate": f"2026-0{9 - number % 9}-01T08:00:00Z",
    }
    return usual | changes


def arrives(app: Flask, somebody: Somebody) -> WebClient:
    """Somebody signs in, at an application of the test's own making."""
    add(app, somebody)
    visitor = app.test_client()
    assert isinstance(visitor, WebClient)
    comes_back(visitor, somebody)
    return visitor


def comes_back(visitor: WebClient, somebody: Somebody) -> None:
    """Signs in (again)."""
    assert visitor.signs_in(somebody.email).status_code == 303


# Searching


def search(client: WebClient, number: str = RC, **more: Any) -> TestResponse:
    """Send the search form; the pages that show it are read where they are tested."""
    form = {"rc_number": number, **more, "csrf_token": client.csrf_token()}
    return client.post("/search", data=form)


def searches(client: WebClient, number: str = RC) -> None:
    answer = search(client, number)
    assert answer.status_code == 303, answer.text


def searched(client: WebClient, number: str = RC) -> Page:
    """The page of a vehicle that was just searched."""
    answer = search(client, number)
    assert answer.status_code == 303, answer.text
    return client.read(answer)


def refresh(visitor: WebClient, rc: str = RC) -> TestResponse:
    page = visitor.page(f"/vehicles/{rc}")
    return page.submit("Try again" if page.all(".vehicle-trouble") else "Refresh from source")


# Reading a vehicle's page


def boxes(page: Page) -> dict[str, Tag]:
    """The checkbox of each challan that can be selected, by its accessible name."""
    found = {}
    for box in page.all("input[type=checkbox][name=challan]"):
        label = page.one(f"label[for={box['id']}]")
        found[words(label.get_text(" "))] = box
    return found


def ticked(page: Page) -> list[str]:
    return [name for name, box in boxes(page).items() if box.has_attr("checked")]


def group(page: Page, key: str) -> list[str]:
    """The challan numbers of a group, in order."""
    return [str(row["data-challan"]) for row in page.all(f"tbody[data-group={key}] tr.challan")]


def row(page: Page, number: str) -> str:
    """The words of a challan's row."""
    return words(page.one(f'tr[data-challan="{number}"]').get_text(" "))


# Choosing, reviewing, creating


def select(visitor: WebClient, *numbers: str, rc: str = RC) -> TestResponse:
    """Tick some challans, or all that are payable, and press the button."""
    page = visitor.page(f"/vehicles/{rc}")
    found = {words_of(label): label.get("for") for label in page.tree.xpath("//label[@for]")}
    ids = {box.get("id"): box.get("value") for box in page.tree.xpath("//input[@type='checkbox'][@name='challan']")}
    ticks = {name: ids[box] for name, box in found.items() if box in ids}
    return page.submit("Review and create", challan=[ticks[name] for name in numbers or ticks])


def reviewed(visitor: WebClient, *numbers: str, rc: str = RC) -> Page:
    answer = select(visitor, *numbers, rc=rc)
    assert answer.headers["Location"] == f"/vehicles/{rc}/review"
    return visitor.read(answer)


def create(visitor: WebClient, *numbers: str, rc: str = RC, **fields: Any) -> TestResponse:
    review = reviewed(visitor, *numbers, rc=rc)
    return review.submit("Create payment link", **fields)


def link_of(answer: TestResponse) -> str:
    """The id of the link that a creation led to."""
    assert answer.status_code == 303, answer.text
    before, found, link_id = answer.headers["Location"].partition("/links/")
    assert not before
    assert found, answer.headers["Location"]
    return link_id


def request_of(answer: TestResponse) -> str:
    """The address of the request that a creation led to."""
    assert answer.status_code == 303, answer.text
    address: str = answer.headers["Location"]
    assert address.startswith("/requests/"), address
    return address


# Requests

#: What is said of no request whose outcome is not known.
FALSE_WORDS = re.compile(
    r"not created|no link was|failed|could not be created|nothing was (sent|created)|rejected the", re.IGNORECASE
)


def state_of_request(page: Page) -> str:
    return str(page.one("#request-panel")["data-state"])


def panel_of_request(page: Page) -> str:
    # Line by line, because it has what is copied.
    return "\n".join(map(words, page.one("#request-panel").get_text(" ", strip=True).splitlines()))


def release(visitor: WebClient, address: str, why: str = "The driver waits at the depot.") -> TestResponse:
    """Release the challans of a request whose outcome nobody knows."""
    return visitor.page(address).submit("Release the challans", reason=why)


def next_look(page: Page) -> str:
    """What the page of a request says of the next look, and of what else comes next."""
    return words(page.one(".panel-next").get_text())


# Links


def check(visitor: WebClient, link_id: str) -> Page:
    """Press "Check now"; where the page of a paid link has it no more, as on a page that was opened before."""
    page = visitor.page(f"/links/{link_id}")
    if "Check now" in page.buttons():
        return visitor.read(page.submit("Check now"))
    headers = {"X-CSRFToken": visitor.csrf_token()}
    return visitor.read(visitor.post(f"/links/{link_id}/check", headers=headers))


def poll(visitor: WebClient, address: str, seen: str | None = None) -> TestResponse:
    """Ask for a live region as its page does."""
    query = {"seen": seen} if seen else None
    return visitor.get(address, query_string=query, headers=HTMX)


def audited(store: Store) -> list[tuple[str, str | None, str | None]]:
    """What people did at the pages, oldest first: the act, to what, by whom."""
    with store.read() as connection:
        rows = [(row.action, row.subject, row.name) for row in reversed(audit.newest(connection))]
    return [row for row in rows if row[0] in ("search", "refresh", "create")]


def calls_of(levers: Any, act: Callable[[], object]) -> int:
    """How many calls to the service, of whatever kind, an act makes."""
    before = len(levers.calls())
    act()
    return len(levers.calls()) - before


def elsewhere(app: Flask, *challan_ids: str) -> str:
    """A link that another system of the organization makes, beside the dashboard."""
    with create_client(app.extensions["settings"]) as client:
        return client.create_payment_link(RC, challan_ids, expiry_hours=48, before_send=lambda: None).id


def presses_in_place(visitor: WebClient, page: Page, button: str, region: str, **fields: str) -> Page:
    """Press a button as htmx does, which puts the answer into this region."""
    headers = {**HTMX, "HX-Target": region, "X-CSRFToken": visitor.csrf_token()}
    headers["HX-Current-URL"] = f"http://localhost{page.response.request.path}"
    return Page(visitor, page.submit(button, headers=headers, **fields), region=True)
