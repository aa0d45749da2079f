"""Test that every page, in every state that the gallery has, follows the rules of accessible, safe HTML."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from bs4 import BeautifulSoup, Tag
from playwright.sync_api import Browser

from dashboard.translations import languages
from tests.gallery.drawn import Drawn, of_new_shapes, once
from tests.gallery.hostile import MARKUP
from tests.support.accessibility import too_wide, violations

#: So many tests share the pages, so that they run side by side.
_SHARES = 6
#: These have the same rows as others, only more.
_LONGER = ("many: a vehicle of 230 challans", "fleet: the review of a vehicle")
#: The end of a sentence, and no space before the next one.
_GLUED = re.compile(r"[a-z\u0900-\u097f)”][.।?!](?=[A-Z\u0900-\u097f“])|।(?=[0-9])")
_SEARCH = ("Search", "खोजें")


def is_labelled(control: Tag, soup: BeautifulSoup) -> bool:
    if control.get("aria-label") or control.find_parent("label"):
        return True
    return bool(control.get("id") and soup.select_one(f'label[for="{control["id"]}"]'))


def broken_rules(html: str) -> Iterator[str]:
    """Yield what a page breaks of the house rules."""
    soup = BeautifulSoup(html, "lxml")
    for name, wanted in (("h1", 1), ("main", 1), ('link[rel="icon"]', 1), ("style", 0), ("title:empty", 0)):
        if (found := len(soup.select(name))) != wanted:
            yield f"{found} {name}"
    ids = Counter(str(tag["id"]) for tag in soup.find_all(id=True))  # `select` does not look into templates.
    yield from (f"{count} #{value}" for value, count in ids.items() if count > 1)
    for tag in soup.find_all(True):
        yield from (f"{key} of {tag.name}" for key in tag.attrs if key.startswith(("on", "hx-on", "style", "hx-vals")))
        for reference in ("aria-describedby", "aria-labelledby", "aria-controls", "for"):
            yield from (f"no #{each}" for each in str(tag.get(reference, "")).split() if each not in ids)
    yield from (f"inline {script}"[:80] for script in soup.find_all("script") if script.get_text(strip=True))
    for control in soup.select("input:not([type=hidden]), select, textarea"):
        if not is_labelled(control, soup):
            yield f"no label of {control}"
    for form in soup.select('form[method="post"]:not(:has(input[name="csrf_token"]))'):
        yield f"no token in {form.get('action')}"
    buttons = [button.get_text(strip=True) for button in soup.find_all("button")]
    if soup.select_one("input[name=rc_number]:not([type=hidden])") and sum(map(buttons.count, _SEARCH)) != 1:
        yield "not exactly one button is called Search"
    for data in soup.select("bdi, code, pre, textarea, script, .raw, .offence"):
        data.extract()
    yield from (f"two sentences without a space: {text}" for text in soup.stripped_strings if _GLUED.search(text))


@pytest.mark.parametrize("language", languages())
def test_pages_keep_the_house_rules(drawn: Drawn, language: str) -> None:
    wrong = [f"{name}: {each}" for name, html in drawn[language].items() for each in broken_rules(html)]
    assert len(drawn[language]) > 250
    assert wrong == []


@pytest.mark.parametrize("language", languages())
def test_what_people_and_the_service_write_never_becomes_markup(drawn: Drawn, language: str) -> None:
    """An inline script or an attribute with a script on any page breaks a house rule, too."""
    pages = {name: BeautifulSoup(html, "lxml") for name, html in drawn[language].items() if name.startswith("hostile")}
    assert len(pages) > 40
    for name, soup in pages.items():
        assert soup.select("img, main script") == [], name
        assert not [each for each in soup.select("[href], [action]") if not is_safe(each)], name
        shown = [soup.get_text(), *(str(value) for tag in soup.find_all(True) for value in tag.attrs.values())]
        assert any(MARKUP in each for each in shown), f"{name} shows nothing hostile"
        assert str(soup).count("gnp.exe") == str(soup).count("{{ 7*7 }}"), name
        assert "\u202e" not in soup.get_text(), f"{name} shows words backwards"


def is_safe(element: Tag) -> bool:
    address = str(element.get("href") or element.get("action") or "")
    return address.startswith(("/", "#", "?", "https://wa.me/", "sms:", "tel:", "mailto:", "http://127.0.0.1:"))


@pytest.fixture(scope="session")
def richest(shared_folder: Path, drawn: Drawn) -> set[str]:
    """Return the pages with every shape of an element: axe has nothing more to find on the others, and takes long."""
    pages = {name: html for name, html in drawn["en"].items() if name not in _LONGER}
    return set(once(shared_folder / "of_new_shapes.json", lambda: of_new_shapes(pages)))


def test_a_page_without_a_shape_of_its_own_is_not_checked_twice() -> None:
    one, two = '<main><p class="amount">1</p>', '<main><p class="amount" id="other">2</p>'
    new = '<main><p class="amount" aria-hidden="true">3</p>'
    assert of_new_shapes({"one": one, "two": two}) == ["one"]
    assert of_new_shapes({"one": one, "two": two, "new": new}) == ["one", "new"]
    assert of_new_shapes({"one": one, "both": f"{one}</main>{new}"}) == ["both"]


@pytest.mark.e2e
@pytest.mark.parametrize("share", range(_SHARES))
def test_pages_are_accessible_fit_a_phone_and_keep_the_policy(
    browser: Browser, drawn: Drawn, richest: set[str], address: str, share: int
) -> None:
    page = browser.new_context(reduced_motion="reduce").new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    for name in [each for each in drawn["en"] if each not in _LONGER][share::_SHARES]:
        said += [f"{name}: {each}" for each in too_wide(page, f"{address}/{name}")]
        if name in richest:
            said += [f"{name}: {each}" for each in violations(page)]
    page.context.close()
    assert said == []
