"""Test that answers are compressed, but not where a token stands beside text that others may choose."""

from __future__ import annotations

import gzip

import pytest

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


def test_a_whole_page_that_repeats_nothing_of_its_request_is_compressed(staff: WebClient) -> None:
    plain, packed = staff.get("/"), staff.get("/", headers=PACKED)
    assert packed.headers["Content-Encoding"] == "gzip"
    assert len(packed.data) < len(plain.data) / 2
    assert b"csrf-token" in gzip.decompress(packed.data)


@pytest.mark.parametrize("address", ["/?q=guess", "/links?q=guess", "/vehicles/MH12AB1001", "/guess"])
def test_a_whole_page_that_may_repeat_its_request_beside_its_token_is_not_compressed(
    staff: WebClient, address: str
) -> None:
    answer = staff.get(address, headers=PACKED)
    assert b"csrf-token" in answer.data
    assert "Content-Encoding" not in answer.headers


def test_an_answer_to_a_form_is_not_compressed(staff: WebClient) -> None:
    answer = staff.post("/search", data={"csrf_token": staff.csrf_token(), "rc_number": "guess!"}, headers=PACKED)
    assert answer.status_code == 422
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
