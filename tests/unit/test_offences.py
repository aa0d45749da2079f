"""Test that offences are found by common words in either script."""

from __future__ import annotations

import pytest

from dashboard.domain.offences import OFFENCE_WORDS, same_offence
from dashboard.replica.vocabulary import OFFENCES


@pytest.mark.parametrize(
    ("typed", "hindi"),
    [
        ("helmet", "हेलमेट"),
        ("Red light", "लाल बत्ती"),
        ("park", "पार्किंग"),
        ("speeding", "गति"),
        ("Seat  belt", "सीट बेल्ट"),
        ("puc", "प्रदूषण"),
    ],
)
def test_an_english_word_also_finds_hindi_and_back(typed: str, hindi: str) -> None:
    assert hindi in same_offence(typed)
    assert set(same_offence(hindi)) >= {word for words in OFFENCE_WORDS if hindi in words for word in words}


@pytest.mark.parametrize("typed", ["", "a", "he", "mh12", "12345", "ramesh"])
def test_what_names_no_offence_stands_for_itself_alone(typed: str) -> None:
    assert same_offence(typed) == (typed,)


def test_both_scripts_of_the_service_have_an_offence_for_common_words() -> None:
    texts = [offence.text.casefold() for offence in OFFENCES]
    for typed in ("red light", "seat belt", "speed", "parking", "mobile"):
        found = [text for text in texts if any(word in text for word in same_offence(typed))]
        assert any(text.isascii() for text in found)
        assert any(not text.isascii() for text in found), typed
