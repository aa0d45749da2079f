"""Test the list of parts, the locks, the vendored scripts, and that missing data about weaknesses fails nothing."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import re
import sys
from types import ModuleType
from typing import Any

import pytest
from flask import Flask

from tests.support.documents import ROOT
from tests.support.web_client import WebClient

VENDORED = sorted((ROOT / "static" / "vendor").glob("*.js"))


def load(name: str) -> ModuleType:
    """Import a script of deploy/."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "deploy" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def locked(file: str) -> dict[str, str]:
    text = (ROOT / file).read_text(encoding="utf-8")
    return dict(re.findall(r"^([a-zA-Z0-9._-]+)(?:\[[^\]]*\])?==([^ ;\\\n]+)", text, re.M))


@pytest.fixture(scope="module")
def parts() -> dict[str, Any]:
    found: dict[str, Any] = load("sbom").parts()
    return found


def test_the_list_of_parts_holds_every_locked_library_with_its_hashes(parts: dict[str, Any]) -> None:
    libraries = {each["name"]: each for each in parts["components"] if each["purl"].startswith("pkg:pypi/")}
    assert {name: each["version"] for name, each in libraries.items()} == locked("requirements.lock")
    assert all(each["externalReferences"][0]["hashes"] for each in libraries.values())
    assert parts["bomFormat"] == "CycloneDX"


def test_the_list_of_parts_holds_every_vendored_script_as_it_is(parts: dict[str, Any]) -> None:
    scripts = {each["bom-ref"]: each for each in parts["components"] if each["bom-ref"].startswith("static/")}
    assert scripts.keys() == {f"static/vendor/{file.name}" for file in VENDORED}
    for file in VENDORED:
        [stated] = scripts[f"static/vendor/{file.name}"]["hashes"]
        assert stated["content"] == hashlib.sha384(file.read_bytes()).hexdigest()


@pytest.mark.parametrize("file", ["requirements.lock", "requirements-dev.lock"])
def test_every_locked_library_has_a_hash(file: str) -> None:
    entries = re.split(r"^(?=[a-z])", (ROOT / file).read_text(encoding="utf-8"), flags=re.M)[1:]
    # A library may have two versions, for two versions of Python.
    assert len(entries) >= len(locked(file)) > 20
    assert all("--hash=sha256:" in entry for entry in entries)


def test_each_vendored_script_is_loaded_with_its_integrity_and_has_a_licence(app: Flask, visitor: WebClient) -> None:
    page = visitor.get("/sign-in").text
    scripts = dict(re.findall(r'<script [^>]*src="([^"]+)" integrity="([^"]+)"', page))
    assert len(scripts) == page.count("<script ")
    assert VENDORED
    for file in VENDORED:
        assert any(re.search(rf"/{file.stem}", address) for address in scripts), file.name
        assert (file.parent / f"{file.name.partition('-')[0]}-LICENSE.txt").exists()


@pytest.mark.parametrize(
    ("answer", "status", "words"),
    [
        ("no network", 0, "nothing was audited"),
        ({"dependencies": [{"name": "a", "skip_reason": "no data"}]}, 0, "No data about 1 of 1"),
        ({"dependencies": [{"name": "a", "version": "1", "vulns": []}]}, 0, "0 known weaknesses in 1"),
        (
            {"dependencies": [{"name": "a", "version": "1", "vulns": [{"id": "X-1", "fix_versions": ["2"]}]}]},
            1,
            "a 1: X-1, mended in 2",
        ),
    ],
)
def test_an_audit_fails_for_a_weakness_alone(
    answer: object, status: int, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    said = answer if isinstance(answer, str) else json.dumps(answer)
    assert load("audit").audit([sys.executable, "-c", f"print({said!r})"]) == status
    assert words in capsys.readouterr().out
