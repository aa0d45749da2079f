"""Messages on the pages: in the languages of drivers, and reworded by managers."""

from __future__ import annotations

import re
from urllib.parse import unquote

import pytest
from sqlalchemy import update

from dashboard.domain.languages import LANGUAGES
from dashboard.domain.messages import PLACEHOLDERS, TemplateProblem, TemplateRefused
from dashboard.store.engine import Store
from dashboard.store.links.tables import link
from dashboard.store.sharing import message_templates
from dashboard.web.sharing import texts
from tests.support.clock import MovableClock
from tests.support.levers import Levers
from tests.support.page import Page, words
from tests.support.web_client import HTMX, WebClient
from tests.web import steps
from tests.web.sharing.steps import adds_a_driver, makes_a_link, prepares


def test_a_message_about_a_link_with_unknown_values_has_no_gap(staff: WebClient, levers: Levers) -> None:
    link_id = makes_a_link(staff)
    levers.set_link(link_id, raw={"expiresAt": None, "amount": None, "paymentModeOptions": []})
    with staff.application.extensions["store"].write() as connection:
        connection.execute(update(link).values(expires_at=None, total=None, modes=[]))
    message = prepares(staff, link_id, language="hi").one("#share-message").get_text()
    hindi = LANGUAGES["hi"]
    for each in (hindi.unknown_amount, hindi.unknown_deadline, hindi.any_mode):
        assert each in message
    assert message.startswith("नमस्ते,\n")
    assert "None" not in message.replace(levers.link(link_id)["paymentUrl"], "")


def test_managers_reword_a_message_and_go_back(manager: WebClient, staff: WebClient, levers: Levers) -> None:
    link_id = makes_a_link(staff)
    page = manager.page("/messages")
    manager.read(page.submit("Save message", body="Pay {amount} for {vehicle}: {url}"))
    message = prepares(staff, link_id, language="en").one("#share-message").get_text()
    assert re.fullmatch(r"Pay ₹[\d,.]+ for MH12 AB 1001: http\S+", message)
    page = manager.page("/messages")
    assert "Changed by Meera Iyer" in page.text
    manager.read(page.submit("Reset to the original"))
    assert "Hello," in prepares(staff, link_id, language="en").one("#share-message").get_text()


@pytest.mark.parametrize(
    ("language", "typed"),
    [
        ("en", "Pay {Amount} for {Vehicle}: {Payment URL}"),
        ("en", "Pay {amount} for { VEHICLE }: {URL}"),
        ("hi", "Pay {राशि} for {वाहन}: {भुगतान URL}"),
    ],
)
def test_placeholders_are_words_of_the_page_and_stored_as_every_language_reads_them(
    manager: WebClient, store: Store, language: str, typed: str
) -> None:
    headers = {"Accept-Language": language}
    data = {"body": typed, "csrf_token": manager.csrf_token()}
    assert manager.post("/messages/en", data=data, headers=headers).status_code == 303
    with store.read() as connection:
        saved = message_templates.find(connection, "en")
    assert saved
    assert saved.body == "Pay {amount} for {vehicle}: {url}"
    assert manager.page("/messages").one("#body-en").get_text().strip() == "Pay {Amount} for {Vehicle}: {Payment URL}"


def test_a_misspelt_placeholder_is_corrected_to_its_name_in_words(manager: WebClient) -> None:
    page = manager.read(manager.page("/messages").submit("Update the preview", body="{Amont} {url}"))
    assert "There is no {Amont}. Did you mean {Amount}?" in page.text
    assert page.one("[data-replace='{Amont}']")["data-insert"] == "{Amount}"


def test_a_refused_wording_stays_in_the_form_with_its_reason(manager: WebClient) -> None:
    answer = manager.page("/messages/ta").submit("Save message", body="இல்லை")
    page = Page(manager, answer)
    assert page.status == 422
    assert "The message needs {Payment URL}" in page.text
    assert page.one("#body-ta").get_text().strip() == "இல்லை"


def test_staff_cannot_reword_messages_and_read_who_can(staff: WebClient) -> None:
    assert "This is for managers and administrators" in staff.page("/messages", status=403).text


@pytest.mark.parametrize("problem", TemplateProblem)
def test_every_problem_of_a_template_has_words(problem: TemplateProblem) -> None:
    assert texts.template_refused(TemplateRefused(problem, "plate")).endswith(".")


def test_every_placeholder_is_explained() -> None:
    assert tuple(texts.PLACEHOLDERS) == tuple(texts.PLACEHOLDER_NAMES) == PLACEHOLDERS


def test_a_message_without_amount_or_deadline_says_what_its_driver_misses(manager: WebClient) -> None:
    page = manager.page("/messages")
    assert not page.all(".preview-missed")
    for body, missed, added in (
        ("{url} {amount}", "The driver does not see when the link ends. Add Deadline", "{Deadline}"),
        ("{url} {deadline}", "The driver does not see how much to pay. Add Amount", "{Amount}"),
    ):
        typed = manager.read(page.submit("Update the preview", body=body))
        assert words(typed.one("#body-en-problem .preview-missed").get_text()) == missed
        assert typed.one(".preview-missed button")["data-insert"] == added
    assert not manager.read(page.submit("Update the preview", body="No address")).all(".preview-missed"), (
        "an error is said alone"
    )


def test_a_reworded_language_is_marked(manager: WebClient) -> None:
    manager.page("/messages/hi").submit("Save message", body="{url} {amount} {deadline}")
    marked = [words(each.get_text()) for each in manager.page("/messages").all(".tab") if each.select(".tab-changed")]
    assert marked == ["हिन्दी (Hindi) changed"]


def test_each_language_has_an_address_and_the_menu_leads_managers_there(manager: WebClient, staff: WebClient) -> None:
    page = manager.page("/messages")
    assert page.one("nav[aria-label=Main] [aria-current]")["href"] == "/messages"
    tabs = {str(tab["href"]) for tab in page.all(".tab")}
    assert tabs == {"/messages", *(f"/messages/{code}" for code in LANGUAGES if code != "en")}
    assert [str(area["id"]) for area in manager.page("/messages/ta").all("textarea")] == ["body-ta"]
    assert manager.get("/messages/xx").status_code == 404
    assert not staff.page("/").all("nav [href='/messages']")


def test_the_preview_is_filled_from_the_newest_link_but_for_its_address(manager: WebClient, levers: Levers) -> None:
    sample = manager.page("/messages").one("#message-preview").get_text()
    assert "MH12 AB 1001 has 3 unpaid challans. Please pay ₹4,111.45 by UPI" in sample
    assert "With sample values" in sample
    url = levers.link(makes_a_link(manager))["paymentUrl"]
    shown = manager.page("/messages").one("#message-preview").get_text()
    assert "Vehicle MH12 AB 1001 has 3 unpaid challans" in shown
    assert "The name is a sample" in shown
    adds_a_driver(manager)
    page = manager.page("/messages")
    assert "Hello Ramesh Kumar" in page.one(".phone-message").get_text()
    assert "sample" not in page.one("#message-preview").get_text()
    assert url not in shown
    assert f"{url.rpartition('/')[0]}/…" in shown


def test_the_preview_shows_the_message_for_the_link_that_is_chosen(
    manager: WebClient, levers: Levers, clock: MovableClock
) -> None:
    first = makes_a_link(manager)
    clock.advance(minutes=1)
    levers.add_vehicle("MH12PR0001", [{"challanNo": "PR1"}])
    steps.searches(manager, "MH12PR0001")
    steps.create(manager, rc="MH12PR0001")
    page = manager.page("/messages")
    assert [words(each.get_text()) for each in page.all("#preview-of option")] == ["MH12 PR 0001", "MH12 AB 1001"]
    assert "MH12 PR 0001" in page.one(".phone-message").get_text()
    shown = manager.read(page.submit("Update the preview", of=first))
    assert "MH12 AB 1001" in shown.one(".phone-message").get_text()
    assert shown.one("#preview-of option[selected]")["value"] == first


def test_a_link_that_has_a_driver_is_previewed_first(manager: WebClient, levers: Levers, clock: MovableClock) -> None:
    makes_a_link(manager)
    adds_a_driver(manager)
    clock.advance(minutes=1)
    levers.add_vehicle("MH12PR0001", [{"challanNo": "PR1"}])
    steps.searches(manager, "MH12PR0001")
    steps.create(manager, rc="MH12PR0001")
    offered = [words(each.get_text()) for each in manager.page("/messages").all("#preview-of option")]
    assert offered == ["MH12 AB 1001 · Ramesh Kumar", "MH12 PR 0001"]


def test_the_preview_follows_what_is_typed_and_saves_nothing(manager: WebClient) -> None:
    page = manager.page("/messages/hi")
    typed = manager.read(page.submit("Update the preview", body="{vehicle}: {amount} {nothing}"))
    assert typed.one(".phone-message").get_text() == "MH12 AB 1001: ₹4,111.45 {nothing}"
    assert [each.get_text() for each in typed.all(".phone-message > mark")] == ["{nothing}"]
    assert "There is no {nothing}. The placeholders are listed above." in typed.one("#body-hi-error").get_text()
    assert typed.one("#body-hi").get_text().strip() == "{Vehicle}: {Amount} {nothing}"
    assert "नमस्ते" in manager.page("/messages/hi").one("#body-hi").get_text()
    assert manager.page("/messages/hi").one("#body-hi")["hx-post"] == "/messages/hi/preview"


def test_whoever_sends_a_standard_text_without_amount_or_deadline_reads_what_its_driver_misses(
    manager: WebClient, staff: WebClient, levers: Levers
) -> None:
    link_id = makes_a_link(staff)
    assert not prepares(staff, link_id, language="en").all("[data-missed]")
    manager.read(manager.page("/messages").submit("Save message", body="Pay {amount}: {url}"))
    page = prepares(staff, link_id, language="en")
    assert words(page.one("div[data-missed]").get_text(" ")) == "The driver does not see when the link ends."
    assert page.one("p[data-missed]").get_text() == "A manager can add it to the standard text."
    assert not prepares(staff, link_id, language="hi").all("[data-missed]"), "each language has its own text"
    changed = page.one("#share-message").get_text() + " until Monday"
    assert not staff.read(page.submit("Update message", message=changed)).all("[data-missed]"), "a person wrote it"


#: The line that is added to a message in each language: what is between the placeholders, in their order.
LINES = {
    "en": r"Pay {amount} \(UPI\) before {deadline} [ap]m",
    "hi": r"{deadline} बजे से पहले {amount} \(UPI\) का भुगतान करें",
    "mr": r"{deadline} वाजण्यापूर्वी {amount} \(UPI\) भरा",
    "ta": r"{amount} \(UPI\) செலுத்தவும். கடைசி நேரம்: {deadline} மணி",
    "te": r"{deadline} లోపు {amount} \(UPI\) చెల్లించండి",
    "kn": r"{deadline} ಒಳಗೆ {amount} \(UPI\) ಪಾವತಿಸಿ",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_amount_and_end_are_added_to_a_message_in_a_line_of_its_language(
    manager: WebClient, staff: WebClient, levers: Levers, language: str
) -> None:
    link_id = makes_a_link(staff)
    manager.page(f"/messages/{language}").submit("Save message", body="{vehicle}: {url}")
    page = prepares(staff, link_id, language=language)
    standard = page.one("#share-message").get_text()
    answer = page.submit("Add amount and end")
    assert answer.status_code == 200
    page = staff.read(answer)
    first, line = page.one("#share-message").get_text().splitlines()
    assert first == standard
    assert re.fullmatch(LINES[language].format(amount=r"₹[\d,.]+", deadline=r"\d+ .+\d"), line)
    assert not page.all(".share-missed")
    assert page.one("[data-standard][autofocus]")
    assert line in unquote(str(page.one("[data-channel=whatsapp]")["href"]))
    # It stays while whoever it is for is changed.
    page = staff.read(page.submit("Update message", to="Vijay More, 98765 43299"))
    assert page.one("#share-message").get_text() == f"{standard}\n{line}"


@pytest.mark.parametrize(
    ("body", "button", "added"),
    [
        ("{deadline}: {url}", "Add the amount", r"Total: ₹[\d,.]+ \(UPI\)"),
        ("{amount}: {url}", "Add the end", r"Pay before \d+ \w+, .*m"),
    ],
)
def test_what_a_message_lacks_is_added_below_what_was_typed(
    manager: WebClient, staff: WebClient, levers: Levers, body: str, button: str, added: str
) -> None:
    link_id = makes_a_link(staff)
    manager.page("/messages").submit("Save message", body=body)
    page = prepares(staff, link_id, language="en")
    typed = page.one("#share-message").get_text() + "\n\nCall me, Asha"
    headers = {**HTMX, "HX-Target": "share-now"}
    page = Page(staff, page.form(button).submit(headers=headers, message=typed), region=True)
    text = page.one("#share-message").get_text()
    assert text.startswith(f"{typed}\n")
    assert re.fullmatch(added, text.removeprefix(f"{typed}\n"))
    assert not page.all(".share-missed")


def test_what_a_person_has_typed_already_is_not_added_again(
    manager: WebClient, staff: WebClient, levers: Levers
) -> None:
    link_id = makes_a_link(staff)
    manager.page("/messages").submit("Save message", body="Pay: {url}")
    page = prepares(staff, link_id, language="en")
    typed = page.one("#share-message").get_text() + "\n1,677 rupees"
    page = staff.read(page.submit("Update message", message=typed))
    assert not page.all("[data-missed]"), "who changes it sees what it says"
    assert page.one(".share-missed button").get_text() == "Add the end"
    text = staff.read(page.submit("Add the end")).one("#share-message").get_text()
    assert re.fullmatch(r"Pay before \d+ \w+, .*m", text.removeprefix(f"{typed}\n"))


def test_what_is_not_known_cannot_be_added(manager: WebClient, staff: WebClient, levers: Levers) -> None:
    link_id = makes_a_link(staff)
    manager.page("/messages").submit("Save message", body="Pay: {url}")
    levers.set_link(link_id, raw={"expiresAt": None, "amount": None, "paymentModeOptions": []})
    with staff.application.extensions["store"].write() as connection:
        connection.execute(update(link).values(expires_at=None, total=None, modes=[]))
    page = prepares(staff, link_id, language="en")
    assert len(page.all(".preview-missed")) == 2
    assert not page.all(".share-missed button")
