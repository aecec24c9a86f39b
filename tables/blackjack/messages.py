"""What bots are told at blackjack: the question, and the notices of a hand."""

from __future__ import annotations

from dataclasses import dataclass

from card_arena.tables.encoding import fact, word


@dataclass(slots=True)
class BlackjackQuestion:
    """What a bot is asked."""

    score: int = word("number", "the score of your hand, with an ace as 11 if that fits", "11")
    hand: str = word("ranks", "your cards, in the order you got them", "65")
    visible: str = word(
        "ranks",
        "all cards dealt in this hand: the dealer's open card, the dealer's hidden card as `#`,"
        " then everybody's in the order they were dealt",
        "9#K675",
    )
    stake: int = word("number", "your stake", "10")
    chips: int = word("number", "the chips that you have left, without the stake", "190")


@dataclass
class Prefix:
    """The words with which the questions of all other games begin."""

    game: str = word("word", "the game", "blackjack")
    phase: str = word("word", "what is asked for: always `play`", "play")
    legal: str = word(
        "answers",
        "every answer that is allowed now; `B:1..190` stands for `B 1` to `B 190`",
        "S,H,D,B:1..190",
    )
    seat: int = word("number", "your seat", "1")


@dataclass
class PrefixedQuestion(BlackjackQuestion, Prefix):
    """What a bot with `prefix: true` is asked: the five words after the common prefix."""


@dataclass(frozen=True, slots=True)
class ShoeGoesOn:
    """With `shoe: exhausted`, a round begins with what the last one at this table has left."""

    gone: str = fact(
        "the cards that are gone from the pack, from the two to the ace; `-` if none is",
        "24466779TJQQKAA",
    )

    def __str__(self) -> str:
        return f"shoe {self.gone}"


@dataclass(frozen=True, slots=True)
class HandOver:
    """A hand has ended, and the dealer's hidden card has been turned over."""

    number: int = fact("the hand's number in the round, from 1", "1")
    cards: str = fact(
        "all cards of the hand, in the order of the question's visible cards", "9AK675T"
    )

    def __str__(self) -> str:
        return f"hand {self.number} {self.cards}"
