"""What bots are told at spades: the question, and the news of a round."""

from __future__ import annotations

from dataclasses import dataclass

from tables.wording import word


@dataclass(frozen=True, slots=True)
class SpadesQuestion:
    """What a bot is asked, in every phase."""

    game: str = word("the game", "spades")
    phase: str = word(
        "what is wanted: `blind`, `bid`, `pass` (a card to your partner), `play`", "play"
    )
    legal: str = word("every answer allowed now; for bids a range such as `0..13`", "KH,2H")
    seat: int = word("your seat; your partner sits two seats on", "2")
    dealer: int = word(
        "the dealer's seat; the next one bids first, and leads first unless the 2C must be led", "3"
    )
    hand: str = word(
        "your cards; `-` before you have seen them", "AS,TS,4S,KH,2H,QD,8D,6D,9C,8C,3C"
    )
    bids: str = word("the bids by seat: `-` where none yet, `B` for a blind nil", "B,3,4,0")
    history: str = word(
        "the finished tricks, each the seat that led and the cards as they were played",
        "0:7C,AC,2C,5C/1:KD,4D,3D,9D",
    )
    trick: str = word("the same for the trick that is being played", "1:9H")
    took: str = word("tricks taken this round, by seat", "0,2,0,0")
    scores: str = word("the scores of sides 0+2 and 1+3", "120,-45")
    bags: str = word("the bags of sides 0+2 and 1+3", "3,5")
    goal: int = word("the score that ends the game", "500")
    lose: str = word("the score that loses the game; `-` where there is none", "-100")
    passed: str | None = word(
        "only on tables with `blind_exchange: 2`: the cards you gave your partner, then those she"
        " gave you",
        "3H,6C/AS,QD",
        kind="two lists of cards",
    )
    hands: str | None = word(
        "only on tables with `open_hands`: all hands by seat", "2C,9D/AS,KH/4H,4D/-"
    )


@dataclass(frozen=True, slots=True)
class RoundOver:
    """A round has been played to its end and scored."""

    number: int = word("the round's number, from 1", "3")
    bids: str = word("the bids by seat, as in the question", "B,3,4,0")
    history: str = word("all tricks, as in the question", "0:7C,AC,2C,5C/1:KD,4D,3D,9D")
    points: str = word("what the round came to for sides 0+2 and 1+3", "242,134")
    scores: str = word("the scores now", "362,89")
    bags: str = word("the bags now", "5,9")

    def __str__(self) -> str:
        return (
            f"round {self.number} {self.bids} {self.history} {self.points} {self.scores}"
            f" {self.bags}"
        )
