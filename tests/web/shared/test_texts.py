"""Words that every noun uses."""

from __future__ import annotations

import pytest

from dashboard.web.shared.texts import join_words


@pytest.mark.parametrize(
    ("words", "sentence"), [(["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")]
)
def test_words_are_joined_as_in_a_sentence(words: list[str], sentence: str) -> None:
    assert join_words(words) == sentence
