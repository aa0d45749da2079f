"""Define how a change to an account is refused: by a sentence for people, which pages translate."""

from __future__ import annotations


class Refused(ValueError):
    """Refuse with a sentence and its values, such as "%(name)s is disabled."; `str()` is the whole one in English."""

    def __init__(self, sentence: str, **values: object) -> None:
        super().__init__(sentence % values if values else sentence)
        self.sentence, self.values = sentence, values
