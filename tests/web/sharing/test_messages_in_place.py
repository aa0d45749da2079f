"""The wording of messages with scripts: saving changes its own part, and can be undone unless others saved since."""

from __future__ import annotations

from tests.support.page import Page
from tests.support.web_client import HTMX, IN_PLACE, WebClient

WORDS = "Pay {amount} for {vehicle}: {url}"
#: The same as the page shows it.
SHOWN = "Pay {Amount} for {Vehicle}: {Payment URL}"


def on(language: str) -> dict[str, str]:
    return {"HX-Current-URL": f"http://localhost/messages{'' if language == 'en' else '/' + language}"}


def sends(visitor: WebClient, button: str, language: str, **fields: str) -> Page:
    headers = {**HTMX, **on(language), "HX-Target": f"wording-{language}", "X-CSRFToken": visitor.csrf_token()}
    page = visitor.page(f"/messages/{language}" if language != "en" else "/messages")
    return Page(visitor, page.submit(button, headers=headers, **fields), region=True)


def undoes(visitor: WebClient, region: Page, language: str) -> Page:
    headers = {**IN_PLACE, **on(language), "HX-Trigger-Name": "undo"}
    return Page(visitor, region.form("Undo").submit(headers=headers), region=True)


def test_a_saved_message_takes_the_place_of_its_own_language_alone(manager: WebClient) -> None:
    region = sends(manager, "Save message", "hi", body=WORDS)
    assert region.headers["HX-Retarget"] == "#wording-hi"
    assert region.one("#body-hi").get_text().strip() == SHOWN
    assert "Changed by Meera Iyer" in region.text
    assert "The message in Hindi is saved." in region.text
    assert region.headers["HX-Push-Url"] == "false"


def test_a_refused_message_comes_back_with_its_reason(manager: WebClient) -> None:
    region = sends(manager, "Save message", "ta", body="இல்லை")
    assert (region.status, region.headers["HX-Retarget"]) == (422, "#wording-ta")
    assert region.one("#body-ta")["aria-invalid"] == "true"
    assert region.one("#body-ta").get_text().strip() == "இல்லை"


def test_the_preview_alone_is_renewed_while_a_message_is_typed(manager: WebClient) -> None:
    headers = {**HTMX, **on("ta"), "HX-Target": "message-preview", "X-CSRFToken": manager.csrf_token()}
    answer = manager.post("/messages/ta/preview", data={"body": "{vehicle}!"}, headers=headers)
    region = Page(manager, answer, region=True)
    assert region.one("section")["id"] == "message-preview"
    assert region.one(".phone-message").get_text() == "MH12 AB 1001!"


def test_the_first_rewording_is_undone_to_the_original(manager: WebClient) -> None:
    undone = undoes(manager, sends(manager, "Save message", "en", body=WORDS), "en")
    assert undone.headers["HX-Retarget"] == "#wording-en"
    assert "Hello" in undone.one("#body-en").get_text()
    assert "This is the original wording." in undone.text


def test_a_later_rewording_is_undone_to_the_one_before(manager: WebClient) -> None:
    sends(manager, "Save message", "en", body=WORDS)
    undone = undoes(manager, sends(manager, "Save message", "en", body="{url} now"), "en")
    assert undone.one("#body-en").get_text().strip() == SHOWN


def test_a_rewording_that_others_changed_since_is_not_undone(manager: WebClient, admin: WebClient) -> None:
    first = sends(manager, "Save message", "en", body=WORDS)
    second = sends(manager, "Save message", "en", body="{url} now")
    sends(admin, "Save message", "en", body="{url} theirs")
    conflict = undoes(manager, second, "en")
    assert conflict.status == 409
    assert "saved this" in conflict.text
    refused = undoes(manager, first, "en")
    assert "Not undone: the message in English was changed again since." in refused.text
    assert manager.page("/messages").one("#body-en").get_text().strip() == "{Payment URL} theirs"


def test_saving_what_is_saved_offers_no_undo(manager: WebClient) -> None:
    sends(manager, "Save message", "en", body=WORDS)
    assert not sends(manager, "Save message", "en", body=WORDS).all(".toast-undo")


def test_going_back_to_the_original_can_be_undone(manager: WebClient) -> None:
    sends(manager, "Save message", "en", body=WORDS)
    region = sends(manager, "Reset to the original", "en")
    assert "Hello" in region.one("#body-en").get_text()
    undone = undoes(manager, region, "en")
    assert undone.headers["HX-Retarget"] == "#wording-en"
    assert undone.one("#body-en").get_text().strip() == SHOWN


def test_without_scripts_going_back_is_confirmed_and_offers_no_undo(manager: WebClient) -> None:
    manager.read(manager.page("/messages").submit("Save message", body=WORDS))
    page = manager.read(manager.page("/messages").submit("Reset to the original"))
    assert "The message in English is the original again." in page.text
    assert not page.all(".toast-undo")
