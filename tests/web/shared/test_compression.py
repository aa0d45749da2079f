"""Test that answers to htmx are compressed, and that what holds a token is not."""

from __future__ import annotations

import gzip

from tests.support.web_client import HTMX, IN_PLACE, WebClient

PACKED = {"Accept-Encoding": "gzip"}


def test_a_page_in_place_is_compressed_and_holds_no_token(staff: WebClient) -> None:
    plain = staff.get("/", headers=IN_PLACE)
    packed = staff.get("/", headers={**IN_PLACE, **PACKED})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert len(packed.data) < len(plain.data) / 2
    assert int(packed.headers["Content-Length"]) == len(packed.data)
    assert b'id="search-form"' in gzip.decompress(packed.data)
    assert b"csrf" not in plain.data


def test_a_whole_page_holds_a_token_and_is_not_compressed(staff: WebClient) -> None:
    answer = staff.get("/", headers=PACKED)
    assert b"csrf-token" in answer.data
    assert "Content-Encoding" not in answer.headers


def test_a_browser_that_cannot_unpack_gets_it_plain(staff: WebClient) -> None:
    answer = staff.get("/", headers={**IN_PLACE, "Accept-Encoding": "identity"})
    assert "Content-Encoding" not in answer.headers
    assert "Accept-Encoding" in answer.headers["Vary"]


def test_small_regions_are_left_as_they_are(staff: WebClient) -> None:
    answer = staff.get("/banner", headers={**HTMX, **PACKED})
    assert answer.status_code == 200
    assert "Content-Encoding" not in answer.headers
