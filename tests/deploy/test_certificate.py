"""The lines of docs/deploy.md that fetch a certificate, typed before a certificate authority.

They run as they stand in a sandbox with Debian's nginx and certbot, and with pebble in the place of
Let's Encrypt. Certificates are valid for twenty days there, so each is due to be renewed at once.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

from card_arena.common.checkout import ROOT
from card_arena.tests.cli.home import PATIENCE
from card_arena.tests.deploy.proxied import EXAMPLE, HOST
from card_arena.tests.needs import need

UNITS = Path("/lib/systemd/system")
MINE = "/mnt"
"""Where the sandbox has what the test brings along."""

CERTBOT = """\
server = https://localhost:14000/dir
"""
PEBBLE = {
    "listenAddress": "127.0.0.1:14000",
    "managementListenAddress": "127.0.0.1:15000",
    "certificate": f"{MINE}/pebble.pem",
    "privateKey": f"{MINE}/pebble.key",
    "httpPort": 80,
    "tlsPort": 443,
    "certificateValidityPeriod": 20 * 24 * 60 * 60,
}
SYSTEMCTL = """\
#!/bin/sh
# There is no systemd in the sandbox: what it does to reload nginx.
[ "$*" = "reload nginx" ] && {reload}
"""
SCRIPT = """\
set -e
until_so() {{
  for _ in $(seq 100); do "$@" && return; sleep 0.1; done
  echo "never: $*" >&2
  return 1
}}
serial() {{ openssl x509 -noout -serial; }}
kept() {{ serial </etc/letsencrypt/live/{host}/cert.pem; }}
seen() {{ openssl s_client -connect {host}:443 -servername {host} </dev/null 2>/dev/null; }}
served() {{ seen | serial 2>/dev/null; }}
serves_what_is_kept() {{ [ "$(served)" = "$(kept)" ]; }}

pebble -config {mine}/pebble.json >{mine}/pebble.log &
{start}
until_so sh -c 'echo | openssl s_client -connect localhost:14000 >/dev/null 2>&1'
{typed}
until_so serves_what_is_kept
echo "served: $(served)"
{renew}
until_so serves_what_is_kept
echo "served: $(served)"
{stop}
"""


def line_of(unit: str, key: str) -> str:
    """What systemd does for a unit of Debian's."""
    (found,) = re.findall(rf"^{key}=-?(.*)$", (UNITS / unit).read_text(), re.MULTILINE)
    return found


def typed() -> str:
    """The lines of the page from the first certificate on."""
    blocks = re.findall(r"^```sh\n(.*?)^```", (ROOT / "docs/deploy.md").read_text(), re.S | re.M)
    (block,) = (block for block in blocks if "certbot certonly" in block)
    return block


def prepare(folder: Path) -> None:
    """What is in the sandbox: packages as they are installed, and the authority's settings."""
    (folder / "bin").mkdir(parents=True)
    shutil.copytree("/etc/nginx", folder / "nginx", symlinks=True)
    shutil.copytree("/var/www", folder / "www")
    shutil.copytree(EXAMPLE.parent, folder / "arena" / "current" / "examples" / "deploy")
    if not Path("/proc/net/if_inet6").exists():
        for file in (
            folder / "nginx" / "sites-available" / "default",
            folder / "arena" / "current" / "examples" / "deploy" / EXAMPLE.name,
        ):
            file.write_text(re.sub(r"^\s+listen \[::\].*\n", "", file.read_text(), flags=re.M))
    (folder / "letsencrypt").mkdir()
    settings = Path("/etc/letsencrypt/cli.ini").read_text()
    (folder / "letsencrypt" / "cli.ini").write_text(settings + CERTBOT)
    (folder / "hosts").write_text(f"127.0.0.1 localhost {HOST}\n")
    (folder / "pebble.json").write_text(json.dumps({"pebble": PEBBLE}))
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"),
            *("-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"),
            *("-keyout", folder / "pebble.key", "-out", folder / "pebble.pem"),
        ],
        check=True,
        capture_output=True,
    )
    systemctl = folder / "bin" / "systemctl"
    systemctl.write_text(SYSTEMCTL.format(reload=line_of("nginx.service", "ExecReload")))
    systemctl.chmod(0o755)


def sandboxed(folder: Path, script: str) -> subprocess.CompletedProcess[str]:
    """Run a script before a network of its own, as an ordinary user who may open ports 80 and 443.

    Nginx then keeps to that user; as root it would want to become another.
    """
    return subprocess.run(
        [
            *("bwrap", "--unshare-all", "--uid", "1000", "--gid", "1000", "--die-with-parent"),
            *("--cap-add", "CAP_NET_BIND_SERVICE", "--ro-bind", "/", "/"),
            *("--dev-bind", "/dev", "/dev", "--proc", "/proc"),  # --dev would take the capability
            *("--tmpfs", "/tmp", "--tmpfs", "/run", "--tmpfs", "/opt"),
            *("--tmpfs", "/var/log", "--dir", "/var/log/nginx"),
            *("--tmpfs", "/var/lib", "--dir", "/var/lib/nginx", "--bind", folder, MINE),
            *("--bind", folder / "arena", "/opt/card-arena"),
            *("--bind", folder / "nginx", "/etc/nginx"),
            *("--bind", folder / "letsencrypt", "/etc/letsencrypt"),
            *("--bind", folder / "www", "/var/www"),
            *("--ro-bind", folder / "hosts", "/etc/hosts", "--clearenv"),
            *("--setenv", "PATH", f"{MINE}/bin:/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin"),
            *("--setenv", "REQUESTS_CA_BUNDLE", f"{MINE}/pebble.pem"),
            # Nothing is reused or waited for: each certificate is asked for anew.
            *("--setenv", "PEBBLE_VA_NOSLEEP", "1", "--setenv", "PEBBLE_WFE_NONCEREJECT", "0"),
            *("--setenv", "PEBBLE_AUTHZREUSE", "0"),
            *("--chdir", "/", "sh", "-c", script),
        ],
        capture_output=True,
        text=True,
        timeout=4 * PATIENCE,
        check=False,
    )


def test_the_certificate_is_fetched_and_later_renewed_while_nginx_runs(tmp_path: Path) -> None:
    need("bwrap")
    need("openssl")
    need("nginx")
    need("certbot")
    need("pebble")
    folder = tmp_path / "server"
    prepare(folder)
    script = SCRIPT.format(
        host=HOST,
        mine=MINE,
        start=line_of("nginx.service", "ExecStart"),
        typed=typed(),
        renew=line_of("certbot.service", "ExecStart"),
        stop="nginx -s stop",
    )
    done = sandboxed(folder, script)
    assert done.returncode == 0, done.stdout + done.stderr
    first, second = re.findall(r"^served: serial=(\w+)$", done.stdout, re.MULTILINE)
    assert first != second
