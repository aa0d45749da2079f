"""Serve the levers on the clock, faults, lasting switches, late requests, and the reset."""

from __future__ import annotations

from flask import Response

from dashboard.replica import clock, faults, seeding, settling, switches
from dashboard.replica.faults import Fault
from dashboard.replica.levers.blueprint import Misordered, answer, levers, ordered, seconds_of, take_only
from dashboard.replica.runtime import current
from dashboard.replica.settings import SEEDS


def _clock_told() -> Response:
    with current().state.reading() as connection:
        return answer({"now": clock.stamp(clock.now(connection)), "offset": clock.offset(connection)})


@levers.get("/clock")
def read_clock() -> Response:
    return _clock_told()


@levers.post("/clock")
def move_clock() -> Response:
    order = ordered()
    take_only(order, "offset", "advance", "at")
    if len(order) != 1:
        raise Misordered("give one of offset, advance and at")
    replica = current()
    with replica.state.writing() as connection:
        if "at" in order:
            seconds = (clock.parse(str(order["at"])) - clock.real_now()).total_seconds()
        elif "advance" in order:
            seconds = clock.offset(connection) + seconds_of(order, "advance")
        else:
            seconds = seconds_of(order, "offset")
        try:
            clock.set_offset(connection, seconds)
        except OverflowError:
            raise Misordered("the clock would leave the calendar") from None
    settling.settle(replica)
    return _clock_told()


@levers.get("/faults")
def read_faults() -> Response:
    with current().state.reading() as connection:
        return answer(faults.pending(connection))


@levers.post("/faults")
def order_fault() -> Response:
    order = ordered()
    operation, count = order.pop("operation", "*"), order.pop("count", 1)
    try:
        fault = Fault.ordered(order)
    except TypeError:
        raise Misordered("a fault needs a kind") from None
    with current().state.writing() as connection:
        faults.order(connection, operation, count, fault)
        return answer(faults.pending(connection))


@levers.delete("/faults")
def forget_faults() -> Response:
    with current().state.writing() as connection:
        connection.execute("DELETE FROM fault")
    return answer([])


@levers.get("/switches")
def read_switches() -> Response:
    with current().state.reading() as connection:
        return answer(switches.read(connection).__dict__)


@levers.patch("/switches")
def turn_switches() -> Response:
    order = ordered()
    with current().state.writing() as connection:
        return answer(switches.turn(connection, order).__dict__)


@levers.post("/late/commit")
def commit_late() -> Response:
    """Execute every deferred request now. Return the statuses, which no caller received."""
    replica = current()
    with replica.state.writing() as connection:
        return answer({"statuses": settling.commit_late(connection, replica, everything=True)})


@levers.delete("/late")
def drop_late() -> Response:
    with current().state.writing() as connection:
        connection.execute("DELETE FROM late_request")
    return answer({})


@levers.post("/reset")
def reset() -> Response:
    """Delete everything, with the clock and the journal, and seed again."""
    replica, order = current(), ordered()
    take_only(order, "seed")
    seed = order.get("seed", replica.settings.seed)
    if seed not in SEEDS:
        raise Misordered(f"seed is one of {', '.join(SEEDS)}")
    with replica.state.writing() as connection:
        seeding.reset(connection, replica, seed)
    return answer({"seed": seed})
