"""Uploads: added by the site, accepted or rejected by the runner."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from statistics import median
from typing import Any

from sqlalchemy import ColumnElement, Select, func, select, update
from sqlalchemy.orm import Session

from card_arena.accounts.entries import WAITS, CheckedStep, Paste, Quota, State, Team, Upload
from card_arena.accounts.storage.audit_log import note
from card_arena.accounts.storage.limits import quota_of
from card_arena.accounts.storage.models import PasteRow, PersonRow, TeamRow, UploadRow
from card_arena.accounts.submission import Spooled
from card_arena.common.errors import UserError
from card_arena.common.moments import day, written
from card_arena.common.text import storable
from card_arena.leaderboard.models import Page, clamped
from card_arena.results.database import Repository
from card_arena.results.entries import Version
from card_arena.results.pruning import SHORT, Prunable, Pruned, batched

DAY = timedelta(days=1)
LONGEST_NAME = 200
LONGEST_LOG = 64 * 1024
"""Characters of a log that are kept, its last ones."""

MEASURED = 20
"""How many of the last uploads tell how long one takes."""


class NotAccepted(UserError):
    """A file can't be uploaded now; the message says why, and when it can."""


class UploadRepository(Repository):
    """Uploads. The site adds them, and only the runner accepts or rejects them."""

    def add_upload(
        self,
        person_id: int,
        team_id: int,
        filename: str,
        file: Spooled,
        quota: Quota,
        is_there: Callable[[str, int], bool] = lambda *_: True,
    ) -> tuple[Upload, bool]:
        """Add an upload of a file in the spool; return it and whether it is a new one.

        When this returns, the upload is stored, and will be checked. A team's newest file again
        is the same upload and costs nothing, unless it was rejected or its version has gone
        (`is_there`). `quota` is the usual one, which organisers may have changed.
        Raises `NotAccepted`.
        """
        now = datetime.now(UTC)
        with self.database.writing() as session:
            # one after the other in a team, so that its quota can't be exceeded
            session.execute(select(TeamRow.id).where(TeamRow.id == team_id).with_for_update())
            newest = session.scalar(
                select(UploadRow)
                .where(UploadRow.team_id == team_id, UploadRow.sha256 == file.sha256)
                .order_by(UploadRow.id.desc())
                .limit(1)
            )
            if newest is not None and newest.state != "rejected" and _is_newest(session, newest):
                gone = newest.number is not None and not is_there(newest.bot, newest.number)
                if not gone:
                    return _upload(session, newest.id), False
            quota = quota_of(session, team_id, quota, person_id)
            _demand(session, team_id, quota, file.size, now)
            row = UploadRow(
                team_id=team_id,
                person_id=person_id,
                received=now,
                filename=storable(filename[:LONGEST_NAME]),
                file=file.name,
                sha256=file.sha256,
                size=file.size,
                state="waiting",
                changed=now,
                bot="",
                reason="",
                log="",
                remarks="",
                late=quota.deadline is not None and now > quota.deadline,
            )
            session.add(row)
            session.flush()
            late = {"late": True} if row.late else {}
            note(session, person_id, "upload", str(row.id), sha256=file.sha256, **late)
            return _upload(session, row.id), True

    def upload(self, upload_id: int) -> Upload | None:
        """An upload by its number; None if there is none."""
        with self.database.reading() as session:
            row = session.execute(_uploads().where(UploadRow.id == upload_id)).first()
            return None if row is None else _entry(row)

    def is_uploader_suspended(self, upload_id: int) -> bool:
        """Return whether the uploader is suspended."""
        query = (
            select(PersonRow.suspended)
            .join(UploadRow, UploadRow.person_id == PersonRow.id)
            .where(UploadRow.id == upload_id)
        )
        with self.database.reading() as session:
            return session.scalar(query) is not None

    def newest_uploads(self, most: int = 50, *, rejected: bool = False) -> Sequence[Upload]:
        """The newest uploads of all teams, the newest first; only `rejected` ones if so."""
        query = _uploads().order_by(UploadRow.id.desc())
        if rejected:
            query = query.where(UploadRow.state == "rejected")
        with self.database.reading() as session:
            return [_entry(row) for row in session.execute(query.limit(most))]

    def each_upload(self) -> Iterator[Upload]:
        """Iterate over all uploads, oldest first, reading a few hundred at a time."""
        last = 0
        while True:
            query = _uploads().where(UploadRow.id > last).order_by(UploadRow.id).limit(500)
            with self.database.reading() as session:
                found = [_entry(row) for row in session.execute(query)]
            if not found:
                return
            last = found[-1].id
            yield from found

    def bots_of_its_person(self, upload_id: int, versions: Mapping[int, Version]) -> frozenset[str]:
        """The bots among these versions that the person of an upload has brought in, by name."""
        person = select(UploadRow.person_id).where(UploadRow.id == upload_id).scalar_subquery()
        query = _uploads().where(UploadRow.person_id == person, UploadRow.state == "accepted")
        with self.database.reading() as session:
            theirs = [_entry(row) for row in session.execute(query)]
        pairs = ((upload, versions.get(upload.version_id or 0)) for upload in theirs)
        return frozenset(
            version.bot for upload, version in pairs if version and upload.became(version)
        )

    def bots_beside(self, bot: str, versions: Mapping[int, Version]) -> frozenset[str]:
        """The bots among these versions that the person who brought in this one has, by name."""
        own = {number: version for number, version in versions.items() if version.bot == bot}
        query = _uploads().where(UploadRow.version_id.in_(own), UploadRow.state == "accepted")
        with self.database.reading() as session:
            found = [_entry(row) for row in session.execute(query.order_by(UploadRow.id))]
        first = next((each for each in found if each.became(own[each.version_id or 0])), None)
        return frozenset() if first is None else self.bots_of_its_person(first.id, versions)

    def uploads_of(self, team_id: int, most: int = 50) -> Sequence[Upload]:
        """The uploads of a team, newest first."""
        query = _uploads().where(UploadRow.team_id == team_id).order_by(UploadRow.id.desc())
        with self.database.reading() as session:
            return [_entry(row) for row in session.execute(query.limit(most))]

    def uploads_page(
        self, number: int, size: int, teams: Collection[int] | None = None
    ) -> Page[Upload]:
        """A page of the uploads of these teams (None: of all), newest first."""
        chosen = [] if teams is None else [UploadRow.team_id.in_(teams)]
        query = _uploads().where(*chosen).order_by(UploadRow.id.desc())
        with self.database.reading() as session:
            total = session.scalars(select(func.count(UploadRow.id)).where(*chosen)).one()
            number = clamped(number, total, size)
            rows = session.execute(query.limit(size).offset((number - 1) * size))
            return Page(tuple(_entry(row) for row in rows), number, total, size)

    def waiting(self, most: int = 100) -> Sequence[Upload]:
        """The uploads that wait or are being built, oldest first."""
        query = _uploads().where(UploadRow.state.in_(WAITS)).order_by(UploadRow.id)
        with self.database.reading() as session:
            return [_entry(row) for row in session.execute(query.limit(most))]

    def oldest_waiting(self) -> tuple[datetime, datetime] | None:
        """When the oldest waiting upload came, and when last anything was begun or settled.

        The second is the first where nothing was, since. None if nothing waits.
        """
        oldest = select(func.min(UploadRow.received)).where(UploadRow.state.in_(WAITS))
        latest = select(func.max(UploadRow.began), func.max(UploadRow.settled))
        with self.database.reading() as session:
            received = session.scalar(oldest)
            if received is None:
                return None
            moved = [moment for moment in session.execute(latest).one() if moment is not None]
            return received, max(received, *moved) if moved else received

    def with_uploads_ahead(self, upload: Upload) -> Upload:
        """The same upload; while it waits, it knows how many are settled before it."""
        if upload.state != "waiting":
            return upload
        query = select(func.count()).where(UploadRow.state.in_(WAITS), UploadRow.id < upload.id)
        with self.database.reading() as session:
            return upload.model_copy(update={"ahead": session.scalars(query).one()})

    def files(self) -> frozenset[str]:
        """The name of every file in the spool that is still needed."""
        query = select(UploadRow.file).where(UploadRow.state.in_(WAITS))
        with self.database.reading() as session:
            return frozenset(session.scalars(query))

    def time_left(self, upload: Upload) -> timedelta | None:
        """About how long it takes until an upload is settled; None if nobody can say.

        The last uploads tell how long one takes; as many as are being built now go on side by side.
        """
        if not upload.waits:
            return timedelta()
        latest = (
            select(UploadRow.began, UploadRow.settled)
            .where(UploadRow.began.is_not(None), UploadRow.state.in_(("accepted", "rejected")))
            .order_by(UploadRow.id.desc())
            .limit(MEASURED)
        )
        before = select(UploadRow.state).where(UploadRow.state.in_(WAITS), UploadRow.id < upload.id)
        with self.database.reading() as session:
            took = [
                (settled - began).total_seconds()
                for began, settled in session.execute(latest)
                if settled is not None and began is not None
            ]
            states = session.scalars(before).all()
        if not took:
            return None
        usual = timedelta(seconds=median(took))
        if upload.began is not None:
            return max(upload.began + usual - datetime.now(UTC), timedelta())
        return usual * (len(states) / max(1, states.count("building")) + 1)

    def build_began(self, upload_id: int) -> None:
        """Note that an upload is being built."""
        self._set(upload_id, "building", began=datetime.now(UTC), steps=[])

    def note_progress(self, upload_id: int, log: str, steps: Sequence[CheckedStep]) -> None:
        """Store the output of the build and the steps of the check so far."""
        self._set(upload_id, "building", log=log, steps=_plain(steps))

    def accept_upload(
        self,
        upload_id: int,
        version: Version,
        log: str,
        remarks: str,
        steps: Sequence[CheckedStep] = (),
    ) -> None:
        """Note which version an upload has become; what is settled stays as it is."""
        found = {
            "bot": version.bot,
            "number": version.number,
            "version_id": version.id,
            "log": log,
            "remarks": remarks,
        }
        self._set(upload_id, "accepted", **found, steps=_plain(steps))

    def reject_upload(
        self,
        upload_id: int,
        reason: str,
        log: str = "",
        bot: str = "",
        steps: Sequence[CheckedStep] = (),
    ) -> None:
        """Note why an upload became no version; what is settled stays as it is."""
        self._set(upload_id, "rejected", reason=reason, log=log, bot=bot, steps=_plain(steps))

    def _set(self, upload_id: int, state: State, **values: Any) -> None:
        now = datetime.now(UTC)
        texts = {name: storable(v) if isinstance(v, str) else v for name, v in values.items()}
        if "log" in texts:
            texts["log"] = texts["log"][-LONGEST_LOG:]
        settled = None if state in WAITS else now
        with self.database.writing() as session:
            session.execute(
                update(UploadRow)
                .where(UploadRow.id == upload_id, UploadRow.state.in_(WAITS))
                .values(state=state, changed=now, settled=settled, **texts)
            )


def _demand(session: Session, team_id: int, quota: Quota, size: int, now: datetime) -> None:
    """Raise `NotAccepted` unless a team may upload a file of this size now."""
    if quota.deadline is not None and quota.last is not None and now > quota.last:
        ended = written(quota.last, quota.zone, exact=True)
        grace = f", and the grace ended {ended}" if quota.grace else ""
        raise NotAccepted(
            f"the deadline was {written(quota.deadline, quota.zone, exact=True)}{grace}"
        )
    if size > quota.size:
        raise NotAccepted(f"it is larger than {quota.largest}")
    times = session.scalars(
        select(UploadRow.received)
        .where(UploadRow.team_id == team_id, UploadRow.received > now - DAY)
        .order_by(UploadRow.received)
    ).all()
    if len(times) >= quota.a_day:
        when = times[len(times) - quota.a_day] + DAY
        raise NotAccepted(
            f"your team has reached its limit of uploads in 24 hours ({quota.a_day}):"
            f" try again from {written(when, quota.zone)} on"
        )


def _plain(steps: Sequence[CheckedStep]) -> list[dict[str, Any]]:
    return [
        {name: storable(value) if isinstance(value, str) else value for name, value in step.items()}
        for step in (each.model_dump() for each in steps)
    ]


def _is_newest(session: Session, row: UploadRow) -> bool:
    """Whether a team has uploaded nothing since, or nothing for the same bot."""
    later = select(UploadRow.id).where(UploadRow.team_id == row.team_id, UploadRow.id > row.id)
    if row.bot:
        later = later.where(UploadRow.bot.in_((row.bot, "")))
    return session.scalars(later.where(UploadRow.state != "rejected").limit(1)).first() is None


def _uploads() -> Select[UploadRow, str, str]:
    return (
        select(UploadRow, TeamRow.name, PersonRow.name)
        .join(TeamRow, TeamRow.id == UploadRow.team_id)
        .join(PersonRow, PersonRow.id == UploadRow.person_id)
    )


def _upload(session: Session, upload_id: int) -> Upload:
    return _entry(session.execute(_uploads().where(UploadRow.id == upload_id)).one())


def _entry(row: Any) -> Upload:
    upload, team, person = row
    return Upload(
        id=upload.id,
        team=Team(id=upload.team_id, name=team),
        person=person,
        received=upload.received,
        filename=upload.filename,
        file=upload.file,
        sha256=upload.sha256,
        size=upload.size,
        state=upload.state,
        changed=upload.changed,
        bot=upload.bot,
        version=upload.number,
        version_id=upload.version_id,
        reason=upload.reason,
        log=upload.log,
        remarks=upload.remarks,
        began=upload.began,
        steps=upload.steps,
        late=upload.late,
    )


class PasteRepository(Repository):
    """One program a person, which the next one replaces."""

    def keep_paste(self, person_id: int, upload_id: int, paste: Paste) -> None:
        """Remember what somebody pasted, and the upload that it is."""
        row = PasteRow(
            person_id=person_id,
            upload_id=upload_id,
            name=paste.name,
            language=paste.language,
            protocol=paste.protocol,
            games=list(paste.games),
            source=storable(paste.source),
        )
        with self.database.writing() as session:
            session.get(PersonRow, person_id, with_for_update=True)  # one after the other
            session.merge(row)

    def paste(self, person_id: int, upload_id: int) -> Paste | None:
        """What somebody pasted as this upload; None if nothing, or if they pasted again since."""
        with self.database.reading() as session:
            row = session.get(PasteRow, person_id)
            if row is None or row.upload_id != upload_id:
                return None
            return Paste(row.name, row.language, row.protocol, tuple(row.games), row.source)


class UploadPruneRepository(Repository):
    """Pruning of uploads."""

    def prunable_upload_logs(self, before: datetime) -> Prunable:
        """The logs of uploads that were settled before a moment, where they are not short."""
        query = select(func.count(), func.coalesce(func.sum(func.length(UploadRow.log)), 0))
        with self.database.reading() as session:
            return Prunable(*session.execute(query.where(*_prunable(before))).one())

    def prune_upload_logs(self, before: datetime) -> Pruned:
        """Replace these logs by a sentence; the state of an upload stays."""
        sentence = f"(pruned on {day(datetime.now(UTC))})\n"
        found = self.prunable_upload_logs(before)
        with self.database.reading() as session:
            keys = session.scalars(select(UploadRow.id).where(*_prunable(before))).all()
        for some in batched(keys):
            with self.database.writing() as session:
                session.execute(
                    update(UploadRow)
                    .where(UploadRow.id.in_(some), *_prunable(before))
                    .values(log=sentence)
                )
        return Pruned(found.pieces, found.size - found.pieces * len(sentence))


def _prunable(before: datetime) -> tuple[ColumnElement[bool], ...]:
    return (
        UploadRow.changed < before,
        UploadRow.state.not_in(WAITS),
        func.length(UploadRow.log) > SHORT,
    )
