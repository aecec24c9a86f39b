"""The rules of the games as pages, and the words of texts that lead to them."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from flask.testing import FlaskClient

from card_arena.leaderboard.web.filters import with_terms
from card_arena.leaderboard.web.pages.documents import article
from card_arena.leaderboard.web.replays import describe_action
from card_arena.tables.blot.phases import Playing
from card_arena.tables.cards import SUITS, card
from card_arena.tables.dealing import Packs
from card_arena.tables.game import CHANCE, Game, Phase, Terminal
from card_arena.tables.legal_actions import Order
from card_arena.tables.registry import GAMES
from card_arena.tests.tables.scripted import random_steps

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
OPTIONS = {
    "spades": [{"blind_nil": "any", "max_rounds": 3}, {"max_rounds": 40, "lose": 0}],
    "blackjack": [{"push": "return"}],
    "durak": [{"deck": 36, "transfer": "card"}],
    "tarot": [{"deals": 12}],
    "blot": [{"capot_level": 8}],
}
SEEDS = 6


def example(game: Game) -> Iterator[tuple[Phase, Phase | Terminal]]:
    """The turns of the game's own example."""
    phase: Phase | Terminal = game.start(game.example.options, game.example.seats)
    answers, packs = iter(game.example.answers), Packs(bytes(32), "example")
    while not isinstance(phase, Terminal):
        choice = phase.legal_actions(phase.to_act)
        if phase.to_act != CHANCE:
            action = phase.read(next(answers))
        elif isinstance(choice, Order):
            top = choice.read(game.example.cards)
            action = (*top, *(card for card in choice.pack if card not in top))
        else:
            action = packs.deal(choice)
        after, _ = phase.apply(action)
        yield phase, after
        phase = after


def turns(game: Game) -> Iterator[tuple[Phase, Phase | Terminal]]:
    yield from example(game)
    for options in OPTIONS[game.name]:
        for seed in range(SEEDS):
            for step in random_steps(game, min(game.seats[-1], 4), seed, **options):
                yield step.before, step.after
    if game.name == "blot":
        steps = random_steps(game, 4, 0)
        before = next(step.before for step in steps if isinstance(step.before, Playing))
        yield before, before.apply(before.read("revoke"))[0]
    if game.name == "tarot":
        yield petit_sec(game.start(game.options(), 3))


def petit_sec(start: Phase) -> tuple[Phase, Phase | Terminal]:
    """A deal that is annulled, since the petit is the only trump of seat 0."""
    pack = start.legal_actions(CHANCE).pack
    hand = start.apply(pack)[0].hands[0]
    petit, plain = card("A1"), [one for one in pack if one.suit in SUITS]
    first = iter((petit, *plain))
    order = {one: next(first) for one in hand}
    others = iter(one for one in pack if one not in order.values())
    return start, start.apply(tuple(order.get(one) or next(others) for one in pack))[0]


def texts(game: Game) -> Iterator[str]:
    """Every text of scenes, remarks and actions."""
    for before, after in turns(game):
        scene = game.presentation.scene(after)
        names = [f"player {place.seat}" for place in scene.places if place.seat != CHANCE]
        yield scene.title
        for place in scene.places:
            yield place.status
        for label, value in (
            fact for part in (scene, *scene.places, *scene.sides) for fact in part.facts
        ):
            yield from (label, value)
        yield from (pile.label for pile in scene.piles)
        yield game.presentation.remark(before, after, names)
        choice = before.legal_actions(before.to_act)
        if before.to_act != CHANCE:
            action = before.write(choice.fallback_action)
            for line in (action, *game.answers):
                yield describe_action(game, choice, line, set(), set())[1].striptags()


@every_game
def test_every_term_appears_in_a_text_of_its_game(game):
    missing = {*game.presentation.terms}
    for text in {*texts(game)}:
        missing -= {word for word in missing if re.search(rf"(?<!\w){word}(?!\w)", text)}
    assert not missing


@every_game
def test_the_page_of_a_game_has_its_words_its_contents_and_its_anchors(client: FlaskClient, game):
    page = client.get(f"/rules/{game.name}").text
    assert f'<h1 id="{game.title.lower().replace(" ", "-")}">{game.title}</h1>' in page
    contents = page.partition('aria-label="Contents"')[2].partition("</nav>")[0]
    anchors = re.findall(r'href="#([^"]+)"', contents)
    assert anchors[:3] == ["the-words", "sources", "a"]
    for anchor in (*anchors, *game.presentation.terms.values(), "a1"):
        assert page.count(f'id="{anchor}"') == 1, anchor


@every_game
def test_the_links_of_the_page_lead_somewhere(client: FlaskClient, game):
    page = client.get(f"/rules/{game.name}").text
    main = page.partition('<div class="prose">')[2].partition("</main>")[0]
    links = re.findall(r'href="([^"]+)"', main)
    assert f"/protocol/{game.name}" in links
    for target in links:
        address, _, anchor = target.partition("#")
        if not address.startswith("https:"):
            answer = client.get(address) if address else None
            assert answer is None or answer.status_code == 200, target
            assert not anchor or f'id="{anchor}"' in (answer.text if answer else page), target


def test_the_list_has_every_game_and_an_unknown_one_is_not_there(client: FlaskClient):
    page = client.get("/rules").text
    assert all(f'<a href="/rules/{name}">{game.title}</a>' in page for name, game in GAMES.items())
    assert client.get("/rules/chess").status_code == 404


def test_visitors_and_authors_find_the_rules(client: FlaskClient):
    assert 'href="/rules"' in client.get("/how").text
    assert 'href="/rules/spades"' in client.get("/protocol").text
    assert 'href="/rules/spades"' in client.get("/protocol/spades").text


def test_only_anchors_of_a_document_are_tags():
    page = article('# A\n\n<a id="b1"></a>**b.1** <b onclick="x">no</b>\n\n<script>no</script>\n')
    assert str(page.opening) == (
        '<h1 id="a">A</h1>\n<p><a id="b1"></a><strong>b.1</strong>'
        " &lt;b onclick=&#34;x&#34;&gt;no&lt;/b&gt;</p>\n&lt;script&gt;no&lt;/script&gt;\n"
    )


class TestTermsInATextLeadToTheRules:
    @pytest.fixture(autouse=True)
    def _in_a_request(self, client: FlaskClient):
        with client.application.test_request_context():
            yield

    def test_each_term_where_it_appears_first_and_the_longest_one(self):
        assert str(with_terms("Blind nil, nil, 3 bags and 1 bag: <NIL>", "spades")) == (
            '<a href="/rules/spades#blind-nil">Blind nil</a>,'
            ' <a href="/rules/spades#nil">nil</a>,'
            ' 3 <a href="/rules/spades#bag">bags</a> and 1 bag: &lt;NIL&gt;'
        )

    def test_only_whole_words_do(self):
        assert str(with_terms("nil-bot takes the nilly", "spades")) == "nil-bot takes the nilly"

    def test_in_another_alphabet_too(self):
        text = with_terms("Poignée of 13", "tarot")
        assert str(text) == '<a href="/rules/tarot#poignee">Poignée</a> of 13'

    def test_the_text_of_an_unknown_game_stays_as_it_is(self):
        assert str(with_terms("a nil & more", "chess")) == "a nil &amp; more"
