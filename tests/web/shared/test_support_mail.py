"""Test the e-mail to the service's support, which is offered wherever its details can be copied."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import unquote

import pytest
from flask import Flask

from dashboard.settings import Settings
from tests.support.levers import Levers
from tests.support.page import Page
from tests.support.people import MEERA
from tests.support.web_client import WebClient
from tests.web import steps

ADDRESS = "support@service.example"


@pytest.fixture
def writer(build_app: Callable[[Settings], Flask], environ: dict[str, str]) -> WebClient:
    """Sign Meera in at a dashboard that knows the address of the service's support."""
    return steps.arrives(build_app(Settings.from_environ(environ | {"DASHBOARD_SUPPORT_EMAIL": ADDRESS})), MEERA)


@pytest.fixture
def suspect(writer: WebClient, five: dict[str, str], levers: Levers) -> str:
    """Return a link whose amounts do not match, which Reconcile lists, and whose payment URL is wrong."""
    steps.searches(writer)
    link_id = steps.link_of(steps.create(writer))
    amount = {"baseAmount": 500, "legalFee": 50, "gst": 9, "convenienceFee": 0, "totalAmount": 600}
    levers.set_link(link_id, raw={"paymentUrl": "javascript:alert(1)", "amount": amount})
    steps.check(writer, link_id)
    return link_id


def mails(page: Page) -> list[str]:
    return [str(each["href"]) for each in page.all("main a[href^='mailto:']")]


def offers(page: Page) -> None:
    """Expect an e-mail beside each button that copies details for support, with the same words."""
    copied = [each.get_text() for each in page.all("main .copy-details [data-copy-source][lang=en]")]
    assert copied
    written = mails(page)
    assert all(each.startswith(f"mailto:{ADDRESS}?subject=") for each in written)
    bodies = [unquote(each.partition("&body=")[2]).replace("\r\n", "\n") for each in written]
    assert bodies == copied
    assert [unquote(each.partition("?subject=")[2].partition("&")[0]) for each in written] == [
        each.splitlines()[0] for each in copied
    ]
    assert {each.get_text() for each in page.all("main a[href^='mailto:']")} == {"Email support"}


def test_beside_the_details_of_a_link_stands_an_e_mail_with_them(writer: WebClient, suspect: str) -> None:
    offers(writer.page(f"/links/{suspect}"))


def test_beside_the_details_of_a_discrepancy_stands_an_e_mail_with_them(writer: WebClient, suspect: str) -> None:
    offers(writer.page("/reconcile"))


def test_beside_the_details_of_a_request_stands_an_e_mail_with_them(
    writer: WebClient, five: dict[str, str], levers: Levers
) -> None:
    steps.searches(writer)
    levers.fault("create_link", "status", status=400)
    offers(writer.page(steps.request_of(steps.create(writer))))


def test_where_no_address_is_configured_nothing_else_stands_there(
    manager: WebClient, five: dict[str, str], levers: Levers
) -> None:
    steps.searches(manager)
    levers.fault("create_link", "status", status=400)
    page = manager.page(steps.request_of(steps.create(manager)))
    assert page.all(".copy-details")
    assert not mails(page)
    assert "Email support" not in page.text
