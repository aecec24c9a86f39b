"""Where durak is played in more than one way."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field, model_validator

from tables.options import HandOptions


class Options(HandOptions):
    """The table's choice wherever durak is played in more than one way."""

    deck: Literal[52, 36, 32, 24] = Field(
        52, description="cards in the pack: from the 2, the 6, the 7 or the 9 up to the ace"
    )
    throwers: Literal["all", "neighbours", "attacker"] = Field(
        "all",
        description="who may throw in: all but the defender; the attacker and the player after the"
        " defender; or the attacker alone",
    )
    throw_in: Literal["one", "several"] = Field(
        "one", description="whether cards of one rank can be laid together, also to attack"
    )
    throw_after_take: bool = Field(
        True, description="whether cards can be thrown in when the defender takes"
    )
    first_limit: Literal[6, 5] = Field(
        6, description="how many attack cards the first bout may have"
    )
    transfer: Literal["never", "card", "show_trump"] = Field(
        "never",
        description="whether the defender can pass an attack on by adding a card of its rank, or"
        " also by showing the trump of its rank",
    )
    transfer_back: bool = Field(
        True, description="whether the last two players can pass an attack back and forth"
    )
    deuce_beats_ace: bool = Field(False, description="whether a 2 beats the ace of its suit")
    refill: Literal["attacker_first", "throwers", "seats"] = Field(
        "attacker_first",
        description="who draws first: the attacker, the others clockwise, the defender last; the"
        " attackers in the order they laid cards, the defender last; or by seats from 0",
    )
    last_cards: Literal["draw", "attacker_wins"] = Field(
        "draw", description="who wins if nobody has cards left after a bout"
    )
    partners: bool = Field(
        False, description="whether seats 0 and 2 play against seats 1 and 3; needs four players"
    )
    redeal: bool = Field(
        False, description="whether a hand with five cards of one suit makes the dealer deal again"
    )

    @model_validator(mode="after")
    def _has_deuces(self) -> Self:
        if self.deuce_beats_ace and self.deck != 52:
            raise ValueError(f"deuce_beats_ace needs deck: 52, there is no 2 in {self.deck} cards")
        return self
