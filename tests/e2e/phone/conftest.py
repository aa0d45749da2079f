"""Open the pages on a phone."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.e2e.conftest import Office
from tests.e2e.phone.geometry import HEIGHT, WIDTH
from tests.e2e.steps import Desk


@pytest.fixture
def phone(office: Office, browser: Browser) -> Iterator[Desk]:
    context = browser.new_context(viewport={"width": WIDTH, "height": HEIGHT}, has_touch=True, is_mobile=True)
    desk = Desk(context.new_page(), office.url)
    desk.signs_in()
    yield desk
    context.close()
