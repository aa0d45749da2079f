"""Test the address of an e-mail to the service's support."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

from dashboard.web.shared.support_mail import MAX_ADDRESS, mailto


def parts_of(address: str) -> tuple[str, str, str]:
    """Return recipient, subject and body as a mail program reads them."""
    parts = urlsplit(address)
    # In a mailto address a plus is a plus (RFC 6068).
    fields = parse_qs(parts.query.replace("+", "%2B"), keep_blank_values=True, strict_parsing=True)
    return parts.path, fields["subject"][0], fields["body"][0]


def test_the_first_line_is_the_subject_and_all_lines_are_the_body() -> None:
    details = "Get Payment Link: 50 % & more?\nVehicle: MH12AB1001\nअदालत #1 + 2"
    address = mailto("support@service.example", details)
    to, subject, body = parts_of(address)
    assert to == "support@service.example"
    assert subject == "Get Payment Link: 50 % & more?"
    assert body == details.replace("\n", "\r\n")
    assert address.isascii()
    assert not set(" \n\"'<>+") & set(address)


def test_details_that_no_mail_program_takes_are_cut_at_a_line_and_say_so() -> None:
    details = "\n".join(["Create Payment Link: does this link exist?", *(f"- चालान {n}" for n in range(100))])
    address = mailto("support@service.example", details)
    assert len(address) <= MAX_ADDRESS
    *kept, last = parts_of(address)[2].split("\r\n")
    assert last == "(Cut here: paste the copied details for the rest.)"
    assert kept == details.split("\n")[: len(kept)]
    assert len(kept) > 10


def test_one_line_that_is_too_long_keeps_its_beginning_in_the_subject() -> None:
    address = mailto("support@service.example", "x" * 5000)
    assert len(address) <= MAX_ADDRESS
    _to, subject, body = parts_of(address)
    assert subject == "x" * 100
    assert body.startswith("(Cut here")


def test_what_an_address_may_hold_adds_no_field_to_the_mail() -> None:
    assert mailto("fleet+50%25&cc@x.example", "A").startswith("mailto:fleet%2B50%2525%26cc@x.example?subject=A&body=A")
