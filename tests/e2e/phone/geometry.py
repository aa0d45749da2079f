"""Measure what a phone shows: boxes, lines, and the controls that are too small for a thumb."""

from __future__ import annotations

from playwright.sync_api import FloatRect, Locator, Page

#: The size of the phone, in pixels.
WIDTH, HEIGHT = 390, 844

#: The controls that are shown and lower or narrower than a thumb needs; a box is hit around itself.
SMALL = """() => [...document.querySelectorAll("button, summary, select, textarea, .button, nav a, input")]
  .filter(each => each.checkVisibility({ visibilityProperty: true }) && !each.matches("[type=checkbox], [type=hidden]"))
  .map(each => [each.textContent.trim() || each.name, each.getBoundingClientRect()])
  .filter(([, { width, height }]) => width > 1 && (width < 43.5 || height < 43.5))
  .map(([words, { width, height }]) => `${words}: ${width} by ${height}`)"""


def one_line(page: Page, selector: str) -> bool:
    """Return whether the words of an element take one line."""
    words = page.locator(selector)
    return bool(words.evaluate("each => each.offsetHeight < 2 * parseFloat(getComputedStyle(each).fontSize)"))


def box(found: Locator) -> FloatRect:
    """Return the box of an element that is shown."""
    shown = found.bounding_box()
    assert shown is not None
    return shown


def middle(found: Locator) -> float:
    """Return how far below the top of the window the middle of an element is."""
    shown = box(found)
    return shown["y"] + shown["height"] / 2


def bar(page: Page) -> float:
    """Return how high above the foot of the window the bar begins."""
    box = page.locator("#site-nav").bounding_box()
    assert box is not None
    assert (box["x"], box["width"], box["y"] + box["height"]) == (0, WIDTH, HEIGHT)
    return box["y"]


#: The parts of a row of the queue that lie over each other.
OVERLAPPING = """row => {
  const named = "a, button:not(.sent-now *), summary, .state, .amount, .when, .driver > *,"
    + " .updated, .driver-sent, .follow-ends > span, .follow-contact, .follow-total, .follow-sum";
  const parts = [...row.querySelectorAll(named)]
    .filter(each => each.checkVisibility())
    .map(each => [each, each.getBoundingClientRect()])
    .filter(([, { width, height }]) => width > 1 && height > 1);
  return parts.flatMap(([one, a], at) => parts.slice(at + 1)
    .filter(([other, b]) => !one.contains(other) && !other.contains(one)
      && Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
      && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1)
    .map(([other]) => `${one.textContent.trim()} | ${other.textContent.trim()}`));
}"""
