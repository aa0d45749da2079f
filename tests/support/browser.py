"""Simulate a person's browser over real HTTP: pages, forms, cookies, and any of several web processes.

It checks no house rules, unlike `page.Page`, because a storm reads thousands of pages.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from urllib.parse import urlsplit

import lxml.html
import requests
from lxml.html import HtmlElement

from tests.support.people import PASSWORD

_REQUEST_STATE = re.compile(r'id="request-panel"[^>]*data-state="([^"]*)"')
_UNSENT = {"submit", "button", "reset", "image", "file"}


class NoAnswer(Exception):
    """Raised when the web process was killed or is stopped, or none is running."""


@dataclass(frozen=True)
class Form:
    """Hold a form as a browser sends it. It can be sent again unchanged."""

    address: str
    fields: tuple[tuple[str, str], ...]

    def value(self, name: str) -> str:
        return next(value for key, value in self.fields if key == name)

    def values(self, name: str) -> list[str]:
        return [value for key, value in self.fields if key == name]

    def with_(self, **changed: list[str]) -> Form:
        kept = [(name, value) for name, value in self.fields if name not in changed]
        return Form(self.address, (*kept, *((name, value) for name, values in changed.items() for value in values)))


@dataclass(frozen=True)
class ShownPage:
    """Hold a page that a person saw, with the times, by our clock, of its request and its arrival."""

    asked_at: datetime
    arrived_at: datetime
    status: int
    address: str
    markup: str = field(repr=False)

    @cached_property
    def tree(self) -> HtmlElement:
        return lxml.html.document_fromstring(self.markup or "<html></html>")

    @cached_property
    def words(self) -> str:
        """Return the words inside <main>."""
        main = self.tree.find(".//main")
        return _words(self.tree if main is None else main)

    @property
    def request_state(self) -> str | None:
        """Return the state of the request that this page shows."""
        found = _REQUEST_STATE.search(self.markup)
        return found[1] if found else None

    def has(self, button: str) -> bool:
        return self._owner(button) is not None

    def ticks(self) -> list[str]:
        """Return the challans that can be ticked."""
        return [str(box.get("value")) for box in self.tree.xpath('.//input[@type="checkbox"][@name="challan"]')]

    def form(self, button: str) -> Form:
        """Return the form that a button sends, with its fields as filled."""
        found = self._owner(button)
        assert found is not None, f"{self.address} ({self.status}) has no button {button!r}: {self.words[:300]}"
        owner, pressed = found
        fields: list[tuple[str, str]] = []
        for control in owner.iter("input", "select", "textarea"):
            name, kind = control.get("name"), control.get("type", "text")
            if not name or kind in _UNSENT or (kind in ("checkbox", "radio") and control.get("checked") is None):
                continue
            if control.tag == "select":
                chosen = control.xpath("./option[@selected]") or control.xpath("./option")[:1]
                fields += [(name, str(option.get("value", _words(option)))) for option in chosen]
            else:
                fields.append((name, str(control.get("value") or "")))
        return Form(str(pressed.get("formaction") or owner.get("action") or self.address), tuple(fields))

    def _owner(self, button: str) -> tuple[HtmlElement, HtmlElement] | None:
        for element in self.tree.iter("button"):
            if element.get("type", "submit") != "submit" or _words(element) != button:
                continue
            named = element.get("form")
            owner = self.tree.get_element_by_id(named, None) if named else next(element.iterancestors("form"), None)
            if owner is not None:
                return owner, element
        return None


class Browser:
    """Simulate one person's browser with one cookie jar, for any thread. It calls `ports` anew at each request."""

    def __init__(
        self, email: str, ports: Callable[[], Sequence[int]], clock: Callable[[], datetime], rng: random.Random
    ) -> None:
        self.email = email
        self._ports = ports
        self._clock = clock
        self._rng = rng
        self._cookies: dict[str, str] = {}

    def open(self, address: str) -> ShownPage:
        """GET a page; sign in first if it asks for that. Raises NoAnswer."""
        shown = self._request("GET", address)
        if shown.address != "/sign-in":
            return shown
        self.sign_in(shown)  # Its redirect may lead to a saved form of another tab.
        return self._request("GET", address)

    def sign_in(self, page: ShownPage) -> ShownPage:
        """Sign in, and return the page that follows. Raises NoAnswer, also while sign-in is locked."""
        shown = self.send(page.form("Sign in").with_(email=[self.email], password=[PASSWORD]))
        if shown.address == "/sign-in":
            raise NoAnswer(shown.words)
        return shown

    def send(self, form: Form, *, follow: bool = True) -> ShownPage:
        """POST a form, and return the page that follows. Raises NoAnswer."""
        return self._request("POST", form.address, form, follow=follow)

    def _request(self, method: str, address: str, form: Form | None = None, *, follow: bool = True) -> ShownPage:
        asked_at = self._clock()
        for _ in range(5):
            answer = self._ask(method, address, form)
            if answer.status_code not in (302, 303, 307, 308):
                break
            address = answer.headers["Location"]
            if not follow:
                break
            method, form = "GET", None
        return ShownPage(asked_at, self._clock(), answer.status_code, urlsplit(address).path, answer.text)

    def _ask(self, method: str, address: str, form: Form | None) -> requests.Response:
        """Send one request to any of the web processes; cookies of a second tab may be slightly older."""
        ports = self._ports()
        if not ports:
            raise NoAnswer("no web process is running")
        url = f"http://127.0.0.1:{self._rng.choice(ports)}{address}"
        try:
            with requests.Session() as session:
                session.trust_env = False
                answer = session.request(
                    method,
                    url,
                    data=list(form.fields) if form else None,
                    headers={"Sec-Fetch-Site": "same-origin"} if form else None,
                    cookies=self._cookies,
                    allow_redirects=False,
                    timeout=(2, 15),
                )
        except requests.RequestException as error:
            raise NoAnswer(type(error).__name__) from None
        answer.encoding = "utf-8"
        self._cookies = {**self._cookies, **answer.cookies.get_dict()}
        return answer


def _words(element: HtmlElement) -> str:
    return re.sub(r"\s+", " ", str(element.text_content())).strip()
