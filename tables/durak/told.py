"""What bots are told at durak: the question, and the news of a bout."""

from __future__ import annotations

from dataclasses import dataclass

from tables.wording import word


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
    hand: str = word("your cards, suit by suit, trumps last", "8C,KC,7H,QH,4S,9D")
    trump: str = word("the suit of trumps and the card that shows it", "D:7D")
    talon: int = word("cards left in the talon, the one that shows trumps included", "28")
    sizes: str = word("cards in each seat's hand; 0 and no talon: the seat is out", "5,5,6,6")
    table: str = word(
        "attack cards in the order they were laid, each with the card that beats it or nothing"
        " behind a `-`",
        "7S-9S",
        kind="pairs of cards",
    )
    attacker: int = word("the seat that attacks", "0")
    defender: int = word("the seat that defends", "1")
    left: int = word("attack cards that can still be laid in this bout", "5")
    history: str = word(
        "every bout from the first, with `/` between them, the one on the table last: what each"
        " seat laid or said, in turn",
        "0:7S,1:9S",
        kind="plays",
    )
    hands: str | None = word("with `open_hands` only: all hands, seat by seat", "6C,KD/-/AS,QH")


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
