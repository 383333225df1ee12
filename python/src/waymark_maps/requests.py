"""The messages to a worker, and the pictures in its answers."""

from __future__ import annotations

import functools
import json
import os
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .encoding import Element, SceneData, encode
from .errors import SceneError, UsageError
from .overlays import Camera, Color, Fit, Size
from .picture import Picture
from .scene import settings_of
from .worker import Message, framed

FORMATS = ("png", "jpeg", "webp", "rgba")
#: The maximum nesting depth of lists and objects in a message, as for all JSON of the program.
DEPTH_LIMIT = 1000
#: A pattern in every number that is too large for the program.
_LONG_NUMBER = re.compile(rb"[0-9]{309}")


@dataclass(slots=True)
class PictureOptions:
    """How pictures are drawn and encoded, whatever their scenes say."""

    size: Size | Mapping[str, Any] | tuple[float, float] | None = None
    pixel_ratio: float | None = None
    background: Color | None = None
    camera: Camera | Fit | Mapping[str, Any] | None = None
    format: str = "png"
    quality: int | None = None
    progressive: bool = False
    palette: int | None = None
    inspect: bool = False

    def __post_init__(self) -> None:
        if self.format not in FORMATS:
            raise UsageError(f"format: {self.format!r} is not one of {', '.join(FORMATS)}")

    def settings(self) -> dict[str, Any]:
        return settings_of(self.size, self.pixel_ratio, self.background, self.camera)

    def defaults(self) -> dict[str, Any]:
        """The keys of a job message that apply if the job does not set them."""
        defaults: dict[str, Any] = {"format": self.format}
        if self.quality is not None:
            defaults["quality"] = self.quality
        if self.progressive:
            defaults["progressive"] = True
        if self.palette is not None:
            defaults["palette"] = self.palette
        if self.inspect:
            defaults["inspect"] = True
        return defaults


def scene_message(scene: SceneData, settings: Mapping[str, Any], worker_folder: str) -> list[bytes]:
    """The message that makes a scene the base of the following jobs.

    :param worker_folder: the working directory of the worker.
    """
    header: dict[str, Any] = {"type": "scene"}
    if settings:
        header["settings"] = settings
    here = scene.folder
    if scene.path is not None:
        # A relative path stays relative, so that messages show the path that the user gave.
        header["path"] = scene.path if here == worker_folder else os.path.join(here, scene.path)
        return framed(encode(header))
    if here == worker_folder and not settings:
        # The common case, for speed.
        return framed(b'{"type":"scene","folder":"","bytes":%d}' % len(scene.json), scene.json)
    header["folder"] = "" if here == worker_folder else here
    header["bytes"] = len(scene.json)
    return framed(encode(header), scene.json)


def job_message(job: Any, number: int, defaults: Mapping[str, Any], *, kind: str = "job") -> list[bytes]:
    """
    :raises SceneError: the job has no JSON that the program accepts. A worker would end at such a message.
    """
    head = encode({"type": kind, "number": number, **defaults, "job": job})
    # Both tests are quick and rarely match a valid job.
    if head.count(b"[") + head.count(b"{") > DEPTH_LIMIT or _LONG_NUMBER.search(head):
        _check(head)
    return framed(head)


def _check(head: bytes) -> None:
    """Refuses the JSON of a message that the program does not accept.

    :raises SceneError: it is nested too deeply, or has a number beyond those of 64-bit floating point.
    """
    try:
        level: list[Any] = [json.loads(head)]
    except (RecursionError, ValueError):
        raise SceneError("the job is nested too deeply, or has a number that is too large") from None
    depth = 0
    while level:
        for item in level:
            if isinstance(item, int) and not -MAXIMUM <= item <= MAXIMUM:
                text = str(item)
                raise SceneError(f"the job: the number {text[:20]}… of {len(text)} digits is too large")
        level = [child for item in level if isinstance(item, (dict, list)) for child in (item.values() if isinstance(item, dict) else item)]
        depth += 1
        if depth >= DEPTH_LIMIT and any(isinstance(item, (dict, list)) for item in level):
            raise SceneError(f"the job is nested deeper than {DEPTH_LIMIT}")


#: The largest number of 64-bit floating point.
MAXIMUM = int(sys.float_info.max)


@functools.lru_cache(64)
def single_job(format: str, quality: int | None, progressive: bool, palette: int | None, inspect: bool) -> tuple[bytes, ...]:
    """The job message of a picture whose scene precedes it."""
    options = PictureOptions(None, None, None, None, format, quality, progressive, palette, inspect)
    return tuple(job_message({"id": "picture"}, 1, options.defaults()))


def job_of(job: Any, number: int) -> Any:
    """The job to be sent: a mapping with an id."""
    if not isinstance(job, (Element, Mapping)):
        raise UsageError(f"a job must be a Job or a dict, not {type(job).__name__}")
    if isinstance(job, Mapping) and "id" not in job:
        return {**job, "id": str(number)}
    return job


def picture_of(message: Message, notes: tuple[str, ...] = ()) -> Picture:
    """The picture of a `done` message."""
    header, payload = message
    diagnostics = (*notes, *header["warnings"], *header.get("sceneWarnings", ()), *header.get("deviceWarnings", ()))
    width, height = header["pixels"]
    return Picture(
        payload, header["format"], (width, height), diagnostics, header.get("inspection"), header["times"], header["output"]
    )
