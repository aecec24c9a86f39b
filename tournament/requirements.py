"""The guarantees and hosts that a tournament requires, compared with what there is."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

from accounts.storage.account_store import Paths
from common.errors import UserError
from common.hosts import Host
from results.entries import Version
from results.sqlite_file import open_to_others, with_beside
from sandbox.backends.registry import backend
from sandbox.cache_folder import builds_folder
from sandbox.doctor import examine
from sandbox.guarantees import GUARANTEES, USUAL, Guarantee
from sandbox.languages.registry import LANGUAGES
from sandbox.sandbox import BackendMissing, SandboxBroken
from tournament.settings import Settings

OWN_SYSTEM = "own-system"


class NotGuaranteed(UserError):
    """This machine can't give what a tournament requires; the message says what would help."""


def demand(tournaments: Iterable[Settings[Any]]) -> None:
    """Check that the sandboxes here keep the guarantees that these tournaments require.

    Raises `NotGuaranteed` with a sentence for each guarantee that is not kept, `BackendMissing` if
    there can be no such sandbox at all, and `SandboxBroken`.
    """
    missing = [
        _sentence(settings, guarantee)
        for settings in tournaments
        for guarantee in _examined(settings.backend_name, settings.require)
        if not guarantee.enforced
    ]
    if missing:
        missing.append("nothing was started; `arena doctor` shows all that holds here")
        raise NotGuaranteed("\n".join(missing))


def demand_own_system(settings: Settings[Any]) -> None:
    """Check, in the process that makes the sandboxes, that they still share no file.

    The image may have become outdated since the checks before the run. A process chooses its image
    once, so this result is valid until it exits. Raises as `demand` does.
    """
    if OWN_SYSTEM in settings.require:
        (guarantee,) = _examined(settings.backend_name, (OWN_SYSTEM,))
        if not guarantee.enforced:
            raise NotGuaranteed(_sentence(settings, guarantee))


def _sentence(settings: Settings[Any], guarantee: Guarantee) -> str:
    return (
        f"{settings.name} requires {guarantee.name} ({GUARANTEES[guarantee.name]}), which the"
        f" {settings.backend_name} sandbox can't give here: {guarantee.fix}"
    )


@cache
def _examined(sandbox: str, names: tuple[str, ...]) -> Sequence[Guarantee]:
    """Test a kind of sandbox, once per process."""
    return examine(backend(sandbox), names)


class Diagnosis(NamedTuple):
    """The test of a kind of sandbox; `trouble` is the reason if it failed."""

    sandbox: str
    guarantees: Sequence[Guarantee]
    trouble: str = ""

    @property
    def kept(self) -> frozenset[str]:
        return frozenset(guarantee.name for guarantee in self.guarantees if guarantee.enforced)

    @property
    def fit(self) -> bool:
        """Whether tournaments can be played in such sandboxes by default."""
        return self.kept >= USUAL

    def summary(self) -> str:
        """Return a line about the kept and the missing guarantees."""
        if self.trouble:
            return f"{self.sandbox}: no such sandbox can be made here"
        count = f"{self.sandbox}: keeps {len(self.kept)} of {len(GUARANTEES)}"
        missing = [name for name in GUARANTEES if name in USUAL - self.kept]
        if not backend(self.sandbox).isolated:
            return f"{count}; it isolates nothing: for bots that you trust"
        if missing:
            return f"{count}; not fit for strangers' bots: it lacks {', '.join(missing)}"
        return f"{count}, and all that tournaments require by default"


def diagnose(name: str) -> Diagnosis:
    try:
        return Diagnosis(name, examine(backend(name)))
    except (BackendMissing, SandboxBroken) as error:
        return Diagnosis(name, (), str(error))


def compared(diagnoses: Sequence[Diagnosis]) -> str:
    """Compare the last diagnosis, if it is of a variant (`docker:runsc`), with that of its kind.

    Returns a sentence, or an empty text if there is nothing to compare.
    """
    *others, variant = diagnoses
    kind, colon, _ = variant.sandbox.partition(":")
    usual = next((diagnosis for diagnosis in others if diagnosis.sandbox == kind), variant)
    if not colon or variant.trouble or usual.trouble:
        return ""
    more, less = (
        ", ".join(name for name in GUARANTEES if name in names) or "nothing"
        for names in (variant.kept - usual.kept, usual.kept - variant.kept)
    )
    return f"{variant.sandbox} adds to {kind}: {more}; it lacks, compared with {kind}: {less}"


def fixes(guarantees: Sequence[Guarantee]) -> Mapping[str, Sequence[str]]:
    """Return the fixes, each with the guarantees that it would restore."""
    names: dict[str, list[str]] = {}
    for guarantee in guarantees:
        if not guarantee.enforced:
            names.setdefault(guarantee.fix, []).append(guarantee.name)
    return names


OPEN = (
    "others on this machine can read files that hold seeds, sources or standard error;"
    " this closes them:"
)


class OpenFile(NamedTuple):
    """A file or folder that other users of this machine may use, and the command that closes it."""

    path: Path
    mode: str
    fix: str


def open_files(database: str) -> Sequence[OpenFile]:
    """Find files of a database, of its accounts, and of builds that other users may use.

    `database` is an address as for the store; PostgreSQL's files are its server's business.
    """
    file = database.removeprefix("sqlite:///")
    paths = [] if file == database else [*with_beside(Path(file))]
    accounts = Paths(database)
    if accounts.file is not None:
        paths += with_beside(accounts.file)
    paths += accounts.private
    return [
        OpenFile(path, f"{mode:04o}", f"chmod go= {shlex.quote(str(path))}")
        for path, mode in open_to_others([*paths, builds_folder()])
    ]


def plain_data(diagnoses: Sequence[Diagnosis], files: Sequence[OpenFile] = ()) -> Mapping[str, Any]:
    """Return the diagnoses as plain data: each sandbox's guarantees or trouble, and open files."""
    sandboxes: dict[str, Any] = {
        diagnosis.sandbox: {
            "fit": diagnosis.fit,
            "trouble": diagnosis.trouble,
            "promises": [
                {**asdict(guarantee), "means": GUARANTEES[guarantee.name]}
                for guarantee in diagnosis.guarantees
            ],
        }
        for diagnosis in diagnoses
    }
    files_data = [{**file._asdict(), "path": str(file.path)} for file in files]
    return {**sandboxes, "open_files": files_data}


def exit_code(diagnoses: Sequence[Diagnosis]) -> int:
    """Return 0 if the first sandbox is fit, 1 if it lacks a guarantee, 2 if it can't be made."""
    first = diagnoses[0]
    if first.trouble:
        return 2
    return 0 if first.fit or not backend(first.sandbox).isolated else 1


Hosts = Literal["alike", "any", "one"]

SPREAD = 1.5
"""How much faster one host may be than another that is alike."""


@dataclass(eq=False)
class Requirements:
    """A season's requirements for hosts: the guarantees of sandboxes, and how far hosts may differ.

    `model` is the host that the others are compared with: the first that played for the season.
    `languages` are those of the season's bots, None if any tool may matter.
    """

    sandbox: str
    require: tuple[str, ...]
    hosts: Hosts
    languages: frozenset[str] | None = None
    model: Host | None = None

    @classmethod
    def of(
        cls,
        settings: Settings[Any],
        hosts: Hosts,
        versions: Iterable[Version],
        model: Host | None = None,
    ) -> Requirements:
        """Return the requirements of a season of these versions, with these settings."""
        names = frozenset(version.language for version in versions)
        languages = names if names <= {*LANGUAGES} else None
        return cls(settings.backend_name, settings.require, hosts, languages, model)

    def refusal(self, host: Host) -> str:
        """Return why a host is not used; empty if it is."""
        guarantees = host.sandboxes.get(self.sandbox)
        if guarantees is None:
            return f"it can make no {self.sandbox} sandbox"
        missing = [name for name in self.require if name not in guarantees]
        if missing:
            return f"its {self.sandbox} sandboxes don't keep {', '.join(missing)}"
        model = self.model
        if model is None or model.sha256 == host.sha256:
            return ""
        if self.hosts == "one":
            if host.name != model.name:
                return f"`hosts: one` keeps the season on {model.name}"
            return ""
        if self.hosts == "any":
            lacking = [
                name
                for name in sorted(self.languages or ())
                if name in model.languages and name not in host.languages
            ]
            return f"it has no {lacking[0]}" if lacking and self.sandbox not in host.images else ""
        for difference in host.unlike(model, self.languages, self.sandbox):
            return f"{difference} (`hosts: any` would allow it)"
        slower, faster = sorted((host.speed, model.speed))
        if faster > SPREAD * slower:
            return (
                f"its speed is {host.speed:g}, and {model.name}'s is {model.speed:g}"
                " (`hosts: any` would allow it)"
            )
        return ""

    def better(self, host: Host) -> tuple[int, int]:
        """Return a host's value as the model; the host with the greatest value becomes it."""
        names = {*host.languages} if self.languages is None else self.languages
        return len(names & {*host.languages}), host.cores
