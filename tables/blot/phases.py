"""The phases of blot: the questions of each, and the next phase after an answer.

Rules are cited from docs/rules/blot.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from card_arena.tables.blot.answers import (
    Announcing,
    Call,
    Calling,
    ElseRevoke,
    Penalty,
    Play,
    read_call,
    read_play,
)
from card_arena.tables.blot.messages import BlotQuestion
from card_arena.tables.blot.rules import (
    BELOTE,
    HIGHEST_LEVEL,
    LAST_TRICK,
    LOWEST_FIRST,
    LOWEST_LEVEL,
    NOTHING_DECLARED,
    PACK,
    POINTS,
    SEATS,
    TRICKS,
    Bid,
    Contract,
    Declared,
    Finished,
    Hands,
    Options,
    ScoreSheet,
    Sides,
    announceable,
    announced,
    awarded,
    belotes,
    by_side,
    declaration_text,
    largest,
    playable,
    result,
    winner,
)
from card_arena.tables.cards import Card, listed
from card_arena.tables.encoding import plain
from card_arena.tables.game import Draw, Notice, Phase, Seat, Shuffle, Terminal, illegal
from card_arena.tables.legal_actions import Action, LegalActions, OneOf
from card_arena.tables.tricks import (
    open_hands,
    replaced,
    sorted_hand,
    trick_text,
    with_trick,
    without,
)


def question(
    sheet: ScoreSheet,
    hands: Hands,
    seat: Seat,
    *,
    phase: str,
    legal: str,
    auction: str,
    contract: str,
    declarations: str = "-",
    history: str = "-",
    trick: str = "-",
    points: str = "0,0",
) -> BlotQuestion:
    """Write down what a seat may know: its own hand, and everything said and played."""
    options = sheet.options
    return BlotQuestion(
        game="blot",
        phase=phase,
        legal=legal,
        seat=seat,
        dealer=sheet.dealer,
        hand=listed(hands[seat]),
        auction=auction,
        contract=contract,
        declarations=declarations,
        history=history,
        trick=trick,
        points=points,
        scores=by_side(sheet.scores),
        target=options.target,
        hands=open_hands(options, hands),
    )


Calls = tuple[tuple[Seat, str], ...]
"""The calls of an auction, with their seats."""


@dataclass(frozen=True, slots=True)
class Drawing(Draw):
    """The first dealer is drawn."""

    options: Options

    @property
    def pack(self) -> tuple[Card, ...]:
        """The 32 cards of blot."""
        return PACK

    def drawn(self, dealer: Seat) -> Phase:
        """The first deal, dealt by this seat."""
        return Shuffling(ScoreSheet(self.options, dealer))


@dataclass(frozen=True, slots=True)
class Shuffling(Shuffle):
    """A deal is due; `last` is the finished previous deal."""

    sheet: ScoreSheet
    last: Finished | None = None

    @property
    def pack(self) -> tuple[Card, ...]:
        """The 32 cards of blot."""
        return PACK

    def dealt(self, order: tuple[Card, ...]) -> tuple[Phase | Terminal, Sequence[Notice]]:
        """Deal four cards each, then another four, starting after the dealer."""
        first = self.sheet.first
        turns = [4 * ((seat - first) % 4) for seat in SEATS]
        hands = tuple(sorted_hand((*order[at : at + 4], *order[at + 16 : at + 20])) for at in turns)
        return Bidding(self.sheet, hands, first), ()


def _after(last: Finished) -> tuple[Phase | Terminal, Sequence[Notice]]:
    """Announce a finished deal, and start the next one unless the game is over."""
    following = last.sheet.after(last)
    after = following if isinstance(following, Terminal) else Shuffling(following, last)
    return after, (last.notices(),)


class Bidding(NamedTuple):
    """A seat is asked for its call.

    `calls` are all earlier calls with their seats. After a contra, `waiting` are the seats that are
    asked next if this one passes.
    """

    sheet: ScoreSheet
    hands: Hands
    to_act: Seat
    calls: Calls = ()
    contract: Contract | None = None
    waiting: tuple[Seat, ...] = ()

    def legal_actions(self, seat: Seat) -> LegalActions:  # noqa: ARG002
        """Pass; contra the opponents; bid more than the standing bid; or answer a contra."""
        return self._choice()

    def _choice(self) -> Calling | OneOf:
        contract, capot_level = self.contract, self.sheet.options.capot_level
        if contract is None:
            return Calling((Call.PASS,), LOWEST_LEVEL, capot_level, capot_only=False)
        if contract.doubled:
            return OneOf((Call.PASS, Call.RECONTRA))
        ours = (contract.seat - self.to_act) % 2 == 0
        calls = (Call.PASS,) if ours else (Call.PASS, Call.CONTRA)
        level = contract.bid.level + 1
        if level > HIGHEST_LEVEL:
            return OneOf(calls)
        return Calling(calls, level, max(level, capot_level), contract.bid.capot)

    def question(self, seat: Seat) -> BlotQuestion:
        """The seat's own hand and the auction so far."""
        sheet, choice = self.sheet, self._choice()
        return question(
            sheet,
            self.hands,
            seat,
            phase="bid",
            legal=",".join(map(str, choice.actions)) if isinstance(choice, OneOf) else str(choice),
            auction=_auction_text(self.calls),
            contract=str(self.contract or "-"),
        )

    def read(self, line: str) -> Action:
        """Read `P`, `X`, `XX` or a bid such as `10S` or `25Hc`."""
        return read_call(line)

    def write(self, action: Action) -> str:
        """Write a call as a bot would."""
        return str(action)

    def apply(self, action: Action) -> tuple[Phase | Terminal, Sequence[Notice]]:
        """Record the call and ask the next seat, until the auction is over."""
        if action not in self.legal_actions(self.to_act):
            raise illegal(self, action)
        sheet, hands, seat, calls, contract, waiting = self
        calls = (*calls, (seat, str(action)))
        if isinstance(action, Bid):
            return Bidding(sheet, hands, (seat + 1) % 4, calls, Contract(action, seat)), ()
        if contract is None:
            if len(calls) == 4:
                return _after(Finished(sheet))
        elif action == Call.CONTRA:
            contract = contract._replace(doubled=1)
            asked, *waits = self._asked_for_recontra(contract)
            return Bidding(sheet, hands, asked, calls, contract, tuple(waits)), ()
        elif action == Call.RECONTRA:
            return _first_lead(sheet, hands, calls, contract._replace(doubled=2)), ()
        elif waiting:
            return Bidding(sheet, hands, waiting[0], calls, contract, waiting[1:]), ()
        elif contract.doubled or self._is_last_pass(calls):
            return _first_lead(sheet, hands, calls, contract), ()
        return Bidding(sheet, hands, (seat + 1) % 4, calls, contract), ()

    def _asked_for_recontra(self, contract: Contract) -> tuple[Seat, ...]:
        """The seats that may answer this seat's contra."""
        if self.sheet.options.recontra_by == "declarer":
            return (contract.seat,)
        return (self.to_act + 1) % 4, (self.to_act + 3) % 4

    def _is_last_pass(self, calls: Calls) -> bool:
        """Return whether enough seats have passed since the last bid: the bidder is the fourth."""
        enough = 4 if self.sheet.options.auction_end == "four_passes" else 3
        return all(call == Call.PASS for _, call in calls[-enough:])


def _auction_text(calls: Calls) -> str:
    return ",".join([call for _, call in calls])


def _first_lead(sheet: ScoreSheet, hands: Hands, calls: Calls, contract: Contract) -> Playing:
    """The first lead after the auction, by the seat after the dealer."""
    strain, overlap = contract.bid.strain, sheet.options.belote_overlap
    if sheet.options.declare == "auto":
        declared = [largest(hand, strain, belote_overlap=overlap) for hand in hands]
    else:
        declared = [announced(hand, strain, "", belote_overlap=overlap) for hand in hands]
    return Playing(sheet, contract, _auction_text(calls), tuple(declared), hands, sheet.first)


class Playing(NamedTuple):
    """A seat is asked for a card.

    `declared` are the declarations of every hand, whether or not already announced. `history` are
    the finished tricks as in the question; `points` and `tricks` have one number per side.
    """

    sheet: ScoreSheet
    contract: Contract
    auction: str
    declared: tuple[Declared, ...]
    hands: Hands
    to_act: Seat
    trick: tuple[Card, ...] = ()
    history: str = ""
    points: tuple[int, int] = (0, 0)
    tricks: tuple[int, int] = (0, 0)

    @property
    def leader(self) -> Seat:
        """The seat that led to this trick."""
        return (self.to_act - len(self.trick)) % 4

    def legal_actions(self, seat: Seat) -> LegalActions:  # noqa: ARG002
        """The cards that rules d.1 to d.3 allow; with `revoke: round` any other is a revoke."""
        options, plays = self.sheet.options, self._plays()
        if options.revoke == "round":
            return ElseRevoke(plays)
        lowest_first = sorted(plays, key=self._height)
        return OneOf(tuple(lowest_first))

    def _plays(self) -> tuple[Play, ...]:
        """The legal cards, in the first trick with every possible announcement."""
        options, strain = self.sheet.options, self.contract.bid.strain
        hand = self.hands[self.to_act]
        cards = playable(hand, self.trick, strain, options)
        if options.declare == "auto" or len(hand) < TRICKS:
            return cards
        groups = announceable(hand, strain, belote_overlap=options.belote_overlap)
        return tuple(
            Announcing(card, classes) if classes else card for card in cards for classes in groups
        )

    def _height(self, play: Play) -> tuple[int, str]:
        """The order of preference for a substitute: the lowest card, nothing announced."""
        card, classes = play if isinstance(play, Announcing) else (play, "")
        return LOWEST_FIRST[self.contract.bid.strain][card], classes

    def question(self, seat: Seat) -> BlotQuestion:
        """The seat's own hand, all cards played, and the declarations announced and shown."""
        return question(
            self.sheet,
            self.hands,
            seat,
            phase="play",
            legal=",".join(map(str, self._plays())),
            auction=self.auction,
            contract=str(self.contract),
            declarations=self._declarations_text(),
            history=self.history,
            trick=trick_text(self.leader, self.trick),
            points=by_side(self.points),
        )

    def _declarations_text(self) -> str:
        if self.declared == NOTHING_DECLARED:
            return "-"
        return "/".join(self._public()) or "-"

    def said(self, seat: Seat) -> Declared:
        """The public declarations of this seat.

        That is all of them once it has played a card, and a belote once one of its cards was
        played.
        """
        hand = self.hands[seat]
        return tuple(
            one
            for one in self.declared[seat]
            if (len(hand) < TRICKS if one.kind != BELOTE else not set(one.cards) <= set(hand))
        )

    def _public(self) -> Iterator[str]:
        """The public knowledge of the declarations, from the first leader on.

        The cards are shown once a seat has played to two tricks; those of a belote are no secret.
        """
        for step in SEATS:
            seat = (self.sheet.first + step) % 4
            shown = len(self.hands[seat]) < TRICKS - 1
            for one in self.said(seat):
                if shown or one.kind == BELOTE:
                    yield declaration_text(seat, one)
                else:
                    yield f"{seat}:{one.kind}"

    def read(self, line: str) -> Action:
        """Read a card such as `7H`, with `declare: bot` also `7H+T`, or a record's `revoke`."""
        options = self.sheet.options
        if options.revoke == "round" and plain(line).lower() == Penalty.REVOKE:
            return Penalty.REVOKE
        return read_play(line, announcing=options.declare == "bot")

    def write(self, action: Action) -> str:
        """Write a play as a bot would."""
        return str(action)

    def apply(self, action: Action) -> tuple[Phase | Terminal, Sequence[Notice]]:
        """Play a card, finish the trick, and after the last one the deal."""
        plays = self._plays()
        if action is Penalty.REVOKE and self.sheet.options.revoke == "round":
            return _after(self.revoked())
        if action not in plays:
            raise illegal(self, action)
        after = self.put(plays[plays.index(action)])  # a plain str may be equal to a card
        return _after(after) if isinstance(after, Finished) else (after, ())

    def put(self, action: Play) -> Playing | Finished:
        """The position, or the finished deal, after a legal card."""
        sheet, contract, auction, declared, hands, seat, trick, history, points, tricks = self
        strain = contract.bid.strain
        if isinstance(action, Announcing):
            card, classes = action
            overlap = sheet.options.belote_overlap
            said = announced(hands[seat], strain, classes, belote_overlap=overlap)
            declared = replaced(declared, seat, said)
        else:
            card = action
        hands = replaced(hands, seat, without(hands[seat], card))
        trick = (*trick, card)
        seat = (seat + 1) % 4
        if len(trick) < 4:
            return Playing(
                sheet, contract, auction, declared, hands, seat, trick, history, points, tricks
            )
        history = with_trick(history, seat, trick)
        taker = (seat + winner(trick, strain)) % 4
        side, worth = taker % 2, POINTS[strain]
        taken = sum([worth[one] for one in trick])
        points = _more(points, side, taken if hands[taker] else taken + LAST_TRICK)
        tricks = _more(tricks, side, 1)
        after = Playing(
            sheet, contract, auction, declared, hands, taker, (), history, points, tricks
        )
        return after if hands[taker] else after.finished()

    def _awarded(self) -> tuple[int, int]:
        options, strain = self.sheet.options, self.contract.bid.strain
        low_runs = options.top_card == "low"
        return awarded(self.declared, strain, self.sheet.first, low_runs=low_runs)

    def projected(self) -> Finished:
        """The deal if the bidders win just what they need, or no more where that is impossible."""
        bid, side = self.contract.bid, self.contract.seat % 2
        own, other = _from(side, self.points)
        pack_points = sum(POINTS[bid.strain].values()) + LAST_TRICK
        helping = self._awarded()[side] * self.sheet.options.decl_counts_for_contract
        missing = max(0, 10 * bid.level - helping - own)
        own += min(missing, pack_points - own - other)
        tricks = self.tricks
        if bid.capot and not tricks[1 - side]:
            own, tricks = pack_points, _from(side, (TRICKS, 0))
        points = _from(side, (own, pack_points - own))
        return self._replace(points=points, tricks=tricks).finished()

    def finished(self) -> Finished:
        """Score the deal (rules e.1 to e.3)."""
        sheet, contract, options = self.sheet, self.contract, self.sheet.options
        side = contract.seat % 2
        counted = self._awarded()
        _, gained = result(
            options,
            contract,
            Sides(*_from(side, self.points)),
            self.tricks[side],
            Sides(*_from(side, counted)),
            Sides(*_from(side, belotes(self.declared))),
        )
        return Finished(
            sheet, contract, self.declared, self.history, self.points, _from(side, gained)
        )

    def revoked(self) -> Finished:
        """Give the deal to the opponents: 16 and the declarations of both sides (rule d.5)."""
        everything = sum(one.value for declared in self.declared for one in declared)
        gained = _more((0, 0), 1 - self.to_act % 2, 16 + everything // 10)
        history = with_trick(self.history, self.leader, (*self.trick, Penalty.REVOKE))
        return Finished(
            self.sheet, self.contract, self.declared, history, self.points, gained, self.to_act
        )


def _more(numbers: tuple[int, int], side: int, more: int) -> tuple[int, int]:
    """Both sides' numbers, with one side's raised."""
    return (numbers[0] + more, numbers[1]) if side == 0 else (numbers[0], numbers[1] + more)


def _from(side: int, numbers: tuple[int, int]) -> tuple[int, int]:
    """The numbers of this side and the other; applying it twice changes nothing."""
    return numbers if side == 0 else (numbers[1], numbers[0])
