"""What a course knows of a person: a student number, and an excuse."""

from __future__ import annotations

from pydantic import Field

from leaderboard.door.shapes import of_students
from leaderboard.door.shapes.of_students import StudentShape
from leaderboard.door.web.access import Needs, needs
from leaderboard.door.web.api.blueprint import SECURITY, blueprint
from leaderboard.door.web.api.desk.people import PERSON
from leaderboard.door.web.api.reading import Moment, Said, sent
from leaderboard.door.web.opened import opened
from leaderboard.door.web.roster import person_numbered
from leaderboard.door.web.visitors import person
from leaderboard.proof.ledger import LONGEST_REASON
from leaderboard.web.api.answers import Query
from leaderboard.web.api.description import Answers, api


class NewNumber(Query):
    """A person's student number."""

    number: Said
    """The number; empty takes it away."""


class NewExcuse(Query):
    """What a person is excused."""

    reason: Said = Field(min_length=1, max_length=LONGEST_REASON)
    """Why, which stays in the log and stands in the marks."""
    deadline: Moment | None = None
    """A later deadline for this person alone; null for the same as others have."""


@blueprint.get(f"{PERSON}/student")
@needs(Needs.ORGANISER, "manage")
@api.validate(
    resp=Answers(StudentShape, 401, 403, 404, kept=False), tags=["desk"], security=SECURITY
)
def student(person_id: int) -> StudentShape:
    """What a course knows of a person."""
    return _now(person_id)


@blueprint.put(f"{PERSON}/student/number")
@needs(Needs.ORGANISER, "manage")
@api.validate(
    json=NewNumber,
    resp=Answers(StudentShape, 401, 403, 404, kept=False),
    skip_validation=True,
    tags=["desk"],
    security=SECURITY,
)
def set_number(person_id: int) -> StudentShape:
    """Set a person's student number."""
    found = person_numbered(person_id)
    opened().door.set_number(found.email, sent(NewNumber).number, person().id)
    return _now(person_id)


@blueprint.put(f"{PERSON}/student/excuse")
@needs(Needs.ORGANISER, "manage")
@api.validate(
    json=NewExcuse,
    resp=Answers(StudentShape, 401, 403, 404, kept=False),
    skip_validation=True,
    tags=["desk"],
    security=SECURITY,
)
def excuse(person_id: int) -> StudentShape:
    """Excuse a person, in place of an excuse before."""
    found, said = person_numbered(person_id), sent(NewExcuse)
    opened().door.excuse(found.email, said.reason, said.deadline, person().id)
    return _now(person_id)


@blueprint.delete(f"{PERSON}/student/excuse")
@needs(Needs.ORGANISER, "manage")
@api.validate(
    resp=Answers(StudentShape, 401, 403, 404, kept=False), tags=["desk"], security=SECURITY
)
def take_excuse_back(person_id: int) -> StudentShape:
    """Take a person's excuse back."""
    opened().door.take_excuse_back(person_numbered(person_id).email, person().id)
    return _now(person_id)


def _now(person_id: int) -> StudentShape:
    return of_students.student(opened().door.student(person_numbered(person_id).id))
