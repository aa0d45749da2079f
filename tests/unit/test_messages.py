"""Test message templates: which are accepted, and how their placeholders are filled."""

import re
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal

import pytest

from dashboard.domain.languages import LANGUAGES
from dashboard.domain.messages import (
    PLACEHOLDERS,
    MessageFacts,
    TemplateProblem,
    TemplateRefused,
    checked_template,
    compose,
    compose_receipt,
    compose_several,
    fill,
    names_address,
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


@pytest.mark.parametrize(
    ("typed", "meant"), [("urll", "url"), ("Amount", "amount"), ("dedline", "deadline"), ("plate", ""), ("", "")]
)
def test_a_misspelt_placeholder_is_recognized(typed: str, meant: str):
    with pytest.raises(TemplateRefused) as refused:
        checked_template(f"{{url}} {{{typed}}}")
    assert refused.value.meant == meant


NOTHING_KNOWN = MessageFacts(driver=None, plate=None, challans=3, amount=None, mode=None, deadline=None, url="URL")


def written(at, language):
    return f"{at.day} {language.time(at.hour, at.minute)}"


def composed(code, facts, template=None):
    return compose(LANGUAGES[code], template, facts, format_amount=str, format_moment=written)


def thanked(code, facts):
    return compose_receipt(LANGUAGES[code], facts, format_amount=str, format_moment=written)


@pytest.mark.parametrize("code", LANGUAGES)
def test_unknown_values_are_worded_in_the_language_of_the_message(code):
    language, message = LANGUAGES[code], composed(code, NOTHING_KNOWN)
    for words in (language.unknown_amount, language.unknown_deadline, language.any_mode, "3", "URL"):
        assert words in message.text
    assert "None" not in message.text + message.subject


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_message_without_a_driver_greets_without_a_name(code):
    for text in (composed(code, NOTHING_KNOWN).text, thanked(code, NOTHING_KNOWN).text):
        assert re.fullmatch(r"\w[^\W\d ,]*[^ ,]*,", text.splitlines()[0])


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("Dear {driver},\npay: {url}", "Dear,\npay: URL"),
        ("{driver}, please pay: {url}", "please pay: URL"),
        ("Pay, {driver}, at {url}", "Pay, at URL"),
        ("Pay {driver} at {url}", "Pay at URL"),
        ("Pay: {url} {driver}", "Pay: URL"),
    ],
)
def test_a_managers_wording_has_no_gap_where_the_driver_is_not_known(template, text):
    assert composed("en", NOTHING_KNOWN, template).text == text


def test_marathi_counts_challans_and_says_before_which_hour():
    several, one = (composed("mr", replace(FACTS, challans=challans)).text for challans in (2, 1))
    assert "2 चलान भरणे बाकी आहेत." in several
    assert "1 चलान भरणे बाकी आहे." in one
    assert "सकाळी 9:19 वाजण्यापूर्वी" in several


def test_a_payment_mode_is_named_in_words_and_an_unknown_one_as_the_service_spells_it():
    for mode, words in (("UPI", "UPI"), ("CREDIT_CARD", "credit card"), ("WALLET", "WALLET")):
        assert composed("en", replace(NOTHING_KNOWN, mode=mode), "{mode} {url}").text == f"{words} URL"


FACTS = MessageFacts(
    driver="Ramesh",
    plate="MH12 AB 1001",
    challans=3,
    amount=Decimal("4111.45"),
    mode="CREDIT_CARD",
    deadline=datetime(2026, 11, 24, 9, 19, tzinfo=UTC),
    url="URL",
)


def test_the_english_message_is_one_that_people_would_write():
    text = composed("en", replace(FACTS, mode="UPI"), None).text
    assert "Vehicle MH12 AB 1001 has 3 unpaid challans. Please pay 4111.45 by UPI before 24 9:19 am:\nURL" in text
    assert "has 1 unpaid challan. Please" in composed("en", replace(FACTS, challans=1)).text


@pytest.mark.parametrize("code", [code for code in LANGUAGES if code != "en"])
def test_no_other_language_has_english_words_but_upi(code):
    for facts in (FACTS, replace(FACTS, challans=1), replace(NOTHING_KNOWN, mode="UPI")):
        for message in (composed(code, facts), thanked(code, facts)):
            words = set(re.findall(r"[A-Za-z]+", f"{message.subject} {message.text}"))
            assert words <= {"UPI", "URL", "MH", "AB", "Ramesh"}


@pytest.mark.parametrize(
    ("code", "hour", "written"),
    [
        *(("en", 0, "12:05 am"), ("en", 12, "12:05 pm"), ("en", 23, "11:05 pm")),
        *(("hi", 9, "सुबह 9:05 बजे"), ("hi", 2, "रात 2:05 बजे"), ("mr", 17, "संध्याकाळी 5:05"), ("te", 17, "సాయంత్రం 5:05")),
    ],
)
def test_a_time_is_written_as_it_is_said(code, hour, written):
    assert LANGUAGES[code].time(hour, 5) == written


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_thanks_name_vehicle_challans_and_amount_where_it_is_known(code):
    text = thanked(code, FACTS).text
    assert all(words in text for words in ("Ramesh", "MH12 AB 1001", "3", "4111.45"))
    unknown = thanked(code, replace(FACTS, amount=None)).text
    assert LANGUAGES[code].unknown_payment in unknown
    assert "{" not in text + unknown
    paid = replace(FACTS, challan_total=Decimal("4000.50"), receipt="9B51-27F6")
    assert thanked(code, paid).text.endswith("9B51-27F6")
    assert "4000.50" not in thanked(code, paid).text, "what was received is known"
    either = thanked(code, replace(paid, amount=None)).text
    assert re.search(r"4000\.50\n.*9B51-27F6$", either)
    named = thanked(code, replace(paid, challan_numbers=("MH1001", "MH1002"))).text
    assert re.search(r"\n\n\S+: MH1001, MH1002\n.*9B51-27F6$", named)
    dated = thanked(code, replace(paid, paid_at=FACTS.deadline)).text
    day = f"{FACTS.deadline:%-d}"
    assert re.search(rf": {day}\b.*\n.*9B51-27F6$", dated), "it says when, whenever it is sent"


def _several(language, template, count):
    facts = MessageFacts("Ramesh", None, 2, Decimal(500), "UPI", datetime(2026, 11, 24, tzinfo=UTC), "")
    listed = [replace(facts, plate=f"MH12 AB 100{n}", url=f"https://pay.example/{n}") for n in range(count)]
    forms = {"format_amount": str, "format_moment": lambda at, _language: f"{at:%H:%M}"}
    return compose_several(language, template, listed, **forms), compose(language, template, listed[0], **forms).text


@pytest.mark.parametrize("code", LANGUAGES)
def test_one_message_about_several_links_greets_once_and_has_each_link(code):
    language = LANGUAGES[code]
    text, of_one = _several(language, None, 3)
    greeting = of_one.splitlines()[0]
    assert text.startswith(greeting)
    assert text.count(greeting) == 1
    assert text.count("Ramesh") == 1
    for n in range(3):
        assert text.count(f"MH12 AB 100{n}") == 1
        assert f"\nhttps://pay.example/{n}\n" in text + "\n"
    before, after = language.closing
    assert before in language.body
    assert text.endswith(after)
    assert not before or before not in text
    assert not re.search(r"\n{3}|  |^ | $", text, re.MULTILINE)


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_message_about_one_link_is_the_usual_one(code):
    text, of_one = _several(LANGUAGES[code], None, 1)
    assert text == of_one


def test_a_managers_greeting_and_closing_are_sent_once_too():
    template = "Dear {driver},\nplease pay for {vehicle}:\n{url}\nQuestions? Call Suresh."
    text, _ = _several(LANGUAGES["en"], template, 2)
    assert text == (
        "Dear Ramesh,\nplease pay for MH12 AB 1000:\nhttps://pay.example/0\n\n"
        "please pay for MH12 AB 1001:\nhttps://pay.example/1\nQuestions? Call Suresh."
    )


def test_a_managers_sentence_is_never_cut():
    text, _ = _several(LANGUAGES["en"], "{driver}, pay for {vehicle}: {url}", 2)
    assert text == (
        "Ramesh, pay for MH12 AB 1000: https://pay.example/0\n\nRamesh, pay for MH12 AB 1001: https://pay.example/1"
    )


def _of_one_vehicle(code, template=None, **changed):
    listed = [
        replace(FACTS, challans=challans, amount=Decimal(amount), mode="UPI", url=f"https://pay.example/{challans}")
        for challans, amount in ((3, "4111.45"), (2, "2499.00"), (1, "855.00"))
    ]
    listed[1] = replace(listed[1], **changed)
    return compose_several(LANGUAGES[code], template, listed, format_amount=str, format_moment=written)


def test_links_of_one_vehicle_are_a_numbered_list_under_its_name():
    assert _of_one_vehicle("en") == (
        "Hello Ramesh,\n\n"
        "Vehicle MH12 AB 1001 has 6 unpaid challans. Total: 7465.45\n\n"
        "1. 3 challans, 4111.45 (UPI)\nPay before 24 9:19 am\nhttps://pay.example/3\n\n"
        "2. 2 challans, 2499.00 (UPI)\nPay before 24 9:19 am\nhttps://pay.example/2\n\n"
        "3. 1 challan, 855.00 (UPI)\nPay before 24 9:19 am\nhttps://pay.example/1\n\n"
        "Each link stops working after its own time."
    )


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_list_of_links_names_the_vehicle_once_in_every_language(code):
    language, text = LANGUAGES[code], _of_one_vehicle(code)
    assert text.count("MH12 AB 1001") == text.count("Ramesh") == text.count("7465.45") == 1
    assert language.listed in language.body, "the sentence of the message about one link"
    for number, challans in enumerate((3, 2, 1), 1):
        assert f"\n\n{number}. {challans} " in text
        assert f"\nhttps://pay.example/{challans}\n" in text
    assert text.endswith(language.list_end or language.closing[1])
    assert "{" not in text
    assert not re.search(r"\n{3}|  |^ | $", text, re.MULTILINE)
    if code != "en":
        assert set(re.findall(r"[A-Za-z]+", text)) <= {"UPI", "https", "pay", "example", "MH", "AB", "Ramesh"}


def test_a_list_of_links_has_no_total_where_an_amount_is_not_known():
    text = _of_one_vehicle("en", amount=None, mode=None, deadline=None)
    assert "has 6 unpaid challans.\n\n1. 3 challans, 4111.45 (UPI)" in text
    assert "2. 2 challans\nPay before the time shown on the page\nhttps://pay.example/2" in text


def test_links_of_other_vehicles_stand_beside_a_list():
    text = _of_one_vehicle("en", plate="KA05 MN 4321")
    assert "has 4 unpaid challans. Total: 4966.45\n\n1. 3 challans" in text
    assert "2. 1 challan, 855.00" in text
    assert "Vehicle KA05 MN 4321 has 2 unpaid challans. Please pay 2499.00" in text


def test_a_managers_sentences_about_one_vehicle_are_numbered():
    text = _of_one_vehicle("en", "Dear {driver},\n{vehicle}, {challans} challans: {url}\nCall Suresh.")
    assert text == (
        "Dear Ramesh,\n1. MH12 AB 1001, 3 challans: https://pay.example/3\n\n"
        "2. MH12 AB 1001, 2 challans: https://pay.example/2\n\n"
        "3. MH12 AB 1001, 1 challan: https://pay.example/1\nCall Suresh."
    )


@pytest.mark.parametrize(
    ("text", "is_named"),
    [
        ("Pay: https://pay.example/p/Ab-1_x", True),
        ("https://pay.example/p/Ab-1_x\nThank you", True),
        ("(https://pay.example/p/Ab-1_x).", True),
        ("यहाँ:https://pay.example/p/Ab-1_x।", True),
        ("https://pay.example/p/Ab-1_xThank you", False),
        ("https://pay.example/p/Ab-1_x/2", False),
        ("xhttps://pay.example/p/Ab-1_x", False),
        ("https://pay.example/p/Ab-1_", False),
        ("", False),
    ],
)
def test_a_changed_message_needs_the_payment_url_so_that_it_can_be_opened(text, is_named):
    assert names_address(text, "https://pay.example/p/Ab-1_x") is is_named
