"""Open a dashboard over an office of its own, where a scene lets people work, and render what they see."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from functools import cached_property, partial
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory
from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from jinja2 import BytecodeCache
from werkzeug.test import TestResponse

from dashboard.app import create_app
from dashboard.metrics import Metrics
from dashboard.services.accounts.audit import COMMAND_LINE
from dashboard.services.container import Services
from dashboard.settings import Settings
from dashboard.store.engine import Store
from dashboard.upstream import SecretSource, ServiceClient, ServiceConfig
from tests.bench.clerk import Clerk
from tests.support.clock import MovableClock
from tests.support.in_process import connection_to
from tests.support.levers import Levers
from tests.support.page import Page
from tests.support.people import ARUN, ASHA, MEERA, Somebody, add, cheap_passwords
from tests.support.web_client import WebClient

#: An address, as an administrator sees it, or what answers with a page: the answer to a form, or a page that is
#: opened by somebody else.
Answer = Callable[[], str]
Shown = str | Answer

#: The pages of a state, by name.
Pages = dict[str, Shown]

#: Seconds of a session that nobody uses.
_SESSION = 30 * 60
_PROVIDER = {
    "DASHBOARD_OIDC_ISSUER": "https://id.fleet.example",
    "DASHBOARD_OIDC_CLIENT_ID": "dashboard",
    "DASHBOARD_OIDC_CLIENT_SECRET": "a-secret-of-the-gallery",
    "DASHBOARD_LOCAL_SIGN_IN": "0",
}


class Workplace:
    """The people at a dashboard, the services behind it, the replica's levers, and the clock of both."""

    def __init__(self, apps: Callable[..., Flask], levers: Levers, clock: MovableClock) -> None:
        self._apps = apps
        self._visitors: list[WebClient] = []
        self._signed_in: list[tuple[WebClient, str]] = []
        self.app = apps()
        self.levers = levers
        self.clock = clock
        self.services: Services = self.app.extensions["services"]
        add(self.app, ARUN)
        self.clerk = Clerk("http://localhost", ARUN.email, connection=connection_to(self.app))

    def write_counts(self) -> None:
        """Do what the watcher does every few seconds."""
        self.services.call_policy.allowances.write_counts()
        self.services.call_outcomes.write_counts()

    @cached_property
    def staff(self) -> WebClient:
        return self.signed_in(ASHA)

    @cached_property
    def manager(self) -> WebClient:
        return self.signed_in(MEERA)

    @cached_property
    def admin(self) -> WebClient:
        return self.signed_in(ARUN)

    def signed_in(self, somebody: Somebody) -> WebClient:
        add(self.app, somebody)
        visitor = self.visitor()
        visitor.is_signed_in(somebody.email)
        self._signed_in.append((visitor, somebody.email))
        return visitor

    def visitor(self) -> WebClient:
        """Return the browser of somebody who has not signed in."""
        return self._arrives_at(self.app)

    @cached_property
    def admin_without_passwords(self) -> WebClient:
        """Return the browser of the administrator, at a dashboard that only an identity provider lets people in to."""
        visitor = self._arrives_at(self._apps(**_PROVIDER))
        visitor.is_signed_in(ARUN.email)
        return visitor

    def visitor_without_password(self) -> WebClient:
        return self._arrives_at(self._apps(**_PROVIDER))

    def _arrives_at(self, app: Flask) -> WebClient:
        visitor = app.test_client()
        assert isinstance(visitor, WebClient)
        self._visitors.append(visitor)
        return visitor

    def later(self, **span: float) -> None:
        """Let time pass, here and at the service; whoever's session has ended by then signs in again."""
        seconds = timedelta(**span).total_seconds()
        self.clock.advance(**span)
        self.levers.advance(seconds)
        if seconds > _SESSION:
            for visitor, email in self._signed_in:
                visitor.is_signed_in(email)

    def speaks(self, language: str) -> None:
        """Let everybody see pages in a language, whoever has not signed in by what their browser prefers."""
        people = self.app.extensions["people"]
        for person in people.everybody():
            people.choose_language(person, language, COMMAND_LINE)
        for visitor in self._visitors:
            visitor.environ_base["HTTP_ACCEPT_LANGUAGE"] = language

    def html(self, shown: Shown) -> str:
        """Return the HTML of a page, which may be one that says what is wrong."""
        return shown() if callable(shown) else html_of(self.admin, self.admin.get(shown))


def seen_by(visitor: WebClient, address: str) -> Answer:
    """Return a page that somebody opens."""
    return lambda: html_of(visitor, visitor.get(address))


def answer(page: Page, button: str, **fields: Any) -> Answer:
    """Return the answer to a form of a page: it is sent once for each language, and so changes nothing."""
    send = partial(page.form(button).submit, **fields)
    return lambda: html_of(page.client, send())


def after(order: Callable[[], object], shown: Answer) -> Answer:
    """Return a page that is opened after an order to the replica: each time, for an order that lasts for one call."""

    def show() -> str:
        order()
        return shown()

    return show


def html_of(visitor: FlaskClient, response: TestResponse) -> str:
    """Return the page that an answer is, or leads to."""
    while response.status_code in (302, 303):
        response = visitor.get(response.headers["Location"])
    assert response.status_code != 500, f"{response.request.path} failed"
    return response.text


class Offices:
    """Open one workplace after the other over a replica, each with a fresh store and the demo fleet."""

    def __init__(self, levers: Levers, secret: str, database: Path, compiled: BytecodeCache | None = None) -> None:
        """Copy `database`, which is migrated, for each workplace."""
        self._levers = levers
        self._secret = secret
        self._database = database
        self._compiled = compiled

    @contextmanager
    def open(self) -> Iterator[Workplace]:
        self._levers.reset("demo")
        clock = MovableClock()
        with ExitStack() as stack:
            folder = Path(stack.enter_context(TemporaryDirectory(prefix="challan-gallery-")))
            copyfile(self._database, folder / "dashboard.db")
            store = Store(f"sqlite:///{folder / 'dashboard.db'}")
            stack.callback(store.close)
            config = ServiceConfig(
                self._levers.base_url, SecretSource.literal(self._secret), retry_base=0.01, retry_cap=0.02
            )
            parts = {"store": store, "clock": clock, "metrics": (metrics := Metrics())}
            parts["client"] = stack.enter_context(ServiceClient(config, observer=metrics.call_made))
            yield Workplace(partial(self._app, folder, parts), self._levers, clock)

    def _app(self, folder: Path, parts: dict[str, Any], **more: str) -> Flask:
        environ = {
            "DASHBOARD_SERVICE_URL": self._levers.base_url,
            "DASHBOARD_API_SECRET": self._secret,
            "DASHBOARD_SECRET_KEY": "a key of the gallery alone, and of nothing else",
            "DASHBOARD_DATA_DIR": str(folder),
            "DASHBOARD_INSECURE_COOKIES": "1",
            "DASHBOARD_SUPPORT_EMAIL": "support@service.example",
            **more,
        }
        app = create_app(Settings.from_environ(environ), passwords=cheap_passwords(), **parts)
        app.test_client_class = WebClient
        if self._compiled is not None:
            app.jinja_env.bytecode_cache = self._compiled
        return app
