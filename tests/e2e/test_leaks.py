"""Test that going from page to page leaves nothing behind: no listener, no timer."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import RC, Office
from tests.e2e.steps import Desk
from tests.support.people import MEERA

pytestmark = pytest.mark.e2e

#: Counts the listeners of window and document, and the intervals that run; put in place before any script.
COUNTER = """
globalThis.left = { listeners: 0, intervals: new Set() };
for (const owner of [window, document]) {
  const seen = new Map();
  const { addEventListener: add, removeEventListener: remove } = EventTarget.prototype;
  const captures = (options) => Boolean(typeof options === "object" ? options?.capture : options);
  const key = (type, options) => `${type} ${captures(options)}`;
  owner.addEventListener = function (type, listener, options) {
    const all = seen.get(listener) ?? seen.set(listener, new Set()).get(listener);
    const name = key(type, options);
    if (!all.has(name)) {
      all.add(name);
      left.listeners += 1;
      options?.signal?.addEventListener("abort", () => { if (all.delete(name)) left.listeners -= 1; });
    }
    return add.call(owner, type, listener, options);
  };
  owner.removeEventListener = function (type, listener, options) {
    if (seen.get(listener)?.delete(key(type, options))) left.listeners -= 1;
    return remove.call(owner, type, listener, options);
  };
}
const { setInterval: begin, clearInterval: end } = window;
window.setInterval = (...given) => { const id = begin(...given); left.intervals.add(id); return id; };
window.clearInterval = (id) => { left.intervals.delete(id); end(id); };
"""

#: Follows a link to a place of the application, as a person would.
GO = """
path => {
  const link = Object.assign(document.createElement("a"), { href: path });
  document.getElementById("main").append(link);
  htmx.process(link);
  link.click();
}
"""


def left(page: Page) -> list[int]:
    found: list[int] = page.evaluate("[left.listeners, left.intervals.size]")
    return found


def test_going_round_all_pages_many_times_leaves_nothing_behind(page: Page, office: Office):
    office.signs_in(page.context, MEERA)
    page.add_init_script(COUNTER)
    desk = Desk(page, office.url)
    desk.opens("/")
    link_id = desk.creates_a_link(RC)
    places = ["/", f"/vehicles/{RC}", f"/links/{link_id}", f"/links/{link_id}/share", "/links", "/follow-up"]
    places += ["/drivers", "/messages", "/reconcile", "/reconcile/statement", "/overview", "/vehicles"]

    def goes_round() -> list[int]:
        for place in places:
            page.evaluate(GO, place)
            expect(page).to_have_url(f"{desk.url}{place}")
        return left(page)

    first = goes_round()
    for _ in range(3):
        again = goes_round()
    assert again == first
