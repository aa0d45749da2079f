"""What somebody at a real browser waits for: rows after a plate, PAID after a payment, and the first load."""

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
# From sending the form, whose moment the window's name carries to the next page: redirects and the service's answer are
# part of it. The second frame is the one after the rows were laid out and painted.
_NOTE_ROWS = """
const present = () => performance.timeOrigin + performance.now();
addEventListener("submit", () => { window.name = present(); }, true);
addEventListener("DOMContentLoaded", () => requestAnimationFrame(() => requestAnimationFrame(() => {
  window.benchRows = document.querySelectorAll('main input[name="challan"]').length;
  window.benchSpan = present() - Number(window.name);
})));
"""
# A function, so that the promise is not waited for at once.
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
    """The first page after signing in, with an empty cache."""
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
    """From sending the form to the frame after the rows, in seconds."""
    while page.evaluate("window.benchSpan === undefined"):  # The page forbids a wait that evaluates words.
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
    """The link is paid at any moment of its checks and of the page's."""
    clerk = Clerk(office.url)
    roll = random.Random(3)
    spans = []
    for number in range(payments):
        rc = f"MH16PD{number:04}"
        add_vehicle(office, rc, 1)
        link_id = clerk.makes_a_link(rc)
        page.goto(f"{office.url}/links/{link_id}")
        page.evaluate(_NOTE_PAID)
        time.sleep(roll.uniform(4, 7))
        paid = time.time()
        office.levers.pay(link_id)
        spans.append(page.evaluate("window.benchPaid") / 1000 - paid)
    told = f"{statistics.median(spans):.1f} s (95 %: {share(spans, 0.95):.1f} s, {payments} payments)"
    table.add("PAID at the service to PAID on the screen", told, "2.5 s")
