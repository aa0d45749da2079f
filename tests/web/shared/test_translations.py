"""Test that every sentence of pages and scripts is marked for translation, and translated into every language."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from jinja2 import Environment

from dashboard.translations import DOMAINS, SOURCE, languages
from dashboard.translations.update import extracted, is_translated, stored

ROOT = Path(__file__).resolve().parents[3]
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
OTHER_LANGUAGES = [code for code in languages() if code != SOURCE]

#: Nouns whose pages are partly in English still.
UNFINISHED: tuple[str, ...] = ()

#: Words that are the same in every language: names, units of a key, what the service spells.
UNTRANSLATED = {
    "PAID",
    "WhatsApp",
    "Challan Dashboard",
    "STAGING",
    "PNG",
    "SVG",
    "CSV",
    "XLSX",
    "QR",
    "Ctrl",
    "Esc",
    "UPI",
    "SMS",
}
#: Attributes that people read or hear.
_SPOKEN = re.compile(r'\b(?:aria-label|title|placeholder|alt|label|data-words|data-waiting|data-unanswered)="([^"]*)"')
_TAG = re.compile(r"<[^>]*>")
_MARKS = ("_", "gettext", "ngettext", "pgettext")


def skeleton(source: str) -> tuple[str, list[str]]:
    """Return a template's HTML with a NUL for each value and without blocks of trans, and its strings that are bare."""
    html, strings, inside, call, depth = "", [], False, 0, 0
    tokens = [(kind, value) for _, kind, value in Environment().lex(source)]
    names = [value for kind, value in tokens if kind not in ("whitespace",)]
    kinds = [kind for kind, _ in tokens if kind not in ("whitespace",)]
    for at, (kind, value) in enumerate(zip(kinds, names, strict=True)):
        if kind == "block_begin" and names[at + 1] in ("trans", "endtrans"):
            inside = names[at + 1] == "trans"
        elif kind == "block_begin" and names[at + 1] == "block":
            inside = names[at + 2] == "place"  # It names a place of the menu to the template around it.
        elif kind == "block_begin" and names[at + 1] == "endblock":
            inside = False
        elif kind == "data" and not inside:
            html += value
        elif kind == "variable_begin":
            html += "\0"
        elif kind == "operator" and value in "()":
            depth += 1 if value == "(" else -1
            if value == "(" and names[at - 1] in _MARKS and not call:
                call = depth
            elif value == ")" and depth < call:
                call = 0
        elif kind == "string" and not call and re.search(r"[A-Z][a-z]+ [a-z]+ |^.[a-z]{2,} [a-z]{2,}.$", value):
            strings.append(value)
    return html, strings


def unmarked(source: str) -> list[str]:
    html, found = skeleton(source)
    spoken = [*_SPOKEN.findall(html), *_TAG.sub("\0\0", html).split("\0\0")]
    for text in spoken:
        words = re.sub(r"&\w+;|\0", " ", text).strip()
        for known in UNTRANSLATED:
            words = words.replace(known, "")
        if re.search(r"[A-Za-z]{2,}", words) and '="' not in words:  # Attributes may be put together apart from a tag.
            found.append(words)
    return found


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda file: str(file.relative_to(ROOT / "templates")))
def test_every_sentence_of_a_template_is_marked(template: Path) -> None:
    if template.parent.name not in UNFINISHED:
        assert unmarked(template.read_text("utf-8")) == []


def bare_sentences(file: Path) -> Iterator[str]:
    """Yield every text of a module of sentences that is neither marked nor a docstring."""
    tree = ast.parse(file.read_text("utf-8"))
    fine: set[int] = set()
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in (*_MARKS, "lazy", "lazy_about")
        ):
            fine |= {id(each) for each in ast.walk(node)}
        body = getattr(node, "body", None)
        if isinstance(body, list) and body and isinstance(body[0], ast.Expr):
            fine.add(id(body[0].value))
        if isinstance(node, ast.Dict):  # Its keys are names of the code.
            fine |= {id(key) for key in node.keys}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in fine:
            found = re.search(r"[A-Za-z]{2,} [A-Za-z]{2,}|[a-z]\.$", node.value)
            yield from [node.value] if found else []


MODULES = sorted(file for file in (ROOT / "dashboard/web").rglob("*texts.py"))


@pytest.mark.parametrize("module", MODULES, ids=lambda file: str(file.relative_to(ROOT / "dashboard/web")))
def test_every_sentence_of_a_module_of_sentences_is_marked(module: Path) -> None:
    if module.parent.name not in UNFINISHED:
        # What is drawn into a picture of a QR code is in ASCII; the driver of the example has a name.
        assert [each for each in bare_sentences(module) if each not in ("Pay before {deadline}", "Ramesh Kumar")] == []


def test_no_sentence_is_put_together_before_it_is_translated() -> None:
    found = []
    for file in (ROOT / "dashboard/web").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            name = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
            if isinstance(node, ast.Call) and name in ("_", "lazy", "ngettext"):
                count = 2 if name == "ngettext" else 1
                if not all(isinstance(each, ast.Constant) for each in node.args[:count]):
                    found.append(f"{file.relative_to(ROOT)}:{node.lineno}")
    assert found == []


def test_every_sentence_that_is_marked_is_extracted() -> None:
    """A mark inside an f-string, for one, is not seen by what extracts the sentences."""
    known = {one if isinstance(one, str) else one[0] for one in (each.id for each in extracted("messages"))}
    lost = []
    for file in (ROOT / "dashboard/web").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in (*_MARKS, "lazy"):
                lost += [
                    f"{file.relative_to(ROOT)}:{node.lineno}"
                    for each in node.args[:1]
                    if isinstance(each, ast.Constant) and each.value not in known
                ]
    assert lost == []


#: Words of a script that a person may read: two of them in a row, with no sign of a selector or of markup.
_READ_IN_SCRIPTS = re.compile(r"[A-Za-z]{2,},? [a-z]{2,}")
_NO_SENTENCE = re.compile(r"[\[<>#=/\\]|^[.#&:]|^[a-z]+[,:.]|\bhtmx\b|, \.|^[a-z-]+( [a-z-]+)?$")


def bare_words(script: str) -> Iterator[str]:
    """Yield every text of a script that is read by people and not marked."""
    code = re.sub(r"^\s*//.*$|(?<=[;{},]) //.*$|/\*.*?\*/", "", script, flags=re.MULTILINE)
    code = re.sub(r'\b_\("[^"]*"', "_(", code)
    for plain, template in re.findall(r'"([^"\n]*)"|`([^`]*)`', code):
        words = re.sub(r"\$\{[^}]*\}", " 0 ", template) or plain
        is_read = _READ_IN_SCRIPTS.search(words) and not _NO_SENTENCE.search(words)
        has_unit = template and re.search(r"\b0  [a-z]+\b", words)  # As in "4 s".
        yield from [words] if is_read or has_unit else []


@pytest.mark.parametrize("script", sorted((ROOT / "static/js").rglob("*.js")), ids=lambda file: file.name)
def test_every_sentence_of_a_script_is_marked(script: Path) -> None:
    assert list(bare_words(script.read_text("utf-8"))) == []


def test_every_sentence_that_is_marked_in_a_script_is_extracted() -> None:
    """A mark inside a template literal, for one, is not seen by what extracts the sentences."""
    known = {str(each.id) for each in extracted("scripts")}
    marked = {
        sentence
        for script in (ROOT / "static/js").rglob("[!_]*.js")
        for sentence in re.findall(r'\b_\("([^"]*)"', script.read_text("utf-8"))
    }
    assert marked - known == set()


def values_in(sentence: str) -> set[str]:
    return set(re.findall(r"(?:%\(|\{)(\w+)(?:\)s|\})", sentence))


@pytest.mark.parametrize("domain", DOMAINS)
@pytest.mark.parametrize("language", OTHER_LANGUAGES)
def test_every_sentence_is_translated_with_the_same_values(language: str, domain: str) -> None:
    known = stored(language, domain)
    wrong = []
    for message in extracted(domain):
        places = [place.split("/") for place, _ in message.locations]
        if not message.id or all(set(place) & set(UNFINISHED) for place in places):
            continue
        one = message.id if isinstance(message.id, str) else message.id[0]
        found = known.get(one, context=message.context)
        if found is None or found.fuzzy or not is_translated(found.string):
            wrong.append(f"not translated: {one}")
            continue
        meant = values_in(one if isinstance(message.id, str) else message.id[1])
        forms = [found.string] if isinstance(found.string, str) else list(found.string)
        for at, words in enumerate(forms):
            # "One challan" need not say its number.
            if values_in(words) | ({"num"} if at < len(forms) - 1 and "num" in meant else set()) != meant:
                wrong.append(f"other values: {words}")
            if [words[:1].isspace(), words[-1:].isspace()] != [one[:1].isspace(), one[-1:].isspace()]:
                wrong.append(f"a space at one end, which keeps it from its neighbour: {words}")
            if "<" not in one and ('"' in words or "<" in words):
                wrong.append(f"a quote or markup: {words}")
    assert wrong == [], "run `make translations`, and translate what is empty"


@pytest.mark.parametrize("domain", DOMAINS)
@pytest.mark.parametrize("language", OTHER_LANGUAGES)
def test_no_catalogue_keeps_what_is_gone(language: str, domain: str) -> None:
    present = {(message.context, message.id) for message in extracted(domain)}
    kept = {(message.context, message.id) for message in stored(language, domain)}
    assert kept - present == set()
