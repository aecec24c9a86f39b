"""What bots are told at durak: the question, and the notices of a bout."""

from __future__ import annotations

from dataclasses import dataclass

from card_arena.tables.encoding import fact, word


@dataclass(slots=True)
class DurakQuestion:
    """What a bot is asked."""

    game: str = word("word", "the game", "durak")
    phase: str = word(
        "word",
        "`attack`: lead a card; `defend`: beat a card or take; `throw`: throw in or be done;"
        " `give`: throw in while the defender takes, or be done",
        "throw",
    )
    legal: str = word(
        "answers", "every legal answer; a transfer is written `pass:8H` here", "7H,9D,done"
    )
    seat: int = word("number", "your seat", "2")
    hand: str = word(
        "cards",
        "your cards: clubs, diamonds, hearts, spades, each from the lowest up, but trumps last",
        "8C,KC,7H,QH,4S,9D",
    )
    trump: str = word("suit:card", "the suit of trumps and the card that shows it", "D:7D")
    talon: int = word(
        "number", "cards left in the talon, including the one that shows trumps", "28"
    )
    sizes: str = word(
        "numbers by seat",
        "cards in each seat's hand; a seat with 0 is out once the talon is used up",
        "5,5,6,6",
    )
    table: str = word(
        "pairs of cards",
        "attack cards in the order they were laid, each with a `-` and the card that beats it, if"
        " any",
        "7S-9S",
    )
    attacker: int = word("number", "the seat that attacks", "0")
    defender: int = word("number", "the seat that defends", "1")
    left: int = word("number", "attack cards that can still be laid in this bout", "5")
    history: str = word(
        "plays",
        "every bout from the first, with `/` between them, the one on the table last: what each"
        " seat laid or said, in turn",
        "0:7S,1:9S",
    )
    hands: str | None = word(
        "hands by seat",
        "only on tables with `open_hands`, and always the last word: all hands, with `/` between"
        " them",
        "3C,TC,5H,JH,2D/4C,6C,8H,AH,QS/8C,KC,7H,QH,4S,9D/9C,JC,2H,KH,3S,TD",
    )


@dataclass(frozen=True, slots=True)
class BoutOver:
    """A bout has ended, and the hands have been filled up from the talon."""

    number: int = fact("the bout's number, from 1", "1")
    plays: str = fact("what each seat laid or said, in turn", "0:7S,1:9S,2:9D,1:take,2:7H,3:done")
    came_to: str = fact(
        "`beaten`: the cards left the game; `taken`: the defender has them", "taken"
    )

    def __str__(self) -> str:
        return f"bout {self.number} {self.plays} {self.came_to}"
