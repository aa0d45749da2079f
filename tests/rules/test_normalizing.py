"""Test that no text is normalized before its length is checked, whatever address or field it comes in."""

from __future__ import annotations

import ast
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask_wtf import FlaskForm

import dashboard
from dashboard.services.accounts.passwords import LONGEST
from tests.rules.test_routes import addresses
from tests.support.web_client import WebClient

ROOT = Path(dashboard.__file__).parent
#: What the application may use of `unicodedata` elsewhere: it looks at one character.
OF_ONE_CHARACTER = {"category", "bidirectional"}
#: Longer than anything that may be normalized. Only its end is not ASCII, which an address spells at length.
HOSTILE = "a" * LONGEST + "\u0300\u0316"


def used() -> Iterator[tuple[str, str]]:
    """Yield each module with what it uses of `unicodedata`."""
    for file in ROOT.rglob("*.py"):
        module = file.relative_to(ROOT).as_posix()
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module == "unicodedata":
                yield module, "an import of its own"
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "unicodedata":
                yield module, node.attr


def test_one_function_normalizes_and_checks_the_length_first() -> None:
    assert {each for each in used() if each[1] not in OF_ONE_CHARACTER} == {("domain/safe_text.py", "normalize")}


def names() -> set[str]:
    """Return the name of every field and argument that the pages read."""
    found = set()
    for file in (ROOT / "web").rglob("*.py"):
        found |= set(re.findall(r"""\b(?:get|getlist|first|all)\(\s*"(\w+)\"""", file.read_text(encoding="utf-8")))
    forms = list(FlaskForm.__subclasses__())
    for form in forms:
        found |= {name for name in vars(form) if not name.startswith("_")}
    return found


@pytest.fixture
def normalized(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return the length of every text that is normalized; a long one is not."""
    real, lengths = unicodedata.normalize, []

    def normalize(form: str, text: str) -> str:
        lengths.append(len(text))
        return real(form, text[:1000])  # type: ignore[arg-type]  # The real function has the types.

    monkeypatch.setattr(unicodedata, "normalize", normalize)
    return lengths


def test_no_address_and_no_field_brings_a_long_text_to_it(
    app: Flask, visitor: WebClient, admin: WebClient, normalized: list[int]
) -> None:
    assert {"rc_number", "vehicle", "vehicles", "q", "password", "saved_form", "reason"} <= names()
    fields = dict.fromkeys(names(), HOSTILE)
    of_a_stranger = {name: fields[name] for name in ("rc_number", "email", "password", "next")}
    for client, sent in ((visitor, of_a_stranger), (admin, fields)):
        token = client.csrf_token()
        for rule, method, address in addresses(app):
            if rule.endpoint == "accounts.sign_out":
                continue
            longer = address.replace("MH12AB1001", HOSTILE)
            for place in {address, longer}:
                if method == "GET":
                    client.get(place, query_string=fields)
                else:
                    headers = {"X-CSRFToken": token, "Sec-Fetch-Site": "same-origin"}
                    client.post(place, data=sent, headers=headers)
    assert normalized, "at least the number of a search is normalized"
    assert max(normalized) <= LONGEST


def test_a_form_saved_over_an_expired_session_brings_none(
    visitor: WebClient, app: Flask, staff: WebClient, normalized: list[int]
) -> None:
    data = {"rc_number": HOSTILE}
    visitor.post("/search", data=data, headers={"Sec-Fetch-Site": "same-origin"})
    with visitor.session_transaction() as session:
        assert session["saved_form"]
    visitor.signs_in("asha@example.com")
    assert max(normalized) <= LONGEST
