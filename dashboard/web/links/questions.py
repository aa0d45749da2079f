"""Show that the driver of a link whose payment failed was asked whether money was taken."""

from __future__ import annotations

from dataclasses import replace

from dashboard.store.sharing.questions import Question
from dashboard.web.links import texts
from dashboard.web.links.records import AskedDriver
from dashboard.web.shared.current import current_services, name_of, person_id


def for_everybody(asked: Question | None) -> AskedDriver | None:
    """Say whom a person asked and when, without what that person alone can do."""
    if asked is None:
        return None
    by = name_of(asked.person_id)
    words, brief = texts.asked(asked.driver, asked.at), texts.asked_brief(asked.driver)
    return AskedDriver(asked.link_id, asked.id, asked.at, words, brief, by)


def for_person(asked: Question | None) -> AskedDriver | None:
    """Say the same to the signed-in person, who may take back what they asked just now."""
    shown = for_everybody(asked)
    if asked is None or shown is None:
        return None
    return replace(shown, may_undo=current_services().sharing.can_undo_question(asked, person_id()))
