"""Measure waits in a real browser: rows after a plate, PAID after a payment, and the first load."""

from __future__ import annotations

import os
import random
import shutil
import statistics
import time

from playwright.sync_api import Page, sync_playwright

from tests.bench.bare import bare_server
from tests.bench.clerk import Clerk
from tests.bench.office import Office
from tests.bench.pages import add_vehicle
from tests.bench.tables import Table, ms, share
from tests.support.people import ASHA, PASSWORD

_SIZES = {12: "60 ms", 100: "", 230: "110 ms"}
_LAUNCH = ("--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run")
# The span starts when the form is sent, so it includes redirects and the service's answer. The window's name carries
# that moment to the next page. The span ends with the second frame, after the rows are painted.
_NOTE_ROWS = """
const present = () => performance.timeOrigin + performance.now();
addEventListener("submit", () => { window.name = present(); }, true);
addEventListener("DOMContentLoaded", () => requestAnimationFrame(() => requestAnimationFrame(() => {
  window.benchRows = document.querySelectorAll('main input[name="challan"]').length;
  window.benchSpan = present() - Number(window.name);
})));
"""
# A function, because `evaluate` would wait for a promise.
_NOTE_PAID = """
() => {
  window.benchPaid = new Promise((resolve) => {
    const look = () => {
      if (document.querySelector("#link-panel")?.dataset.status !== "PAID") return;
      watcher.disconnect();
      requestAnimationFrame(() => resolve(Date.now()));
    };
    const watcher = new MutationObserver(look);
    watcher.observe(document.body, { subtree: true, childList: true, attributes: true });
    look();
  });
}
"""


def measure(office: Office, payments: int = 9, loads: int = 9) -> list[Table]:
    office.furnish()
    with sync_playwright() as driver:
        names = ("chromium", "chromium-browser", "google-chrome")
        found = next((path for name in names if (path := shutil.which(name))), None)
        sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = driver.chromium.launch(executable_path=found, args=[*_LAUNCH, *sandbox])
        try:
            table = Table(
                "In a browser",
                f"Chromium {browser.version} without a screen, on the same cores; `dashboard serve`; medians.",
            )
            with office.replica(), office.dashboard("serve"):
                page = browser.new_page()
                _sign_in(page, office.url)
                _first_load(page, office.url, table)
                _rows(page, office, table, loads)
                _paid(page, office, table, payments)
            with bare_server(office):
                _bare(browser.new_page(), office.url, table, loads)
        finally:
            browser.close()
    return [table]


def _sign_in(page: Page, url: str) -> None:
    page.goto(f"{url}/sign-in")
    page.get_by_label("Email").fill(ASHA.email)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(f"{url}/")


def _first_load(page: Page, url: str, table: Table) -> None:
    """Measure the first page after signing in, with an empty cache."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("Network.enable")
    devtools.send("Network.clearBrowserCache")
    sizes: list[float] = []
    devtools.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    page.goto(f"{url}/", wait_until="networkidle")
    devtools.detach()
    table.add("first load after signing in: requests", str(len(sizes)), "8")
    table.add("first load after signing in: on the wire", f"{sum(sizes) / 1024:.1f} KB", "60 KB")


def _rows(page: Page, office: Office, table: Table, loads: int) -> None:
    page.add_init_script(_NOTE_ROWS)
    for count, aim in _SIZES.items():
        rc = f"MH12BN{count:04}"
        add_vehicle(office, rc, count)
        spans = []
        for _ in range(loads + 1):
            page.goto(f"{office.url}/", wait_until="networkidle")
            page.get_by_label("RC number").fill(rc)
            page.get_by_role("button", name="Search", exact=True).click()
            page.wait_for_url(f"**/vehicles/{rc}")
            spans.append(_span(page))
            assert page.evaluate("window.benchRows") == count
        table.add(f"plate to {count} rows, from pressing Search", ms(statistics.median(spans[1:])), aim)


def _span(page: Page) -> float:
    """Return the seconds from sending the form to the frame after the rows."""
    while page.evaluate(
        "window.benchSpan === undefined"
    ):  # The content security policy forbids a wait that evaluates text.
        page.wait_for_timeout(5)
    return float(page.evaluate("window.benchSpan")) / 1000


def _bare(page: Page, url: str, table: Table, loads: int) -> None:
    page.add_init_script(_NOTE_ROWS)
    spans = []
    for _ in range(loads + 1):
        page.goto(f"{url}/form", wait_until="networkidle")
        page.get_by_role("button", name="Search").click()
        page.wait_for_url("**/form?sent")
        spans.append(_span(page))
    table.add("a bare Flask page, by the same form, redirect and frames", ms(statistics.median(spans[1:])))


def _paid(page: Page, office: Office, table: Table, payments: int) -> None:
    """Pay a link at a random moment between polls, and measure until the page shows it."""
    clerk = Clerk(office.url)
    roll = random.Random(3)
    spans = []
    for number in range(payments):
        rc = f"MH16PD{number:04}"
        add_vehicle(office, rc, 1)
        link_id = clerk.creates_a_link(rc)
        page.goto(f"{office.url}/links/{link_id}")
        page.evaluate(_NOTE_PAID)
        time.sleep(roll.uniform(4, 7))
        paid = time.time()
        office.levers.pay(link_id)
        spans.append(page.evaluate("window.benchPaid") / 1000 - paid)
    results = f"{statistics.median(spans):.1f} s (95 %: {share(spans, 0.95):.1f} s, {payments} payments)"
    table.add("PAID at the service to PAID on the screen", results, "2.5 s")
