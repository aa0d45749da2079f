"""Draw the HTML of every page of every scene once for a run of tests, and serve it for a browser."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Mapping
from fcntl import LOCK_EX, flock
from pathlib import Path

from flask import Flask, Response, abort

from dashboard.translations import languages
from dashboard.web.shared.assets import Assets
from dashboard.web.shared.security import CONTENT_SECURITY_POLICY
from tests.gallery.scenes import NAMES, scenes
from tests.gallery.workplace import Offices

STATIC = Path(__file__).resolve().parents[2] / "static"

#: The HTML of pages by language, and by state and name, as in "many: home".
Drawn = dict[str, dict[str, str]]


def draw(offices: Offices, names: Collection[str] = NAMES) -> Drawn:
    """Draw every page of these states in each language."""
    found: Drawn = defaultdict(dict)
    for state, office, pages in scenes(offices, names):
        for language in languages():
            office.speaks(language)
            found[language] |= {f"{state}: {name}": office.html(shown) for name, shown in pages.items()}
    return found


def drawn_once(file: Path, offices: Offices) -> Drawn:
    """Return the pages of a file that all processes of a run share; the first of them draws them."""
    with file.with_suffix(".lock").open("w") as lock:
        flock(lock, LOCK_EX)
        if not file.exists():
            file.write_text(json.dumps(draw(offices)), encoding="utf-8")
    found: Drawn = json.loads(file.read_text(encoding="utf-8"))
    return found


def application(pages: Mapping[str, str]) -> Flask:
    """Return an application that serves pages by their names, under the content security policy of the product.

    Whatever a page asks for by itself has nothing new.
    """
    app = Flask(__name__, static_folder=None)
    assets = Assets(STATIC)

    @app.get("/static/<path:path>")
    def static(path: str) -> Response:
        found = assets.find(path) or abort(404)
        return Response(found.content, content_type=found.type, headers={"Cache-Control": "max-age=3600"})

    @app.get("/drawn/<name>")
    def page(name: str) -> str:
        return pages.get(name) or abort(404)

    @app.errorhandler(404)
    def nothing_new(_error: object) -> Response:
        return Response(status=204)

    @app.after_request
    def add_policy(response: Response) -> Response:
        response.headers["Content-Security-Policy"] = CONTENT_SECURITY_POLICY
        return response

    return app
