"""Duplicate matches: the same cards, with the seats rotated."""

from __future__ import annotations

import pytest

from card_arena.tables.game import Game
from card_arena.tables.registry import GAMES
from card_arena.tables.seating import SeatingPlan, boards, seating_plan

PARTNERS = ((0, 2), (1, 3))
THREE = ((0,), (1,), (2,))


def test_partners_are_one_entrant_in_their_seats() -> None:
    assert seating_plan(PARTNERS) == SeatingPlan((0, 1), ((0, 1, 0, 1),))


def test_different_partners_are_an_entrant_a_seat() -> None:
    assert seating_plan(PARTNERS, apart=True) == SeatingPlan((0, 1, 0, 1), ((0, 1, 2, 3),))


def test_a_partnership_board_is_played_twice_with_the_sides_changed() -> None:
    assert seating_plan(PARTNERS, duplicate=True).seatings == ((0, 1, 0, 1), (1, 0, 1, 0))


def test_different_partners_stay_partners_when_the_seats_are_turned() -> None:
    found = seating_plan(PARTNERS, apart=True, duplicate=True)
    assert found.seatings == ((0, 1, 2, 3), (1, 2, 3, 0))
    for seating in found.seatings:
        for side in PARTNERS:
            assert len({found.sides[seating[seat]] for seat in side}) == 1


def test_who_sat_g_seats_further_on_comes_into_a_seat_in_turn_g() -> None:
    found = seating_plan(THREE, duplicate=True)
    assert found.seatings == ((0, 1, 2), (1, 2, 0), (2, 0, 1))


def test_all_turns_of_a_board_come_before_the_next_board() -> None:
    found = seating_plan(PARTNERS, duplicate=True, boards=3)
    assert found.seatings == ((0, 1, 0, 1), (1, 0, 1, 0)) * 3
    assert boards(found.seatings) == (0, 0, 1, 1, 2, 2)


@pytest.mark.parametrize("seats", [1, 4])
def test_without_duplicates_every_game_is_a_board_of_its_own(seats: int) -> None:
    found = seating_plan(tuple((seat,) for seat in range(seats)), boards=3)
    assert found.seatings == (tuple(range(seats)),) * 3
    assert boards(found.seatings) == (0, 1, 2)


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_after_all_turns_every_side_has_held_every_sides_cards(game: Game) -> None:
    for seats in game.seats:
        sides = game.sides(game.options(), seats)
        found = seating_plan(sides, duplicate=True)
        assert len(found.seatings) == len(sides)
        for side in sides:
            held = [found.sides[seating[side[0]]] for seating in found.seatings]
            assert sorted(held) == list(range(len(sides)))
