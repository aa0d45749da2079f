"""Test static files: cached for a year under the right version, revalidated under any other, compressed, hashed."""

from __future__ import annotations

import base64
import gzip
import hashlib
from pathlib import Path

import brotli
import pytest
from flask import Flask

import dashboard
from dashboard.web.shared.assets import Assets
from tests.support.web_client import WebClient


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, content in {
        "css/20-b.css": "b { color: red }",
        "css/10-a.css": "a { color: red }",
        "js/two.js": "const name = 2;",
        "js/one.js": "const name = 1;",
        "js/lazy/three.js": "// Alone.\nconst name = 3;",
        "js/notes.txt": "not a script",
        "img/icon.svg": "<svg xmlns='http://www.w3.org/2000/svg'>" + "<g/>" * 200 + "</svg>",
        "img/dot.png": "not really",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content)
    return tmp_path


def test_styles_are_one_file_in_the_order_of_their_names(folder: Path) -> None:
    assert Assets(folder)["app.css"].content == b"a{color:red}\nb{color:red}"


def test_scripts_are_one_file_in_which_each_has_its_own_scope(folder: Path) -> None:
    text = Assets(folder)["app.js"].content.decode()
    assert text == '"use strict";\n{\nconst name = 1;\n}\n{\nconst name = 2;\n}'


def test_lazy_scripts_are_another_file_without_comments(folder: Path) -> None:
    assert Assets(folder)["lazy.js"].content == b'"use strict";\n{\nconst name = 3;\n}'


def test_a_file_is_compressed_only_if_it_gets_smaller(folder: Path) -> None:
    assets = Assets(folder)
    icon = assets["img/icon.svg"]
    assert gzip.decompress(icon.packed["gzip"]) == icon.content
    assert brotli.decompress(icon.packed["br"]) == icon.content
    assert assets["img/dot.png"].packed == {}
    assert "gzip" not in assets["js/notes.txt"].packed, "too short to gain by it"


def test_a_change_of_content_is_a_change_of_version(folder: Path) -> None:
    before = Assets(folder)
    (folder / "css/10-a.css").write_text("a { color: blue }")
    after = Assets(folder)
    assert before["app.css"].version != after["app.css"].version
    assert before["app.js"].version == after["app.js"].version


def linked(visitor: WebClient) -> dict[str, str | None]:
    page = visitor.page("/sign-in")
    found = {str(e["href"]): e.get("integrity") for e in page.all("link[href]")}
    return found | {str(e["src"]): e.get("integrity") for e in page.all("script[src]")}  # type: ignore[return-value]  # It is there.


def test_every_linked_file_is_cached_for_a_year(visitor: WebClient) -> None:
    addresses = linked(visitor)
    assert len(addresses) == 6
    for address in addresses:
        answer = visitor.get(address)
        assert answer.status_code == 200, address
        assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        assert "Set-Cookie" not in answer.headers
        assert "Cookie" not in answer.headers.get("Vary", ""), "it is the same for everybody"


def test_the_hashes_on_the_page_match_styles_and_scripts(visitor: WebClient) -> None:
    for address, integrity in linked(visitor).items():
        if "icon" in address:
            continue
        digest = base64.b64encode(hashlib.sha384(visitor.get(address).data).digest()).decode()
        assert integrity == f"sha384-{digest}", address


@pytest.mark.parametrize("query", ["", "?v=", "?v=0123456789abcdef"])
def test_any_other_version_is_revalidated_each_time(visitor: WebClient, query: str) -> None:
    answer = visitor.get(f"/static/app.css{query}")
    assert answer.headers["Cache-Control"] == "no-cache"
    again = visitor.get(f"/static/app.css{query}", headers={"If-None-Match": answer.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [
        ("gzip, deflate, br", "br"),
        ("br", "br"),
        ("*", "br"),
        ("gzip, deflate", "gzip"),
        ("br;q=0, gzip", "gzip"),
        ("gzip;q=0", None),
        ("", None),
    ],
)
def test_a_browser_gets_the_shortest_that_it_accepts(visitor: WebClient, accepted: str, encoding: str | None) -> None:
    answer = visitor.get("/static/app.css", headers={"Accept-Encoding": accepted})
    assert answer.headers.get("Content-Encoding") == encoding
    assert "Accept-Encoding" in answer.headers["Vary"]
    assert int(answer.headers["Content-Length"]) == len(answer.data)
    plain = visitor.get("/static/app.css")
    unpack = {"br": brotli.decompress, "gzip": gzip.decompress, None: bytes}[encoding]
    assert unpack(answer.data) == plain.data
    assert (answer.headers["ETag"] == plain.headers["ETag"]) == (encoding is None), "two contents, two tags"


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("app.css", "text/css; charset=utf-8"),
        ("app.js", "text/javascript; charset=utf-8"),
        ("img/icon.svg", "image/svg+xml"),
    ],
)
def test_types_do_not_depend_on_the_machine(visitor: WebClient, name: str, kind: str) -> None:
    assert visitor.get(f"/static/{name}").headers["Content-Type"] == kind


@pytest.mark.parametrize(
    "path", ["../app.py", "..%2fapp.py", "nothing.css", "css", "%2e%2e/pyproject.toml", "/etc/passwd"]
)
def test_nothing_but_the_static_files_is_served(visitor: WebClient, path: str) -> None:
    assert visitor.get(f"/static/{path}").status_code in (308, 404)


def test_a_template_that_names_a_missing_file_fails_loudly(app: Flask) -> None:
    with app.test_request_context(), pytest.raises(KeyError):
        app.jinja_env.globals["asset"]("img/missing.svg")  # type: ignore[operator]  # A function.


def test_the_bundle_lists_the_layers_first_and_the_nouns_after_what_they_share() -> None:
    bundle = Assets(Path(dashboard.__file__).parents[1] / "static")["app.css"].content.decode()
    heads = ("@layer reset,tokens", ".button{", ".follow-list{", "@layer states{")
    places = [bundle.index(head) for head in heads]
    assert places == sorted(places)
