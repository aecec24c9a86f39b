"""Checks of a running arena for `arena doctor`: programs, seasons, faults, certificate, disks."""

from __future__ import annotations

import json
import os
import socket
import ssl
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from statistics import StatisticsError, linear_regression
from typing import TypeAlias
from urllib.parse import urlsplit

from pydantic import TypeAdapter, ValidationError

from card_arena.accounts.storage.account_store import AccountStore
from card_arena.commands.arena_file import arena_zone
from card_arena.commands.deployment import Deployment, Finding, free_room, is_loopback
from card_arena.common.moments import written
from card_arena.leaderboard.seasons import FaultShares, fault_shares, progress
from card_arena.results.database import place_beside
from card_arena.results.errors import StoreError, Waits
from card_arena.results.matches import UNWANTED
from card_arena.results.services import DONE, STARTS, STOPPED, Service, services
from card_arena.results.store import Store

EVERY = timedelta(hours=1)
"""The time between two samples."""

LOOKED_AT = timedelta(days=7)
"""How far back samples are kept and looked at."""

ENOUGH = timedelta(days=1)
"""The time that samples must span before growth is computed."""

DAY = 86_400.0

Samples: TypeAlias = dict[str, list[tuple[datetime, int]]]
"""By a folder on each disk: times, and the bytes that were free."""

_READ = TypeAdapter(Samples)


def samples_file(url: str) -> Path:
    """The file with the samples of an arena, beside its database."""
    return place_beside(url, "disk.json")


def read_samples(file: Path) -> Samples:
    """The stored samples; empty if the file is missing or can't be read."""
    with suppress(OSError, ValidationError):
        return _READ.validate_json(file.read_bytes())
    return {}


def take_sample(file: Path, free: Mapping[Path, int], now: datetime) -> None:
    """Store the free room of each disk, once an hour; not on a full disk."""
    samples = read_samples(file)
    latest = [past[-1][0] for folder in free if (past := samples.get(str(folder)))]
    if len(latest) == len(free) and all(now - time < EVERY for time in latest):
        return
    for folder, size in free.items():
        past = samples.get(str(folder), [])
        samples[str(folder)] = [item for item in past if now - item[0] <= LOOKED_AT] + [(now, size)]
    with suppress(OSError):
        new = file.with_name(f"{file.name}.new")
        new.write_text(json.dumps(_READ.dump_python(samples, mode="json")))
        new.replace(file)


def daily_growth(samples: list[tuple[datetime, int]], now: datetime) -> float | None:
    """The bytes a day by which the free room shrinks, or None with too few samples."""
    latest = [(moment, free) for moment, free in samples if now - moment <= LOOKED_AT]
    if not latest or latest[-1][0] - latest[0][0] < ENOUGH:
        return None
    days = [(moment - latest[0][0]).total_seconds() / DAY for moment, _ in latest]
    with suppress(StatisticsError):
        return -linear_regression(days, [free for _, free in latest]).slope
    return None


QUIET = timedelta(seconds=30)
"""A program without a heartbeat, or a main loop without a turn, for this time is a problem."""

START = timedelta(minutes=5)
"""How long the first turn of the main loop may take."""

RESTARTS = timedelta(minutes=10)
"""A program that was started `STARTS` times in this time keeps ending."""

FIRST_MATCH = timedelta(minutes=10)
"""How long it may take until the first match of a season is stored: its bots are built before."""

SOME_MATCH = timedelta(minutes=5)
"""How long no match may be stored where the length of matches is unknown, or uploads are built
beside them."""

NEXT_MATCH = timedelta(seconds=35)
LONGER = 3
"""Else no match may be stored for this time, or for so many times that of the longest match."""

KNOWN = 100
"""The number of matches from which on their length is known."""

UPLOADS = timedelta(minutes=10)
"""How long uploads may wait while none is begun and none is settled."""

FAULTS_SINCE = timedelta(days=1)
"""Only faults in matches of this time count."""

ENOUGH_SEATS = 50
MORE = 0.1
TIMES = 1.5
"""With so many seats, faults rise if their share is more than this and so many times that of
before: more than 10% where there were none, more than 55% where it was 30%."""

VOID = 0.1
ENOUGH_VOID = 5
"""The share of attempts that may be void, and the number from which on the share is looked at."""

CERTIFICATE = timedelta(days=14)
"""How long the certificate has to be good; certbot renews it thirty days before its end."""

FULL = timedelta(days=14)
"""A disk that will be full sooner is a problem."""

PATIENCE = 5.0
"""Seconds that a server has for its answer."""

WAITS = Waits(read=2.0)
"""How long a database that is locked is waited for."""

LOGS = {
    "run": "journalctl -u card-arena-play -n 50",
    "serve": "journalctl -u card-arena-site -n 50",
}
UNITS = {"card-arena-play.service": "run", "card-arena-site.service": "serve"}

_NEVER = datetime.min.replace(tzinfo=UTC)


def health(
    arena: Deployment, raised: dict[str, datetime] | None = None, failed: str = ""
) -> list[Finding]:
    """Check a running arena.

    `raised` are the checks with an alarm, and when it was raised: a program has to be seen again
    before its alarm is over. `failed` is the systemd unit that has just failed, if one has. If the
    database can't be read, checks that need it have no findings.
    """
    findings = [*_growth(arena), *_certificate(arena)]
    programs: dict[str, Service] = {}
    # the check of the database reports its errors
    with suppress(StoreError), closing(Store(arena.url, WAITS, read_only=True)) as store:
        programs.update(services(store.database))
        run = programs.get("run")
        findings += [*_run(run, raised or {}, failed), *_playing(store, run)]
        latest = datetime.now(UTC) - FAULTS_SINCE
        findings.append(faults(fault_shares(store, latest, [UNWANTED])))
    findings += _serve(arena, programs.get("serve"), failed)
    with suppress(StoreError):
        findings += _uploads(arena)
    return findings


def _run(service: Service | None, raised: dict[str, datetime], failed: str) -> Iterator[Finding]:
    if UNITS.get(failed) == "run":
        yield Finding("run", False, f"the unit {failed} has failed{_result()}", LOGS["run"])
        return
    if service is None:
        yield Finding("run", False, "`arena run` has never run with this database", LOGS["run"])
        return
    problem = _problem(service, raised.get("run", _NEVER))
    if problem:
        yield Finding("run", False, f"`arena run` {problem}", LOGS["run"])
    elif service.ended == DONE:
        yield Finding("run", True, "`arena run` has ended: no season is scheduled any more")
    else:
        yield Finding("run", True, f"`arena run` is running (process {service.pid})")


def _problem(service: Service, raised: datetime) -> str:
    """The problem of a program in words, or an empty text."""
    if service.ended == DONE:
        return ""
    seen = written(service.seen, arena_zone(), exact=True)
    process = f"process {service.pid} on {service.host}"
    if service.quiet > QUIET or service.seen <= raised:
        if service.ended == STOPPED:
            return f"was stopped at {seen}"
        if service.ended:
            return f"ended with an error at {seen}"
        if service.gone:
            return f"was last seen at {seen}, and {process} is gone"
        why = "it is stopped, or can't write to the database"
        return f"was last seen at {seen}, and {process} notes nothing: {why}"
    now = service.seen + service.quiet
    starts = service.starts[-STARTS:]
    if len(starts) == STARTS and now - starts[0] < RESTARTS:
        since = written(starts[0], arena_zone())
        return f"keeps ending: it was started {STARTS} times since {since}"
    waited, limit = (now - starts[-1], START) if service.stuck is None else (service.stuck, QUIET)
    if waited > limit:
        return f"stands still: {process} lives, but has done nothing for {_spoken(waited)}"
    return ""


def _playing(store: Store, service: Service | None) -> Iterator[Finding]:
    """Find seasons without new matches, and tournaments that can't be played."""
    if service is None or service.ended:
        return
    fine = True
    for name, why in service.troubles.items():
        fine = False
        yield Finding(f"playing {name}", False, f"it could not be played: {why}", LOGS["run"])
    now = datetime.now(UTC)
    seasons = {name: progress(store, name) for name in service.playing}
    longest = max((season.longest for season in seasons.values() if season), default=0.0)
    for name, season in seasons.items():
        if season is None:  # uploads
            continue
        since, limit = service.playing[name], FIRST_MATCH
        if season.stored is not None and season.stored > since:
            usual = season.matches >= KNOWN and None not in seasons.values()
            since = season.stored
            least = NEXT_MATCH if usual else SOME_MATCH
            limit = max(least, LONGER * timedelta(seconds=longest))
        if now - since > limit:
            fine = False
            sentence = f"no match has been stored for {_spoken(now - since)}"
            fix = f"{LOGS['run']}; systemctl restart card-arena-play"
            yield Finding(f"playing {name}", False, sentence, fix)
    if fine:
        count = sum(season is not None for season in seasons.values())
        sentence = f"{count} {'season is' if count == 1 else 'seasons are'} being played"
        yield Finding("playing", True, sentence)


def _serve(arena: Deployment, service: Service | None, failed: str) -> Iterator[Finding]:
    """Request the first page; for a site on another machine, check its last heartbeat."""
    if UNITS.get(failed) == "serve":
        yield Finding("serve", False, f"the unit {failed} has failed{_result()}", LOGS["serve"])
        return
    if service is None and arena.settings.public is None:
        return
    host, port = arena.settings.host or "127.0.0.1", arena.settings.port or 8000
    if service and service.host != socket.gethostname() and is_loopback(host):
        fine = service.quiet <= QUIET and not service.ended
        seen = f"{service.host}, last seen at {written(service.seen, arena_zone(), exact=True)}"
        yield Finding("serve", fine, f"the site is on {seen}", "" if fine else LOGS["serve"])
        return
    name = "127.0.0.1" if host in ("", "0.0.0.0") else host
    site_text = f"the site at http://{name}:{port}"
    try:
        with closing(HTTPConnection(name, port, timeout=PATIENCE)) as site:
            site.request("GET", "/")
            status = site.getresponse().status
    except (OSError, HTTPException) as error:
        why = _reason(error)
        yield Finding("serve", False, f"{site_text} does not answer: {why}", LOGS["serve"])
        return
    if status >= 500:
        yield Finding(
            "serve", False, f"{site_text} answers with an error ({status})", LOGS["serve"]
        )
    else:
        yield Finding("serve", True, f"{site_text} answers")


def _uploads(arena: Deployment) -> Iterator[Finding]:
    if arena.settings.accounts is None or not AccountStore.is_there(arena.url):
        return
    with closing(AccountStore(arena.url, WAITS, read_only=True)) as accounts:
        oldest = accounts.oldest_waiting()
    if oldest is None:
        yield Finding("uploads", True, "no upload waits")
        return
    received, moved = oldest
    waiting = f"an upload has waited since {written(received, arena_zone())}"
    if datetime.now(UTC) - moved <= UPLOADS:
        yield Finding("uploads", True, waiting)
    else:
        since = f"none was begun or settled since {written(moved, arena_zone())}"
        yield Finding("uploads", False, f"{waiting}, and {since}", LOGS["run"])


def faults(shares: FaultShares) -> Finding:
    """Check the share of void attempts, and the share of faults against earlier matches."""
    attempts = shares.matches + shares.void
    if shares.void >= ENOUGH_VOID and shares.void / attempts > VOID:
        sentence = (
            f"{shares.void} of the last {attempts} attempts at matches were void: not by bots"
        )
        return Finding(
            "faults", False, sentence, f"{LOGS['run']}; `arena ledger show NAME` has the reasons"
        )
    share = shares.faulty / max(1, shares.seats)
    before = shares.expected / max(1, shares.seats)
    sentence = f"of the bots' seats in the last {shares.matches} matches {share:.0%} had faults"
    if shares.seats >= ENOUGH_SEATS and share > MORE + TIMES * before:
        return Finding(
            "faults",
            False,
            f"{sentence}; the same bots had them in {before:.0%} before",
            "look at the faults on the pages of bots; many timeouts may come from this machine",
        )
    if shares.seats:
        return Finding("faults", True, f"{sentence}, about as before ({before:.0%})")
    return Finding("faults", True, "no matches in the last day to compare with those before")


def _certificate(arena: Deployment) -> Iterator[Finding]:
    parts = urlsplit(arena.settings.public or "")
    if parts.scheme != "https" or not parts.hostname:
        return
    host, site = parts.hostname, f"https://{parts.netloc}"
    fix = "certbot renew; systemctl status nginx certbot.timer"
    try:
        with (
            socket.create_connection((host, parts.port or 443), PATIENCE) as line,
            ssl.create_default_context().wrap_socket(line, server_hostname=host) as secure,
        ):
            ends = ssl.cert_time_to_seconds(str((secure.getpeercert() or {})["notAfter"]))
    except ssl.SSLCertVerificationError as error:
        sentence = f"the certificate of {site} is not trusted: {error.verify_message}"
        yield Finding("certificate", False, sentence, fix)
        return
    except OSError as error:
        sentence = f"{site} can't be reached from this machine: {_reason(error)}"
        yield Finding("certificate", False, sentence, fix)
        return
    end = datetime.fromtimestamp(ends, UTC)
    fine = end - datetime.now(UTC) > CERTIFICATE
    sentence = f"the certificate of {site} ends {written(end, arena_zone())}"
    yield Finding("certificate", fine, sentence, "" if fine else fix)


def _growth(arena: Deployment) -> Iterator[Finding]:
    samples, now = read_samples(samples_file(arena.url)), datetime.now(UTC)
    for folder, free in free_room(arena).items():
        growth = daily_growth(samples.get(str(folder), []), now)
        if growth is None:
            continue
        if growth <= 0:
            yield Finding(f"disk {folder}", True, "its free room does not shrink")
            continue
        sentence = f"{growth / 2**30:,.2f} GiB more are used each day"
        left = timedelta(days=min(free / growth, 36_500))
        fine = left > FULL
        if left < timedelta(days=3650):
            sentence += f": it is full on {written(now + left, arena_zone())}"
        fix = "" if fine else "`arena db prune`, or a larger disk"
        yield Finding(f"disk {folder}", fine, sentence, fix)


def _result() -> str:
    """The result of the failed unit for which systemd has started this program."""
    result, status = os.environ.get("MONITOR_SERVICE_RESULT"), os.environ.get("MONITOR_EXIT_STATUS")
    return f" ({result}, exit status {status})" if result else ""


def _spoken(time: timedelta) -> str:
    seconds = round(time.total_seconds())
    return f"{seconds} s" if seconds < 120 else f"{seconds // 60} min"


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error) or type(error).__name__
