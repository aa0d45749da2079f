"""Name common offences in both scripts, because the service sends some in English and some in Hindi."""

from __future__ import annotations

#: Words for one offence, each as a part of what the service sends; a search for any of them finds all.
OFFENCE_WORDS = (
    ("helmet", "headgear", "हेलमेट"),
    ("red light", "signal", "लाल बत्ती", "सिग्नल"),
    ("parking", "पार्किंग"),
    ("speed", "गति"),
    ("seat belt", "seatbelt", "सीट बेल्ट"),
    ("mobile", "phone", "मोबाइल", "फोन"),
    ("insurance", "बीमा"),
    ("puc", "pollution", "प्रदूषण"),
    ("licence", "license", "लाइसेंस", "अनुज्ञप्ति"),
    ("permit", "परमिट"),
    ("fitness", "फिटनेस"),
    ("load", "overload", "भार", "ओवरलोड"),
    ("wrong side", "गलत दिशा", "विपरीत दिशा"),
    ("number plate", "नंबर प्लेट"),
    ("drunk", "alcohol", "शराब"),
    ("triple", "तीन सवारी"),
)
#: Fewer letters name no offence.
_FEWEST = 3


def same_offence(typed: str) -> tuple[str, ...]:
    """Return a text with every word for the offence that it names or begins to name."""
    text = " ".join(typed.casefold().split())
    if len(text) >= _FEWEST:
        for words in OFFENCE_WORDS:
            if any(word.startswith(text) or word in text for word in words):
                return (text, *(word for word in words if word != text))
    return (text,)
