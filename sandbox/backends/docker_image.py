"""The image with every language: the default image of Docker's boxes."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from sandbox.backends.docker_engine import engine
from sandbox.box import ImageNotBuilt
from sandbox.languages.registry import libraries, packages

FOLDER = Path(__file__).parent / "images"
NAME = "card-arena/languages"
NOT_BUILT = "Docker has no image with the languages yet: make it with `arena image build`"
OUT_OF_DATE = (
    "Docker's image of the languages is not this arena's: make it with `arena image build`"
)


@cache
def language_image() -> str:
    """The image's full name, which identifies its recipe."""
    installed = " ".join((*packages(), *libraries()))
    recipe = (FOLDER / "Dockerfile").read_bytes() + installed.encode()
    return f"{NAME}:{hashlib.sha256(recipe).hexdigest()[:12]}"


def missing(image: str) -> str:
    """The remedy for an image that the engine does not have."""
    if image != language_image():
        return f"Docker has no image {image}: docker pull {image}"
    return OUT_OF_DATE if older_images() else NOT_BUILT


def older_images() -> list[str]:
    """The images built by earlier versions of this arena, each of which takes gigabytes."""
    return [name for name in engine().images(NAME) if name != language_image()]


def build_image(network: str | None = None, *, update: bool = False) -> Iterator[str]:
    """Build the image, yielding the engine's output line by line.

    `network` is the network for fetching packages, by default the engine's usual one. With `update`
    every step is run again, so the newest packages are installed; the image takes the name of the
    one before, which is removed unless a container still uses it. Raises `BackendMissing` if there
    is no engine, `ImageNotBuilt` if a step fails.
    """
    docker, name = engine(), language_image()
    before = docker.image_id(name) if name in docker.images(NAME) else ""
    arguments = {"PACKAGES": " ".join(packages()), "LIBRARIES": " ".join(libraries())}
    for step in docker.build(
        FOLDER, name, network_mode=network, buildargs=arguments, nocache=update
    ):
        if "error" in step:
            raise ImageNotBuilt(f"the image could not be built: {step['error'].strip()}")
        yield from filter(None, step.get("stream", "").splitlines())
    if before and before != docker.image_id(name):
        docker.remove_image(before)
