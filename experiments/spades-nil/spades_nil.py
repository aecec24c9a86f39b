"""What four BIS players bid, how their nils go, how wide the game is, and how all that spreads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping

from lib.cards import read_cards
from lib.nil_value import nil_value

from card_arena.experiments.measures import Bars, Histogram, Measures, Plot, Stage, notices_of
from card_arena.ratings.intervals import Cluster, mean, rate
from card_arena.tables.cards import cards
from card_arena.tables.record import Record
from card_arena.tables.spades.messages import RoundOver
from card_arena.tables.spades.rules import trick_winner

Seen = Mapping[str, Counter[float]]
"""What was counted, and how often each value was seen."""

PHASE, LEGAL, HAND, BIDS = 1, 2, 5, 6
"""Where these words stand in a question."""

LAST = 3
"""How many have bid before the last to bid."""

THREE_BIDS = {"6 or less": range(7), "7 to 9": range(7, 10), "10 or more": range(10, 40)}
"""What three bids come to [Cohensius 2019, figure 7]."""

POINTS = range(-400, 401, 20)
"""The points of a round, in the bins of [Cohensius 2019, figure 2]."""

TENTHS = [tenth / 10 for tenth in range(11)]
HOPELESS = 0.1
"""A nil value that nobody bids nil with."""


def measure(stages: Mapping[str, Stage]) -> Measures:
    """A match is a cluster; every seat counts, since all are the same player."""
    matches = [
        seen_in(record for _, record in match.games) for match in stages["spades-nil"].matches()
    ]
    everything = {name: sum((seen[name] for seen in matches), Counter()) for name in matches[0]}

    def clusters(name: str, worth: Callable[[float], float] = float) -> Iterable[Cluster]:
        return (_cluster(seen[name], worth) for seen in matches)

    rows = {
        "nils bid": rate(clusters("bids", lambda bid: bid == 0)),
        "nils made": rate(clusters("nils")),
        "sum of the four bids": mean(clusters("sums")),
        "legal cards": mean(clusters("choices")),
        "hands of a nil value below .1": rate(clusters("values", lambda v: v < HOPELESS)),
        "tricks of a side beyond its bid": mean(clusters("beyond")),
    }
    aces = {
        name: rate([_among(seen, sums) for seen in matches])
        for name, sums in THREE_BIDS.items()
        if any(everything["threes"][total] for total in sums)
    }
    rows |= {f"ace of spades with the fourth, bids before {name}": aces[name] for name in aces}
    plots: dict[str, Plot] = {
        "nil-values": Histogram("Nil values of hands", "nil value", everything["values"], TENTHS),
        "bids": Histogram("Bids", "tricks", everything["bids"]),
        "sums": Histogram("Sums of the four bids", "sum of the four bids", everything["sums"]),
        "choices": Histogram("Cards to choose from", "legal cards", everything["choices"]),
        "beyond": Histogram("Sides without a nil", "tricks beyond the bid", everything["beyond"]),
        "aces": Bars("The fourth to bid has the ace of spades", "share", {"bids before": aces}),
        "points": Histogram(
            "A round, for sides without a nil", "points", everything["points"], POINTS
        ),
        "points-with-nil": Histogram(
            "A round, for sides with a nil", "points", everything["points with nil"], POINTS
        ),
    }
    return Measures(rows, plots)


def seen_in(records: Iterable[Record]) -> Seen:
    """Count what happened in some games.

    `values` are the nil values of hands, `bids` those of seats, `nils` 1 for one that was made and
    0 for another, `sums` the four bids of a round, `beyond` what a side of two bidders took less
    what it bid, `points` what its round came to and `points with nil` that of another side, and
    `choices` the legal cards of a seat that is to play. `threes` are what three bids come to before
    the fourth, and `aces` those of them where the fourth has the ace of spades.
    """
    seen: dict[str, Counter[float]] = {
        name: Counter()
        for name in (
            *("values", "bids", "nils", "sums", "beyond", "choices"),
            *("points", "points with nil", "threes", "aces"),
        )
    }
    for record in records:
        for turn in record.turns:
            words = turn.question.split()
            if words and words[PHASE] == "bid":
                seen["values"][nil_value(read_cards(words[HAND]))] += 1
                before = [int(bid) for bid in words[BIDS].split(",") if bid != "-"]
                if len(before) == LAST:
                    seen["threes"][sum(before)] += 1
                    seen["aces"][sum(before)] += "AS" in words[HAND].split(",")
            elif words and words[PHASE] == "play":
                seen["choices"][words[LEGAL].count(",") + 1] += 1
        for over in notices_of(record, RoundOver):
            bids = [int(bid) for bid in over.bids.split(",")]
            took = tricks(over.history)
            seen["bids"].update(bids)
            seen["nils"].update(took[seat] == 0 for seat, bid in enumerate(bids) if bid == 0)
            seen["sums"][sum(bids)] += 1
            for side, points in zip(((0, 2), (1, 3)), over.points.split(","), strict=True):
                if all(bids[seat] for seat in side):
                    seen["beyond"][sum(took[seat] - bids[seat] for seat in side)] += 1
                    seen["points"][int(points)] += 1
                else:
                    seen["points with nil"][int(points)] += 1
    return seen


def tricks(history: str) -> list[int]:
    """Count the tricks of every seat in a finished round, from its notices."""
    took = [0] * 4
    for trick in history.split("/"):
        leader, _, played = trick.partition(":")
        took[(int(leader) + trick_winner(cards(played))) % 4] += 1
    return took


def _among(seen: Seen, sums: Iterable[int]) -> Cluster:
    """How often the fourth has the ace, of how many times the bids before came to one of these."""
    totals = list(sums)
    return sum(seen["aces"][n] for n in totals), int(sum(seen["threes"][n] for n in totals))


def _cluster(seen: Counter[float], worth: Callable[[float], float]) -> Cluster:
    return sum(worth(value) * times for value, times in seen.items()), seen.total()
