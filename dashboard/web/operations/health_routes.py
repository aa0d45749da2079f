"""Addresses for machines: liveness, readiness and metrics (docs/metrics.md)."""

from __future__ import annotations

from flask import Response, current_app

from dashboard.web.operations.routes import bp
from dashboard.web.shared.current import current_services


@bp.get("/healthz")
def healthz() -> Response:
    return Response("ok\n", mimetype="text/plain")


@bp.get("/readyz")
def readyz() -> Response:
    if current_services().readiness.is_ready():
        return Response("ready\n", mimetype="text/plain")
    return Response("not ready\n", 503, mimetype="text/plain")


@bp.get("/metrics")
def metrics() -> Response:
    metrics = current_app.extensions["metrics"]
    return Response(metrics.text(current_services()), content_type=metrics.content_type)
