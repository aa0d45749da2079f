"""Test the words that all nouns share."""

from __future__ import annotations

import pytest

from dashboard.web.shared.texts import join_words, name_first


@pytest.mark.parametrize(
    ("words", "sentence"), [(["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")]
)
def test_words_are_joined_as_in_a_sentence(words: list[str], sentence: str) -> None:
    assert join_words(words) == sentence


@pytest.mark.parametrize(("count", "sentence"), [(2, "a, b"), (3, "a, b and 1 more")])
def test_a_list_that_is_cut_short_says_how_many_more_there_are(count: int, sentence: str) -> None:
    assert name_first(["a", "b"], count) == sentence
