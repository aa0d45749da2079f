"""For machines: is the process alive, and can it do its work. They tell nothing else."""

from __future__ import annotations

from flask import Blueprint, Response, current_app

from dashboard.store.migrate import is_current

bp = Blueprint("health", __name__)


@bp.get("/healthz")
def healthz() -> Response:
    return Response("ok\n", mimetype="text/plain")


@bp.get("/readyz")
def readyz() -> Response:
    if is_current(current_app.extensions["store"]):
        return Response("ready\n", mimetype="text/plain")
    return Response("not ready\n", 503, mimetype="text/plain")
