"""Test what pages say of a link that the service no longer knows, and what they no longer offer."""

from __future__ import annotations

import csv
import io

import pytest

from dashboard.errors import NotFound
from dashboard.services.container import Services
from tests.support.clock import MovableClock
from tests.support.levers import Levers
from tests.support.people import ASHA, MEERA
from tests.support.web_client import WebClient
from tests.web import steps
from tests.web.steps import comes_back

TITLE = "The service no longer knows this link"


def not_found(services: Services, levers: Levers, *link_ids: str, times: int = 2) -> None:
    levers.fault("link_status", "status", status=404, count=4000)
    for link_id in link_ids * times:
        with pytest.raises(NotFound):
            services.link_poller.refresh(link_id)


def banner(staff: WebClient) -> str:
    return " ".join(each.get_text() for each in staff.page("/").all(".banner"))


@pytest.fixture
def link_id(staff: WebClient, searched: dict[str, str]) -> str:
    return steps.link_of(steps.create(staff, "MH1001", "MH1002"))


@pytest.fixture
def unknown(link_id: str, services: Services, levers: Levers) -> str:
    """A link that was answered 404 for twice."""
    not_found(services, levers, link_id)
    return link_id


def test_its_page_says_so_first_and_offers_nothing_to_copy_share_or_print(staff: WebClient, unknown: str) -> None:
    page = staff.page(f"/links/{unknown}")
    assert page.text.index(TITLE) < page.text.index("ACTIVE")
    assert str(page.all("#link-panel p")[0].get_text()).strip().startswith(TITLE)
    assert page.one("#link-panel")["data-status"] == "ACTIVE", "the last known state, as the service spelled it"
    assert page.one("#link-panel")["data-copyable"] == "false"
    assert {"Copy link", "Share with a driver"}.isdisjoint(page.buttons())
    assert not page.all("svg.qr")
    assert not page.all("#payment-url")
    assert "prepaid-payment" not in page.text
    assert "can still be paid" not in page.text
    shared = staff.page(f"/links/{unknown}/share")
    assert f"{TITLE}. It must not be given to anybody." in shared.text
    assert not shared.all("share-options")
    assert not staff.page(f"/links/{unknown}/qr").all("svg.qr")
    assert staff.get(f"/links/{unknown}/qr.svg").status_code == 409


def test_after_one_404_it_is_offered_still(staff: WebClient, link_id: str, services: Services, levers: Levers) -> None:
    not_found(services, levers, link_id, times=1)
    assert "Copy link" in staff.page(f"/links/{link_id}").buttons()


def test_lists_and_the_export_say_so(staff: WebClient, manager: WebClient, unknown: str, clock: MovableClock) -> None:
    for address in ("/links", "/", f"/vehicles/{steps.RC}"):
        assert "no longer known" in staff.page(address).text, address
    clock.advance(hours=26)
    comes_back(staff, ASHA)
    comes_back(manager, MEERA)
    assert not staff.page("/follow-up").all(".follow"), "there is nothing to give to anybody"
    rows = list(csv.DictReader(io.StringIO(manager.get("/links/export.csv").text.lstrip("\ufeff"))))
    assert [row["State"] for row in rows] == ["ACTIVE, no longer known"]


def test_a_manager_lets_its_challans_go_after_its_end(
    staff: WebClient, manager: WebClient, unknown: str, clock: MovableClock, levers: Levers
) -> None:
    button = "Let the challans go"
    assert button not in manager.page(f"/links/{unknown}").buttons()
    clock.advance(hours=49)
    levers.set_link(unknown, status="EXPIRED")
    comes_back(staff, ASHA)
    comes_back(manager, MEERA)
    asha = staff.page(f"/links/{unknown}")
    assert button not in asha.buttons()
    assert "A manager or an administrator can let its challans go" in asha.text
    page = manager.page(f"/links/{unknown}")
    refused = manager.read(page.submit(button, reason="short"))
    assert refused.status == 422
    assert "Write why, in at least 10 characters" in refused.text
    done = manager.read(page.submit(button, reason="Purged, says the support."))
    assert "Meera" in done.text
    assert "let its challans go" in done.text
    assert "Purged, says the support." in done.text
    assert button not in done.buttons()
    assert set(steps.ticked(staff.page(steps.VEHICLE))) | set(steps.boxes(staff.page(steps.VEHICLE))) >= {
        "MH1001",
        "MH1002",
    }


def test_a_key_that_knows_none_of_our_links_is_told_in_the_banner(
    staff: WebClient, searched: dict[str, str], services: Services, levers: Levers, clock: MovableClock
) -> None:
    link_ids = [steps.link_of(steps.create(staff, f"MH100{n}")) for n in range(1, 4)]
    clock.advance(seconds=20)
    not_found(services, levers, *link_ids[:2], times=1)
    title = "The API key does not know our links"
    assert title not in banner(staff)
    not_found(services, levers, link_ids[2], times=1)
    assert title in banner(staff)
    levers.clear_faults()
    assert services.link_poller.refresh(link_ids[0])
    assert title not in banner(staff), "one link that it knows shows that the key is ours"
