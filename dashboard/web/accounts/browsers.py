"""Name the browser and the system of a User-Agent header, so that people recognize where they are signed in."""

from __future__ import annotations

from dashboard.web.accounts import texts

#: The first that the header holds names it: Edge and Opera say that they are Chrome, and Chrome that it is Safari.
_BROWSERS = (
    ("Edg", "Edge"),
    ("OPR", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chrome", "Chrome"),
    ("Safari", "Safari"),
)
_SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)


def browser_of(user_agent: str) -> str:
    """Return "Chrome on Android", say; what the header does not tell is left out."""
    browser = next((name for mark, name in _BROWSERS if mark in user_agent), "")
    system = next((name for mark, name in _SYSTEMS if mark in user_agent), "")
    if browser and system:
        return texts.BROWSER_ON.format(browser=browser, system=system)
    return browser or system or texts.UNKNOWN_BROWSER
