"""Check in a browser that pages can be used by everybody, on every screen."""

from __future__ import annotations

from collections.abc import Iterator

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

#: Report violations alone: describing what passes takes most of the time.
_VIOLATIONS = "rules => axe.run({runOnly: rules, resultTypes: ['violations']}).then(found => found.violations)"
#: A bar that sticks covers what scrolls under it, and nothing in its own place.
_UNSTICK = """() => document.querySelectorAll("main *").forEach((each) => {
  if (getComputedStyle(each).position === "sticky") Object.assign(each.style, { position: "relative", inset: "auto" });
})"""
#: Beside a sheet at the foot of a phone all else is behind a veil that closes it, though axe sees parts of it.
_LEAVE_THE_SHEET = """() => document.querySelectorAll("details[open]").forEach((sheet) => {
  if (getComputedStyle(sheet, "::details-content").position !== "fixed") return;
  document.querySelectorAll("main :is(a, button, summary)").forEach((each) => { each.inert = !sheet.contains(each); });
})"""
_RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]


def too_wide(page: Page, address: str) -> Iterator[str]:
    """Open a page; yield how far it is too wide at 320 px."""
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": 320, "height": 640})
    page.goto(address)
    wider = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    if wider > 0:
        yield f"{wider} px too wide"


def violations(page: Page) -> Iterator[str]:
    """Yield what axe finds on an open page wide and light, and on a phone and dark.

    A theme changes only colours, and a width only the layout.
    """
    page.set_viewport_size({"width": 1280, "height": 800})
    page.evaluate(Axe().axe_script)
    yield from _violations(page)
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size({"width": 390, "height": 844})
    yield from (f"{each}, on a phone in dark" for each in _violations(page))


def _violations(page: Page) -> Iterator[str]:
    page.evaluate(_UNSTICK)
    page.evaluate(_LEAVE_THE_SHEET)
    for each in page.evaluate(_VIOLATIONS, _RULES):
        yield f"{each['id']} {each['nodes'][0]['html'][:200]}"
