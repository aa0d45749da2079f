"""Test message templates: which are accepted, and how their placeholders are filled."""

import re
from dataclasses import replace

import pytest

from dashboard.domain.languages import LANGUAGES
from dashboard.domain.messages import (
    PLACEHOLDERS,
    MessageFacts,
    TemplateProblem,
    TemplateRefused,
    checked_template,
    compose,
    fill,
)


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_message_of_every_language_is_accepted_and_filled_whole(code):
    language = LANGUAGES[code]
    long = dict.fromkeys(PLACEHOLDERS, "x" * 300)
    assert checked_template(language.body) == language.body
    filled = fill(language.body, {name: f"«{name}»" for name in PLACEHOLDERS})
    assert "{" not in filled
    assert all(f"«{name}»" in filled for name in PLACEHOLDERS)
    assert long["url"] in fill(language.body, long)
    assert "{url}" in fill(language.body, {})
    assert "{" not in fill(language.subject, dict.fromkeys(PLACEHOLDERS, "x"))


def test_a_value_with_braces_in_it_is_not_filled_again():
    assert fill("{driver} {url}", {"driver": "{url}", "url": "U"}) == "{url} U"


@pytest.mark.parametrize(
    ("template", "filled"),
    [
        ("of vehicle {vehicle} to be paid", "of vehicle to be paid"),
        ("{vehicle} का चालान", "का चालान"),
        ("pay for {vehicle}.", "pay for."),
        ("{driver} {vehicle} {mode}", "Ramesh UPI"),
        ("a {vehicle} {vehicle} b", "a b"),
        ("{driver}, {vehicle}: {url}", "Ramesh,: U"),
        ("two  blanks {plate}", "two  blanks {plate}"),
    ],
)
def test_an_empty_value_leaves_no_gap(template, filled):
    assert fill(template, {"driver": "Ramesh", "vehicle": "", "mode": "UPI", "url": "U"}) == filled


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_message_about_no_known_vehicle_has_no_gap(code):
    language = LANGUAGES[code]
    text = fill(language.body, dict.fromkeys(PLACEHOLDERS, "x") | {"vehicle": ""})
    assert not re.search(r"  |^ | $", text, re.MULTILINE)


@pytest.mark.parametrize(
    ("template", "problem"),
    [
        ("", TemplateProblem.EMPTY),
        ("Pay {amount}", TemplateProblem.NO_URL),
        ("{url} {plate}", TemplateProblem.UNKNOWN_PLACEHOLDER),
        ("{url} {", TemplateProblem.LONE_BRACE),
        ("{url!r}", TemplateProblem.FORMATTED_PLACEHOLDER),
        ("{{driver}} {url}", TemplateProblem.DOUBLE_BRACES),
        ("{url} {{", TemplateProblem.DOUBLE_BRACES),
        ("{driver} {url}}}", TemplateProblem.DOUBLE_BRACES),
        ("{url} " + "x" * 1300, TemplateProblem.TOO_LONG),
    ],
)
def test_a_template_that_cannot_be_filled_is_refused(template, problem):
    with pytest.raises(TemplateRefused) as refused:
        checked_template(template)
    assert refused.value.problem is problem


def test_the_unknown_placeholder_of_a_template_is_named():
    with pytest.raises(TemplateRefused) as refused:
        checked_template("{url} {plate}")
    assert refused.value.placeholder == "plate"


NOTHING_KNOWN = MessageFacts(driver=None, plate=None, challans=3, amount=None, mode=None, deadline=None, url="URL")


def composed(code, facts, template=None):
    return compose(LANGUAGES[code], template, facts, format_amount=str, format_moment=lambda at, _locale: str(at))


@pytest.mark.parametrize("code", LANGUAGES)
def test_unknown_values_are_worded_in_the_language_of_the_message(code):
    language, message = LANGUAGES[code], composed(code, NOTHING_KNOWN)
    for words in (language.unknown_amount, language.unknown_deadline, language.any_mode, language.somebody, "3", "URL"):
        assert words in message.text
    assert "None" not in message.text + message.subject


def test_a_payment_mode_is_named_in_words_and_an_unknown_one_as_the_service_spells_it():
    for mode, words in (("UPI", "UPI"), ("CREDIT_CARD", "credit card"), ("WALLET", "WALLET")):
        assert composed("en", replace(NOTHING_KNOWN, mode=mode), "{mode} {url}").text == f"{words} URL"
