"""Answers of the protocol as actions: one number each, or a few in turn.

Most answers are one action. One of several parts is an action for each, such as a bid's strain and
then its level, and a pick of cards is its cards from the lowest number up; so the numbers of a game
are few, and each decision is a step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from card_arena.tables.choices import Cards, Choice, Number, Word

Actions = tuple[int, ...]


@dataclass(frozen=True)
class Numbering:
    """How the answers of a game are put together from actions.

    `texts` are the actions in order. `parts` returns the texts that an answer is made of. Where a
    number can be almost any, `offered` returns the few that are actions, each with its text; the
    others can be played too, as the number of texts and so much more.
    """

    texts: tuple[str, ...]
    parts: Callable[[str], tuple[str, ...]]
    offered: Callable[[int, int], Mapping[str, int]] | None = None
    ids: Mapping[str, int] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "ids", {text: n for n, text in enumerate(self.texts)})

    def actions(self, answer: str, choice: Choice) -> Actions:
        """The actions that make up an answer, which the choice allows.

        A word that is an action by itself is that one: `9C` may be a card where it is a word,
        and a bid where its number is one of a range.
        """
        whole = isinstance(choice, Word) and answer in self.ids
        return tuple(self.ids[text] for text in ((answer,) if whole else self.parts(answer)))

    def following(self, choices: Sequence[Choice], begun: Actions) -> dict[int, str | None]:
        """The actions that may follow those that have been taken, each with its whole answer.

        That is None as long as the answer is not complete.
        """
        found: dict[int, str | None] = {}
        for choice in choices:
            for action, answer in self._following(choice, begun):
                if answer is not None or action not in found:
                    found[action] = answer
        return dict(sorted(found.items()))

    def _following(self, choice: Choice, begun: Actions) -> Iterator[tuple[int, str | None]]:
        match choice:
            case Word(answer):
                yield from _next(self.actions(answer, choice), begun, answer)
            case Number(low=low, high=high) if self.offered:
                for text, number in self.offered(low, high).items():
                    yield self.ids[text], choice.answer(number)
            case Number(low=low, high=high):
                for number in range(low, high + 1):
                    answer = choice.answer(number)
                    yield from _next(self.actions(answer, choice), begun, answer)
            case Cards():
                yield from self._picking(choice, begun)

    def _picking(self, pick: Cards, begun: Actions) -> Iterator[tuple[int, str | None]]:
        """The next action of a pick: its cards in ascending order, between what frames them."""
        cards = sorted(self.ids[card] for card in pick.cards)
        forced = [self.ids[card] for card in pick.forced]
        whole = self.parts(pick.answer(pick.cards[: pick.count]))
        before = next(n for n, text in enumerate(whole) if text in pick.cards)
        first = tuple(self.ids[text] for text in whole[:before])
        last = tuple(self.ids[text] for text in whole[before + pick.count :])
        picked = begun[before : before + pick.count]
        if begun[:before] != first[: len(begun)] or not set(picked) <= {*cards}:
            return
        if len(begun) < before:
            yield first[len(begun)], None
            return
        if len(picked) < pick.count:
            rest = [card for card in cards if not picked or card > picked[-1]]
            must = [card for card in forced if card not in picked]
            for place, card in enumerate(rest):
                after = rest[place:]
                room = pick.count - len(picked)
                if (
                    len(after) >= room
                    and {*must} <= {*after}
                    and (card in must or len(must) < room)
                ):
                    done = len(picked) + 1 == pick.count and not last
                    yield card, self._answer(pick, (*picked, card)) if done else None
            return
        yield from _next((*first, *picked, *last), begun, self._answer(pick, picked))

    def _answer(self, pick: Cards, picked: Sequence[int]) -> str:
        return pick.answer({self.texts[card] for card in picked})


def _next(actions: Actions, begun: Actions, answer: str) -> Iterator[tuple[int, str | None]]:
    count = len(begun)
    if actions[:count] == begun and len(actions) > count:
        yield actions[count], answer if len(actions) == count + 1 else None
