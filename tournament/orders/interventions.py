"""Orders about seasons: what an organiser may do to one that is being played, or was.

Each is carried out when no match of the tournament is being played, so it has a definite point
among the results. The season's schedule is followed first: what can't be is declined, and stores
nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from common.did_you_mean import meant
from leaderboard.door.entries import Act
from leaderboard.match_key import MatchKey
from leaderboard.proof.interventions import Intervention
from leaderboard.proof.manifest import Listed, utc
from leaderboard.storage.entries import Season, Version
from leaderboard.storage.interventions import Outcome
from leaderboard.storage.store import Store
from tournament.formats.base import CantAdmit
from tournament.orders.base import NotPossible
from tournament.play.schedules import Course, schedule_of
from tournament.settings import thaw


def expel(store: Store, order: Act) -> str:
    """Let a bot leave the season of a tournament that is being played."""
    season, version = may_be_expelled(store, str(order.details["tournament"]), order.about)
    what = store.proposed(season, "expel", _reason(order), version=version.id)
    for known in store.interventions(season.id):
        if (known.kind, known.version) == ("expel", version.id):
            return _expelled(season, version, known)
    return _expelled(season, version, _done(store, season, what))


def _expelled(season: Season, version: Version, what: Intervention) -> str:
    return (
        f"{version.label} is expelled from season {season.number} of {season.tournament}:"
        f" {what.reason}"
    )


def admit(store: Store, order: Act) -> str:
    """Let a bot join the season of a tournament that is being played."""
    season = _running(store, str(order.details["tournament"]))
    version = store.version(order.about)
    for known in store.interventions(season.id):
        if (known.kind, known.version) == ("admit", version.id):
            return _admitted(season, version)
    _demand_fit(store, season, version)
    what = store.proposed(
        season, "admit", _reason(order), version=version.id, entrant=_listed(version)
    )
    try:
        _done(store, season, what)
    except CantAdmit as error:
        raise NotPossible(
            f"{version.label} can't join season {season.number} of {season.tournament}: {error};"
            " it can enter the next season"
        ) from error
    return _admitted(season, version)


def _admitted(season: Season, version: Version) -> str:
    return f"{version.label} is admitted to season {season.number} of {season.tournament}"


def annul(store: Store, order: Act) -> str:
    """Let a match count for nothing; without a match's key in the details, a whole season."""
    key = order.details.get("key")
    if key is not None:
        season = _season(store, str(order.details["tournament"]), _parsed(key).season)
        what = store.proposed(season, "annul", _reason(order), key=str(key))
        store.records(str(key))  # raises `UnknownMatch`
        said = f"match {key} is annulled"
    else:
        tournament, number = str(order.details["tournament"]), int(order.details["season"])
        season = _season(store, tournament, number)
        what = store.proposed(season, "annul", _reason(order))
        said = f"season {season.number} of {season.tournament} is annulled"
    for known in store.interventions(season.id):
        if (known.kind, known.key) == ("annul", what.key):
            return f"{said}: {known.reason}"
    if season.annulled:
        raise NotPossible(
            f"season {season.number} of {season.tournament} is annulled as a whole already"
        )
    return f"{said}: {_done(store, season, what).reason}"


def pause(store: Store, order: Act) -> str:
    """Let nothing of a tournament begin, until it is resumed."""
    store.pause(order.about, _reason(order))
    return f"{order.about} is paused: {_reason(order)}"


def resume(store: Store, order: Act) -> str:
    """Let a paused tournament go on."""
    return f"{order.about} {'goes on' if store.resume(order.about) else 'was not paused'}"


def _done(store: Store, season: Season, what: Intervention) -> Intervention:
    """Follow a season until now and apply an intervention; store it with what it comes to."""
    known = store.interventions(season.id)
    everything = [*known, what]
    course = Course(everything, store.keys_by_intervention(season.id, everything))
    schedule = schedule_of(store, season, course)
    try:
        course.tell(schedule, store.each_result(season.id))
    except ValueError as error:
        raise NotPossible(str(error)) from error
    drawn = [panel.to_data() for panel in schedule.panels]
    store.refresh_ratings(season.tournament)
    stored = store.intervene(season.id, what, Outcome(schedule.standings, drawn))
    store.refresh_ratings(season.tournament)
    return stored


def may_be_expelled(store: Store, tournament: str, bot: str) -> tuple[Season, Version]:
    """The season that is being played, and the bot's version in it; raises `NotPossible`."""
    season = _running(store, tournament)
    return season, _entrant(store, season, bot)


def demand_admissible(store: Store, tournament: str, bot: str) -> None:
    """Raise `UnknownBot` or `NotPossible` if a bot can't join the season that is being played."""
    _demand_fit(store, _running(store, tournament), store.version(bot))


def _running(store: Store, tournament: str) -> Season:
    """The season of a tournament that is being played."""
    for season in _seasons(store, tournament):
        if season.finished is None:
            return season
    raise NotPossible(f"no season of {tournament} is being played")


def _season(store: Store, tournament: str, number: int) -> Season:
    seasons = _seasons(store, tournament)
    for season in seasons:
        if season.number == number:
            return season
    raise NotPossible(f"{tournament} has no season {number}: its newest is {seasons[-1].number}")


def _seasons(store: Store, tournament: str) -> Sequence[Season]:
    found = store.seasons(tournament)
    if not found:
        raise NotPossible(f"nothing was played of a tournament {tournament[:80]!r}")
    return found


def _parsed(key: object) -> MatchKey:
    try:
        return MatchKey.parse(str(key))
    except ValueError as error:
        raise NotPossible(str(error)) from error


def _entrant(store: Store, season: Season, name: str) -> Version:
    """The version of this name that plays in a season; without a number, the bot's only one."""
    playing = [each.version_id for each in store.entrants(season.id) if not each.sits_out]
    versions = store.versions(playing).values()
    bot, _, number = name.partition("@")
    found = [each for each in versions if each.bot == bot and number in ("", str(each.number))]
    where = f"season {season.number} of {season.tournament}"
    if not found:
        names = [each.bot for each in versions]
        raise NotPossible(f"{name[:80]} does not play in {where}: {meant(name, names)}")
    if len(found) > 1:
        labels = ", ".join(f"{each.bot}@{each.number}" for each in found)
        raise NotPossible(f"several versions of {bot} play in {where}: name one of {labels}")
    return found[0]


def _demand_fit(store: Store, season: Season, version: Version) -> None:
    """Raise `NotPossible` if a version can't play in a season."""
    settings = thaw(season.settings)
    build = store.build(version.id)
    why = ""
    if version.id in {each.version_id for each in store.entrants(season.id)}:
        why = "is in its line-up already"
    elif settings.game not in version.games:
        why = f"does not play {settings.game}"
    elif version.withdrawn is not None:
        why = "is withdrawn"
    elif store.on_probation([version.id]):
        why = "is on probation"
    elif build is None or not build.ok:
        why = f"was not built: {build.reason if build else 'it was never tried'}"
    if why:
        where = f"season {season.number} of {season.tournament}"
        raise NotPossible(f"{version.label} can't join {where}: it {why}")


def _listed(version: Version) -> Listed:
    return Listed(
        version=version.id,
        bot=version.bot,
        number=version.number,
        author=version.author,
        digest=version.digest,
        submitted=utc(version.submitted),
        sits_out="",
    )


def _reason(order: Act) -> str:
    return str(order.details.get("reason", ""))
