"""Questions whether money was taken, to the drivers of links whose payment failed.

They are events of the link's history, and no shares: nobody is given the link by one. Whoever takes a question back
adds another event, and the queries leave the question out. What the driver answers is an event too, of which the newest
since the question counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from sqlalchemy import BindParameter, ColumnElement, Connection, Select, and_, bindparam, exists, func, or_, select

from dashboard.domain.sharing import Answer
from dashboard.store.links import history
from dashboard.store.links.tables import DRIVER_ANSWERED, DRIVER_ASKED, DRIVER_PHONED, QUESTION_UNDONE, link, link_event
from dashboard.store.sharing import drivers

#: The same question to the same driver again within this time is recorded once: a double tap.
_SAME_QUESTION = timedelta(minutes=1)
_COLUMNS = (link_event.c.id, link_event.c.link_id, link_event.c.new, link_event.c.person_id, link_event.c.at)
_IS_QUESTION = link_event.c.kind.in_((DRIVER_ASKED, DRIVER_PHONED))
_LINK_IDS: BindParameter[Any] = bindparam("link_ids", expanding=True)
_ANSWERS = select(*_COLUMNS).where(link_event.c.kind == DRIVER_ANSWERED, link_event.c.link_id.in_(_LINK_IDS))
_ANSWERS = _ANSWERS.order_by(link_event.c.id)
_answer = link_event.alias("answer")


@dataclass(frozen=True, slots=True)
class NotedAnswer:
    """Hold what the driver says, and who noted it when."""

    answer: Answer
    person_id: int
    at: datetime


@dataclass(frozen=True, slots=True)
class Question:
    """A question that a person asked. The driver is "" where WhatsApp asked whom to send it to, or nobody is known."""

    id: int
    link_id: str
    driver: str
    person_id: int
    at: datetime
    driver_id: int | None = None
    by_phone: bool = False
    answered: NotedAnswer | None = None


def add(
    connection: Connection,
    link_id: str,
    driver_id: int | None,
    *,
    at: datetime,
    person_id: int,
    by_phone: bool = False,
) -> bool:
    """Record that a person asked the driver of a link; return False where that was recorded just now, and stands."""
    kind = DRIVER_PHONED if by_phone else DRIVER_ASKED
    since = history.since_taken_back(connection, link_id, QUESTION_UNDONE, at - _SAME_QUESTION)
    asked = None if driver_id is None else str(driver_id)
    return history.record_once(connection, link_id, kind, at, not_since=since, person_id=person_id, new=asked)


def undo(connection: Connection, of: Question, at: datetime) -> None:
    """Take a question back; a second time changes nothing."""
    history.take_back(connection, of.link_id, QUESTION_UNDONE, of.id, of.at, at, person_id=of.person_id)


def find(connection: Connection, link_id: str, question_id: int) -> Question | None:
    """Return a question about a link, also one that was taken back; None when the link has none of this id."""
    found = _read(connection, _asked().where(link_event.c.link_id == link_id, link_event.c.id == question_id))
    return found[0] if found else None


def newest_of_links(connection: Connection, link_ids: Iterable[str]) -> dict[str, Question]:
    """Return the newest question about each of these links that nobody has taken back; the others are left out."""
    newest = {found.link_id: found for found in _read(connection, _standing(), {"link_ids": list(link_ids)})}
    answers = _answers(connection, newest)
    return {link_id: replace(asked, answered=answers.get(link_id)) for link_id, asked in newest.items()}


def note_answer(
    connection: Connection,
    link_id: str,
    answer: Answer | None,
    driver_id: int | None = None,
    *,
    at: datetime,
    person_id: int,
) -> bool:
    """Note what the driver says, or take that back; return False where that stands already.

    Who answers without a question of ours was asked by phone, which is recorded as well.
    """
    asked = newest_of_links(connection, [link_id]).get(link_id)
    if (asked.answered.answer if asked and asked.answered else None) is answer:
        return False
    if asked is None:
        add(connection, link_id, driver_id, at=at, person_id=person_id, by_phone=True)
    asked_at = asked.at if asked else at
    since = max(asked_at, _answered_at(connection, link_id) or asked_at)
    return history.record_once(
        connection, link_id, DRIVER_ANSWERED, at, not_since=since, person_id=person_id, new=answer
    )


def stands() -> ColumnElement[bool]:
    """Hold for the questions that nobody has taken back."""
    return history.stands(QUESTION_UNDONE)


def is_asked() -> ColumnElement[bool]:
    """Hold for the links whose driver was asked, unless the question was taken back."""
    return exists().where(link_event.c.link_id == link.c.id, _IS_QUESTION, stands()).correlate(link)


def is_answered(answer: Answer) -> ColumnElement[bool]:
    """Hold for the links whose driver was asked and answered this, as `newest_of_links` has it."""
    noted = exists().where(_answer.c.link_id == link.c.id, *_stands_as(answer)).correlate(link)
    return and_(is_asked(), noted)


def links_answered(answer: Answer) -> Select[Any]:
    """Select the ids of the links of which `is_answered` holds, beginning with the answers: these are few."""
    of_answer = exists().where(link_event.c.link_id == _answer.c.link_id, _IS_QUESTION, stands()).correlate(_answer)
    return select(_answer.c.link_id).where(*_stands_as(answer), of_answer)


def _stands_as(answer: Answer) -> tuple[ColumnElement[bool], ...]:
    """Hold for the answers that say this, unless a later one or a later question of their link stands."""
    later = exists().where(
        link_event.c.link_id == _answer.c.link_id,
        link_event.c.id > _answer.c.id,
        or_(link_event.c.kind == DRIVER_ANSWERED, and_(_IS_QUESTION, stands())),
    )
    return _answer.c.kind == DRIVER_ANSWERED, _answer.c.new == answer, ~later.correlate(_answer)


def _answers(connection: Connection, asked: Mapping[str, Question]) -> dict[str, NotedAnswer]:
    """Return the newest answer to each of these questions, by link; of one that was taken back there is none."""
    if not asked:
        return {}
    found: dict[str, NotedAnswer | None] = {}
    for answer_id, link_id, answer, person_id, at in connection.execute(_ANSWERS, {"link_ids": list(asked)}):
        if answer_id > asked[link_id].id:
            found[link_id] = NotedAnswer(Answer(answer), person_id, at) if answer else None
    return {link_id: answer for link_id, answer in found.items() if answer}


def _answered_at(connection: Connection, link_id: str) -> datetime | None:
    about = (link_event.c.link_id == link_id, link_event.c.kind == DRIVER_ANSWERED)
    return connection.execute(select(func.max(link_event.c.at)).where(*about)).scalar()


def _asked() -> Select[Any]:
    return select(*_COLUMNS, link_event.c.kind).where(_IS_QUESTION)


@cache
def _standing() -> Select[Any]:
    return _asked().where(link_event.c.link_id.in_(_LINK_IDS), stands()).order_by(link_event.c.id)


def _read(connection: Connection, query: Select[Any], given: Mapping[str, Any] | None = None) -> list[Question]:
    if not (rows := connection.execute(query, given).all()):
        return []
    named = drivers.names(connection, {int(asked) for _id, _link, asked, _person, _at, _kind in rows if asked})
    return [
        Question(
            question_id,
            link_id,
            named.get(int(asked), "") if asked else "",
            person_id,
            at,
            int(asked) if asked else None,
            kind == DRIVER_PHONED,
        )
        for question_id, link_id, asked, person_id, at, kind in rows
    ]
