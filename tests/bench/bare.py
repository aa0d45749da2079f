"""Measure bare Flask answers on the dashboard's server and settings, for comparison."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from flask import Flask, Response, redirect, request, send_from_directory
from flask.typing import ResponseReturnValue

from dashboard.server import Server
from dashboard.settings import Settings
from dashboard.web.shared.assets import Assets
from tests.bench.office import Office, answers, running

_PAGE = '<!DOCTYPE html><title>Bare</title><main><form method="post"><button>Search</button></form></main>'
_STATIC = Path(__file__).parents[2] / "static"
_HTMX_PAGE = """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Bare</title>{style}
<meta name="htmx-config" content='{{"includeIndicatorStyles":false,"historyCacheSize":0,"defaultSettleDelay":0}}'>
<script defer src="/files/vendor/htmx-2.0.11.min.js"></script></head>
<body><main id="main">
<form hx-post="" hx-target="#main" hx-swap="outerHTML"><button>Search</button></form>
</main></body></html>"""


def answer_file(office: Office, name: str) -> Path:
    """Return the file that holds a compressed answer."""
    return office.folder / f"answer-{name}.gz"


@contextmanager
def bare_server(office: Office) -> Iterator[int]:
    """Start a bare server at the office's address, which must be free; wait for its answer and yield its process id."""
    with running(["-m", "tests.bench.bare"], office.environ) as child:
        answers(f"{office.url}/readyz", child)
        yield child.pid


def _form() -> ResponseReturnValue:
    """Serve a page with a form that redirects to the same page, as a search does."""
    return redirect("/form?sent", 303) if request.method == "POST" else _PAGE


def _htmx(name: str) -> ResponseReturnValue:
    """Serve a page with an htmx form that swaps in a stored answer."""
    if request.method == "POST":
        body = (Path(os.environ["DASHBOARD_DATA_DIR"]) / f"answer-{name}.gz").read_bytes()
        return Response(body, headers={"Content-Encoding": "gzip"})
    return _HTMX_PAGE.format(style='<link rel="stylesheet" href="/style.css">' if "styled" in request.args else "")


def _style() -> ResponseReturnValue:
    return Response(Assets(_STATIC)["app.css"].content, mimetype="text/css")


class BareServer(Server):
    """Run the dashboard's server with a bare application."""

    def load_config(self) -> None:
        super().load_config()
        for hook in ("post_worker_init", "worker_exit"):
            self.cfg.settings[hook].set(self.cfg.settings[hook].default)

    def load(self) -> Flask:
        app = Flask("bare")
        app.add_url_rule("/", "bare", view_func=lambda: ("", 204))
        app.add_url_rule("/readyz", "ready", view_func=lambda: "ready")
        app.add_url_rule("/form", "form", view_func=_form, methods=["GET", "POST"])
        app.add_url_rule("/htmx/<name>", "htmx", view_func=_htmx, methods=["GET", "POST"])
        app.add_url_rule("/style.css", "style", view_func=_style)
        app.add_url_rule("/files/<path:name>", "files", view_func=lambda name: send_from_directory(_STATIC, name))
        return app


if __name__ == "__main__":
    BareServer(Settings.from_environ(os.environ)).run()
