"""Test which payment URLs of the service people may share."""

import pytest

from dashboard.domain.payment_urls import problem_of


@pytest.mark.parametrize(
    "url", ["https://pay.example/prepaid-payment/t", "http://127.0.0.1:8001/x", "http://localhost/x", "http://[::1]/x"]
)
def test_an_https_address_and_one_on_this_machine_may_be_shared(url):
    assert problem_of(url) is None


@pytest.mark.parametrize(
    "url",
    [
        "http://pay.example/x",
        "javascript:alert(1)",
        "data:text/html,x",
        "//pay.example/x",
        "https:///x",
        "https://user@pay.example/x",
        "https://pay.example\\@evil.example/x",
        "https://pay.example/ x",
        'https://pay.example/"onclick=',
        "https://pay.example/\u202egnp",
        "https://pay.example:99999/x",
        "http://127.0.0.1.evil.example/x",
        "",
        "https://pay.example/" + "x" * 2000,
    ],
)
def test_any_other_address_is_refused(url):
    assert problem_of(url)


@pytest.mark.parametrize(
    ("url", "sound"),
    [
        ("https://pay.example/prepaid-payment/t", True),
        ("https://pay.example/elsewhere", True),
        ("https://pay.example.evil/prepaid-payment/t", False),
        ("https://pay.example:444/prepaid-payment/t", False),
        ("https://evil.example/https://pay.example/", False),
    ],
)
def test_with_a_configured_payment_page_an_address_elsewhere_is_refused(url, sound):
    assert (problem_of(url, "https://pay.example") is None) is sound


def test_the_path_of_the_configured_payment_page_counts_too():
    assert problem_of("https://pay.example/fleet/p/1", "https://pay.example/fleet") is None
    assert problem_of("https://pay.example/fleeting/p/1", "https://pay.example/fleet")
    assert problem_of("https://pay.example/fleet/../p/1", "https://pay.example/fleet")
