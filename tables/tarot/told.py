"""What bots are told at French tarot: the question, and the news of a deal."""

from __future__ import annotations

from dataclasses import dataclass

from tables.wording import word


@dataclass(frozen=True, slots=True)
class TarotQuestion:
    """What a bot is asked, in every phase."""

    game: str = word("the game", "tarot")
    phase: str = word("what is wanted: `bid`, `discard` or `play`", "play")
    legal: str = word(
        "the bids or cards that are allowed; of those for a discard the first six always are one",
        "A12,EX",
    )
    seat: int = word("your seat, from 0; the next seat plays after you", "0")
    dealer: int = word("the dealer's seat; the next one bids first", "2")
    hand: str = word(
        "your cards: `KS QS NS JS TS 9S` .. `1S` (`N` is the knight), the trumps `A1` .. `A21` and"
        " the Excuse `EX`",
        "3S,A5,A12,EX",
    )
    bids: str = word(
        "the bids by seat, `-` where none yet; `!` announces the chelem", "garde,pass,pass"
    )
    taker: str = word("the taker's seat, `-` while bidding", "0")
    contract: str = word("his bid, `-` while bidding", "garde")
    dog: str = word("the six cards of the dog where you have seen them", "1C,TC,5D,QH,A3,A17")
    discard: str = word(
        "what the taker has put away: all of it if that is you, else the trumps in it",
        "1C,2C,TC,5D,8D,JD",
    )
    shown: str = word(
        "the poignées shown, each the seat that showed it and its cards",
        "1:A1,A2,A4,A6,A8,A9,A10,A11,A13,A14,A15,A16,A21",
        kind="cards by seat",
    )
    history: str = word(
        "the finished tricks, each the seat that led and the cards as they were played",
        "0:KC,3C,2C/0:9S,A21,TS",
    )
    trick: str = word("the same for the trick that is being played", "1:9H,A7")
    scores: str = word("everybody's score in this game", "212,-106,-106")
    deal: str = word("this deal's number, and how many there are", "3/12")
    hands: str | None = word(
        "only on tables with `open_hands`: all hands by seat", "3S,A5/KC,A1/1H,EX"
    )


@dataclass(frozen=True, slots=True)
class DealOver:
    """A deal has been played to its end."""

    number: int = word("the deal's number, from 1", "3")
    taker: int = word("the taker", "0")
    contract: str = word("his bid", "garde")
    points: str = word("the points that he made", "49.5")
    bouts: int = word("the bouts that he made them with", "2")
    marks: str = word("what everybody scored", "136,-68,-68")
    history: str = word("all tricks, as in the question", "0:KC,3C,2C/0:9S,A21,TS")

    def __str__(self) -> str:
        return (
            f"deal {self.number} {self.taker} {self.contract} {self.points} {self.bouts}"
            f" {self.marks} {self.history}"
        )


@dataclass(frozen=True, slots=True)
class DealOff:
    """A deal has come to nothing."""

    number: int = word("the deal's number, from 1", "3")
    why: str = word(
        "`passed` where all passed, `petit` where somebody's only trump was the petit, `discard`"
        " where the taker had no six cards to put away",
        "passed",
    )

    def __str__(self) -> str:
        return f"off {self.number} {self.why}"
