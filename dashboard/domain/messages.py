"""Fill the messages that drivers get: about a link to pay, which managers may reword, and about one that is paid.

A template is plain text with placeholders in braces (`languages.py` holds the original ones). A value that is
unknown is filled with words of the same language, so that no message has a gap where an amount or a deadline should be.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from difflib import get_close_matches
from enum import Enum, auto
from string import Formatter
from typing import TypeAlias

from dashboard.domain.languages import Language

#: The greatest length of a template, in characters.
MAX_LENGTH = 1200

#: The greatest length of a message that a person has changed.
MAX_TYPED = 2000

#: The placeholders that a template may use in braces.
PLACEHOLDERS = ("driver", "vehicle", "challans", "amount", "mode", "deadline", "url")
#: The placeholder without which there is nothing to pay with.
_REQUIRED = "url"
#: The placeholders that differ from link to link.
_OF_A_LINK = re.compile(r"\{(?:" + "|".join(name for name in PLACEHOLDERS if name != "driver") + r")\}")
_PLACEHOLDER = re.compile(r"\{(\w*)\}")
#: What stands for an empty value until its gap is closed: at the start of a line, before a comma, between blanks, and
#: beside one blank or none.
_EMPTY = "\0"
_GAPS = (
    (re.compile(r"^\0,? ?", re.MULTILINE), ""),
    (re.compile(r",? \0(?=,)"), ""),
    (re.compile(r"( \0)+ "), " "),
    (re.compile(r" ?\0 ?"), ""),
)


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
    """Report that a template cannot be used.

    `placeholder` is the unknown one of UNKNOWN_PLACEHOLDER, and `meant` the one that it resembles, "" if none.
    """

    def __init__(self, problem: TemplateProblem, placeholder: str = "") -> None:
        super().__init__(problem.name)
        self.problem = problem
        self.placeholder = placeholder
        self.meant = next(iter(get_close_matches(placeholder.lower(), PLACEHOLDERS, n=1)), "")


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


def names_address(text: str, url: str) -> bool:
    """Return whether a message has the payment URL so that it can be opened: nothing of the web's is stuck to its end.

    static/js/lazy/share-options.js says the same while a message is typed.
    """
    return re.search(rf"(?<![A-Za-z0-9]){re.escape(url)}(?![A-Za-z0-9_/?=&#%~+@-])", text) is not None


def fill(template: str, values: Mapping[str, str]) -> str:
    """Replace the placeholders of a template in one pass, so that a value with braces in it is not filled again.

    An empty value is removed together with one adjacent blank, and leaves no gap; a line does not begin with its comma.
    """

    filled = _PLACEHOLDER.sub(lambda found: values.get(found[1], found[0]) or _EMPTY, template)
    for gap, words in _GAPS:
        filled = gap.sub(words, filled)
    return filled


@dataclass(frozen=True, slots=True)
class Message:
    """Hold a message that is ready to send: its subject (for email) and its text."""

    subject: str
    text: str


@dataclass(frozen=True, slots=True)
class MessageFacts:
    """Hold the facts about a link for a message. None is unknown; `amount` is by `mode`, as the service spells it.

    Of a link that is paid, `amount` is what was received, where all modes come to it: which was used is not reported.
    `challan_total` is what its challans come to, `paid_at` when it was paid, and `receipt` the number of its receipt.
    `challan_numbers` are those of its challans that the receipt names.
    """

    driver: str | None
    plate: str | None
    challans: int
    amount: Decimal | None
    mode: str | None
    deadline: datetime | None
    url: str
    challan_total: Decimal | None = None
    paid_at: datetime | None = None
    receipt: str = ""
    challan_numbers: tuple[str, ...] = ()


#: A link with the values of its placeholders.
_Named: TypeAlias = tuple[MessageFacts, dict[str, str]]


def compose(
    language: Language,
    template: str | None,
    facts: MessageFacts,
    *,
    format_amount: Callable[[Decimal], str],
    format_moment: Callable[[datetime, Language], str],
) -> Message:
    """Word the message about a link, with a manager's template where there is one.

    `format_amount` writes an amount, and `format_moment` a moment in a language, as people read them.
    """
    values = _values(language, facts, format_amount, format_moment)
    body = _counted(language, template or language.body, facts.challans)
    return Message(" ".join(fill(language.subject, values).split()), fill(body, values))


def compose_several(
    language: Language,
    template: str | None,
    listed: Sequence[MessageFacts],
    *,
    format_amount: Callable[[Decimal], str],
    format_moment: Callable[[datetime, Language], str],
) -> str:
    """Word one message to a driver about several links: greeting and closing once, and between them each link.

    Links of one vehicle are a numbered list under its name, because a vehicle that "has" once three and once two
    challans reads as a contradiction. Of a manager's template, the lines from the first to the last that names
    something of a link are repeated for each of them. A greeting in the same line as that is repeated too, because no
    manager's sentence is cut.
    """
    lines = (template or language.body).split("\n")
    of_links = [number for number, line in enumerate(lines) if _OF_A_LINK.search(line)]
    first, last = of_links[0], of_links[-1] + 1
    block = "\n".join(lines[first:last])
    named = [(facts, _values(language, facts, format_amount, format_moment)) for facts in listed]
    vehicles: dict[str, list[_Named]] = {}
    for number, (facts, values) in enumerate(named):
        vehicles.setdefault(facts.plate or str(number), []).append((facts, values))
    blocks, has_list = [], False
    for group in vehicles.values():
        filled = [fill(_counted(language, block, facts.challans), values) for facts, values in group]
        if len(group) > 1 and template:
            filled = [f"{number}. {text}" for number, text in enumerate(filled, 1)]
        elif len(group) > 1:
            filled, has_list = _listed(language, group, format_amount), True
        blocks += filled
    before, after = (fill("\n".join(part), named[0][1]) for part in (lines[:first], lines[last:]))
    if len(listed) > 1:
        after = after.replace(*language.closing)
    if has_list and language.list_end:
        after = f"\n{language.list_end}"
    return before + ("\n" if before else "") + "\n\n".join(blocks) + ("\n" if after else "") + after


def _listed(language: Language, group: Sequence[_Named], format_amount: Callable[[Decimal], str]) -> list[str]:
    """Name a vehicle once, with the sum of its links, and number the links; what is not known is left out."""
    amounts = [facts.amount for facts, _values in group if facts.amount is not None]
    challans = sum(facts.challans for facts, _values in group)
    head = [fill(_counted(language, language.listed, challans), group[0][1] | {"challans": str(challans)})]
    if len(amounts) == len(group):
        head.append(fill(language.total, {"amount": format_amount(sum(amounts, Decimal(0)))}))
    blocks = [" ".join(head)]
    for number, (facts, values) in enumerate(group, 1):
        words = [fill(language.counted[facts.challans != 1], values)]
        if facts.amount is not None:
            words.append(values["amount"] + (f" ({values['mode']})" if facts.mode else ""))
        blocks.append("\n".join([f"{number}. {', '.join(words)}", fill(language.pay_before, values), values["url"]]))
    return blocks


def told_by(
    language: Language,
    facts: MessageFacts,
    *,
    format_amount: Callable[[Decimal], str],
    format_moment: Callable[[datetime, Language], str],
) -> dict[str, tuple[str, ...]]:
    """Return by which words a message says how much to pay, and until when, as far as that is known: any of them does.

    The amount is found with and without its commas, the deadline by its day or its time.
    """
    told: dict[str, tuple[str, ...]] = {}
    if facts.amount is not None:
        amount = re.sub(r"[^\d.,]", "", format_amount(facts.amount)).removesuffix(".00")
        told["amount"] = (amount, amount.replace(",", ""))
    if facts.deadline:
        day, _comma, time = format_moment(facts.deadline, language).partition(", ")
        told["deadline"] = (day, *re.findall(r"\d+:\d+", time))
    return told


def with_line(
    language: Language,
    text: str,
    missed: Collection[str],
    facts: MessageFacts,
    *,
    format_amount: Callable[[Decimal], str],
    format_moment: Callable[[datetime, Language], str],
) -> str:
    """Append a line with what a message has `missed`: the amount, the deadline, or both."""
    values = _values(language, facts, format_amount, format_moment)
    if facts.mode:
        # Another way to pay may cost more.
        values["amount"] += f" ({values['mode']})"
    wording = language.to_pay if len(missed) > 1 else language.total if "amount" in missed else language.pay_before
    return f"{text.rstrip()}\n{fill(wording, values)}"


def compose_receipt(
    language: Language,
    facts: MessageFacts,
    *,
    format_amount: Callable[[Decimal], str],
    format_moment: Callable[[datetime, Language], str],
) -> Message:
    """Word the thanks for a link that was paid. What was received is named where it is known, else what it was for."""
    values = {
        "driver": facts.driver or "",
        "vehicle": facts.plate or "",
        "challans": str(facts.challans),
        "amount": "" if facts.amount is None else format_amount(facts.amount),
    }
    payment = language.unknown_payment if facts.amount is None else fill(language.payment, values)
    text = fill(_counted(language, language.receipt, facts.challans), values | {"payment": payment})
    lines = []
    if facts.challan_numbers:
        lines.append(fill(language.challan_numbers, {"numbers": ", ".join(facts.challan_numbers)}))
    if facts.amount is None and facts.challan_total is not None:
        lines.append(fill(language.challan_total, {"amount": format_amount(facts.challan_total)}))
    if facts.paid_at:
        lines.append(fill(language.paid_at, {"when": format_moment(facts.paid_at, language)}))
    if facts.receipt:
        lines.append(fill(language.receipt_number, {"number": facts.receipt}))
    return Message(fill(language.receipt_subject, values).strip(), "\n\n".join(filter(None, (text, "\n".join(lines)))))


def compose_question(language: Language, facts: MessageFacts, *, format_amount: Callable[[Decimal], str]) -> str:
    """Word the question whether money was taken, of a link whose payment failed.

    By its amount and its challans a driver who pays several links knows which payment is meant.
    """
    text = fill(language.failed, {"driver": facts.driver or "", "vehicle": facts.plate or ""})
    lines = []
    if facts.challan_numbers:
        lines.append(fill(language.challan_numbers, {"numbers": ", ".join(facts.challan_numbers)}))
    if facts.amount is not None:
        lines.append(fill(language.total, {"amount": format_amount(facts.amount)}))
    return "\n\n".join(filter(None, (text, "\n".join(lines))))


def _values(
    language: Language,
    facts: MessageFacts,
    format_amount: Callable[[Decimal], str],
    format_moment: Callable[[datetime, Language], str],
) -> dict[str, str]:
    mode = facts.mode and language.modes.get(facts.mode, facts.mode)
    return {
        "driver": facts.driver or "",
        "vehicle": facts.plate or "",
        "challans": str(facts.challans),
        "amount": language.unknown_amount if facts.amount is None else format_amount(facts.amount),
        "mode": mode or language.any_mode,
        "deadline": format_moment(facts.deadline, language) if facts.deadline else language.unknown_deadline,
        "url": facts.url,
    }


def _counted(language: Language, template: str, challans: int) -> str:
    """Return a template in the singular where it is about one challan, as far as the language's own words go."""
    if challans == 1:
        for several, one in language.one:
            template = template.replace(several, one)
    return template
