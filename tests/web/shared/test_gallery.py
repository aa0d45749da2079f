"""Test that every template renders in many states, and that every page follows the rules of accessible, safe HTML."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest
from bs4 import BeautifulSoup, Tag
from playwright.sync_api import Browser, Page, Route

from tests.support import gallery
from tests.support.accessibility import faults, stay_here
from tests.support.servers import serving

ENV = gallery.environment(lambda path: f"/static/{path}", lambda _path: "sha384-x")
HOME_OR_VEHICLE = [name for name in gallery.PAGES if name.startswith(("home", "vehicle"))]


def read(name: str) -> BeautifulSoup:
    return BeautifulSoup(gallery.render(ENV, name), "lxml")


def is_labelled(control: Tag, soup: BeautifulSoup) -> bool:
    if control.get("aria-label") or control.find_parent("label"):
        return True
    return bool(control.get("id") and soup.select_one(f'label[for="{control["id"]}"]'))


@pytest.mark.parametrize("name", gallery.PAGES)
def test_a_page_keeps_the_house_rules(name: str) -> None:
    soup = read(name)
    assert len(soup.find_all("h1")) == 1
    assert len(soup.find_all("main")) == 1
    assert soup.title is not None
    assert soup.title.get_text(strip=True)
    assert soup.select_one('link[rel="icon"]')
    ids = Counter(tag["id"] for tag in soup.select("[id]"))
    assert [value for value, count in ids.items() if count > 1] == []
    for tag in soup.find_all(True):
        assert "style" not in tag.attrs
        assert not [key for key in tag.attrs if key.startswith(("on", "hx-on")) or key == "hx-vals"], tag
        for reference in ("aria-describedby", "aria-labelledby", "aria-controls", "for"):
            assert [each for each in str(tag.get(reference, "")).split() if each not in ids] == [], tag
    assert not soup.find_all("style")
    assert all(script.get("src") and not script.get_text() for script in soup.find_all("script"))
    for control in soup.select("input:not([type=hidden]), select, textarea"):
        assert is_labelled(control, soup), control
    for form in soup.select('form[method="post"]'):
        assert form.select_one('input[name="csrf_token"]'), form


@pytest.mark.parametrize("name", HOME_OR_VEHICLE)
def test_exactly_one_button_is_called_search(name: str) -> None:
    buttons = [button.get_text(strip=True) for button in read(name).find_all("button")]
    assert buttons.count("Search") == 1


@pytest.mark.parametrize("name", [name for name in gallery.PAGES if "hostile" in name or name == "known-none"])
def test_text_from_elsewhere_never_becomes_markup(name: str) -> None:
    soup = read(name)
    assert not soup.find_all("img")
    assert all(script.get("src") for script in soup.find_all("script"))
    assert "alert(1)" in soup.get_text() or soup.select_one('[value*="alert(1)"]')


def test_only_payable_rows_can_be_ticked_and_review_is_never_disabled() -> None:
    soup = read("vehicle")
    assert len(soup.select("table:has(input)")) == 1
    assert len(soup.select('[data-group="payable"] input[name="challan"]')) == len(gallery.TWELVE)
    assert not soup.select('tbody:not([data-group="payable"]) input')
    button = next(button for button in soup.find_all("button") if button.get_text(strip=True) == "Review and create")
    assert "disabled" not in button.attrs
    first = soup.select_one('input[name="challan"]')
    assert first is not None
    label = soup.select_one(f'label[for="{first["id"]}"]')
    assert label is not None
    assert label.get_text(strip=True) == "MH1098765432"


@pytest.mark.parametrize(("name", "raw"), [(f"link-{key}", state.raw) for key, state in gallery.STATES.items()])
def test_a_link_panel_polls_only_while_there_is_something_to_wait_for(name: str, raw: str) -> None:
    panel = read(name).select_one("#link-panel")
    assert panel is not None
    assert panel["data-status"] == raw
    waits = raw in ("ACTIVE", "ON_HOLD")
    assert [key for key in panel.attrs if key.startswith("hx-")] == (
        ["hx-get", "hx-trigger", "hx-target", "hx-swap"] if waits else []
    )
    assert panel["data-copyable"] == ("true" if waits else "false")


@pytest.mark.parametrize("name", ["link-unsafe", "link-paid", "link-expired", "link-bare"])
def test_what_may_not_be_shared_has_neither_link_nor_copy(name: str) -> None:
    soup = read(name)
    assert not soup.select('a[href^="javascript"], a[href^="https"]')
    assert "Copy link" not in soup.get_text()


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving(gallery.application()) as base:
        yield base


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    yield context.new_page()
    context.close()


def pages_by_noun() -> dict[str, list[str]]:
    """Return the names of the gallery's pages by the folder of their template."""
    found: dict[str, list[str]] = {}
    for name, (template, _) in gallery.PAGES.items():
        # These have the same rows as vehicle and review, only more.
        if name not in ("vehicle-179", "review-100"):
            found.setdefault(template.split("/")[0], []).append(name)
    return found


@pytest.mark.e2e
@pytest.mark.parametrize("noun", sorted(pages_by_noun()))
def test_pages_are_accessible_fit_a_phone_and_keep_the_policy(browser: Browser, address: str, noun: str) -> None:
    """Check each page wide and light, and narrow and dark: a theme changes only colours, a width only the layout."""
    context = browser.new_context(reduced_motion="reduce")
    stay_here(context)
    page = context.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    for name in pages_by_noun()[noun]:
        said += [f"{name}: {each}" for each in faults(page, f"{address}/gallery/{name}")]
    context.close()
    assert said == []


@pytest.mark.e2e
def test_ticks_are_counted_exactly_and_survive_the_filters(page: Page, address: str) -> None:
    page.goto(f"{address}/gallery/vehicle-filters")
    summary = page.locator("#selection-summary [data-words]")
    assert summary.inner_text() == "3 of 20 selected · ₹3,598.50"
    page.get_by_label("Select all payable").check()
    assert summary.inner_text().startswith("20 of 20 selected · ₹1,23,")
    assert summary.inner_text().endswith(" · 1 with amount not known yet")
    page.get_by_label("Contains").fill("Red light")
    shown = page.locator("tr.challan-payable:visible").count()
    assert 0 < shown < 20
    assert summary.inner_text().startswith("20 of 20 selected")
    assert page.get_by_text(f"{shown} shown, {20 - shown} hidden also selected").is_visible()
    page.locator(".filters").get_by_role("button", name="Show all").click()
    page.get_by_label("MH1098765432", exact=True).uncheck()
    assert page.get_by_label("Select all payable").evaluate("box => box.indeterminate")


@pytest.mark.e2e
def test_a_selection_of_more_than_a_hundred_says_its_links(page: Page, address: str) -> None:
    page.goto(f"{address}/gallery/vehicle-179")
    assert page.get_by_text("179 challans make 2 links: 100 + 79").is_visible()


@pytest.mark.e2e
def test_columns_sort_within_their_groups(page: Page, address: str) -> None:
    page.goto(f"{address}/gallery/vehicle")
    page.get_by_role("button", name="To pay").click()
    page.get_by_role("button", name="To pay").click()
    first = page.locator('[data-group="payable"] tr.challan').first
    assert "1,23,45,678.90" in first.text_content()
    assert page.locator('th[data-sort="total"]').get_attribute("aria-sort") == "descending"
    assert "not known yet" in page.locator('[data-group="payable"] tr.challan').last.text_content()


@pytest.mark.e2e
def test_copied_is_said_only_when_it_is_true(browser: Browser, address: str) -> None:
    context = browser.new_context()
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.goto(f"{address}/gallery/link-active")
    page.get_by_role("button", name="Copy link").click()
    page.locator("[data-copy-said]", has_text="Copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == gallery.URL
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error('refused')); }")
    page.get_by_role("button", name="Copy link").click()
    page.locator("[data-copy-said]", has_text="Press Ctrl+C to copy").wait_for()
    assert page.evaluate("String(getSelection())") == gallery.URL
    context.close()


@pytest.mark.e2e
def test_a_link_that_is_paid_while_watched_is_said_and_cannot_be_copied_any_more(page: Page, address: str) -> None:
    paid = str(read("link-paid").select_one("#link-panel"))
    page.route("**/panel?*", lambda route: route.fulfill(body=paid, content_type="text/html"))
    page.goto(f"{address}/gallery/link-active")
    page.locator('#link-panel[data-status="PAID"]').wait_for(timeout=8000)
    page.locator("#announcer", has_text="Paid").wait_for()
    assert page.title().startswith("Paid")
    assert page.get_by_role("button", name="Copy link").is_disabled()
    assert page.get_by_text("Copying is off. This link is paid; there is nothing to share.").is_visible()


@pytest.mark.e2e
@pytest.mark.parametrize("name", ["share", "screen"])
def test_what_was_prepared_for_sharing_lapses_by_itself_and_comes_back_with_a_look(
    page: Page, address: str, name: str
) -> None:
    page.route("**/panel?*", lambda route: route.abort())
    page.clock.install()
    page.goto(f"{address}/gallery/{name}")
    ways, lapsed = page.locator("share-options"), page.locator("[data-lapsed]")
    page.clock.fast_forward(40_000)
    assert ways.is_visible()
    assert lapsed.is_hidden()
    page.clock.fast_forward(22_000)
    assert ways.is_hidden()
    assert lapsed.is_visible()
    # Another region's answer says nothing about the link; the link's own panel says when it was checked.
    for source, at, back in (("main", "10:00:30", False), ("link-panel", "10:00:00", True)):
        detail = {"at": f"2026-11-21T{at}Z", "now": "2026-11-21T10:00:30Z"}
        told = "([id, detail]) => document.getElementById(id)?.dispatchEvent("
        page.evaluate(f"{told}new CustomEvent('checked', {{ bubbles: true, detail }}))", [source, detail])
        assert ways.is_visible() is back
        assert lapsed.is_visible() is not back


@pytest.mark.e2e
def test_a_link_past_its_end_is_not_called_active_where_copying_goes_off(page: Page, address: str) -> None:
    panel = read("link-active").select_one("#link-panel")
    assert panel is not None
    panel["data-copyable"], panel["data-off"] = "false", "This link has most likely ended."
    page.route("**/panel?*", lambda route: route.fulfill(body=str(panel), content_type="text/html"))
    page.goto(f"{address}/gallery/link-active")
    page.get_by_text("Copying is off. This link has most likely ended.").wait_for(timeout=8000)


@pytest.mark.e2e
def test_the_second_look_that_fails_is_said_calmly_and_the_next_one_mends_it(page: Page, address: str) -> None:
    looks: list[str] = []

    def answer(route: Route) -> None:
        looks.append(route.request.url)
        if len(looks) <= 2:
            route.fulfill(status=500, body="<p>No</p>")
        else:
            route.fulfill(status=204, headers={"HX-Trigger": '{"checked": {"at": "2026-11-21T08:33:20Z"}}'})

    page.route("**/panel?*", answer)
    page.goto(f"{address}/gallery/link-active")
    with page.expect_response("**/panel?*", timeout=8000):
        pass
    assert page.locator("[data-could-not]").is_hidden(), "one missed look is nothing to tell of"
    note = page.locator("[data-could-not]")
    note.filter(has_text="Could not check: the dashboard answered with an error.").wait_for(timeout=8000)
    assert len(looks) == 2
    assert page.locator("#notices").inner_text() == ""
    note.wait_for(state="hidden", timeout=8000)
    assert page.locator("#link-panel").get_attribute("data-status") == "ACTIVE"


@pytest.mark.e2e
def test_the_presets_fill_in_the_hours_and_the_end_is_told(page: Page, address: str) -> None:
    page.goto(f"{address}/gallery/review")
    page.get_by_role("button", name="3 days").click()
    assert page.get_by_label("Expires after (hours)").input_value() == "72"
    assert page.locator(".expiry-ends").inner_text() == "Valid till 24 Nov, 2:03 pm. You cannot cancel it once created."
    page.get_by_label("Expires after (hours)").fill("12")
    assert page.locator(".expiry-ends").inner_text() == "You cannot cancel it once created."


@pytest.mark.e2e
def test_without_a_script_nothing_dead_is_shown(browser: Browser, address: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{address}/gallery/vehicle")
    assert not page.get_by_label("Contains").is_visible()
    assert not page.get_by_label("Select all payable").is_visible()
    assert page.get_by_role("button", name="Review and create").is_visible()
    assert page.locator('input[name="challan"]').count() == len(gallery.TWELVE)
    page.goto(f"{address}/gallery/review")
    assert not page.get_by_role("button", name="3 days").is_visible()
    context.close()


@pytest.mark.e2e
def test_the_browser_keeps_no_trace_of_what_was_looked_at(page: Page, address: str) -> None:
    page.goto(f"{address}/gallery/vehicle")
    assert page.evaluate("Object.keys(sessionStorage).concat(Object.keys(localStorage))") == []


@pytest.mark.e2e
def test_a_search_that_fails_is_told_in_the_notices_and_keeps_the_form(page: Page, address: str) -> None:
    page.route("**/search", lambda route: route.fulfill(status=502, body="<p>The service did not answer</p>"))
    page.route("**/vehicles?*", lambda route: route.fulfill(status=204))  # This answers the suggestions during typing.
    page.goto(f"{address}/gallery/home")
    page.get_by_label("RC number").fill("MH12 AB 1001")
    page.get_by_role("button", name="Search").click()
    page.locator("#notices", has_text="The service did not answer").wait_for()
    assert page.get_by_label("RC number").input_value() == "MH12 AB 1001"
