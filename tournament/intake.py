"""Checks uploads and stores them as versions, one upload of a team after the other.

Each upload ends as a version or with the reason of its rejection. The upload's row is updated after
the version is stored: if the arena is killed in between, the same files give the same version.
"""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Lock

from card_arena.accounts.administration import too_many_bots
from card_arena.accounts.entries import CheckedStep, Quota, Upload
from card_arena.accounts.ownership import author_for
from card_arena.accounts.storage.account_store import AccountStore
from card_arena.accounts.storage.people import BadAccount
from card_arena.accounts.submission import Spool
from card_arena.leaderboard.bots import bots_playing_for, versions_of_author
from card_arena.results.bots import NameTaken
from card_arena.results.entries import Submission
from card_arena.results.store import Store
from card_arena.sandbox.bundles.bundle import BadBundle, Bundle
from card_arena.sandbox.check import CheckStep
from card_arena.sandbox.limits import LARGEST_BUNDLE
from card_arena.tournament.play.lineup import UNTRIED
from card_arena.tournament.play.match import RETRIES, sandbox_stands
from card_arena.tournament.play.pool import FairQueue, Pool
from card_arena.tournament.play.steps import Steps, outcome
from card_arena.tournament.submissions import (
    SANDBOX,
    WITH_REMARKS,
    Trial,
    check_bot,
    described,
    known,
    tried,
)
from card_arena.tournament.submissions import stored as take_as_tried

# A worker's progress while it builds and checks an upload, in a file that the runner reads.
#
# A worker on another machine has no such file: its log and steps come with its answer.


LONGEST_LOG = 64 * 1024
"""The most characters of a log; the last ones are kept."""

LONGEST_DETAIL = 2_000
LONGEST_OUTPUT = 16 * 1024


class Progress:
    """The worker's progress so far, written to a file if there is a folder for it.

    A log may come from another thread than the steps. The file is always complete.
    """

    def __init__(self, path: Path | None) -> None:
        self.steps: list[CheckedStep] = []
        self._path = path
        self._log = ""
        self._lock = Lock()

    def hear(self, log: str) -> None:
        self._log = log[-LONGEST_LOG:]
        self._write()

    def watch(self, game: str, step: CheckStep) -> None:
        """Note a step of the check, with its output if it failed."""
        if not step.reached:
            return
        output = "" if step.passed else step.output[:LONGEST_OUTPUT]
        detail = step.detail[:LONGEST_DETAIL]
        self.steps.append(
            CheckedStep(
                game=game,
                number=step.number,
                title=step.title,
                passed=step.passed,
                detail=detail,
                output=output,
            )
        )
        self._write()

    def _write(self) -> None:
        if self._path is None:
            return
        with self._lock, suppress(OSError):  # progress is optional
            new = self._path.with_name(f"{self._path.name}.new")
            data = {"log": self._log, "steps": [step.model_dump() for step in self.steps]}
            descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(descriptor, "w") as file:
                json.dump(data, file)
            new.replace(self._path)


def read_progress(path: Path) -> tuple[str, list[CheckedStep]] | None:
    """Read a worker's log and steps so far; None if it has written nothing yet."""
    try:
        data = json.loads(path.read_bytes())
        return str(data["log"]), [CheckedStep(**step) for step in data["steps"]]
    except FileNotFoundError:
        return None


QUEUE = "new uploads"
"""Its share of the workers is that of one tournament, none of which can have this name."""

SUSPENDED = "the account of its uploader is suspended"

SWEEP_EVERY = 86_400.0
"""Seconds between two clean-ups of the spool."""

LOOK_EVERY = 1.0
"""Seconds between two readings of the progress of uploads."""


@dataclass(frozen=True, slots=True)
class CheckedUpload:
    """A checked upload, with the submission to store unless it was rejected."""

    trial: Trial
    submission: Submission | None = None
    steps: Sequence[CheckedStep] = ()


def check_upload(archive: bytes, sandbox: str, progress_file: Path | None = None) -> CheckedUpload:
    """Read, build and check an upload in a worker, which writes its progress to a file.

    Raises the exceptions of a sandbox that fails.
    """
    try:
        bundle = known(Bundle.from_archive(archive, LARGEST_BUNDLE))
        if Bundle.from_archive(bundle.archive()).digest != bundle.digest:
            raise BadBundle("packed and unpacked again it is another bundle.")
    except BadBundle as error:
        return CheckedUpload(Trial(refusal=str(error)))
    progress = Progress(progress_file if progress_file and progress_file.parent.is_dir() else None)
    progress.hear("")
    check = partial(check_bot, sandbox=sandbox, watch=progress.watch)
    trial = tried(bundle, sandbox, check=check, hear=progress.hear)
    return CheckedUpload(trial, described(bundle), progress.steps)


class Intake:
    """Checks and accepts uploads for a runner; `say` gets sentences for the organiser."""

    def __init__(
        self,
        store: Store,
        accounts: AccountStore,
        spool: Spool,
        say: Callable[[str], None],
        sandbox: str = SANDBOX,
        usual: Quota | None = None,
    ) -> None:
        self._store = store
        self._accounts = accounts
        self._spool = spool
        self._say = say
        self._sandbox = sandbox
        self._usual = usual or Quota()
        self._failures: Counter[int] = Counter()
        self._under_way: dict[int, tuple[Upload, Future[CheckedUpload]]] = {}
        self._passed_on: dict[int, object] = {}
        self._next_look = 0.0
        self._next_sweep = 0.0
        self._sweep()

    @property
    def is_wanted(self) -> bool:
        return bool(self._accounts.waiting(1))

    def take_all(self, pool: Pool) -> Steps[int]:
        """Settle all waiting uploads, and those that come meanwhile; return their number.

        A team's uploads are settled in their order, those of different teams at the same time.
        Raises the exception of a check if no sandbox works here; the upload then waits to be
        checked again.
        """
        self._sweep()
        settled = 0
        under_way = self._under_way
        under_way.clear()
        with pool.queue(QUEUE) as queue:
            while True:
                for upload in self._next(under_way, queue.in_hand):
                    if future := self._begun(queue, upload):
                        under_way[upload.team.id] = upload, future
                if not under_way:
                    return settled
                yield [future for _, future in under_way.values()]
                for team, (upload, future) in [*under_way.items()]:
                    if future.done():
                        del under_way[team]
                        settled += yield from self._settled(queue, upload, future)

    def _sweep(self) -> None:
        """Remove orphaned files once a day: a site may be killed between a file and its row."""
        if (now := time.monotonic()) >= self._next_sweep:
            self._next_sweep = now + SWEEP_EVERY
            self._spool.sweep(self._accounts.files())

    def _next(self, under_way: Collection[int], most: int) -> Iterator[Upload]:
        """Yield the first upload of each team without a running check."""
        teams = {*under_way}
        for upload in self._accounts.waiting():
            if len(teams) == most:
                return
            if upload.team.id not in teams:
                teams.add(upload.team.id)
                yield upload

    def _begun(self, queue: FairQueue, upload: Upload) -> Future[CheckedUpload] | None:
        """Start an upload's check; None if it is rejected at once."""
        if self._accounts.is_uploader_suspended(upload.id):
            self._refuse(upload, SUSPENDED)
            return None
        archive = self._spool.read(upload.file)
        if archive is None:  # somebody has removed it by hand
            self._refuse(upload, "its file is no longer in the arena's spool: upload it again")
            self._say(f"upload {upload.id} of {upload.team.name} has lost its file")
            return None
        self._accounts.build_began(upload.id)
        progress_file = self._spool.progress(upload.file)
        last = self._failures[upload.id] >= RETRIES  # in which no other bot can make it fail
        return queue.submit(check_upload, archive, self._sandbox, progress_file, alone=last)

    def pass_on(self) -> None:
        if (now := time.monotonic()) < self._next_look:
            return
        self._next_look = now + LOOK_EVERY
        for upload, _ in [*self._under_way.values()]:
            progress = read_progress(self._spool.progress(upload.file))
            if progress is not None and progress != self._passed_on.get(upload.id):
                self._passed_on[upload.id] = progress
                self._accounts.note_progress(upload.id, *progress)

    def _settled(
        self, queue: FairQueue, upload: Upload, future: Future[CheckedUpload]
    ) -> Steps[bool]:
        """Settle a checked upload; False if it has to be checked again."""
        try:
            checked = future.result()
        except Exception as error:
            self._failures[upload.id] += 1
            if self._failures[upload.id] <= RETRIES:
                return False
            if not (yield from outcome(queue.submit(sandbox_stands, self._sandbox, alone=True))):
                del self._failures[upload.id]
                raise error from None
            self._refuse(upload, f"{UNTRIED}: {error}")
            return True
        self._passed_on.pop(upload.id, None)
        self._settle(upload, checked)
        return True

    def _settle(self, upload: Upload, checked: CheckedUpload) -> None:
        trial, submission = checked.trial, checked.submission
        bot = submission.name if submission else ""
        reason, log = trial.refusal, trial.log
        if reason and trial.shown != log:
            log = f"{log}\n{trial.shown}".strip()
        reason = reason or self._too_many(upload, bot)
        if not reason and self._accounts.is_uploader_suspended(upload.id):  # since it was begun
            reason = SUSPENDED
        if submission is not None and not reason:
            try:
                author = author_for(self._accounts, self._store, upload.team)
                version, _ = take_as_tried(self._store, submission, trial, author)
            except NameTaken:
                reason = f"the name {bot} belongs to another team: choose another name for your bot"
            except BadAccount as error:
                reason = str(error)
        if reason:
            self._refuse(upload, reason, log, bot, checked.steps)
            return
        waits = f"it sits out until this machine has what it needs: {trial.waits_for}"
        notes = f"{WITH_REMARKS}\n{trial.remarks}"
        remarks = "\n".join([waits] * bool(trial.waits_for) + [notes] * bool(trial.remarks))
        self._accounts.accept_upload(upload.id, version, trial.log, remarks, checked.steps)
        self._spool.remove(upload.file)
        self._say(f"{version.label} of {upload.team.name} is accepted")

    def _too_many(self, upload: Upload, bot: str) -> str:
        """Return why a team may submit no other bot; empty if it may, or has this bot."""
        quota = self._accounts.quota(upload.team.id, self._usual)
        author = self._accounts.author_of(upload.team.id)
        active = bots_playing_for(self._store, author) if author else frozenset()
        versions = versions_of_author(self._store, author) if author else {}
        own = self._accounts.bots_of_its_person(upload.id, versions) & active
        reason = "" if bot in active else too_many_bots(active, own, quota)
        return reason and f"{reason} Withdraw one first, or upload a new version."

    def _refuse(
        self,
        upload: Upload,
        reason: str,
        log: str = "",
        bot: str = "",
        steps: Sequence[CheckedStep] = (),
    ) -> None:
        self._accounts.reject_upload(upload.id, reason, log, bot, steps)
        self._spool.remove(upload.file)
