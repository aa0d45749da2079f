"""Run gunicorn from within the program. It uses threads, because a call to the service may take long."""

from __future__ import annotations

import logging
from functools import partial
from typing import Any

from flask import Flask
from gunicorn.app.base import BaseApplication
from gunicorn.glogging import Logger

from dashboard.app import create_app
from dashboard.background import watcher
from dashboard.memory import freeze_objects
from dashboard.metrics import Metrics
from dashboard.settings import Settings

#: Longer than the deadline of a creation: a stop during a send still records its outcome.
_GRACEFUL_SECONDS = 60


class QuietLogger(Logger):  # type: ignore[misc]  # gunicorn has no types.
    """Send gunicorn's lines to our log. The application logs requests itself."""

    def setup(self, cfg: Any) -> None:
        self.error_log.propagate = True
        self.error_log.handlers.clear()
        self.access_log.disabled = True

    def access(self, *_args: Any) -> None:
        """Do nothing."""

    def reopen_files(self) -> None:
        """Do nothing: there are none."""


class Server(BaseApplication):  # type: ignore[misc]  # gunicorn has no types.
    def __init__(self, settings: Settings, *, workers: int = 1, watch: bool = True) -> None:
        self._settings = settings
        self._workers = workers
        self._watch = watch
        super().__init__()

    def load_config(self) -> None:
        options = {
            "bind": str(self._settings.listen),
            "worker_class": "dashboard.server_worker.Worker",
            "workers": self._workers,
            "threads": self._settings.threads,
            "graceful_timeout": _GRACEFUL_SECONDS,
            "keepalive": 20,  # Longer than a panel's polling interval, or each poll would open a connection of its own.
            "forwarded_allow_ips": "",  # `DASHBOARD_PROXY_COUNT` alone decides which headers of proxies are used.
            "control_socket_disable": True,  # All instances on a machine would share one path.
            "logger_class": QuietLogger,
            "umask": 0o077,
            "limit_request_line": 8190,
            "post_worker_init": partial(_start_watching, watch=self._watch),
            "worker_exit": _stop_watching,
        }
        for name, value in options.items():
            self.cfg.set(name, value)

    def load(self) -> Flask:
        """Create the application in the worker, after the fork: connections, threads and metrics file are its own."""
        kind = "serve" if self._watch else "web"
        app = create_app(self._settings, metrics=Metrics.of_process(self._settings.data_dir / "metrics", kind))
        freeze_objects()
        return app


def _start_watching(worker: Any, *, watch: bool) -> None:
    worker.wsgi.extensions["metrics"].start()
    folder = worker.wsgi.extensions["settings"].data_dir
    worker.watcher = watcher.start(worker.wsgi.extensions["services"], watch=watch, jobs_in=folder)


def _stop_watching(_server: Any, worker: Any) -> None:
    if running := getattr(worker, "watcher", None):
        running.stop()
        worker.wsgi.extensions["metrics"].stop()
    logging.shutdown()
