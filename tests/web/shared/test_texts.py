"""Test the words that all nouns share."""

from __future__ import annotations

import pytest

from dashboard.web.shared.service_words import offence_and_law
from dashboard.web.shared.texts import join_words, name_first


@pytest.mark.parametrize(
    ("words", "sentence"), [(["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")]
)
def test_words_are_joined_as_in_a_sentence(words: list[str], sentence: str) -> None:
    assert join_words(words) == sentence


@pytest.mark.parametrize(("count", "sentence"), [(2, "a, b"), (3, "a, b and 1 more")])
def test_a_list_that_is_cut_short_says_how_many_more_there_are(count: int, sentence: str) -> None:
    assert name_first(["a", "b"], count) == sentence


@pytest.mark.parametrize(
    ("offence", "law"),
    [
        ("No parking, Sec 122 r/w 177 MV Act", ", Sec 122 r/w 177 MV Act"),
        ("Loading beyond the limit, again, SEC. 194 MV Act", ", SEC. 194 MV Act"),
        ("Without reflectors, Rule 104 CMVR", ", Rule 104 CMVR"),
        ("बिना सीट बेल्ट वाहन चलाना, धारा 194B मो.वा. अधिनियम", ", धारा 194B मो.वा. अधिनियम"),
        ("No parking", ""),
        ("Not stopping, security line crossed", ""),
        (", Sec 184", ""),
        ("", ""),
    ],
)
def test_an_offence_is_parted_from_the_section_of_the_law_that_ends_it(offence: str, law: str) -> None:
    done, found = offence_and_law(offence)
    assert found == law
    assert done + found == offence, "nothing is lost"
