"""Serve the five endpoints over HTTP; each request is journalled, and an ordered fault may change or prevent it."""

from __future__ import annotations

from flask import Blueprint, Response, request

from dashboard.replica import faults, journal, switches
from dashboard.replica.auth import Organization
from dashboard.replica.calls import ERROR_BODY, Answer, Call, execute, identify, refusal
from dashboard.replica.faults import Fault
from dashboard.replica.refusals import Refused
from dashboard.replica.runtime import Replica, current
from dashboard.replica.settling import defer, settle

PREFIX = "/api/v1/staging"
api = Blueprint("api", __name__, url_prefix=PREFIX)


@api.get("/locations", provide_automatic_options=False)
def locations() -> Response:
    return _handle("locations")


@api.get("/metadata/rc-types", provide_automatic_options=False)
def rc_types() -> Response:
    return _handle("rc_types")


@api.post("/challans/search", provide_automatic_options=False)
def search() -> Response:
    return _handle("search")


@api.post("/payment-links", provide_automatic_options=False)
def create_link() -> Response:
    return _handle("create_link")


@api.get("/payment-links/<link_id>", provide_automatic_options=False)
def link_status(link_id: str) -> Response:
    return _handle("link_status", link_id)


def _handle(operation: str, link_id: str | None = None) -> Response:
    replica = current()
    call = Call(
        operation=operation,
        body=request.get_data(),
        content_type=request.content_type,
        link_id=link_id,
        page_base=replica.page_base(),
        authorization=request.headers.get("Authorization"),
        address=request.remote_addr or "",
    )
    settle(replica)
    with replica.state.writing() as connection:
        call_id = journal.received(connection, operation, request.method, request.path, call.body)
        fault = faults.take(connection, operation)
        latency = switches.read(connection).latency_seconds
    replica.stopping.wait(replica.settings.latency_seconds if latency is None else latency)

    told: Answer | None = None
    organization: Organization | None = None
    try:
        # A fault before the effect plays a proxy in front of the service, which checks no secret.
        if fault and fault.when == "before" and fault.kind not in {"delay", "late", "replay"}:
            told = None if fault.kind == "cut" else Answer(200, {"success": True, "data": {}}, reason="ordered fault")
        else:
            try:
                if fault and fault.kind == "delay" and fault.when == "before":
                    replica.stopping.wait(fault.seconds or 0)
                organization = identify(replica.state, replica.settings, call)
                told = _carry_out(replica, call, organization, fault)
            except Refused as refused:
                told = refusal(refused)
        return _response(replica, told, fault)
    finally:
        status = None if told is None or (fault and fault.kind in {"cut", "truncate"}) else told.status
        if fault and fault.status and fault.kind in {"status", "raw"}:
            status = fault.status
        with replica.state.writing() as connection:
            journal.answered(
                connection,
                call_id,
                status=status,
                organization=organization.id if organization else None,
                reason=told.reason if told else None,
                fault=f"{fault.kind} {fault.when}" if fault else None,
            )


def _carry_out(replica: Replica, call: Call, organization: Organization, fault: Fault | None) -> Answer | None:
    if fault and fault.kind == "late":
        # The request is received whole, never answered, and executed later: the caller sees a cut.
        defer(replica, call, organization, fault.seconds)
        return None
    answer = execute(replica.state, replica.settings, call, organization)
    if fault and fault.kind == "replay":
        if fault.seconds:
            defer(replica, call, organization, fault.seconds)
        else:
            again = execute(replica.state, replica.settings, call, organization)
            answer = again if fault.answer == "second" else answer
    if fault and fault.kind == "delay" and fault.when == "after":
        replica.stopping.wait(fault.seconds or 0)
    return None if fault and fault.kind == "cut" else answer


def _response(replica: Replica, told: Answer | None, fault: Fault | None) -> Response:
    if told is None:
        return faults.cut_short(request.environ)
    response = Response(told.text(), told.status, told.headers, mimetype="application/json")
    if fault is None:
        return response
    if fault.kind in {"status", "raw"}:
        response = _ordered(fault)
    elif fault.kind == "corrupt" and (told.status == 200 or fault.corruption in {"html", "empty"}):
        text, content_type = faults.corrupted(fault, told.text())
        response = Response(text, fault.status or told.status, content_type=content_type)
    elif fault.kind == "truncate":
        return faults.truncated(response, request.environ)
    elif fault.kind == "drip":
        return faults.dripping(response, fault.seconds or 0, replica.stopping)
    return response


def _ordered(fault: Fault) -> Response:
    if fault.body is not None:
        response = Response(fault.body, fault.status or 200, content_type=fault.content_type or "application/json")
    else:
        response = Response(Answer(0, ERROR_BODY).text(), fault.status or 500, mimetype="application/json")
    response.headers.update(fault.headers)
    return response
