"""Test that what htmx sends works without it too, by the templates alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from tests.support.documents import ROOT

_JINJA = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}", re.S)
_TAG = re.compile(r"<([a-z][a-z-]*)\b([^>]*)>", re.S)
_METHODS = ("hx-get", "hx-post", "hx-put", "hx-patch", "hx-delete")
#: Addresses of files, which the browser itself must receive.
_FILE = re.compile(r"(csv|xlsx|export)_address|url_for\('[a-z_.]*(export|csv|xlsx|svg)")


class Element:
    """An element of a template, by its attributes as they are written; Jinja stays in their values."""

    def __init__(self, file: Path, tag: str, attributes: str) -> None:
        self.tag = tag
        self.where = f"{file.relative_to(ROOT)}: <{tag}{' '.join(attributes.split())[:90]}"
        self.attributes = dict(re.findall(r'([a-z][a-z-]*)="([^"]*)"', attributes))


def elements() -> Iterator[Element]:
    for file in sorted((ROOT / "templates").rglob("*.html")):
        hidden: list[str] = []

        def hide(found: re.Match[str], hidden: list[str] = hidden) -> str:
            hidden.append(found[0])
            return f"\x00{len(hidden) - 1}\x00"

        text = _JINJA.sub(hide, file.read_text(encoding="utf-8"))
        for tag, attributes in _TAG.findall(text):
            shown = re.sub("\x00(\\d+)\x00", lambda found, hidden=hidden: hidden[int(found[1])], attributes)
            yield Element(file, tag, shown)


def test_every_form_can_be_sent_without_scripts() -> None:
    forms = [form for form in elements() if form.tag == "form" and form.attributes.get("method") != "dialog"]
    assert len(forms) > 20
    assert [form.where for form in forms if not {"method", "action"} <= form.attributes.keys()] == []


def test_a_form_is_sent_to_the_same_address_with_and_without_htmx() -> None:
    sent = [each for each in elements() if each.tag == "form" and "hx-post" in each.attributes]
    assert sent
    assert [form.where for form in sent if form.attributes.get("action") != form.attributes["hx-post"]] == []


def test_every_link_leads_somewhere_without_scripts() -> None:
    links = [each for each in elements() if each.tag == "a"]
    assert [link.where for link in links if not link.attributes.get("href")] == []


def test_what_htmx_requests_has_a_target_of_its_own() -> None:
    asking = [each for each in elements() if any(name in each.attributes for name in _METHODS)]
    assert len(asking) > 5
    assert [each.where for each in asking if "hx-target" not in each.attributes] == []


def test_the_browser_itself_receives_files() -> None:
    links = [
        each for each in elements() if _FILE.search(each.attributes.get("href", each.attributes.get("action", "")))
    ]
    assert links
    assert [link.where for link in links if link.attributes.get("hx-boost") != "false"] == []


def test_the_browser_itself_sends_a_form_to_a_new_tab() -> None:
    """Htmx leaves links to a new tab alone, but not forms."""
    forms = [each for each in elements() if each.tag == "form" and "target" in each.attributes]
    assert forms
    assert [form.where for form in forms if form.attributes.get("hx-boost") != "false"] == []
