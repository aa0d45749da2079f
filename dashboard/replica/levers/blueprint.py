"""Provide the levers' blueprint: check who may pull one, parse the order, and report a mistake in it."""

from __future__ import annotations

import hmac
import json
from typing import Any

from flask import Blueprint, Response, request

from dashboard.replica.runtime import current
from dashboard.replica.settling import settle

levers = Blueprint("levers", __name__, url_prefix="/levers")


class Misordered(ValueError):
    """Raised for an invalid order. Levers explain their refusals, unlike the service."""

    def __init__(self, why: str, status: int = 400) -> None:
        super().__init__(why)
        self.status = status


def answer(payload: object, status: int = 200) -> Response:
    return Response(json.dumps(payload), status, mimetype="application/json")


def ordered() -> dict[str, Any]:
    """Return the order's JSON object; an empty body is an empty order."""
    body = request.get_data()
    if not body:
        return {}
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        raise Misordered("the order is not JSON") from None
    if not isinstance(value, dict):
        raise Misordered("the order is not an object")
    return value


def take_only(order: dict[str, Any], *names: str) -> None:
    """Refuse unknown fields, so that a misspelt lever does not seem to work."""
    unknown = sorted(set(order) - set(names))
    if unknown:
        raise Misordered(f"unknown: {', '.join(unknown)}; known: {', '.join(names)}")


def seconds_of(order: dict[str, Any], name: str) -> float:
    value = order.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Misordered(f"{name} is a number of seconds")
    return float(value)


def flag_of(order: dict[str, Any], name: str, default: bool = False) -> bool:
    value = order.get(name, default)
    if not isinstance(value, bool):
        raise Misordered(f"{name} is true or false")
    return value


@levers.before_request
def _guard() -> Response | None:
    replica = current()
    token = replica.settings.lever_token
    if token and not hmac.compare_digest(request.headers.get("X-Lever-Token", "").encode(), token.encode()):
        return answer({"wrong": "X-Lever-Token is missing or wrong"}, 403)
    settle(replica)
    return None


@levers.errorhandler(ValueError)
def _explain(error: ValueError) -> Response:
    return answer({"wrong": str(error)}, getattr(error, "status", 400))
