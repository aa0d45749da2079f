"""Define the messages that drivers get with a payment link, in six languages. Managers may reword each.

A template is plain text with placeholders in braces. A value that is unknown is filled with words of the same language,
so that no message has a gap where an amount or a deadline should be.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import Enum, auto
from string import Formatter

#: The greatest length of a template, in characters.
MAX_LENGTH = 1200

#: The placeholders that a template may use in braces.
PLACEHOLDERS = ("driver", "vehicle", "challans", "amount", "mode", "deadline", "url")
#: The placeholder without which there is nothing to pay with.
_REQUIRED = "url"
_PLACEHOLDER = re.compile(r"( ?)\{(\w*)\}( ?)")
#: Payment modes as messages name them, by the service's spelling; another is named as the service spells it.
_MODES = {"UPI": "UPI", "CREDIT_CARD": "credit card"}


@dataclass(frozen=True, slots=True)
class Language:
    """Define a language of messages: its own and English name, the locale of its dates, and its words for unknowns."""

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
            "Unpaid challans of vehicle {vehicle}: {challans}. Please pay {amount} by {mode} before {deadline}:\n"
            "{url}\n\nThe link stops working after that.",
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
DEFAULT_LANGUAGE = LANGUAGES["en"]


class TemplateProblem(Enum):
    """List the reasons why a template cannot be used."""

    EMPTY = auto()
    TOO_LONG = auto()
    DOUBLE_BRACES = auto()
    LONE_BRACE = auto()
    UNKNOWN_PLACEHOLDER = auto()
    FORMATTED_PLACEHOLDER = auto()
    NO_URL = auto()


class TemplateRefused(ValueError):
    """Report that a template cannot be used; `placeholder` is the unknown one of UNKNOWN_PLACEHOLDER."""

    def __init__(self, problem: TemplateProblem, placeholder: str = "") -> None:
        super().__init__(problem.name)
        self.problem = problem
        self.placeholder = placeholder


def checked_template(typed: str) -> str:
    """Return a template as it is stored. Raises TemplateRefused when it cannot be filled, or has no payment URL."""
    text = typed.replace("\r\n", "\n").strip()
    if not text:
        raise TemplateRefused(TemplateProblem.EMPTY)
    if len(text) > MAX_LENGTH:
        raise TemplateRefused(TemplateProblem.TOO_LONG)
    if "{{" in text or "}}" in text:
        raise TemplateRefused(TemplateProblem.DOUBLE_BRACES)
    try:
        parts = [(name, spec or conversion) for _, name, spec, conversion in Formatter().parse(text)]
    except ValueError:
        raise TemplateRefused(TemplateProblem.LONE_BRACE) from None
    named = {name for name, _ in parts if name is not None}
    if unknown := sorted(named.difference(PLACEHOLDERS)):
        raise TemplateRefused(TemplateProblem.UNKNOWN_PLACEHOLDER, unknown[0])
    if any(formatting for _, formatting in parts):
        raise TemplateRefused(TemplateProblem.FORMATTED_PLACEHOLDER)
    if _REQUIRED not in named:
        raise TemplateRefused(TemplateProblem.NO_URL)
    return text


def fill(template: str, values: Mapping[str, str]) -> str:
    """Replace the placeholders of a template in one pass, so that a value with braces in it is not filled again.

    An empty value is removed together with one adjacent blank, and leaves no gap.
    """

    def replace(found: re.Match[str]) -> str:
        before, name, after = found.groups()
        if value := values.get(name, f"{{{name}}}"):
            return f"{before}{value}{after}"
        return " " if before and after else ""

    return _PLACEHOLDER.sub(replace, template)


@dataclass(frozen=True, slots=True)
class Message:
    """Hold a message that is ready to send: its subject (for e-mail) and its text."""

    subject: str
    text: str


@dataclass(frozen=True, slots=True)
class MessageFacts:
    """Hold the facts about a link for a message. None is unknown; `amount` is by `mode`, as the service spells it."""

    driver: str | None
    plate: str | None
    challans: int
    amount: Decimal | None
    mode: str | None
    deadline: datetime | None
    url: str


def compose(
    language: Language,
    template: str | None,
    facts: MessageFacts,
    *,
    format_amount: Callable[[Decimal], str],
    format_moment: Callable[[datetime, str], str],
) -> Message:
    """Word the message about a link, with a manager's template where there is one.

    `format_amount` writes an amount, and `format_moment` a moment in a locale, as people read them.
    """
    mode = facts.mode and _MODES.get(facts.mode, facts.mode)
    values = {
        "driver": facts.driver or language.somebody,
        "vehicle": facts.plate or "",
        "challans": str(facts.challans),
        "amount": language.unknown_amount if facts.amount is None else format_amount(facts.amount),
        "mode": mode or language.any_mode,
        "deadline": format_moment(facts.deadline, language.locale) if facts.deadline else language.unknown_deadline,
        "url": facts.url,
    }
    return Message(" ".join(fill(language.subject, values).split()), fill(template or language.body, values))
