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

from .encoding import Element, encode
from .errors import SceneError, UsageError
from .overlays import Camera, Color, Fit, SceneFields, Size
from .picture import Picture
from .settings import Theme, settings_of
from .sources import SceneData
from .worker import Message, framed

FORMATS = ("png", "jpeg", "webp", "rgba")
#: The maximum nesting depth of lists and objects in a message, as for all JSON of the program.
DEPTH_LIMIT = 1000
#: A pattern that matches every number that is too large for the program.
_LONG_NUMBER = re.compile(rb"[0-9]{309}")


@dataclass(slots=True)
class PictureOptions:
    """Options for drawing and encoding pictures, which apply to all scenes."""

    size: Size | Mapping[str, Any] | tuple[float, float] | None = None
    pixel_ratio: float | None = None
    background: Color | None = None
    theme: Theme | None = None
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
        return settings_of(self.size, self.pixel_ratio, self.background, self.theme, self.camera)

    def defaults(self) -> dict[str, Any]:
        """The members of a job message that apply if the job does not set them."""
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


def checked(value: Any) -> bytes:
    """The JSON of a part of a message.

    :raises SceneError: the program does not accept the JSON. A worker that received it would end.
    """
    text = encode(value)
    # Both tests are quick and rarely match a valid job.
    if text.count(b"[") + text.count(b"{") > DEPTH_LIMIT or _LONG_NUMBER.search(text):
        _check(text)
    return text


def question(job: Any, defaults: Mapping[str, Any], *, kind: str = "job") -> bytes:
    """The part of a request for a picture that does not depend on the worker. ``question_message`` adds the rest.

    :raises SceneError: the job cannot be written as JSON that the program accepts.
    """
    return checked({"type": kind, **defaults, "job": job})


def question_message(
    question: bytes,
    number: int,
    scene: SceneData | None,
    settings: bytes,
    worker_folder: str,
    place: tuple[int, int] | None = None,
) -> list[bytes]:
    """The message that requests a picture.

    :param question: the result of ``question``.
    :param scene: the scene that the job changes; None for the base scene.
    :param settings: the JSON of a merge patch on the scene.
    :param place: the offset in the shared memory at which the worker may write the picture, and the number of bytes available there.
    """
    parts = [question[:-1], b',"number":%d' % number]
    if scene is not None:
        parts.append(b',"scene":{%s}' % _source(scene, settings, worker_folder))
        if scene.path is None:
            parts.append(b',"bytes":%d' % len(scene.json))
    if place is not None:
        parts.append(b',"memory":[%d,%d]' % place)
    return framed(b"".join([*parts, b"}"]), b"" if scene is None else scene.json)


def scene_message(scene: SceneData, settings: bytes, worker_folder: str) -> list[bytes]:
    """The message that makes a scene the base of the following jobs."""
    count = b',"bytes":%d' % len(scene.json) if scene.path is None else b""
    return framed(b'{"type":"scene",%s%s}' % (_source(scene, settings, worker_folder), count), scene.json)


def _source(scene: SceneData, settings: bytes, worker_folder: str) -> bytes:
    """The members of a message that name a scene.

    :param worker_folder: the working directory of the worker.
    """
    here = scene.folder
    if scene.path is not None:
        # A relative path stays relative, so that messages show the path that the user gave.
        member = encode({"path": scene.path if here == worker_folder else os.path.join(here, scene.path)})
    else:
        member = encode({"folder": "" if here == worker_folder else here})
    return member[1:-1] + (b',"settings":' + settings if settings != b"{}" else b"")


def _check(text: bytes) -> None:
    """Refuses JSON that the program does not accept.

    :raises SceneError: the JSON is nested too deeply, or has a number that 64-bit floating point cannot represent.
    """
    try:
        level: list[Any] = [json.loads(text)]
    except (RecursionError, ValueError):
        raise SceneError("the job is nested too deeply, or has a number that is too large") from None
    depth = 0
    while level:
        for item in level:
            if isinstance(item, int) and not -MAXIMUM <= item <= MAXIMUM:
                digits = str(item)
                raise SceneError(f"the job: the number {digits[:20]}… with {len(digits)} digits is too large")
        level = [child for item in level if isinstance(item, (dict, list)) for child in (item.values() if isinstance(item, dict) else item)]
        depth += 1
        if depth >= DEPTH_LIMIT and any(isinstance(item, (dict, list)) for item in level):
            raise SceneError(f"the job is nested deeper than {DEPTH_LIMIT} levels")


#: The largest number of 64-bit floating point.
MAXIMUM = int(sys.float_info.max)


@functools.lru_cache(64)
def single_question(format: str, quality: int | None, progressive: bool, palette: int | None, inspect: bool) -> bytes:
    """The question for a picture whose scene is in the same message."""
    return question({"id": "picture"}, PictureOptions(
        format=format, quality=quality, progressive=progressive, palette=palette, inspect=inspect).defaults())


def job_of(job: Any, number: int) -> Any:
    """The job to send. A mapping without an id gets its number as the id."""
    check_job(job)
    if isinstance(job, Mapping) and "id" not in job:
        return {**job, "id": str(number)}
    return job


def check_job(job: Any, name: str = "") -> None:
    """
    :param name: the beginning of the error message.
    :raises UsageError: the value is not a job.
    """
    if not isinstance(job, (Element, Mapping)):
        raise UsageError(f"{name}a job must be a Job or a dict, not {type(job).__name__}")
    # A job may have all keys of a scene, "waymark" included.
    if isinstance(job, SceneFields) or isinstance(job, Mapping) and "waymark" in job and "id" not in job:
        raise UsageError(f"{name}a job must be a Job or a dict with changes to the base scene, not a whole scene")


def picture_of(message: Message) -> Picture:
    """The picture of a `done` message."""
    header, payload = message
    diagnostics = (*header["warnings"], *header.get("sceneWarnings", ()), *header.get("deviceWarnings", ()))
    width, height = header["pixels"]
    return Picture(
        payload, header["format"], (width, height), diagnostics, header.get("inspection"), header["times"], header["output"]
    )
