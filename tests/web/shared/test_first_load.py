"""Test what a browser with an empty cache is sent for the first page: few requests, few bytes."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urldefrag

from bs4 import BeautifulSoup

from tests.support.web_client import WebClient
from tests.web.steps import VEHICLE

_SCRIPTS = Path(__file__).resolve().parents[3] / "static" / "js"
_LOADED = {"link[rel=stylesheet], link[rel=icon], use": "href", "script, img": "src"}


def loaded_by(page: str) -> set[str]:
    """Return the addresses that a browser loads with a page."""
    soup = BeautifulSoup(page, "lxml")
    named = (tag.get(name) for choice, name in _LOADED.items() for tag in soup.select(choice))
    return {urldefrag(str(address)).url for address in named if address}


def test_the_first_load_is_small(staff: WebClient) -> None:
    packed = {"Accept-Encoding": "gzip, br"}
    page = staff.get("/", headers=packed)
    parts = {address: staff.get(address, headers=packed) for address in loaded_by(staff.get("/").text)}
    assert all(part.status_code == 200 for part in parts.values())
    names = {address.partition("?")[0].removeprefix("/static/") for address in parts}
    assert {"app.css", "app.js", "img/icons.svg"} <= names, "what stands in folders is in a bundle"
    assert len(parts) + 1 <= 8
    sizes = {name: len(part.data) for name, part in {"/": page, **parts}.items()}
    headers = [len(f"{line}: {value}\r\n") for part in (page, *parts.values()) for line, value in part.headers.items()]
    by_the_server = 200 * len(sizes)  # More than what it adds itself.
    assert sum(sizes.values()) + sum(headers) + by_the_server < 60 * 1024, sizes


def test_the_bundles_hold_style_sheets_and_scripts(staff: WebClient) -> None:
    bundles = {name: staff.get(f"/static/{name}").text for name in ("app.css", "app.js")}
    assert ".challan-payable" in bundles["app.css"], "of a noun"
    assert ".toasts" in bundles["app.css"], "of every noun"
    assert 'customElements.define("live-panel"' in bundles["app.js"]


def test_the_styles_of_few_pages_come_with_them_at_once_and_with_any_other_once_it_is_shown(
    staff: WebClient, manager: WebClient
) -> None:
    assert ".statement-amount" not in staff.get("/static/app.css").text
    assert ".statement-amount" in staff.get("/static/lazy.css").text
    assert staff.page("/").one("#lazy-styles")["rel"] == ["prefetch"]
    assert manager.page("/reconcile/statement").one("#lazy-styles")["rel"] == ["stylesheet"]


def test_the_scripts_of_other_pages_come_with_them_at_once_and_with_the_first_page_once_it_is_shown(
    visitor: WebClient, staff: WebClient, searched: dict[str, str]
) -> None:
    defines = 'customElements.define("challan-table"'
    assert defines not in staff.get("/static/app.js").text
    assert defines in staff.get("/static/lazy.js").text
    lazy = [address for address in loaded_by(staff.get(VEHICLE).text) if address.startswith("/static/lazy.js")]
    for page in (staff.page("/"), visitor.page("/sign-in")):
        waiting = page.one("link[rel=prefetch]#lazy-scripts")
        assert [waiting["href"]] == lazy
        assert waiting["integrity"]
        assert not [address for address in loaded_by(page.text) if address in lazy]


def test_no_text_of_a_script_goes_over_two_lines() -> None:
    """The bundle takes comments and indentation out line by line."""
    for path in sorted(_SCRIPTS.rglob("*.js")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            assert line.count("`") % 2 == 0, f"{path.name}:{number}"


def test_a_page_says_what_the_dashboard_is_for(staff: WebClient) -> None:
    assert "challans" in str(staff.page("/links").one("meta[name=description]")["content"])


def test_the_pages_that_a_robot_reaches_are_not_to_be_indexed(visitor: WebClient) -> None:
    assert visitor.page("/sign-in").one("meta[name=robots]")["content"] == "noindex"
