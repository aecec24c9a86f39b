"""A position as people see it: who holds which cards, who is to act, what is at stake.

A terminal and a web page draw the same scene, and neither knows the game.
"""

from __future__ import annotations

from dataclasses import dataclass

from tables.cards import Card


@dataclass(frozen=True, slots=True)
class Shown:
    """One card on the table; `face_down` where the players don't see it."""

    card: Card
    face_down: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    """One place at the table.

    `seat` is -1 for the dealer. `facts` are labelled values such as ("chips", "190"). `status` is
    a word or two ("stands", "bust"), empty where there is nothing to say. `to_act` marks the place
    that everybody waits for.
    """

    seat: int
    cards: tuple[Shown, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    status: str = ""
    to_act: bool = False


@dataclass(frozen=True, slots=True)
class Scene:
    """A whole table: `title` says where in the game we are ("hand 3 of 5")."""

    title: str
    places: tuple[Place, ...]
