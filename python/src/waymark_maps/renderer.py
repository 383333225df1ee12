"""Draws one picture after another through one worker process."""

from __future__ import annotations

import functools
import os
import threading
import time
import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from inspect import signature
from typing import Any, Concatenate, ParamSpec, TypeVar

from .errors import DeadlineExceeded, InternalError, WorkerCrashed, unexpected_argument
from .overlays import Camera, Color, Fit, Size
from .picture import Picture
from .requests import checked, picture_of, question, question_message, single_question
from .settings import Theme, check_deadline, check_number, settings_of
from .sources import SceneData
from .worker import START_SECONDS, Message, WorkerOptions, WorkerProcess, fault, greet

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


@dataclass(frozen=True)
class Hit:
    """An object at a point of a picture."""

    id: str | None
    """The object's id, given or generated; None for an info window at a position."""
    type: str
    """The object's type: ``marker``, ``polyline`` … ``cluster``, ``symbol``, ``infoWindow``."""
    part: str
    """The part of the object at the point: ``icon``, ``caption``, ``shape``, ``model``, ``cluster``, ``symbol``, ``infoWindow``,
    ``viewOverlay`` or ``element``.
    """


class Renderer:
    """Draws pictures with one worker process, which starts with the first picture and keeps running.

    Several threads may use a renderer; they take turns. To draw several pictures at a time, use ``Pool``. The functions
    ``waymark_maps.render``, ``inspect`` and ``pick`` share one renderer per process.
    """

    def __init__(
        self,
        *,
        device: str | None = None,
        require_gpu: bool = False,
        font_dir: str | None = None,
        cache_bytes: int | None = None,
        lenient: bool = False,
        strict: bool = False,
        cluster: bool = False,
        deadline: float | None = 60,
    ) -> None:
        """
        :param device: ``auto``, ``software``, ``cuda:0`` and so on, as for the program's option ``--device``.
        :param require_gpu: refuse a software rasterizer.
        :param font_dir: a folder of fonts to use instead of the system's.
        :param cache_bytes: the maximum number of bytes that the worker caches between pictures. Default 256 MiB.
        :param lenient: draw the rest of a scene if an image is missing or damaged.
        :param strict: raise an error instead of returning a picture that has warnings.
        :param cluster: whether to group the points of tables and of files of features in clusters. Scenes are then refused, because they
            have their own cluster layers.
        :param deadline: the time limit for a picture in seconds; None for no limit.
        """
        if deadline is not None:
            check_deadline(deadline)
        self._options = WorkerOptions(device, require_gpu, font_dir, cache_bytes, lenient, strict, cluster)
        self._options.arguments()
        self._deadline = deadline
        self._lock = threading.Lock()
        self._worker: WorkerProcess | None = None
        self._finalizer: weakref.finalize[[WorkerProcess], Renderer] | None = None
        #: The renderer's name, such as ``llvmpipe (LLVM 15.0.6, 256 bits)``; empty before the first picture.
        self.device_name = ""

    def render(
        self,
        scene: Any,
        *,
        size: Size | Mapping[str, Any] | tuple[float, float] | None = None,
        pixel_ratio: float | None = None,
        background: Color | None = None,
        theme: Theme | None = None,
        camera: Camera | Fit | Mapping[str, Any] | None = None,
        format: str = "png",
        quality: int | None = None,
        progressive: bool = False,
        palette: int | None = None,
        inspect: bool = False,
    ) -> Picture:
        """Draws a scene.

        :param scene: a ``Scene``, the path of a scene or GeoJSON file, a dict of either, a GeoDataFrame, a DataFrame with columns for
            longitude and latitude, or anything with ``__geo_interface__`` or ``to_json()``.
        :param size: ``(width, height)`` in pt. Default: the scene's size.
        :param pixel_ratio: device pixels per pt. Default: the scene's pixel ratio.
        :param background: the background color. Default: the scene's background color.
        :param theme: ``light``, ``dark`` or ``gray``. Default: the scene's theme. It determines all colors that the scene does not set.
        :param camera: the camera. Default: the scene's camera.
        :param format: ``png``, ``jpeg``, ``webp`` or ``rgba``.
        :param quality: 1 to 100, for JPEG (default 85) and WebP (default lossless).
        :param progressive: whether a JPEG first appears in low detail.
        :param palette: 2 to 256, the maximum number of colors of a PNG with a palette.
        :param inspect: whether the picture includes its ``inspection``.
        :raises WaymarkError: the scene cannot be drawn: ``SceneError`` if it is invalid, ``InputError`` if the scene or a file that it
            names cannot be read, ``DeviceError`` if the machine lacks a required component, ``WorkerCrashed`` or ``DeadlineExceeded`` if
            the worker fails.
        """
        asked = single_question(format, quality, progressive, palette, inspect)
        return picture_of(self._ask(scene, settings_of(size, pixel_ratio, background, theme, camera), asked))

    def inspect(
        self,
        scene: Any,
        *,
        size: Size | Mapping[str, Any] | tuple[float, float] | None = None,
        pixel_ratio: float | None = None,
        camera: Camera | Fit | Mapping[str, Any] | None = None,
        symbols: bool = False,
    ) -> dict[str, Any]:
        """The positions of everything in a scene's picture, and the reasons why objects are not in it: the output of ``waymark inspect``.
        Nothing is drawn.

        :param symbols: whether to list, among the symbols, the visible labels of a vector base map.

        The other parameters and the errors are the same as for ``render``.
        """
        asked = question({"id": "picture"}, {"symbols": True} if symbols else {}, kind="inspect")
        header, _ = self._ask(scene, settings_of(size, pixel_ratio, camera=camera), asked)
        inspection: dict[str, Any] = header["inspection"]
        return inspection

    def pick(
        self,
        scene: Any,
        x: float,
        y: float,
        *,
        tolerance: float = 2,
        include_invisible: bool = False,
        ignore_transparent: bool = False,
        size: Size | Mapping[str, Any] | tuple[float, float] | None = None,
        pixel_ratio: float | None = None,
        camera: Camera | Fit | Mapping[str, Any] | None = None,
    ) -> list[Hit]:
        """The objects at a point of a scene's picture, topmost first. Nothing is drawn.

        :param x: the distance in pt from the picture's left edge.
        :param y: the distance in pt from the picture's top edge.
        :param tolerance: the maximum distance of an object from the point, 0 to 100 pt.
        :param include_invisible: also find objects that are hidden, outside their zoom range, or hidden by a collision, at the places where
            they would be drawn.
        :param ignore_transparent: ignore transparent pixels of icons.

        The other parameters and the errors are the same as for ``render``.
        """
        check_number("x", x)
        check_number("y", y)
        options = {
            "at": [x, y],
            "tolerance": tolerance,
            "includeInvisible": include_invisible,
            "ignoreTransparent": ignore_transparent,
        }
        asked = question({"id": "picture"}, options, kind="pick")
        header, _ = self._ask(scene, settings_of(size, pixel_ratio, camera=camera), asked, options)
        return [Hit(hit["id"], hit["type"], hit["part"]) for hit in header["hits"]]

    def close(self) -> None:
        """Ends the worker. The next picture starts a new worker."""
        with self._lock:
            self._drop()

    def __enter__(self) -> Renderer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # The worker

    def _ask(self, scene: Any, settings: Mapping[str, Any], asked: bytes, options: Mapping[str, Any] = {}) -> Message:
        """Asks the worker about the picture of a scene.

        :param options: other arguments, by their keys in the message.
        """
        data = SceneData(scene, arguments={**settings, **options})
        try:
            patch = checked(settings)
            with self._lock:
                try:
                    return self._answer(data, patch, asked)
                except WorkerCrashed:
                    # The worker may have ended for a reason unrelated to this picture.
                    return self._answer(data, patch, asked)
        finally:
            data.close()

    def _answer(self, data: SceneData, settings: bytes, asked: bytes) -> Message:
        worker = self._started()
        try:
            answer = self._exchange(worker, question_message(asked, 1, data, settings, worker.folder), self._deadline)
        except BaseException:
            # The rest of the worker's output would be taken for the answer to the next question.
            self._drop(at_once=True)
            raise
        data.named(answer[0])
        if answer[0]["type"] == "failed":
            raise fault(answer[0])
        return answer

    def _started(self) -> WorkerProcess:
        if self._worker is not None and (self._worker.owner != os.getpid() or self._worker.has_ended):
            self._drop(at_once=True)
        if self._worker is None:
            worker = WorkerProcess(self._options.arguments())
            self._worker = worker
            self._finalizer = weakref.finalize(self, WorkerProcess.end, worker)
            try:
                hello, _ = self._exchange(worker, [], max(START_SECONDS, self._deadline or 0))
                self.device_name = greet(worker, hello)
            except BaseException:
                self._drop(at_once=True)
                raise
        return self._worker

    def _exchange(self, worker: WorkerProcess, frames: list[bytes], seconds: float | None) -> Message:
        """Sends a message, if any, and waits for one."""
        until = None if seconds is None else time.monotonic() + seconds
        worker.send(frames)
        while not (messages := worker.attend(None if until is None else until - time.monotonic())):
            if messages is None:
                raise worker.reap()
            if until is not None and time.monotonic() >= until:
                what = "the picture was not finished" if frames else "the worker did not start"
                raise DeadlineExceeded(f"{what} within {seconds:g} s")
        answer, *others = messages
        if answer[0].get("type") == "fatal":
            raise fault(answer[0])
        if others:
            raise InternalError("the worker sent more replies than were requested")
        return answer

    def _drop(self, *, at_once: bool = False) -> None:
        if self._finalizer is not None:
            self._finalizer.detach()
        if self._worker is not None:
            if at_once:
                self._worker.kill()
            else:
                self._worker.end()
        self._worker = self._finalizer = None


_renderer: Renderer | None = None
_renderer_lock = threading.Lock()


def shared() -> Renderer:
    """The renderer of this process."""
    global _renderer
    with _renderer_lock:
        if _renderer is None:
            _renderer = Renderer()
        return _renderer


def _forget() -> None:
    # A forked process starts its own worker, with a new lock: a lock that another thread held would never be released.
    global _renderer, _renderer_lock
    _renderer, _renderer_lock = None, threading.Lock()


os.register_at_fork(after_in_child=_forget)


def _shared(method: Callable[Concatenate[Renderer, Parameters], Result]) -> Callable[Parameters, Result]:
    """The function that calls a method of the renderer of this process."""

    of_method = signature(method)
    of_function = of_method.replace(parameters=list(of_method.parameters.values())[1:])

    @functools.wraps(method)
    def function(*arguments: Parameters.args, **options: Parameters.kwargs) -> Result:
        # Python's error would name the method.
        for name in options:
            if name not in of_function.parameters:
                raise unexpected_argument(method.__name__, name, of_function.parameters)
        try:
            of_function.bind(*arguments, **options)
        except TypeError as error:
            raise TypeError(f"{method.__name__}(): {error}") from None
        return method(shared(), *arguments, **options)

    function.__qualname__ = method.__name__
    function.__signature__ = of_function  # type: ignore[attr-defined]
    return function


render = _shared(Renderer.render)
inspect = _shared(Renderer.inspect)
pick = _shared(Renderer.pick)
