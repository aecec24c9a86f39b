"""What bots are told at French tarot: the question, and the notices of a deal."""

from __future__ import annotations

from dataclasses import dataclass

from card_arena.tables.encoding import fact, word


@dataclass(slots=True)
class TarotQuestion:
    """What a bot is asked, in every phase."""

    game: str = word("word", "the game", "tarot")
    phase: str = word("word", "what is asked for: `bid`, `discard` or `play`", "play")
    legal: str = word(
        "answers",
        "the bids or cards that are allowed; the first six cards always make a legal discard",
        "1S,2S,6S,JS,NS,QS,EX",
    )
    seat: int = word("number", "your seat, from 0; the next seat plays after you", "2")
    dealer: int = word("number", "the dealer's seat; the next one bids first", "0")
    hand: str = word(
        "cards",
        "your cards: clubs, diamonds, hearts, spades, each `1` to `9`, `T`, `J`, `N` (the knight),"
        " `Q`, `K`, then the trumps `A1` to `A21` and the Excuse `EX`",
        "6H,TH,NH,KH,1S,2S,6S,JS,NS,QS,A1,A3,A5,A7,A9,A10,A11,A12,A13,EX",
    )
    bids: str = word(
        "bids by seat", "the bids, `-` for none yet; `!` announces the chelem", "pass,pass,garde"
    )
    taker: str = word("number or `-`", "the taker's seat, `-` while bidding", "2")
    contract: str = word(
        "bid or `-`",
        "the taker's bid, `-` while bidding; with `!` if the chelem is announced: `contre!`",
        "garde",
    )
    dog: str = word(
        "cards",
        "the six cards of the dog, if you have seen them",
        "TH,NH,6S,A1,A2,EX",
    )
    discard: str = word(
        "cards",
        "what the taker has put away: all of it if you are the taker, else the trumps in it",
        "9C,TC,JC,QC,5D,QD",
    )
    shown: str = word(
        "cards by seat",
        "the poignées shown, each the seat that showed it and its cards, with `/` between them",
        "2:A1,A2,A3,A5,A7,A9,A10,A11,A12,A13,A14,A21,EX",
    )
    history: str = word(
        "tricks",
        "the finished tricks, each the seat that led and the cards as they were played",
        "1:KC,4C,8C/1:KD,A2,1D/2:A21,A15,A4/2:A14,A16,A18",
    )
    trick: str = word("trick", "the same for the trick that is being played", "1:KS")
    scores: str = word("numbers by seat", "the scores in this game", "-156,312,-156")
    deal: str = word("number/number", "this deal's number, and how many there are", "2/12")
    hands: str | None = word(
        "hands by seat",
        "only on tables with `open_hands`, and always the last word: all hands, with `/` between"
        " them",
        "5C,7C,2D,4D,7D,8D,TD,JD,1H,2H,3H,4H,7H,8H,QH,7S,8S,9S,TS,A17"
        "/1C,2C,3C,6C,NC,3D,6D,9D,ND,5H,9H,JH,3S,4S,5S,A6,A8,A19,A20"
        "/6H,TH,NH,KH,1S,2S,6S,JS,NS,QS,A1,A3,A5,A7,A9,A10,A11,A12,A13,EX",
    )


@dataclass(frozen=True, slots=True)
class DealOver:
    """A deal has been played and scored."""

    number: int = fact("the deal's number, from 1", "2")
    taker: int = fact("the taker's seat", "2")
    contract: str = fact(
        "the taker's bid, with `!` if the chelem was announced: `contre!`", "garde"
    )
    points: str = fact("the points that the taker made", "68.5")
    bouts: int = fact("the number of bouts that the taker had", "3")
    marks: str = fact("what everybody scored", "-156,-156,312")
    history: str = fact(
        "all tricks, as in the question (here the first two)", "1:KC,4C,8C/1:KD,A2,1D"
    )

    def __str__(self) -> str:
        return (
            f"deal {self.number} {self.taker} {self.contract} {self.points} {self.bouts}"
            f" {self.marks} {self.history}"
        )


@dataclass(frozen=True, slots=True)
class DealOff:
    """A deal has been annulled."""

    number: int = fact("the deal's number, from 1", "2")
    why: str = fact(
        "`passed` if all passed, `petit` if somebody's only trump was the petit, `discard` if the"
        " taker did not have six cards to put away",
        "passed",
    )

    def __str__(self) -> str:
        return f"off {self.number} {self.why}"
