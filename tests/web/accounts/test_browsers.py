"""Test that a browser is named so that its person recognizes it."""

from __future__ import annotations

import pytest

from dashboard.web.accounts.browsers import browser_of

_CHROME = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Safari/537.36"


@pytest.mark.parametrize(
    ("user_agent", "name"),
    [
        (_CHROME, "Chrome on Windows"),
        (f"{_CHROME} Edg/130.0", "Edge on Windows"),
        ("Mozilla/5.0 (Linux; Android 14; SM-A546E) Chrome/130.0 Mobile Safari/537.36", "Chrome on Android"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) Version/17.5 Mobile Safari", "Safari on iPhone"),
        ("Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0", "Firefox on Linux"),
        ("curl/8.5.0", "Unknown browser"),
        ("", "Unknown browser"),
    ],
)
def test_a_browser_is_named(user_agent: str, name: str) -> None:
    assert browser_of(user_agent) == name
