"""Test every route as every role: who may not reach it is refused, and no answer is an error or holds a secret.

The routes are those of the application itself, so that a new one is walked as well. `WebClient` looks for the canaries
in each answer.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask import Flask
from werkzeug.routing import Rule

from dashboard.domain.roles import Role
from dashboard.web.shared import access
from tests.rules.test_routes import addresses
from tests.support.levers import Levers
from tests.support.people import ARUN, ASHA, MEERA, Somebody, add
from tests.support.web_client import WebClient
from tests.web import steps

TOKEN = "canary-5b1f0c2e-metrics-token"
WHO = {Role.STAFF: ASHA, Role.MANAGER: MEERA, Role.ADMIN: ARUN}
RAVI = Somebody("ravi@example.com", "Ravi", Role.STAFF)
#: Values that exist, by the names of arguments in addresses; any other is made up.
KNOWN = {"driver_id": 1, "code": "A1", "language": "hi", "kind": "late"}


@pytest.fixture
def environ(environ: dict[str, str]) -> dict[str, str]:
    return {**environ, "DASHBOARD_METRICS_TOKEN": TOKEN}


@pytest.fixture
def real(app: Flask, levers: Levers) -> dict[str, object]:
    """Have Asha work, and return what the addresses may name: a link, a request, a driver and a person."""
    clerk = app.test_client()
    assert isinstance(clerk, WebClient)
    ravi = add(app, RAVI)
    add(app, ASHA)
    clerk.is_signed_in(ASHA.email)
    steps.searches(clerk)
    link_id = steps.create(clerk, "MH1001").headers["Location"].rpartition("/")[2]
    levers.fault("create_link", "cut", when="after")
    request_id = steps.request_of(steps.create(clerk, "MH1002")).rpartition("/")[2]
    clerk.page("/drivers").submit("Add the driver", name="Ramesh", language="en")
    return {**KNOWN, "link_id": link_id, "request_id": request_id, "person_id": ravi.id}


def walked(app: Flask, real: dict[str, object]) -> Iterator[tuple[Rule, str, str]]:
    """Yield every route with each of its methods and an address, which names what exists where it can."""
    built = app.url_map.bind("localhost")
    for rule, method, made_up in addresses(app):
        if real.keys() & rule.arguments:
            values = {**built.match(made_up, method)[1], **{name: real[name] for name in real.keys() & rule.arguments}}
            yield rule, method, built.build(rule.endpoint, values, method)
        else:
            yield rule, method, made_up


@pytest.mark.parametrize("role", [None, *Role], ids=str)
def test_a_role_reaches_what_is_for_it_and_nothing_else(app: Flask, real: dict[str, object], role: Role | None) -> None:
    visitor, seen = app.test_client(), 0
    assert isinstance(visitor, WebClient)
    if role:
        add(app, WHO[role])
    for rule, method, address in walked(app, real):
        if role:  # Some routes end the session.
            visitor.is_signed_in(WHO[role].email)
        form = {"csrf_token": visitor.csrf_token()} if method != "GET" else None
        answer = visitor.open(address, method=method, data=form)
        told = f"{method} {address} answered {answer.status} to {role or 'a stranger'}"
        assert answer.status_code < 500, told
        if rule.endpoint in access.OPEN or (role and role.may(access.least_role(rule.endpoint))):
            assert answer.status_code not in (401, 403), told
        else:
            assert answer.status_code in ((403,) if role else (302, 303, 401)), told
        seen += 1
    assert seen > 100
