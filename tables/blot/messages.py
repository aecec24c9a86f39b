"""What bots are told at blot: the question, and the notices of a deal."""

from __future__ import annotations

from dataclasses import dataclass

from card_arena.tables.encoding import fact, word


@dataclass(slots=True)
class BlotQuestion:
    """What a bot is asked, in the auction and in play."""

    game: str = word("word", "the game", "blot")
    phase: str = word("word", "what is asked for: `bid` or `play`", "play")
    legal: str = word(
        "answers",
        "every answer that is allowed now. In the auction `9+` is every bid of level 9 to 80 in any"
        " suit or `N`, also with `c` if a capot may be bid (from level 25 on, or from the table's"
        " `capot_level`, which no word tells); `27c+` is every bid of level 27 and more with `c`."
        " On tables with `declare: bot` every first card is listed alone and with what can be"
        " announced with it: `AS,AS+T`",
        "KH,JH",
    )
    seat: int = word("number", "your seat; your partner sits two seats on", "2")
    dealer: int = word("number", "the dealer's seat; the next one bids first and leads first", "1")
    hand: str = word(
        "cards",
        "your cards: spades, hearts, diamonds, clubs, each `A K Q J T 9 8 7` whatever trumps are",
        "KH,JH,AD,QD,TD",
    )
    auction: str = word(
        "calls",
        "all calls in turn, from the seat after the dealer; after an `X` only the bidding side is"
        " asked, beginning with the seat after the doubler",
        "P,10S,X,P,XX",
    )
    contract: str = word(
        "bid or `-`",
        "the standing bid, `x` after a contra and `xx` after a recontra, and the bidder's seat",
        "10Sxx@3",
    )
    declarations: str = word(
        "declarations",
        "what has been announced, with `/` between them: seat, class (`T` tierce, `F` fifty, `H`"
        " hundred, `4` four of a kind, `B` belote) and, once they have been shown, the cards. A"
        " belote is announced by the first of its cards that is played, never by a bot",
        "2:B:KS,QS/3:T:JS,TS,9S/0:F:TC,9C,8C,7C/1:T:9D,8D,7D",
    )
    history: str = word(
        "tricks",
        "the finished tricks, each the seat that led and the cards as they were played",
        "2:KS,JS,TH,AS/3:9S,TC,8S,QS/3:TS,QH,KD,7S",
    )
    trick: str = word("trick", "the same for the trick that is being played", "3:AH,7H,9H")
    points: str = word(
        "numbers by side",
        "the card points that sides 0+2 and 1+3 have taken in this deal",
        "0,89",
    )
    scores: str = word("numbers by side", "the scores of sides 0+2 and 1+3", "28,8")
    target: int = word("number", "the score that ends the game", "301")
    hands: str | None = word(
        "hands by seat",
        "only on tables with `open_hands`, and always the last word: all hands, with `/` between"
        " them",
        "JD,9C,8C,7C/9D,8D,7D,KC/KH,JH,AD,QD,TD/8H,AC,QC,JC",
    )


@dataclass(frozen=True, slots=True)
class DealOver:
    """A deal has been played and scored, or everybody has passed."""

    number: int = fact("the deal's number, from 1", "2")
    contract: str = fact("the contract; `-` if everybody passed", "10Sxx@3")
    declarations: str = fact(
        "all declarations with their cards",
        "2:B:KS,QS/3:T:JS,TS,9S/0:F:TC,9C,8C,7C/1:T:9D,8D,7D",
    )
    history: str = fact(
        "all tricks (here the first two), with `revoke` in place of a seat's illegal card",
        "2:KS,JS,TH,AS/3:9S,TC,8S,QS",
    )
    points: str = fact("the card points of sides 0+2 and 1+3, with the last trick's", "14,148")
    gained: str = fact("the points of the deal for the sides", "0,56")
    scores: str = fact("the scores now", "28,64")

    def __str__(self) -> str:
        return (
            f"deal {self.number} {self.contract} {self.declarations} {self.history}"
            f" {self.points} {self.gained} {self.scores}"
        )
