import time
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboard.domain.registration import (
    Doubt,
    InvalidRegistration,
    RegistrationProblem,
    doubt,
    normalize,
    normalize_part,
    spaced,
)


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("MH12AB1001", "MH12AB1001"),
        ("mh-12 ab 1001", "MH12AB1001"),
        (" MH.12/AB—1001 ", "MH12AB1001"),
        ("22 bh 1234 ab", "22BH1234AB"),
        ("ＭＨ１２ＡＢ１００１", "MH12AB1001"),
        ("DL1CA1234", "DL1CA1234"),
    ],
)
def test_spaces_hyphens_and_case_do_not_matter(typed, stored):
    assert normalize(typed) == stored
    assert normalize(stored) == stored


@pytest.mark.parametrize(
    ("typed", "problem"),
    [
        ("", RegistrationProblem.EMPTY),
        ("  - ", RegistrationProblem.EMPTY),
        ("MH12AB100100000000001", RegistrationProblem.TOO_LONG),
        ("महा१२", RegistrationProblem.OTHER_CHARACTERS),
        ("MH12;DROP", RegistrationProblem.OTHER_CHARACTERS),
        ("<script>", RegistrationProblem.OTHER_CHARACTERS),
    ],
)
def test_a_text_that_cannot_be_a_number_is_refused_with_the_reason(typed, problem):
    with pytest.raises(InvalidRegistration) as refused:
        normalize(typed)
    assert refused.value.problem is problem


def test_a_part_of_a_number_is_never_refused():
    assert normalize_part("ab 10<") == "AB10"
    assert normalize_part("मह") == ""


@pytest.mark.parametrize(
    ("stored", "plate"),
    [
        ("MH12AB1001", "MH12 AB 1001"),
        ("22BH1234AB", "22 BH 1234 AB"),
        ("MH121234", "MH12 1234"),
        ("DL1CAB1234", "DL1C AB 1234"),
        ("DL1CA1234", "DL1C A 1234"),
        ("DL3SBZ42", "DL3S BZ 42"),
        ("DL10CAB1234", "DL10C AB 1234"),
        ("DL12CB1234", "DL12 CB 1234"),
        ("DL1AB1234", "DL1 AB 1234"),
        ("DL1CAB12345", "DL1C AB 12345"),
        ("MH1CAB1234", "MH1 CAB 1234"),
        ("WEIRD9PLATE", "WEIRD9PLATE"),
        ("MH12", "MH12"),
        ("MH123", "MH123"),
    ],
)
def test_a_number_is_spaced_as_on_its_plate(stored, plate):
    assert spaced(stored) == plate
    assert normalize(spaced(stored)) == stored


#: Marks of two classes in turn: sorting them takes time that grows with the square of their number, here half a minute.
MARKS = "a" + "\u0300\u0316" * 100_000


@pytest.mark.parametrize("read", [normalize, normalize_part])
def test_a_text_of_combining_marks_stops_nobody(read):
    before = time.thread_time()  # Of the processor: other work on the machine does not count.
    with suppress(InvalidRegistration):
        read(MARKS)
    assert time.thread_time() - before < 1


def test_a_text_beyond_any_number_is_too_long():
    with pytest.raises(InvalidRegistration) as refused:
        normalize("MH12AB1001" + " " * 200)
    assert refused.value.problem is RegistrationProblem.TOO_LONG


@pytest.mark.parametrize(
    "rc",
    [
        *("MH12AB1001", "DL1CAB1234", "MH12A1", "KA51AAA0007", "TN221234", "GJ01KT0007"),
        *("22BH1234AB", "21BH0001A", "MHA1234", "DEL12", "KA01T123456", "MH12TC10012", "T0423MH1234AB"),
        *("03D153874H", "77CD12", "MHVAAB1234"),
    ],
)
def test_no_shape_that_exists_is_doubted(rc: str) -> None:
    assert doubt(rc) is None


def test_a_digit_too_many_is_doubted_with_what_was_most_likely_meant() -> None:
    assert doubt("MH12AB10012") == Doubt("MH12AB10012", meant="MH12AB1001", digits=5)
    assert spaced("MH12AB10012") == "MH12 AB 10012"


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("MH12AB100O", "MH12AB1000"),
        ("MH12ABIOO1", "MH12AB1001"),
        ("MHO1AB1234", "MH01AB1234"),
        ("0D02AB1234", "OD02AB1234"),
        ("MHI2AB12I4", "MH12AB1214"),
    ],
)
def test_a_letter_in_the_place_of_a_digit_that_looks_like_it_is_doubted_with_what_was_meant(typed: str, meant: str):
    assert doubt(typed) == Doubt(typed, meant=meant)


@pytest.mark.parametrize("rc", ["ABC", "12345", "MH", "MH12ABCD1001", "1", "MH12", "MH12AB", "DL1"])
def test_what_no_number_looks_like_is_doubted_without_a_guess(rc: str) -> None:
    assert doubt(rc) == Doubt(rc)


@given(st.from_regex(r"[A-Z]{2}[0-9]{1,2}[A-Z]{1,3}[0-9]{1,4}", fullmatch=True))
def test_a_number_that_is_offered_instead_is_never_doubted_itself(rc: str) -> None:
    assert doubt(rc) is None
    longer = doubt(rc + "00000")
    assert longer is None or longer.meant is None or doubt(longer.meant) is None
