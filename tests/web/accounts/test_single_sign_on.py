"""Test single sign-on against a provider on a real socket: who may enter with which role, and what is refused."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import requests
from flask import Flask
from oidc_provider_mock import User, run_server_in_thread

from dashboard.services.accounts.audit import COMMAND_LINE
from dashboard.settings import Settings, SettingsError
from dashboard.upstream import identity_provider
from tests.support.clock import MovableClock
from tests.support.page import Page
from tests.support.people import ARUN, ASHA, add
from tests.support.web_client import WebClient

RAVI = {"email": "ravi@example.com", "email_verified": True, "name": "Ravi Kumar", "roles": ["manager", "other"]}
BUTTON = "Sign in with your organization’s account"


def people_of(**changes: Any) -> list[User]:
    return [User(sub="ravi", claims=RAVI | changes), User(sub="asha", claims={"email": ASHA.email, **changes})]


@contextmanager
def provider(port: int = 0, *, lasts: timedelta = timedelta(hours=1), **changes: Any) -> Iterator[str]:
    with run_server_in_thread(port, user_claims=people_of(**changes), access_token_max_age=lasts) as server:
        yield f"http://localhost:{server.server_port}"


def environ_of(environ: dict[str, str], issuer: str, **more: str) -> dict[str, str]:
    return {
        **environ,
        "DASHBOARD_OIDC_ISSUER": issuer,
        "DASHBOARD_OIDC_CLIENT_ID": "dashboard",
        "DASHBOARD_OIDC_CLIENT_SECRET": "canary-client-secret",
        "DASHBOARD_OIDC_NEW_PEOPLE": "1",
        **more,
    }


@pytest.fixture
def real_time(clock: MovableClock) -> None:
    """Let the clock of the test show the time of the provider, which dates its tokens."""
    clock.advance(seconds=(datetime.now(UTC) - clock()).total_seconds())


@pytest.fixture
def arrive(
    build_app: Callable[[Settings], Flask], environ: dict[str, str], real_time: None
) -> Callable[..., WebClient]:
    def arrive(issuer: str, **more: str) -> WebClient:
        client = build_app(Settings.from_environ(environ_of(environ, issuer, **more))).test_client()
        assert isinstance(client, WebClient)
        return client

    return arrive


def go_to_provider(visitor: WebClient, at: str = "/sign-in") -> str:
    """Press the button; return the address at the provider."""
    return visitor.get(visitor.page(at).link(BUTTON)).headers["Location"]


def agree(address: str, sub: str = "ravi") -> str:
    """Sign in at the provider; return the path by which it sends the browser back."""
    back = requests.post(address, data={"sub": sub}, allow_redirects=False, timeout=10).headers["Location"]
    assert back.startswith("http://localhost/sign-in/provider/answer?"), back
    return back.removeprefix("http://localhost")


def enters(visitor: WebClient, sub: str = "ravi", at: str = "/sign-in") -> Page:
    return visitor.read(visitor.get(agree(go_to_provider(visitor, at), sub)))


def is_signed_in(visitor: WebClient) -> bool:
    return visitor.get("/").status_code == 200


def test_a_person_of_the_organization_enters_with_the_role_that_it_states(arrive: Callable[..., WebClient]) -> None:
    with provider() as issuer:
        visitor = arrive(issuer)
        address = go_to_provider(visitor, "/sign-in?next=/links")
        asked = parse_qs(urlsplit(address).query)
        with visitor.session_transaction() as session:
            digest = sha256(session["single_sign_on"]["verifier"].encode()).digest()
        assert asked["code_challenge_method"] == ["S256"]
        assert asked["code_challenge"] == [urlsafe_b64encode(digest).decode().rstrip("=")]
        assert asked["redirect_uri"] == ["http://localhost/sign-in/provider/answer"]
        answer = visitor.get(agree(address))
        assert answer.headers["Location"] == "/links"
        page = visitor.page("/")
    assert "Role: Manager" in page.everything
    assert "Ravi Kumar" in page.everything


def test_whoever_comes_again_is_the_same_person_with_the_role_of_that_day(
    arrive: Callable[..., WebClient], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(identity_provider, "_LEAST_SECONDS", 0.0)
    with provider() as issuer:
        visitor = arrive(issuer)
        enters(visitor)
        port = urlsplit(issuer).port or 0
    with provider(port, roles="staff", email="other@example.com") as issuer:
        other = visitor.application.test_client()
        assert isinstance(other, WebClient)
        enters(other)
        assert not is_signed_in(visitor), "the sessions of the old role have ended"
        assert "Role: Staff" in other.page("/").everything
    assert len(visitor.application.extensions["people"].everybody()) == 1


def test_rotated_keys_are_read_again(arrive: Callable[..., WebClient], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(identity_provider, "_LEAST_SECONDS", 0.0)
    with provider() as issuer:
        visitor = arrive(issuer)
        enters(visitor)
        visitor.submit_sign_out()
    with provider(urlsplit(issuer).port or 0):  # Another process of the provider, with keys of its own.
        enters(visitor)
    assert is_signed_in(visitor)


def test_an_account_is_linked_by_an_email_that_the_provider_has_verified(arrive: Callable[..., WebClient]) -> None:
    for verified in (False, True):
        with provider(roles="staff", email_verified=verified) as issuer:
            visitor = arrive(issuer)
            add(visitor.application, ASHA)
            enters(visitor, "asha")
            assert is_signed_in(visitor) is verified


@pytest.mark.parametrize(
    ("changes", "settings", "words"),
    [
        ({"roles": ["visitor"]}, {}, "has no role here"),
        ({"roles": None}, {}, "has no role here"),
        ({"roles": ["manager"]}, {"DASHBOARD_OIDC_ROLES": "fleet=manager"}, "has no role here"),
        ({"email_verified": False}, {}, "There is no account for you here yet."),
        ({}, {"DASHBOARD_OIDC_NEW_PEOPLE": "0"}, "There is no account for you here yet."),
    ],
)
def test_whoever_has_no_place_here_is_told_so(
    arrive: Callable[..., WebClient], changes: dict[str, Any], settings: dict[str, str], words: str
) -> None:
    with provider(**changes) as issuer:
        visitor = arrive(issuer, **settings)
        assert words in enters(visitor).text
        assert not is_signed_in(visitor)


def test_a_role_may_stand_deep_in_a_claim_and_be_called_otherwise(arrive: Callable[..., WebClient]) -> None:
    named = {"DASHBOARD_OIDC_ROLES": "clerks=staff, chiefs=admin", "DASHBOARD_OIDC_ROLE_CLAIM": "realm.groups"}
    with provider(realm={"groups": ["clerks", "chiefs"]}) as issuer:
        visitor = arrive(issuer, **named)
        enters(visitor)
        assert "Role: Administrator" in visitor.page("/").everything


def test_a_disabled_person_stays_out(arrive: Callable[..., WebClient]) -> None:
    with provider() as issuer:
        visitor = arrive(issuer)
        enters(visitor)
        people = visitor.application.extensions["people"]
        people.disable(people.find("ravi@example.com"), by=None, origin=COMMAND_LINE)
        assert "Your account here is disabled." in enters(visitor).text
        assert not is_signed_in(visitor)


def test_the_last_administrator_is_not_taken_their_role_from_elsewhere(arrive: Callable[..., WebClient]) -> None:
    with provider(roles="staff", email=ARUN.email) as issuer:
        visitor = arrive(issuer)
        add(visitor.application, ARUN)
        assert "You are the last administrator here" in enters(visitor).text
        assert visitor.application.extensions["people"].find(ARUN.email).role is ARUN.role


# What comes back


@pytest.mark.parametrize("change", [{"state": "other"}, {"nonce": "other"}])
def test_an_answer_to_another_question_is_not_heard(arrive: Callable[..., WebClient], change: dict[str, str]) -> None:
    with provider() as issuer:
        visitor = arrive(issuer)
        back = agree(go_to_provider(visitor))
        with visitor.session_transaction() as session:
            session["single_sign_on"] = session["single_sign_on"] | change
        page = visitor.read(visitor.get(back))
        assert "Start again." in page.text
        assert not is_signed_in(visitor)


def test_an_answer_is_heard_once_and_in_the_browser_that_asked(arrive: Callable[..., WebClient]) -> None:
    with provider() as issuer:
        visitor = arrive(issuer)
        back = agree(go_to_provider(visitor))
        other = visitor.application.test_client()
        assert isinstance(other, WebClient)
        assert "was not started here" in other.read(other.get(back)).text
        visitor.get(back)
        assert is_signed_in(visitor)
        visitor.submit_sign_out()
        assert "was not started here" in visitor.read(visitor.get(back)).text


def test_an_answer_has_to_come_within_ten_minutes(arrive: Callable[..., WebClient], clock: MovableClock) -> None:
    with provider() as issuer:
        visitor = arrive(issuer)
        back = agree(go_to_provider(visitor))
        clock.advance(seconds=601)
        assert "took too long" in visitor.read(visitor.get(back)).text
        assert not is_signed_in(visitor)


def test_a_code_that_the_provider_does_not_know_is_not_trusted(arrive: Callable[..., WebClient]) -> None:
    with provider() as issuer:
        visitor = arrive(issuer)
        back = agree(go_to_provider(visitor))
        page = visitor.read(visitor.get(back.replace("code=", "code=x")))
        assert "could not be trusted" in page.text
        assert not is_signed_in(visitor)


def test_no_log_and_no_page_shows_the_client_secret(
    arrive: Callable[..., WebClient], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    with provider() as issuer:
        visitor = arrive(issuer)
        page = enters(visitor)
        shown = [repr(each) for each in visitor.application.extensions.values()]
    for text in (caplog.text, page.everything, *shown):
        assert "canary-client-secret" not in text


def test_an_expired_token_is_not_trusted(arrive: Callable[..., WebClient]) -> None:
    with provider(lasts=timedelta(minutes=-5)) as issuer:
        visitor = arrive(issuer)
        assert "could not be trusted" in enters(visitor).text
        assert not is_signed_in(visitor)


def test_a_refusal_of_the_provider_is_told(arrive: Callable[..., WebClient]) -> None:
    with provider() as issuer:
        visitor = arrive(issuer)
        address = go_to_provider(visitor)
        answer = requests.post(address, data={"action": "deny"}, allow_redirects=False, timeout=10)
        page = visitor.read(visitor.get(answer.headers["Location"].removeprefix("http://localhost")))
        assert "Start again" in page.text
        assert not is_signed_in(visitor)


def test_a_provider_that_is_away_is_told_and_passwords_still_work(arrive: Callable[..., WebClient]) -> None:
    with provider() as issuer:
        pass
    visitor = arrive(issuer)
    add(visitor.application, ASHA)
    page = visitor.read(visitor.get(visitor.page("/sign-in").link(BUTTON)))
    assert "Your organization’s sign-in does not answer." in page.text
    page.submit("Sign in", email=ASHA.email, password="a long enough phrase")
    assert is_signed_in(visitor)


def test_where_no_passwords_are_taken_the_form_is_gone(arrive: Callable[..., WebClient]) -> None:
    with provider() as issuer:
        visitor = arrive(issuer, DASHBOARD_LOCAL_SIGN_IN="0")
        add(visitor.application, ASHA)
        assert "Sign in" not in visitor.page("/sign-in").buttons()
        data = {"email": ASHA.email, "password": "a long enough phrase", "csrf_token": visitor.csrf_token()}
        assert visitor.post("/sign-in", data=data).status_code == 403
        assert not is_signed_in(visitor)


def test_where_no_passwords_are_taken_nobody_can_set_one(arrive: Callable[..., WebClient]) -> None:
    with provider(roles="admin") as issuer:
        visitor = arrive(issuer, DASHBOARD_LOCAL_SIGN_IN="0")
        arun = add(visitor.application, ARUN)
        invited = visitor.application.extensions["invitations"].invite(
            email="new@example.com", name="Kiran", role=ARUN.role, by=arun.id, origin=COMMAND_LINE
        )
        address, passwords = (
            f"/invitation/{invited.token}",
            {"new_password": "purple monkey", "repeat_password": "purple monkey"},
        )
        assert visitor.get(address).status_code == 404
        assert visitor.post(address, data={**passwords, "csrf_token": visitor.csrf_token()}).status_code == 404
        enters(visitor)
        people = visitor.application.extensions["people"]
        assert "expired" not in visitor.page("/people").text, "invitations are not taken here"
        assert "password" not in visitor.page(f"/people/{arun.id}").text
        for address in ("/people", f"/people/{arun.id}"):
            assert "Second factor" not in visitor.page(address).text, "it goes with a password"
        data = {"csrf_token": visitor.csrf_token()}
        assert visitor.post(f"/people/{arun.id}/invitation", data=data).status_code == 409
        assert people.find(ARUN.email).has_password, "no invitation has voided it"
        assert not people.find("new@example.com").has_password
        assert "no password here" in visitor.page("/account").text


def test_where_no_passwords_are_taken_people_are_added_without_an_invitation(arrive: Callable[..., WebClient]) -> None:
    with provider(roles="admin") as issuer:
        visitor = arrive(issuer, DASHBOARD_LOCAL_SIGN_IN="0")
        enters(visitor)
        page = visitor.read(visitor.page("/people").submit("Add", name="Asha Rao", email=ASHA.email, role="staff"))
        assert "Asha Rao is added" in page.everything
        assert "Not signed in yet" in page.text
        assert "nvit" not in page.text
        assert "assword" not in page.text


def test_without_a_provider_nothing_is_offered(visitor: WebClient) -> None:
    assert BUTTON not in visitor.page("/sign-in").text
    for address in ("/sign-in/provider", "/sign-in/provider/answer?code=x&state=y"):
        assert visitor.get(address).headers["Location"] == "/sign-in"


@pytest.mark.parametrize(
    "given",
    [
        {"DASHBOARD_OIDC_ISSUER": "https://id.example"},
        {"DASHBOARD_OIDC_CLIENT_ID": "dashboard"},
        {"DASHBOARD_LOCAL_SIGN_IN": "0"},
        {"DASHBOARD_OIDC_ISSUER": "http://id.example"},
        {"DASHBOARD_OIDC_ROLES": "chiefs=owner"},
    ],
)
def test_half_a_provider_is_refused_at_the_start(environ: dict[str, str], given: dict[str, str]) -> None:
    with pytest.raises(SettingsError):
        Settings.from_environ({**environ, **given})
