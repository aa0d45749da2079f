"""Measure bare Flask answers on the dashboard's server and settings, for comparison."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from flask import Flask, redirect, request
from flask.typing import ResponseReturnValue

from dashboard.server import Server
from dashboard.settings import Settings
from tests.bench.office import Office, answers, running

_PAGE = '<!DOCTYPE html><title>Bare</title><main><form method="post"><button>Search</button></form></main>'


@contextmanager
def bare_server(office: Office) -> Iterator[int]:
    """Start a bare server at the office's address, which must be free; wait for its answer and yield its process id."""
    with running(["-m", "tests.bench.bare"], office.environ) as child:
        answers(f"{office.url}/readyz", child)
        yield child.pid


def _form() -> ResponseReturnValue:
    """Serve a page with a form that redirects to the same page, as a search does."""
    return redirect("/form?sent", 303) if request.method == "POST" else _PAGE


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
        return app


if __name__ == "__main__":
    BareServer(Settings.from_environ(os.environ)).run()
