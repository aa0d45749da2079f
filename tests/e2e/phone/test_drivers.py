"""Test the pages of drivers on a phone: numbers that a thumb hits, and what each driver owes and paid."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from dashboard.domain.drivers import DriverDetails
from dashboard.domain.sharing import Channel
from tests.e2e.conftest import Office
from tests.e2e.manager_steps import links_of
from tests.e2e.steps import Desk
from tests.support.people import ASHA

pytestmark = pytest.mark.e2e


def test_the_list_of_drivers_says_what_somebody_paid_who_owes_nothing(phone: Desk, office: Office) -> None:
    person = office.app.extensions["people"].find(ASHA.email).id
    ids = [
        office.services.drivers.add(DriverDetails(name, f"98765 4321{number}", None, "hi", None, ()), person)
        for number, name in enumerate(("Ramesh Yadav", "Lakshmi Devi"))
    ]
    paid, owed = links_of(office, "DL01CB2002", ASHA, [2500, 1500])
    for link_id, driver in ((paid, ids[0]), (owed, ids[1])):
        office.services.sharing.record_share(link_id, Channel.WHATSAPP, person, driver, "hi")
    office.levers.pay(paid)
    office.services.link_poller.refresh(paid)
    phone.opens("/drivers")
    rows = phone.page.locator(".table-drivers tbody tr")
    expect(rows.filter(has_text="Ramesh Yadav").locator(".driver-paid")).to_be_visible()
    expect(rows.filter(has_text="Lakshmi Devi").locator(".driver-owed")).to_be_visible()
    expect(rows.filter(has_text="Lakshmi Devi").locator(".driver-paid")).to_be_hidden()


def test_the_numbers_of_drivers_and_what_they_lack_are_hit_by_a_thumb(phone: Desk, office: Office) -> None:
    for name, number, vehicles in (("Ramesh Yadav", "98765 43210", ("DL01CB2002",)), ("Suresh Patil", None, ())):
        office.services.drivers.add(DriverDetails(name, number, None, "hi", None, vehicles), 1)
    phone.opens("/drivers")
    is_hit = """(each, by) => {
      const { left, top, bottom } = each.getBoundingClientRect();
      return document.elementFromPoint(left + 8, (top + bottom) / 2 + by)?.closest("a") === each;
    }"""
    for words, by in (("+91 98765 43210", 20), ("Add usual vehicle", -20), ("Add phone number", 20)):
        target = phone.page.get_by_role("link", name=words)
        assert target.evaluate(is_hit, by), words
        assert target.evaluate("each => getComputedStyle(each).fontSize") == "14px"


def test_a_driver_shows_when_he_paid_last_beside_what_he_paid(phone: Desk, office: Office) -> None:
    driver = office.services.drivers.add(DriverDetails("Ramesh Yadav", "98765 43210", None, "hi", None, ()), 1)
    paid, _open = links_of(office, "DL01CB2002", ASHA, [2500, 1500])
    for link_id in (paid, _open):
        office.services.sharing.record_share(link_id, Channel.WHATSAPP, 1, driver, "hi")
    office.levers.pay(paid)
    office.polls_until(paid, status="PAID")
    phone.opens(f"/drivers/{driver}")
    facts = phone.page.locator(".driver-facts > div")
    expect(facts).to_have_count(3)
    expect(facts.nth(2)).to_be_visible()
    expect(facts.nth(2)).to_contain_text("Last paid")
    between = "each => each.children[1].getBoundingClientRect().top - each.children[0].getBoundingClientRect().bottom"
    assert [each.evaluate(between) for each in facts.all()] == [0, 0, 0], "each figure is close to its name"
