"""What `arena doctor` finds out about an arena that runs: what stands still, fails or runs out."""

from __future__ import annotations

import os
import socket
import ssl
from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from http.client import HTTPConnection, HTTPException
from urllib.parse import urlsplit

from accounts.storage.account_store import AccountStore
from commands.arena_file import arena_zone
from commands.deployment import Deployment, Finding, free_room, is_loopback
from commands.disk_growth import daily_growth, read_samples, samples_file
from common.moments import written
from leaderboard.seasons import FaultShares, fault_shares, progress
from results.errors import StoreError, Waits
from results.matches import UNWANTED
from results.services import DONE, STARTS, STOPPED, Service, services
from results.store import Store

QUIET = timedelta(seconds=30)
"""How long a program may note nothing, or its main loop not come round, before it is amiss."""

START = timedelta(minutes=5)
"""How long the main loop may take until it comes round for the first time."""

RESTARTS = timedelta(minutes=10)
"""A program that was started `STARTS` times in this time keeps ending."""

FIRST_MATCH = timedelta(minutes=10)
"""How long it may take until the first match of a season is stored: its bots are built before."""

SOME_MATCH = timedelta(minutes=5)
"""How long no match may be stored where it isn't known how long matches take, or uploads are built
beside them."""

NEXT_MATCH = timedelta(seconds=35)
LONGER = 3
"""Else no match may be stored for this time, or for so many times that of the longest match."""

KNOWN = 100
"""From so many matches on it is known how long those of a season take."""

UPLOADS = timedelta(minutes=10)
"""How long uploads may wait while none is begun and none is settled."""

FAULTS_SINCE = timedelta(days=1)
"""Faults in matches of before this time are of no interest any more."""

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
"""A disk that will be full sooner is amiss."""

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
    arena: Deployment, told: dict[str, datetime] | None = None, failed: str = ""
) -> list[Finding]:
    """Examine whether an arena does what it should.

    `told` are the checks of which an alarm was raised, and when: a program has to be seen again
    before its alarm is over. `failed` is the systemd unit that has just failed, if one has. Where
    the database can't be read, what stands in it is not among the findings.
    """
    found = [*_growth(arena), *_certificate(arena)]
    known: dict[str, Service] = {}
    # the check of the database says what is the matter with it
    with suppress(StoreError), closing(Store(arena.url, WAITS, read_only=True)) as store:
        known.update(services(store.database))
        run = known.get("run")
        found += [*_run(run, told or {}, failed), *_playing(store, run)]
        latest = datetime.now(UTC) - FAULTS_SINCE
        found.append(faults(fault_shares(store, latest, [UNWANTED])))
    found += _serve(arena, known.get("serve"), failed)
    with suppress(StoreError):
        found += _uploads(arena)
    return found


def _run(service: Service | None, told: dict[str, datetime], failed: str) -> Iterator[Finding]:
    if UNITS.get(failed) == "run":
        yield Finding("run", False, f"the unit {failed} has failed{_result()}", LOGS["run"])
        return
    if service is None:
        yield Finding("run", False, "`arena run` has never run with this database", LOGS["run"])
        return
    amiss = _why_amiss(service, told.get("run", _NEVER))
    if amiss:
        yield Finding("run", False, f"`arena run` {amiss}", LOGS["run"])
    elif service.ended == DONE:
        yield Finding("run", True, "`arena run` has ended: no season is scheduled any more")
    else:
        yield Finding("run", True, f"`arena run` is running (process {service.pid})")


def _why_amiss(service: Service, told: datetime) -> str:
    """Say what is the matter with a program; empty if nothing is."""
    if service.ended == DONE:
        return ""
    seen = written(service.seen, arena_zone(), exact=True)
    process = f"process {service.pid} on {service.host}"
    if service.quiet > QUIET or service.seen <= told:
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
    """Look for seasons that are played without any match coming back, or that can't be played."""
    if service is None or service.ended:
        return
    good = True
    for name, why in service.troubles.items():
        good = False
        yield Finding(f"playing {name}", False, f"it could not be played: {why}", LOGS["run"])
    now = datetime.now(UTC)
    seasons = {name: progress(store, name) for name in service.playing}
    longest = max((season.longest for season in seasons.values() if season), default=0.0)
    for name, season in seasons.items():
        if season is None:  # uploads
            continue
        since, limit = service.playing[name], FIRST_MATCH
        if season.stored is not None and season.stored > since:
            known = season.matches >= KNOWN and None not in seasons.values()
            since = season.stored
            least = NEXT_MATCH if known else SOME_MATCH
            limit = max(least, LONGER * timedelta(seconds=longest))
        if now - since > limit:
            good = False
            said = f"no match has been stored for {_spoken(now - since)}"
            fix = f"{LOGS['run']}; systemctl restart card-arena-play"
            yield Finding(f"playing {name}", False, said, fix)
    if good:
        count = sum(season is not None for season in seasons.values())
        said = f"{count} {'season is' if count == 1 else 'seasons are'} being played"
        yield Finding("playing", True, said)


def _serve(arena: Deployment, service: Service | None, failed: str) -> Iterator[Finding]:
    """Ask the site for its first page; of one on another machine, look when it was last seen."""
    if UNITS.get(failed) == "serve":
        yield Finding("serve", False, f"the unit {failed} has failed{_result()}", LOGS["serve"])
        return
    if service is None and arena.settings.public is None:
        return
    host, port = arena.settings.host or "127.0.0.1", arena.settings.port or 8000
    if service and service.host != socket.gethostname() and is_loopback(host):
        good = service.quiet <= QUIET and not service.ended
        seen = f"{service.host}, last seen at {written(service.seen, arena_zone(), exact=True)}"
        yield Finding("serve", good, f"the site is on {seen}", "" if good else LOGS["serve"])
        return
    name = "127.0.0.1" if host in ("", "0.0.0.0") else host
    said = f"the site at http://{name}:{port}"
    try:
        with closing(HTTPConnection(name, port, timeout=PATIENCE)) as site:
            site.request("GET", "/")
            status = site.getresponse().status
    except (OSError, HTTPException) as error:
        why = _reason(error)
        yield Finding("serve", False, f"{said} does not answer: {why}", LOGS["serve"])
        return
    if status >= 500:
        yield Finding("serve", False, f"{said} answers with an error ({status})", LOGS["serve"])
    else:
        yield Finding("serve", True, f"{said} answers")


def _uploads(arena: Deployment) -> Iterator[Finding]:
    if arena.settings.accounts is None or not AccountStore.is_there(arena.url):
        return
    with closing(AccountStore(arena.url, WAITS, read_only=True)) as accounts:
        oldest = accounts.oldest_waiting()
    if oldest is None:
        yield Finding("uploads", True, "no upload waits")
        return
    received, moved = oldest
    said = f"an upload has waited since {written(received, arena_zone())}"
    if datetime.now(UTC) - moved <= UPLOADS:
        yield Finding("uploads", True, said)
    else:
        since = f"none was begun or settled since {written(moved, arena_zone())}"
        yield Finding("uploads", False, f"{said}, and {since}", LOGS["run"])


def faults(shares: FaultShares) -> Finding:
    """Judge how often attempts were void, and how much more often bots had faults than before."""
    attempts = shares.matches + shares.void
    if shares.void >= ENOUGH_VOID and shares.void / attempts > VOID:
        said = f"{shares.void} of the last {attempts} attempts at matches were void: not by bots"
        return Finding(
            "faults", False, said, f"{LOGS['run']}; `arena ledger show NAME` has the reasons"
        )
    share = shares.faulty / max(1, shares.seats)
    before = shares.expected / max(1, shares.seats)
    said = f"of the bots' seats in the last {shares.matches} matches {share:.0%} had faults"
    if shares.seats >= ENOUGH_SEATS and share > MORE + TIMES * before:
        return Finding(
            "faults",
            False,
            f"{said}; the same bots had them in {before:.0%} before",
            "look at what they are on the pages of bots; many timeouts may come from this machine",
        )
    if shares.seats:
        return Finding("faults", True, f"{said}, about as before ({before:.0%})")
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
        said = f"the certificate of {site} is not trusted: {error.verify_message}"
        yield Finding("certificate", False, said, fix)
        return
    except OSError as error:
        said = f"{site} can't be reached from this machine: {_reason(error)}"
        yield Finding("certificate", False, said, fix)
        return
    end = datetime.fromtimestamp(ends, UTC)
    good = end - datetime.now(UTC) > CERTIFICATE
    said = f"the certificate of {site} ends {written(end, arena_zone())}"
    yield Finding("certificate", good, said, "" if good else fix)


def _growth(arena: Deployment) -> Iterator[Finding]:
    kept, now = read_samples(samples_file(arena.url)), datetime.now(UTC)
    for folder, free in free_room(arena).items():
        growth = daily_growth(kept.get(str(folder), []), now)
        if growth is None:
            continue
        if growth <= 0:
            yield Finding(f"disk {folder}", True, "its free room does not shrink")
            continue
        said = f"{growth / 2**30:,.2f} GiB more are used each day"
        left = timedelta(days=min(free / growth, 36_500))
        good = left > FULL
        if left < timedelta(days=3650):
            said += f": it is full on {written(now + left, arena_zone())}"
        fix = "" if good else "`arena db prune`, or a larger disk"
        yield Finding(f"disk {folder}", good, said, fix)


def _result() -> str:
    """How the unit ended by whose failure systemd has started this program."""
    result, status = os.environ.get("MONITOR_SERVICE_RESULT"), os.environ.get("MONITOR_EXIT_STATUS")
    return f" ({result}, exit status {status})" if result else ""


def _spoken(time: timedelta) -> str:
    seconds = round(time.total_seconds())
    return f"{seconds} s" if seconds < 120 else f"{seconds // 60} min"


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error) or type(error).__name__
