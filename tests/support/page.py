"""A page as people meet it. Reading one checks the rules of the house, so that every test that reads keeps them."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any
from urllib.parse import urlsplit

from bs4 import BeautifulSoup
from bs4.element import Tag
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.exceptions import HTTPException
from werkzeug.test import TestResponse

_HTMX_METHODS = {"hx-get": "GET", "hx-post": "POST", "hx-put": "PUT", "hx-patch": "PATCH", "hx-delete": "DELETE"}
_UNNAMED = {"hidden", "submit", "button", "reset", "image"}


def words(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


class Page:
    """A parsed answer. `region=True` for one that htmx swaps in, which is no whole page."""

    def __init__(self, client: FlaskClient, response: TestResponse, *, region: bool = False) -> None:
        self.client = client
        self.response = response
        self.status = response.status_code
        self.headers = response.headers
        self.soup = BeautifulSoup(response.text, "lxml")
        check_secrets(client.application, response)
        if response.text:
            self._check_markup(client.application)
            if not region:
                self._check_page()

    # What people see

    @property
    def main(self) -> Tag:
        found = self.soup.main
        assert found is not None, "the page has no <main>"
        return found

    @property
    def text(self) -> str:
        """The words inside <main>, or of the whole region."""
        return words((self.soup.main or self.soup).get_text(" "))

    @property
    def everything(self) -> str:
        """All the words, header and banner included."""
        return words(self.soup.get_text(" "))

    @property
    def heading(self) -> str:
        found = self.soup.h1
        assert found is not None
        return words(found.get_text(" "))

    def one(self, selector: str) -> Tag:
        found = self.soup.select(selector)
        assert len(found) == 1, f"{selector}: {len(found)} elements, one was expected"
        return found[0]

    def all(self, selector: str) -> list[Tag]:
        return list(self.soup.select(selector))

    def field(self, label: str) -> Tag:
        """The control with this accessible name."""
        found = [control for control in self._controls(self.soup) if self._name_of(control) == label]
        assert len(found) == 1, f"{len(found)} controls are called {label!r}"
        return found[0]

    def buttons(self) -> list[str]:
        return [words(button.get_text(" ")) for button in self.soup.select("button")]

    def link(self, name: str) -> str:
        """The address of the link with these words."""
        found = {str(a["href"]) for a in self.soup.select("a[href]") if words(a.get_text(" ")) == name}
        assert len(found) == 1, f"{len(found)} links are called {name!r}"
        return found.pop()

    # What people do

    def form(self, button: str) -> Form:
        """The form that this button sends."""
        for element in self.soup.select("button, input[type=submit]"):
            if words(element.get_text(" ")) == button and element.get("type", "submit") == "submit":
                owner = self._form_of(element)
                if owner is not None:
                    return Form(self, owner, element)
        raise AssertionError(f"no form is sent by a button called {button!r}; there are {self.buttons()}")

    def submit(self, button: str, /, **fields: Any) -> TestResponse:
        """Fill the fields (by their names) and press the button."""
        return self.form(button).submit(**fields)

    def _form_of(self, element: Tag) -> Tag | None:
        if form_id := element.get("form"):
            return self.soup.find("form", id=str(form_id))  # type: ignore[return-value]
        return element.find_parent("form")

    # The rules of the house

    def _check_page(self) -> None:
        assert len(self.soup.select("h1")) == 1, "a page has one <h1>"
        assert len(self.soup.select("main")) == 1, "a page has one <main>"
        assert self.soup.select("html[lang]"), "a page names its language"
        assert words("".join(title.get_text() for title in self.soup.select("head title"))), "a page has a title"

    def _check_markup(self, app: Flask) -> None:
        ids = Counter(str(element["id"]) for element in self.soup.select("[id]"))
        assert not (twice := [name for name, count in ids.items() if count > 1]), f"ids used twice: {twice}"
        assert not self.soup.select("[style], style"), "no inline style"
        assert not [s for s in self.soup.select("script") if not s.get("src")], "no inline script"
        assert not [e for e in self.soup.find_all(True) for name in e.attrs if name.startswith("on")], (
            "no on… attributes"
        )
        for label in self.soup.select("label[for]"):
            assert label["for"] in ids, f"a label for {label['for']!r}, which is not there"
        for control in self._controls(self.soup):
            assert self._name_of(control), f"a control without a name: {control}"
        for attribute in ("aria-describedby", "aria-labelledby", "aria-controls"):
            for element in self.soup.select(f"[{attribute}]"):
                missing = [name for name in str(element[attribute]).split() if name not in ids]
                assert not missing, f"{attribute} names {missing}, which is not there"
        for form in self.soup.select("form"):
            if str(form.get("method", "get")).lower() == "post":
                assert form.select("input[name=csrf_token]"), f"a form without a token: {form.get('action')}"
            self._check_address(app, str(form.get("action") or ""), str(form.get("method", "get")).upper())
        for attribute, method in _HTMX_METHODS.items():
            for element in self.soup.select(f"[{attribute}]"):
                self._check_address(app, str(element[attribute]), method)
        for element in self.soup.select("a[href]"):
            self._check_address(app, str(element["href"]), "GET")

    @staticmethod
    def _check_address(app: Flask, address: str, method: str) -> None:
        if not address.startswith("/"):
            return
        assert not address.startswith("//"), f"{address} leaves the site"
        try:
            app.url_map.bind("localhost").match(urlsplit(address).path, method=method)
        except HTTPException as error:
            raise AssertionError(f"{method} {address} leads nowhere: {error}") from None

    @staticmethod
    def _controls(soup: Tag) -> list[Tag]:
        found = soup.select("input, select, textarea")
        return [control for control in found if control.get("type") not in _UNNAMED]

    def _name_of(self, control: Tag) -> str:
        if control.get("aria-label"):
            return words(str(control["aria-label"]))
        if labelled := control.get("aria-labelledby"):
            parts = [self.soup.find(id=name) for name in str(labelled).split()]
            return words(" ".join(part.get_text(" ") for part in parts if part))
        label = self.soup.find("label", attrs={"for": control.get("id")}) if control.get("id") else None
        label = label or control.find_parent("label")
        return words(label.get_text(" ")) if label else ""


class Form:
    def __init__(self, page: Page, form: Tag, button: Tag) -> None:
        self.page = page
        self.action = str(button.get("formaction") or form.get("action") or page.response.request.path)
        self.method = str(form.get("method", "get")).upper()
        self.htmx = form.get("hx-post") is not None
        self._form = form
        self._button = button

    @property
    def fields(self) -> list[tuple[str, str]]:
        """What a browser would send, as the page stands."""
        found: list[tuple[str, str]] = []
        form_id = self._form.get("id")
        outside = self.page.soup.select(f'[form="{form_id}"]') if form_id else []
        for control in [*self._form.select("input, select, textarea"), *outside]:
            name, kind = control.get("name"), control.get("type", "text")
            if not name or control.has_attr("disabled") or kind in ("submit", "button", "file"):
                continue
            if control.name == "select":
                chosen = control.select("option[selected]") or control.select("option")[:1]
                found += [(str(name), str(option.get("value", option.get_text()))) for option in chosen]
            elif control.name == "textarea":
                found.append((str(name), control.get_text()))
            elif kind not in ("checkbox", "radio") or control.has_attr("checked"):
                found.append((str(name), str(control.get("value", "on" if kind in ("checkbox", "radio") else ""))))
        if self._button.get("name"):
            found.append((str(self._button["name"]), str(self._button.get("value", ""))))
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
        if self.method == "GET":
            return self.page.client.get(self.action, query_string=data, headers=headers)
        return self.page.client.post(self.action, data=data, headers=headers)


def check_secrets(app: Flask, response: TestResponse) -> None:
    """No answer holds what must never leave the server: not in its headers, not in its body."""
    settings = app.extensions["settings"]
    headers = "\n".join(f"{name}: {value}" for name, value in response.headers.items())
    for secret in (settings.api_secret.literal, settings.secret_key, settings.metrics_token):
        if secret:
            assert secret not in headers, "a secret stands in a header"
            assert secret.encode() not in response.data, "a secret stands in a body"
