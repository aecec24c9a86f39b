"""The pages of rules: whatever code and tests cite stands there, and every option of a table."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from card_arena.tables.game import Game
from card_arena.tables.options import option_text, option_values
from card_arena.tables.registry import GAMES

TOP = Path(__file__).parent.parent
PLACES = (
    *("tables/{0}/**/*.py", "tests/tables/*{0}*.py", "tests/bots/*{0}*.py"),
    *("tests/experiments/*{0}*.py", "experiments/{0}*/**/*.py", "experiments/{0}_*.py"),
    *("bots/{0}/**/*.py", "bots/{0}/**/*.md"),
)
"""Where the rules of a game are cited, by its name."""

_ANCHOR = re.compile(r'<a id="([^"]+)"></a>')
_HEADING = re.compile(r'(?:<a id="(\w+)"></a>\n)?## ([a-h])\. ')
_NUMBERED = re.compile(r'(?:<a id="(\w+)"></a>)?\*\*([a-h])\.([0-9]+)\*\*')
_WORD = re.compile(
    r'^- <a id="([a-z-]+)"></a>\*\*([^*]+)\*\*: .+ \(\[[a-h.0-9]+\]\(#[a-h][0-9]*\)\)$',
    re.MULTILINE,
)
_CITED = re.compile(r"(?<![\w.])([a-h])\.([0-9]{1,2})\b")
_SECTION = re.compile(r"\b[Ss]ection ([a-h])\b")
_IN_A_NAME = re.compile(r'(?:\btest_|_to_|\bid=")([a-h])([0-9]{1,2})(?=[_ "])')
_SET = re.compile(r"`([a-z_]+): ([^`]+)`")
_LINK = re.compile(r"\]\((?!http)([^)#]*)(?:#([^)]*))?\)")

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


def page_of(game: Game) -> str:
    return (TOP / "docs" / "rules" / f"{game.name}.md").read_text()


def labels(page: str) -> Iterator[tuple[str | None, str]]:
    """Every section, rule and example of a page: the anchor before it, and the one it should have.

    A rule that reads **b.6** is found as `b6`.
    """
    for anchor, letter in _HEADING.findall(page):
        yield anchor or None, letter
    for anchor, letter, number in _NUMBERED.findall(page):
        yield anchor or None, letter + number


def told(page: str) -> set[str]:
    """The sections, rules and examples that a link can lead to: `b`, `b6`."""
    return {label for anchor, label in labels(page) if anchor == label}


def words(page: str) -> dict[str, str]:
    """The words that a page explains before its rules, by their anchors."""
    section = page.partition("## The words\n\n")[2].partition("\n\n## ")[0]
    entries = _WORD.findall(section)
    assert len(entries) == len(section.splitlines()), "an entry without an anchor or a rule"
    return dict(entries)


def cited(text: str, *, names: bool) -> set[str]:
    """The sections, rules and examples that a file cites, in names of tests too."""
    found = {letter + number for letter, number in _CITED.findall(text)}
    found |= set(_SECTION.findall(text))
    if names:
        found |= {letter + number for letter, number in _IN_A_NAME.findall(text)}
    return found


def citations(game: Game) -> dict[Path, set[str]]:
    """What each file cites of a game's rules, for the files that cite any."""
    files = {file for place in PLACES for file in TOP.glob(place.format(game.name))}
    of_each = {
        file: cited(file.read_text(errors="replace"), names=file.parent.name == "tables")
        for file in sorted(files)
        if "python2" not in file.parts
    }
    return {file: found for file, found in of_each.items() if found}


def missing_options(game: Game, page: str) -> set[str]:
    """Options of which a page says nothing, and the values other than the first that it leaves out.

    The values of an option that is a number are too many to be named.
    """
    missing = set()
    for name, info in game.options.model_fields.items():
        _, others = option_values(info)
        if " to " in others[0]:
            missing |= set() if re.search(f"`{name}[`:]", page) else {name}
        else:
            missing |= {f"{name}: {word}" for word in others if f"`{name}: {word}`" not in page}
    return missing


def wrong_options(game: Game, page: str) -> set[str]:
    """Settings on a page that no table has, or that change nothing as they are the first value."""
    wrong = set()
    for name, word in _SET.findall(page):
        info = game.options.model_fields.get(name)
        default, others = option_values(info) if info else ("", ("",))
        if " to " in others[0] and word != default and re.fullmatch("-?[0-9]+", word):
            low, high = map(int, others[0].split(" to "))
            others = (word,) if low <= int(word) <= high else others
        if word not in others:
            wrong.add(f"{name}: {word}")
    return wrong


def table_behind(page: str, line: str) -> list[list[str]]:
    """The rows of the table that follows a line, cell by cell, without its head."""
    table = page.partition(f"{line}\n\n")[2].partition("\n\n")[0]
    return [row.strip("| ").split(" | ") for row in table.splitlines()[2:]]


def slug(heading: str) -> str:
    """The anchor that a heading gets where Markdown is shown."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def test_every_game_has_a_page_and_no_page_is_without_a_game():
    assert {file.stem for file in (TOP / "docs" / "rules").glob("*.md")} == set(GAMES)


@every_game
def test_a_link_margins_to_each_section_rule_and_example(game):
    page = page_of(game)
    assert {label for anchor, label in labels(page) if anchor != label} == set()
    anchors = _ANCHOR.findall(page)
    expected = [*told(page), *words(page)]
    assert sorted(anchors) == sorted(expected), "an anchor twice, or before nothing"


@every_game
def test_the_words_of_the_page_are_explained_in_the_order_of_the_alphabet(game):
    entries = words(page_of(game))
    assert len(entries) >= 10
    assert [*entries.values()] == sorted(entries.values(), key=str.lower)
    for anchor, word in entries.items():
        assert slug(word.replace("é", "e")) == anchor


@every_game
def test_the_terms_of_a_game_lead_to_its_words(game):
    assert game.presentation.terms
    assert {*game.presentation.terms.values()} <= words(page_of(game)).keys()


@every_game
def test_rules_are_numbered_from_one_on(game):
    page = page_of(game)
    for letter in {label[0] for label in told(page)}:
        numbers = sorted(int(label[1:]) for label in told(page) if label[0] == letter and label[1:])
        assert numbers == list(range(1, len(numbers) + 1)), letter


@every_game
def test_whatever_is_cited_stands_on_the_page_that_the_file_names(game):
    page, found = told(page_of(game)), citations(game)
    assert found
    for file, ids in found.items():
        assert ids <= page, f"{file} cites {ids - page}"
        assert f"docs/rules/{game.name}.md" in file.read_text(), file


@every_game
def test_the_page_names_every_option_and_every_other_value_it_can_have(game):
    assert missing_options(game, page_of(game)) == set()


@every_game
def test_every_setting_that_the_page_names_is_one_and_changes_something(game):
    assert wrong_options(game, page_of(game)) == set()


@every_game
def test_each_reading_ends_with_the_option_that_gives_the_other_one(game):
    rows = table_behind(page_of(game), "Readings")
    assert len(rows) >= 10
    for row in rows:
        assert len(row) == 4, row
        option = re.match(r"`([a-z_]+)", row[3])
        assert option or row[3].startswith("none"), row
        assert not option or option[1] in game.options.model_fields, row


@every_game
def test_the_page_says_what_each_preset_is(game):
    rows = table_behind(page_of(game), "Presets are named sets of options:")
    expected = {
        name: {
            (key, option_text(value))
            for key, value in preset
            if value != game.options.model_fields[key].default
        }
        for name, preset in game.presets.items()
    }
    assert {name.strip("`"): set(_SET.findall(options)) for name, options, _ in rows} == expected


@every_game
def test_the_page_names_its_sources_with_addresses(game):
    sources = page_of(game).partition("## Sources\n")[2].partition("\n## ")[0]
    assert re.search(r"https://", sources)
    assert sources.count("\n- **") >= 2


@every_game
def test_the_links_of_the_page_margin_somewhere(game):
    here, page = TOP / "docs" / "rules" / f"{game.name}.md", page_of(game)
    for name, anchor in _LINK.findall(page):
        target = here.parent / name if name else here
        assert target.exists(), name
        text = target.read_text()
        headings = {slug(heading) for heading in re.findall(r"^#+ (.+)$", text, re.MULTILINE)}
        assert not anchor or anchor in headings | set(_ANCHOR.findall(text)), f"{name}#{anchor}"


@pytest.mark.parametrize("name", ["protocol.md", "docs/design.md", "bots/README.md"])
def test_readers_find_the_pages_where_they_look(name):
    text = (TOP / name).read_text()
    linked = {(TOP / name).parent.joinpath(link).resolve() for link, _ in _LINK.findall(text)}
    assert {TOP / "docs" / "rules" / f"{game}.md" for game in GAMES} <= linked


class TestThatTheseTestsCanFail:
    """What is wrong with a page or a citation is found."""

    PAGE = '<a id="b"></a>\n## b. One\n\n<a id="b1"></a>**b.1** A rule.\n'

    def test_a_rule_that_is_not_there_is_missed(self):
        text = '"""As rules b.1 to b.3 say; section c."""'
        assert cited(text, names=False) - told(self.PAGE) == {"b3", "c"}
        assert cited("def test_b1_to_b4_hold(): ...", names=True) - told(self.PAGE) == {"b4"}
        assert cited('pytest.param(1, id="b2 two")', names=True) - told(self.PAGE) == {"b2"}

    def test_numbers_that_are_no_citation_are_left_alone(self):
        assert cited("v1.2 0.b.1 cards.9 4.4 and G.1, e.g. 3", names=True) == set()

    @pytest.mark.parametrize(
        ("was", "now"), [('id="b1"', 'id="b2"'), ('<a id="b1"></a>', ""), ("**b.1**", "**b.2**")]
    )
    def test_a_rule_with_the_wrong_anchor_or_none_is_not_told(self, was, now):
        assert "b1" in told(self.PAGE)
        assert "b1" not in told(self.PAGE.replace(was, now))

    @every_game
    def test_an_option_or_a_value_that_the_page_forgets_is_missed(self, game):
        page = page_of(game)
        for name, info in game.options.model_fields.items():
            assert missing_options(game, page.replace(f"`{name}", "`other")), name
            _, others = option_values(info)
            for word in () if " to " in others[0] else others:
                assert missing_options(game, page.replace(f"`{name}: {word}`", "")), word

    def test_an_option_that_no_table_has_is_found_and_a_value_that_changes_nothing(self):
        spades = GAMES["spades"]
        page = "`goal: 200` `goal: 500` `goal: 0` `gaol: 200` `bid_cap: side` `bid_cap: none`"
        found = wrong_options(spades, page)
        assert found == {"goal: 500", "goal: 0", "gaol: 200", "bid_cap: none"}
