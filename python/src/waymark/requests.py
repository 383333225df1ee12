"""What is asked of a worker, as messages, and its answers, as pictures."""

from __future__ import annotations

import functools
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .elements import Camera, Color, Fit, Size
from .encoding import Element, SceneData, encode
from .errors import UsageError
from .picture import Picture
from .scene import settings_of
from .worker import Message, framed

FORMATS = ("png", "jpeg", "webp", "rgba")


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
            raise UsageError(f"format: {self.format!r} is none of {', '.join(FORMATS)}")

    def settings(self) -> dict[str, Any]:
        return settings_of(self.size, self.pixel_ratio, self.background, self.camera)

    def defaults(self) -> dict[str, Any]:
        """The keys of a job message that hold where the job says nothing."""
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
    """The message that makes a scene the base of what follows.

    :param worker_folder: the working directory of the worker.
    """
    header: dict[str, Any] = {"type": "scene"}
    if settings:
        header["settings"] = settings
    here = os.getcwd()
    if scene.path is not None:
        # Relative as it is given, so that messages name it so.
        header["path"] = scene.path if here == worker_folder else os.path.join(here, scene.path)
        return framed(encode(header))
    header["folder"] = "" if here == worker_folder else here
    header["bytes"] = len(scene.json)
    return framed(encode(header), scene.json)


def job_message(job: Any, number: int, defaults: Mapping[str, Any], *, kind: str = "job") -> list[bytes]:
    return framed(encode({"type": kind, "number": number, **defaults, "job": job}))


@functools.lru_cache(64)
def single_job(format: str, quality: int | None, progressive: bool, palette: int | None, inspect: bool) -> tuple[bytes, ...]:
    """The job message of a picture whose scene comes before it."""
    options = PictureOptions(None, None, None, None, format, quality, progressive, palette, inspect)
    return tuple(job_message({"id": "picture"}, 1, options.defaults()))


def job_of(job: Any, number: int) -> Any:
    """A job as it is sent: a mapping, with an id."""
    if not isinstance(job, (Element, Mapping)):
        raise UsageError(f"a job is a Job or a dict, not {type(job).__name__}")
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
