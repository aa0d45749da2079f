"""Define the steps of managers in a browser, in their own words; each step checks its result."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page, expect

from dashboard.web.shared.texts import role_name
from tests.e2e.conftest import Office
from tests.e2e.steps import Desk
from tests.support.people import ASHA, Somebody
from tests.support.staff_member import StaffMember

FOR_MANAGERS = "This is for managers and administrators"


def links_of(office: Office, rc: str, somebody: Somebody, amounts: list[int]) -> list[str]:
    """Add a vehicle with a challan for each amount, create a link for each challan in turn, and return their ids."""
    challans = [{"challanNo": f"{rc}C{n:02}", "challanAmount": amount} for n, amount in enumerate(amounts)]
    office.levers.add_vehicle(rc, challans)
    person = office.app.extensions["people"].find(somebody.email)
    clerk = StaffMember(office.services, person.id)
    listed = sorted((item.challan for item in clerk.search(rc) if item.selectable), key=lambda each: each.challan_no)
    return [str(clerk.create(rc, [challan.id]).link_id) for challan in listed if challan.id]


def ends_soon(office: Office, link_id: str) -> None:
    """Set the link's end at the service to a few hours from now, and poll it."""
    at = office.services.clock() + timedelta(hours=5, minutes=10)
    office.levers.set_link(link_id, expiresAt=f"{at:%Y-%m-%dT%H:%M:%S}Z")
    office.polls_until(link_id, expires_at=at.replace(microsecond=0))


@contextmanager
def tab_of(browser: Browser, office: Office, somebody: Somebody, **more: Any) -> Iterator[ManagersDesk]:
    """Yield a signed-in tab in a browser context of its own."""
    context = browser.new_context(**more)
    office.signs_in(context, somebody)
    tab = ManagersDesk(context.new_page(), office.url)
    tab.page.set_default_timeout(15_000)
    tab.opens()
    yield tab
    context.close()


def own_tab(page: Page, office: Office, somebody: Somebody) -> ManagersDesk:
    """Sign somebody in to the tab of a test."""
    office.signs_in(page.context, somebody)
    tab = ManagersDesk(page, office.url)
    tab.opens()
    return tab


def sending_tab(page: Page, office: Office, somebody: Somebody) -> ManagersDesk:
    """Sign somebody in to the tab of a test that sends by WhatsApp: it must not open a telephone or mail program."""
    page.context.route(re.compile("^https://wa.me/"), lambda route: route.fulfill(body="sent on"))
    return own_tab(page, office, somebody)


class ManagersDesk(Desk):
    """Drive one browser tab on the pages for managers, used by a manager or by staff."""

    # The list of links

    def rows(self) -> Locator:
        return self.page.locator("#links-rows tbody tr")

    def sees_links(self, *ids: str) -> None:
        """See exactly these links, in this order."""
        expect(self.rows()).to_have_count(len(ids))
        for number, link_id in enumerate(ids):
            expect(self.rows().nth(number)).to_have_attribute("data-row", link_id)

    def filters(self, **typed: str) -> None:
        for name, value in typed.items():
            field = self.page.locator(f"#filter-{name}")
            if not field.is_visible():
                # The nearest fold may stand in another one.
                for fold in field.locator("xpath=ancestor::details").all():
                    opens = fold.locator("xpath=summary")
                    if opens.is_visible() and fold.get_attribute("open") is None:
                        opens.click()
            if field.evaluate("field => field.tagName") == "SELECT":
                field.select_option(label=value)
            else:
                field.fill(value)
                field.press("Tab")
        button = self.page.get_by_role("button", name="Filter", exact=True)
        if button.is_visible():  # Without scripts; otherwise each change is applied at once.
            button.click()

    def opens_more_filters(self) -> None:
        self.page.locator(".filter-more > summary").click()

    def tab(self, state: str) -> Locator:
        """Return the tab of a state above the list."""
        return self.page.get_by_role("navigation", name="States").get_by_role("link", name=re.compile(f"^{state}"))

    def comes_back_to_the_tab(self) -> None:
        """Come back to the tab, which then polls at once."""
        self.switches_tab()
        self.switches_tab(away=False)

    # Find and search

    def finds(self, words: str) -> None:
        """Press `/`, and search with the find box that every page has."""
        # At its corner, because a heading may hold a link.
        self.page.locator("h1").click(position={"x": 1, "y": 1})
        self.page.keyboard.press("/")
        expect(self.page.get_by_label("Find anything")).to_be_focused()
        self.page.keyboard.type(words)
        self.page.keyboard.press("Enter")

    # Sharing

    def shares(self) -> None:
        """Go from the link's page to the message."""
        self.page.get_by_role("button", name="Other ways").click()
        expect(self.page).to_have_url(re.compile("/share"))
        expect(self.message()).to_be_visible()

    def writes_the_message(self, driver: str | None = None, language: str | None = None) -> None:
        """Choose a driver, a language, or both; each choice writes the message at once."""
        if driver:
            self.page.get_by_label("Driver", exact=True).fill(driver)
            self.page.get_by_label("Driver", exact=True).blur()
        if language:
            # The field itself is seen by screen readers alone.
            choice = self.page.get_by_role("radio", name=language)
            code = str(choice.get_attribute("value"))
            choice.check(force=True)
            expect(self.message()).to_have_attribute("lang", code)

    def message(self) -> Locator:
        return self.page.locator("#share-message")

    def copies_the_message(self) -> str:
        self.page.get_by_role("button", name="Copy message").click()
        expect(self.page.locator("[data-said]")).to_have_text(re.compile("^Message copied"))
        return str(self.page.evaluate("navigator.clipboard.readText()"))

    # Drivers

    def adds_a_driver(self, **fields: str) -> None:
        self.opens("/drivers")
        if not self.page.get_by_label("Name").is_visible():
            self.page.get_by_text("Add a driver").click()
        self.fills_the_driver(**fields)
        self.page.get_by_role("button", name="Add the driver").click()

    def fills_the_driver(self, **fields: str) -> None:
        for name, value in fields.items():
            field = self.page.locator(f"#{name}")
            field.select_option(label=value) if name == "language" else field.fill(value)

    # Following up

    def waiting(self, link_id: str) -> Locator:
        return self.page.locator(f"#follow-{link_id}")

    # For everybody

    def sees_which_role_is_needed(self, somebody: Somebody = ASHA) -> None:
        main = self.page.locator("main")
        expect(main).to_contain_text(FOR_MANAGERS)
        expect(main).to_contain_text(f"You are signed in as {somebody.name}, whose role is {role_name(somebody.role)}")

    def is_accessible_and_fits_phones(self, where: str) -> None:
        """Check that axe finds no violation on the page, in light and dark, and that it fits phones of two widths."""
        usual = self.page.viewport_size
        self.page.emulate_media(reduced_motion="reduce")
        for scheme in ("light", "dark"):
            self.page.emulate_media(color_scheme=scheme)
            found = Axe().run(self.page)
            assert found.violations_count == 0, f"{where}, {scheme}: {found.generate_report()}"
        for width in (390, 320):
            self.page.set_viewport_size({"width": width, "height": 844})
            over = self.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            assert over == 0, f"{where} is {over} px wider than {width}"
        assert usual
        self.page.set_viewport_size(usual)


def reach(page: Page, name: str) -> None:
    """Press Tab until the control of this name has the focus."""
    for _ in range(240):
        page.keyboard.press("Tab")
        focused = page.evaluate(
            "() => { const e = document.activeElement; return (e.ariaLabel || "
            "(e.labels && e.labels.length ? e.labels[0].textContent : e.textContent || '')).trim(); }"
        )
        if focused.startswith(name):
            return
    raise AssertionError(f"{name} cannot be reached with the keyboard")
