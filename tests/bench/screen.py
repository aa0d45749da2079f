"""Measure waits in a real browser: PAID after a payment, and the first load."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from tests.bench.clerk import Clerk
from tests.bench.office import Office
from tests.bench.pages import add_vehicle
from tests.bench.tables import Table, share
from tests.support.chromium import launch_options
from tests.support.people import ASHA, PASSWORD, Somebody

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


def measure(office: Office, payments: int = 9) -> list[Table]:
    office.furnish()
    with chromium() as browser:
        table = Table(
            "In a browser",
            f"Chromium {browser.version} without a screen, on the same cores; `dashboard serve`; medians.",
        )
        with office.replica(), office.dashboard("serve"):
            page = browser.new_page()
            sign_in(page, office.url)
            _first_load(page, office.url, table)
            _paid(page, office, table, payments)
    return [table]


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start the browser of the machine."""
    with sync_playwright() as driver:
        browser = driver.chromium.launch(**launch_options())
        try:
            yield browser
        finally:
            browser.close()


def sign_in(page: Page, url: str, somebody: Somebody = ASHA) -> None:
    page.goto(f"{url}/sign-in")
    page.get_by_label("Email").fill(somebody.email)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(f"{url}/")


def _first_load(page: Page, url: str, table: Table) -> None:
    """Measure the first page after signing in, with an empty cache."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("Network.enable")
    devtools.send("Network.clearBrowserCache")
    sizes: dict[str, float] = {}
    ahead: set[str] = set()  # What other pages will need is fetched once the page is idle.

    def note(sent: dict[str, Any]) -> None:
        if "Sec-Purpose" in sent["request"]["headers"]:
            ahead.add(sent["requestId"])

    devtools.on("Network.requestWillBeSent", note)
    devtools.on("Network.loadingFinished", lambda done: sizes.update({done["requestId"]: done["encodedDataLength"]}))
    page.goto(f"{url}/", wait_until="networkidle")
    devtools.detach()
    later = sum(size for request_id, size in sizes.items() if request_id in ahead)
    table.add("first load after signing in: requests", str(len(sizes.keys() - ahead)), "8")
    table.add("first load after signing in: on the wire", f"{(sum(sizes.values()) - later) / 1024:.1f} KB", "60 KB")
    table.add("fetched after it for other pages", f"{later / 1024:.1f} KB")


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
