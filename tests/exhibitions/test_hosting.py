"""Tables as the host plays them: people among bots in real sandboxes."""

from __future__ import annotations

import pytest

from tables.registry import GAMES
from tests.exhibitions.house import House, check_record, hosting, play_person


@pytest.mark.parametrize("game", GAMES)
def test_a_person_plays_a_whole_game_and_its_record_replays(house: House, game: str) -> None:
    table, secret = house.tables.create(house.new_table(game))
    with hosting(house) as said:
        answers = play_person(house, table.key, secret)
    assert said == []
    assert answers > 2
    assert house.tables.table(table.key).state == "finished"
    check_record(house, table.key)
