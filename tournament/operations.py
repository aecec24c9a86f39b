"""Carries out the operations on seasons and bots, between two matches.

They are declared in accounts/operations.py; `carries_out` names the operation of a function.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial

from card_arena.accounts.entries import AuditEntry
from card_arena.accounts.operations import CARRIED_OUT, OPERATIONS, Operation, Values, carries_out
from card_arena.accounts.storage.account_store import AccountStore
from card_arena.accounts.visibility import snapshot_standings
from card_arena.common.errors import ArenaFailure, UserError
from card_arena.common.moments import written
from card_arena.common.text import suggestion
from card_arena.formats.field import CantAdmit, Listed, MatchKey
from card_arena.formats.interventions import Intervention
from card_arena.leaderboard.bots import bot as read_bot
from card_arena.leaderboard.bots import bots_playing_for
from card_arena.leaderboard.matches import match as read_match
from card_arena.results.bots import UnknownBot
from card_arena.results.entries import Season, Version
from card_arena.results.errors import Damaged, Unusable
from card_arena.results.lease import LeaseLost
from card_arena.results.matches import UnknownMatch
from card_arena.results.proof.manifest import utc
from card_arena.results.store import Store
from card_arena.sandbox.bundles.manifest import checked_name
from card_arena.tournament.challenges import begin_challenge, obstacle_to
from card_arena.tournament.play.schedules import Course, schedule_of
from card_arena.tournament.reviews import usual_reviewer
from card_arena.tournament.submissions import SANDBOX, Rejected, check_bot, stored_bot, tried


class NotPossible(UserError):
    """An operation can't be carried out."""


@carries_out("activate")
def activate(store: Store, entry: AuditEntry) -> str:
    """Have new seasons enter the version `number`, the newest without one."""
    number = store.choose(entry.about, entry.details.get("number"))
    return f"new seasons enter {entry.about} v{number}"


@carries_out("title")
def title(store: Store, entry: AuditEntry) -> str:
    shown = store.give_title(entry.about, entry.details.get("title", ""))
    return f"{entry.about} {f'is shown with the title {shown}' if shown else 'has no title'}"


@carries_out("delete")
def delete(store: Store, entry: AuditEntry) -> str:
    """Delete the version `number`, or without one the whole bot.

    A missing bot or version has been deleted already, by this or another operation.
    """
    name, number = entry.about, entry.details.get("number")
    with suppress(UnknownBot):
        if number is None:
            store.delete_bot(name)
        else:
            store.delete_version(name, number)
    return f"{name} is deleted" if number is None else f"{name} v{number} is deleted"


class TooMany(UserError):
    """An author would have more bots than the organisers allow."""


@carries_out("withdraw")
def withdraw(store: Store, entry: AuditEntry) -> str:
    return f"{entry.about} has been withdrawn since {written(store.withdraw(entry.about))}"


@carries_out("readmit")
def readmit(store: Store, entry: AuditEntry) -> str:
    """Let a withdrawn bot play again, if its author then has no more than `most` that play."""
    most = entry.details.get("most")
    if most is not None:
        bot = store.version(entry.about)
        others = bots_playing_for(store, bot.author) - {bot.bot}
        if len(others) >= most:
            raise TooMany(
                f"{bot.author} already has {most} active bots (the limit). Withdraw one first."
            )
    was_withdrawn = store.readmit(entry.about)
    return f"{entry.about} {'plays again' if was_withdrawn else 'was not withdrawn'}"


@carries_out("tag")
def tag(store: Store, entry: AuditEntry) -> str:
    return tagged(entry.about, store.tag(entry.about, entry.details["tags"]))


@carries_out("untag")
def untag(store: Store, entry: AuditEntry) -> str:
    return tagged(entry.about, store.untag(entry.about, entry.details["tags"]))


def tagged(bot: str, tags: tuple[str, ...]) -> str:
    return f"{bot} is tagged {', '.join(tags)}" if tags else f"{bot} has no tags"


@carries_out("move")
def move(store: Store, entry: AuditEntry) -> str:
    """Give a bot the name and the author of the details; a missing one stays."""
    name, author = entry.details.get("name"), entry.details.get("author")
    try:
        checked_name(str(name or entry.about))
    except ValueError as error:
        raise NotPossible(f"a bot's name {error}") from error
    now = store.moved_to(entry.about)
    bot = store.version(now or entry.about)
    if now is not None and now not in (name, entry.about):
        raise NotPossible(f"{entry.about} is called {now} now")
    new_name, new_author = str(name or bot.bot), str(author or bot.author)
    store.move(bot.bot, new_name, new_author, str(entry.details.get("reason", "")))
    return f"{entry.about} is {new_name} of {new_author} from now on"


@carries_out("challenge")
def challenge(store: Store, entry: AuditEntry) -> str:
    """Begin a challenge of the version `number`, or of the one that plays, to another bot."""
    number = entry.details.get("number")
    own = store.version(f"{entry.about}@{number}" if number else entry.about)
    other = store.version(str(entry.details["opponent"]))
    game, boards = str(entry.details.get("game", "")), int(entry.details["boards"])
    season = begin_challenge(store, own, other, game, boards, entry.at)
    return (
        f"{own.label} challenges {other.label} at {season.settings.game}, {boards} boards:"
        f" /t/{season.tournament}/{season.number}"
    )


@carries_out("review")
def review(store: Store, entry: AuditEntry) -> str:
    """Have a match reviewed in which the bot played."""
    version, key = store.version(entry.about), str(entry.details["match"])
    try:
        match = read_match(store, key)
    except UnknownMatch:
        match = None
    if match is None or version.bot not in {entrant.bot for entrant in match.entrants}:
        raise NotPossible(f"{version.bot} played in no match {key[:200]!r}")
    usual_reviewer(match.records[0].game)  # raises `NoReviewer`
    store.ask_for_review(key, version.author)
    return f"the review of {key}: /match/{key}#review"


@carries_out("check")
def check(store: Store, entry: AuditEntry) -> str:
    """Check a bot that is on probation; if it passes, new seasons enter it."""
    version = store.version(entry.about)
    trial = tried(stored_bot(store, version), SANDBOX, check=partial(check_bot, sandbox=SANDBOX))
    if trial.refusal or trial.waits_for:
        raise Rejected(
            f"{version.label} has not passed the check: {trial.refusal or trial.waits_for}"
        )
    if store.end_probation(version.id):
        return f"{version.label} has passed the check, and new seasons enter it"
    return f"{version.label} has passed the check; it was not on probation"


# Operations on seasons, running or finished.
#
# Each is carried out when no match of the tournament is being played, so it has a definite point
# among the results. The season's schedule is followed first: an impossible operation is
# declined, and stores nothing.


@carries_out("expel")
def expel(store: Store, entry: AuditEntry) -> str:
    """Let a bot leave the season of a tournament that is being played."""
    season = _running(store, str(entry.details["tournament"]))
    version = _entrant(store, season, entry.about)
    what = store.proposed(season, "expel", _reason(entry), version=version.id)
    stored = _stored(store, season, what) or _done(store, season, what)
    return f"{version.label} is expelled from {_label(season)}: {stored.reason}"


@carries_out("admit")
def admit(store: Store, entry: AuditEntry) -> str:
    """Let a bot join the season of a tournament that is being played."""
    season = _running(store, str(entry.details["tournament"]))
    version = store.version(entry.about)
    entrant = Listed(
        version=version.id,
        bot=version.bot,
        number=version.number,
        author=version.author,
        digest=version.digest,
        submitted=utc(version.submitted),
        sits_out="",
    )
    what = store.proposed(season, "admit", _reason(entry), version=version.id, entrant=entrant)
    if _stored(store, season, what) is None:
        _demand_fit(store, season, version)
        try:
            _done(store, season, what)
        except CantAdmit as error:
            raise NotPossible(
                f"{version.label} can't join {_label(season)}: {error};"
                " it can enter the next season"
            ) from error
    return f"{version.label} is admitted to {_label(season)}"


@carries_out("annul")
def annul(store: Store, entry: AuditEntry) -> str:
    """Annul a match, or the whole season where the operation is about "friday/3"."""
    tournament, number, *match = entry.about.split("/")
    key = entry.about if match else None
    try:
        season = _season(store, tournament, MatchKey.parse(key).season if key else int(number))
    except ValueError as error:
        raise NotPossible(str(error)) from error
    what = store.proposed(season, "annul", _reason(entry), key=key)
    if key is not None:
        store.records(key)  # raises `UnknownMatch`
    stored = _stored(store, season, what)
    if season.annulled and not stored:
        raise NotPossible(f"{_label(season)} is annulled as a whole already")
    stored = stored or _done(store, season, what)
    return f"{f'match {key}' if key else _label(season)} is annulled: {stored.reason}"


@carries_out("pause")
def pause(store: Store, entry: AuditEntry) -> str:
    """Begin nothing of a tournament until it is resumed."""
    store.pause(entry.about, _reason(entry))
    return f"{entry.about} is paused: {_reason(entry)}"


@carries_out("resume")
def resume(store: Store, entry: AuditEntry) -> str:
    return f"{entry.about} {'is resumed' if store.resume(entry.about) else 'was not paused'}"


def _stored(store: Store, season: Season, what: Intervention) -> Intervention | None:
    """Return the stored intervention of the same kind on the same bot or match, if there is one."""
    for stored in store.interventions(season.id):
        if (stored.kind, stored.version, stored.key) == (what.kind, what.version, what.key):
            return stored
    return None


def _done(store: Store, season: Season, what: Intervention) -> Intervention:
    """Follow a season until now and apply an intervention; store it with the standings."""
    interventions = store.interventions(season.id)
    everything = [*interventions, what]
    course = Course(everything, store.keys_by_intervention(season.id, everything))
    schedule = schedule_of(store, season, course)
    try:
        course.tell(schedule, store.each_result(season.id))
    except ValueError as error:
        raise NotPossible(str(error)) from error
    drawn = [panel.to_data() for panel in schedule.panels]
    store.refresh_ratings(season.tournament)
    stored = store.intervene(season.id, what, (schedule.standings, drawn))
    store.refresh_ratings(season.tournament)
    return stored


# Several at once, in a shell: all or none.


def demand_all(store: Store, operation: Operation, targets: Sequence[tuple[str, Values]]) -> None:
    """Raise `NotPossible` with the errors of an operation on targets: subjects and values."""
    errors = []
    for subject, values in targets:
        try:
            _demand(store, operation, subject, values, targets)
        except UserError as error:
            errors.append(str(error))
    if errors:
        rest = ["nothing was done: correct these names or leave them out"] * (len(targets) > 1)
        raise NotPossible("\n".join([*dict.fromkeys(errors), *rest]))


def _demand(
    store: Store,
    operation: Operation,
    subject: str,
    values: Values,
    targets: Sequence[tuple[str, Values]],
) -> None:
    """Raise `UserError` for one of several that can't be done beside the others."""
    what, several, number = operation.name, len(targets) > 1, values.get("number")
    if what == "expel":
        _entrant(store, _running(store, subject), values["bot"])
    elif what == "admit":
        if several:  # one alone that was admitted already gets that answer
            _demand_fit(store, _running(store, subject), store.version(values["bot"]))
    elif what in ("activate", "delete"):
        store.version(f"{subject}@{number}" if number else subject)
        numbers = [other.get("number") for name, other in targets if name == subject]
        if what == "activate" and len(numbers) > 1:
            raise NotPossible(f"expected one version of each bot; got several of {subject}")
        if what == "delete" and several:
            _demand_deletable(store, subject, number, numbers)
    elif operation.subject == "bot":
        store.tag(subject, ())  # raises `UnknownBot`, also for one of its versions


def _demand_deletable(
    store: Store, bot: str, number: int | None, numbers: Sequence[int | None]
) -> None:
    """Raise `NotPossible` if a version, or without a number the bot, can't be deleted."""
    numbers_of_bot = {version.number for version in read_bot(store, bot).versions}
    played = ({number} if number else numbers_of_bot) - store.deletable(bot)
    if played:
        raise NotPossible(
            f"{bot} v{min(played)} can't be deleted: it was in a season, and results stay;"
            " withdraw the bot instead"
        )
    if len(numbers) > 1 and (None in numbers or {*numbers} >= numbers_of_bot):
        raise NotPossible(f"{bot} would have no version left: delete the bot itself, once")


def _running(store: Store, tournament: str) -> Season:
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
    seasons = store.seasons(tournament)
    if not seasons:
        raise NotPossible(f"nothing was played of a tournament {tournament[:80]!r}")
    return seasons


def _entrant(store: Store, season: Season, name: str) -> Version:
    """The version of this name that plays in a season; without a number, the bot's only one."""
    playing = [version.version_id for version in store.entrants(season.id) if not version.sits_out]
    versions = store.versions(playing).values()
    bot, _, number = name.partition("@")
    matching = [
        version
        for version in versions
        if version.bot == bot and number in ("", str(version.number))
    ]
    where = _label(season)
    if not matching:
        names = [version.bot for version in versions]
        raise NotPossible(f"{name[:80]} does not play in {where}: {suggestion(name, names)}")
    if len(matching) > 1:
        labels = ", ".join(f"{version.bot}@{version.number}" for version in matching)
        raise NotPossible(f"several versions of {bot} play in {where}: name one of {labels}")
    return matching[0]


def _demand_fit(store: Store, season: Season, version: Version) -> None:
    """Raise `NotPossible` if a version can't play in a season."""
    if version.id in {entrant.version_id for entrant in store.entrants(season.id)}:
        why = "is in its line-up already"
    else:
        why = obstacle_to(store, version, season.settings.game)
    if why:
        raise NotPossible(f"{version.label} can't join {_label(season)}: it {why}")


def _label(season: Season) -> str:
    return f"season {season.number} of {season.tournament}"


def _reason(entry: AuditEntry) -> str:
    return str(entry.details.get("reason", ""))


GLANCE = 2.0
"""Seconds between two looks for operations."""


BREATH = 60.0
"""Seconds after which an operation that failed is tried again."""

RETRIES = 3
"""The number of these retries; then it is declined, as others about the same bot wait."""


class OperationQueue:
    """The operations for the arena at a store, of which its accounts keeps the log.

    `say` hears what was done. Nothing is made where nobody has requested anything yet. Whenever it
    looks for operations, it also copies the standings of seasons that are frozen by then.
    """

    def __init__(self, store: Store, say: Callable[[str], None]) -> None:
        self._store = store
        self._say = say
        self._accounts: AccountStore | None = None
        self._next_glance = 0.0
        self._waiting: list[AuditEntry] = []
        self._busy: frozenset[str] = frozenset()
        self._later: dict[int, float] = {}
        self._failures = defaultdict[int, list[ArenaFailure]](list)

    def close(self) -> None:
        if self._accounts is not None:
            self._accounts.close()

    def has_any(self) -> bool:
        """Whether an operation waits; it is looked up every few seconds."""
        self._glance()
        return bool(self._waiting)

    def failure(self, operation_id: int) -> ArenaFailure | None:
        """Return the failure of the latest attempt to carry an operation out, if there was one."""
        return next(reversed(self._failures.get(operation_id, [])), None)

    def interrupts(self, tournament: str) -> bool:
        """Whether an operation waits for the running matches of this tournament alone.

        One that would have to wait for another tournament's as well interrupts nothing yet: the
        interrupted season would begin again at once.
        """
        others = self._busy - {tournament}
        return any(_interrupted(entry) == tournament for entry in self._ready(others))

    def carry_out(self, busy: Collection[str]) -> None:
        """Carry out what can be while matches of the `busy` tournaments are being played."""
        self._busy = frozenset(busy)
        for entry in self._ready(busy):
            self._carry_out(entry)
            self._next_glance = 0.0

    def _ready(self, busy: Collection[str]) -> Iterator[AuditEntry]:
        """The operations that can be carried out, in the order in which they were given.

        After one that has to wait, those about the same tournament or the same bot wait as well.
        """
        self._glance()
        held: set[str] = set()
        for entry in self._waiting:
            if not (self._rests(entry) or _interrupted(entry) in busy or _concerned(entry) & held):
                yield entry
                if not self._rests(entry):  # it was carried out or declined, not put off
                    continue
            held |= _concerned(entry)

    def _rests(self, entry: AuditEntry) -> bool:
        return time.monotonic() < self._later.get(entry.id, 0.0)

    def _glance(self) -> None:
        """Every few seconds, look which operations wait, and copy standings that are frozen by now.

        Both belong to whoever holds the lease, and have to be done while a season is played and
        while none is; in either case it is asked for operations.
        """
        now = time.monotonic()
        if now < self._next_glance:
            return
        self._next_glance = now + GLANCE
        if self._accounts is None and AccountStore.is_there(self._store.database.address):
            self._accounts = AccountStore(self._store.database.address)
        if self._accounts is not None:
            self._waiting = [*self._accounts.waiting_operations()]
            snapshot_standings(self._store, self._accounts, datetime.now(UTC))

    def _carry_out(self, entry: AuditEntry) -> None:
        """Carry an operation out, decline it, or have it wait."""
        assert self._accounts is not None
        operation, function = OPERATIONS.get(entry.what), CARRIED_OUT.get(entry.what)
        try:
            if operation is None or function is None:  # it was requested by a newer program
                raise NotPossible(f"this arena does not know the operation {entry.what!r}")
            author = entry.details.get("author") if operation.by == "author" else None
            if not self._accounts.may_still(entry.id, author):
                raise NotPossible(f"{entry.person} may not do that any more")
            with suppress(UnknownBot):  # the operation itself reports it
                if author is not None and self._store.version(entry.about).author != author:
                    raise NotPossible(f"{entry.about} is another author's bot")
            answer = function(self._store, entry)
        except (Damaged, LeaseLost, Unusable):
            raise  # it is carried out later
        except ArenaFailure as error:  # such as a sandbox that can't be made now
            self._failures[entry.id].append(error)
            if len(self._failures[entry.id]) <= RETRIES:
                self._later[entry.id] = time.monotonic() + BREATH
                self._say(f"the operation {entry.what} of {entry.about} has to wait: {error}")
            else:
                self._decline(entry, error)
        except (UserError, UnicodeError) as error:
            self._decline(entry, error)
        else:
            self._accounts.answer(entry.id, "done", answer)
            self._say(answer)

    def _decline(self, entry: AuditEntry, reason: Exception) -> None:
        assert self._accounts is not None
        self._accounts.answer(entry.id, "declined", str(reason))
        self._say(f"the operation {entry.what} of {entry.about} is declined: {reason}")


def _concerned(entry: AuditEntry) -> set[str]:
    """The bot and the tournament that an operation is about."""
    return {entry.about, _interrupted(entry)} - {""}


def _interrupted(entry: AuditEntry) -> str:
    """The tournament whose matches end before an operation is carried out, empty if none do."""
    operation = OPERATIONS.get(entry.what)
    interrupts = operation is not None and operation.interrupts
    return str(entry.details.get("tournament", "")) if interrupts else ""
