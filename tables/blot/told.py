"""What bots are told at blot: the question, and the news of a deal."""

from __future__ import annotations

from dataclasses import dataclass

from tables.wording import word


@dataclass(frozen=True, slots=True)
class BlotQuestion:
    """What a bot is asked, in the auction and in play."""

    game: str = word("`blot`", "blot")
    phase: str = word("what is wanted: `bid` or `play`", "play")
    legal: str = word(
        "every answer allowed now; in the auction `9+` is every bid of level 9 to 80 in any suit or"
        " `N`, from level 25 on (`capot_level`) also with `c`, and `27c+` every bid of level 27 and"
        " more with `c`",
        "AH,7D",
    )
    seat: int = word("your seat; your partner sits two seats on", "2")
    dealer: int = word("the dealer's seat; the next one bids first and leads first", "3")
    hand: str = word("your cards", "AH,8H,7D")
    auction: str = word(
        "all calls in turn from the dealer's next; after an `X` only the bidding side is asked, the"
        " doubler's next first",
        "P,8S,9C,X,XX",
    )
    contract: str = word(
        "the standing bid, `x` after a contra and `xx` after a recontra, and the bidder's seat",
        "9Cxx@2",
    )
    declarations: str = word(
        "what has been announced: seat, class (`T` tierce, `F` fifty, `H` hundred, `4` four of a"
        " kind, `B` belote) and, once they have been shown, the cards",
        "0:4/3:T:QS,JS,TS",
    )
    history: str = word(
        "the finished tricks, each the seat that led and the cards as they were played",
        "0:7C,AC,JC,8C/1:KD,9D,8D,TD",
    )
    trick: str = word("the same for the trick that is being played", "3:9H,TH")
    points: str = word("the card points that sides 0+2 and 1+3 have taken in this round", "14,13")
    scores: str = word("the scores of sides 0+2 and 1+3", "120,45")
    target: int = word("the score that ends the game", "301")
    hands: str | None = word(
        "only on tables with `open_hands`: all hands by seat", "KS,9D/AH,8H,7D/JS,9S,9C/-"
    )


@dataclass(frozen=True, slots=True)
class DealOver:
    """A deal was played to its end and scored, or passed by everybody."""

    number: int = word("the deal's number, from 1", "1")
    contract: str = word("the contract; `-` where everybody passed", "10S@2")
    declarations: str = word("all declarations with their cards", "3:T:QH,JH,TH")
    history: str = word(
        "all tricks; `revoke` stands where the card of a seat was illegal",
        "0:7C,AC,JC,8C/1:KD,9D,revoke",
    )
    points: str = word("the card points of sides 0+2 and 1+3, with the last trick's", "118,44")
    gained: str = word("what the deal came to for the sides", "22,4")
    scores: str = word("the scores now", "142,49")

    def __str__(self) -> str:
        return (
            f"deal {self.number} {self.contract} {self.declarations} {self.history}"
            f" {self.points} {self.gained} {self.scores}"
        )
