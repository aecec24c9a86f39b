"""What bots are told at spades: the question, and the notices of a round."""

from __future__ import annotations

from dataclasses import dataclass

from card_arena.tables.encoding import fact, word


@dataclass(slots=True)
class SpadesQuestion:
    """What a bot is asked, in every phase."""

    game: str = word("word", "the game", "spades")
    phase: str = word(
        "word",
        "what is asked for: `blind`, `bid`, `pass` (a card to your partner) or `play`",
        "play",
    )
    legal: str = word(
        "answers", "every answer that is allowed now; for bids a range such as `0..13`", "KH,2H"
    )
    seat: int = word("number", "your seat; your partner sits two seats on", "0")
    dealer: int = word(
        "number",
        "the dealer's seat; the next one bids first, and leads first unless the 2C must be led",
        "1",
    )
    hand: str = word(
        "cards",
        "your cards: spades, hearts, diamonds, clubs, each from the ace down; `-` before you have"
        " seen them",
        "AS,TS,4S,KH,2H,QD,8D,6D,9C,8C,3C",
    )
    bids: str = word("bids by seat", "the bids: `-` for none yet, `B` for a blind nil", "4,2,B,3")
    history: str = word(
        "tricks",
        "the finished tricks, each the seat that led and the cards as they were played",
        "2:7C,AC,2C,5C/3:KD,4D,3D,9D",
    )
    trick: str = word("trick", "the same for the trick that is being played", "3:9H")
    took: str = word("numbers by seat", "tricks taken this round", "0,0,0,2")
    scores: str = word("numbers by side", "the scores of sides 0+2 and 1+3", "56,160")
    bags: str = word("numbers by side", "the bags of sides 0+2 and 1+3", "6,0")
    goal: int = word("number", "the lowest score that ends the game", "500")
    lose: str = word("number or `-`", "the score that loses the game; `-` if there is none", "-100")
    passed: str | None = word(
        "cards/cards",
        "only on tables with `blind_exchange: 2`: the cards that you gave your partner, a `/`, and"
        " those that you got; `-` in place of cards not passed, so `-/-` if nobody passes any",
        "3H,6C/AS,QD",
    )
    hands: str | None = word(
        "hands by seat",
        "only on tables with `open_hands`, and always the last word: all hands, with `/` between"
        " them",
        "AS,TS,4S,KH,2H,QD,8D,6D,9C,8C,3C/QS,9S,8S,5S,3S,QH,TH,8H,JD,TD,QC"
        "/6S,2S,7H,5H,4H,3H,5D,2D,TC,6C,4C/KS,JS,7S,AH,JH,6H,AD,7D,KC,JC",
    )


@dataclass(frozen=True, slots=True)
class RoundOver:
    """A round has ended and been scored."""

    number: int = fact("the round's number, from 1", "2")
    bids: str = fact("the bids by seat, as in the question", "4,2,B,3")
    history: str = fact(
        "all tricks, as in the question (here the first two)", "2:7C,AC,2C,5C/3:KD,4D,3D,9D"
    )
    points: str = fact("the points of the round for sides 0+2 and 1+3", "160,56")
    scores: str = fact("the scores now", "216,216")
    bags: str = fact("the bags now", "6,6")

    def __str__(self) -> str:
        return (
            f"round {self.number} {self.bids} {self.history} {self.points} {self.scores}"
            f" {self.bags}"
        )
