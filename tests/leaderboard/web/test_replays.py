"""A record as a replay of frames."""

from __future__ import annotations

import pytest

from card_arena.leaderboard.web import replays
from card_arena.leaderboard.web.card_svg import row, symbols
from card_arena.results.store import Store
from card_arena.tables.cards import FULL_PACK, TAROT_PACK, Card, card, cards
from card_arena.tables.dealing import Packs
from card_arena.tables.game import Game, TableOptions
from card_arena.tables.record import Record
from card_arena.tables.referee import play
from card_arena.tables.registry import game
from card_arena.tables.scene import Pile, Scene, Shown
from card_arena.tests.leaderboard.web.house import by_chance
from card_arena.tests.tables.scripted import Always, Said


@pytest.fixture
def record(store: Store) -> Record:
    return store.records("friday/0001/t01/r1/a")[0]


NAMES = ("davey", "lim17", "chatty", "silent")


@pytest.fixture
def replay(record: Record) -> replays.Replay:
    return replays.replay_of(game(record.game), record, NAMES)


def frames(replay: replays.Replay) -> list[replays.Frame]:
    return [replay.frame(number) for number in range(len(replay.turns))]


def test_a_replay_has_every_turn_in_parts_by_their_titles(record, replay):
    assert [turn.step.number for turn in replay.turns] == list(range(len(record.turns)))
    titles = [f"hand {number} of 5" for number in range(1, 6)]
    assert [part.title for part in replay.parts] == [*titles, "the end"]
    assert replay.parts[-1].last == len(record.turns) - 1


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
    turns = replays.replay_of(rules, record, NAMES).turns
    own = [turn.kind for turn in turns if turn.step.turn.seat == 1]
    move, fault, fallback_action = replays.Kind.MOVE, replays.Kind.FAULT, replays.Kind.STAND_IN
    assert own == [fault, move, fault, move, fault, *[fallback_action] * 9]


def test_what_a_turn_changed_stands_out(replay):
    bet = next(frame for frame in frames(replay) if frame.turn.action == "B 15")
    spot = bet.spots[bet.turn.step.turn.seat + 1]
    assert {fact.label for fact in spot.facts if fact.changed} == {"stake", "chips"}
    hit = next(frame for frame in frames(replay) if frame.turn.action == "H")
    assert hit.spots[hit.turn.step.turn.seat + 1].cards.count("fresh") == 1
    assert not replay.round_table
    assert "fresh" not in replay.frame(0).spots[1].cards


def test_no_fact_of_the_table_has_changed_yet_where_a_round_begins():
    rules = game("spades")
    options = rules.options(max_rounds=3, lose=-10_000)
    replay = replays.replay_of(rules, played(rules, options), NAMES)
    assert [part.title for part in replay.parts] == ["round 1", "round 2", "round 3"]
    for part in replay.parts:
        frame = replay.frame(part.first)
        assert not any(fact.changed for fact in (*frame.facts, *frame.spots[0].facts))


def test_no_fact_of_a_seat_has_changed_yet_where_a_hand_begins(replay):
    for part in replay.parts:
        facts = [fact for spot in replay.frame(part.first).spots for fact in spot.facts]
        assert facts
        assert not any(fact.changed for fact in facts)


def test_the_auction_of_a_game_is_said_and_its_cards_are_played():
    rules = game("blot")
    record = by_chance(rules, rules.example.options, 4, Packs(b"s" * 32, "film"), 1)
    turns = replays.replay_of(rules, record, NAMES).turns
    verbs = [turn.verb for turn in turns if turn.verb]
    assert verbs == sorted(verbs, reverse=True)
    assert verbs.count("plays") == 32


def summary_of(replay: replays.Replay) -> replays.Summary:
    summary = replays.summary(replay)
    assert summary is not None
    return summary


def test_the_summary_shows_what_the_last_scene_names_first(record, replay):
    summary = summary_of(replay)
    assert summary.label == "chips"
    assert [value for value, _ in summary.rows[-1].cells] == [str(p) for p in record.over.purses]
    assert len(summary.rows) == 5


def test_the_summary_of_a_game_of_partners_tells_what_every_round_came_to_and_why():
    rules = game("spades")
    options = rules.options(max_rounds=3, lose=-10_000)
    record = played(rules, options)
    summary = summary_of(replays.replay_of(rules, record, NAMES))
    assert summary.columns == ((0, 2), (1, 3))
    assert [row.part.title for row in summary.rows] == ["round 1", "round 2", "round 3"]
    assert [value for value, _ in summary.rows[-1].cells] == [
        str(s) for s in record.over.scores[:2]
    ]
    notes = [note for row in summary.rows for _, note in row.cells]
    assert all("bid 2, took" in note and "bags" in note and "round " in note for note in notes)
    assert all("bid 2 and took" in row.why for row in summary.rows)


def test_the_summary_counts_the_cards_that_are_held_where_nothing_else_is_counted():
    rules = game("durak")
    record = by_chance(rules, rules.options(), 3, Packs(b"s" * 32, "film"), 1)
    summary = summary_of(replays.replay_of(rules, record, NAMES[:3]))
    assert summary.label == "cards in hand"
    *bouts, last = summary.rows
    assert len(bouts) > 3
    assert all(value.isdigit() for row in bouts for value, _ in row.cells)
    assert sorted(status for _, status in last.cells) == ["out", "out", "the fool"]


@pytest.mark.parametrize("name", ["spades", "blot", "tarot", "durak"])
def test_a_card_keeps_its_slot_until_others_come_into_the_hand(name):
    rules = game(name)
    seats = rules.seats[0] if name != "durak" else 3
    record = by_chance(rules, rules.options(), seats, Packs(b"s" * 32, "film"), 1)
    replay = replays.replay_of(rules, record, NAMES[:seats])
    kept = 0
    for number in range(1, len(replay.turns)):
        before, after = replay.turns[number].before, replay.turns[number].after
        for place, then in zip(after.places, before.places, strict=True):
            hand, earlier = ({shown.card for shown in one.cards} for one in (place, then))
            slots, old = replay.slots[number][place.seat], replay.slots[number - 1][place.seat]
            assert hand <= {*slots}
            if hand and hand < earlier and number > 1:
                assert slots == old
                kept += 1
    assert kept > 20


@pytest.mark.parametrize("name", ["spades", "blot", "tarot", "durak", "blackjack"])
def test_projected_scores_come_to_the_score_of_the_game(name):
    rules = game(name)
    seats = rules.seats[0] if name not in ("durak", "blackjack") else 3
    record = by_chance(rules, rules.options(), seats, Packs(b"s" * 32, "film"), 1)
    replay = replays.replay_of(rules, record, NAMES[:seats])
    projected = rules.presentation.projected_scores
    assert tuple(projected(replay.turns[-1].step.after) or ()) == record.over.scores
    assert replay.swings
    sides = rules.sides(rules.options(**record.options), seats)
    assert {swing.seats for swing in replay.swings} <= {*sides}
    assert all(swing.points > 0 for swing in replay.swings)


def test_a_failed_nil_is_a_turning_point():
    rules = game("spades")
    record = next(
        record
        for seed in range(50)
        for record in [
            by_chance(rules, rules.options(max_rounds=1), 4, Packs(b"s" * 32, str(seed)), seed)
        ]
        if any(
            "nil fails" in turn.remark
            for turn in replays.replay_of(rules, record, NAMES).turns[:-1]
        )
    )
    replay = replays.replay_of(rules, record, NAMES)
    number, turn = next((n, t) for n, t in enumerate(replay.turns) if "nil fails" in t.remark)
    swing = next(swing for swing in replay.swings if swing.turn == number)
    assert swing.points >= 190
    bidder = NAMES.index(turn.remark.partition("'s nil fails")[0].split()[-1])
    assert bidder not in swing.seats
    chapters = [*replays.chapters(replay.turns, replay.swings, NAMES)]
    assert any(chapter.step == number for chapter in chapters)


def test_the_points_of_parted_decisions_add_up_to_the_difference_of_the_tables():
    rules = game("spades")
    options = rules.options(max_rounds=2, lose=-10_000)
    tables = [
        replays.replay_of(
            rules, by_chance(rules, options, 4, Packs(b"s" * 32, "film"), seed), NAMES
        )
        for seed in (1, 2)
    ]
    sides = rules.sides(options, 4)
    paired = replays.paired(*tables)
    scores = [replay.turns[-1].step.after.scores for replay in tables]
    margins = [replays.margins(own, [0, 1, 0, 1]) for own in scores]
    for part in paired.parts:
        parted = [
            s.parted for s in paired.steps[part.first : part.last + 1] if s.parted is not None
        ]
        assert parted
        assert sum(parted) == pytest.approx(part.difference)
    whole = sum(part.difference * (1 if part.seat in sides[0] else -1) for part in paired.parts)
    assert whole == pytest.approx(margins[0][0] - margins[1][0])
    assert paired.steps[-1].turns == (len(tables[0].turns) - 1, len(tables[1].turns) - 1)


def test_two_tables_that_played_alike_never_part():
    rules = game("spades")
    replay = replays.replay_of(rules, played(rules), NAMES)
    paired = replays.paired(replay, replay)
    assert all(step.parted is None for step in paired.steps)
    assert [part.difference for part in paired.parts] == [0]


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
    first = next(frame for frame in frames(replay) if frame.turn.verb == "plays")
    assert [spot.place.seat for spot in first.spots if spot.played] == [first.turn.step.turn.seat]
    assert sum(spot.cards.count("<svg") for spot in first.spots) == 51
    assert first.spots[first.turn.step.turn.seat].played.count("fresh") == 1


def test_the_trick_that_ends_a_game_is_still_on_the_table():
    rules = game("spades")
    replay = replays.replay_of(rules, played(rules), NAMES)
    frame = replay.frame(len(replay.turns) - 1)
    assert [spot.played.count("<svg") for spot in frame.spots] == [1, 1, 1, 1]
    fresh = [spot.place.seat for spot in frame.spots if "fresh" in spot.played]
    assert fresh == [frame.turn.step.turn.seat]
    assert [label for label, _ in frame.scene.sides[0].facts] == ["bid", "took", "bags", "round"]


def test_what_a_turn_came_to_is_told_in_the_words_of_the_game():
    rules = game("spades")
    replay = replays.replay_of(rules, played(rules), NAMES)
    tricks = [turn for turn in replay.turns if "takes the trick" in turn.remark]
    assert len(tricks) >= 12
    assert all(turn.remark.split()[0] in NAMES for turn in tricks)


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


@pytest.mark.parametrize(
    ("name", "style"),
    [
        *((name, (True, True)) for name in ("spades", "blot", "tarot")),
        ("durak", (True, False)),
        ("blackjack", (False, False)),
    ],
)
def test_a_game_is_laid_out_by_what_is_on_its_table(name, style):
    assert replays.style_of(game(name)) == style
