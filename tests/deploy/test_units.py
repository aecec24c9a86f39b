"""The example's units, as systemd reads them."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from card_arena.commands import health
from card_arena.common.checkout import ROOT
from card_arena.tests.needs import need

EXAMPLES = ROOT / "examples" / "deploy"
PROGRAMS = re.compile(r"/opt/card-arena/current/.venv/bin/arena|/usr/local/sbin/arena-backup")
UNITS = sorted(file.name for file in EXAMPLES.glob("card-arena*"))


def test_systemd_finds_nothing_wrong_with_the_units(tmp_path: Path) -> None:
    need("systemd-analyze")
    for name in UNITS:
        text = (EXAMPLES / name).read_text()
        (tmp_path / name).write_text(PROGRAMS.sub("/bin/true", text))
    drop_in = tmp_path / "card-arena-play.service.d" / "docker.conf"
    drop_in.parent.mkdir()
    drop_in.write_text((EXAMPLES / "docker.conf").read_text())
    words = ("systemd-analyze", "verify", "--man=no", *(tmp_path / name for name in UNITS))
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    ours = [line for line in done.stderr.splitlines() if "card-arena" in line]
    assert (done.returncode, ours) == (0, [])


def test_folders_for_dockers_sandboxes_are_where_the_engine_sees_them() -> None:
    unit = (EXAMPLES / "card-arena-play.service").read_text().splitlines()
    assert "PrivateTmp=yes" in unit
    (place,) = re.findall(r"^Environment=TMPDIR=(.*)", (EXAMPLES / "docker.conf").read_text(), re.M)
    assert Path(place).parts[1:2] != ("tmp",)
    assert Path(place).parts[1:3] != ("var", "tmp")


def test_a_mistake_in_a_unit_is_found(tmp_path: Path) -> None:
    need("systemd-analyze")
    (tmp_path / "card-arena.service").write_text("[Service]\nExecStart=/bin/true\nNoNew=yes\n")
    words = ("systemd-analyze", "verify", "--man=no", tmp_path / "card-arena.service")
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert "NoNew" in done.stderr


@pytest.mark.parametrize("name", ["card-arena-play.service", "card-arena-site.service"])
def test_a_unit_runs_as_the_arenas_user_without_privileges(name: str) -> None:
    text = (EXAMPLES / name).read_text()
    for line in ("User=card-arena", "ProtectSystem=strict", "UMask=0077"):
        assert line in text.splitlines()
    plays = name == "card-arena-play.service"
    assert ("NoNewPrivileges=yes" in text) != plays, "newuidmap is a setuid program"
    assert "Environment=ARENA_SETTINGS=/etc/card-arena/arena.yaml" in text
    assert "/var/backups" not in text, "an arena with a hole in it can't delete its backups"


@pytest.mark.parametrize("name", ["card-arena-play.service", "card-arena-site.service"])
def test_a_service_is_started_again_until_its_trouble_is_over(name: str) -> None:
    """A database that is not reached, or that a crashed machine still holds, ends it with 1."""
    text = (EXAMPLES / name).read_text()
    assert re.search(r"^Restart=(on-failure|always)$", text, re.MULTILINE)
    assert "RestartPreventExitStatus=2" in text.splitlines()
    (pause,) = re.findall(r"^RestartSec=(\d+)$", text, re.MULTILINE)
    assert int(pause) > 10 / 5, "systemd gives a unit up after five starts in ten seconds"


@pytest.mark.parametrize("name", ["play", "site"])
def test_an_alarm_is_looked_for_when_a_service_fails(name: str) -> None:
    """The doctor knows them by these names, which systemd tells it.

    It does so only if no other service can start the unit: each starts an instance of its own.
    """
    unit = f"card-arena-{name}.service"
    assert "OnFailure=card-arena-alarm@%p.service" in (EXAMPLES / unit).read_text().splitlines()
    assert unit in health.UNITS


def test_the_unit_that_makes_sandboxes_forbids_nothing_that_they_need() -> None:
    """Tried with systemd 252: with any of these bubblewrap makes no sandbox."""
    text = (EXAMPLES / "card-arena-play.service").read_text()
    set_here = set(re.findall(r"^(\w+)=", text, re.MULTILINE))
    assert not set_here & {
        *("RestrictNamespaces", "SystemCallFilter", "ProtectKernelTunables", "ProtectKernelLogs"),
        *("ProtectProc", "ProcSubset", "ProtectControlGroups", "PrivateUsers"),
        *("NoNewPrivileges", "CapabilityBoundingSet"),
    }
    assert "Delegate=yes" in text


@pytest.mark.parametrize("name", ["arena", "arena-backup"])
def test_the_commands_for_organisers_are_scripts_that_a_shell_can_read(name: str) -> None:
    subprocess.run(["sh", "-n", EXAMPLES / name], check=True)


def test_the_command_for_organisers_takes_secrets_as_systemd_does(tmp_path: Path) -> None:
    """A webhook's address may have an &, and a password anything."""
    secrets = tmp_path / "secrets.env"
    secrets.write_text(
        "# a comment\n\nARENA_ALARM_WEBHOOK=https://hooks.example/?a=b&c=$d\n"
        "ARENA_OIDC_SECRET='a b\"c;'\nARENA_MAIL_PASSWORD=p=q"
    )
    script = (EXAMPLES / "arena").read_text()
    for old, new in (
        (r"/etc/card-arena/secrets\.env", str(secrets)),
        (r"cd /var/lib/card-arena\n", ""),
        (r"exec setpriv [\s\S]*", "exec env"),
    ):
        script, times = re.subn(old, new, script)
        assert times, old
    done = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=True)
    assert {line for line in done.stdout.splitlines() if line.startswith("ARENA_")} >= {
        "ARENA_ALARM_WEBHOOK=https://hooks.example/?a=b&c=$d",
        'ARENA_OIDC_SECRET=a b"c;',
        "ARENA_MAIL_PASSWORD=p=q",
    }
