"""Parse a page, and check the house rules on it, so that every test that opens a page checks them."""

from __future__ import annotations

import re
from collections import Counter
from functools import cached_property
from typing import Any
from urllib.parse import urlsplit

import lxml.html
from bs4 import BeautifulSoup
from bs4.element import Tag
from flask import Flask
from flask.testing import FlaskClient
from lxml.html import HtmlElement
from werkzeug.exceptions import HTTPException
from werkzeug.test import TestResponse

_HTMX_METHODS = {"hx-get": "GET", "hx-post": "POST", "hx-put": "PUT", "hx-patch": "PATCH", "hx-delete": "DELETE"}
_UNNAMED = {"hidden", "submit", "button", "reset", "image"}
_CONTROLS = ("input", "select", "textarea")
_REFERENCES = ("aria-describedby", "aria-labelledby", "aria-controls")
_WORDS = ".//text()[not(parent::script or parent::style or ancestor::template)]"


def words(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


def words_of(element: HtmlElement) -> str:
    """Return the visible words of an element."""
    return words(" ".join(element.xpath(_WORDS)))


class Page:
    """Parse an answer. `region=True` is for one that htmx swaps in, which is no whole page.

    The rules, the words and the forms are read from `tree`, which costs a tenth of `soup`; that one is only built for
    the tests that select elements.
    """

    def __init__(self, client: FlaskClient, response: TestResponse, *, region: bool = False) -> None:
        self.client = client
        self.response = response
        self.status = response.status_code
        self.headers = response.headers
        # Where a word may end its line is no part of it.
        self._markup = markup = response.text.replace("<wbr>", "")
        self.tree: HtmlElement = lxml.html.document_fromstring(markup if markup.strip() else "<html></html>")
        self._by_id: dict[str, HtmlElement] = {str(each.get("id")): each for each in self.tree.xpath("//*[@id]")}
        self.is_region = region
        if markup:
            self._check_markup(client.application)
            if not region:
                self._check_page()

    @cached_property
    def soup(self) -> BeautifulSoup:
        return BeautifulSoup(self._markup, "lxml")

    # Reading

    @property
    def main(self) -> Tag:
        found = self.soup.main
        assert found is not None, "the page has no <main>"
        return found

    @property
    def text(self) -> str:
        """Return the words inside <main>, or of the whole region."""
        main = self.tree.find(".//main")
        return words_of(self.tree if main is None else main)

    @property
    def everything(self) -> str:
        """Return all visible words, including the header and the banner."""
        return words_of(self.tree)

    @property
    def heading(self) -> str:
        found = self.tree.find(".//h1")
        assert found is not None
        return words_of(found)

    def one(self, selector: str) -> Tag:
        found = self.all(selector)
        assert len(found) == 1, f"{selector}: {len(found)} elements, one was expected"
        return found[0]

    def all(self, selector: str) -> list[Tag]:
        """Return the elements that a selector finds; what a <template> holds is not on the page."""
        return [each for each in self.soup.select(selector) if each.find_parent("template") is None]

    def field(self, label: str) -> Tag:
        """Return the control with this accessible name."""
        controls = list(self.tree.iter(*_CONTROLS))
        found = [n for n, control in enumerate(controls) if _is_named(control) and self._name_of(control) == label]
        assert len(found) == 1, f"{len(found)} controls are called {label!r}"
        return list(self.soup.find_all(_CONTROLS))[found[0]]

    def buttons(self) -> list[str]:
        """Return what the buttons are called, without the sum that some carry."""
        return [words_of(button).partition(" · ₹")[0] for button in self.tree.iter("button")]

    def link(self, name: str) -> str:
        """Return the address of the link with these words."""
        found = {str(a.get("href")) for a in self.tree.xpath("//a[@href]") if words_of(a) == name}
        assert len(found) == 1, f"{len(found)} links are called {name!r}"
        return found.pop()

    # Forms

    def form(self, button: str) -> Form:
        """Return the form that this button sends."""
        for element in self.tree.xpath("//button | //input[@type='submit']"):
            is_called = button in (words_of(element), words_of(element).partition(" · ₹")[0])
            if is_called and element.get("type", "submit") == "submit":
                owner = self._form_of(element)
                if owner is not None:
                    return Form(self, owner, element)
        raise AssertionError(f"no form is sent by a button called {button!r}; there are {self.buttons()}")

    def submit(self, button: str, /, **fields: Any) -> TestResponse:
        """Fill the fields (by their names) and press the button."""
        return self.form(button).submit(**fields)

    def _form_of(self, element: HtmlElement) -> HtmlElement | None:
        if form_id := element.get("form"):
            owner = self._by_id.get(form_id)
            return owner if owner is not None and owner.tag == "form" else None
        return next(element.iterancestors("form"), None)

    # House rules

    def _check_page(self) -> None:
        assert len(list(self.tree.iter("h1"))) == 1, "a page has one <h1>"
        assert len(list(self.tree.iter("main"))) == 1, "a page has one <main>"
        assert self.tree.get("lang"), "a page names its language"
        titles = self.tree.findall("./head//title")
        assert words("".join(str(title.text_content()) for title in titles)), "a page has a title"

    def _check_markup(self, app: Flask) -> None:
        ids = Counter(self.tree.xpath("//@id"))
        assert not (twice := [name for name, count in ids.items() if count > 1]), f"ids used twice: {twice}"
        assert not self.tree.xpath("//style | //*[@style]"), "no inline style"
        assert not self.tree.xpath("//script[not(@src) or @src='']"), "no inline script"
        assert not self.tree.xpath("//@*[starts-with(name(), 'on')]"), "no on… attributes"
        for name in self.tree.xpath("//label/@for"):
            assert name in ids, f"a label for {name!r}, which is not there"
        for control in self.tree.iter(*_CONTROLS):
            is_pattern = next(control.iterancestors("template"), None) is not None
            assert is_pattern or not _is_named(control) or self._name_of(control), (
                f"a control without a name: {lxml.html.tostring(control, with_tail=False)!r}"
            )
        for attribute in _REFERENCES:
            for names in self.tree.xpath(f"//@{attribute}"):
                missing = [name for name in names.split() if name not in ids]
                assert not missing, f"{attribute} names {missing}, which is not there"
        for form in self.tree.iter("form"):
            method = form.get("method", "get").upper()
            if method == "POST":
                token = form.xpath(".//input[@name='csrf_token']")
                action = form.get("action")
                # An answer to htmx holds no token, so that it can be compressed.
                assert bool(token) is not self.is_region, f"a token in a region, or none in a page: {action}"
            self._check_address(app, form.get("action") or "", method)
        for attribute, method in _HTMX_METHODS.items():
            for address in set(self.tree.xpath(f"//@{attribute}")):
                self._check_address(app, address, method)
        for address in set(self.tree.xpath("//a/@href")):
            self._check_address(app, address, "GET")

    @staticmethod
    def _check_address(app: Flask, address: str, method: str) -> None:
        if not address.startswith("/"):
            return
        assert not address.startswith("//"), f"{address} leaves the site"
        try:
            app.url_map.bind("localhost").match(urlsplit(address).path, method=method)
        except HTTPException as error:
            raise AssertionError(f"{method} {address} leads nowhere: {error}") from None

    def _name_of(self, control: HtmlElement) -> str:
        if label := control.get("aria-label"):
            return words(label)
        if labelled := control.get("aria-labelledby"):
            return words(" ".join(words_of(self._by_id[name]) for name in labelled.split() if name in self._by_id))
        control_id = control.get("id")
        label = self._labels.get(control_id) if control_id else None
        if label is None:
            label = next(control.iterancestors("label"), None)
        return "" if label is None else words_of(label)

    @cached_property
    def _labels(self) -> dict[str, HtmlElement]:
        """Return the first label for each id."""
        return {str(label.get("for")): label for label in reversed(self.tree.xpath("//label[@for]"))}


class Form:
    def __init__(self, page: Page, form: HtmlElement, button: HtmlElement) -> None:
        self.page = page
        self.action = button.get("formaction") or form.get("action") or page.response.request.path
        self.method = form.get("method", "get").upper()
        self.htmx = form.get("hx-post") is not None
        self._form = form
        self._button = button

    @property
    def fields(self) -> list[tuple[str, str]]:
        """Return the fields that a browser would send."""
        found: list[tuple[str, str]] = []
        form_id = self._form.get("id")
        outside = self.page.tree.xpath("//*[@form=$form]", form=form_id) if form_id else []
        for control in [*self._form.iter(*_CONTROLS), *outside]:
            name, kind = control.get("name"), control.get("type", "text")
            if not name or control.get("disabled") is not None or kind in ("submit", "button", "file"):
                continue
            if control.tag == "select":
                chosen = control.xpath(".//option[@selected]") or control.xpath("(.//option)[1]")
                found += [(name, option.get("value", str(option.text_content()))) for option in chosen]
            elif control.tag == "textarea":
                found.append((name, str(control.text_content())))
            elif kind not in ("checkbox", "radio") or control.get("checked") is not None:
                found.append((name, control.get("value", "on" if kind in ("checkbox", "radio") else "")))
        if name := self._button.get("name"):
            found.append((name, self._button.get("value", "")))
        return found

    def submit(self, *, headers: dict[str, str] | None = None, **changed: Any) -> TestResponse:
        """Send it, with some fields set (a list sets a field several times, None leaves it out)."""
        kept = [(name, value) for name, value in self.fields if name not in changed]
        for name, value in changed.items():
            values = value if isinstance(value, list | tuple) else [] if value is None else [value]
            kept += [(name, str(each)) for each in values]
        data: dict[str, list[str]] = {}
        for name, value in kept:
            data.setdefault(name, []).append(value)
        if self.page.is_region:  # The scripts of the document send its token.
            headers = {"X-CSRFToken": self.page.client.csrf_token(), **(headers or {})}
        if self.method == "GET":
            return self.page.client.get(self.action, query_string=data, headers=headers)
        return self.page.client.post(self.action, data=data, headers=headers)


def _is_named(control: HtmlElement) -> bool:
    """Check whether people fill the control, so that it needs a name."""
    return control.get("type") not in _UNNAMED


def check_secrets(app: Flask, response: TestResponse) -> None:
    """Check that neither the headers nor the body of an answer hold a secret."""
    settings = app.extensions["settings"]
    headers = "\n".join(f"{name}: {value}" for name, value in response.headers.items())
    for secret in (settings.api_secret.literal, settings.secret_key, settings.metrics_token):
        if secret:
            assert secret not in headers, "a header holds a secret"
            assert secret.encode() not in response.data, "a body holds a secret"
