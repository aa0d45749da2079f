"""The messages that go to drivers with a payment link, in six languages; managers may rewrite each.

A template is plain text with names in braces. What is not known is said in words of the same language, so that no
message has a gap where an amount or a deadline should stand.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from string import Formatter

LONGEST = 1200

#: What a template may name, and what it stands for.
NAMES = {
    "driver": "the driver's name",
    "vehicle": "the plate",
    "challans": "how many challans",
    "amount": "what is to be paid, by the cheapest way to pay",
    "mode": "the cheapest way to pay",
    "deadline": "when the link ends, with its time zone",
    "url": "the payment URL",
}
#: Without this there is nothing to pay with.
_NEEDED = "url"
_ALLOWED = re.compile(r"( ?)\{(\w*)\}( ?)")


@dataclass(frozen=True, slots=True)
class Language:
    """A language: code, own and English name, the locale of its dates, and its words for what is unknown."""

    code: str
    name: str
    english: str
    locale: str
    unknown_amount: str
    unknown_deadline: str
    any_mode: str
    somebody: str
    subject: str
    body: str


LANGUAGES = {
    language.code: language
    for language in (
        Language(
            "en",
            "English",
            "English",
            "en_IN",
            "the amount shown on the page",
            "the time shown on the page",
            "any way offered",
            "driver",
            "Challans of {vehicle}: pay {amount} by {deadline}",
            "Hello {driver},\n\n"
            "Challans of vehicle {vehicle} to be paid: {challans}. Amount: {amount} by {mode}.\n"
            "Pay before {deadline} here:\n{url}\n\n"
            "After that the link no longer works.",
        ),
        Language(
            "hi",
            "हिन्दी",
            "Hindi",
            "hi_IN",
            "पेज पर दिखाई गई राशि",
            "पेज पर दिखाया गया समय",
            "किसी भी उपलब्ध तरीके",
            "ड्राइवर जी",
            "{vehicle} के चालान: {deadline} तक {amount} चुकाएँ",
            "नमस्ते {driver},\n\n"
            "वाहन {vehicle} के {challans} चालान का भुगतान करना है: {mode} से {amount}।\n"
            "{deadline} से पहले यहाँ भुगतान करें:\n{url}\n\n"
            "इसके बाद यह लिंक काम नहीं करेगा।",
        ),
        Language(
            "mr",
            "मराठी",
            "Marathi",
            "mr_IN",
            "पानावर दाखवलेली रक्कम",
            "पानावर दाखवलेली वेळ",
            "उपलब्ध असलेल्या कोणत्याही पद्धती",
            "चालक",
            "{vehicle} चे चलन: {deadline} पर्यंत {amount} भरा",
            "नमस्कार {driver},\n\n"
            "वाहन {vehicle} ची {challans} चलने भरायची आहेत: {mode} ने {amount}.\n"
            "{deadline} पूर्वी येथे भरा:\n{url}\n\n"
            "त्यानंतर ही लिंक चालणार नाही.",
        ),
        Language(
            "ta",
            "தமிழ்",
            "Tamil",
            "ta_IN",
            "பக்கத்தில் காட்டப்படும் தொகை",
            "பக்கத்தில் காட்டப்படும் நேரம்",
            "வழங்கப்படும் எந்த முறையிலும்",
            "ஓட்டுநர்",
            "{vehicle} சலான்கள்: {deadline}-க்குள் {amount} செலுத்தவும்",
            "வணக்கம் {driver},\n\n"
            "{vehicle} வாகனத்தின் {challans} சலான்களுக்குச் செலுத்த வேண்டிய தொகை: {amount} ({mode}).\n"
            "{deadline}-க்கு முன் இங்கே செலுத்தவும்:\n{url}\n\n"
            "அதன் பிறகு இந்த இணைப்பு செயல்படாது.",
        ),
        Language(
            "te",
            "తెలుగు",
            "Telugu",
            "te_IN",
            "పేజీలో చూపిన మొత్తం",
            "పేజీలో చూపిన సమయం",
            "అందుబాటులో ఉన్న ఏదైనా పద్ధతి",
            "డ్రైవర్",
            "{vehicle} చలాన్లు: {deadline} లోపు {amount} చెల్లించండి",
            "నమస్తే {driver},\n\n"
            "వాహనం {vehicle} యొక్క {challans} చలాన్లకు చెల్లించాల్సిన మొత్తం: {amount} ({mode}).\n"
            "{deadline} లోపు ఇక్కడ చెల్లించండి:\n{url}\n\n"
            "ఆ తర్వాత ఈ లింక్ పనిచేయదు.",
        ),
        Language(
            "kn",
            "ಕನ್ನಡ",
            "Kannada",
            "kn_IN",
            "ಪುಟದಲ್ಲಿ ತೋರಿಸಿದ ಮೊತ್ತ",
            "ಪುಟದಲ್ಲಿ ತೋರಿಸಿದ ಸಮಯ",
            "ಲಭ್ಯವಿರುವ ಯಾವುದೇ ವಿಧಾನ",
            "ಚಾಲಕರೇ",
            "{vehicle} ಚಲನ್‌ಗಳು: {deadline} ಒಳಗೆ {amount} ಪಾವತಿಸಿ",
            "ನಮಸ್ಕಾರ {driver},\n\n"
            "ವಾಹನ {vehicle} ನ {challans} ಚಲನ್‌ಗಳಿಗೆ ಪಾವತಿಸಬೇಕಾದ ಮೊತ್ತ: {amount} ({mode}).\n"
            "{deadline} ಕ್ಕಿಂತ ಮೊದಲು ಇಲ್ಲಿ ಪಾವತಿಸಿ:\n{url}\n\n"
            "ಅದರ ನಂತರ ಈ ಲಿಂಕ್ ಕೆಲಸ ಮಾಡುವುದಿಲ್ಲ.",
        ),
    )
}
DEFAULT = LANGUAGES["en"]


class TemplateRefused(ValueError):
    """A template that cannot be used; `str()` is a sentence for whoever wrote it."""


def check(body: str) -> str:
    """The template as it is kept. Raises TemplateRefused when it could not be filled, or has no payment URL."""
    text = body.replace("\r\n", "\n").strip()
    if not text:
        raise TemplateRefused("Write the message.")
    if len(text) > LONGEST:
        raise TemplateRefused(f"A message has at most {LONGEST} letters.")
    if "{{" in text or "}}" in text:
        raise TemplateRefused("A name stands in one pair of braces, as in {vehicle}.")
    try:
        named = {name for _, name, _, _ in Formatter().parse(text) if name is not None}
    except ValueError:
        raise TemplateRefused("A brace stands alone. Names stand in braces, as in {vehicle}.") from None
    if strangers := sorted(named - NAMES.keys()):
        raise TemplateRefused(f"{{{strangers[0]}}} is not a name that a message can use.")
    if any(spec or conversion for _, _, spec, conversion in Formatter().parse(text)):
        raise TemplateRefused("Names stand in braces by themselves, as in {vehicle}.")
    if _NEEDED not in named:
        raise TemplateRefused("The message needs {url}, or there is nothing to pay with.")
    return text


def fill(template: str, values: Mapping[str, str]) -> str:
    """A template with its names replaced, once: what a value holds is never taken for a name.

    What is empty takes a blank beside it along, and leaves no gap.
    """

    def replaced(found: re.Match[str]) -> str:
        before, name, after = found.groups()
        if value := values.get(name, f"{{{name}}}"):
            return f"{before}{value}{after}"
        return " " if before and after else ""

    return _ALLOWED.sub(replaced, template)
