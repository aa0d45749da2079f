"""Draw every page in its states as pictures, for people to look at (`make gallery`): var/gallery/index.html.

    python -m tests.gallery [--folder FOLDER] [STATE] …

The real application draws the pages over the real replica: on a laptop and a phone, light and dark, in each language.
"""

from __future__ import annotations

import argparse
import re
import shutil
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing, contextmanager
from html import escape
from itertools import product
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, Page, ViewportSize

from dashboard.replica.server import running
from dashboard.replica.settings import DEMO_SECRET, ReplicaSettings
from dashboard.store.engine import Store
from dashboard.store.migrate import migrate
from tests.bench.screen import chromium
from tests.gallery.drawn import Drawn, application, draw
from tests.gallery.scenes import NAMES
from tests.gallery.workplace import Offices
from tests.support.levers import Levers
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
    listed = f"{', '.join(NAMES[:-1])} or {NAMES[-1]}; all without one"
    parser.add_argument("states", nargs="*", metavar="STATE", choices=[*NAMES, []], help=listed)
    parser.add_argument("--folder", type=Path, default=_FOLDER, help="where the pictures are written")
    arguments = parser.parse_args()
    shutil.rmtree(arguments.folder, ignore_errors=True)
    arguments.folder.mkdir(parents=True)
    with tempfile.TemporaryDirectory(prefix="challan-gallery-") as data, _offices(Path(data)) as offices:
        drawn = draw(offices, arguments.states or NAMES)
    pictures = _pictures(drawn, arguments.folder)
    _write_index(arguments.folder, pictures)
    print(f"{sum(map(len, pictures.values()))} pictures: {arguments.folder / 'index.html'}")


@contextmanager
def _offices(folder: Path) -> Iterator[Offices]:
    database = folder / "dashboard.db"
    with closing(Store(f"sqlite:///{database}")) as store:
        migrate(store)
    replica = ReplicaSettings(database=folder / "replica.sqlite3", api_secret=DEMO_SECRET, levers=True)
    with running(replica) as server:
        yield Offices(Levers(server.url), DEMO_SECRET, database)


def _pictures(drawn: Drawn, folder: Path) -> dict[str, list[str]]:
    """Take pictures of pages, and return their files by the name of the page."""
    pictures: dict[str, list[str]] = defaultdict(list)
    with chromium() as browser:
        devices = {device: _device(browser, device) for device in _SIZES}
        for language, pages in drawn.items():
            with serving(application(pages)) as address:
                for name, (device, page) in product(pages, devices.items()):
                    page.goto(f"{address}/drawn/{name}")
                    slug = re.sub(r"\W+", "-", f"{name} {language}")
                    pictures[name] += _pictures_of(page, f"{slug}-{device}", folder)
    return pictures


def _device(browser: Browser, device: str) -> Page:
    """Open a page as on a device: a phone is touched, and buttons are larger for that."""
    width, height = _SIZES[device]
    size, touched = ViewportSize(width=width, height=height), device == "phone"
    context = browser.new_context(reduced_motion="reduce", viewport=size, is_mobile=touched, has_touch=touched)
    return context.new_page()


def _pictures_of(page: Page, name: str, folder: Path) -> Iterator[str]:
    for theme in _THEMES:
        page.emulate_media(color_scheme=theme)
        file = f"{name}-{theme}.png"
        page.screenshot(path=folder / file)
        yield file


def _write_index(folder: Path, pictures: dict[str, list[str]]) -> None:
    sections = "\n".join(
        f"<h2>{escape(name)}</h2>\n<div>"
        + "".join(f'<a href="{file}"><img src="{file}" alt="{file}" loading="lazy"></a>' for file in files)
        + "</div>"
        for name, files in pictures.items()
    )
    (folder / "index.html").write_text(_INDEX.format(sections=sections), encoding="utf-8")


if __name__ == "__main__":
    main()
