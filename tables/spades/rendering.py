"""Spades as people see it: four hands, the trick on the table, and remarks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from card_arena.tables.cards import card
from card_arena.tables.game import Phase, Seat, Terminal
from card_arena.tables.legal_actions import Action
from card_arena.tables.scene import Place, Scene, Shown, Side, Stage
from card_arena.tables.spades.phases import (
    Bidding,
    Drawing,
    Finished,
    GoingBlind,
    Passing,
    Playing,
    Shuffling,
    first_bids,
)
from card_arena.tables.spades.rules import (
    NIL,
    NO_BIDS,
    NO_CARDS,
    SEATS,
    TRICKS,
    Bids,
    Round,
    of_side,
    tally,
    tricks_that_count,
)
from card_arena.tables.tricks import on_the_table, partners, the_end


def scene(phase: Phase | Terminal) -> Scene:
    """Draw a position."""
    if isinstance(phase, Terminal):
        return the_end(phase, "rounds won")
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
                _bid(round, seat, bids),
                "deals" if seat == round.dealer else "",
                to_act=seat == phase.to_act,
                in_hand=True,
            )
            for seat in SEATS
        ),
        sides=_sides(round.scores, round.bags, bids),
    )


def _play_scene(phase: Playing) -> Scene:
    """The hands, and the trick on the table, or the last trick until somebody leads."""
    round, took = phase.round, phase.took
    played = on_the_table(phase.history, phase.leader, phase.trick)
    just_over = bool(phase.history) and not phase.trick
    return Scene(
        f"round {round.number}",
        tuple(
            Place(
                seat,
                tuple(map(Shown, phase.hands[seat])),
                (*_bid(round, seat, phase.bids), ("took", str(took[seat]))),
                to_act=seat == phase.to_act,
                in_hand=True,
                played=played[seat],
                took=just_over and seat == phase.leader,
            )
            for seat in SEATS
        ),
        (("spades", "broken" if phase.broken else "not broken"),),
        sides=_sides(round.scores, round.bags, phase.bids, took),
        stage=Stage("trick", sum(took) + 1, TRICKS),
    )


def _finished_scene(last: Finished) -> Scene:
    """The last trick, all bids and tricks, and the result."""
    round, (points, scores, bags) = last.round, last.tally
    played = on_the_table(last.history)
    return Scene(
        f"round {round.number}",
        tuple(
            Place(
                seat,
                (),
                (*_bid(round, seat, last.bids), ("took", str(last.took[seat]))),
                played=played[seat],
            )
            for seat in SEATS
        ),
        sides=_sides(scores, bags, last.bids, last.took, points),
    )


def ending(before: Phase, action: Action, over: Terminal) -> Scene:
    """Draw the last round as it was scored."""
    last = before.played(card(str(action))) if isinstance(before, Playing) else None
    return _finished_scene(last) if isinstance(last, Finished) else scene(over)


def _bid(round: Round, seat: Seat, bids: Bids) -> tuple[tuple[str, str], ...]:
    bid = bids[seat]
    if bid is None:
        return ()
    nil = "blind nil" if seat in round.blind else "nil"
    return (("bid", nil if bid == NIL else str(bid)),)


def _sides(
    scores: Sequence[int],
    bags: Sequence[int],
    bids: Bids,
    took: Sequence[int] = (),
    points: Sequence[int] = (),
) -> tuple[Side, ...]:
    """Each side's score, its contract once both partners have bid, its tricks and its bags."""
    sides = []
    for side in (0, 1):
        seats = (side, side + 2)
        contract = [bid for seat in seats if (bid := bids[seat]) is not None]
        facts = [("bid", str(sum(contract)))] if len(contract) == 2 else []
        facts += [("took", str(of_side(took, side)))] if took else []
        facts += [("bags", str(bags[side]))]
        facts += [("round", f"{points[side]:+}")] if points else []
        sides.append(Side(seats, scores[side], tuple(facts)))
    return tuple(sides)


def projected_scores(phase: Phase | Terminal) -> Sequence[int] | None:
    """The scores if each side takes exactly its contract, or no more once that is impossible."""
    if isinstance(phase, Terminal):
        return phase.scores
    if isinstance(phase, Shuffling) and phase.last:
        return phase.last.tally.scores * 2
    if not isinstance(phase, Playing):
        return None
    took, left = [*phase.took], TRICKS - sum(phase.took)
    for side in (0, 1):
        helping, _ = tricks_that_count(phase.round, side, phase.bids, phase.took)
        missing = of_side(phase.bids, side) - helping
        if 0 < missing <= left:
            bidder = side if phase.bids[side] != NIL else side + 2
            took[bidder] += missing
    return tally(phase.round, phase.bids, took).scores * 2


def remark(before: Phase, after: Phase | Terminal, names: Sequence[str]) -> str:
    """Say how nils went, who takes a trick, and how a round is scored."""
    return "; ".join(_remarks(before, after, names))


def _remarks(before: Phase, after: Phase | Terminal, names: Sequence[str]) -> Iterator[str]:
    """Describe the effect of a turn in players' words."""
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
            yield ", ".join(
                f"{partners(names, side)} bid {of_side(after.bids, side)}" for side in (0, 1)
            )
    elif isinstance(before, Passing):
        yield f"{names[before.to_act]} passes it to {names[(before.to_act + 2) % 4]}"
    elif isinstance(before, Playing):
        yield from _card_remarks(before, after, names)


def _card_remarks(before: Playing, after: Phase | Terminal, names: Sequence[str]) -> Iterator[str]:
    if isinstance(after, Playing):
        if after.broken and not before.broken:
            yield "spades are broken"
        if not after.trick:
            yield f"{names[after.leader]} takes the trick"
            yield from _broken_promises(before, after, names)
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
        points = last.tally.points[side]
        yield f"{partners(names, side)} bid {contract} and took {tricks}: {points:+}"


def _broken_promises(before: Playing, after: Playing, names: Sequence[str]) -> Iterator[str]:
    """Say which nil or contract can no longer be kept after a trick."""
    winner, left = after.leader, TRICKS - sum(after.took)
    if after.bids[winner] == NIL and not before.took[winner]:
        yield f"{names[winner]}'s nil fails"
    for side in (0, 1):
        contract = of_side(after.bids, side)
        then, now = (
            contract - tricks_that_count(after.round, side, after.bids, took)[0]
            for took in (before.took, after.took)
        )
        if now > left and then <= left + 1:
            yield f"{partners(names, side)} can no longer take {contract}"
