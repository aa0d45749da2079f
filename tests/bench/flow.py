"""Measure the way from a plate to a payment URL in a real browser, beside a bare htmx form of the same bytes."""

from __future__ import annotations

import gzip
import statistics
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from playwright.sync_api import CDPSession, Page

from tests.bench.bare import answer_file, bare_server
from tests.bench.clerk import Clerk
from tests.bench.office import Office
from tests.bench.pages import add_vehicle, create_directly
from tests.bench.screen import chromium, sign_in
from tests.bench.tables import Table, ms

#: Rows of a vehicle -> most times as long as the bare form.
_SIZES = {12: 1.3, 230: 1.5}
#: Seconds after which a measurement is given up.
_PATIENCE = 60.0
#: Keeps the milliseconds from an event to the frames after `done` is true as a promise, so that nobody asks for them
#: meanwhile, which would take time from the browser. The second frame comes after the first is painted.
_STOPWATCH = """
window.benchWatch = (type, done, frames) => void (window.benchSpan = new Promise((resolve) => {
  addEventListener(type, ({ timeStamp }) => {
    const finish = (left) => {
      if (left) requestAnimationFrame(() => finish(left - 1));
      else resolve(performance.now() - timeStamp);
    };
    const watcher = new MutationObserver(() => {
      if (!done()) return;
      watcher.disconnect();
      finish(frames);
    });
    watcher.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  }, { capture: true, once: true });
}));
"""
_SPAN = """([wrong, patience]) => Promise.race([
  window.benchSpan, new Promise((_, reject) => { setTimeout(reject, patience, new Error(wrong)); })])"""
_ROWS = "() => document.querySelectorAll('main input[name=challan]').length === {count}"
#: The milliseconds that a browser waited for an answer.
_ANSWER = """(path) => performance.getEntriesByType("resource").filter((each) => new URL(each.name).pathname === path)
  .map((each) => each.responseEnd - each.startTime).at(-1)"""
_SUM = "() => document.querySelector('#selection-summary [data-words]').textContent.startsWith('{count} of ')"
_SAVED = "document.querySelector('#selection-sum:not([data-pending]) .selection-saved')"
_REVIEW = """() => [...document.querySelectorAll('button')].some(
  (each) => each.textContent.trim() === 'Create payment link' && each.checkVisibility())"""
_COPY_FIELD = "() => document.querySelector('main [data-copy-source]')"
_URL = f"{_COPY_FIELD} && location.pathname.startsWith('/links/')"


@dataclass
class Wire:
    """Count the bytes of the answers that a tab receives."""

    session: CDPSession
    sizes: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.session.send("Network.enable")
        self.session.on("Network.loadingFinished", lambda event: self.sizes.append(event["encodedDataLength"]))


def measure(office: Office, rounds: int = 11) -> list[Table]:
    office.furnish()
    with chromium() as browser:
        table = Table(
            "From a plate to a payment URL",
            f"Chromium {browser.version} without a screen, on the same cores; `dashboard serve`; medians of {rounds}. "
            "Each span begins with the click and ends with the frame after it is painted. The bare form is htmx alone "
            "on a server of the same kind, and settles without a delay as ours does: it swaps in the same bytes, once "
            "without a style sheet and once with ours. "
            "Every round measures both, so that both meet the same load.",
        )
        bare = Office(office.folder)
        with office.replica(), office.dashboard("serve"), bare_server(bare):
            pages = [browser.new_page(), browser.new_page()]
            for page in pages:
                page.add_init_script(_STOPWATCH)
            sign_in(pages[0], office.url)
            clerk = Clerk(office.url)
            for count, most in _SIZES.items():
                add_vehicle(office, _plate(count), count)
                clerk.searches(_plate(count))
                _copy_answer(clerk, f"/vehicles/{_plate(count)}", office, str(count))
                _plate_to_rows(pages[0], pages[1], office, bare, count, rounds, most, table)
            _ticks(pages[0], office, rounds, table)
            _creating(pages[0], pages[1], office, bare, clerk, rounds, table)
    return [table]


def _copy_answer(clerk: Clerk, address: str, office: Office, name: str) -> None:
    """Give the bare form the bytes with which the dashboard answers htmx."""
    body = clerk.fetches(address, {"HX-Request": "true", "HX-Boosted": "true"})
    answer_file(office, name).write_bytes(gzip.compress(body, 2))


def _plate(count: int) -> str:
    return f"MH12BN{count:04}"


@contextmanager
def _stopwatch(page: Page, event: str, done: str, frames: int = 2) -> Iterator[list[float]]:
    """Measure the block; the list receives the seconds when it has ended."""
    page.evaluate(f"() => window.benchWatch('{event}', {done}, {frames})")
    spans: list[float] = []
    yield spans
    spans.append(float(page.evaluate(_SPAN, [f"not seen after a {event}: {done}", _PATIENCE * 1000])) / 1000)


def _plate_to_rows(
    page: Page, other: Page, office: Office, bare: Office, count: int, rounds: int, most: float, table: Table
) -> None:
    rc = _plate(count)
    wire = Wire(page.context.new_cdp_session(page))
    ours, plain, styled, answers, sizes = [], [], [], [], []
    for _ in range(rounds + 1):
        page.bring_to_front()
        page.goto(f"{office.url}/", wait_until="networkidle")
        page.get_by_label("RC number").fill(rc)
        page.wait_for_load_state("networkidle")  # The known vehicles that typing shows.
        wire.sizes.clear()
        with _stopwatch(page, "submit", _ROWS.format(count=count)) as span:
            page.get_by_role("button", name="Search", exact=True).click()
        page.wait_for_load_state("networkidle")
        ours += span
        answers.append(page.evaluate(_ANSWER, "/search") / 1000)
        sizes.append(max(wire.sizes))
        other.bring_to_front()
        plain.append(_bare(other, bare, str(count), _ROWS.format(count=count), styled=False))
        styled.append(_bare(other, bare, str(count), _ROWS.format(count=count), styled=True))
    whole, alone, dressed = (statistics.median(spans[1:]) for spans in (ours, plain, styled))
    table.add(f"plate to {count} rows, from pressing Search", ms(whole))
    table.add("of which the server's answer, the service's own search included", ms(statistics.median(answers[1:])))
    table.add(f"the bare form, {count} rows", f"{ms(alone)}; with our style sheet {ms(dressed)}")
    times = f"{whole / alone:.2f} ×; with our style sheet {whole / dressed:.2f} ×"
    table.add(f"plate to {count} rows, in times of the bare form", times, f"{most} ×")
    table.add(f"{count} rows on the wire", f"{statistics.median(sizes) / 1024:.1f} KB", "30 KB" if count == 230 else "")


def _ticks(page: Page, office: Office, rounds: int, table: Table) -> None:
    """Measure from a tick to its sum on the screen, and to the server's confirmation, on the vehicle of 230 rows."""
    rc = _plate(230)
    shown, confirmed = [], []
    for number in range(rounds + 1):
        page.goto(f"{office.url}/vehicles/{rc}", wait_until="networkidle")
        ticked = page.locator("input[name=challan]:checked").count()
        with _stopwatch(page, "change", _SUM.format(count=ticked + 1), frames=1) as span:
            page.locator("input[name=challan]").nth(number).click()
        shown += span
        page.wait_for_load_state("networkidle")
        summed_up = _SUM.format(count=ticked + 2)
        with _stopwatch(page, "change", f"() => ({summed_up})() && {_SAVED}", frames=1) as span:
            page.locator("input[name=challan]").nth(100 + number).click()
        confirmed += span
    table.add("tick to sum, 230 rows", ms(statistics.median(shown[1:])), "16 ms")
    table.add("tick to the server's confirmation, 230 rows", ms(statistics.median(confirmed[1:])), "60 ms")


def _creating(
    page: Page, other_page: Page, office: Office, bare: Office, clerk: Clerk, rounds: int, table: Table
) -> None:
    """Measure the review and the creation of a link of 10 challans; the service and the bare form are asked in turn."""
    reviews, creations, direct, styled = [], [], [], []
    for number in range(rounds + 1):
        rc, other = f"MH14FL{number:04}", f"MH15FL{number:04}"
        add_vehicle(office, rc, 10)
        add_vehicle(office, other, 10)
        page.bring_to_front()
        page.goto(f"{office.url}/", wait_until="networkidle")
        page.get_by_label("RC number").fill(rc)
        page.get_by_role("button", name="Search", exact=True).click()
        page.get_by_role("checkbox", name="Select all payable").check()
        page.wait_for_load_state("networkidle")
        with _stopwatch(page, "click", _REVIEW) as span:
            page.get_by_role("button", name="Review and create").click()
        reviews += span
        with _stopwatch(page, "submit", _URL) as span:
            page.get_by_role("button", name="Create payment link").click()
        creations += span
        direct.append(create_directly(office, other))
        page.wait_for_load_state("networkidle")
        _copy_answer(clerk, urlsplit(page.url).path, office, "link")
        other_page.bring_to_front()
        styled.append(_bare(other_page, bare, "link", _COPY_FIELD, styled=True))
    whole, service = statistics.median(creations[1:]), statistics.median(direct[1:])
    table.add("review open, 10 challans", ms(statistics.median(reviews[1:])), "60 ms")
    table.add("Create to the URL on screen, the service's own time included", ms(whole))
    table.add("Create to the URL on screen, over the service's own time", ms(max(0.0, whole - service)), "40 ms")
    table.add("the bare form, the page of a link, with our style sheet", ms(statistics.median(styled[1:])))


def _bare(page: Page, office: Office, answer: str, done: str, *, styled: bool) -> float:
    page.goto(f"{office.url}/htmx/{answer}{'?styled' if styled else ''}", wait_until="networkidle")
    with _stopwatch(page, "submit", done) as span:
        page.get_by_role("button", name="Search").click()
    return span[0]
