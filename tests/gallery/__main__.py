"""Draw every page in its states as pictures, for people to look at (`make gallery`): var/gallery/index.html.

    python -m tests.gallery [--folder FOLDER] [empty] [one] [many] [fleet] [outage]

The real application draws them over the real replica: on a laptop and a phone, light and dark, in each language.
"""

from __future__ import annotations

import argparse
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from itertools import product
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, BrowserContext, Page

from dashboard.app import create_app
from dashboard.background import watcher
from dashboard.services.container import Services
from dashboard.store.engine import Store
from dashboard.translations import languages
from tests.bench.clerk import Clerk
from tests.bench.office import Office
from tests.bench.screen import chromium, sign_in
from tests.gallery.scenes import Pages, scenes
from tests.support.people import ARUN, cheap_passwords
from tests.support.servers import serving

_FOLDER = Path(__file__).parents[2] / "var" / "gallery"
_SIZES = {"laptop": (1280, 800), "phone": (390, 844)}
_THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
_INDEX = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Gallery</title>
<style>
  body {{ font: 16px system-ui; margin: 24px; }}
  div {{ display: flex; flex-wrap: wrap; gap: 8px; }}
  img {{ height: 400px; border: 1px solid #999; }}
</style>
<h1>Gallery</h1>
{sections}
"""


def main() -> None:
    parser = argparse.ArgumentParser(prog="make gallery", description="Draw every page in its states as pictures.")
    parser.add_argument("states", nargs="*", metavar="STATE", help="empty, one, many, fleet or outage; all without one")
    parser.add_argument("--folder", type=Path, default=_FOLDER, help="where the pictures are written")
    arguments = parser.parse_args()
    shutil.rmtree(arguments.folder, ignore_errors=True)
    arguments.folder.mkdir(parents=True)
    drawn: dict[str, list[str]] = {}
    with tempfile.TemporaryDirectory(prefix="challan-gallery-") as data, chromium() as browser:
        office = Office(Path(data), REPLICA_SEED="demo", DASHBOARD_SETTLEMENT_CHECKS="0")
        office.furnish()
        with office.replica(), _dashboard(office) as services:
            if not arguments.states:
                drawn |= _draw_signed_out(browser, office, arguments.folder)
            context = browser.new_context(reduced_motion="reduce")
            sign_in(page := context.new_page(), office.url, ARUN)
            for state, pages in scenes(office.levers, Clerk(office.url, ARUN.email), services):
                if not arguments.states or state in arguments.states:
                    drawn |= _draw(page, office, state, pages, arguments.folder)
    _write_index(arguments.folder, drawn)
    print(f"{sum(map(len, drawn.values()))} pictures: {arguments.folder / 'index.html'}")


@contextmanager
def _dashboard(office: Office) -> Iterator[Services]:
    """Serve the dashboard with its watcher, which polls links but runs no jobs of the fleet: the scenes do."""
    store = Store(office.settings.database_url)
    app = create_app(office.settings, store=store, passwords=cheap_passwords())
    services: Services = app.extensions["services"]
    running = watcher.start(services)
    try:
        with serving(app, int(office.url.rpartition(":")[2])):
            yield services
    finally:
        running.stop()
        store.close()


def _draw_signed_out(browser: Browser, office: Office, folder: Path) -> dict[str, list[str]]:
    """Draw the sign-in page, in the language that the browser prefers."""
    files: list[str] = []
    for language in languages():
        context: BrowserContext = browser.new_context(reduced_motion="reduce", locale=f"{language}-IN")
        page = context.new_page()
        page.goto(f"{office.url}/sign-in")
        files += _pictures(page, f"sign-in-{language}", folder)
        context.close()
    return {"sign-in": files}


def _draw(page: Page, office: Office, state: str, pages: Pages, folder: Path) -> dict[str, list[str]]:
    drawn: dict[str, list[str]] = {f"{state}: {name}": [] for name in pages}
    for language in languages():
        _speak(page, office, language)
        for name, address in pages.items():
            page.goto(office.url + address)
            slug = re.sub(r"\W+", "-", f"{state} {name} {language}")
            drawn[f"{state}: {name}"] += _pictures(page, slug, folder)
    return drawn


def _speak(page: Page, office: Office, language: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(f"{office.url}/account")
    page.locator("person-menu summary").click()
    page.locator(f"person-menu button[name=language][value={language}]").click()
    page.locator(f"html[lang={language}]").wait_for()


def _pictures(page: Page, name: str, folder: Path) -> Iterator[str]:
    for (device, (width, height)), theme in product(_SIZES.items(), _THEMES):
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=theme)
        file = f"{name}-{device}-{theme}.png"
        page.screenshot(path=folder / file)
        yield file


def _write_index(folder: Path, drawn: dict[str, list[str]]) -> None:
    sections = "\n".join(
        f"<h2>{escape(name)}</h2>\n<div>"
        + "".join(f'<a href="{file}"><img src="{file}" alt="{file}" loading="lazy"></a>' for file in files)
        + "</div>"
        for name, files in drawn.items()
    )
    (folder / "index.html").write_text(_INDEX.format(sections=sections), encoding="utf-8")


if __name__ == "__main__":
    main()
