"""A mail server for tests: it speaks SMTP and keeps what comes."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage
from socketserver import StreamRequestHandler, ThreadingTCPServer
from threading import Thread
from typing import ClassVar

from card_arena.accounts.settings import MailSettings


class PostOffice:
    """What came, and whom it refuses; `user` and `password` if it asks for them."""

    def __init__(self) -> None:
        self.port = 0
        self.emails: list[tuple[list[str], EmailMessage]] = []
        self.heard: list[str] = []
        self.refuses: set[str] = set()
        self.login = ("", "")

    def settings(self, **said: object) -> MailSettings:
        given = {"server": "127.0.0.1", "port": self.port, "from": "arena@cards.example"}
        return MailSettings.model_validate({**given, "tls": "none", **said})


@contextmanager
def open_post_office() -> Iterator[PostOffice]:
    """A mail server on this machine."""
    there = PostOffice()

    class Clerk(StreamRequestHandler):
        office: ClassVar[PostOffice] = there

        def handle(self) -> None:
            self.say("220 here")
            recipients: list[str] = []
            while line := self.rfile.readline().decode().strip():
                self.office.heard.append(line)
                word = line.split(" ")[0].upper()
                if word == "EHLO":
                    self.say("250-here" if self.office.login[0] else "250 here")
                    if self.office.login[0]:
                        self.say("250 AUTH PLAIN")
                elif word == "AUTH":
                    said = base64.b64decode(line.split(" ")[2]).decode().split("\0")[1:]
                    good = tuple(said) == self.office.login
                    self.say("235 welcome" if good else "535 who are you")
                elif word == "RCPT":
                    address = line.partition("<")[2].partition(">")[0]
                    if address in self.office.refuses:
                        self.say("550 nobody of this name")
                    else:
                        recipients.append(address)
                        self.say("250 fine")
                elif word == "DATA":
                    self.say("354 go on")
                    data = b""
                    while (part := self.rfile.readline()) != b".\r\n":
                        data += part
                    email = message_from_bytes(data, policy=policy.default)
                    self.office.emails.append((recipients, email))  # type: ignore[arg-type]
                    recipients = []
                    self.say("250 taken")
                elif word == "QUIT":
                    self.say("221 bye")
                    return
                else:
                    self.say("250 fine")

        def say(self, text: str) -> None:
            self.wfile.write(f"{text}\r\n".encode())

    class Server(ThreadingTCPServer):
        allow_reuse_address = True
        daemon_threads = True

    with Server(("127.0.0.1", 0), Clerk) as server:
        there.port = server.server_address[1]
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield there
        finally:
            server.shutdown()
            thread.join()
