"""The sources that comments cite: each is in full on a page that a stranger finds.

A citation is a key in brackets, with the place in the source after a comma: [Wilson 1927] or
[Cochran 1977, 6.4]; a source without a date is [Somebody n.d.]. The bots' keys are those of their
game's page, bots/<game>/README.md, the leaderboard's those of docs/ratings.md, whose paragraphs are
cited, too: "ratings c.2".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from pathlib import Path

import pytest

from card_arena.ratings import certainty, shrinkage
from card_arena.ratings.intervals import rate, student, wilson
from card_arena.ratings.match_results import Result, board_margin
from card_arena.ratings.trueskill_ratings import _ENVIRONMENT as ENVIRONMENT
from card_arena.ratings.trueskill_ratings import fold
from card_arena.tables.registry import GAMES

TOP = Path(__file__).parent.parent
BOTS = TOP / "bots"
RATINGS = TOP / "docs" / "ratings.md"

KEY = r"[A-Z]\w*(?:[ -][A-Z]\w*)* (?:\d{4}|n\.d\.)"
CITED = re.compile(rf"\[({KEY})(?:, [^\[\]]+)?\]")
IN_FULL = re.compile(rf"^- \*\*\[({KEY})\]\*\* (.+)$", re.MULTILINE)
PARAGRAPH_CITED = re.compile(r"\bratings ([a-z]\.\d+)")
PARAGRAPH = re.compile(r"^\*\*<a id=\"([a-z])(\d+)\"></a>[a-z]\.\d+\*\*", re.MULTILINE)
SPEAKS_OF_A_SOURCE = re.compile(
    r"\b(?:paper|article|thesis)(?:'s)?\b|\b(?:table|figure|section|algorithm)s? \d|\bappendi",
    re.IGNORECASE,
)

CODE = ("*.py", "*.c", "*.h", "*.cpp", "*.java", "*.js", "*.lisp", "*.sh")


def cited(text: str) -> set[str]:
    """The keys of a text, those that a comment breaks over two lines, too."""
    return set(CITED.findall(re.sub(r"\s*\n[\s#*;/]*", " ", text)))


def listed(page: Path) -> dict[str, str]:
    """What a page's sources are in full, by key."""
    return dict(IN_FULL.findall(page.read_text()))


def paragraphs(page: str) -> set[str]:
    """The numbers of a page's paragraphs that can be linked to."""
    return {f"{letter}.{number}" for letter, number in PARAGRAPH.findall(page)}


def paragraphs_cited(text: str) -> set[str]:
    """The numbers that a text cites, those that a comment breaks over two lines, too."""
    return set(PARAGRAPH_CITED.findall(re.sub(r"\s+", " ", text)))


def files(folder: Path, *patterns: str) -> Iterator[Path]:
    """Files of a folder; those of a bot's link to its library are the library's."""
    for pattern in patterns:
        yield from (path for path in sorted(folder.rglob(pattern)) if not path.is_symlink())


def of_game(game: str) -> list[Path]:
    """Every file that has comments about the sources of a game's bots."""
    experiments = TOP / "experiments"
    found = [
        *files(BOTS / game, *CODE, "*.md"),
        *experiments.glob(f"{game}_*.py"),
        *(TOP / "tests" / "bots").glob(f"test_{game}_*.py"),
    ]
    for folder in experiments.glob(f"{game}-*"):
        found += files(folder, "*.py", "experiment.yaml")
    return found


def unknown(paths: Iterable[Path], keys: Iterable[str]) -> set[str]:
    """The keys that these files cite and that are none of those."""
    return {key for path in paths for key in cited(path.read_text())} - {*keys}


@pytest.mark.parametrize("game", GAMES)
def test_every_source_that_is_cited_stands_in_full_on_the_games_page(game: str) -> None:
    assert not unknown(of_game(game), listed(BOTS / game / "README.md"))


@pytest.mark.parametrize("game", GAMES)
def test_no_source_is_listed_that_nothing_cites(game: str) -> None:
    page = BOTS / game / "README.md"
    elsewhere = {key for path in of_game(game) if path != page for key in cited(path.read_text())}
    assert not listed(page).keys() - elsewhere


@pytest.mark.parametrize("game", GAMES)
def test_a_file_that_speaks_of_a_paper_says_which(game: str) -> None:
    silent = [
        str(path.relative_to(TOP))
        for path in of_game(game)
        if SPEAKS_OF_A_SOURCE.search(path.read_text()) and not cited(path.read_text())
    ]
    assert not silent


@pytest.mark.parametrize("game", GAMES)
def test_every_house_bot_is_on_its_games_page(game: str) -> None:
    page = (BOTS / game / "README.md").read_text()
    folders = {path.parent.name for path in (BOTS / game).glob("*/bot.yaml")}
    assert folders == set(re.findall(r"\]\(([\w-]+)/README\.md\)", page)) - {"lib"}


@pytest.mark.parametrize("game", GAMES)
def test_every_file_of_a_library_is_on_its_games_page(game: str) -> None:
    page = (BOTS / game / "README.md").read_text()
    page += "".join(path.read_text() for path in (BOTS / game / "lib").glob("README.md"))
    missing = [path.name for path in (BOTS / game / "lib").glob("*.py") if path.name not in page]
    assert not missing


@pytest.mark.parametrize("page", [*(BOTS / game / "README.md" for game in GAMES)], ids=str)
def test_the_pages_links_margin_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text()):
        assert page.parent.joinpath(target).exists(), target


@pytest.mark.parametrize("game", GAMES)
def test_a_game_page_cites_experiments_that_are_among_the_results(game: str) -> None:
    page = (BOTS / game / "README.md").read_text()
    known = set(re.findall(r"^## (\S+)$", (TOP / "experiments/RESULTS.md").read_text(), re.M))
    named = set(re.findall(rf"`({game}-[\w-]+)`", page))
    bots = {f"{game}-{path.parent.name}" for path in (BOTS / game).glob("*/bot.yaml")}
    assert named
    assert named <= known | bots


def of_ratings() -> list[Path]:
    """Every file that rates results, and its tests."""
    rooms = ("ratings", "formats", "results", "leaderboard", "accounts")
    return [
        file for room in rooms for top in (TOP, TOP / "tests") for file in files(top / room, "*.py")
    ]


def test_every_source_of_the_leaderboard_stands_in_full_on_the_page_of_ratings() -> None:
    assert not unknown([*of_ratings(), RATINGS], listed(RATINGS))


def test_the_page_of_ratings_lists_no_source_that_it_does_not_cite() -> None:
    text = IN_FULL.sub("", RATINGS.read_text())
    assert listed(RATINGS).keys() == cited(text)


def test_every_paragraph_about_ratings_that_is_cited_is_there() -> None:
    found = {number for path in of_ratings() for number in paragraphs_cited(path.read_text())}
    assert found
    assert found <= paragraphs(RATINGS.read_text())


def test_the_paragraphs_about_ratings_are_numbered_without_a_gap() -> None:
    numbers = PARAGRAPH.findall(RATINGS.read_text())
    for letter in {letter for letter, _ in numbers}:
        own = [int(number) for each, number in numbers if each == letter]
        assert own == [*range(1, len(own) + 1)], letter


def test_the_page_of_ratings_refers_to_paragraphs_that_are_there() -> None:
    page = RATINGS.read_text()
    assert {*re.findall(r"\b[a-k]\.\d+\b", page)} <= paragraphs(page)


def test_the_page_of_ratings_has_the_numbers_of_the_code() -> None:
    rows = re.findall(r"^\| `([A-Z]+)` \| (\S+) \|", RATINGS.read_text(), re.MULTILINE)
    of_places = {"FEWEST", "LEAST", "SPREADS", "SPREAD", "DRAWS", "MOST"}
    assert {name for name, _ in rows} == of_places | {"STEPS", "WIDEST", "NEGLIGIBLE"}
    constants = {**vars(certainty), **vars(certainty), **vars(certainty), **vars(shrinkage)}
    for name, value in rows:
        assert float(Fraction(value)) == constants[name], name


def test_the_code_that_the_page_of_ratings_names_is_there() -> None:
    named = re.findall(r"`([a-z_/]+\.py)`", RATINGS.read_text())
    assert named
    assert [name for name in named if not (TOP / name).is_file()] == []


def test_the_page_of_ratings_has_trueskills_parameters() -> None:
    rows = dict(re.findall(r"^\| ([a-z ]+) \| ([\d./ ]+) \|", RATINGS.read_text(), re.MULTILINE))
    on_page = {name: float(Fraction(value.replace(" ", ""))) for name, value in rows.items()}
    assert on_page == pytest.approx(
        {
            "mu": ENVIRONMENT.mu,
            "sigma": ENVIRONMENT.sigma,
            "beta": ENVIRONMENT.beta,
            "tau": ENVIRONMENT.tau,
            "draw probability": ENVIRONMENT.draw_probability,
        }
    )


def test_the_examples_on_the_page_of_ratings_come_out() -> None:
    page = " ".join(RATINGS.read_text().split())
    assert "Scores of 90, 60 and -30 give margins of 75, 30 and -105" in page
    assert board_margin((90, 60, -30), (0, 1, 2), (0, 0, 0)) == (75, 30, -105)
    assert "has mu 29.40, sigma 7.17 and an interval from 15.34 to 43.45" in page
    won = fold([Result("a", 1, 1, (1, 2), (0, 1), (0, 1), (1, 0), ())]).current[1]
    assert (won.mu, won.sigma, won.low) == pytest.approx((29.40, 7.17, 15.34), abs=0.005)
    assert "are worth 9 trials, and .5 is between .20 and .80" in page
    alternating = rate([(2, 2), (0, 2)] * 5)
    assert (alternating.low, alternating.high) == pytest.approx(wilson(0.5, 9, student(9)))
    assert (alternating.low, alternating.high) == pytest.approx((0.20, 0.80), abs=0.005)
    assert "won 2, 1, 1, 0, 2, 1, 1, 2, 1, 1, they are worth 24 trials" in page
    assert "and .6 is between .38 and .79" in page
    shared = rate([(won, 2) for won in (2, 1, 1, 0, 2, 1, 1, 2, 1, 1)])
    assert (shared.low, shared.high) == pytest.approx(wilson(0.6, 24, student(9)))
    assert (shared.low, shared.high) == pytest.approx((0.38, 0.79), abs=0.005)
    assert "2.776 for 4, where the normal distribution has 1.960" in page
    assert student(4) == pytest.approx(2.776, abs=0.0005)


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("as in [Wilson 1927].", {"Wilson 1927"}),
        (
            "see [Cochran 1977, 6.4] and [Bazar Blot n.d., text]",
            {"Cochran 1977", "Bazar Blot n.d."},
        ),
        ("/* by [Cohensius 2019,\n   section 4.1] */", {"Cohensius 2019"}),
        ("# of [Cohensius\n# 2019]", {"Cohensius 2019"}),
        ("[Bühlmann 1967](../README.md#sources)", {"Bühlmann 1967"}),
        ("Mapping[Seat, int], names[2011], [note], (Wilson 1927)", set()),
    ],
)
def test_a_citation_is_found_by_its_form(text: str, keys: set[str]) -> None:
    assert cited(text) == keys


def test_a_citation_of_nothing_that_is_listed_is_found(tmp_path: Path) -> None:
    page, code = tmp_path / "README.md", tmp_path / "bot.py"
    page.write_text("- **[Wilson 1927]** Edwin B. Wilson. *Probable inference*.\n")
    code.write_text('"""By [Wilson 1927, formula 1], and by [Wilson 1972]."""\n')
    assert unknown([code], listed(page)) == {"Wilson 1972"}


def test_a_paragraph_that_is_not_there_is_found() -> None:
    page = '**<a id="b3"></a>b.3** Why.\n\n**<a id="b4"></a>b.4** Ties; see b.3.\n'
    assert paragraphs(page) == {"b.3", "b.4"}
    assert paragraphs_cited('"""As ratings b.3 says (ratings\n    b.5)."""') == {"b.3", "b.5"}
