"""Test what a release leaves behind: the warning to colleagues, and what a link that appears later says."""

from __future__ import annotations

from tests.support.clock import MovableClock
from tests.support.levers import Levers
from tests.support.page import Page, words
from tests.support.web_client import WebClient
from tests.web import steps
from tests.web.steps import RC, challan


def test_a_colleagues_review_of_them_names_the_unclear_request(
    staff: WebClient, manager: WebClient, unsettled: str, levers: Levers
) -> None:
    assert "were released" not in steps.reviewed(staff, "MH1004").text
    steps.release(manager, unsettled)
    review = steps.reviewed(staff, "MH1002")
    assert "1 challan was released from the request by Asha Rao of" in review.text
    assert "If it does, money may be paid twice." in review.text
    assert review.all(f'.review-send .notice a[href="{unsettled}"]'), "beside the button"
    assert review.one("#create-link")["data-only"].startswith("anyway")
    assert not review.all("#review .button-primary")
    assert "Released from a request whose link may exist" in review.one(".table-review tbody tr").get_text()
    assert "were released" not in steps.reviewed(staff, "MH1004").text
    levers.forget_calls()
    link_id = steps.link_of(steps.create(staff, "MH1002"))
    assert [call["operation"] for call in levers.calls()] == ["search", "create_link"]
    page = staff.page(unsettled)
    said = steps.panel_of_request(page)
    assert "One of its 3 challans is held by another request or link now." in said
    assert page.one(f'#request-panel a[href="/links/{link_id}"]')
    assert "If the first link exists too, money could be paid twice." in said
    assert "Only then: MH1003 can go on a new link." in said, "and not those that are held"
    assert not steps.FALSE_WORDS.search(page.response.text)


def test_a_plan_warns_of_what_was_released_on_any_of_its_links(
    staff: WebClient, manager: WebClient, levers: Levers, clock: MovableClock
) -> None:
    told = levers.add_vehicle(RC, [challan(n, challanNo=f"MH{2000 + n}") for n in range(120)])
    ids = {f"MH{2000 + n}": item["id"] for n, item in enumerate(told["challans"])}
    steps.searches(staff)
    gone, released = numbers_on_last_link(steps.reviewed(staff))[:2]
    levers.fault("create_link", "cut", when="before")
    address = steps.request_of(steps.create(staff, gone, released))
    levers.set_challan(ids[gone], gone=True)
    clock.advance(minutes=3)
    for _ in range(6):
        clock.advance(seconds=10)
        staff.page(address).submit("Check now")
    steps.release(manager, address)
    review = steps.reviewed(staff)
    assert released in numbers_on_last_link(review)
    assert "1 challan was released from the request by Asha Rao of" in review.text
    assert review.one("#create-all")["data-only"].startswith("anyway")


def numbers_on_last_link(review: Page) -> list[str]:
    return [words(each.get_text()) for each in review.all(".review-lot:last-child tbody th")]


def test_a_link_that_appears_beside_another_is_shown_with_its_history(
    staff: WebClient, manager: WebClient, five: dict[str, str], levers: Levers, clock: MovableClock
) -> None:
    steps.searches(staff)
    levers.break_a4()
    address = steps.request_of(steps.create(staff, "MH1001", "MH1002"))
    levers.set_challan(five["MH1001"], raw={"prepaid": True})
    clock.advance(minutes=3)
    for _ in range(6):
        clock.advance(seconds=10)
        staff.page(address).submit("Check now")
    steps.release(manager, address)
    steps.link_of(steps.create(staff, "MH1002"))
    levers.break_a2()
    levers.commit_late()
    clock.advance(seconds=10)
    page = staff.read(staff.page(address).submit("Check now"))
    assert steps.state_of_request(page) == "RECOVERED"
    said = steps.panel_of_request(page)
    assert "most likely made by the request of" in said
    assert "Link found: do not send it yet" in said
    assert "Send the link" not in said, "the other one may have been sent"
    assert "Not sent yet" not in said
    assert not page.all("#request-panel [data-copy-source]"), "its own page compares it with the other one first"
    assert page.one("#request-panel #held-title").get_text() == "On another link or request too (1)"
    assert "Another request or link holds one of its challans too: money may be paid twice." in said
    assert "Challans released by Meera Iyer" in said
    assert not steps.FALSE_WORDS.search(page.response.text)
