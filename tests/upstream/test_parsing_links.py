"""Test the parsing of links, as a creation or a poll answers them: what counts, what is a gap, and what is unfit."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest

from dashboard.domain.links import PaymentLink
from dashboard.upstream.envelope import Unfit
from dashboard.upstream.parsing import parse_created_link, parse_payment_link
from tests.upstream.documented import ID, LINK, OTHER
from tests.upstream.rude_server import envelope


def created(**changes: Any) -> PaymentLink:
    return parse_created_link(envelope({name: v for name, v in {**LINK, **changes}.items() if v is not ...}))


def test_a_link_as_documented_is_parsed_whole() -> None:
    link = created()
    assert (link.id, link.status, link.gaps) == (ID, "ACTIVE", ())
    assert link.organization is not None
    assert (link.organization.id, link.organization.name) == (OTHER, "Fleet")
    assert link.payment_url == "https://pay.example/prepaid-payment/t"
    assert link.expires_at == datetime(2026, 1, 7, 10, tzinfo=UTC)
    assert link.paid_at is None
    assert link.amount is not None
    assert (link.amount.legal_fee, link.amount.total_amount) == (Decimal("1.5"), Decimal("501.75"))
    assert [(mode.payment_mode, mode.base_amount) for mode in link.payment_mode_options] == [("UPI", None)]
    assert [(held.id, held.rc_number, held.status) for held in link.challans] == [(OTHER, "MH12AB1001", None)]
    assert parse_payment_link(envelope(LINK), ID) == link


@pytest.mark.parametrize(
    ("changes", "gaps"),
    [
        ({"status": ...}, ("status",)),
        ({"status": 7}, ("status",)),
        ({"amount": None}, ("amount",)),
        ({"amount": [1]}, ("amount",)),
        ({"paymentModeOptions": {}}, ("payment_mode_options",)),
        ({"challans": ...}, ("challans",)),
        ({"challans": [None, {"id": "x"}]}, ("challans",)),
        ({"paymentUrl": 7}, ("payment_url",)),
        ({"paymentUrl": "https://pay.example/" + "x" * 9_000}, ("payment_url",)),
        ({"organization": "Fleet"}, ()),
        ({"organization": {"name": "Fleet"}}, ()),
        ({"expiresAt": "soon", "paidAt": 7}, ()),
        ({"paymentUrl": None}, ()),
    ],
)
def test_a_created_link_counts_whatever_else_is_missing(changes: dict[str, Any], gaps: tuple[str, ...]) -> None:
    link = created(**changes)
    assert (link.id, link.gaps) == (ID, gaps)


def test_an_id_alone_is_a_created_link_even_beside_numbers_that_cannot_be_held() -> None:
    body = b'{"success": true, "data": {"id": "%s", "amount": %s, "x": NaN}}' % (ID.encode(), b"9" * 9_000)
    assert parse_created_link(body).id == ID


def test_a_payment_url_is_returned_as_sent() -> None:
    for url in ("javascript:alert(1)", "http://elsewhere.example/?a=b#c", "", "//x"):
        assert created(paymentUrl=url).payment_url == url


@pytest.mark.parametrize("data", [{}, {"id": None}, {"id": 7}, {"id": "x"}, [], None, "x", [{"id": ID}]])
def test_without_an_id_there_is_no_link(data: Any) -> None:
    with pytest.raises(Unfit):
        parse_created_link(envelope(data))


def test_a_poll_needs_the_links_own_id_and_a_status() -> None:
    with pytest.raises(Unfit, match="another"):
        parse_payment_link(envelope({**LINK, "id": OTHER}), ID)
    with pytest.raises(Unfit, match="status"):
        parse_payment_link(envelope({**LINK, "status": None}), ID)
