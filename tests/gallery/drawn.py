"""Draw the HTML of every page of every scene once for a run of tests, and serve it for a browser."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping
from fcntl import LOCK_EX, flock
from pathlib import Path
from typing import TypeVar

import lxml.html
from flask import Flask, Response, abort

from dashboard.translations import languages
from dashboard.web.shared.assets import Assets
from dashboard.web.shared.security import CONTENT_SECURITY_POLICY
from tests.gallery.scenes import NAMES, scenes
from tests.gallery.workplace import Offices

STATIC = Path(__file__).resolve().parents[2] / "static"

#: A page that opens WhatsApp by itself would be left before anybody has looked at it.
_LEAVES = re.compile(r'<meta http-equiv="refresh"[^>]*>')
#: These attributes say which thing an element is about, and nothing about how it looks or what it does.
_ABOUT = {"class", "id", "href", "value", "title"}
#: The values of these change how an element looks or what it is.
_OF_LOOKS = ("role", "type", "aria-pressed", "aria-selected", "aria-disabled", "aria-sort")

#: The HTML of pages by language, and by state and name, as in "many: home".
Drawn = dict[str, dict[str, str]]

Made = TypeVar("Made")


def draw(offices: Offices, names: Collection[str] = NAMES) -> Drawn:
    """Draw every page of these states in each language."""
    found: Drawn = defaultdict(dict)
    for state, office, pages in scenes(offices, names):
        for language in languages():
            office.speaks(language)
            found[language] |= {f"{state}: {name}": office.html(shown) for name, shown in pages.items()}
    return found


def of_new_shapes(pages: Mapping[str, str]) -> list[str]:
    """Return the names of so few pages that every shape of an element is on one of them.

    A shape is an element's tag, classes and attributes below one of its parent's.
    """
    left = {name: _shapes(html) for name, html in pages.items()}
    found = []
    while left and left[richest := max(left, key=lambda name: len(left[name]))]:
        found.append(richest)
        seen = left.pop(richest)
        left = {name: shapes - seen for name, shapes in left.items()}
    return found


def _shapes(html: str) -> set[tuple[str, ...]]:
    return {
        (*sorted(set(element.keys()) - _ABOUT), *_looks(element), *_looks(element.getparent()))
        for element in lxml.html.document_fromstring(html).iter("*")
    }


def _looks(element: lxml.html.HtmlElement | None) -> tuple[str, ...]:
    if element is None:
        return ()
    return str(element.tag), " ".join(sorted(element.classes)), *(element.get(name, "") for name in _OF_LOOKS)


def once(file: Path, make: Callable[[], Made]) -> Made:
    """Return what a file holds that all processes of a run share; the first of them makes it."""
    with file.with_suffix(".lock").open("w") as lock:
        flock(lock, LOCK_EX)
        if not file.exists():
            file.write_text(json.dumps(make()), encoding="utf-8")
    found: Made = json.loads(file.read_text(encoding="utf-8"))
    return found


def application(pages: Mapping[str, str]) -> Flask:
    """Return an application that serves pages by their names, under the content security policy of the product.

    Whatever a page asks for by itself has nothing new, and none is left for WhatsApp.
    """
    app = Flask(__name__, static_folder=None)
    assets = Assets(STATIC)

    @app.get("/static/<path:path>")
    def static(path: str) -> Response:
        found = assets.find(path) or abort(404)
        return Response(found.content, content_type=found.type, headers={"Cache-Control": "max-age=3600"})

    @app.get("/drawn/<name>")
    def page(name: str) -> str:
        return _LEAVES.sub("", pages.get(name) or abort(404))

    @app.errorhandler(404)
    def nothing_new(_error: object) -> Response:
        return Response(status=204)

    @app.after_request
    def add_policy(response: Response) -> Response:
        response.headers["Content-Security-Policy"] = CONTENT_SECURITY_POLICY
        return response

    return app
