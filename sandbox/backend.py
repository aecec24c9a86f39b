"""The interface of a kind of sandbox: what differs between kinds, and what all share.

Each kind of sandbox is one file. It says how sandboxes are started and what enforces each
guarantee; sandboxes, builds and the doctor's trials are written once on top of that.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from card_arena.sandbox.guarantees import Enforcement
from card_arena.sandbox.languages.toolchains import fingerprint
from card_arena.sandbox.limits import BuildLimits, Limits
from card_arena.sandbox.sandbox import BuiltFile, Program, Sandbox
from card_arena.sandbox.session.build_client import Hear, build_in
from card_arena.sandbox.session.idle_bots import IdleBots
from card_arena.sandbox.session.piloted_sandbox import Launcher, PilotedSandbox, StartedSandbox


class Backend(ABC):
    """A way to make sandboxes on this machine: a subclass of this, and an entry in the registry."""

    name: str
    isolated = True
    """Whether a sandbox keeps a bot from the machine and from other bots."""
    has_images = False
    """Whether sandboxes are containers, which a runtime makes from images that bots may name."""

    def with_runtime(self, runtime: str) -> Backend:
        """Return this backend with another program that starts its sandboxes.

        Raises `ValueError` if this kind of sandbox has no runtimes.
        """
        raise ValueError(f"{self.name} sandboxes have no runtime to choose (runtime: {runtime})")

    def variants(self) -> Sequence[Backend]:
        """Return this backend with each runtime that could be chosen on this machine."""
        return ()

    @abstractmethod
    def launcher(self, program: Program, limits: Limits) -> Launcher:
        """Return the launcher that starts the sandboxes around a program, one at a time.

        `LaunchEach` makes a launcher from a function that starts a sandbox and greets its pilot.
        Raises `BackendMissing`.
        """

    @abstractmethod
    def launch_build(self, limits: BuildLimits, image: str) -> StartedSandbox:
        """Start a sandbox in which a bot is built, and greet its pilot, a build worker.

        Its working directory is empty and writable; `image` is as in `Program`. Raises
        `BackendMissing` or `SandboxBroken`.
        """

    @abstractmethod
    def enforcement(self) -> Mapping[str, Enforcement]:
        """Return what enforces each guarantee on this machine; the doctor tests whether it does."""

    def open(self, program: Program, limits: Limits, idle_bots: IdleBots | None = None) -> Sandbox:
        """Make a sandbox around a program.

        Sandboxes of one table share their `idle_bots`; without any, a bot is stopped as soon as it
        has answered.
        """
        table = IdleBots(patience=0) if idle_bots is None else idle_bots
        return PilotedSandbox(self.launcher(program, limits), limits, table)

    def build(
        self,
        files: Mapping[str, bytes],
        steps: Sequence[Sequence[str]],
        limits: BuildLimits,
        image: str = "",
        hear: Hear | None = None,
    ) -> tuple[Mapping[str, BuiltFile], str]:
        """Run a build in a sandbox of its own, without network, and return its files and log.

        `files` maps relative paths to contents; `steps` are run in turn in the directory that holds
        them; `image` is as in `Program`. `hear` is called with the log while it grows. Raises
        `BuildFailed` with the log if a step fails or a limit is reached.
        """
        return build_in(partial(self.launch_build, limits, image), files, steps, limits, hear)

    def fingerprint(self, tools: Sequence[str], image: str) -> str:  # noqa: ARG002
        """Return a fingerprint of the current state of these build tools.

        Raises `ToolMissing`.
        """
        return fingerprint(tools)

    def sees(self, path: Path) -> bool:  # noqa: ARG002
        """Return whether sandboxes see a program of this machine, with links resolved."""
        return True
