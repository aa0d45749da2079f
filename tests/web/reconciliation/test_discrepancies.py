"""Test the page of discrepancies: what each role sees, acknowledging with a note, and checking a settlement now."""

from __future__ import annotations

import re
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import update

from dashboard.domain.challans import Challan, SearchResult
from dashboard.domain.discrepancies import MAX_NOTE, MIN_NOTE, DiscrepancyKind
from dashboard.domain.links import MIN_ALARM_NOTE, AmountBreakdown, LinkChallan, PaymentLink
from dashboard.domain.settlements import CheckedChallan
from dashboard.domain.sharing import Channel
from dashboard.services.container import Services
from dashboard.services.links import ledger
from dashboard.store.accounts import audit
from dashboard.store.links import links
from dashboard.store.links.tables import link
from dashboard.store.reconciliation import discrepancies, settlements
from dashboard.web.reconciliation import texts
from tests.support.levers import Levers
from tests.support.page import Page, words
from tests.support.people import ASHA, MEERA
from tests.support.web_client import WebClient
from tests.web import steps
from tests.web.links.test_list import Ledger, link_id, words_of
from tests.web.sharing.steps import adds_a_driver
from tests.web.steps import RC

NOTE = "Asked the service's support."


@pytest.fixture
def environ(environ: dict[str, str]) -> dict[str, str]:
    """Make settlement checks by themselves."""
    return environ | {"DASHBOARD_SETTLEMENT_CHECKS": "1"}


@pytest.fixture
def entered(app: Flask, clock: Any) -> Ledger:
    return Ledger(app.extensions["services"], clock, observed=True)


def section(page: Page, kind: str) -> str:
    return words(page.one(f"section#{kind}").get_text(" "))


def clean(page: Page, kind: str) -> str:
    """Return the line of a kind without discrepancies."""
    return words(page.one(f".checks-list #{kind}").get_text(" "))


def answered(entered: Ledger, number: int, **more: Any) -> None:
    """Record an answer about a link, a second later."""
    entered.clock.advance(seconds=1)
    with entered.services.store.write() as connection:
        answer = PaymentLink(id=link_id(number), **more)
        ledger.enter_link(connection, answer, entered.services.schedule, entered.clock())


def with_url(entered: Ledger, number: int) -> None:
    """Enter a link that can be shared."""
    entered.enter(number)
    answered(entered, number, status="ACTIVE", payment_url=f"https://pay.example/{number}")


def paid_but_listed(entered: Ledger, number: int = 1, status: str | None = "PENDING") -> None:
    """Enter a paid link whose vehicle was searched two hours later, with the challan as the source lists it.

    No session lives that long, so people sign in again after this.
    """
    entered.enter(number)
    answered(entered, number, status="PAID", paid_at=entered.clock())
    entered.clock.advance(hours=2)
    listing = SearchResult(RC, None, 0, (Challan(f"c{number}", f"MH9{number:04}", status),))
    with entered.services.store.write() as connection:
        now = entered.clock()
        ledger.enter_search(connection, RC, listing, None, now, entered.services.schedule, at_source=True)


def enter_duplicates(entered: Ledger) -> None:
    """Enter two links that hold the same challan; the first had ended, and is ACTIVE again."""
    entered.enter(1)
    entered.enter(2)
    shared = LinkChallan("c2", "MH90002", RC, "PENDING", None, None, Decimal(5), None, Decimal(5))
    answered(entered, 1, status="EXPIRED", challans=(shared,))
    answered(entered, 1, status="ACTIVE", challans=(shared,))


# Roles


def test_staff_read_that_the_page_is_for_managers(staff: WebClient) -> None:
    for address in ("/reconcile", "/reconcile/statement", "/reconcile/findings/late", "/reconcile/statement.csv"):
        page = staff.page(address, status=403)
        assert "This is for managers and administrators" in page.text
        assert "whose role is Staff" in page.text


def test_staff_can_neither_check_nor_acknowledge(
    staff: WebClient, manager: WebClient, entered: Ledger, levers: Any
) -> None:
    paid_but_listed(entered)
    staff.signs_in(ASHA.email)
    manager.signs_in(MEERA.email)
    [row] = manager.page("/reconcile").all("section#unsettled tbody")
    addresses = [str(form["action"]) for form in row.select("form")]
    assert len(addresses) == 2
    token = str(staff.page("/").one("meta[name=csrf-token]")["content"])
    before = levers.count("search")
    for address in addresses:
        answer = staff.post(address, data={"csrf_token": token, "version": "1", "note": NOTE})
        assert answer.status_code == 403
        assert "This is for managers and administrators" in Page(staff, answer).text
    assert levers.count("search") == before
    assert "(1)" in section(manager.page("/reconcile"), "unsettled")


def test_the_menu_entry_is_for_those_who_may_open_it(staff: WebClient, admin: WebClient) -> None:
    assert "/reconcile" not in [link["href"] for link in staff.page("/").all("#site-nav a")]
    assert admin.page("/reconcile").one("nav a[aria-current=page]")["href"] == "/reconcile"


def test_the_page_of_a_link_says_what_is_to_be_checked_until_it_is(
    staff: WebClient, manager: WebClient, entered: Ledger
) -> None:
    paid_but_listed(entered)
    staff.signs_in(ASHA.email)
    manager.signs_in(MEERA.email)
    page = manager.page(f"/links/{link_id(1)}")
    assert not page.all("main .notice"), "of a paid link that is no alarm"
    said = page.one("main .share-pending")
    assert said.select("p")[0].get_text() == "The department still shows MH90001 as pending."
    assert "Reconcile lists this link" not in page.text, "the sentence says in full what it lists"
    with entered.services.store.read() as connection:
        found = discrepancies.of_link(connection, link_id(1))[DiscrepancyKind.UNSETTLED]
    assert page.link("Open Reconcile") == f"/reconcile#discrepancy-{found.id}"
    assert manager.page("/reconcile").one(f"#discrepancy-{found.id}")
    assert "Challan MH90001: PENDING" in said.select(".copy-details textarea")[0].get_text()
    asha = staff.page(f"/links/{link_id(1)}")
    assert "Open Reconcile" not in asha.text, "staff may not open it"
    assert asha.one("main .share-pending").get_text().strip().endswith("A manager sees to it.")
    token = manager.csrf_token()
    form = {"csrf_token": token, "version": str(found.version), "note": NOTE}
    manager.post(f"/reconcile/findings/{found.id}/seen", data=form)
    assert "Open Reconcile" not in manager.page(f"/links/{link_id(1)}").text


def test_a_paid_link_that_is_still_pending_leads_to_its_receipt_first_and_then_to_reconcile(
    staff: WebClient, manager: WebClient, entered: Ledger
) -> None:
    paid_but_listed(entered)
    staff.signs_in(ASHA.email)
    manager.signs_in(MEERA.email)
    page = manager.page(f"/links/{link_id(1)}")
    assert [each.get_text() for each in page.all("main .button-primary")] == ["Send receipt…"]
    assert page.one(".share-pending a.button:not(.button-primary)").get_text() == "Open Reconcile", "it can take days"
    assert page.one(".beside.card .share-pending"), "in the card"
    acts = [each.get_text().strip() for each in page.all("#link-payment .button")]
    assert acts == ["Send receipt…", "Open receipt", "Print"]
    assert not page.all("#link-payment .button-quiet"), "each has its edge"
    assert "No other challan can be paid" not in page.text, "the source shows one that was paid as payable"
    assert [each.get_text() for each in page.all("#link-challans .challan-pending")] == ["Pending"]
    others = staff.page(f"/links/{link_id(1)}").all("main .button-primary")
    assert [each.get_text() for each in others] == ["Send receipt…"], "which is all that staff can do"


def test_what_is_wrong_with_a_paid_link_stands_below_its_amount(manager: WebClient, entered: Ledger) -> None:
    entered.enter(1, status="EXPIRED")
    answered(entered, 1, status="PAID", paid_at=entered.clock())
    page = manager.page(f"/links/{link_id(1)}")
    assert not page.all("main .notice"), "that it is paid comes first"
    said = page.one(".beside.card .share-pending > .panel-warning")
    assert words_of(said) == "The service showed it as Expired first, and as Paid later."


def test_a_paid_link_that_is_still_pending_says_from_when_on_to_ask_support(
    manager: WebClient, entered: Ledger
) -> None:
    def said() -> list[str]:
        page = manager.page(f"/links/{link_id(1)}")
        return [*map(words_of, page.all(".share-pending > p")[1:]), words_of(page.one("main .button-primary"))]

    paid_but_listed(entered)
    manager.signs_in(MEERA.email)
    advice, step = said()
    assert advice.startswith("As of ")
    assert re.search(r"The department can take days\. Still pending after \d+ \w+\? ", advice)
    assert advice.endswith("Verify again in Reconcile, and ask the service’s support.")
    assert step == "Send receipt…", "nothing else can be done yet"
    entered.clock.advance(days=8)
    manager.signs_in(MEERA.email)
    advice, step = said()
    assert advice.endswith(". Verify again in Reconcile. Still pending? Ask the service’s support."), "a week ago"
    assert step == "Open Reconcile"
    listing = SearchResult(RC, None, 0, (Challan("c1", "MH90001", "PENDING"),))
    with entered.services.store.write() as connection:
        now = entered.clock()
        ledger.enter_search(connection, RC, listing, None, now, entered.services.schedule, at_source=True)
    advice, step = said()
    assert advice.endswith(". That is 7 days after the payment: ask the service’s support.")
    assert step == "Copy details for support"


# Discrepancies


def test_before_the_first_link_no_check_is_called_clean(manager: WebClient) -> None:
    page = manager.page("/reconcile")
    assert "Nothing to check yet. This page will list links whose money does not add up" in page.text
    assert page.one(".empty a").get_text() == "Search a vehicle"
    assert not page.all(".checks-list, main .meaning-good")


def test_without_discrepancies_the_clean_checks_are_open_because_the_page_has_nothing_else(
    manager: WebClient, levers: Levers
) -> None:
    levers.add_vehicle(RC, [{"challanNo": "MH1", "challanAmount": 500}])
    steps.searches(manager, RC)
    steps.check(manager, steps.link_of(steps.create(manager)))
    page = manager.page("/reconcile")
    assert page.one(".checks-list")["aria-label"] == "All 6 checks are clean"
    assert not page.all("main details")
    assert "No paid challan is showing as pending." in clean(page, "unsettled")
    assert "All amounts match." in clean(page, "sums")
    assert not page.all("main section")
    assert "Nothing to check." in page.text


def test_clean_checks_are_one_line_below_the_discrepancies(manager: WebClient, entered: Ledger) -> None:
    entered.enter(1, status="EXPIRED", total=Decimal("1200.50"))
    answered(entered, 1, status="PAID", paid_at=entered.clock())
    page = manager.page("/reconcile")
    assert page.all("section#late ~ details .checks-clean")
    found = {str(each["id"]) for each in page.all("main section[id]")}
    listed = {str(each["id"]) for each in page.all("details .checks-list li")}
    assert "late" in found
    assert not found & listed
    number = len(listed)
    assert f"{number} of 6 checks found nothing" in page.text
    assert "Paid, but still pending: not verified yet." in words(page.one(".checks-clean").get_text(" "))
    assert str(texts.KINDS[DiscrepancyKind.LATE].to_do) in section(page, "late")


def test_one_clean_check_among_others_is_said_by_its_sentence(manager: WebClient, entered: Ledger) -> None:
    entered.enter(1, status="EXPIRED")
    parts = [Decimal(each) for each in ("500", "50", "9", "0", "600")]
    answered(entered, 1, status="PAID", paid_at=entered.clock(), amount=AmountBreakdown(*parts))
    with entered.services.store.write() as connection:
        facts = {"asked": 1, "covered": 0, "missing": [], "missing_count": 0, "strays": [], "strays_count": 0}
        discrepancies.record(connection, link_id(1), DiscrepancyKind.CHALLANS, facts, entered.clock())
        discrepancies.record(connection, link_id(1), DiscrepancyKind.UNSETTLED, {}, entered.clock())
    page = manager.page("/reconcile")
    assert words(page.one(".checks-clean").get_text(" ")) == "No two links have the same challans."
    assert "found nothing" not in page.text, "challans on two links are not what is clean"


def test_a_check_that_could_not_read_every_link_is_not_called_clean(manager: WebClient, entered: Ledger) -> None:
    entered.enter(1)  # Without GST and fees.
    page = manager.page("/reconcile")
    assert "sums" not in {str(each["id"]) for each in page.all(".checks-list:not([aria-label^=Not]) li")}
    [line] = [each for each in page.all("ul.checks-list li") if each["id"] == "sums"]
    assert "1 link could not be checked: an amount is not known." in words(line.get_text(" "))


def test_the_page_of_a_clean_kind_says_of_how_many_links_and_as_of_when(manager: WebClient, entered: Ledger) -> None:
    assert "As known" not in manager.page("/reconcile/findings/double").text, "nothing is known yet"
    entered.enter(1)
    entered.enter(2)
    page = manager.page("/reconcile/findings/double")
    assert re.search(r"No two links have the same challans. 2 links compared · As known at \d", page.text)
    assert page.all(".discrepancy-none .meaning-good")
    page = manager.page("/reconcile/findings/sums")
    assert not page.all(".discrepancy-none .meaning-good"), "amounts of both are not known"


def test_a_kind_adds_up_its_amounts_and_counts_those_that_are_not_known(manager: WebClient, entered: Ledger) -> None:
    for number, total in ((1, Decimal("1200.50")), (2, Decimal("0.50")), (3, None)):
        entered.enter(number, status="EXPIRED", total=total)
        answered(entered, number, status="PAID", paid_at=entered.clock())
    assert "Paid after expiry (3) ₹1,201.00 + 1 unknown" in section(manager.page("/reconcile"), "late")


def test_a_link_with_two_discrepancies_is_one_link_to_check(manager: WebClient, entered: Ledger) -> None:
    entered.enter(1, status="EXPIRED")
    parts = [Decimal(each) for each in ("500", "50", "9", "0", "600")]
    answered(entered, 1, status="PAID", paid_at=entered.clock(), amount=AmountBreakdown(*parts))
    page = manager.page("/reconcile")
    assert words(page.one(".reconcile-count").get_text()) == "3 things to check on 1 link"
    assert [each["id"] for each in page.all("section.discrepancy-section")] == ["late", "sums", "elsewhere"]
    listed = [(words(each.get_text()), each["href"]) for each in page.all(".reconcile-kinds a")]
    assert listed == [
        ("Paid after expiry (1)", "#late"),
        ("Amount mismatch (1)", "#sums"),
        ("Created outside this dashboard (1)", "#elsewhere"),
    ]


def test_one_line_says_what_to_do_and_why_stands_where_it_is_asked(manager: WebClient, entered: Ledger) -> None:
    entered.enter(1)
    page = manager.page("/reconcile")
    assert words(page.one("#elsewhere .discrepancy-words").get_text()) == "Find out who created it and for whom."
    why = page.one("#elsewhere .discrepancy-why")
    assert not why.has_attr("open")
    assert words(why.summary.get_text()) == "Why? Created outside this dashboard"  # type: ignore[union-attr]  # It is there.
    assert "A search found it." in words(why.get_text())


def test_a_single_kind_is_not_listed_above_itself(manager: WebClient, entered: Ledger) -> None:
    entered.enter(1)
    page = manager.page("/reconcile")
    assert words(page.one(".reconcile-count").get_text()) == "1 thing to check"
    assert not page.all(".reconcile-kinds")


def test_what_may_cost_money_comes_before_what_takes_its_time(manager: WebClient, entered: Ledger) -> None:
    paid_but_listed(entered)
    entered.enter(2, status="EXPIRED")
    answered(entered, 2, status="PAID", paid_at=entered.clock())
    manager.signs_in(MEERA.email)
    page = manager.page("/reconcile")
    assert [each["id"] for each in page.all("section.discrepancy-section")] == ["late", "unsettled", "elsewhere"]
    assert page.all("#elsewhere ~ #unverified"), "verifying is routine"
    assert "Created outside this dashboard (2) Find out" in section(page, "elsewhere"), "no sum of paid and open links"


def test_a_fine_that_is_still_listed_is_shown_with_the_sources_status(manager: WebClient, entered: Ledger) -> None:
    paid_but_listed(entered, status="TO_BE_ASSIGNED")
    manager.signs_in(MEERA.email)
    page = manager.page("/reconcile")
    shown = section(page, "unsettled")
    assert "Paid, but still pending (1)" in shown
    assert "MH90001 To be assigned" in shown
    paid, last, following = (words(each.get_text()) for each in page.all("section#unsettled td p.quiet > span"))
    assert re.fullmatch(r"Paid .*\d:\d\d [ap]m\.", paid)
    assert last == "Verified just now."
    # The next check is due 6 h after the payment, give or take a fifth; two hours have passed.
    assert following in {f"Verified again in {hours} h." for hours in (2, 3, 4, 5)}
    assert page.all(f'section#unsettled a[href="/links/{link_id(1)}"]')


def test_paid_links_without_a_check_are_counted(manager: WebClient, entered: Ledger) -> None:
    entered.enter(1)
    answered(entered, 1, status="PAID", paid_at=entered.clock())
    shown = clean(manager.page("/reconcile"), "unsettled")
    assert "1 paid link not yet verified with the department." in shown


def test_paid_links_with_an_unclear_check_are_counted(manager: WebClient, entered: Ledger) -> None:
    paid_but_listed(entered, status=None)
    manager.signs_in(MEERA.email)
    shown = clean(manager.page("/reconcile"), "unsettled")
    assert "1 paid link to verify again: the last search did not show all challans." in shown


def test_sums_show_both_amounts_and_links_with_unknown_ones_are_counted(manager: WebClient, entered: Ledger) -> None:
    entered.enter(1)  # Without GST and fees.
    entered.enter(2)
    parts = [Decimal(each) for each in ("500", "50", "9", "0", "600")]
    answered(entered, 2, status="ACTIVE", amount=AmountBreakdown(*parts))
    shown = section(manager.page("/reconcile"), "sums")
    head = "Amount mismatch (1) ₹98.00 more than the challans Do not send the link yet: ask the service’s support"
    assert head in shown, "the sum of the mismatch, not of the links"
    assert "The fine of the link is ₹" not in shown
    assert "Adds up to Link says Difference Fine and fees ₹559.00 ₹600.00 + ₹41.00" in shown
    assert "1 link could not be checked: an amount is not known." in shown
    with entered.services.store.write() as connection:
        facts = {"asked": 1, "covered": 0, "missing": [], "missing_count": 0, "strays": [], "strays_count": 0}
        discrepancies.record(connection, link_id(1), DiscrepancyKind.CHALLANS, facts, entered.clock())
    page = manager.page("/reconcile/findings/unchecked")
    assert "An unknown amount is never counted as zero." in page.text
    [challans] = [each for each in page.all("td a") if words(each.get_text()) == "Challans do not match"]
    assert manager.page(str(challans["href"]).partition("#")[0]).one(f"#{str(challans['href']).partition('#')[2]}")
    assert page.all(f'a[href="/links/{link_id(1)}"]')


def test_a_link_that_asks_for_less_than_its_challans_says_by_how_much_in_the_head(
    manager: WebClient, levers: Levers
) -> None:
    levers.add_vehicle(RC, [{"challanNo": number, "challanAmount": 500} for number in ("MH1", "MH2")])
    steps.searches(manager, RC)
    made = steps.link_of(steps.create(manager))
    parts = {"baseAmount": 500, "legalFee": 50, "gst": 9, "convenienceFee": 0, "totalAmount": 600}
    levers.set_link(made, raw={"amount": parts})
    steps.check(manager, made)
    shown = section(manager.page("/reconcile"), "sums")
    assert "Amount mismatch (1) ₹518.00 less than the challans Do not send the link yet: ask" in shown
    assert "which amount is right." in shown
    assert "Not sent yet" in shown
    manager.post(f"/links/{made}/copied", data={"csrf_token": manager.csrf_token()})
    [copied] = manager.page("/reconcile").all("#sums .discrepancy-sent.is-sent")
    assert re.fullmatch(r"Copied .*: tell whoever has it to wait", words(copied.get_text()))
    levers.pay(made)
    steps.check(manager, made)
    shown = section(manager.page("/reconcile"), "sums")
    assert "less than the challans Find out which amount is right before it is booked." in shown, "it is sent already"
    difference = "The link asks ₹518.00 too little: ₹600.00 for challans of ₹1,118.00, fees included."
    assert difference in shown, "without a click"


def test_the_driver_who_has_a_link_with_a_discrepancy_is_told_to_wait(
    manager: WebClient, services: Services, entered: Ledger
) -> None:
    with_url(entered, 1)
    kind = "challans"
    facts = {"asked": 1, "covered": 0, "missing": [], "missing_count": 0, "strays": [], "strays_count": 0}
    with entered.services.store.write() as connection:
        discrepancies.record(connection, link_id(1), DiscrepancyKind(kind), facts, entered.clock())
    shown = section(manager.page("/reconcile"), kind)
    assert "Do not send the link yet: ask the service’s support" in shown
    assert "Not sent from here" in shown
    services.sharing.record_share(link_id(1), Channel.WHATSAPP, 1, None, "hi")
    [told] = manager.page("/reconcile").all(f"#{kind} .discrepancy-sent.is-sent")
    maybe = r"Message prepared .+ [ap]m: tell whoever has it to wait"
    assert re.fullmatch(maybe, words(told.get_text())), "nobody has said that it was not sent"
    driver = int(adds_a_driver(manager, vehicles=""))
    services.sharing.record_share(link_id(1), Channel.WHATSAPP, 1, driver, "hi")
    services.sharing.record_share(link_id(1), Channel.COPY, 1, None, "hi")
    page = manager.page("/reconcile")
    [told] = page.all(f"#{kind} .discrepancy-sent.is-sent")
    assert re.fullmatch(r"Sent to Ramesh Kumar \d.* [ap]m: tell them to wait", words(told.get_text()))
    assert "Do not send the link yet" not in section(page, kind), "it is sent"
    assert "Ask the service’s support" in section(page, kind)


def test_late_money_is_shown_with_its_times(manager: WebClient, entered: Ledger) -> None:
    entered.enter(1, expires_at=entered.clock() + timedelta(hours=1))
    answered(entered, 1, status="PAID", paid_at=entered.clock() + timedelta(hours=3))
    entered.enter(2)
    answered(entered, 2, status="PAID", paid_at=entered.clock())
    answered(entered, 2, status="ACTIVE")
    page = manager.page("/reconcile")
    details = page.one("#late [data-copy-source]").get_text()
    assert re.search(r"Ended: [\d :-]+ UTC", details)
    assert re.search(r"State: shown as PAID before, as ACTIVE at [\d :-]+ UTC", details)
    shown = section(page, "late")
    assert "Paid after expiry (2)" in shown
    assert "after its end at" in shown
    paid = re.search(r"Paid ([^.]+), after its end at", shown)
    assert paid is not None
    assert shown.count(paid[1]) == 1, "the row says once when it was paid"
    assert "The service does not say whether the money was refunded." in shown


def test_late_money_says_when_its_link_was_to_end_and_which_other_links_have_its_challans(
    manager: WebClient, entered: Ledger
) -> None:
    entered.enter(1, status="EXPIRED", expires_at=entered.clock() + timedelta(days=3))
    answered(entered, 1, status="PAID", paid_at=entered.clock())
    alone = section(manager.page("/reconcile"), "late")
    assert re.search(r"It showed Expired before\. It was to end \d+ \w+, \d+:\d+ [ap]m\.", alone)
    assert "No other known link has its challans." in alone
    entered.enter(2, covers=1)
    page = manager.page("/reconcile")
    shown = section(page, "late")
    assert "1 other link has the same challans." in shown
    assert "No other known link" not in shown
    assert page.all(f'#late td a[href="/links/{link_id(2)}"]')
    assert "do not send it" in shown, "the challans are paid"


def test_late_money_says_that_its_challans_are_not_known(manager: WebClient, entered: Ledger) -> None:
    with entered.services.store.write() as connection:
        for status in ("EXPIRED", "PAID"):
            answer = PaymentLink(id=link_id(1), status=status)
            ledger.enter_link(connection, answer, entered.services.schedule, entered.clock(), rc=RC)
    shown = section(manager.page("/reconcile"), "late")
    assert "Its challans are not known, so another link may have them." in shown
    assert "Its end is not known." in shown
    assert "No other known link" not in shown


def test_a_link_with_two_discrepancies_says_so_on_both_rows(manager: WebClient, entered: Ledger) -> None:
    entered.enter(1, status="EXPIRED")
    parts = [Decimal(each) for each in ("500", "50", "9", "0", "600")]
    answered(entered, 1, status="PAID", paid_at=entered.clock(), amount=AmountBreakdown(*parts))
    page = manager.page("/reconcile")
    others = {
        kind: [words(each.get_text()) for each in page.all(f"#{kind} td a[href*='#']")] for kind in ("late", "sums")
    }
    assert others == {
        "late": ["Amount mismatch", "Created outside this dashboard"],
        "sums": ["Paid after expiry", "Created outside this dashboard"],
    }
    entered.enter(2, status="PAID", paid_at=entered.clock())  # Without GST and fees.
    assert "Also found: Amounts not known" not in manager.page("/reconcile").text, "nobody works on those"


def test_when_a_link_was_paid_stands_before_when_that_was_seen(manager: WebClient, entered: Ledger) -> None:
    entered.enter(1)
    answered(entered, 1, status="EXPIRED")
    answered(entered, 1, status="PAID", paid_at=entered.clock())
    shown = section(manager.page("/reconcile"), "late")
    assert re.search(r"Paid \d+:\d+ [ap]m ?\. It showed Expired before\.", shown)


def test_links_made_elsewhere_say_since_when_they_are_known_and_lead_to_their_pages(
    manager: WebClient, entered: Ledger
) -> None:
    entered.enter(1)
    page = manager.page("/reconcile")
    shown = section(page, "elsewhere")
    assert "Created outside this dashboard (1)" in shown
    assert shown.count("A search found it.") == 1
    assert re.search(r"First seen today \d+:\d+ [ap]m.", shown)
    assert page.all(f'section#elsewhere a[href="/links/{link_id(1)}"]')


def test_the_link_that_the_driver_of_its_vehicle_can_be_sent_says_to_whom_and_leads_to_its_page(
    manager: WebClient, entered: Ledger
) -> None:
    with_url(entered, 1)
    adds_a_driver(manager)
    page = manager.page("/reconcile")
    assert "Usual driver: Ramesh Kumar." in section(page, "elsewhere")
    assert not page.all("#elsewhere .then a[href*='/share']"), "first is found out who created it"
    opens = page.one("#elsewhere .then a.button")
    assert words(opens.get_text()) == "Open the link MH12 AB 1001"
    assert opens["href"] == f"/links/{link_id(1)}"


def test_challans_in_the_same_state_are_named_together_in_one_order(manager: WebClient, entered: Ledger) -> None:
    paid_but_listed(entered)
    with entered.services.store.write() as connection:
        checked = [CheckedChallan(f"c{n}", f"MH9000{n}", True, "PENDING", "PAID") for n in (3, 1)]
        checked.append(CheckedChallan("c2", "MH90002", True, "PAID", "PAID"))
        settlements.change_plan(connection, link_id(1), challans=settlements.as_json(checked))
    manager.signs_in(MEERA.email)
    shown = [words(each.get_text(" ")) for each in manager.page("/reconcile").all(".source-list li")]
    assert shown == ["MH90001, MH90003 Pending", "MH90002 Paid"]


def test_a_link_made_elsewhere_that_was_sent_from_here_is_only_to_be_marked(
    manager: WebClient, services: Services, entered: Ledger
) -> None:
    with_url(entered, 1)
    driver = int(adds_a_driver(manager, vehicles=""))
    services.sharing.record_share(link_id(1), Channel.COPY, 1, driver, "hi")
    assert "Sent to" not in section(manager.page("/reconcile"), "elsewhere"), "what was copied may be nowhere"
    services.sharing.record_share(link_id(1), Channel.WHATSAPP, 1, driver, "hi")
    page = manager.page("/reconcile")
    assert re.search(r"Sent to Ramesh Kumar, today \d", section(page, "elsewhere"))
    assert words(page.one("#elsewhere .then").get_text()) == "Mark as checked"
    assert page.one("#elsewhere [name=note]")["value"] == "Known: the driver has it."


def test_duplicate_links_name_each_other(manager: WebClient, entered: Ledger) -> None:
    enter_duplicates(entered)
    page = manager.page("/reconcile")
    assert "MH90002 is on another link as well." in section(page, "double")
    assert page.all(f'section#double td a[href="/links/{link_id(2)}"]')
    assert "Only one may be paid: do not send the other." in section(page, "double"), "there is no driver to tell"
    assert section(page, "double").count("not sent from here") == 2
    assert "This link: not sent from here" in section(page, "double"), "beside who has the other one"
    assert f"Other payment link: {link_id(2)}, ACTIVE" in page.one("#double [data-copy-source]").get_text()
    assert page.all(".banner-row[data-about=links]"), "which the section hides: it says the same"
    assert "discrepancy-wrong" in page.one("#double")["class"]


def test_beside_a_paid_link_stands_the_one_that_can_still_be_paid_and_who_has_it(
    manager: WebClient, services: Services, entered: Ledger
) -> None:
    entered.enter(1)
    entered.enter(2)
    shared = LinkChallan("c2", "MH90002", RC, "PENDING", None, None, Decimal(5), None, Decimal(5))
    answered(entered, 1, status="EXPIRED", challans=(shared,))
    answered(entered, 1, status="PAID", challans=(shared,), paid_at=entered.clock())
    page = manager.page("/reconcile")
    assert page.one("#double .then a")["href"] == f"/links/{link_id(1)}", "the link that the row is of"
    assert re.search(r"Link of .+ ₹[\d,.]+ Active not sent from here: do not send it", section(page, "double"))
    assert page.one(f'#double .discrepancy-facts a[href="/links/{link_id(2)}"]').get_text().startswith("Link of ")
    assert "tell the driver" not in section(page, "double")
    assert "₹" not in page.one("#double h2").get_text(), "a sum would count the challan twice"
    driver = int(adds_a_driver(manager, vehicles=""))
    services.sharing.record_share(link_id(2), Channel.WHATSAPP, 1, driver, "hi")
    shown = section(manager.page("/reconcile"), "double")
    assert "Active Ramesh Kumar has it" in shown
    assert "Only one may be paid: tell the driver not to pay the other." in shown


def test_of_duplicate_links_the_one_that_is_not_sent_yet_is_not_sent(
    manager: WebClient, services: Services, entered: Ledger
) -> None:
    enter_duplicates(entered)
    driver = int(adds_a_driver(manager, vehicles=""))
    services.sharing.record_share(link_id(1), Channel.WHATSAPP, 1, driver, "hi")
    shown = section(manager.page("/reconcile"), "double")
    assert "Only one may be paid: do not send the other, or tell the driver not to pay it." in shown
    assert "This link: sent to Ramesh Kumar" in shown
    assert "Active not sent from here: do not send it" in shown


def test_links_made_elsewhere_that_can_be_paid_come_first(manager: WebClient, entered: Ledger) -> None:
    for number, status in enumerate(("ACTIVE", "PAID", "EXPIRED"), 1):
        entered.enter(number, status=status)
    shown = manager.page("/reconcile").all("#elsewhere .discrepancy-state")
    assert [words(each.get_text()) for each in shown] == ["Active", "Paid", "Expired"]


def test_until_the_department_is_late_a_pending_link_is_opened_and_may_be_checked(
    manager: WebClient, entered: Ledger
) -> None:
    def steps_and_check() -> tuple[str, bool]:
        page = manager.page("/reconcile")
        [check] = page.all("#unsettled tr button[aria-label^='Verify now']")
        return words(page.one("#unsettled .then-steps").get_text(" ")), "button-quiet" in check["class"]

    paid_but_listed(entered)
    manager.signs_in(MEERA.email)
    assert steps_and_check() == ("Open the link MH12 AB 1001 Mark as checked", True)
    entered.clock.advance(days=8)
    manager.signs_in(MEERA.email)
    assert steps_and_check() == ("Verify now Mark as checked", False)


def test_a_request_with_the_challans_of_a_paid_link_is_named_where_no_other_link_has_them(
    manager: WebClient, five: Any, levers: Levers, services: Services
) -> None:
    steps.searches(manager)
    old = steps.link_of(steps.create(manager))
    levers.expire(old)
    steps.check(manager, old)
    levers.fault("create_link", "cut", when="before")
    asked = steps.request_of(steps.create(manager))
    levers.pay(old)
    steps.check(manager, old)
    page = manager.page("/reconcile")
    said = section(page, "double")
    assert re.search(r"A request of [\d:]+ [ap]m, with no known outcome yet, has the same challans\.", said)
    assert "on another link as well" not in said
    [request] = [each for each in page.all("#double td a") if words(each.get_text()).startswith("Open the request")]
    assert request["href"] == asked


def test_a_kind_with_many_rows_has_pages_of_its_own(manager: WebClient, entered: Ledger) -> None:
    for number in range(1, 62):
        entered.enter(number)
    page = manager.page("/reconcile")
    assert len(page.all("section#elsewhere tbody")) == 10
    first = manager.page(page.link("All 61"))
    assert first.heading == "Created outside this dashboard"
    assert "61 links" in first.text
    assert not first.all('section#elsewhere a[href="/reconcile/findings/elsewhere"]'), "it would lead to itself"
    assert len(first.all("tbody")) == 50
    rest = manager.page(first.link("Next 50"))
    shown = {str(row["id"]) for each in (first, rest) for row in each.all("tbody")}
    assert len(shown) == 61
    assert not rest.all(".pages a")


@pytest.mark.parametrize("address", ["/reconcile/findings/late?after=x", "/reconcile/findings/late?after=1~2026-01-01"])
def test_an_unreadable_place_is_the_start_of_the_list(manager: WebClient, address: str) -> None:
    assert manager.page(address).heading == "Paid after expiry"


def test_an_unknown_kind_is_not_found(manager: WebClient) -> None:
    assert manager.get("/reconcile/findings/nothing").status_code == 404


# Acknowledging


@pytest.fixture
def late(entered: Ledger) -> Ledger:
    entered.enter(1, status="EXPIRED")
    answered(entered, 1, status="PAID", paid_at=entered.clock())
    return entered


def tick_form(page: Page, kind: str) -> Any:
    """Return the address and the fields of the form that acknowledges the one row of a kind."""
    [row] = page.all(f"section#{kind} tbody")
    form = row.select_one("form.tick-form")
    assert form is not None
    fields = {str(each["name"]): str(each.get("value", "")) for each in form.select("input[name]")}
    return str(form["action"]), fields


def tick(visitor: WebClient, kind: str, note: str = NOTE) -> Any:
    action, fields = tick_form(visitor.page("/reconcile"), kind)
    return visitor.post(action, data=fields | {"note": note})


def test_what_is_marked_as_checked_is_confirmed(manager: WebClient, late: Ledger) -> None:
    assert "Marked as checked: Paid after expiry." in manager.read(tick(manager, "late")).text


def test_every_kind_has_notes_that_it_would_accept() -> None:
    for kind, kind_texts in texts.KINDS.items():
        shortest = MIN_ALARM_NOTE if kind is DiscrepancyKind.DUPLICATE else MIN_NOTE
        assert kind_texts.notes
        assert all(shortest <= len(str(note)) <= MAX_NOTE for note in kind_texts.notes)


def test_an_acknowledged_discrepancy_moves_to_the_folded_list(manager: WebClient, late: Ledger) -> None:
    answer = tick(manager, "late")
    assert answer.headers["Location"] == "/reconcile#late"
    page = manager.page("/reconcile")
    shown = clean(page, "late")
    assert "Nothing new. 1 marked as checked still applies." in shown
    assert "No payment came after expiry" not in shown
    [folded] = page.all("details.acknowledged-list")
    assert not folded.has_attr("open")
    text = words(folded.get_text(" "))
    assert "Marked as checked (1)" in text
    assert NOTE in text
    assert MEERA.name in text
    link = manager.page(f"/links/{link_id(1)}")
    assert f"Reconcile note: {NOTE}" in link.text
    assert re.search(rf"Paid after expiry: checked by {MEERA.name}, \d.*: “{NOTE}”", link.text)
    assert not link.all(".notice"), "nothing is left to do"
    assert link.one("#link-panel .panel-deadline + .origin"), "below when it was received"


def test_the_note_on_a_late_payment_is_read_before_a_receipt_is_sent(
    manager: WebClient, staff: WebClient, late: Ledger
) -> None:
    def receipt_of(page: Page) -> tuple[list[str], list[str]]:
        acts = page.one("#link-payment .share-more").select("a, button")
        filled = [words(each.get_text()) for each in acts if "button-primary" in each["class"]]
        return [words(each.get_text()) for each in acts], filled

    assert receipt_of(staff.page(f"/links/{link_id(1)}"))[1] == ["Send receipt…"], "staff have nothing to read yet"
    tick(manager, "late", note="A refund was asked for.")
    assert receipt_of(staff.page(f"/links/{link_id(1)}"))[1] == []
    page = manager.page(f"/links/{link_id(1)}")
    assert "“A refund was asked for.”" in page.one("#link-panel").get_text()
    assert receipt_of(page) == (["Open receipt", "Print", "Send receipt…"], []), "nobody presses it at once"


def test_marking_as_checked_is_undone_from_the_list_and_the_history_keeps_both(
    manager: WebClient, late: Ledger
) -> None:
    tick(manager, "late")
    form = manager.page("/reconcile").one("details.acknowledged-list form")
    fields = {str(each["name"]): str(each["value"]) for each in form.select("input")}
    page = manager.read(manager.post(str(form["action"]), data=fields))
    assert "To be checked again: Paid after expiry." in page.text
    assert "Paid after expiry (1)" in section(page, "late")
    assert not page.all(".acknowledged-list")
    timeline = manager.page(f"/links/{link_id(1)}").text
    assert f"Reconcile note: {NOTE}" in timeline
    assert "No longer marked as checked in Reconcile" in timeline
    assert "checked by" not in timeline
    again = manager.read(manager.post(str(form["action"]), data=fields))
    assert "Not undone: this changed meanwhile" in again.text, "it is open already"


def test_marking_as_checked_offers_its_undo_where_it_was_pressed(manager: WebClient, late: Ledger) -> None:
    action, fields = tick_form(manager.page("/reconcile/findings/late"), "late")
    page = manager.read(manager.post(action, data=fields | {"note": NOTE}))
    undone = manager.read(page.submit("Undo"))
    assert undone.heading == "Paid after expiry"
    assert len(undone.all("tbody.discrepancy")) == 1


def test_what_no_longer_holds_cannot_be_opened_again(manager: WebClient, app: Flask, late: Ledger) -> None:
    tick(manager, "late")
    with app.extensions["store"].write() as connection:
        late_money = discrepancies.of_link(connection, link_id(1))[DiscrepancyKind.LATE]
        discrepancies.withdraw(connection, link_id(1), [late_money.kind], late.clock())
        assert not discrepancies.reopen(connection, late_money.id, late_money.version)
    assert not manager.page("/reconcile").all(".acknowledged-list form")


def test_a_note_that_is_too_short_stays_typed(manager: WebClient, late: Ledger) -> None:
    answer = tick(manager, "late", "ok")
    assert answer.status_code == 422
    page = Page(manager, answer)
    assert "Write a note of 3 to 500 characters" in section(page, "late")
    assert page.one("section#late .then details")["open"] == ""
    assert page.one("section#late input[name=note]")["value"] == "ok"


def test_a_discrepancy_that_changed_since_it_was_read_is_not_acknowledged(manager: WebClient, late: Ledger) -> None:
    action, fields = tick_form(manager.page("/reconcile"), "late")
    answered(late, 1, status="ACTIVE")
    page = manager.read(manager.post(action, data=fields | {"note": NOTE}))
    assert "Not marked: this changed meanwhile" in page.text
    assert "Paid after expiry (1)" in section(page, "late")


def test_an_acknowledgement_is_in_the_audit_log(manager: WebClient, app: Flask, late: Ledger) -> None:
    tick(manager, "late")
    with app.extensions["store"].read() as connection:
        entry = audit.newest(connection)[0]
    assert (entry.action, entry.name, entry.detail) == ("finding seen", MEERA.name, {"kind": "late"})


def test_a_note_typed_before_the_session_ended_waits(manager: WebClient, app: Flask, late: Ledger) -> None:
    action, fields = tick_form(manager.page("/reconcile"), "late")
    late.clock.advance(minutes=31)
    answer = manager.post(action, data=fields | {"note": "half a thou"})
    assert answer.headers["Location"].startswith("/sign-in")
    answer = manager.signs_in(MEERA.email, at=answer.headers["Location"])
    page = manager.read(answer)
    assert page.heading == "Reconcile"
    assert page.one("section#late input[name=note]")["value"] == "half a thou"
    assert page.one("section#late .then details").has_attr("open")
    assert "Paid after expiry (1)" in section(page, "late"), "signing in acknowledged nothing"


def oldest_of(page: Page) -> tuple[str, str, dict[str, str]]:
    """Return the id of the last row of a page, and the address and the fields of its form."""
    row = page.all("tbody")[-1]
    form = row.select_one("form.tick-form")
    assert form is not None
    fields = {str(each["name"]): str(each.get("value", "")) for each in form.select("input[name]")}
    return str(row["id"]), str(form["action"]), fields


def test_a_note_refused_on_a_row_that_the_first_page_leaves_out_is_shown(manager: WebClient, entered: Ledger) -> None:
    for number in range(1, 15):
        entered.enter(number)
    row_id, action, fields = oldest_of(manager.page("/reconcile/findings/elsewhere"))
    answer = manager.post(action.partition("?")[0], data=fields | {"note": "x"})
    page = Page(manager, answer)
    assert page.heading == "Reconcile"
    assert page.one(f"#{row_id} input[name=note]")["value"] == "x"


def test_acknowledging_on_a_page_of_a_kind_stays_there(manager: WebClient, entered: Ledger) -> None:
    for number in range(1, 54):
        entered.enter(number)
    second = manager.page("/reconcile/findings/elsewhere").link("Next 50")
    row_id, action, fields = oldest_of(manager.page(second))
    refused = Page(manager, manager.post(action, data=fields | {"note": "x"}))
    assert refused.heading == "Created outside this dashboard"
    assert len(refused.all("tbody")) == 3
    assert refused.one(f"#{row_id} input[name=note]")["value"] == "x"
    answer = manager.post(action, data=fields | {"note": NOTE})
    page = manager.read(answer)
    assert page.heading == "Created outside this dashboard"
    assert len(page.all("tbody")) == 2
    assert not page.all(f"#{row_id}")
    late = manager.read(manager.post(action, data=fields | {"note": NOTE}))
    assert "Not marked: this changed meanwhile" in late.text
    assert late.heading == "Created outside this dashboard"


def test_duplicate_links_need_as_long_a_note_as_their_alarm(manager: WebClient, entered: Ledger) -> None:
    enter_duplicates(entered)
    answer = tick(manager, "double", "told Asha")
    assert answer.status_code == 422
    assert "Write a note of 10 to 500 characters" in section(Page(manager, answer), "double")
    assert "Money may be paid twice" in manager.page("/links").everything
    tick(manager, "double", "told Asha so")
    assert "Money may be paid twice" not in manager.page("/links").everything
    assert "Challans on two links" in clean(manager.page("/reconcile"), "double")


# Checking now


def test_look_now_searches_at_the_source_and_shows_the_result(
    manager: WebClient, entered: Ledger, five: Any, levers: Any
) -> None:
    paid_but_listed(entered)
    manager.signs_in(MEERA.email)
    before = levers.count("search")
    row = manager.page("/reconcile").one("#unsettled tbody tr[data-row]")
    led = [each["href"] for each in row.select("a[href^='/links/']")]
    assert led == [f"/links/{link_id(1)}"] * 2, "its plate and its words"
    answer = manager.page("/reconcile").submit("Verify now")
    assert answer.headers["Location"] == "/reconcile#unsettled"
    assert levers.count("search") == before + 1
    page = manager.read(answer)
    assert "Verified with the department just now." in page.text
    assert clean(page, "unsettled"), "the replica lists no such challan"
    with entered.services.store.read() as connection:
        plan = settlements.find_plan(connection, link_id(1))
        events = [event.kind for event in links.events_of(connection, link_id(1))]
    assert plan is not None
    assert plan.state == "settled"
    assert "settled" in events


def test_a_check_that_fails_says_why_and_leaves_the_last_result(
    manager: WebClient, entered: Ledger, five: Any, levers: Any
) -> None:
    paid_but_listed(entered)
    manager.signs_in(MEERA.email)
    levers.fault("search", "status", status=502, count=9)
    answer = manager.page("/reconcile").submit("Verify now")
    assert answer.status_code >= 500
    page = Page(manager, answer)
    assert "MH90001 Pending" in section(page, "unsettled")
    assert "The challan source did not answer." in words(page.one("#unsettled tbody [role=alert]").get_text(" "))
    assert not page.all(".notice"), "it would stand above the page, where no row is named"


def test_the_settlement_of_a_link_without_a_vehicle_cannot_be_checked(manager: WebClient, entered: Ledger) -> None:
    paid_but_listed(entered)
    manager.signs_in(MEERA.email)
    with entered.services.store.write() as connection:
        connection.execute(update(link).values(rc=None))
        settlements.change_plan(connection, link_id(1), rc=None)
    page = manager.page("/reconcile")
    assert "Verify now" not in page.buttons()
    assert "The vehicle of this link is not known" in section(page, "unsettled")
    token = str(page.one("meta[name=csrf-token]")["content"])
    assert manager.post(f"/reconcile/look/{link_id(1)}", data={"csrf_token": token}).status_code == 404
