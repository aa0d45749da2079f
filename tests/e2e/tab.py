"""Watch a browser's tab: the documents that it loads, requests that are held back, and what axe finds in it."""

from __future__ import annotations

import re

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, Request, Route


class Loads:
    """Collect the documents that a tab loads."""

    def __init__(self, page: Page) -> None:
        self.addresses: list[str] = []
        self._main = page.main_frame
        page.on("request", self._add)

    def _add(self, request: Request) -> None:
        if request.is_navigation_request() and request.frame == self._main:
            self.addresses.append(request.url)


class Held:
    """Hold the requests of a tab to some addresses until they are released; later ones pass."""

    def __init__(self, page: Page, addresses: str | re.Pattern[str]) -> None:
        self._page = page
        self._routes: list[Route] = []
        self._is_open = False
        page.route(re.compile(addresses), self._hold)

    def _hold(self, route: Route) -> None:
        if self._is_open:
            route.continue_()
        else:
            self._routes.append(route)

    def count(self) -> int:
        """Return how many are held. Playwright delivers requests during its own calls alone, so one is made first."""
        self._page.context.cookies()
        return len(self._routes)

    def let_go(self) -> None:
        self._is_open = True
        for route in self._routes:
            route.continue_()


def is_accessible(page: Page) -> None:
    """Check the page as it stands with axe, in both colour schemes."""
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]  # A literal.
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()
