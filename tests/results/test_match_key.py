"""Keys of matches are written and read alike."""

import pytest

from card_arena.formats.field import MatchKey


@pytest.mark.parametrize("text", ["friday/0003/t01/r2/a", "a/12345/t007/r02/28", "duel/0001/r1"])
def test_a_key_that_is_read_is_written_the_same(text: str):
    assert str(MatchKey.parse(text)) == text


def test_a_key_says_where_its_match_stands():
    key = MatchKey.parse("friday/0003/t01/r2/a")
    assert (key.tournament, key.season, key.place) == ("friday", 3, ("t01", "r2", "a"))
    assert str(MatchKey("friday", 3, ("t01",)).within("r2", "a")) == str(key)


@pytest.mark.parametrize("text", ["", "friday", "friday/3", "friday/x/a", "/1/a", "friday/1//a"])
def test_what_is_no_key_is_refused(text: str):
    with pytest.raises(ValueError, match="is not a match's key"):
        MatchKey.parse(text)
