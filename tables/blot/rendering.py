"""Blot as people see it: the four hands, the trick on the table, and remarks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from card_arena.tables.blot.answers import Call, Penalty
from card_arena.tables.blot.phases import Bidding, Drawing, Playing, Shuffling
from card_arena.tables.blot.rules import (
    BELOTE,
    NAMES,
    NO_TRUMP,
    SEATS,
    TRICKS,
    Contract,
    Finished,
    winner,
)
from card_arena.tables.game import Phase, Seat, Terminal
from card_arena.tables.legal_actions import Action
from card_arena.tables.scene import Pile, Place, Scene, Shown, Side, Stage, SuitBid
from card_arena.tables.tricks import on_the_table, partners, the_end


def scene(phase: Phase | Terminal) -> Scene:
    """Draw a position."""
    if isinstance(phase, Terminal):
        return the_end(phase, "deals won")
    if isinstance(phase, Bidding):
        return _auction(phase)
    if isinstance(phase, Playing):
        return _play(phase)
    if isinstance(phase, Shuffling):
        return _finished(phase.last) if phase.last else _first_deal(phase)
    assert isinstance(phase, Drawing)
    return Scene("the draw for the deal", tuple(map(Place, SEATS)))


_BID = re.compile(f"([0-9]+)([CDHS{NO_TRUMP}])(c?)")


def suit_bid(word: str) -> SuitBid | None:
    """Read a bid such as `25Hc` or `10N` as people write it; None for any other word."""
    bid = _BID.fullmatch(word)
    if not bid:
        return None
    level, strain, capot = bid[1], bid[2], " capot" if bid[3] else ""
    if strain == NO_TRUMP:
        return SuitBid(f"{level} no-trump", "", capot)
    return SuitBid(level, strain, capot)


def _spoken(call: str) -> str:
    """Write a call or a bid as people do."""
    return Call(call).name.lower() if call in [*Call] else str(suit_bid(call) or call)


def _first_deal(phase: Shuffling) -> Scene:
    places = (Place(seat, status="deals" * (seat == phase.sheet.dealer)) for seat in SEATS)
    return Scene(f"deal {phase.sheet.deal}", tuple(places), sides=_sides(phase.sheet.scores))


def _sides(
    scores: Sequence[int], points: Sequence[int] = (), gained: Sequence[int] = ()
) -> tuple[Side, ...]:
    """The sides with their scores, the points of their tricks and what the deal gave them."""
    sides = []
    for side in (0, 1):
        facts = [("points", str(points[side]))] if points else []
        facts += [("deal", f"{gained[side]:+}")] if gained else []
        sides.append(Side((side, side + 2), scores[side], tuple(facts)))
    return tuple(sides)


def _auction(phase: Bidding) -> Scene:
    sheet, said = phase.sheet, dict(phase.calls)
    return Scene(
        f"deal {sheet.deal}",
        tuple(
            Place(
                seat,
                tuple(map(Shown, phase.hands[seat])),
                (("bid", _spoken(said[seat])),) if seat in said else (),
                "deals" if seat == sheet.dealer else "",
                to_act=seat == phase.to_act,
                in_hand=True,
            )
            for seat in SEATS
        ),
        _contract_fact(phase.contract),
        sides=_sides(sheet.scores),
    )


def _play(phase: Playing) -> Scene:
    """The hands, and the trick on the table, or the last trick until somebody leads."""
    sheet = phase.sheet
    played = on_the_table(phase.history, phase.leader, phase.trick)
    just_over = bool(phase.history) and not phase.trick
    left = max(map(len, phase.hands))
    return Scene(
        f"deal {sheet.deal}",
        tuple(
            Place(
                seat,
                tuple(map(Shown, phase.hands[seat])),
                (*_bid_fact(phase.contract, seat), *_announced(phase, seat)),
                to_act=seat == phase.to_act,
                in_hand=True,
                played=played[seat],
                took=just_over and seat == phase.leader,
            )
            for seat in SEATS
        ),
        _contract_fact(phase.contract),
        _shown(phase),
        _sides(sheet.scores, points=phase.points),
        Stage("trick", TRICKS + 1 - left, TRICKS),
    )


def _finished(last: Finished) -> Scene:
    """The last trick, and the score of the deal."""
    played = on_the_table(last.history.removesuffix(Penalty.REVOKE))  # no card stands for it
    return Scene(
        f"deal {last.sheet.deal}",
        tuple(
            Place(
                seat,
                (),
                _bid_fact(last.contract, seat),
                "revoked" if seat == last.revoker else "",
                played=played[seat],
            )
            for seat in SEATS
        ),
        _contract_fact(last.contract) or (("contract", "everybody passed"),),
        sides=_sides(last.scores, points=last.points, gained=last.gained),
    )


def projected_scores(phase: Phase | Terminal) -> Sequence[int] | None:
    """The scores if the bidders win just what their contract needs, while that is possible."""
    if isinstance(phase, Terminal):
        return phase.scores
    if isinstance(phase, Shuffling) and phase.last:
        return phase.last.scores * 2
    return phase.projected().scores * 2 if isinstance(phase, Playing) else None


def ending(before: Phase, action: Action, over: Terminal) -> Scene:  # noqa: ARG001
    """Draw the last deal as it was scored."""
    return _finished(_ending(before, over)) if isinstance(before, Playing) else scene(over)


def _contract_fact(contract: Contract | None) -> tuple[tuple[str, str], ...]:
    return (("contract", contract.name),) if contract else ()


def _bid_fact(contract: Contract | None, seat: Seat) -> tuple[tuple[str, str], ...]:
    return (("bid", _spoken(str(contract.bid))),) if contract and contract.seat == seat else ()


def _announced(phase: Playing, seat: Seat) -> tuple[tuple[str, str], ...]:
    """The declarations that this seat has announced."""
    said = phase.said(seat)
    return (("has", ", ".join(NAMES[one.kind] for one in said)),) if said else ()


def _shown(phase: Playing) -> tuple[Pile, ...]:
    """The declarations that lie open: from a seat's second card to the end of that trick."""
    played = [TRICKS - len(hand) for hand in phase.hands]
    if max(played) != 2:
        return ()
    return tuple(
        Pile(NAMES[one.kind], tuple(map(Shown, one.cards)))
        for seat in SEATS
        if played[seat] == 2
        for one in phase.said(seat)
        if one.kind != BELOTE
    )


def remark(before: Phase, after: Phase | Terminal, names: Sequence[str]) -> str:
    """Say who plays what, what is announced, who takes a trick and how a deal is scored."""
    return "; ".join(_remarks(before, after, names))


def _remarks(before: Phase, after: Phase | Terminal, names: Sequence[str]) -> Iterator[str]:
    """Describe the effect of a turn if the cards and calls alone don't show it."""
    if isinstance(before, Drawing):
        assert isinstance(after, Shuffling)
        yield f"{names[after.sheet.dealer]} deals first"
    elif isinstance(before, Bidding):
        if isinstance(after, Playing):
            yield f"{partners(names, after.contract.seat)} to make {after.contract.name}"
        elif not isinstance(after, Bidding):
            yield "everybody passes"
        elif after.contract and after.contract.doubled and before.contract != after.contract:
            yield f"{names[before.to_act]} says contra"
    elif isinstance(before, Playing):
        if isinstance(after, Playing):
            yield from _card_remarks(before, after, names)
        else:
            yield from _end_remarks(before, after, names)


def _card_remarks(before: Playing, after: Playing, names: Sequence[str]) -> Iterator[str]:
    seat = before.to_act
    for one in after.said(seat)[len(before.said(seat)) :]:
        yield f"{names[seat]} announces {'' if one.kind in 'B4' else 'a '}{NAMES[one.kind]}"
    if not after.trick:
        yield f"{names[after.to_act]} takes the trick"


def _end_remarks(before: Playing, after: Phase | Terminal, names: Sequence[str]) -> Iterator[str]:
    """Who took the last trick or revoked, and the score of the deal."""
    last, contract = _ending(before, after), before.contract
    side = contract.seat % 2
    bidders, defenders = partners(names, side), partners(names, 1 - side)
    ours, theirs = last.gained[side], last.gained[1 - side]
    if last.revoker is not None:
        yield f"{names[last.revoker]} revokes: {bidders} {ours:+}, {defenders} {theirs:+}"
        return
    trick = (*before.trick, *before.hands[before.to_act])
    taker = (before.leader + winner(trick, contract.bid.strain)) % 4
    yield f"{names[taker]} takes the last trick"
    verb = "made" if ours >= contract.bid.level else "missed"
    yield f"{bidders} {verb} {contract.name}: {ours:+}, {defenders} {theirs:+}"


def _ending(before: Playing, after: Phase | Terminal) -> Finished:
    """How the deal ended, since the end of a game has only the scores."""
    if isinstance(after, Shuffling):
        assert after.last
        return after.last
    assert isinstance(after, Terminal)
    if sum(map(len, before.hands)) == 1:
        last = before.put(before.hands[before.to_act][0])
        if isinstance(last, Finished) and last.scores == after.scores[:2]:
            return last
    return before.revoked()
