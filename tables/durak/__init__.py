"""Durak, the throw-in kind (*podkidnoy*): whoever holds cards last is the fool.

Two to six players. One attacks his neighbour with a card, who beats it with a higher card of its
suit or with a trump, or takes it. While there is room the others throw in cards of ranks that lie
on the table. What was beaten leaves the game; hands are filled up to six from the talon.

The readings of the rules that this file and `durak_bout` take:

* The card that shows trumps never makes its holder begin, not even where the whole pack is dealt
  and it is in a hand from the start.
* Where several cards wait to be beaten, after a transfer or on a `throw_in: several` table, they
  are beaten in the order they were laid. It costs the defender nothing, as he sees all of them.
* A throw-in while the defender takes makes all the others be asked again, as any throw-in does.
* After a transfer the limit follows from the new defender's hand; in the first bout of a
  `first_limit: 5` table it stays five at most. Who passed an attack on is its attacker, and draws
  first.
* With `throw_in: several` cards that are laid together are of one rank.
* With `transfer: show_trump` a trump is shown once in a bout.
* `refill: throwers` goes by the first card that each laid; nobody else can be short of cards.
* With `last_cards: attacker_wins` the defender is the fool where nobody has cards left.
* `partners` sit across: nobody attacks or throws in against his partner, and an attack goes to the
  next opponent. The game ends when only one side holds cards.
* A five-card suit with `redeal` is any suit, trumps included.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from tables.cards import RANKS, SUIT_NAMES, SUITS, Card, listed, pack
from tables.choices import Action, Choice, OneOf
from tables.durak.bout import (
    HAND,
    HEIGHT,
    Answer,
    Bout,
    Options,
    Say,
    Show,
    Together,
    Transfer,
    in_order,
    read_answer,
    sides,
)
from tables.game import BadTable, Example, Game, IllegalAction, News, Over, Phase, Seat
from tables.phases import Shuffle
from tables.scene import Pile, Place, Scene, Shown
from tables.wording import word

BOUTS = 500
"""A game that has not ended after so many is a draw among those who still hold cards."""

_LOWEST = {52: "2", 36: "6", 32: "7", 24: "9"}


@dataclass(frozen=True, slots=True)
class DurakQuestion:
    """What a bot is asked."""

    game: str = word("the game", "durak")
    phase: str = word(
        "`attack`: lead a card; `defend`: beat a card or take; `throw`: throw in or be done;"
        " `give`: throw in while the defender takes, or be done",
        "throw",
    )
    legal: str = word("every legal answer; a transfer is written `pass:8H` here", "7H,9D,done")
    seat: int = word("your seat", "2")
    hand: str = word("your cards, suit by suit, trumps last", "KC,7H,4S,9D")
    trump: str = word("the suit of trumps and the card that shows it", "D:7D")
    talon: int = word("cards left in the talon, the one that shows trumps included", "27")
    sizes: str = word("cards in each seat's hand; 0 and no talon: the seat is out", "5,5,6,6")
    table: str = word(
        "attack cards in the order they were laid, each with the card that beats it or nothing"
        " behind a `-`",
        "7S-9S",
    )
    attacker: int = word("the seat that attacks", "0")
    defender: int = word("the seat that defends", "1")
    left: int = word("attack cards that can still be laid in this bout", "5")
    history: str = word(
        "every bout from the first, with `/` between them, the one on the table last: what each"
        " seat laid or said, in turn",
        "0:7S,1:9S",
    )
    hands: str | None = word("with `open_hands` only: all hands, seat by seat", "7D,-,KC/AS,QH")


@dataclass(frozen=True, slots=True)
class BoutOver:
    """A bout has ended, and the hands were filled up from the talon."""

    number: int = word("the bout's number, from 1", "1")
    plays: str = word("what each seat laid or said, in turn", "0:7S,1:9S,0:9H,1:take")
    came_to: str = word(
        "`beaten`: the cards left the game; `taken`: the defender has them", "taken"
    )

    def __str__(self) -> str:
        return f"bout {self.number} {self.plays} {self.came_to}"


@dataclass(frozen=True, slots=True)
class Shuffling(Shuffle):
    """The dealer brings the pack."""

    options: Options
    seats: int

    @property
    def pack(self) -> tuple[Card, ...]:
        """The cards from the table's lowest rank to the ace."""
        return pack(RANKS[RANKS.index(_LOWEST[self.options.deck]) :])

    def dealt(self, order: tuple[Card, ...]) -> tuple[Phase | Over, Sequence[News]]:
        """Deal six cards to everybody, one at a time, and turn a card for trumps (rule a)."""
        seats, options = self.seats, self.options
        given = order[: HAND * seats]
        if options.redeal and any(_has_long_suit(given[seat::seats]) for seat in range(seats)):
            return self, ()
        rest = order[HAND * seats :]
        trump = rest[0] if rest else given[-1]
        hands = tuple(in_order(given[seat::seats], trump.suit) for seat in range(seats))
        table = Bout(hands, options, trump, (*rest[1:], *rest[:1]), out=(0,) * seats)
        return _attacking(table.attacked_by(_beginner(hands, trump))), ()


def _has_long_suit(cards: Sequence[Card]) -> bool:
    suits = [card.suit for card in cards]
    return any(suits.count(suit) >= 5 for suit in SUITS)


def _beginner(hands: Sequence[Sequence[Card]], trump: Card) -> Seat:
    """Who attacks first: the holder of the lowest trump, or the seat after the dealer (rule a)."""
    trumps = [
        (HEIGHT[card.rank], seat)
        for seat, hand in enumerate(hands)
        for card in hand
        if card.suit == trump.suit and card != trump
    ]
    return min(trumps)[1] if trumps else 0


class Asked(NamedTuple):
    """A seat is asked for one of its legal answers."""

    bout: Bout
    seat: Seat
    legal: tuple[Answer, ...]

    @property
    def to_act(self) -> Seat:
        """The seat that is asked."""
        return self.seat

    @property
    def word(self) -> str:
        """The phase's name in a question."""
        raise NotImplementedError

    def legal_actions(self, seat: Seat) -> Choice:  # noqa: ARG002
        """What can be laid or said now; the stand-in is the first of it."""
        return OneOf(self.legal)

    def question(self, seat: Seat) -> DurakQuestion:
        """The seat's own cards, and what everybody sees."""
        bout = self.bout
        beaten_by = (*bout.defences, *[""] * (len(bout.attacks) - len(bout.defences)))
        return DurakQuestion(
            "durak",
            self.word,
            ",".join(map(str, self.legal)),
            seat,
            listed(bout.hands[seat]),
            f"{bout.trump.suit}:{bout.trump}",
            len(bout.talon),
            ",".join([str(len(hand)) for hand in bout.hands]),
            ",".join(map("-".join, zip(bout.attacks, beaten_by, strict=True))),
            bout.attacker,
            bout.defender,
            bout.left,
            bout.history,
            "/".join(map(listed, bout.hands)) if bout.options.open_hands else None,
        )

    def read(self, line: str) -> Action:
        """Read a card, several joined by `+`, `take`, `done`, `pass 8H` or `show 8D`."""
        return read_answer(line)

    def write(self, action: Action) -> str:
        """Write an answer as a bot would: `pass 8H`, where a question has `pass:8H`."""
        return str(action).replace(":", " ")

    def checked(self, action: Action) -> Answer:
        """The action, where it is a legal answer."""
        try:
            return self.legal[self.legal.index(action)]
        except ValueError:
            allowed = OneOf(self.legal).describe(self.write)
            raise IllegalAction(f"{action} is not allowed now: expected {allowed}") from None


class Attacking(Asked):
    """The attacker leads to a bout (rule b.1)."""

    __slots__ = ()

    @property
    def word(self) -> str:
        """`attack`."""
        return "attack"

    def apply(self, action: Action) -> tuple[Phase | Over, Sequence[News]]:
        """Lay the first attack card, or several of one rank."""
        answer = self.checked(action)
        return _defending(self.bout.laid(self.seat, answer, _cards(answer))), ()


class Defending(Asked):
    """The defender beats the first unbeaten card, takes, or passes the attack on (rule b.2)."""

    __slots__ = ()

    @property
    def word(self) -> str:
        """`defend`."""
        return "defend"

    def apply(self, action: Action) -> tuple[Phase | Over, Sequence[News]]:
        """Carry out what the defender says."""
        bout, seat, answer = self.bout, self.seat, self.checked(action)
        if answer is Say.TAKE:
            taken = bout._replace(taking=True, history=bout.said(seat, answer))
            return _throwing(taken) if bout.options.throw_after_take else _ended(taken)
        if isinstance(answer, Transfer):
            return _defending(bout.laid(seat, answer, (answer.card,)).attacked_by(seat)), ()
        if isinstance(answer, Show):
            shown = bout._replace(shown=True, history=bout.said(seat, answer))
            return _defending(shown.attacked_by(seat)), ()
        assert isinstance(answer, Card), "a defender lays one card at a time"
        beaten = bout.beaten(answer)
        if len(beaten.defences) < len(beaten.attacks):
            return _defending(beaten), ()
        return _throwing(beaten)


class Throwing(Asked):
    """A seat may throw in while everything is beaten or the defender takes (rule b.3)."""

    __slots__ = ()

    @property
    def word(self) -> str:
        """`give` while the defender takes, else `throw`."""
        return "give" if self.bout.taking else "throw"

    def apply(self, action: Action) -> tuple[Phase | Over, Sequence[News]]:
        """Add the cards to the attack, or ask the next seat."""
        bout, seat, answer = self.bout, self.seat, self.checked(action)
        if answer is Say.DONE:
            done = (*bout.done, seat)
            return _throwing(bout._replace(done=done, history=bout.said(seat, answer)))
        more = bout.laid(seat, answer, _cards(answer))
        return _throwing(more) if bout.taking else (_defending(more), ())


def _cards(answer: Answer) -> tuple[Card, ...]:
    if isinstance(answer, Together):
        return answer.cards
    assert isinstance(answer, Card), "only cards are laid"
    return (answer,)


def _attacking(bout: Bout) -> Attacking:
    seat = bout.attacker
    return Attacking(bout, seat, bout.layable(bout.hands[seat]))


def _defending(bout: Bout) -> Defending:
    attack = bout.attacks[len(bout.defences)]
    legal = (*bout.defences_to(attack), *bout.transfers(), Say.TAKE)
    return Defending(bout, bout.defender, legal)


def _throwing(bout: Bout) -> tuple[Phase | Over, Sequence[News]]:
    """Ask the next one who can throw in, else end the bout (rules b.3 and b.4)."""
    thrower = bout.next_thrower()
    if not thrower:
        return _ended(bout)
    seat, cards = thrower
    return Throwing(bout, seat, (*cards, Say.DONE)), ()


def _ended(bout: Bout) -> tuple[Phase | Over, Sequence[News]]:
    """Clear the table, fill the hands up, and begin the next bout or end the game (b.4 to b.7)."""
    options, number, defender = bout.options, bout.number, bout.defender
    hands, talon = _filled_up(bout)
    out, over = bout.out, number == BOUTS
    if not talon and () in hands:
        out = tuple(
            [went or (0 if hand else number) for went, hand in zip(out, hands, strict=True)]
        )
        over = over or _is_decided(options, out)
    plays = bout.history.rpartition("/")[2]
    news = (BoutOver(number, plays, "taken" if bout.taking else "beaten"),)
    if over:
        return _over(options, out, defender), news
    swept = () if bout.taking else tuple(zip(bout.attacks, bout.defences, strict=True))
    table = Bout(hands, options, bout.trump, talon, out, number + 1, swept, history=bout.history)
    loses_turn = bout.taking or out[defender]
    attacker = table.next_in(defender) if loses_turn else defender
    return _attacking(table.attacked_by(attacker)), news


def _is_decided(options: Options, out: Sequence[int]) -> bool:
    """Say whether the seats that are still in, if any, are all of one side (rule b.6)."""
    if options.partners:
        return all(out[0::2]) or all(out[1::2])
    return out.count(0) <= 1


def _filled_up(bout: Bout) -> tuple[tuple[tuple[Card, ...], ...], tuple[Card, ...]]:
    """The hands after the bout and what is left of the talon (rules b.4 and b.5)."""
    hands, talon, trumps = list(bout.hands), bout.talon, bout.trump.suit
    if bout.taking:
        taken = (*hands[bout.defender], *bout.attacks, *bout.defences)
        hands[bout.defender] = in_order(taken, trumps)
    for seat in bout.drawing_order() if talon else ():
        missing = HAND - len(hands[seat])
        if missing > 0:
            hands[seat] = in_order((*hands[seat], *talon[:missing]), trumps)
            talon = talon[missing:]
    return tuple(hands), talon


def _over(options: Options, out: Sequence[int], defender: Seat) -> Over:
    """Points by places: two for every side that held cards longer, one for every tie (rule b.7).

    A hand is won by whoever is not among the last: not the fool, nor in a draw of the last ones.
    """
    lasted = [went or BOUTS + 1 for went in out]
    if all(out) and options.last_cards == "attacker_wins":
        lasted[defender] = BOUTS + 1
    scores = [0] * len(out)
    ends = {side: max(lasted[seat] for seat in side) for side in sides(options, len(out))}
    for side, end in ends.items():
        later = sum(other > end for other in ends.values())
        as_late = sum(other == end for other in ends.values()) - 1
        for seat in side:
            scores[seat] = 2 * later + as_late
    return Over(
        scores=tuple(scores),
        hands=(1,) * len(out),
        won=tuple(int(score > min(scores)) for score in scores),
    )


class Durak(Game):
    """Get rid of your cards: whoever still holds some when all the others are out is the fool.

    A score is two points for everybody who did worse and one for everybody who did as well: alone
    in front of three others that is 6, the fool has 0. Only the fool's hand is lost; in a draw,
    where the last cards go together, nobody of those who held them wins.
    """

    name = "durak"
    title = "Durak"
    version = 1
    seats = range(2, 7)
    options = Options
    presets = MappingProxyType(
        {
            "default": Options(),
            "classic": Options(deck=36, first_limit=5),
            "transfer": Options(deck=36, first_limit=5, transfer="card"),
            "application": Options(throwers="neighbours", refill="seats"),
        }
    )
    sample = (
        *("durak", "attack", "3C,TC,5H,JH,8S,4D", "0", "3C,TC,5H,JH,8S,4D", "D:QD", "40", "6,6"),
        *("-", "0", "1", "6", "-"),
    )
    questions = (DurakQuestion,)
    news = (BoutOver,)
    answers = MappingProxyType(
        {
            "7H": "a card: attack with it, beat the first unbeaten card with it, or throw it in",
            "take": "take all cards of the bout, and those that are still thrown in",
            "done": "throw nothing in; you are asked again where somebody else does",
            "pass 7H": "where the table has transfers: pass the attack on with one more card of its"
            " rank; `pass:7H` is the same",
            "show 7D": "with `transfer: show_trump`: pass the attack on by showing the trump of its"
            " rank, once in a bout; `show:7D` is the same",
            "7H+7S": "with `throw_in: several`: lay cards of one rank together",
        }
    )
    example = Example(
        options=Options(deck=24, transfer="card"),
        seats=3,
        cards="AD,9C,KH,JC,QS,TD,AS,KC,TH,KS,JH,JD,AH,9D,9H,QH,TS,QD,9S,AC,TC,QC,KD,JS",
        answers=(
            *("9C", "pass 9H", "JC", "QH", "JD", "AD", "QD", "KS", "KH", "AH"),
            *("9D", "AS", "JH", "take", "JS", "KC", "pass KD", "9S", "TS"),
            *("TC", "QS"),
        ),
    )

    def start(self, options: Options, seats: int, purses: Sequence[int] = ()) -> Phase:  # noqa: ARG002
        """Sit down for one game, to the last card."""
        self.check_table(options, seats)
        return Shuffling(options, seats)

    def check_table(self, options: Options, seats: int) -> None:
        """Six cards each must be there, and partners are two and two."""
        super().check_table(options, seats)
        if options.deck < HAND * seats:
            raise BadTable(
                f"{options.deck} cards are too few for {seats} players: everybody gets {HAND}"
            )
        if options.partners and seats != 4:
            raise BadTable(f"durak with partners seats 4 players, not {seats}")

    def sides(self, options: Options, seats: int) -> tuple[tuple[Seat, ...], ...]:
        """Everybody for himself, unless the table has partners."""
        return sides(options, seats)

    def remark(self, before: Phase, after: Phase | Over, names: Sequence[str]) -> str:
        """Say who begins, who passed the attack on, what a bout came to and who is out."""
        if isinstance(after, Over):
            fools = [name for name, score in zip(names, after.scores, strict=True) if not score]
            if not fools:
                return "a draw: nobody is the fool"
            return f"{_are(fools)} the fool{'s' * (len(fools) > 1)}"
        if isinstance(after, Shuffling):
            return "five cards of a suit in one hand: the dealer deals again"
        if isinstance(before, Shuffling):
            return f"{names[after.to_act]} begins"
        assert isinstance(before, Asked)
        assert isinstance(after, Asked)
        then, now = before.bout, after.bout
        defender = names[then.defender]
        if now.number == then.number:
            passed = now.defender != then.defender
            return f"{defender} passes the attack on to {names[now.defender]}" if passed else ""
        gone = [names[seat] for seat, went in enumerate(now.out) if went == then.number]
        came_to = f"{defender} {'has beaten the attack' if now.swept else 'takes the cards'}"
        return f"{came_to}; {_are(gone)} out" if gone else came_to

    def scene(self, phase: Phase | Over) -> Scene:
        """Draw the hands, and each attack card with what beat it.

        Until the next attack is led, the cards of a bout that was beaten still lie there.
        """
        if isinstance(phase, Over):
            return Scene(
                "the end",
                tuple(
                    Place(seat, facts=(("score", str(score)),), status="" if score else "the fool")
                    for seat, score in enumerate(phase.scores)
                ),
            )
        if isinstance(phase, Shuffling):
            return Scene("the deal", tuple(Place(seat) for seat in range(phase.seats)))
        assert isinstance(phase, Asked)
        bout = phase.bout
        led = bool(bout.attacks) or not bout.swept
        if led:
            pairs = [bout.attacks[i : i + 1] + bout.defences[i : i + 1] for i in range(HAND)]
        else:
            pairs = list(bout.swept)
        return Scene(
            f"bout {bout.number if led else bout.number - 1}",
            tuple(
                Place(
                    seat,
                    tuple(map(Shown, hand)),
                    status=_status(bout, seat),
                    to_act=seat == phase.seat,
                    in_hand=True,
                )
                for seat, hand in enumerate(bout.hands)
            ),
            (
                ("trumps", SUIT_NAMES[bout.trump.suit]),
                ("talon", str(len(bout.talon))),
                ("discarded", str(bout.discarded)),
            ),
            (
                *(Pile("under the talon", (Shown(bout.trump),)) for _ in bout.talon[:1]),
                *(Pile("", tuple(map(Shown, pair))) for pair in pairs if pair),
            ),
        )


def _status(bout: Bout, seat: Seat) -> str:
    """Put in a word what a seat does in this bout, or will do once the table is cleared."""
    if bout.out[seat]:
        return "out"
    if bout.swept and not bout.attacks:
        return "attacks next" if seat == bout.attacker else ""
    if seat == bout.defender:
        return "takes" if bout.taking else "defends"
    if seat in bout.done:
        return "done"
    return "attacks" if seat == bout.attacker else ""


def _are(names: Sequence[str]) -> str:
    """Begin a sentence about these: `ada is`, `ada and bob are`."""
    *first, last = names
    return f"{', '.join(first)} and {last} are" if first else f"{last} is"
