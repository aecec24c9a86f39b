"""What a course knows of a person, for programs."""

from __future__ import annotations

from datetime import datetime

from leaderboard.door.entries import Student
from leaderboard.shapes.base import Shape, Text


class StudentShape(Shape):
    """What a course knows of a person; organisers alone read it."""

    number: Text
    """The student number; empty where none is known."""
    reason: Text
    """Why the person is excused; empty where they are not."""
    deadline: datetime | None
    """The deadline of this person alone; null for the same as others have."""


def student(found: Student) -> StudentShape:
    return StudentShape.model_validate(found)
