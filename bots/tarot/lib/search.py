"""Monte Carlo tree search for the play: the hidden cards are dealt anew for every game tried.

It is MCTS-paranoid [Nijssen 2013], which [Maurer n.d.] applies to tarot, over an information-set
tree [Cowling 2012]: one tree over the cards as all see them played, in which each deal walks only
where it can.
"""

from math import log, sqrt
from random import Random
from time import monotonic
from typing import NamedTuple

from lib.cards import by_suit
from lib.deals import Dealer
from lib.knowledge import ASIDE, Knowledge
from lib.play import POIGNEES, TRICKS, Position, legal
from lib.turns import answer_with

COALITION, STRICT = "coalition", "strict"
CLOCK_SHARE = 0.8
"""How much of the time left a card may take, where that is less than the time it is given."""


class Settings(NamedTuple):
    """How long and how to search.

    A card takes `seconds`, or exactly `iterations` games where that is not None. `partner` says
    what a defender expects of the other one: to play for both in a `coalition`, or, `strict`, to be
    as much its opponent as the taker is. `exploration` is C of the formula of UCT [Kocsis 2006],
    for rewards from 0 to 1; `seed` makes every search the same.
    """

    seconds: float = 0.8
    iterations: int | None = None
    partner: str = COALITION
    exploration: float = 0.7
    seed: int | None = None


class Node:
    """A card played, after those above it: how often, with what reward, and how often possible.

    Rewards are those of the seat that searches, whoever plays the card.
    """

    __slots__ = ("available", "children", "reward", "visits")

    def __init__(self):
        """A card that has never been tried."""
        self.visits = self.available = 0
        self.reward = 0.0
        self.children = {}


class Search:
    """The search for one card."""

    def __init__(self, question, settings):
        """Work out what is known; nothing is searched yet."""
        self.question, self.settings = question, settings
        knowledge = Knowledge(question)
        self.dealer = Dealer(knowledge, settings.seed)
        self.random = Random(settings.seed).random
        self.root = Node()
        self.counts_aside = question.contract != "contre"
        self.shown = sum(POIGNEES.get(len(cards), 0) for _, cards in question.shown)
        first = question.history[0] if question.history else question.trick
        self.start = Position([], first.leader, question.taker)
        if self.counts_aside:
            self.start.count(knowledge.aside)
        for card in question.played:
            self.start.put(card)
        partner = 3 - question.taker - question.seat
        self.friends = {question.seat}
        if not question.alone and settings.partner == COALITION:
            self.friends.add(partner)

    def best(self, seconds):
        """Search for so long, or as the settings say, and give the card tried most often."""
        if self.settings.iterations is None:
            ends = monotonic() + seconds
            self.iterate()
            while monotonic() < ends:
                self.iterate()
        else:
            for _ in range(self.settings.iterations):
                self.iterate()
        return max(self.root.children, key=lambda card: self.root.children[card].visits)

    def iterate(self):
        """Deal the hidden cards, walk down the tree, add a card to it, and play on at random."""
        position = self.dealt()
        path = self.walk(position)
        position.roll_out(self.random)
        reward = self.reward(position)
        for node in path:
            node.visits += 1
            node.reward += reward

    def dealt(self):
        """The position of the question with hidden cards dealt."""
        dealt = self.dealer.deal()
        hands = [by_suit(dealt.get(seat, ())) for seat in range(3)]
        hands[self.question.seat] = by_suit(self.question.hand)
        position = self.start.copy_with(hands)
        if self.counts_aside:
            position.count(dealt.get(ASIDE, ()))
        return position

    def walk(self, position):
        """Play down the tree to a card that was never tried; give the nodes on the way."""
        node, path = self.root, [self.root]
        while position.finished < TRICKS:
            seat = position.to_act
            cards = legal(position.hands[seat], position.trick)
            untried = [card for card in cards if card not in node.children]
            if untried:
                card = untried[int(self.random() * len(untried))]
                node.children[card] = Node()
            else:
                card = self.select(node, cards, seat in self.friends)
            for other in cards:
                if other in node.children:
                    node.children[other].available += 1
            position.play(card)
            node = node.children[card]
            path.append(node)
            if untried:
                break
        return path

    def select(self, node, cards, friend):
        """The card of the highest bound; an opponent takes what the searcher gets for a loss."""
        best, chosen, exploration = -1.0, cards[0], self.settings.exploration
        for card in cards:
            child = node.children[card]
            mean = child.reward / child.visits
            bound = (mean if friend else 1 - mean) + exploration * sqrt(
                log(child.available) / child.visits
            )
            if bound > best:
                best, chosen = bound, card
        return chosen

    def reward(self, position):
        """What a finished deal is worth to the searcher, from 0 to 1; 400 points are the scale."""
        question = self.question
        price = position.price(
            question.contract,
            poignees=self.shown,
            chelem=question.chelem,
            defence_chelem=question.defence_chelem,
        )
        gain = price if question.alone else -price
        return min(1.0, max(0.0, 0.5 + gain / 400))


class Searcher:
    """A bot that searches for its cards, and bids by rule."""

    def __init__(self, settings):
        """Take the settings of all its searches."""
        self.settings = settings
        self.seconds = settings.seconds

    def hear(self, notices):
        """Mind the clock: `["clock", "1000", "3"]` leaves 1000 ms."""
        if notices[:1] == ["clock"]:
            self.seconds = min(self.settings.seconds, CLOCK_SHARE * int(notices[1]) / 1000)

    def answer(self, words):
        """Choose an answer to a question, which is given as its words."""
        return answer_with(self.play, words)

    def play(self, question):
        """Choose a card; one that is alone needs no search."""
        if len(question.legal) == 1:
            return question.legal[0]
        return Search(question, self.settings).best(self.seconds)
