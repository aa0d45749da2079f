"""Test searches, lookups and polls: what is retried, how often, how long, and what each status means."""

from __future__ import annotations

import gzip
import ssl
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from dashboard.errors import (
    AllowanceSpent,
    Conflict,
    NotFound,
    RequestRefused,
    SecretRejected,
    ServiceError,
    ServiceFailed,
    ServiceNotEnabled,
    Unreachable,
    UnreadableAnswer,
)
from tests.upstream.conftest import WatchedClient
from tests.upstream.rude_server import (
    RudeServer,
    Script,
    answer,
    answer_once_then_close,
    close_after_reading,
    close_at_once,
    dripping,
    envelope,
    raw,
    reset_after_reading,
    respond,
    silent,
    status,
)

LINK = "2b1d3c52-9d8c-4f3e-8a49-0c6f5a3f7e11"
POLLED = {"id": LINK, "status": "PAID", "amount": {}, "paymentModeOptions": [], "challans": []}
FOUND = {"rcNumber": "MH12AB1001", "carId": LINK, "newChallansCount": 0, "challans": []}

Connect = Callable[..., WatchedClient]
Rude = Callable[..., RudeServer]
Call = Callable[[WatchedClient], object]

CALLS: dict[str, tuple[Call, Any]] = {
    "locations": (lambda client: client.list_locations(), []),
    "rc types": (lambda client: client.list_rc_types(), []),
    "search": (lambda client: client.search_challans("MH12AB1001"), FOUND),
    "status": (lambda client: client.get_payment_link(LINK), POLLED),
}
every_read = pytest.mark.parametrize(("call", "data"), CALLS.values(), ids=CALLS)
RETRIED = {name: call for name, call in CALLS.items() if name != "status"}
every_retried_read = pytest.mark.parametrize(("call", "data"), RETRIED.values(), ids=RETRIED)


def answer_twice(peer: Any) -> None:
    """Answer the first request twice, and every other one once."""
    peer.read_request()
    peer.send(respond(b"{}") * 2)
    answer(POLLED)(peer)


def search(client: WatchedClient, **more: Any) -> object:
    return client.search_challans("MH12AB1001", **more)


def test_each_read_requests_its_own_address(rude: Rude, connect: Connect) -> None:
    asked = []
    for call, data in CALLS.values():
        server = rude(answer(data))
        call(connect(server, prefix="/api/v9/"))
        server.close()
        asked.append(server.requests[0].split(b" HTTP/1.1")[0].decode())
    assert asked == [
        "GET /api/v9/locations",
        "GET /api/v9/metadata/rc-types",
        "POST /api/v9/challans/search",
        f"GET /api/v9/payment-links/{LINK}",
    ]


@pytest.mark.parametrize(
    ("more", "body"),
    [
        ({}, b'{"rcNumber":"MH12AB1001"}'),
        ({"bypass_cache": True}, b'{"rcNumber":"MH12AB1001","bypassCache":true}'),
        (
            {"rc_type": "TRUCK", "city_id": LINK},
            b'{"rcNumber":"MH12AB1001","rcType":"TRUCK","cityId":"%s"}' % LINK.encode(),
        ),
    ],
)
def test_a_search_sends_only_the_given_fields(rude: Rude, connect: Connect, more: dict[str, Any], body: bytes) -> None:
    server = rude(answer(FOUND))
    search(connect(server), **more)
    server.close()
    assert server.requests[0].partition(b"\r\n\r\n")[2] == body


@every_read
@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (400, RequestRefused),
        (401, SecretRejected),
        (403, ServiceNotEnabled),
        (404, NotFound),
        (409, Conflict),
        (413, RequestRefused),
        (415, RequestRefused),
        (422, RequestRefused),
        (429, AllowanceSpent),
        (201, ServiceFailed),
        (204, ServiceFailed),
        (418, ServiceFailed),
        (999, ServiceFailed),
        (302, UnreadableAnswer),
        (304, UnreadableAnswer),
    ],
)
def test_a_definite_status_is_never_retried(
    rude: Rude, connect: Connect, call: Call, data: Any, code: int, expected: type[ServiceError]
) -> None:
    server = rude(status(code, "Retry-After: 7"))
    client = connect(server)
    with pytest.raises(ServiceError) as caught:
        call(client)
    server.close()
    assert type(caught.value) is expected
    assert caught.value.status == code
    assert len(server.requests) == 1
    assert client.sleeps == []


@every_retried_read
@pytest.mark.parametrize("code", [502, 503, 504])
def test_a_read_that_fails_with_a_gateway_error_is_tried_three_times(
    rude: Rude, connect: Connect, call: Call, data: Any, code: int
) -> None:
    server = rude(status(code))
    client = connect(server)
    with pytest.raises(ServiceFailed) as caught:
        call(client)
    server.close()
    assert caught.value.status == code
    assert len(server.requests) == 3
    assert [record.attempt for record in client.records] == [1, 2, 3]
    server = rude(status(code), status(code), answer(data))
    call(connect(server))


def test_a_search_that_failed_with_500_is_not_repeated_but_a_lookup_is(rude: Rude, connect: Connect) -> None:
    for call, tries in ((search, 1), (lambda client: client.list_locations(), 3)):
        server = rude(status(500))
        with pytest.raises(ServiceFailed):
            call(connect(server))
        server.close()
        assert len(server.requests) == tries


def test_a_poll_is_never_retried(rude: Rude, connect: Connect, closed_port: str) -> None:
    server = rude(status(502))
    with pytest.raises(ServiceFailed):
        connect(server).get_payment_link(LINK)
    server.close()
    assert len(server.requests) == 1
    client = connect(closed_port)
    with pytest.raises(Unreachable):
        client.get_payment_link(LINK)
    assert len(client.records) == 1


@every_retried_read
def test_a_refused_connection_is_tried_three_times(connect: Connect, closed_port: str, call: Call, data: Any) -> None:
    client = connect(closed_port)
    with pytest.raises(Unreachable) as caught:
        call(client)
    assert caught.value.sent is False
    assert len(client.records) == 3


@pytest.mark.parametrize(
    "script", [close_after_reading, reset_after_reading, raw(b"HTTP/1.1 200 OK\r\nA"), raw(respond(b"{}")[:-1])]
)
def test_a_search_that_was_cut_is_repeated_once_and_a_lookup_twice(
    rude: Rude, connect: Connect, script: Script
) -> None:
    for call, tries in ((search, 2), (lambda client: client.list_locations(), 3)):
        server = rude(script)
        with pytest.raises(ServiceError) as caught:
            call(connect(server))
        server.close()
        assert len(server.requests) == tries
        assert caught.value.sent is True


def test_a_search_succeeds_after_a_cut_and_a_502(rude: Rude, connect: Connect) -> None:
    retries: list[tuple[int, int]] = []
    client = connect(rude(close_after_reading, status(502), answer(FOUND)))
    search(client, on_retry=lambda attempt, total, error: retries.append((attempt, total)))
    assert retries == [(2, 3), (3, 3)]
    assert [record.outcome for record in client.records] == ["Unreachable", "ServiceFailed", "ok"]


def test_an_error_is_sent_if_any_try_was_sent(rude: Rude, connect: Connect) -> None:
    server = rude(close_after_reading)
    client = connect(server, tries=2, client={"sleep": lambda seconds: server.close()})
    with pytest.raises(Unreachable) as caught:
        search(client)
    assert [record.sent for record in client.records] == [True, False]
    assert caught.value.sent is True


def test_the_backoff_grows_with_full_jitter_up_to_the_cap(rude: Rude, connect: Connect) -> None:
    for share, expected in (
        (1.0, [0.5, 1.0, 2.0, 4.0, 8.0, 8.0]),
        (0.5, [0.25, 0.5, 1.0, 2.0, 4.0, 4.0]),
        (0.0, [0.0] * 6),
    ):
        client = connect(
            rude(status(502)), tries=7, search_deadline=600.0, client={"random": lambda share=share: share}
        )
        with pytest.raises(ServiceFailed):
            search(client)
        assert client.sleeps == expected


@pytest.mark.parametrize(
    ("header", "pause"),
    [("2", 2.0), ("3600", 8.0), ("0", 0.0), ("-5", 0.0), ("soon", 0.0), ("Sat, 21 Nov 2026 04:00:03 GMT", 3.0)],
)
def test_a_503_with_retry_after_is_honoured_up_to_the_cap(
    rude: Rude, connect: Connect, header: str, pause: float
) -> None:
    script = status(503, f"Retry-After: {header}", "Date: Sat, 21 Nov 2026 04:00:00 GMT")
    client = connect(rude(script), tries=2, client={"random": lambda: 0.0})
    with pytest.raises(ServiceFailed):
        search(client)
    assert client.sleeps == [pause]


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("7", 7.0),
        ("999999999999999999999", 86_400.0),
        ("Sun, 22 Nov 2026 03:00:00 GMT", 82_800.0),
        ("x", None),
        ("٣", None),
        ("Fri, 20 Nov 2026 04:00:00 GMT", 0.0),
        ("Sat, 99 Nov 2026 04:00:00 GMT", None),
        ("Sun, 22 Nov 9999 03:00:00 GMT", None),
    ],
)
def test_a_429_carries_its_retry_after_of_at_most_a_day(
    rude: Rude, connect: Connect, header: str, seconds: float | None
) -> None:
    head = f"HTTP/1.1 429 Too Many\r\nRetry-After: {header}\r\nDate: Sat, 21 Nov 2026 04:00:00 GMT\r\n\r\n"
    with pytest.raises(AllowanceSpent) as caught:
        connect(rude(raw(head.encode()))).list_rc_types()
    assert caught.value.retry_after == seconds


def test_no_backoff_exceeds_the_callers_deadline(rude: Rude, connect: Connect) -> None:
    server = rude(status(503, "Retry-After: 6"))
    client = connect(server, search_deadline=5.0)
    with pytest.raises(ServiceFailed):
        search(client)
    server.close()
    assert client.sleeps == []
    assert len(server.requests) == 1


def test_the_deadline_covers_all_tries_together(rude: Rude, connect: Connect) -> None:
    server = rude(status(502))
    now = [0.0]

    def sleep(seconds: float) -> None:
        now[0] += 7.0

    client = connect(server, tries=9, search_deadline=20.0, client={"monotonic": lambda: now[0], "sleep": sleep})
    with pytest.raises(ServiceFailed):
        search(client)
    server.close()
    assert len(server.requests) == 3  # At 0, 7 and 14 s; at 21 s it was over.


@pytest.mark.parametrize(
    ("script", "expected"),
    [(silent, Unreachable), (dripping(respond(envelope(FOUND))), UnreadableAnswer)],
    ids=["silence", "drip"],
)
def test_the_deadline_ends_a_search(rude: Rude, connect: Connect, script: Script, expected: type[ServiceError]) -> None:
    server = rude(script)
    started = time.monotonic()
    with pytest.raises(expected):
        search(connect(server, search_deadline=2.0))
    assert time.monotonic() - started < 8
    server.close()
    assert len(server.requests) == 1


@pytest.mark.parametrize("secure", [False, True], ids=["plain", "tls"])
def test_the_deadline_holds_on_a_connection_that_was_used_before(
    rude: Rude, connect: Connect, tls: ssl.SSLContext, certificate: Path, secure: bool
) -> None:
    def answer_then_drip(peer: Any) -> None:
        peer.read_request()
        peer.send(respond(envelope(POLLED)))
        dripping(respond(envelope(POLLED)))(peer)

    server = rude(answer_then_drip, tls=tls if secure else None)
    client = connect(server, lookup_deadline=2.0, ca_file=str(certificate))
    client.get_payment_link(LINK)
    started = time.monotonic()
    with pytest.raises(UnreadableAnswer):
        client.list_locations()
    assert time.monotonic() - started < 8
    assert len(server.peers) == 1


def test_a_search_from_the_source_has_a_deadline_of_its_own(rude: Rude, connect: Connect) -> None:
    client = connect(rude(silent), search_deadline=60.0, refresh_deadline=1.0)
    with pytest.raises(Unreachable, match=r"within 1 s"):
        search(client, bypass_cache=True)


def test_a_decompression_bomb_is_refused_before_it_fills_the_memory(rude: Rude, connect: Connect) -> None:
    bomb = gzip.compress(b" " * 200_000_000, 9)
    for packed, encoding in ((bomb, "gzip"), (gzip.compress(bomb), "gzip, gzip")):
        client = connect(rude(raw(respond(packed, "200 OK", f"Content-Encoding: {encoding}"))))
        with pytest.raises(UnreadableAnswer, match="larger than 2000000 bytes"):
            client.get_payment_link(LINK)


def test_a_search_may_be_larger_than_a_link(rude: Rude, connect: Connect) -> None:
    body = envelope(FOUND)
    large = raw(respond(body + b" " * 3_000_000))
    search(connect(rude(large)))
    with pytest.raises(UnreadableAnswer, match="larger"):
        connect(rude(large)).get_payment_link(LINK)
    with pytest.raises(UnreadableAnswer, match="larger"):
        search(connect(rude(large), search_answer_limit=100_000))


def test_a_connection_is_used_again_after_an_answer(rude: Rude, connect: Connect) -> None:
    server = rude(answer(POLLED))
    client = connect(server)
    for _ in range(3):
        client.get_payment_link(LINK)
    assert len(server.peers) == 1


def test_a_pooled_connection_that_the_service_closed_is_replaced(rude: Rude, connect: Connect) -> None:
    server = rude(answer_once_then_close(POLLED), answer_once_then_close(POLLED))
    client = connect(server)
    client.get_payment_link(LINK)
    assert server.peers[0].done.wait(10)  # Its end is closed now; the pool does not know yet.
    client.get_payment_link(LINK)
    assert len(server.peers) == 2
    assert len(client.records) == 2


def test_a_pooled_connection_that_breaks_in_use_counts_as_a_cut(rude: Rude, connect: Connect) -> None:
    def answer_then_break(peer: Any) -> None:
        peer.read_request()
        peer.send(respond(envelope([])))
        peer.read_request()
        peer.reset()

    client = connect(rude(answer_then_break, answer([])))
    client.list_locations()
    client.list_locations()
    assert [record.outcome for record in client.records] == ["ok", "Unreachable", "ok"]


@pytest.mark.parametrize(
    "script",
    [
        status(404),
        raw(b"HTTP/1.1 103 Early Hints\r\n\r\n" + respond(envelope(FOUND)), keep=True),
        raw(respond(b"x" * 3_000_000), keep=True),
        answer_twice,
    ],
    ids=["refusal", "early hints", "too large", "two answers"],
)
def test_the_rest_of_an_answer_is_never_read_as_the_next_answer(rude: Rude, connect: Connect, script: Script) -> None:
    server = rude(script, answer(POLLED))
    client = connect(server)
    with pytest.raises(ServiceError):
        client.get_payment_link(LINK)
    assert client.get_payment_link(LINK).status == "PAID"


def test_a_poll_answered_with_another_link_is_unreadable(rude: Rude, connect: Connect) -> None:
    other = {**POLLED, "id": LINK.replace("2", "3")}
    with pytest.raises(UnreadableAnswer, match="another payment link"):
        connect(rude(answer(other))).get_payment_link(LINK)


@pytest.mark.parametrize("link_id", ["", "..", "../locations", "a?b", LINK + "\n", LINK + "/x"])
def test_a_text_that_is_no_uuid_never_becomes_part_of_an_address(rude: Rude, connect: Connect, link_id: str) -> None:
    server = rude(answer(POLLED))
    with pytest.raises(ValueError, match="UUID"):
        connect(server).get_payment_link(link_id)
    assert server.peers == []


def test_a_links_id_is_sent_in_lower_case(rude: Rude, connect: Connect) -> None:
    server = rude(answer(POLLED))
    connect(server).get_payment_link(LINK.upper())
    server.close()
    assert f"/payment-links/{LINK} ".encode() in server.requests[0]


def test_sixty_four_threads_share_a_client(rude: Rude, connect: Connect) -> None:
    challan = {"id": LINK, "challanNo": "C", "status": "PENDING", "prepaid": False, "totalAmount": 10.10}
    server = rude(answer({**FOUND, "challans": [challan]}))
    client = connect(server)
    with ThreadPoolExecutor(64) as pool:
        results = list(pool.map(lambda _: client.search_challans("MH12AB1001"), range(256)))
    assert {result.challans[0].total_amount for result in results} == {Decimal("10.1")}
    assert len(client.records) == 256
    assert len(server.peers) <= 256


def test_a_connection_that_is_closed_before_reading_is_unreachable(rude: Rude, connect: Connect) -> None:
    with pytest.raises(Unreachable):
        connect(rude(close_at_once)).list_locations()
