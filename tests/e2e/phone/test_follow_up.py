"""Test what is sent and followed up on a phone: rows that hide nothing, and targets for a thumb."""

from __future__ import annotations

from datetime import timedelta

import pytest
from playwright.sync_api import expect

from dashboard.domain.drivers import DriverDetails
from dashboard.domain.sharing import Channel
from tests.e2e.conftest import Office
from tests.e2e.manager_steps import ends_soon, links_of
from tests.e2e.phone.geometry import HEIGHT, OVERLAPPING, SMALL, WIDTH, box
from tests.e2e.steps import Desk
from tests.support.people import ASHA

pytestmark = pytest.mark.e2e


def test_several_links_of_a_driver_stand_clear_of_each_other_whatever_is_said_of_them(
    phone: Desk, office: Office
) -> None:
    person = office.app.extensions["people"].find(ASHA.email).id
    vehicles = ("DL01CB2002", "KA05MN4321", "MH14GH2300")
    details = DriverDetails("Ramesh Kumar Venkatanarasimharajuvaripeta", "98765 43210", None, "hi", None, vehicles)
    driver = office.services.drivers.add(details, person)
    sent, noted, _plain = (each for rc in vehicles for each in links_of(office, rc, ASHA, [2500]))
    office.services.sharing.record_share(sent, Channel.WHATSAPP, person, driver, "hi")
    for clock in (office.clock, office.levers):
        clock.advance(13 * 3600)
    for link_id in (sent, noted):
        ends_soon(office, link_id)
    office.services.follow_ups.add_note(noted, "Called twice; pays at the depot tonight, after he is back", person)
    office.signs_in(phone.page.context, ASHA)
    for width in (WIDTH, 320):
        phone.page.set_viewport_size({"width": width, "height": HEIGHT})
        phone.opens("/follow-up")
        row = phone.page.locator(".follow-several")
        expect(row.locator(".follow-one")).to_have_count(3)
        assert row.evaluate(OVERLAPPING) == []
        assert phone.page.evaluate(SMALL) == []
        for part in (".follow-phone", ".follow-urgent >> nth=0", ".follow-urgent >> nth=1"):
            words = row.locator(part).evaluate(
                "each => { const range = document.createRange(); range.selectNodeContents(each);"
                " return range.getBoundingClientRect().height; }"
            )
            assert words < 30, f"{part} is one line"


def test_a_link_that_rests_or_is_snoozed_makes_the_list_no_wider(phone: Desk, office: Office) -> None:
    person = office.app.extensions["people"].find(ASHA.email).id
    details = DriverDetails("Ramesh Yadav", "98765 43210", None, "hi", None, ("DL01CB2002", "KA05MN4321"))
    driver = office.services.drivers.add(details, person)
    [rests], [snoozed] = (links_of(office, rc, ASHA, [2500]) for rc in ("DL01CB2002", "KA05MN4321"))
    for link_id in (rests, snoozed):
        office.services.sharing.record_share(link_id, Channel.WHATSAPP, person, driver, "hi")
    office.services.follow_ups.snooze(snoozed, office.services.clock() + timedelta(hours=4), person)
    phone.page.set_viewport_size({"width": 320, "height": HEIGHT})
    for address in ("/links", f"/drivers/{driver}"):
        phone.opens(address)
        expect(phone.page.locator(f"#row-{snoozed} .given-snoozed")).to_be_visible()
        assert phone.page.evaluate("document.documentElement.scrollWidth") == 320
        assert phone.page.locator(f"#row-{snoozed}").evaluate(OVERLAPPING) == []


def test_the_rows_of_links_to_follow_up_are_of_one_height_also_once_sent(phone: Desk, office: Office) -> None:
    person = office.app.extensions["people"].find(ASHA.email).id
    details = DriverDetails("Ramesh Yadav", "98765 43210", None, "hi", None, ("DL01CB2002",))
    driver = office.services.drivers.add(details, person)
    mine, bare, ended = (
        each for rc in ("DL01CB2002", "KA05MN4321", "MH14GH2300") for each in links_of(office, rc, ASHA, [2500])
    )
    office.levers.expire(ended)
    office.polls_until(ended, status="EXPIRED")
    phone.opens("/follow-up")
    rows = [phone.page.locator(f"#follow-{link_id}") for link_id in (mine, bare, ended)]

    def heights() -> list[int]:
        return [row.evaluate("each => each.clientHeight") for row in rows]

    before = heights()
    assert max(before) - min(before) <= 2
    office.services.sharing.record_share(mine, Channel.WHATSAPP, person, driver, "hi")
    phone.page.evaluate("id => htmx.trigger(document.getElementById(id), 'stale')", f"contact-{mine}")
    expect(rows[0].get_by_role("button", name="Undo")).to_be_visible()
    assert heights() == before


def test_what_was_sent_just_now_is_taken_back_by_a_word_of_its_row(phone: Desk, office: Office) -> None:
    person = office.app.extensions["people"].find(ASHA.email).id
    details = DriverDetails("Ramesh Yadav", "98765 43210", None, "hi", None, ("DL01CB2002", "KA05MN4321"))
    driver = office.services.drivers.add(details, person)
    [sent], [asked] = (links_of(office, rc, ASHA, [2500]) for rc in ("DL01CB2002", "KA05MN4321"))
    for link_id in (sent, asked):
        office.services.sharing.record_share(link_id, Channel.WHATSAPP, person, driver, "hi")
    office.levers.fail(asked)
    office.polls_until(asked, status="FAILED")
    office.services.sharing.record_question(asked, person, driver)
    phone.opens("/")
    for link_id in (sent, asked):
        undo = phone.page.locator(f".recent-links tr[data-row='{link_id}']").get_by_role("button", name="Undo")
        expect(undo).to_be_visible()
        assert box(undo)["height"] >= 44
        assert undo.evaluate("each => getComputedStyle(each, '::before').content") in ("none", "normal"), "no box"
        assert undo.evaluate("each => getComputedStyle(each).borderTopColor") == "rgba(0, 0, 0, 0)", "a plain link"
    row = phone.page.locator(f".recent-links tr[data-row='{asked}']")
    expect(row.get_by_role("link", name="Note answer")).to_be_visible()
    assert row.evaluate(OVERLAPPING) == []


def test_a_link_is_sent_again_from_the_page_of_its_driver_and_copied_once_another_has_it(
    phone: Desk, office: Office
) -> None:
    driver, other = (
        office.services.drivers.add(DriverDetails(name, phone_number, None, "hi", None, ()), 1)
        for name, phone_number in (("Ramesh Yadav", "98765 43210"), ("Suresh Patil", "98765 43211"))
    )
    [sent] = links_of(office, "DL01CB2002", ASHA, [2500])
    row = phone.page.locator(f"#row-{sent}")
    for given_to, act in ((driver, "Send again"), (other, "Copy")):
        office.services.sharing.record_share(sent, Channel.WHATSAPP, 1, given_to, "hi")
        phone.opens(f"/drivers/{driver}")
        button = row.get_by_role("button", name=act)
        expect(button).to_be_visible()
        assert min(box(button)["width"], box(button)["height"]) >= 44
        assert row.evaluate(OVERLAPPING) == []


def test_what_is_said_at_the_foot_of_a_message_has_one_size_and_is_hit_by_a_thumb(phone: Desk, office: Office) -> None:
    person = office.app.extensions["people"].find(ASHA.email).id
    driver = office.services.drivers.add(DriverDetails("Ramesh Yadav", "98765 43210", None, "hi", None, ()), person)
    [link_id] = links_of(office, "DL01CB2002", ASHA, [2500])
    office.services.sharing.prepare(link_id)
    office.services.sharing.record_share(link_id, Channel.WHATSAPP, person, driver, "hi")
    phone.page.context.route("https://wa.me/**", lambda route: route.fulfill(status=204))
    office.signs_in(phone.page.context, ASHA)
    phone.opens(f"/links/{link_id}/nudge?driver={driver}")
    foot = phone.page.locator(".reminder-last")
    acts = [foot.get_by_role("button", name="Undo"), foot.get_by_role("link", name="Other ways")]
    for each in acts:
        assert min(box(each)["width"], box(each)["height"]) >= 44
    sizes = {each.evaluate("each => getComputedStyle(each).fontSize") for each in [foot, *acts]}
    assert len(sizes) == 1
