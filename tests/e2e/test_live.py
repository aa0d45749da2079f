"""Test live regions: hidden tabs, sleep, lost networks, restarts, and text or focus that a swap must not disturb."""

from __future__ import annotations

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from dashboard.domain.drivers import DriverDetails
from dashboard.services.accounts.audit import COMMAND_LINE
from tests.e2e.conftest import RC, Office
from tests.e2e.steps import Desk
from tests.support.people import ASHA, MEERA

pytestmark = pytest.mark.e2e


@pytest.fixture
def environ(environ: dict[str, str]) -> dict[str, str]:
    """Poll the lists as often as the panels."""
    return environ | {"DASHBOARD_POLL_SECONDS": "1"}


def polls_of(page: Page) -> list[str]:
    """Return a list that collects every poll of the page from now on."""
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url) if "panel?" in request.url else None)
    return sent


# Hidden, asleep, offline, restarted


def test_a_hidden_tab_does_not_poll_and_polls_at_once_when_it_is_shown(desk: Desk, office: Office):
    desk.page.clock.install()
    link_id = desk.creates_a_link(RC)
    with desk.page.expect_response(re.compile("panel")):
        desk.page.clock.run_for(1100)
    desk.switches_tab()
    sent = polls_of(desk.page)
    desk.page.clock.run_for(60_000)
    assert sent == []
    office.levers.pay(link_id)
    office.polls_until(link_id, status="PAID")
    desk.switches_tab(away=False)
    desk.sees_status("PAID")
    assert len(sent) == 1, "without waiting for the next turn"


def test_a_search_shows_its_retries_while_it_runs(desk: Desk, office: Office):
    office.levers.fault("search", "status", status=502)
    office.levers.fault("search", "delay", seconds=4)
    desk.searches(RC)
    said = "The challan source did not answer; trying again (2 of 3)"
    expect(desk.page.get_by_text(said)).to_be_visible()
    desk.sees_vehicle(RC)
    expect(desk.page.get_by_text(said)).to_be_hidden()
    office.levers.fault("search", "cut")
    office.levers.fault("search", "delay", seconds=4)
    # The page is being left, so its text cannot be read; the announcement can.
    with desk.page.expect_response(lambda answer: "/search/wait" in answer.url and answer.status == 200) as told:
        desk.page.get_by_role("button", name="Refresh from source").click(no_wait_after=True)
    assert told.value.request.is_navigation_request() is False


def test_a_lost_network_is_shown_after_two_failed_polls_until_a_poll_succeeds(desk: Desk, office: Office):
    link_id = desk.creates_a_link(RC)
    desk.sees_no_failed_poll()
    desk.page.context.set_offline(True)
    desk.sees_that_polling_failed("this device has no network")
    expect(desk.page.locator("#link-panel")).to_have_attribute("data-status", "ACTIVE")
    office.levers.pay(link_id)
    desk.page.context.set_offline(False)
    desk.sees_status("PAID")
    desk.sees_no_failed_poll()


def test_a_restart_of_the_dashboard_is_shown_until_it_answers_again(desk: Desk, office: Office):
    link_id = desk.creates_a_link(RC)
    office.stop()
    desk.sees_that_polling_failed("the dashboard does not answer")
    office.levers.pay(link_id)
    office.start()
    desk.sees_status("PAID")
    desk.sees_no_failed_poll()
    desk.opens("/")
    office.stop()
    desk.sees_that_polling_failed("the dashboard does not answer")
    office.start()
    desk.sees_no_failed_poll()


@pytest.mark.parametrize(
    ("status", "words"), [(502, "the dashboard does not answer"), (500, "the dashboard answered with an error")]
)
def test_a_failed_poll_is_shown_after_the_second_one(desk: Desk, office: Office, status: int, words: str):
    desk.creates_a_link(RC)
    answers: list[int] = []

    def refuse(route) -> None:  # type: ignore[no-untyped-def]  # A route of Playwright.
        answers.append(desk.page.locator("[data-could-not]:visible").count())
        route.fulfill(status=status, body="<p>from a proxy</p>")

    desk.page.route("**/panel?*", refuse)
    desk.sees_that_polling_failed(words)
    assert answers[:2] == [0, 0], "at the second look nothing had been said of the first"
    assert desk.page.locator("#notices").inner_text() == ""
    desk.page.unroute("**/panel?*")
    desk.sees_no_failed_poll()


def test_a_failure_of_the_service_is_not_shown_as_a_failure_of_the_dashboard(desk: Desk, office: Office):
    desk.creates_a_link(RC)
    office.levers.fault("link_status", "cut", count=1000)
    expect(desk.page.locator("#link-panel")).to_contain_text("The service did not answer", timeout=15_000)
    desk.sees_no_failed_poll()
    office.levers.clear_faults()


def test_after_the_session_ends_the_ticks_stay_and_the_page_offers_to_sign_in(desk: Desk, office: Office):
    desk.searches(RC)
    desk.sees_vehicle(RC)
    desk.ticks("MH1098765430")
    people = office.app.extensions["people"]
    people.end_sessions(people.find(ASHA.email), by=None, origin=COMMAND_LINE)
    desk.sees_that_polling_failed("Your session has ended")
    polls = polls_of(desk.page)
    with desk.page.expect_request(re.compile("panel")):
        pass
    assert polls
    expect(desk.page.get_by_role("checkbox", name="MH1098765430")).to_be_checked()
    desk.page.locator("[data-could-not]").get_by_role("link", name="Sign in").click()
    desk.signs_in()
    desk.sees_vehicle(RC)


def test_after_a_night_asleep_the_page_polls_at_once_and_shows_the_right_ages(desk: Desk, office: Office):
    desk.page.clock.install()
    link_id = desk.creates_a_link(RC)
    age = desk.page.locator("#link-panel [data-checked]")
    expect(age).to_contain_text(re.compile(r"Checked (just now|\d s ago)"))
    office.levers.pay(link_id)
    desk.page.clock.fast_forward("08:00:00")
    desk.sees_status("PAID")
    desk.opens("/")
    desk.page.clock.fast_forward("08:00:00")
    checked = desk.page.locator("[data-checked-by=home-panel]")
    expect(checked).to_contain_text(re.compile(r"Checked (just now|\d s ago)"))


def test_the_age_of_the_check_counts_up_between_polls(desk: Desk, office: Office):
    desk.page.clock.install()
    desk.creates_a_link(RC)
    office.levers.expire(desk.page.url.rsplit("/", 1)[1])
    desk.page.clock.run_for(5000)
    desk.sees_status("EXPIRED")
    desk.page.route("**/panel?*", lambda route: route.abort())
    age = desk.page.locator("#link-panel [data-checked]")
    since = desk.page.locator("#link-panel .panel-deadline").inner_text()
    desk.page.clock.run_for(20_000)
    expect(age).to_contain_text(re.compile(r"Checked [12]\d s ago"))
    assert desk.page.locator("#link-panel .panel-deadline").inner_text() == since


# Changes that appear on the page


def test_a_payment_after_the_end_appears_in_the_panel_and_in_the_timeline(desk: Desk, office: Office):
    link_id = desk.creates_a_link(RC)
    office.levers.expire(link_id)
    desk.sees_status("EXPIRED")
    desk.cannot_copy()
    office.levers.pay(link_id)
    desk.sees_status("PAID")
    desk.sees_in_the_timeline("Expired")
    desk.sees_in_the_timeline("Paid")
    desk.sees_in_the_timeline("Paid")


@pytest.mark.parametrize(("ends_as", "next_step"), [("PAID", "Send receipt…"), ("FAILED", None)])
def test_a_payment_puts_its_next_step_in_the_place_of_a_focus_that_nobody_chose(
    desk: Desk, office: Office, ends_as: str, next_step: str | None
):
    person = office.app.extensions["people"].find(ASHA.email).id
    office.services.drivers.add(DriverDetails("Ramesh Yadav", "98765 43210", None, "hi", None, ()), person)
    desk.opens("/")
    desk.searches(RC)
    desk.ticks_all_payable()
    desk.reviews()
    desk.page.get_by_role("button", name="Create payment link").press("Enter")
    link_id = desk.sees_the_link("ACTIVE")
    expect(desk.page.locator("#toasts")).to_contain_text("Payment link created and copied")
    expect(desk.page.locator("#link-payment .share-send :focus")).to_have_count(1)
    office.levers.pay(link_id) if ends_as == "PAID" else office.levers.fail(link_id)
    desk.sees_status(ends_as)
    expect(desk.page.locator("#link-payment .share-send")).to_have_count(0)
    if next_step:
        expect(desk.page.get_by_role("link", name=next_step)).to_be_focused()


def test_a_copy_is_recorded_in_the_timeline_without_delaying_the_copy(desk: Desk, office: Office):
    desk.page.route("**/copied", lambda route: route.abort())
    link_id = desk.creates_a_link(RC)  # Its page copies it by itself.
    desk.copies_the_payment_url()
    desk.page.unroute("**/copied")
    expect(desk.page.locator("#link-timeline")).not_to_contain_text("Payment URL copied")
    desk.copies_the_payment_url()
    desk.sees_in_the_timeline("Payment URL copied · Asha Rao")
    assert desk.page.url.endswith(link_id), "nobody was sent anywhere"


def test_a_payment_url_that_arrives_later_can_be_copied_without_a_reload(desk: Desk, office: Office):
    without = {"corruption": "missing-field", "missing": "data.paymentUrl"}
    office.levers.fault("create_link", "corrupt", when="after", **without)
    office.levers.fault("link_status", "corrupt", count=1000, **without)
    link_id = desk.creates_a_link(RC)
    expect(desk.page.locator("#link-payment")).to_contain_text("The service sent no payment URL")
    office.levers.clear_faults()
    assert desk.copies_the_payment_url() == office.levers.link(link_id)["paymentUrl"]


def test_a_paid_link_appears_on_the_first_page_in_its_title_and_in_its_list(desk: Desk, office: Office):
    link_id = desk.creates_a_link(RC)
    desk.opens("/")
    expect(desk.page).to_have_title("Search · Challan Dashboard")
    desk.page.evaluate(
        "() => document.addEventListener('animationstart', (event) => {"
        " document.body.dataset.moved += ` ${event.animationName} ${event.target.tagName}`; })"
    )
    office.levers.pay(link_id)
    desk.sees_paid_since(1)
    row = desk.page.locator(f'#recent-links tr[data-row="{link_id}"]')
    expect(row).to_contain_text("Paid")
    expect(desk.page.locator("body")).to_have_attribute("data-moved", re.compile("glow TR"))
    expect(desk.page.get_by_role("status").first).to_contain_text("1 of your links newly paid")
    desk.page.get_by_role("button", name="Mark as seen").click()
    expect(desk.page.locator(".paid-since")).to_have_count(0)
    expect(desk.page).to_have_title("Search · Challan Dashboard")


def test_nothing_is_animated_with_reduced_motion(desk: Desk, office: Office):
    link_id = desk.creates_a_link(RC)
    desk.page.emulate_media(reduced_motion="reduce")
    desk.opens("/")
    office.levers.pay(link_id)
    desk.sees_paid_since(1)
    row = desk.page.locator(f'#recent-links tr[data-row="{link_id}"]')
    expect(row).to_have_class(re.compile("glow"))
    assert row.evaluate("row => getComputedStyle(row).animationName") == "none"


def test_the_page_of_a_vehicle_follows_its_links_and_the_ticks_stay(desk: Desk, office: Office, browser: Browser):
    desk.searches(RC)
    desk.sees_vehicle(RC)
    desk.ticks("MH1098765430")
    desk.reviews()
    desk.creates_the_link()
    link_id = desk.sees_the_link("ACTIVE")
    desk.opens(f"/vehicles/{RC}")
    desk.ticks("MH1098765431")
    office.levers.expire(link_id)
    row = desk.page.locator("tr", has_text="MH1098765430")
    expect(row).to_contain_text("Expired", timeout=15_000)
    expect(desk.page.locator("main")).to_contain_text("1 of 4 selected")
    desk.page.get_by_role("button", name="Show the latest list").click()
    expect(desk.payable()).to_have_count(5)
    expect(desk.page.get_by_role("checkbox", name="MH1098765431")).to_be_checked()


def test_another_list_moves_nothing_under_the_pointer(desk: Desk, office: Office, browser: Browser):
    desk.searches(RC)
    desk.sees_vehicle(RC)
    first = desk.page.locator("tr.challan").first
    stood = first.bounding_box()
    context = browser.new_context()
    meera = Desk(context.new_page(), office.url)
    office.signs_in(meera.page.context, MEERA)
    meera.opens(f"/vehicles/{RC}")
    meera.page.get_by_role("button", name="Refresh from source").click()
    expect(desk.page.locator("#vehicle-updated")).to_contain_text("by Meera Iyer", timeout=15_000)
    expect(desk.page.get_by_role("button", name="Show the latest list")).to_have_count(0)
    assert first.bounding_box() == stood, "nothing is new"
    levers = office.levers
    levers.set_challan(levers.vehicle(RC)["challans"][0]["id"], status="DISPOSED")
    office.services.vehicle_search.refresh_unattended(RC)
    expect(desk.page.locator("#vehicle-updated")).to_contain_text("New list at", timeout=15_000)
    assert first.bounding_box() == stood
    context.close()


# Text and focus that a swap must not disturb


def test_the_panel_is_not_swapped_while_text_in_it_is_selected(desk: Desk, office: Office):
    link_id = desk.creates_a_link(RC)
    deadline = desk.page.locator("#link-panel .panel-deadline")
    deadline.select_text()
    _hours, said = desk.page.evaluate("getSelection().toString()").split(" · ")
    assert said.startswith("ends ")
    office.levers.pay(link_id)
    desk.sees_that_polling_failed("There is an update")
    # Fewer hours may be left by now.
    assert desk.page.evaluate("getSelection().toString()").endswith(said)
    expect(desk.page.get_by_role("status").first).to_contain_text("Paid")
    desk.cannot_copy()
    desk.page.evaluate("getSelection().removeAllRanges()")
    desk.sees_status("PAID")
    desk.sees_no_failed_poll()


def test_an_age_does_not_change_while_it_is_selected(desk: Desk):
    desk.creates_a_link(RC)
    age = desk.page.locator("#link-panel time-ago:not([data-until])")
    age.evaluate("age => document.body.append(age.cloneNode(true))")  # A copy, which changes as time passes.
    chosen = age.locator("time").evaluate(
        "({ firstChild: words }) => (getSelection().setBaseAndExtent(words, 0, words, 3), getSelection().toString())"
    )
    other = desk.page.locator("body > time-ago time")
    expect(other).not_to_have_text(other.inner_text())
    assert desk.page.evaluate("getSelection().toString()") == chosen


def test_the_time_left_of_a_row_counts_down_by_the_clock_of_its_table(desk: Desk):
    desk.creates_a_link(RC)
    desk.opens("/links")
    left = desk.page.locator("time-ago[data-until] time").first
    expect(left).to_have_text(re.compile(r"\d+ h"))
    left.evaluate("time => time.dateTime = new Date(Date.now() + 50_000).toISOString()")
    expect(left).to_have_text(re.compile(r"^\d+ s$"))


def test_the_list_is_not_swapped_while_it_has_the_focus(desk: Desk, office: Office):
    link_id = desk.creates_a_link(RC)
    desk.opens("/")
    focused = desk.page.locator("#recent-links a").first
    desk.page.get_by_label("RC number").focus()
    for _ in range(20):
        desk.page.keyboard.press("Tab")
        if focused.evaluate("link => link === document.activeElement"):
            break
    office.levers.pay(link_id)
    desk.sees_paid_since(1)
    assert focused.evaluate("link => link === document.activeElement")
    expect(desk.page.locator("#recent-links")).to_contain_text("Active")
    desk.page.get_by_label("RC number").focus()
    expect(desk.page.locator("#recent-links")).to_contain_text("Paid")


# Notifications by the browser

_NOTIFICATION = """
window.Notification = class extends EventTarget {
  static permission = "default";
  static async requestPermission() {
    window.asked = true;
    return (Notification.permission = window.answer ?? "granted");
  }
  constructor(title, { body, tag }) {
    super();
    document.body.dataset.notified = `${document.body.dataset.notified ?? ""}${title}: ${body} (${tag})`;
  }
};
"""


def test_the_browser_notifies_a_person_of_a_payment_when_they_turned_that_on(desk: Desk, office: Office):
    link_id = desk.creates_a_link(RC)
    desk.page.add_init_script(_NOTIFICATION)
    desk.opens("/")
    assert desk.page.evaluate("window.asked") is None, "nobody is asked before a click"
    desk.page.evaluate("window.answer = 'denied'")
    stored_choices: list[str] = []
    desk.page.on("request", lambda request: stored_choices.append(request.url) if request.method == "POST" else None)
    desk.page.get_by_role("button", name="Notify me when a link is paid").click()
    expect(desk.page.locator("notification-choice")).to_contain_text("The browser does not allow it.")
    assert not stored_choices, "nothing is stored of what the browser does not do"
    assert desk.page.locator("#paid-notifications").count() == 0
    desk.opens("/")
    # Also where the region was fetched again, which brings no token of the session.
    with desk.page.expect_response(re.compile("recent-links")):
        desk.page.evaluate("htmx.trigger(document.getElementById('recent-links'), 'stale')")
    expect(desk.page.locator("#recent-links input[name='csrf_token']")).to_have_count(0)
    desk.page.get_by_role("button", name="Notify me when a link is paid").click()
    expect(desk.page.locator("#paid-notifications")).to_have_count(1)
    desk.page.add_init_script("Notification.permission = 'granted'")
    desk.opens("/vehicles")
    office.levers.pay(link_id)
    notified = re.compile(rf"^A payment link is paid: MH12 AB 1001 is paid: ₹[\d,.]+ \({link_id}\)$")
    expect(desk.page.locator("body")).to_have_attribute("data-notified", notified, timeout=15_000)
    expect(desk.page).to_have_title(re.compile(r"^\(1 paid\) "))
    stored = desk.page.evaluate("Object.entries(localStorage).concat(Object.entries(sessionStorage))")
    assert [name for name, _ in stored] == ["notified-until"]
    assert re.fullmatch(r"[\d:.T+-]+", stored[0][1]), "one moment, and nothing of the link"
    desk.opens("/vehicles")
    with desk.page.expect_response(re.compile("paid-news")) as answer:
        pass
    assert answer.value.status == 204
    assert desk.page.locator("body[data-notified]").count() == 0, "each payment is notified once"


def test_a_hidden_tab_polls_for_notifications_once_a_minute_and_for_nothing_else(desk: Desk, office: Office):
    desk.creates_a_link(RC)
    desk.page.clock.install()
    desk.page.add_init_script(_NOTIFICATION)
    desk.opens("/")
    desk.page.get_by_role("button", name="Notify me when a link is paid").click()
    with desk.page.expect_response(re.compile("paid-news")):
        desk.page.clock.run_for(1100)
    desk.switches_tab()
    sent: list[str] = []
    for minute in range(4):
        with desk.page.expect_response(re.compile("paid-news")):
            desk.page.clock.run_for(60_000)
        if minute == 0:  # The answer to what was asked before the switch may have asked for more in the first minute.
            desk.page.on("request", lambda request: sent.append(request.url))
    assert len(sent) == 3
    assert all("paid-news" in url for url in sent)


# For everybody


def test_the_pages_are_complete_without_javascript(browser: Browser, desk: Desk, office: Office):
    link_id = desk.creates_a_link(RC)
    desk.copies_the_payment_url()
    desk.sees_in_the_timeline("Payment URL copied · Asha Rao")
    desk.opens("/vehicles")
    office.levers.pay(link_id)
    context = browser.new_context(java_script_enabled=False)
    plain = Desk(context.new_page(), office.url)
    plain.page.set_default_timeout(10_000)
    plain.signs_in()
    expect(plain.page.get_by_role("button", name="Notify me when a link is paid")).to_be_hidden()

    def paid() -> bool:
        plain.opens("/")
        return plain.page.title().startswith("(1 paid)")

    for _ in range(50):
        if paid():
            break
    plain.sees_paid_since(1)
    plain.page.locator(".paid-since").get_by_role("link").first.click()
    plain.sees_status("PAID")
    plain.sees_in_the_timeline("Created · Asha Rao")
    plain.sees_in_the_timeline("Paid")
    plain.opens("/")
    expect(plain.page.locator(".paid-since")).to_have_count(0)
    context.close()


def test_axe_finds_no_violation_on_pages_that_have_just_changed(desk: Desk, office: Office, browser: Browser):
    link_id = desk.creates_a_link(RC)
    desk.page.emulate_media(reduced_motion="reduce")
    axe = Axe()

    def check(where: str) -> None:
        for scheme in ("light", "dark"):
            desk.page.emulate_media(color_scheme=scheme)
            found = axe.run(desk.page)
            assert found.violations_count == 0, f"{where}, {scheme}: {found.generate_report()}"

    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    meera = Desk(context.new_page(), office.url)
    office.signs_in(meera.page.context, MEERA)
    meera.opens()
    meera.opens(f"/links/{link_id}")
    meera.copies_the_payment_url()
    desk.sees_in_the_timeline("Payment URL copied · Meera Iyer")
    check("a link whose timeline has grown")
    desk.opens(f"/vehicles/{RC}")
    office.levers.pay(link_id)
    expect(desk.page.get_by_role("button", name="Show the latest list")).to_be_visible(timeout=15_000)
    check("a vehicle whose link was paid")
    desk.opens("/")
    desk.sees_paid_since(1)
    office.stop()
    desk.sees_that_polling_failed("the dashboard does not answer")
    check("the first page while the dashboard is away")
    context.close()
