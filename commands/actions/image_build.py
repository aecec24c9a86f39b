"""`arena image build`."""

from __future__ import annotations

from collections import deque

import click
from rich.text import Text

from commands.cli_errors import Stop
from commands.console import Printer
from common.text import one_line
from sandbox.backends.docker import build_image, language_image, older_images
from sandbox.backends.registry import backend
from sandbox.backends.system_image import build_system_image
from sandbox.box import ImageNotBuilt


def image_build(kind: str, network: str | None, *, update: bool) -> None:
    if not backend(kind).has_images:
        for option, given in (("--network", network is not None), ("--update", update)):
            if given:
                raise click.UsageError(f"{option} needs --box docker: nothing is fetched here")
        _build_system_image()
    else:
        _build_language_image(network, update=update)


def _build_system_image() -> None:
    console = Printer()
    progress = ""
    with console.status("reading the system's files") as status:
        for progress in build_system_image():
            status.update(f"writing the image of the system: {progress}")
    console.print(f"built an image of the system: {progress}")


def _build_language_image(network: str | None, *, update: bool) -> None:
    console = Printer()
    said: deque[str] = deque(maxlen=20)
    try:
        with console.status("asking Docker") as status:
            for line in build_image(network, update=update):
                said.append(line)
                if line.startswith("Step"):
                    console.print(one_line(line), soft_wrap=True)
                status.update(Text(one_line(line)[: console.width - 4]))
    except ImageNotBuilt as error:
        raise Stop("\n".join([*said, str(error)]), 1) from error
    console.print(f"built {language_image()}")
    if older := older_images():
        console.print(f"older images can be removed: docker rmi {' '.join(older)}", soft_wrap=True)
