"""Work as staff over one persistent connection, with little overhead in the measured times."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from html import unescape
from http.client import HTTPConnection, HTTPResponse
from urllib.parse import urlencode, urlsplit

from tests.support.people import ASHA, PASSWORD

_TOKEN = re.compile(r'name="csrf_token" value="([^"]+)"')
_KEY = re.compile(r'name="request_key" value="([^"]+)"')
_TICKS = re.compile(r'name="challan" value="([^"]+)"')
_PANEL = re.compile(r'hx-get="([^"]+)"')

Fields = Mapping[str, str | list[str]]


class Clerk:
    """A signed-in person; `address` is that of the last answer, after redirects."""

    def __init__(
        self,
        url: str,
        email: str = ASHA.email,
        *,
        password: str = PASSWORD,
        connection: HTTPConnection | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        """Sign in. A connection through a proxy takes the place of the usual one; each request has these headers."""
        self._connection = connection or HTTPConnection(urlsplit(url).netloc, timeout=120)
        self._headers = dict(headers or {})
        self._cookies: dict[str, str] = {}
        self.address = ""
        token = _one(_TOKEN, self.opens("/sign-in"))
        self.sends("/sign-in", {"csrf_token": token, "email": email, "password": password})
        assert self.address == "/", f"{email} could not sign in"

    @property
    def cookie(self) -> str:
        """Return the cookies as a browser sends them."""
        return "; ".join(f"{name}={value}" for name, value in self._cookies.items())

    # Work

    def searches(self, rc: str) -> None:
        """Type a number, press Search, and receive the list."""
        self.sends("/search", {"csrf_token": self._token(), "rc_number": rc})
        self.opens(self.address)

    def comes_to_the_review(self, rc: str) -> Fields:
        """Search a vehicle, tick all payable challans, and return the form of Create payment link."""
        token = self._token()
        self.sends("/search", {"csrf_token": token, "rc_number": rc})
        ticks = _TICKS.findall(self.opens(f"/vehicles/{rc}"))
        assert ticks, f"nothing is payable on {rc}"
        self.sends(f"/vehicles/{rc}/selection", {"csrf_token": token, "challan": ticks})
        page = self.opens(f"/vehicles/{rc}/review")
        chosen = _TICKS.findall(page)
        return {"csrf_token": token, "request_key": _one(_KEY, page), "challan": chosen, "hours": "48"}

    def creates(self, rc: str, form: Fields) -> str:
        """Press Create payment link, and return the link's id."""
        self.sends(f"/vehicles/{rc}/links", form)
        assert self.address.startswith("/links/"), f"no link was made: {self.address}"
        return self.address.rpartition("/")[2]

    def creates_a_link(self, rc: str) -> str:
        return self.creates(rc, self.comes_to_the_review(rc))

    def checks(self, link_id: str) -> None:
        """Press Check now on a link's page."""
        self.sends(f"/links/{link_id}/check", {"csrf_token": self._token()})

    def records_a_check(self, code: str, outcome: str, note: str = "") -> None:
        """Record what came of checking an assumption, as an administrator."""
        form = {"csrf_token": self._token(), "outcome": outcome, "note": note}
        self.sends(f"/service/assumptions/{code}", form)

    def adds_a_driver(self, name: str, phone: str, vehicles: str) -> None:
        self.sends(
            "/drivers",
            {"csrf_token": self._token(), "name": name, "phone": phone, "vehicles": vehicles, "language": "hi"},
        )

    def sends_a_link(self, link_id: str, driver_id: int) -> None:
        """Say that a link went to a driver on WhatsApp."""
        form = {"csrf_token": self._token(), "channel": "whatsapp", "driver": str(driver_id), "language": "hi"}
        self.sends(f"/links/{link_id}/shared", form)

    def chooses_language(self, code: str) -> None:
        self.sends("/language", {"csrf_token": self._token(), "language": code})

    def presses(self, address: str) -> None:
        """Press a button that sends nothing but itself."""
        self.sends(address, {"csrf_token": self._token()})

    # Many vehicles, as a manager

    def drafts(self, numbers: str) -> str:
        """Type numbers or a table, and press Search all; return the address that shows what would be searched."""
        self.sends("/fleet", {"csrf_token": self._token(), "numbers": numbers})
        assert self.address.startswith("/fleet/drafts/"), "nothing can be searched"
        return self.address

    def starts_a_run(self, title: str, numbers: Iterable[str]) -> str:
        """Search many vehicles, and return the id of the run."""
        draft = self.drafts(" ".join(numbers))
        self.sends(f"{draft}/start", {"csrf_token": self._token(), "title": title})
        assert self.address.startswith("/fleet/runs/"), f"no search was started: {self.address}"
        return self.address.rpartition("/")[2]

    def saves_a_list(self, name: str, numbers: Iterable[str]) -> None:
        draft = self.drafts(" ".join(numbers))
        self.sends(f"{draft}/list", {"csrf_token": self._token(), "name": name})

    def repeats_a_search(self, what: str, days: str = "") -> None:
        """Save a search that is repeated every night."""
        form = {"csrf_token": self._token(), "what": what, "days": days, "day": list("0123456"), "at": "02:00"}
        self.sends("/fleet/repeats", {**form, "source": "yes"})

    def plans_links(self, run_id: str) -> str:
        """Confirm the plan of everything that a run found payable, and return its id."""
        address = f"/fleet/runs/{run_id}/review/plan"
        page = self.opens(address)
        hidden = {name: _one(re.compile(f'name="{name}" value="([^"]+)"'), page) for name in ("plan_id", "seen")}
        self.sends(address, {"csrf_token": self._token(), "hours": "48", **hidden})
        assert self.address.startswith("/fleet/plans/"), f"no plan was made: {self.address}"
        return hidden["plan_id"]

    def panel_of(self, link_id: str) -> str:
        """Return the address that the panel of a link polls, with its present fingerprint."""
        panel = self.opens(f"/links/{link_id}/panel", {"HX-Request": "true"})
        return unescape(_one(_PANEL, panel))

    def _token(self) -> str:
        return _one(_TOKEN, self.opens("/"))

    # Requests

    def opens(self, address: str, headers: Mapping[str, str] | None = None) -> str:
        return self.fetches(address, headers).decode()

    def looks_at(self, address: str) -> str:
        """Open a page, which may be one that says what is wrong."""
        answer = self._ask("GET", address, None, {})
        content = answer.read().decode()
        moved = answer.getheader("Location")
        return self.looks_at(moved) if moved else content

    def fetches(self, address: str, headers: Mapping[str, str] | None = None) -> bytes:
        return self._read("GET", address, None, headers or {})

    def sends(self, address: str, fields: Fields) -> bytes:
        form = {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin"}
        self._connection.close()  # On an idle connection, a close by the server would look like a lost answer.
        return self._read("POST", address, urlencode(fields, doseq=True), form)

    def uploads(self, address: str, name: str, content: bytes) -> None:
        """Send a form with a file, as a browser does."""
        parts = (
            ('name="csrf_token"', self._token().encode()),
            (f'name="file"; filename="{name}"\r\nContent-Type: application/octet-stream', content),
        )
        mark = "a-mark-between-the-parts"
        body = b"".join(
            f"--{mark}\r\nContent-Disposition: form-data; {head}\r\n\r\n".encode() + part + b"\r\n"
            for head, part in parts
        )
        form = {"Content-Type": f"multipart/form-data; boundary={mark}", "Sec-Fetch-Site": "same-origin"}
        self._connection.close()
        self._read("POST", address, body + f"--{mark}--\r\n".encode(), form)

    def downloads(self, address: str) -> int:
        """Download an answer of any length without storing it, and return its number of lines."""
        self._connection.close()
        self._connection.timeout = 3600  # A workbook is whole before its first byte is sent.
        answer = self._ask("GET", address, None, {})
        assert answer.status == 200, f"{address}: {answer.status}"
        lines = 0
        while part := answer.read(65536):
            lines += part.count(b"\n")
        return lines

    def _read(self, method: str, address: str, body: str | bytes | None, headers: Mapping[str, str]) -> bytes:
        answer = self._ask(method, address, body, headers)
        content = answer.read()
        assert answer.status < 400, f"{method} {address}: {answer.status}"
        for cookie in answer.headers.get_all("Set-Cookie") or ():
            name, _, value = cookie.partition(";")[0].partition("=")
            self._cookies[name] = value
        self.address = answer.getheader("Location") or address
        return content

    def _ask(self, method: str, address: str, body: str | bytes | None, headers: Mapping[str, str]) -> HTTPResponse:
        whole = {**self._headers, **headers, **({"Cookie": self.cookie} if self.cookie else {})}
        try:
            self._connection.request(method, address, body, whole)
            return self._connection.getresponse()
        except ConnectionError:
            self._connection.close()  # The server has closed the idle connection.
            self._connection.request(method, address, body, whole)
            return self._connection.getresponse()


def _one(pattern: re.Pattern[str], page: str) -> str:
    found = pattern.search(page)
    assert found, f"the page has no {pattern.pattern}"
    return found[1]
