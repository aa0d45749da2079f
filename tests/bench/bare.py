"""A bare Flask answer on the dashboard's own server and settings, to hold an unchanged panel against."""

from __future__ import annotations

import os

from flask import Flask

from dashboard.server import Server
from dashboard.settings import Settings


class BareServer(Server):
    """The same server in every respect but what it serves."""

    def load_config(self) -> None:
        super().load_config()
        for hook in ("post_worker_init", "worker_exit"):
            self.cfg.settings[hook].set(self.cfg.settings[hook].default)

    def load(self) -> Flask:
        app = Flask("bare")
        app.add_url_rule("/", "bare", view_func=lambda: ("", 204))
        app.add_url_rule("/readyz", "ready", view_func=lambda: "ready")
        return app


if __name__ == "__main__":
    BareServer(Settings.from_environ(os.environ)).run()
