"""Challenges: a bot against another one, at once and beside seasons."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import select

from card_arena.accounts.administration import Arena, NotPermitted, TooManyOperations, carry_out
from card_arena.accounts.entries import AuditEntry, Quota
from card_arena.accounts.operations import OPERATIONS, BadOperation
from card_arena.accounts.settings import AccountSettings, ChallengeSettings
from card_arena.common.marked_yaml import BadYaml
from card_arena.leaderboard.queue import next_match, queue
from card_arena.leaderboard.standings import standings_with_figures
from card_arena.leaderboard.tournaments import leaders
from card_arena.results.bots import UnknownBot
from card_arena.results.entries import Season
from card_arena.results.models import MatchRow
from card_arena.results.store import Store
from card_arena.tables.registry import GAMES
from card_arena.tests.accounts.browser import Browser
from card_arena.tests.accounts.porch import Porch
from card_arena.tests.accounts.sites import open_site
from card_arena.tests.tournament import stage
from card_arena.tournament.challenges import CantChallenge, begin_challenge
from card_arena.tournament.operations import OperationQueue
from card_arena.tournament.play import runner
from card_arena.tournament.play.pool import WorkerLost
from card_arena.tournament.play.runner import run
from card_arena.tournament.play.season import Headway
from card_arena.tournament.play.steps import Steps
from card_arena.tournament.settings import read_settings
from card_arena.verify.verify import verify_season

CHALLENGE = OPERATIONS["challenge"]
NOW = datetime(2026, 11, 27, 12, tzinfo=UTC)
LATER = datetime(2026, 11, 27, 13, tzinfo=UTC)


@pytest.fixture
def house(porch: Porch, tmp_path: Path) -> Porch:
    """Two bots of Ann's team and one of another author."""
    for name, limit, author in (("lim14", 14, "Red"), ("lim17", 17, "Red"), ("lim19", 19, "Blue")):
        built(porch.store, stage.shell(name, limit), tmp_path / "bots", author)
    porch.accounts.give_author(porch.ann.teams[0].id)
    return porch


@pytest.fixture
def operations(house: Porch) -> Iterator[OperationQueue]:
    found = OperationQueue(house.store, house.said.append)
    yield found
    found.close()


QUOTA = Quota()


def built(store: Store, bot: stage.Bot, folder: Path, author: str = "ada") -> None:
    version = stage.submit(store, bot.write(folder), author)
    store.note_build(version.id, True, "", "")


def asked(house: Porch, limits: ChallengeSettings | None, **values: object) -> AuditEntry:
    """A request of Ann's for a challenge of lim14 to lim19."""
    arena = Arena(house.accounts, house.store, QUOTA, limits)
    ann = house.accounts.person(house.ann.id)
    return carry_out(arena, CHALLENGE, "lim14", {"opponent": "lim19", **values}, ann)


def ended(store: Store) -> Season:
    (season,) = store.seasons("challenges-lim14")
    assert season.finished is not None
    return season


def test_a_challenge_is_an_unrated_season_with_an_interval_and_a_proof(
    house: Porch, operations: OperationQueue
) -> None:
    entry = asked(house, ChallengeSettings(), boards=8)
    run(house.store, [], stage.Notes(), wait=False, operations=operations)
    season = ended(house.store)
    answer = house.accounts.audit_entry(entry.id)
    assert answer
    assert answer.answer == (
        "lim14 v1 challenges lim19 v1 at blackjack, 8 boards: /t/challenges-lim14/1"
    )
    assert not season.rated
    table = standings_with_figures(house.store, "challenges-lim14")
    assert table.season.matches == 8
    assert {row.bot for row in table.standings} == {"lim14", "lim19"}
    assert all(row.rating is None for row in table.standings)
    first, second = table.standings
    assert first.points == -(second.points or 0)
    assert first.interval is not None
    assert first.interval.low is not None
    assert not verify_season(house.store, season).differences


def test_a_challenge_is_played_while_a_season_is(house: Porch, operations: OperationQueue) -> None:
    notes = Requesting(house)
    season = stage.tournament(legs=2, rounds=40)
    run(house.store, [season], notes, wait=False, operations=operations)
    (long,) = house.store.seasons(season.name)
    assert long.finished
    assert (ended(house.store).finished or NOW) < long.finished


class Requesting(stage.Notes):
    """Ann, who challenges when the first matches of a season have been played."""

    def __init__(self, house: Porch) -> None:
        super().__init__()
        self._house = house
        self._asked = False

    def advances(self, headway: Headway) -> None:
        if not self._asked:
            asked(self._house, ChallengeSettings(), boards=2)
        self._asked = True


def test_a_challenge_begins_once_however_often_it_is_carried_out(house: Porch) -> None:
    own, other = house.store.version("lim14"), house.store.version("lim19")
    first = begin_challenge(house.store, own, other, "", 3, NOW)
    assert begin_challenge(house.store, own, other, "", 3, NOW).id == first.id
    with pytest.raises(CantChallenge, match="plays a challenge already, /t/challenges-lim14/1"):
        begin_challenge(house.store, own, other, "", 3, LATER)
    run(house.store, [], stage.Notes(), wait=False)
    assert begin_challenge(house.store, own, other, "", 3, LATER).number == first.number + 1


def test_challenges_of_different_bots_are_played_at_the_same_time(house: Porch) -> None:
    names = ("lim14", "lim17", "lim19")
    own, other, third = (house.store.version(name) for name in names)
    seasons = [
        begin_challenge(house.store, one, two, "", 20, NOW)
        for one, two in ((own, other), (other, third), (third, own))
    ]
    run(house.store, [], stage.Notes(), wait=False, challenges=ChallengeSettings(at_once=2))
    times = []
    for season in seasons:
        (played,) = house.store.seasons(season.tournament)
        assert not verify_season(house.store, played).differences
        with house.store.database.reading() as session:
            stored = select(MatchRow.stored).where(MatchRow.season_id == season.id)
            moments = sorted(session.scalars(stored))
        times.append((moments[0], moments[-1]))
    first, second, last = times
    assert first[0] < second[1]
    assert second[0] < first[1], "two at a time"
    assert last[0] > min(first[1], second[1]), "and the third one afterwards"


def test_an_interrupted_challenge_is_played_on(house: Porch) -> None:
    own, other = house.store.version("lim14"), house.store.version("lim19")
    begin_challenge(house.store, own, other, "", 3, NOW)
    run(house.store, [], stage.Notes(), wait=False)
    assert ended(house.store)


def test_a_challenge_that_the_arena_fails_to_play_is_tried_again(
    house: Porch, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, other = house.store.version("lim14"), house.store.version("lim19")
    begin_challenge(house.store, own, other, "", 3, NOW)
    failures = iter([WorkerLost("a worker ended")])
    play = runner.play_season

    def fails_once(*arguments: object) -> Steps[int]:
        for failure in failures:
            raise failure
        return (yield from play(*arguments))  # type: ignore[arg-type]

    monkeypatch.setattr(runner, "play_season", fails_once)
    monkeypatch.setattr(runner, "REST", timedelta(0))
    notes = stage.Notes()
    run(house.store, [], notes, wait=False)
    run(house.store, [], notes, wait=False)
    assert "challenges-lim14 could not be played: a worker ended" in notes.said
    assert ended(house.store)


def test_the_queue_shows_challenges_and_the_next_matches_of_a_bot(house: Porch) -> None:
    assert next_match(house.store, "lim14").tournament is None
    own, other = house.store.version("lim14"), house.store.version("lim19")
    begin_challenge(house.store, own, other, "", 3, NOW)
    (waiting,) = queue(house.store).seasons
    assert waiting.challenge
    assert waiting.bots == ("lim14 v1", "lim19 v1")
    assert next_match(house.store, "lim14").tournament == "challenges-lim14"
    notes = Looking(house.store)
    run(house.store, [], notes, wait=False)
    assert notes.bots == {("lim14", "lim19")}
    assert queue(house.store).seasons == ()
    assert next_match(house.store, "lim14").tournament is None


class Looking(stage.Notes):
    """Somebody who looks at the queue when the arena says something."""

    def __init__(self, store: Store) -> None:
        super().__init__()
        self._store = store
        self.bots: set[tuple[str, ...]] = set()

    def begins(self, season: Season, *, again: bool) -> None:
        super().begins(season, again=again)
        self._look()

    def advances(self, headway: Headway) -> None:
        self._look()

    def _look(self) -> None:
        for season in queue(self._store).seasons:
            self.bots.update(tuple(sorted(match.bots)) for match in season.matches)


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_game_has_challenges(porch: Porch, tmp_path: Path, game: str) -> None:
    store = porch.store
    for name in ("one", "two", "three"):
        built(store, replace(stage.shell(name, 15), game=game), tmp_path)
    one, two = store.version("one"), store.version("two")
    season = begin_challenge(store, one, two, "", 2, NOW)
    sides = {len({*table}) for table in season.settings.facts.tables}
    entrants = len(store.entrants(season.id))
    assert entrants in sides
    assert entrants == (3 if game == "tarot" else 2)


def test_what_cannot_be_played_is_declined_with_a_reason(house: Porch, tmp_path: Path) -> None:
    store = house.store
    built(store, replace(stage.shell("other", 15), game="durak"), tmp_path)
    own, other = store.version("lim14"), store.version("other")
    with pytest.raises(CantChallenge, match="no game in common"):
        begin_challenge(store, own, other, "", 3, NOW)
    with pytest.raises(CantChallenge, match="other v1 can't play: it does not play blackjack"):
        begin_challenge(store, own, other, "blackjack", 3, NOW)
    with pytest.raises(CantChallenge, match="lim14 v1 can't challenge itself"):
        begin_challenge(store, own, own, "", 3, NOW)
    store.withdraw("lim19")
    with pytest.raises(CantChallenge, match="lim19 v1 can't play: it is withdrawn"):
        begin_challenge(store, own, store.version("lim19"), "", 3, NOW)


def test_authors_challenge_where_the_organiser_lets_them_and_not_without_end(house: Porch) -> None:
    with pytest.raises(NotPermitted, match="only organisers may challenge here"):
        asked(house, None)
    with pytest.raises(UnknownBot, match="nobody"):
        asked(house, ChallengeSettings(), opponent="nobody")
    with pytest.raises(BadOperation, match="boards must be from 1 to 5; got 6"):
        asked(house, ChallengeSettings(boards=5), boards=6)
    asked(house, ChallengeSettings(a_day=1))
    with pytest.raises(TooManyOperations, match=r"challenge lim14 \(1 times in 24 hours\)"):
        asked(house, ChallengeSettings(a_day=1))


def test_challenges_make_nobody_a_leader(house: Porch) -> None:
    own, other = house.store.version("lim14"), house.store.version("lim19")
    begin_challenge(house.store, own, other, "", 2, NOW)
    run(house.store, [], stage.Notes(), wait=False)
    assert not leaders(house.store)


def test_a_challenge_is_requested_on_the_page_of_a_bot(house: Porch) -> None:
    settings = AccountSettings(challenges=ChallengeSettings())
    with open_site(house, settings) as app:
        browser = Browser(app)
        browser.enter(house.accounts.invite("Ann", "ann@example.org")[1])
        assert "/mine/challenge/lim19" in browser.get("/bot/lim19").text
        page = browser.get("/mine/challenge/lim19").text
        assert 'value="lim14"' in page
        assert 'value="lim19"' not in page.partition("<select")[2].partition("</select>")[0]
        sent = {"what": "challenge", "subject": "lim14", "opponent": "lim19", "boards": 2}
        answer = browser.send("/mine/challenge", "/mine/challenge/lim19", **sent)
        assert answer.status_code == 303
        foreign = browser.send(
            "/mine/challenge", "/mine/challenge/lim19", **{**sent, "subject": "lim19"}
        )
        assert foreign.status_code == 404
        house.carry_out()
        assert "lim14 v1 challenges lim19 v1" in browser.get("/queue").text
        assert "season 1 of challenges-lim14" in browser.get("/bot/lim14").text
        assert "/t/challenges-lim14/1" in browser.get("/mine/bot/lim14").text
        run(house.store, [], stage.Notes(), wait=False)
        match = "/mine/match/challenges-lim14/0001/t01/r1/a"
        assert "lim14" in browser.get(match).text
        stranger = Browser(app)
        stranger.enter(house.accounts.invite("Cy", "cy@example.org", team="Green")[1])
        assert [each.get(match).status_code for each in (browser, stranger)] == [200, 404]


def test_without_challenges_no_page_offers_any(house: Porch) -> None:
    with open_site(house) as app:
        browser = Browser(app)
        browser.enter(house.accounts.invite("Ann", "ann@example.org")[1])
        assert "/mine/challenge/lim19" not in browser.get("/bot/lim19").text
        sent = {"what": "challenge", "opponent": "lim19", "boards": "2"}
        assert browser.send("/mine/bot/lim14", **sent).status_code == 403


def test_no_tournament_takes_the_name_of_challenges() -> None:
    with pytest.raises(BadYaml, match=r"t\.yaml:1:7: name must not begin with challenges"):
        read_settings("name: challenges-spades\ngame: spades\n", "t.yaml")
