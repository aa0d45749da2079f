"""Following up: what waits for somebody, nudging, putting off, notes; and our own fields in filters and exports."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from flask import Flask

from dashboard.services.accounts.audit import Origin
from dashboard.store.accounts import audit
from dashboard.store.sharing import drivers, follow_ups, shares
from tests.support.page import Page
from tests.support.visitor import Visitor
from tests.web.links.test_export import as_csv
from tests.web.links.test_list import Ledger, link_id, shown

#: Noon in India.
NOON = datetime(2026, 11, 21, 6, 30, tzinfo=UTC)


@pytest.fixture
def entered(app: Flask, clock: Any) -> Ledger:
    return Ledger(app.extensions["services"], clock)


def shared(entered: Ledger, number: int, driver_id: int | None = None) -> None:
    with entered.services.store.write() as connection:
        values = {"channel": "whatsapp", "person_id": 1, "language": "en", "at": entered.clock()}
        shares.add(connection, link_id=link_id(number), driver_id=driver_id, **values)


def waiting(page: Page) -> list[int]:
    """The numbers of the links in the queue, in its order; those that are put off are not among them."""
    return [int(str(item["id"]).removeprefix("follow-")[:8]) for item in page.all("main > ul > li.follow")]


def put_off(page: Page) -> list[int]:
    return [int(str(item["id"]).removeprefix("follow-")[:8]) for item in page.all("main section li.follow")]


def press(page: Page, number: int, button: str, **fields: str) -> Any:
    """Press a button of one entry."""
    [entry] = page.all(f"#follow-{link_id(number)}")
    for form in entry.select("form"):
        for each in form.select("button"):
            if each.get_text(strip=True) == button:
                data = {str(field["name"]): str(field.get("value", "")) for field in form.select("input")}
                if each.get("name"):
                    data[str(each["name"])] = str(each["value"])
                return page.client.post(str(form["action"]), data=data | fields)
    raise AssertionError(f"no button {button!r}")


def test_with_nothing_to_do_it_says_so(staff: Visitor) -> None:
    assert "Nothing waits for you." in staff.page("/follow-up").text


def test_what_ends_soon_and_what_nobody_was_given_waits_and_nothing_else(
    staff: Visitor, entered: Ledger, clock: Any
) -> None:
    now = clock()
    entered.enter(1, expires_at=now + timedelta(hours=40))
    entered.enter(2, expires_at=now + timedelta(hours=5))
    entered.enter(3, expires_at=now + timedelta(hours=60))
    entered.enter(4, expires_at=now + timedelta(hours=3), status="PAID")
    entered.enter(5, expires_at=now + timedelta(hours=3), status="EXPIRED")
    for number in (1, 2):
        shared(entered, number)
    clock.advance(minutes=16)
    entered.enter(6, expires_at=now + timedelta(hours=60))
    page = staff.page("/follow-up")
    assert waiting(page) == [2, 3], "the one made just now is about to be shared"
    assert "Nobody was given it yet." in page.text
    assert page.soup.title is not None
    assert "Follow up (2)" in page.soup.title.get_text()


def test_a_link_whose_address_was_copied_was_given(staff: Visitor, entered: Ledger, clock: Any) -> None:
    at = clock()
    for number, hours in ((1, 40), (2, 20), (3, 40)):
        entered.enter(number, expires_at=at + timedelta(hours=hours))
    for number in (1, 2):
        entered.services.copying.record(link_id(number), 1, Origin())
    clock.advance(minutes=20)
    page = staff.page("/follow-up")
    assert waiting(page) == [2, 3]
    assert "Payment URL copied 20 min ago." in page.one(f"#follow-{link_id(2)}").get_text()
    assert "Nobody was given it yet." not in page.one(f"#follow-{link_id(2)}").get_text()
    assert "Nobody was given it yet." in page.one(f"#follow-{link_id(3)}").get_text()
    assert shown(staff.page("/links?needs=action")) == [2]


def test_the_newer_of_a_share_and_a_copy_is_told(staff: Visitor, entered: Ledger, clock: Any) -> None:
    entered.enter(1, expires_at=clock() + timedelta(hours=20))
    entered.services.copying.record(link_id(1), 1, Origin())
    clock.advance(minutes=5)
    shared(entered, 1)
    assert "Payment URL copied" not in staff.page("/follow-up").text
    clock.advance(minutes=5)
    entered.services.copying.record(link_id(1), 1, Origin())
    assert re.search(r"Last shared 5 min ago\s*\. Payment URL copied ", staff.page("/follow-up").text)


def test_all_that_wait_are_counted_and_none_falls_off(staff: Visitor, entered: Ledger, clock: Any) -> None:
    at = clock()
    for number in range(1, 123):  # Several end at the same moment.
        entered.enter(number, expires_at=at + timedelta(hours=12, minutes=number // 4))
    page = staff.page("/follow-up")
    assert page.soup.title is not None
    assert "Follow up (122)" in page.soup.title.get_text()
    assert "122 links wait; what ends first comes first." in page.text
    found = waiting(page)
    while more := [str(a["href"]) for a in page.all("nav.pages a") if a.get_text() == "Next 50"]:
        page = staff.page(*more)
        found += waiting(page)
    assert found == list(range(1, 123))
    [first] = [a for a in page.all("nav.pages a") if a.get_text() == "First 50"]
    assert waiting(staff.page(str(first["href"]))) == found[:50]


def test_what_is_put_off_is_paged_by_itself_and_whoever_acts_stays_on_the_page(
    staff: Visitor, entered: Ledger, clock: Any
) -> None:
    at = clock()
    for number in range(1, 112):
        entered.enter(number, expires_at=at + timedelta(hours=20, minutes=number))
    with entered.services.store.write() as connection:
        for number in range(1, 61):
            follow_ups.snooze(connection, link_id(number), at + timedelta(hours=1), at, 1)
    page = staff.page("/follow-up")
    assert "Put off (60)" in page.text
    [next_page, next_later] = [str(a["href"]) for a in page.all("nav.pages a")]
    page = staff.page(next_later)
    assert (waiting(page)[0], put_off(page)) == (61, list(range(51, 61)))
    page = staff.page(next_page)
    assert (waiting(page), put_off(page)[0]) == ([111], 1)
    page = staff.read(press(page, 111, "Add the note", note="Called"))
    assert waiting(page) == [111]
    page = staff.read(press(page, 111, "Put off 4 h"))
    assert waiting(page) == list(range(61, 111)), "nothing is left on the page, so the first one is shown"


def test_an_address_that_names_no_place_shows_the_first_page(staff: Visitor, entered: Ledger, clock: Any) -> None:
    entered.enter(1, expires_at=clock() + timedelta(hours=20))
    for query in ("after=x", "after=x~y", "later=~&after=~"):
        assert waiting(staff.page(f"/follow-up?{query}")) == [1]


def test_a_link_is_put_off_and_comes_back_by_itself(staff: Visitor, entered: Ledger, clock: Any) -> None:
    entered.enter(1, expires_at=clock() + timedelta(hours=20))
    assert press(staff.page("/follow-up"), 1, "Put off 4 h").status_code == 303
    page = staff.page("/follow-up")
    assert (waiting(page), put_off(page)) == ([], [1])
    assert "by Asha Rao" in page.text
    page = staff.read(press(page, 1, "Take it back"))
    assert waiting(page) == [1]
    assert "MH12 AB 1001 waits here again." in page.text


def test_until_tomorrow_is_nine_in_the_morning_where_people_are(staff: Visitor, entered: Ledger, clock: Any) -> None:
    clock.set(NOON)
    entered.enter(1, expires_at=NOON + timedelta(hours=23))
    page = staff.read(press(staff.page("/follow-up"), 1, "Until tomorrow"))
    assert "MH12 AB 1001 is put off until 22 Nov 2026, 09:00 IST." in page.text
    assert "Put off until 22 Nov 2026, 09:00 IST by Asha Rao" in page.text


@pytest.mark.parametrize(("button", "hours"), [("Put off 4 h", 4.5), ("Until tomorrow", 6), ("Put off 4 h", 1.1)])
def test_a_link_comes_back_an_hour_before_its_end_at_the_latest(
    staff: Visitor, entered: Ledger, clock: Any, button: str, hours: float
) -> None:
    clock.set(NOON)
    ends = NOON + timedelta(hours=hours)
    entered.enter(1, expires_at=ends)
    page = staff.read(press(staff.page("/follow-up"), 1, button))
    assert (waiting(page), put_off(page)) == ([], [1])
    assert re.search(r"MH12 AB 1001 is put off until [^.]* IST, an hour before it ends\.", page.text)
    clock.set(ends - timedelta(hours=1))
    assert waiting(staff.page("/follow-up")) == [1]


@pytest.mark.parametrize(
    ("minutes", "why"), [(60, "it ends within the hour."), (0, "it should have ended by now."), (-5, "it should have")]
)
def test_a_link_that_ends_within_the_hour_is_not_put_off(
    staff: Visitor, entered: Ledger, clock: Any, minutes: int, why: str
) -> None:
    entered.enter(1, expires_at=clock() + timedelta(minutes=minutes))
    for button in ("Put off 4 h", "Until tomorrow"):
        page = staff.read(press(staff.page("/follow-up"), 1, button))
        assert f"MH12 AB 1001 was not put off: {why}" in page.text
        assert (waiting(page), put_off(page)) == ([1], [])


def test_a_link_that_has_not_said_when_it_ends_is_put_off_as_asked(staff: Visitor, entered: Ledger, clock: Any) -> None:
    entered.enter(1, expires_at=None)
    clock.advance(minutes=16)
    page = staff.read(press(staff.page("/follow-up"), 1, "Put off 4 h"))
    assert put_off(page) == [1]


def test_putting_off_takes_known_spans_only(staff: Visitor, entered: Ledger, clock: Any) -> None:
    entered.enter(1, expires_at=clock() + timedelta(hours=20))
    assert press(staff.page("/follow-up"), 1, "Put off 4 h", until="2999-01-01").status_code == 400


def test_a_nudge_goes_to_whom_it_was_given_last(staff: Visitor, entered: Ledger, clock: Any) -> None:
    entered.enter(1, expires_at=clock() + timedelta(hours=20))
    with entered.services.store.write() as connection:
        driver = drivers.add(connection, at=clock(), by=1, rcs=[], name="Ramesh Kumar", language="hi")
    shared(entered, 1, driver)
    page = staff.page("/follow-up")
    assert "with Ramesh Kumar" in page.text
    assert page.one(f"#follow-{link_id(1)} input[name=driver]")["value"] == str(driver)
    assert "Nudge again" in page.buttons()


def test_a_note_stays_with_the_link_and_an_empty_one_is_refused(
    staff: Visitor, manager: Visitor, app: Flask, entered: Ledger, clock: Any
) -> None:
    entered.enter(1, expires_at=clock() + timedelta(hours=20))
    assert press(staff.page("/follow-up"), 1, "Add the note", note="Called  him, pays tonight").status_code == 303
    assert "Called him, pays tonight Asha Rao" in manager.page("/follow-up").text
    answer = press(staff.page("/follow-up"), 1, "Add the note", note="x" * 501)
    page = Page(staff, answer)
    assert page.status == 422
    assert "A note has at most 500 letters." in page.text
    assert page.one(f"#note-{link_id(1)}")["value"] == "x" * 501
    with app.extensions["store"].read() as connection:
        assert audit.newest(connection)[0].action == "note"


# Our own fields


def test_own_fields_are_kept_shown_and_found_by_and_exported(manager: Visitor, entered: Ledger) -> None:
    entered.enter(1)
    entered.enter(2)
    entered.enter(3, "KA05MN4321")
    page = manager.page(f"/links/{link_id(1)}")
    manager.read(page.submit("Save our fields", cost_centre="Pune depot", trip="T-1", customer="Acme", note="urgent"))
    manager.read(manager.page("/vehicles/MH12AB1001").submit("Save our fields", cost_centre="Mumbai"))
    page = manager.page(f"/links/{link_id(2)}")
    assert "Mumbai from the vehicle" in page.text
    assert "Pune depot" in manager.page(f"/links/{link_id(1)}").text
    assert shown(manager.page("/links?cost_centre=pune+DEPOT")) == [1]
    assert shown(manager.page("/links?cost_centre=mumbai")) == [2], "the link's own field stands above its vehicle's"
    assert shown(manager.page("/links?note=URGEN")) == [1], "of a note, any words"
    assert shown(manager.page("/links?note=100%25")) == []
    assert shown(manager.page("/links?customer=Acme&trip=t-1")) == [1]
    rows = {row["Link id"]: row for row in as_csv(manager)}
    assert rows[link_id(1)]["Cost centre"] == "Pune depot"
    assert rows[link_id(2)]["Cost centre"] == "Mumbai"
    assert rows[link_id(3)]["Cost centre"] == ""
    assert rows[link_id(1)]["Note"] == "urgent"


def test_own_fields_of_any_script_are_found_as_they_were_typed(manager: Visitor, entered: Ledger) -> None:
    entered.enter(1)
    page = manager.page(f"/links/{link_id(1)}")
    manager.read(page.submit("Save our fields", customer="ÉCOLE", note="ÄRGER am Tor, कल फिर"))
    for query in ("note=ÄRGER", "note=कल", "customer=ÉCOLE"):
        assert shown(manager.page(f"/links?{query}")) == [1]


@pytest.mark.parametrize("address", [f"/links/{link_id(1)}", "/vehicles/MH12AB1001"])
def test_own_fields_that_are_too_long_are_explained_and_kept(staff: Visitor, entered: Ledger, address: str) -> None:
    entered.enter(1)
    staff.read(staff.page(address).submit("Save our fields", cost_centre="Pune depot", note="urgent"))
    long = {"cost_centre": "P" * 61, "trip": "T" * 60, "customer": "A" * 101, "note": "n " * 250 + "end"}
    page = Page(staff, staff.page(address).submit("Save our fields", **long))
    assert page.status == 422
    assert page.one(".own-fields details").has_attr("open")
    assert "This has 61 letters, and at most 60 are kept. Nothing was saved." in page.text
    for name, typed in long.items():
        field = page.one(f"#own-{name}")
        assert field["value"] == typed
        assert field.has_attr("aria-invalid") == (name != "trip")
    assert "Pune depot" in page.one(".own-facts").text, "what was kept before still is"
    fields = {"cost_centre": "P" * 60, "customer": " A " * 50, "note": "n" * 500}
    assert staff.page(address).submit("Save our fields", **fields).status_code == 303
    assert "P" * 60 in staff.page(address).text


def test_what_was_written_before_is_offered_again(staff: Visitor, entered: Ledger) -> None:
    entered.enter(1)
    entered.enter(2)
    staff.read(staff.page(f"/links/{link_id(1)}").submit("Save our fields", cost_centre="Pune depot"))
    options = staff.page(f"/links/{link_id(2)}").all("#known-cost_centre option")
    assert [option["value"] for option in options] == ["Pune depot"]


def test_links_given_to_a_driver_can_be_asked_for(staff: Visitor, entered: Ledger, clock: Any) -> None:
    for number in (1, 2):
        entered.enter(number)
    with entered.services.store.write() as connection:
        driver = drivers.add(connection, at=clock(), by=1, rcs=[], name="Ramesh Kumar", language="hi")
    shared(entered, 2, driver)
    page = staff.page("/links").submit("Filter", driver=str(driver))
    assert shown(staff.read(page)) == [2]
