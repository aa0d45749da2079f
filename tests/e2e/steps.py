"""Define the steps of staff and drivers in a browser, in their own words; each step checks its result."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from dashboard.domain.registration import normalize, spaced
from tests.support.people import ASHA, PASSWORD

#: The button that creates one link, of a selection that makes several too.
CREATE = re.compile(r"^Create (payment link|1 link)")


class Desk:
    """Drive one browser tab of a person who works with the dashboard."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.url = url

    # Reaching places

    def opens(self, path: str = "/") -> None:
        self.page.goto(self.url + path)

    def signs_in(self, email: str = ASHA.email, password: str = PASSWORD) -> None:
        if not self.page.url.startswith(f"{self.url}/sign-in"):
            self.opens("/sign-in")
        self.page.get_by_label("Email").fill(email)
        self.page.get_by_label("Password").fill(password)
        self.page.get_by_role("button", name="Sign in").click()
        expect(self.page).not_to_have_url(re.compile("/sign-in"))

    def signs_out(self) -> None:
        self.page.locator("person-menu summary").click()
        self.page.get_by_role("button", name="Sign out").click()
        expect(self.page).to_have_url(re.compile("/sign-in"))

    # Searching

    def searches(self, number: str) -> None:
        """Type a number and press Search; the next step checks the result."""
        self.page.get_by_label("RC number").fill(number)
        self.page.get_by_role("button", name="Search", exact=True).click()

    def lists(self, number: str) -> None:
        """Search a vehicle with challans, and wait until its list can be worked with."""
        self.searches(number)
        expect(self.page.locator("challan-table:defined")).to_be_attached()

    def sees_vehicle(self, rc: str) -> None:
        expect(self.page).to_have_url(f"{self.url}/vehicles/{rc}")
        expect(self.page.get_by_role("heading", level=1)).to_be_visible()

    def is_asked_for_type_and_city(self, number: str) -> None:
        expect(self.page.get_by_label("RC type")).to_be_visible()
        expect(self.page.get_by_label("City")).to_be_visible()
        expect(self.page.get_by_label("RC number")).to_have_value(spaced(normalize(number)))

    def chooses_type_and_city(self, rc_type: str, city: str) -> None:
        self.page.get_by_label("RC type").select_option(label=rc_type)
        self.page.get_by_label("City").select_option(label=city)
        self.page.get_by_role("button", name="Search", exact=True).click()

    # Choosing

    def ticks(self, *numbers: str) -> None:
        for number in numbers:
            self.page.get_by_role("checkbox", name=number, exact=True).check()

    def sees_saved(self, words: str) -> None:
        """Wait until the server has confirmed what is selected."""
        expect(self.page.locator("#selection-sum")).to_contain_text(words)
        expect(self.page.locator("#selection-sum:not([data-pending]):not(.htmx-request)")).to_be_visible()

    def ticks_all_payable(self) -> None:
        everything = self.page.get_by_role("checkbox", name="Select all payable")
        everything.or_(self.page.locator("input[name=challan][data-focus]")).check()

    def payable(self) -> Locator:
        return self.page.locator('input[type="checkbox"][name="challan"]')

    def reviews(self) -> None:
        self.page.get_by_role("button", name="Review and create").click()
        expect(self.page.get_by_role("button", name=CREATE)).to_be_visible()

    # Creating and following

    def creates_the_link(self) -> None:
        self.page.get_by_role("button", name=CREATE).click()

    def creates_a_link(self, rc: str) -> str:
        """Create a link for all payable challans, from the search to the link's page, and return its id."""
        self.opens("/")
        self.searches(rc)
        self.sees_vehicle(rc)
        self.ticks_all_payable()
        self.reviews()
        self.creates_the_link()
        return self.sees_the_link("ACTIVE")

    def sees_the_link(self, status: str) -> str:
        """Wait for the link's page and its status, and return the link's id."""
        expect(self.page).to_have_url(re.compile("/links/[0-9a-f-]{36}$"))
        self.sees_status(status)
        return self.page.url.rsplit("/", 1)[1]

    def sees_the_request(self, state: str) -> str:
        """Wait for the request's page and its state, and return the request's id."""
        expect(self.page).to_have_url(re.compile("/requests/[0-9a-f-]{36}$"))
        expect(self.page.locator("#request-panel")).to_have_attribute("data-state", state, timeout=20_000)
        return self.page.url.rsplit("/", 1)[1]

    def releases_the_challans(self) -> None:
        """Submit the typed reason, and wait until the page shows the release."""
        self.page.get_by_role("button", name="Release the challans").click()
        expect(self.page.locator("#request-panel")).to_contain_text("released by", timeout=20_000)

    def sees_status(self, status: str) -> None:
        expect(self.page.locator("#link-panel")).to_have_attribute("data-status", status, timeout=15_000)
        expect(self.page.locator("#link-panel .panel-state .state")).to_have_attribute("data-raw", status)

    def sees_that_polling_failed(self, why: str) -> None:
        expect(self.page.locator("[data-could-not]").filter(has_text=why)).to_be_visible(timeout=20_000)

    def sees_no_failed_poll(self) -> None:
        expect(self.page.locator("[data-could-not]:visible")).to_have_count(0, timeout=20_000)

    def sees_in_the_timeline(self, words: str) -> None:
        entry = self.page.locator("#link-timeline .timeline-words").filter(has_text=words)
        expect(entry).to_be_visible(timeout=15_000)

    def sees_paid_since(self, count: int) -> None:
        """See this number of paid links on the first page and in the title of its tab."""
        expect(self.page.locator(".paid-since li")).to_have_count(count, timeout=15_000)
        expect(self.page).to_have_title(f"({count} paid) Challan Dashboard")

    def switches_tab(self, away: bool = True) -> None:
        """Hide the tab, or show it again, by the event of a browser; a headless browser cannot do it itself."""
        self.page.evaluate(
            "away => { Object.defineProperty(document, 'hidden', { get: () => away, configurable: true });"
            " document.dispatchEvent(new Event('visibilitychange')); }",
            away,
        )

    def payment_url(self) -> str:
        return self.page.get_by_label("Payment URL").input_value()

    def cannot_copy(self) -> None:
        """Check that there is no enabled Copy link button."""
        button = self.page.get_by_role("button", name="Copy link")
        expect(button.and_(self.page.locator(":enabled"))).to_have_count(0)

    def copies_the_payment_url(self) -> str:
        """Press Copy link, and return the text on the clipboard."""
        self.page.get_by_role("button", name="Copy link").click()
        expect(self.page.locator("#link-payment")).to_contain_text("Copied")
        return str(self.page.evaluate("navigator.clipboard.readText()"))


class Driver:
    """Drive one browser tab of a person with a payment URL and no account."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def opens(self, url: str) -> None:
        self.page.goto(url)
        expect(self.page.locator("main")).to_be_visible()

    def pays_by_upi(self) -> None:
        self.page.get_by_role("button", name=re.compile("by UPI")).click()
        expect(self.page.locator("main")).to_contain_text(re.compile("paid", re.IGNORECASE))
