"""Word the messages to drivers: what one says about a link, and the wording that managers change."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from dashboard.domain.edit_conflicts import Basis, require_unchanged
from dashboard.domain.languages import LANGUAGES
from dashboard.domain.links import AmountBreakdown
from dashboard.domain.messages import MessageFacts
from dashboard.domain.registration import spaced
from dashboard.services.schedule import Clock
from dashboard.store.engine import Store
from dashboard.store.links.records import Link
from dashboard.store.sharing import message_templates


@dataclass(frozen=True)
class MessageTemplates:
    store: Store
    clock: Clock

    def save(self, language: str, body: str, person_id: int, basis: Basis | None) -> None:
        """Save a manager's wording (a checked template). Raises EditConflict when others saved since `basis`."""
        with self.store.write() as connection:
            stored = message_templates.find(connection, language)
            in_use = stored.body if stored else LANGUAGES[language].body
            require_unchanged(basis, {"body": in_use}, {"body": body})
            message_templates.save(connection, language, body, self.clock(), person_id)

    def restore(self, language: str, basis: Basis | None = None) -> None:
        """Go back to the product's wording of a language. Raises EditConflict when others saved since `basis`."""
        with self.store.write() as connection:
            stored = message_templates.find(connection, language)
            original = LANGUAGES[language].body
            require_unchanged(basis, {"body": stored.body if stored else original}, {"body": original})
            message_templates.delete(connection, language)


def facts_of(link: Link, challans: int, driver_name: str | None) -> MessageFacts:
    """Collect the facts about a link to pay; the amount is that of the cheapest payment mode, if known."""
    cheapest = _cheapest(link)
    return MessageFacts(
        driver=driver_name,
        plate=spaced(link.rc) if link.rc else None,
        challans=challans,
        amount=cheapest.total_amount if cheapest else link.total,
        mode=cheapest.payment_mode if cheapest else None,
        deadline=link.expires_at,
        url=link.payment_url or "",
    )


def _cheapest(link: Link) -> AmountBreakdown | None:
    """Return the cheapest way to pay, or None unless every way's total is known."""
    modes = link.payment_modes
    if not modes or any(mode.total_amount is None for mode in modes):
        return None
    return min(modes, key=lambda mode: mode.total_amount or Decimal(0))
