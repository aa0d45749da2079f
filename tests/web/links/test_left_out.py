"""Test what is shown of a link when the service leaves something out, or contradicts itself."""

from __future__ import annotations

import re

import pytest

from tests.support.levers import Levers
from tests.support.page import words
from tests.support.web_client import WebClient
from tests.web import steps


@pytest.fixture
def link_id(staff: WebClient, searched: dict[str, str]) -> str:
    return steps.link_of(steps.create(staff, "MH1001", "MH1002"))


def test_a_link_without_its_challans_is_not_said_to_cover_none(
    staff: WebClient, searched: dict[str, str], levers: Levers
) -> None:
    levers.fault("create_link", "corrupt", when="after", corruption="missing-field", missing="data.challans")
    link_id = steps.link_of(steps.create(staff, "MH1001", "MH1002"))
    page = staff.page(f"/links/{link_id}")
    assert "covers 0" not in page.text
    assert "The service has not listed the challans on this link." in page.text
    assert "has not listed the challans" not in steps.check(staff, link_id).text


def test_what_support_has_to_know_is_copied_in_one_place(
    manager: WebClient, staff: WebClient, link_id: str, levers: Levers
) -> None:
    levers.set_link(link_id, raw={"paymentUrl": None, "amount": {"baseAmount": 2500}, "paymentModeOptions": []})
    steps.check(staff, link_id)
    page = manager.page(f"/links/{link_id}")
    [box] = page.all("main .notice")
    said = [each.get_text() for each in box.select(".notice-body > p")]
    assert said == [
        "Do not send this link",
        "The service’s latest answer has no payment URL. Each check asks for it again. If none comes, ask the "
        "service’s support.",
        "Fines do not match: link ₹2,500.00, challans ₹1,000.00 (₹1,500.00 apart).",
    ], "what is checked again is said of the payment URL"
    acts = [each.get_text(strip=True) for each in box.select("button, a")]
    assert acts == ["Copy details for support", "Check now", "Note in Reconcile"], "in one row, what to do first"
    support = box.select_one("[data-copy-source]")
    assert support is not None
    assert "no payment URL" in support.get_text()
    assert "do not add up" in support.get_text()
    assert link_id in support.get_text(), "so nobody reads it off the page"
    assert link_id not in " ".join(said)
    assert [words(each.get_text(" ")) for each in page.all("#link-amounts tr")] == [
        "Fines of its challans ₹1,000.00",
        "Fines on this link ₹2,500.00",
        "Too much by ₹1,500.00",
    ]
    assert "Open Reconcile" not in staff.page(f"/links/{link_id}").text, "staff may not open it"


def test_a_payment_url_that_the_latest_answer_leaves_out_is_told_and_not_copied(
    staff: WebClient, link_id: str, levers: Levers
) -> None:
    levers.set_link(link_id, raw={"paymentUrl": None})
    page = steps.check(staff, link_id)
    assert page.one("#link-panel")["data-copyable"] == "false"
    assert "The service’s latest answer has no payment URL" in page.text
    assert {"Copy link", "Other ways to send it"}.isdisjoint(page.buttons())
    box = page.one("#link-payment .notice")
    assert page.one("#link-payment .notice-title").get_text() == "Do not send this link"
    assert page.one("#link-panel")["data-off"].endswith("Do not share the earlier one."), "as the copy button goes"
    assert "/prepaid-payment/" not in " ".join(each.get_text() for each in box.select("p")), "it is not shown"
    assert [each.get_text(strip=True) for each in box.select("button")] == ["Check now", "Copy details for support"]
    assert "(of an earlier answer)" in box.select_one("[data-copy-source]").get_text()
    assert "Not sent yet" not in page.text, "nobody is to send it now"
    shared = staff.page(f"/links/{link_id}/share")
    assert "The service’s latest answer has no payment URL" in shared.text
    assert not shared.all("share-options")
    levers.set_link(link_id, raw=None)
    assert "Copy link" in steps.check(staff, link_id).buttons()


def test_an_end_that_the_latest_answer_leaves_out_is_told(staff: WebClient, link_id: str, levers: Levers) -> None:
    levers.set_link(link_id, raw={"expiresAt": None})
    page = steps.check(staff, link_id)
    assert "The service’s latest answer gives no expiry; the one shown is from an earlier answer." in page.text
    assert "Copy link" in page.buttons()


def test_a_time_of_payment_without_the_status_is_no_invitation_to_pay(
    staff: WebClient, link_id: str, levers: Levers
) -> None:
    levers.set_link(link_id, raw={"paidAt": "2026-11-21T01:00:00Z"})
    page = steps.check(staff, link_id)
    panel = page.one("#link-panel")
    assert panel["data-status"] == "ACTIVE"
    assert "can still be paid" not in panel.get_text()
    assert "may be paid already" in panel.get_text()
    assert {"Copy link", "Other ways to send it"}.isdisjoint(page.buttons())
    assert "does not call this link paid" in staff.page(f"/links/{link_id}/share").text


def test_the_page_names_the_organization_and_the_fees_of_each_way_to_pay(staff: WebClient, link_id: str) -> None:
    page = staff.page(f"/links/{link_id}")
    assert "Sahyadri Fleet Services Pvt Ltd" in page.one(".link-head").get_text()
    rows = {row.select_one("th").text: row.select("td") for row in page.all(".table-amounts tbody tr")}
    for fee in ("Legal fee", "GST"):
        assert "₹" in rows[fee][0].text, "it is the same in each way to pay"
    by_upi, by_card = (name for name in rows if "convenience fee" in name)
    assert by_upi.startswith("Total by UPINo convenience fee")
    assert re.fullmatch(r"Total by credit cardWith ₹[\d.,]+ convenience fee", by_card)
