"""Stand in for the authenticator app on a person's phone."""

from __future__ import annotations

from dataclasses import dataclass

import pyotp

from tests.support.clock import MovableClock
from tests.support.page import Page
from tests.support.people import PASSWORD
from tests.support.web_client import WebClient


@dataclass
class Authenticator:
    """Show the codes of the secret that a page offered, by the test's clock."""

    secret: str
    clock: MovableClock

    @classmethod
    def scan(cls, page: Page, clock: MovableClock) -> Authenticator:
        return cls(page.one("#app-key").text.strip(), clock)

    def code(self, seconds: int = 0) -> str:
        """Return the code that is shown so many seconds from now."""
        return pyotp.TOTP(self.secret).at(int(self.clock().timestamp()) + seconds)

    def next_code(self) -> str:
        """Wait for the next code, because each works once."""
        self.clock.advance(seconds=30)
        return self.code()


def set_up(visitor: WebClient, clock: MovableClock) -> tuple[Authenticator, list[str]]:
    """Set up a second factor in My account; return the app and the recovery codes."""
    asked = visitor.page("/account/second-factor").submit("Continue", password=PASSWORD)
    page = visitor.read(asked)
    app = Authenticator.scan(page, clock)
    shown = visitor.read(page.submit("Turn on", code=app.code()))
    return app, codes_on(shown)


def codes_on(page: Page) -> list[str]:
    return [each.text.strip() for each in page.all("#recovery-codes code")]
