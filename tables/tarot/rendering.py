"""A position of French tarot as people see it, and the effect of a turn in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from card_arena.tables.cards import TRUMP, Card
from card_arena.tables.game import Phase, Seat, Terminal
from card_arena.tables.legal_actions import Action
from card_arena.tables.scene import Pile, Place, Scene, Shown, Stage
from card_arena.tables.tarot.phases import Bidding, Discarding, Playing, Shuffling
from card_arena.tables.tarot.rules import (
    NEEDED,
    SEATS,
    TRICKS,
    Deal,
    ScoreSheet,
    is_petit_sec,
    marks,
    points_text,
    taker_count,
)
from card_arena.tables.tricks import on_the_table, the_end

Facts = tuple[tuple[str, str], ...]


def scene(phase: Phase | Terminal) -> Scene:
    """Draw the three hands, the trick before them, and what lies in the middle."""
    if isinstance(phase, Terminal):
        return the_end(phase, "deals won")
    if not isinstance(phase, Shuffling):
        assert isinstance(phase, Bidding | Discarding | Playing)
        return _table(phase)
    last = phase.last
    if last is None:
        return Scene(_title(phase.sheet), tuple(Place(s, facts=(("score", "0"),)) for s in SEATS))
    if isinstance(last, Playing):
        return _finished(last, phase.sheet.scores)
    drawn = _table(last, waiting=False)
    return Scene(drawn.title, drawn.places, (("ended", _why(last)),), drawn.piles)


def _title(sheet: ScoreSheet) -> str:
    again = f", dealt again ({sheet.again})" if sheet.again else ""
    return f"deal {sheet.number} of {sheet.options.deals}{again}"


def _why(last: Bidding | Discarding) -> str:
    if isinstance(last, Discarding):
        return "no discard"
    return "all passed" if last.calls else "petit sec"


def _table(phase: Bidding | Discarding | Playing, *, waiting: bool = True) -> Scene:
    """Draw a deal that goes on; `waiting` for somebody, unless it has just come to nothing."""
    to_act = phase.to_act if waiting else None
    if isinstance(phase, Bidding):
        sheet, calls = phase.sheet, phase.calls
        facts: Facts = ()
        piles: tuple[Pile, ...] = (Pile("dog", _face_down(phase.dog)),)
    else:
        sheet, calls = phase.deal.sheet, phase.deal.calls
        facts, piles = _deal_facts(phase), _piles(phase)
    bids, played = sheet.calls_text(calls).split(","), _played(phase)
    return Scene(
        _title(sheet),
        tuple(
            Place(
                seat,
                tuple(map(Shown, phase.hands[seat])),
                (
                    ("score", str(sheet.scores[seat])),
                    ("bid", bids[seat]),
                    *(_place_facts(phase, seat) if isinstance(phase, Playing) else ()),
                ),
                _status(phase, seat),
                to_act=seat == to_act,
                in_hand=True,
                played=played[seat],
                took=_took(phase, seat),
            )
            for seat in SEATS
        ),
        facts,
        piles,
        stage=_stage(phase) if isinstance(phase, Playing) else None,
    )


def ending(before: Phase, action: Action, over: Terminal) -> Scene:
    """Draw the last deal as it was scored."""
    if isinstance(before, Playing):
        return _finished(before.after(action), over.scores)
    return scene(over)


def _stage(phase: Playing) -> Stage:
    return Stage("trick", min(len(phase.tricks) + 1, TRICKS), TRICKS)


def projected_scores(phase: Phase | Terminal) -> Sequence[int] | None:
    """The scores if the taker wins just the points needed, for as long as that is possible."""
    if isinstance(phase, Terminal):
        return phase.scores
    if isinstance(phase, Shuffling):
        return phase.sheet.scores if phase.last else None
    if not isinstance(phase, Playing):
        return None
    sheet, price = phase.deal.sheet, phase.projected_price()
    gained = marks(phase.deal.taker, price)
    return tuple(score + more for score, more in zip(sheet.scores, gained, strict=True))


def _finished(table: Playing, scores: Sequence[int]) -> Scene:
    """Draw a deal that has been scored: the last trick, the discard or dog, and the marks."""
    deal, result = table.deal, table.result()
    over = result.counted.half_points - 2 * NEEDED[result.counted.bouts]
    outcome = f"{'made' if result.made else 'lost'} by {points_text(abs(over))}"
    gained = marks(deal.taker, result.price)
    drawn = _table(table, waiting=False)
    return Scene(
        drawn.title,
        tuple(
            Place(
                place.seat,
                facts=(
                    ("score", str(scores[place.seat])),
                    ("this deal", f"{gained[place.seat]:+}"),
                    *place.facts[1:],
                ),
                status=place.status,
                played=place.played,
                took=place.took,
            )
            for place in drawn.places
        ),
        (*drawn.facts, ("result", outcome)),
        tuple(
            replace(pile, cards=tuple(Shown(shown.card) for shown in pile.cards))
            for pile in drawn.piles
        ),
    )


def _deal_facts(phase: Discarding | Playing) -> Facts:
    contract = ("contract", contract_name(phase.deal))
    if isinstance(phase, Discarding):
        return (contract,)
    deal, tricks = phase.deal, phase.tricks
    # Cards set aside are not counted before the end: they are secret, or nobody has seen them.
    aside = () if phase.hands[deal.taker] else deal.aside
    counted = taker_count(tricks, deal.taker, aside, deal.sheet.options.excuse_last)
    return (
        contract,
        ("taker's points", f"{points_text(counted.half_points)} of {NEEDED[counted.bouts]}"),
        ("bouts", str(counted.bouts)),
    )


def contract_name(deal: Deal) -> str:
    """The contract as players say it: `garde sans`, with the announced chelem."""
    name = deal.call.contract
    full = name if deal.takes_dog else f"garde {name}"
    return f"{full}, chelem" if deal.call.chelem else full


def _place_facts(phase: Playing, seat: Seat) -> Facts:
    took = sum(trick.winner == seat for trick in phase.tricks)
    poignees = [str(len(cards)) for who, cards in phase.shown if who == seat]
    return (("took", str(took)), *(("poignée", size) for size in poignees))


def _status(phase: Bidding | Discarding | Playing, seat: Seat) -> str:
    if isinstance(phase, Bidding):
        return "dealer" if seat == phase.sheet.dealer else ""
    return "taker" if seat == phase.deal.taker else ""


def _took(phase: Bidding | Discarding | Playing, seat: Seat) -> bool:
    if not isinstance(phase, Playing) or phase.trick:
        return False
    return bool(phase.tricks) and seat == phase.leader


def _played(phase: Bidding | Discarding | Playing) -> tuple[tuple[Shown, ...], ...]:
    if not isinstance(phase, Playing):
        return ((),) * 3
    return on_the_table(phase.history, phase.leader, phase.trick, seats=3)


def _piles(phase: Discarding | Playing) -> tuple[Pile, ...]:
    deal = phase.deal
    if isinstance(phase, Discarding):
        hidden = deal.sheet.options.dog == "hidden"
        dog = _face_down(deal.dog) if hidden else tuple(map(Shown, deal.dog))
        return (Pile("dog", dog, deal.taker),)
    poignees = phase.shown if not phase.tricks else ()
    aside = Pile("dog", _face_down(deal.dog))
    if deal.discard:
        seen = tuple(Shown(card, face_down=card.suit != TRUMP) for card in deal.discard)
        aside = Pile("discard", seen, deal.taker)
    return (
        aside,
        *(Pile("poignée", tuple(map(Shown, cards))) for _, cards in poignees),
    )


def _face_down(cards: Iterable[Card]) -> tuple[Shown, ...]:
    return tuple(Shown(card, face_down=True) for card in cards)


def remark(before: Phase, after: Phase | Terminal, names: Sequence[str]) -> str:
    """Say who plays what, who shows or takes what, and how a deal is scored."""
    if isinstance(before, Playing):
        # A deal ends with each seat's last card, so the last play was forced.
        last = before.hands[before.to_act][0]
        return _play_remark(
            before, after if isinstance(after, Playing) else before.after(last), names
        )
    if isinstance(before, Bidding):
        return _bid_remark(after, names)
    if isinstance(before, Discarding) and isinstance(after, Playing):
        trumps = [card.name for card in after.deal.discard if card.suit == TRUMP]
        return f"{names[after.deal.taker]} puts {' and '.join(trumps)} away" if trumps else ""
    if isinstance(after, Shuffling) and isinstance(after.last, Bidding):
        holder = next(seat for seat in SEATS if is_petit_sec(after.last.hands[seat]))
        return f"the petit is {names[holder]}'s only trump: the deal is annulled"
    return ""


def _bid_remark(after: Phase | Terminal, names: Sequence[str]) -> str:
    table = after.last if isinstance(after, Shuffling) else after
    if isinstance(table, Discarding | Playing):
        says = f"{names[table.deal.taker]} plays a {contract_name(table.deal)}"
        return f"{says} but has no discard: the deal is annulled" if table is not after else says
    return "" if isinstance(after, Bidding) else "all pass"


def _play_remark(before: Playing, after: Playing, names: Sequence[str]) -> str:
    words = []
    if len(after.shown) > len(before.shown):
        seat, cards = after.shown[-1]
        words.append(f"{names[seat]} shows a poignée of {len(cards)}")
    if not after.trick:
        words.append(f"{names[after.leader]} takes the trick")
    if not after.trick and not after.hands[after.leader]:
        result, taker = after.result(), names[after.deal.taker]
        verb = "makes" if result.made else "loses"
        words.append(
            f"{taker} {verb} the {contract_name(after.deal)} with"
            f" {points_text(result.counted.half_points)} points and {result.counted.bouts}"
            f" bout{'s' * (result.counted.bouts != 1)}: {2 * result.price:+}"
        )
    return "; ".join(words)
