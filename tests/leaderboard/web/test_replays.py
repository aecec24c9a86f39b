"""A record as a replay of frames."""

from __future__ import annotations

from dataclasses import replace

import pytest

from leaderboard.web import replays
from leaderboard.web.card_svg import row, symbols
from results.store import Store
from tables.cards import FULL_PACK, TAROT_PACK, Card, card, cards
from tables.dealing import Packs
from tables.game import Game, TableOptions
from tables.record import Record
from tables.referee import play
from tables.registry import game
from tables.scene import Pile, Scene, Shown
from tests.leaderboard.web.house import by_chance
from tests.tables.scripted import Always, Said


@pytest.fixture
def record(store: Store) -> Record:
    return store.records("friday/0001/t01/r1/a")[0]


NAMES = ("davey", "lim17", "chatty", "silent")


@pytest.fixture
def parts(record: Record) -> tuple[replays.Part, ...]:
    return replays.replay_of(game(record.game), record, NAMES).parts


def test_a_film_has_a_frame_for_every_turn_in_parts_by_their_titles(record, parts):
    frames = [frame for part in parts for frame in part.frames]
    assert [frame.number for frame in frames] == list(range(len(record.turns)))
    titles = [f"hand {number} of 5" for number in range(1, 6)]
    assert [part.title for part in parts] == [*titles, "the end"]


class EverySecond:
    """Answers every second question, by the first card or bid that is legal."""

    def __init__(self):
        self.asked = 0

    def ask(self, words):
        self.asked += 1
        if self.asked % 2:
            return Said(None, "timeout", "no answer")
        return Said(words[2].split(",")[0].split("..")[0])

    def tell(self, line):
        pass


def test_a_bot_moves_itself_until_its_last_strike_and_never_afterwards():
    rules = game("spades")
    bots = [EverySecond() for _ in range(4)]
    record = play(rules, rules.options(max_rounds=1), bots, Packs(b"s" * 32, "film"))
    parts = replays.replay_of(rules, record, NAMES).parts
    own = [frame.kind for part in parts for frame in part.frames if frame.seat == 1]
    move, fault, fallback_action = replays.Kind.MOVE, replays.Kind.FAULT, replays.Kind.STAND_IN
    assert own == [fault, move, fault, move, fault, *[fallback_action] * 9]


def test_what_a_turn_changed_stands_out(parts, record):
    bet = next(frame for part in parts for frame in part.frames if frame.action == "B 15")
    spot = bet.spots[bet.seat + 1]
    assert {fact.label for fact in spot.facts if fact.changed} == {"stake", "chips"}
    hit = next(frame for part in parts for frame in part.frames if frame.action == "H")
    assert hit.spots[hit.seat + 1].cards.count("fresh") == 1
    assert not replays.replay_of(game("blackjack"), record, NAMES).round_table
    assert "fresh" not in parts[0].frames[0].spots[1].cards


def test_no_fact_of_the_table_has_changed_yet_where_a_round_begins():
    rules = game("spades")
    options = rules.options(max_rounds=3, lose=-10_000)
    one, two, three, _ = replays.replay_of(rules, played(rules, options), NAMES).parts
    assert one.frames[-1].facts != two.frames[0].facts
    for first in (one.frames[0], two.frames[0], three.frames[0]):
        assert first.facts
        assert not any(fact.changed for fact in first.facts)


def test_no_fact_of_a_seat_has_changed_yet_where_a_hand_begins(parts):
    for part in parts:
        facts = [fact for spot in part.frames[0].spots for fact in spot.facts]
        assert facts
        assert not any(fact.changed for fact in facts)


def test_the_auction_of_a_game_is_said_and_its_cards_are_played():
    rules = game("blot")
    record = by_chance(rules, rules.example.options, 4, Packs(b"s" * 32, "film"), 1)
    frames = [f for part in replays.replay_of(rules, record, NAMES).parts for f in part.frames]
    verbs = [frame.verb for frame in frames if frame.verb]
    assert verbs == sorted(verbs, reverse=True)
    assert verbs.count("plays") == 32


def test_the_glance_sums_up_what_the_last_scene_names_first(record, parts):
    glance = replays.glance(parts)
    assert glance is not None
    assert glance.label == "chips"
    assert [value for value, _ in glance.rows[-1][1]] == [str(p) for p in record.over.purses]


def test_the_glance_counts_the_part_whose_last_card_ends_the_game():
    rules = game("spades")
    options = rules.options(max_rounds=3, lose=-10_000)
    record = played(rules, options)
    glance = replays.glance(replays.replay_of(rules, record, NAMES).parts)
    assert glance is not None
    assert [part.title for part, _ in glance.rows] == ["round 1", "round 2", "round 3"]
    assert [value for value, _ in glance.rows[-1][1]] == [str(s) for s in record.over.scores]
    assert len({tuple(value for value, _ in row) for _, row in glance.rows}) == 3
    # who took the last trick says nothing about the round
    assert {status for _, row in glance.rows for _, status in row} == {""}


def test_the_glance_counts_the_cards_that_are_held_where_nothing_else_is_counted():
    rules = game("durak")
    record = by_chance(rules, rules.options(), 3, Packs(b"s" * 32, "film"), 1)
    glance = replays.glance(replays.replay_of(rules, record, NAMES[:3]).parts)
    assert glance is not None
    assert glance.label == "cards in hand"
    *bouts, (_, last) = glance.rows
    assert len(bouts) > 3
    assert all(value.isdigit() for _, row in bouts for value, _ in row)
    assert sorted(status for _, status in last) == ["out", "out", "the fool"]


def test_a_film_of_one_part_needs_no_summary():
    rules = game("spades")
    assert replays.glance(replays.replay_of(rules, played(rules), NAMES).parts) is None


def test_a_long_film_is_cut_between_parts_and_every_turn_is_on_one_page(parts):
    frame = parts[0].frames[0]
    long = [
        replays.Part(f"hand {part}", tuple(replace(frame, number=part * 50 + n) for n in range(50)))
        for part in range(6)
    ]
    cut = replays.pages(long)
    assert [len(page) for page in cut] == [2, 2, 2]
    turns = (0, 99, 100, 299, 9999)
    assert [replays.page_of(cut, turn) for turn in turns] == [0, 0, 1, 2, 2]


def test_a_part_longer_than_a_page_is_not_cut(parts):
    frame = parts[0].frames[0]
    long = replays.Part("hand 1", (frame,) * (replays.PAGE + 50))
    assert [len(page) for page in replays.pages([long, long])] == [1, 1]


def test_cards_side_by_side_are_one_picture_with_one_name():
    drawn = row((Shown(card("TD")), Shown(card("KH"), face_down=True)))
    assert 'role="img" aria-label="10 of diamonds; king of hearts, face down"' in drawn
    assert '<svg><use href="#TD"/></svg><svg class="down"><use href="#KH"/></svg>' in drawn
    assert not row(())


def test_every_card_that_lies_on_a_page_is_drawn_on_it_once():
    drawn = symbols([card("TD"), card("KH"), card("TD")])
    assert [face.count("<symbol") for face in drawn] == [1, 1]
    assert 'id="KH" class="suit-H"' in drawn[0]
    assert "#court-K" in drawn[0]
    assert ">10</text>" in drawn[1]


def test_the_cards_that_a_game_singles_out_are_framed_and_no_others():
    """In the pack of tarot these are its three bouts."""
    drawn = symbols(TAROT_PACK, game("tarot").presentation.framed)
    framed = {
        card for card, symbol in zip(sorted(TAROT_PACK), drawn, strict=True) if "ring" in symbol
    }
    assert framed == {"A1", "A21", "EX"}
    assert "ring" not in "".join(symbols(TAROT_PACK))


def test_a_knight_has_a_head_of_its_own():
    (knight,), (jack,) = symbols(cards("NS")), symbols(cards("JS"))
    assert "#court-N" in knight
    assert "#court-J" in jack


def test_a_card_of_another_pack_shows_its_own_text_escaped():
    (face,) = symbols([Card("<21>", "x")])
    assert "&lt;21&gt;x</text>" in face
    assert "<use" not in face


def test_a_trick_game_is_seen_round_a_table_with_every_hand_in_order():
    rules = game("spades")
    record = played(rules)
    replay = replays.replay_of(rules, record, NAMES)
    assert replay.round_table
    assert replay.tricks
    assert replay.deck == frozenset(FULL_PACK)
    frames = [frame for part in replay.parts for frame in part.frames]
    first = next(frame for frame in frames if frame.verb == "plays")
    assert [bool(spot.played) for spot in first.spots] == [spot.acted for spot in first.spots]
    assert sum(spot.cards.count("<svg") for spot in first.spots) == 51
    assert first.spots[first.seat].played.count("fresh") == 1


def test_the_trick_that_ends_a_game_is_still_on_the_table():
    rules = game("spades")
    (frame,) = replays.replay_of(rules, played(rules), NAMES).parts[-1].frames
    assert [spot.played.count("<svg") for spot in frame.spots] == [1, 1, 1, 1]
    assert [spot.played.count("fresh") for spot in frame.spots] == [
        int(spot.acted) for spot in frame.spots
    ]


def test_what_a_turn_came_to_is_told_in_the_words_of_the_game():
    rules = game("spades")
    replay = replays.replay_of(rules, played(rules), NAMES)
    frames = [frame for part in replay.parts for frame in part.frames]
    tricks = [frame for frame in frames if "takes the trick" in frame.remark]
    assert len(tricks) >= 12
    assert all(frame.remark.split()[0] in NAMES for frame in tricks)


def played(rules: Game, options: TableOptions | None = None) -> Record:
    """A game whose bots never answer, of one round unless something else is said."""
    silent = [Always(Said(None, "timeout", "no answer"))] * 4
    table = options or rules.options(max_rounds=1)
    return play(rules, table, silent, Packs(b"s" * 32, "film"))


def test_cards_that_came_to_the_middle_of_the_table_stand_out():
    before = Scene("bout 1", (), piles=(Pile("", (Shown(card("7H")),)),))
    after = Scene(
        "bout 1", (), piles=(Pile("", tuple(map(Shown, cards("7H 9H")))), Pile("talon", ()))
    )
    beaten, talon = replays.heaps(before, after)
    assert beaten.cards.count("fresh") == 1
    assert "pair" in beaten.cards
    assert talon.label == "talon"
