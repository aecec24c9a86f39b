"""The example's nginx before an arena, and curl before both."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from card_arena.common.checkout import ROOT
from card_arena.tests.cli.home import PATIENCE

HOST = "cards.example"
EXAMPLE = ROOT / "examples" / "deploy" / "nginx.conf"
NGINX = "/usr/sbin/nginx"

MAIN = """\
daemon off;
{user}
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{}}
http {{
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    access_log off;
    include {folder}/site.conf;
}}
"""


@dataclass(frozen=True)
class Proxied:
    """A site that nginx serves with a certificate of its own making."""

    folder: Path
    plain: int
    secure: int

    @property
    def site(self) -> str:
        return f"https://{HOST}:{self.secure}"

    @property
    def log(self) -> str:
        return (self.folder / "access.log").read_text()

    def curl(self, address: str, *options: str, jar: str = "jar") -> Answer:
        """Ask for an address of the site, or for a whole one."""
        whole = address if "://" in address else self.site + address
        kept = str(self.folder / jar)
        done = subprocess.run(
            [
                *("curl", "--silent", "--show-error", "--include", "--max-time", str(PATIENCE)),
                *("--noproxy", "*", "--cacert", str(self.folder / "cert.pem")),
                *("--resolve", f"{HOST}:{self.secure}:127.0.0.1"),
                *("--resolve", f"{HOST}:{self.plain}:127.0.0.1"),
                *("--cookie", kept, "--cookie-jar", kept, *options, whole),
            ],
            capture_output=True,
            check=False,
        )
        return Answer(done.returncode, done.stdout.decode(errors="replace").replace("\r\n", "\n"))

    def send(self, page: str, *options: str, jar: str = "jar") -> Answer:
        """Send the form of a page to the page's address."""
        found = re.search(r'name="csrf_token" value="([^"]+)"', self.curl(page, jar=jar).text)
        assert found, page
        token = ("--form", f"csrf_token={found[1]}")
        return self.curl(page, "--referer", f"{self.site}/", *token, *options, jar=jar)


@dataclass(frozen=True)
class Answer:
    """What curl printed, heads and all, and its exit code."""

    code: int
    text: str

    @property
    def status(self) -> int:
        """The status of the last answer; 0 if there was none."""
        found = re.findall(r"^HTTP/\S+ (\d+)", self.text, re.MULTILINE)
        return int(found[-1]) if found else 0

    def header(self, name: str) -> str:
        found = re.findall(rf"^{name}: (.*)$", self.text, re.MULTILINE | re.IGNORECASE)
        return found[-1] if found else ""


def certificate(folder: Path) -> None:
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"),
            *("-subj", f"/CN={HOST}", "-addext", f"subjectAltName=DNS:{HOST}"),
            *("-keyout", folder / "key.pem", "-out", folder / "cert.pem"),
        ],
        check=True,
        capture_output=True,
    )


def site_conf(folder: Path, plain: int, secure: int, upstream: int) -> str:
    """The example with these ports, a certificate and logs of its own, and little patience."""
    text = EXAMPLE.read_text()
    if not socket.has_ipv6 or not Path("/proc/net/if_inet6").exists():
        text = re.sub(r"^ +listen \[::\].*\n", "", text, flags=re.MULTILINE)
    for old, new in (
        (r"listen (\[::\]:)?443\b", rf"listen \g<1>{secure}"),
        (r"listen (\[::\]:)?80\b", rf"listen \g<1>{plain}"),
        (r"/etc/letsencrypt/live/cards\.example/fullchain\.pem", f"{folder}/cert.pem"),
        (r"/etc/letsencrypt/live/cards\.example/privkey\.pem", f"{folder}/key.pem"),
        (r"/var/log/nginx/card-arena\.log", f"{folder}/access.log"),
        (r"127\.0\.0\.1:8000", f"127.0.0.1:{upstream}"),
        (r"client_body_timeout \d+s", "client_body_timeout 15s"),
    ):
        text, times = re.subn(old, new, text)
        assert times, old
    return text


@contextmanager
def nginx(folder: Path, plain: int, secure: int, upstream: int) -> Iterator[Proxied]:
    """Run nginx before a site that listens on `upstream`."""
    folder.mkdir()
    certificate(folder)
    (folder / "site.conf").write_text(site_conf(folder, plain, secure, upstream))
    user = "user root;" if os.geteuid() == 0 else ""  # whose folder it is
    (folder / "nginx.conf").write_text(MAIN.format(folder=folder, user=user))
    with (folder / "said").open("w") as said:
        running = subprocess.Popen(
            [NGINX, "-e", folder / "error.log", "-p", folder, "-c", folder / "nginx.conf"],
            stderr=said,
        )
    try:
        end = time.monotonic() + PATIENCE
        while not listens(secure):
            assert running.poll() is None, (folder / "said").read_text()
            assert time.monotonic() < end
            time.sleep(0.05)
        yield Proxied(folder, plain, secure)
    finally:
        running.terminate()
        running.wait(PATIENCE)


def listens(port: int) -> bool:
    with socket.socket() as trial:
        return trial.connect_ex(("127.0.0.1", port)) == 0
