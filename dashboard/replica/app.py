"""Create the application of the local replica, and set the headers of every answer."""

from __future__ import annotations

from typing import Any

from flask import Flask, Response, request
from jinja2 import StrictUndefined
from werkzeug.exceptions import HTTPException

from dashboard.replica import clock, money
from dashboard.replica.api import PREFIX, api
from dashboard.replica.calls import ERROR_BODY, Answer
from dashboard.replica.console import console
from dashboard.replica.index import index
from dashboard.replica.levers import levers
from dashboard.replica.payment import payment
from dashboard.replica.runtime import Replica, current
from dashboard.replica.seeding import seed_once
from dashboard.replica.settings import ReplicaSettings
from dashboard.replica.state import State

LARGEST_BODY = 1024 * 1024
CONTENT_SECURITY_POLICY = (
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)


def create_replica(settings: ReplicaSettings) -> Flask:
    app = Flask(__name__, static_url_path="/replica-static")
    app.config["MAX_CONTENT_LENGTH"] = LARGEST_BODY
    app.jinja_env.undefined = StrictUndefined
    app.jinja_env.filters.update(rupees=money.rupees)
    replica = Replica(settings, State(settings.database))
    app.extensions["replica"] = replica
    seed_once(replica)
    app.register_blueprint(api)
    app.register_blueprint(payment)
    app.register_blueprint(index)
    app.register_blueprint(console)
    if settings.levers:
        app.register_blueprint(levers)
    app.after_request(_finish)
    app.register_error_handler(HTTPException, _refuse)
    return app


def _finish(response: Response) -> Response:
    # Gunicorn dates each answer itself, by the real time: right unless the clock was moved.
    if "gunicorn.socket" not in request.environ:
        response.headers["Date"] = clock.http_date(current().now())
    response.headers.setdefault("Cache-Control", "no-store")
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Referrer-Policy"] = "no-referrer"
    if response.mimetype == "text/html" and not request.path.startswith(PREFIX):
        response.headers["Content-Security-Policy"] = CONTENT_SECURITY_POLICY
    return response


def _refuse(error: HTTPException) -> Any:
    if request.path.startswith(("/api/", "/levers")):
        response = Response(Answer(0, ERROR_BODY).text(), error.code or 500, mimetype="application/json")
        for name, value in error.get_headers(request.environ):
            if name.lower() == "allow":
                response.headers[name] = value
        return response
    return error
