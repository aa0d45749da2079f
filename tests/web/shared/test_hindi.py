"""Test that a page in Hindi has no English but names, data and what the service spells: every page, in every state."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from bs4 import BeautifulSoup
from flask import Flask
from flask_wtf import FlaskForm

from dashboard.domain.drivers import MAX_NAME
from dashboard.translations import DOMAINS
from dashboard.translations.update import stored
from dashboard.web.shared.languages import lazy, speaking
from tests.gallery.drawn import Drawn
from tests.support.people import PASSWORD
from tests.support.web_client import WebClient
from tests.web.steps import RC

ROOT = Path(__file__).resolve().parents[3]
#: What people wrote or the service sent, and what is in another language on purpose.
_DATA = "bdi, code, pre, .plate, .raw, script, [lang]:not([lang=hi])"
_DATA += ", [name^=rc_type] option:not([value='']), [name^=city_id] option:not([value=''])"
_DATA += ", [name$='-rc_type'] option + option"
_SPOKEN = (
    "aria-label",
    "placeholder",
    "alt",
    "data-words",
    "data-waiting",
    "data-unanswered",
    "data-title",
    "data-off",
)
#: A word in small letters: capitals are short forms, numbers of plates, and states as the service spells them.
_WORD = re.compile(r"\b[A-Z]?[a-z][A-Za-z’'-]+")
_ADDRESS = re.compile(r"https?://\S+|[\w.]+@[\w.]+|\b[0-9a-f]{8}-[0-9a-f-]+|\{\w+\}|\([45]xx\)")
#: What is written alike in both languages, and what stands on pages as others spell it.
_ALIKE = ["WhatsApp", "am", "pm", "Challan", "Dashboard", "Excel", "xlsx", "Ctrl", "Esc", "Enter", "https"]
_AS_SPELT = [
    "SQLite",
    "Python",
    "Payment",
    "Link",
    "Generation",
    "Search",
    "curl",
    "chronyc",
    "tracking",
    "timedatectl",
    "synchronized",
    "follow-up",
]
_AS_SPELT += ["Werkzeug", "Klingon", "Spaceship", "Hindi", "Marathi", "Tamil", "Telugu", "Kannada"]
_AS_SPELT += ["Name", "Phone", "Google", "Authenticator", "Aegis", "nothing", "at", "all"]
_PEOPLE = ["Arun", "Das", "Ramesh", "Yadav", "Ramachandran", "Venkatasubramanian", "Krishnamoorthy", "night", "depot"]
#: What people call drivers, lists and searches.
_PEOPLE += ["Suresh", "Patil", "Pune", "trucks", "Lakshmi", "Devi", "Kumar", "Anil", "Shinde", "Mohan", "Kale"]
_PEOPLE += ["Asha", "Rao", "Meera", "Iyer", "Kiran", "Latha", "Menon", "Ravi", "Sunil", "Rane", "Imran", "Shaikh"]
_PLACES = [
    "Visakhapatnam",
    "Maharashtra",
    "West",
    "Bengal",
    "Uttar",
    "Pradesh",
    "Tamil",
    "Nadu",
    "Andhra",
    "Delhi",
    "Gujarat",
    "Haryana",
    "Karnataka",
]
_PLACES += ["Kerala", "Madhya", "Punjab", "Rajasthan", "Telangana"]
_ALLOWED = {*_ALIKE, *_AS_SPELT, *_PEOPLE, *_PLACES, "English"}


def english(html: str) -> Iterator[str]:
    """Yield the English words of a page, each with what stands around it."""
    page = BeautifulSoup(html, "lxml")
    for element in page.select(_DATA):
        element.extract()
    for row in page.select("[data-row][data-words]"):
        del row["data-words"]  # A script compares these; nobody reads them.
    said = [
        *page.stripped_strings,
        *(element[name] for name in _SPOKEN for element in page.select(f"[{name}]")),
        *(element["title"] for element in page.select("[title]:not([data-raw])")),
    ]
    for text in map(str, said):
        if words := set(_WORD.findall(_ADDRESS.sub("", text))) - _ALLOWED:
            yield f"{' '.join(sorted(words))}: {' '.join(text.split())[:120]}"


def test_no_page_has_english_words_in_hindi(drawn: Drawn) -> None:
    pages = {name: html for name, html in drawn["hi"].items() if not name.startswith("hostile")}
    found = {f"{name}: {each}" for name, html in pages.items() for each in english(html)}
    assert not found, "\n".join(sorted(found))


def test_hindi_has_one_word_for_one_thing() -> None:
    section = (ROOT / "docs/glossary.md").read_text("utf-8").split("## In Hindi")[1]
    avoided = [
        word for row in re.findall(r"^\|[^|]+\|[^|]+\|([^|]+)\|$", section, re.MULTILINE) for word in row.split(",")
    ]
    words = [word.strip() for word in avoided if re.search(r"[\u0900-\u097f]", word)]
    assert len(words) > 20
    for domain in DOMAINS:
        for message in stored("hi", domain):
            forms = [message.string] if isinstance(message.string, str) else list(message.string)
            assert [word for word in words for form in forms if re.search(rf"(?<!\w){word}", form)] == [], message.id


def test_a_part_of_a_sentence_is_translated_like_the_whole(app: Flask) -> None:
    words = lazy("created outside this dashboard")
    with app.test_request_context(), speaking("hi"):
        assert words[:1] + words[1:] == str(words)
        assert words.capitalize() == str(words) != "Created outside this dashboard"
    assert words.capitalize() == "Created outside this dashboard"


def chooses_hindi(client: WebClient) -> None:
    client.post("/language", data={"language": "hi", "csrf_token": client.csrf_token()})


def test_what_is_said_after_a_redirect_is_in_hindi(staff: WebClient, searched: dict[str, str]) -> None:
    chooses_hindi(staff)
    moved = staff.post(f"/vehicles/{RC}/selection", data={"csrf_token": staff.csrf_token()})
    assert "पहले कोई चालान चुनें" in staff.page(moved.headers["Location"]).everything


def test_a_password_that_is_refused_is_refused_in_hindi(staff: WebClient) -> None:
    chooses_hindi(staff)
    typed = {"current_password": PASSWORD, "new_password": "short", "csrf_token": staff.csrf_token()}
    answer = staff.post("/account/password", data=typed)
    assert answer.status_code == 422
    assert "पासवर्ड में कम से कम 8 अक्षर होने चाहिए।" in staff.read(answer).text


def test_a_field_that_is_refused_is_refused_in_hindi(staff: WebClient) -> None:
    chooses_hindi(staff)
    typed = {"name": "R" * (MAX_NAME + 1), "language": "klingon", "csrf_token": staff.csrf_token()}
    text = staff.read(staff.post("/drivers", data=typed)).text
    assert f"ज़्यादा से ज़्यादा {MAX_NAME} अक्षर।" in text
    assert "सूची में से एक चुनें।" in text


def test_no_validator_has_the_words_of_the_library(app: Flask) -> None:
    """WTForms has no Hindi, so that each validator that may refuse has words of ours."""
    forms = [each for each in FlaskForm.__subclasses__() if each.__module__.startswith("dashboard.")]
    silent = [
        f"{form.__name__}.{name}: {type(validator).__name__}"
        for form in forms
        for name, field in vars(form).items()
        if hasattr(field, "creation_counter") and "Hidden" not in field.field_class.__name__
        for validator in (field.kwargs.get("validators") or next((a for a in field.args if isinstance(a, list)), ()))
        if getattr(validator, "message", "") is None
    ]
    assert forms
    assert silent == []
