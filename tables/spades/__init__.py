"""Partnership spades, as the paper *Bidding in Spades* plays it.

Seats 0 and 2 play against 1 and 3. Everybody gets 13 cards and bids once how many tricks she will
take, from the dealer's left round the table; 0 is nil, a bet that she takes none. Then 13 tricks
are played: suit must be followed, spades are always trump, and nobody leads a spade before one has
been played unless she holds nothing else. A side that takes the tricks it has bid scores ten for
each and one for every trick more, a bag; ten bags cost it 110 points. The higher score wins as
soon as a side has reached the goal or fallen too low.

The readings of the rules that this file takes:

* The ten bags of a penalty take their ten points with them (`bag_penalty: 110`), as in the paper's
  example, 288 + 63 -> 241. Bags are counted for themselves and never read from the score.
* A failed nil's tricks that may help the contract are bags where the contract is full without
  them, so that `contract` and `both` (OpenSpiel's rule) come to the same.
* Under `blind_nil` the cards lie face down until everybody who may bid blind nil has said whether
  she does. `behind100` looks at the scores before the round.
* Cards are exchanged after the bidding: a blind nil bidder gives two to her partner, who sees them
  and gives two of her fifteen back. Where both partners bid blind nil, nobody exchanges.
* With `first_lead: two_of_clubs` whoever holds that card after the exchange leads it.
* With `first_dealer: drawn` four cards are turned over, one a seat from seat 0 on, and the highest
  deals; of equal ranks the one whose suit is higher (clubs, diamonds, hearts, spades).
* The goal is checked after every round; equal scores play another one, but not after `max_rounds`.
* A side wins a round by scoring more in it than the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import MappingProxyType

from tables.cards import Card, cards
from tables.game import Example, Game, Over, Phase, Seat
from tables.scene import Place, Scene, Shown
from tables.spades.phases import (
    Bidding,
    Drawing,
    Finished,
    GoingBlind,
    Passing,
    Playing,
    RoundOver,
    Shuffling,
    SpadesQuestion,
    first_bids,
)
from tables.spades.scoring import (
    NIL,
    NO_BIDS,
    NO_CARDS,
    SEATS,
    TRICKS,
    Bids,
    Options,
    Round,
    of_side,
    tricks_that_count,
)

_EXAMPLE_PACK = (
    "QC,8H,3C,9D,4C,3D,9C,6D,4S,AS,6H,9S,AD,TH,8S,2H,QH,KC,7C,TC,3H,3S,8D,6S,KH,QS,"
    "8C,QD,TD,AC,5D,2C,KD,9H,5S,KS,7H,JH,JD,6C,5H,JS,7D,5C,AH,2D,2S,4D,TS,4H,JC,7S"
)
_EXAMPLE_ANSWERS = """
5 5 0 2
AH 4H 6H 2H AD 2D JD 4D KH 8H JC 6S 2C 4C KC 9C 3S 2S KS 4S 5C QC AC 8C 3D 5D 6D TD
KD JS 8D 9D 9H 7D 7S 3H 6C TS QS 7C TH 3C QD QH 7H JH 5S TC 8S 9S 5H AS
"""


class Spades(Game):
    """Two against two: bid how many tricks your side will take, then take them and few more."""

    name = "spades"
    title = "Spades"
    version = 1
    seats = range(4, 5)
    options = Options
    presets = MappingProxyType(
        {
            "standard": Options(),
            "paper": Options(goal=200),
            "one_round": Options(max_rounds=1),
            "openspiel": Options(
                max_rounds=1, bag_penalty=100, failed_nil_tricks="both", bid_cap="side"
            ),
        }
    )
    sample = (
        *("spades", "bid", "0..13", "1", "0", "AS,KS,JS,6S,2S,AH,QH,QD,KC,9C,5C,4C,3C"),
        *("-,-,-,-", "-", "-", "0,0,0,0", "0,0", "0,0", "500", "-100"),
    )
    questions = (SpadesQuestion,)
    news = (RoundOver,)
    answers = MappingProxyType(
        {
            "n": "in phase `bid`: that you will take n tricks, 0 to 13; 0 is nil",
            "BN": "in phase `blind`: nil before you have seen your cards",
            "-": "in phase `blind`: no; you bid when you have seen your cards",
            "7H": "in phases `play` and `pass`: that card of your hand",
        }
    )
    example = Example(
        options=Options(max_rounds=1),
        seats=4,
        cards=_EXAMPLE_PACK,
        answers=tuple(_EXAMPLE_ANSWERS.split()),
    )

    def start(self, options: Options, seats: int, purses: Sequence[int] = ()) -> Phase:  # noqa: ARG002
        """Sit down for a game of as many rounds as it takes."""
        self.check_table(options, seats)
        if options.first_dealer == "drawn":
            return Drawing(options)
        return Shuffling(Round(options, number=1, dealer=0))

    def sides(self, options: Options, seats: int) -> tuple[tuple[Seat, ...], ...]:  # noqa: ARG002
        """Who sits opposite each other plays together."""
        return (0, 2), (1, 3)

    def scene(self, phase: Phase | Over) -> Scene:
        """Draw the four hands, what was bid and taken, and the trick on the table."""
        return _scene(phase)

    def remark(self, before: Phase, after: Phase | Over, names: Sequence[str]) -> str:
        """Tell nils, who takes a trick, and what a round came to."""
        return "; ".join(_remarks(before, after, names))


def _scene(phase: Phase | Over) -> Scene:
    if isinstance(phase, Over):
        return _the_end(phase)
    if isinstance(phase, Drawing):
        return Scene("the draw for the deal", tuple(map(Place, SEATS)))
    if isinstance(phase, Playing):
        return _play_scene(phase)
    assert isinstance(phase, Shuffling | GoingBlind | Bidding | Passing)
    if isinstance(phase, Shuffling):
        if phase.last:
            return _finished_scene(phase.last)
        hands, bids = NO_CARDS, NO_BIDS
    else:
        hands = phase.hands
        bids = first_bids(phase.round) if isinstance(phase, GoingBlind) else phase.bids
    round, face_down = phase.round, isinstance(phase, GoingBlind)
    return Scene(
        f"round {round.number}",
        tuple(
            Place(
                seat,
                tuple(Shown(held, face_down) for held in hands[seat]),
                _facts(round, seat, round.scores, bids),
                "deals" if seat == round.dealer else "",
                to_act=seat == phase.to_act,
                in_hand=True,
            )
            for seat in SEATS
        ),
        tuple(
            (f"seats {side}+{side + 2}", f"carry {_count(round.bags[side], 'bag')}")
            for side in (0, 1)
        ),
    )


def _the_end(over: Over) -> Scene:
    return Scene(
        "the end",
        tuple(
            Place(seat, facts=(("score", str(score)), ("rounds won", f"{won} of {rounds}")))
            for seat, (score, won, rounds) in enumerate(
                zip(over.scores, over.won, over.hands, strict=True)
            )
        ),
    )


def _play_scene(phase: Playing) -> Scene:
    """The hands, and the trick on the table: the last one for as long as nobody has led."""
    round, took = phase.round, phase.took
    played, just_over = _on_the_table(phase.leader, phase.trick, phase.history)
    return Scene(
        f"round {round.number}",
        tuple(
            Place(
                seat,
                tuple(map(Shown, phase.hands[seat])),
                (*_facts(round, seat, round.scores, phase.bids), ("took", str(took[seat]))),
                "took it" if just_over and seat == phase.leader else "",
                to_act=seat == phase.to_act,
                in_hand=True,
                played=played[seat],
            )
            for seat in SEATS
        ),
        (
            ("trick", f"{sum(took) + 1} of {TRICKS}"),
            ("spades", "broken" if phase.broken else "not broken"),
            *_sides(phase.bids, took, round.bags),
        ),
    )


def _finished_scene(last: Finished) -> Scene:
    """The last trick, what everybody bid and took, and what it came to."""
    round, (points, scores, bags) = last.round, last.tally
    played, _ = _on_the_table(0, (), last.history)
    return Scene(
        f"round {round.number}",
        tuple(
            Place(
                seat,
                (),
                (
                    *_facts(round, seat, scores, last.bids),
                    ("took", str(last.took[seat])),
                    ("round", f"{points[seat % 2]:+}"),
                ),
                played=played[seat],
            )
            for seat in SEATS
        ),
        tuple(_sides(last.bids, last.took, bags)),
    )


def _facts(
    round: Round, seat: Seat, scores: Sequence[int], bids: Bids
) -> tuple[tuple[str, str], ...]:
    bid, score = bids[seat], ("score", str(scores[seat % 2]))
    if bid is None:
        return (score,)
    nil = "blind nil" if seat in round.blind else "nil"
    return score, ("bid", nil if bid == NIL else str(bid))


def _sides(
    bids: Sequence[int], took: Sequence[int], bags: Sequence[int]
) -> Iterator[tuple[str, str]]:
    """How far each side is with its contract, and the bags it carries."""
    for side in (0, 1):
        tricks = f"{of_side(took, side)} of {of_side(bids, side)}"
        yield f"seats {side}+{side + 2}", f"took {tricks}, {_count(bags[side], 'bag')}"


def _count(count: int, thing: str) -> str:
    return f"{count} {thing}{'s' * (count != 1)}"


def _on_the_table(
    leader: Seat, trick: tuple[Card, ...], history: str
) -> tuple[tuple[tuple[Shown, ...], ...], bool]:
    """What each seat has laid in this trick, or in the one that is just over (True)."""
    just_over = not trick and bool(history)
    if just_over:
        led, names = history.split("/")[-1].split(":")
        leader, trick = int(led), cards(names)
    played: list[tuple[Shown, ...]] = [()] * 4
    for turn, held in enumerate(trick):
        played[(leader + turn) % 4] = (Shown(held),)
    return tuple(played), just_over


def _remarks(before: Phase, after: Phase | Over, names: Sequence[str]) -> Iterator[str]:
    if isinstance(before, Drawing):
        assert isinstance(after, Shuffling)
        yield f"{names[after.round.dealer]} deals first"
    elif isinstance(before, GoingBlind):
        assert isinstance(after, GoingBlind | Bidding | Passing | Playing)
        if before.to_act in after.round.blind:
            yield f"{names[before.to_act]} bids blind nil"
    elif isinstance(before, Bidding):
        assert isinstance(after, Bidding | Passing | Playing)
        if after.bids[before.to_act] == NIL:
            yield f"{names[before.to_act]} bids nil"
        if not isinstance(after, Bidding):
            contracts = (f"{_pair(names, side)} bid {of_side(after.bids, side)}" for side in (0, 1))
            yield ", ".join(contracts)
    elif isinstance(before, Passing):
        yield f"{names[before.to_act]} passes it to {names[(before.to_act + 2) % 4]}"
    elif isinstance(before, Playing):
        yield from _card_remarks(before, after, names)


def _card_remarks(before: Playing, after: Phase | Over, names: Sequence[str]) -> Iterator[str]:
    if isinstance(after, Playing):
        if after.broken and not before.broken:
            yield "spades are broken"
        if not after.trick:
            yield f"{names[after.leader]} takes the trick"
        return
    (last_card,) = before.hands[before.to_act]
    last = before.played(last_card)
    assert isinstance(last, Finished)
    winner = next(seat for seat in SEATS if last.took[seat] > before.took[seat])
    yield f"{names[winner]} takes the trick"
    for seat in SEATS:
        if last.bids[seat] == NIL:
            yield f"{names[seat]}'s nil {'fails' if last.took[seat] else 'holds'}"
    for side in (0, 1):
        contract = of_side(last.bids, side)
        tricks, _ = tricks_that_count(last.round, side, last.bids, last.took)
        verb = "made" if tricks >= contract else "missed"
        points = last.tally.points[side]
        made = f"{verb} {contract} with {_count(tricks, 'trick')}"
        yield f"{_pair(names, side)} {made}: {points:+}"


def _pair(names: Sequence[str], side: int) -> str:
    return f"{names[side]} and {names[side + 2]}"
