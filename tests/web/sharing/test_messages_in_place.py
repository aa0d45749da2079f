"""The wording of messages with scripts: a language is saved by itself, and what is half typed in the others stays."""

from __future__ import annotations

from tests.support.page import Page
from tests.support.web_client import HTMX, IN_PLACE, WebClient

ON_MESSAGES = {"HX-Current-URL": "http://localhost/messages"}
WORDS = "Pay {amount} for {vehicle}: {url}"


def sends(visitor: WebClient, button: str, language: str, **fields: str) -> Page:
    headers = {**HTMX, **ON_MESSAGES, "HX-Target": f"wording-{language}", "X-CSRFToken": visitor.csrf_token()}
    return Page(visitor, visitor.page("/messages").submit(button, headers=headers, **fields), region=True)


def test_a_saved_message_takes_the_place_of_its_own_language_alone(manager: WebClient) -> None:
    region = sends(manager, "Save the message in Hindi", "hi", body=WORDS)
    assert region.headers["HX-Retarget"] == "#wording-hi"
    assert [str(each["id"]) for each in region.all("section")] == ["wording-hi"]
    assert region.one("#body-hi").get_text().strip() == WORDS
    assert "Changed by Meera Iyer" in region.text
    assert "The message in Hindi is saved." in region.text
    assert region.headers["HX-Push-Url"] == "false"


def test_a_refused_message_comes_back_with_its_reason(manager: WebClient) -> None:
    region = sends(manager, "Save the message in Tamil", "ta", body="இல்லை")
    assert (region.status, region.headers["HX-Retarget"]) == (422, "#wording-ta")
    assert region.one("#body-ta")["aria-invalid"] == "true"
    assert region.one("#body-ta").get_text().strip() == "இல்லை"


def test_going_back_to_the_original_can_be_undone(manager: WebClient) -> None:
    manager.read(manager.page("/messages").submit("Save the message in English", body=WORDS))
    region = sends(manager, "Go back to the original in English", "en")
    assert "Hello" in region.one("#body-en").get_text()
    undo = region.form("Undo")
    undone = Page(manager, undo.submit(headers={**IN_PLACE, **ON_MESSAGES, "HX-Trigger-Name": "undo"}), region=True)
    assert undone.headers["HX-Retarget"] == "#wording-en"
    assert undone.one("#body-en").get_text().strip() == WORDS


def test_without_scripts_going_back_is_confirmed_and_offers_no_undo(manager: WebClient) -> None:
    manager.read(manager.page("/messages").submit("Save the message in English", body=WORDS))
    page = manager.read(manager.page("/messages").submit("Go back to the original in English"))
    assert "The message in English is the original again." in page.text
    assert not page.all(".toast-undo")
