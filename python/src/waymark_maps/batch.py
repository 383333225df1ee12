"""Draws a batch with the program ``waymark batch``. It writes the pictures to a folder and keeps a record, so that the batch can be
continued.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import tempfile
import warnings
from collections.abc import Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Union

from .encoding import Element, brief, encode
from .errors import UsageError, WaymarkError, WorkerCrashed, error_of
from .overlays import Camera, Color, Fit, Size
from .program import as_options, sentence, start
from .requests import PictureOptions, check_job
from .settings import Theme, check_deadline, size_of, worker_count
from .sources import SceneData


@dataclass(frozen=True)
class Progress:
    """The progress of the batch."""

    jobs: int = 0
    """The number of all jobs of this shard."""
    done: int = 0
    """The number of pictures drawn in this run."""
    skipped: int = 0
    """The number of pictures drawn in an earlier run."""
    failed: int = 0

    @property
    def finished(self) -> int:
        return self.done + self.skipped + self.failed


@dataclass(frozen=True)
class BatchEvent:
    """An event of a batch, with the progress so far."""

    progress: Progress


@dataclass(frozen=True)
class Begun(BatchEvent):
    """The jobs have been checked, and drawing begins."""


@dataclass(frozen=True)
class Done(BatchEvent):
    """A picture was drawn."""

    line: int
    """The job's position, from 1."""
    id: str
    path: str
    """The picture's file."""
    size: tuple[int, int]
    """``(width, height)`` in device pixels."""
    bytes: int
    """The size of the file in bytes."""


@dataclass(frozen=True)
class Failed(BatchEvent):
    """A job failed, so it has no picture."""

    line: int
    id: str | None
    """The job's id; None if it has no valid id."""
    error: WaymarkError


@dataclass(frozen=True)
class Warned(BatchEvent):
    """Something could not be drawn as requested. A repeated warning is reported once; ``warnings.jsonl`` lists every case."""

    message: str
    line: int | None = None
    """The job's position, from 1; None for a warning about the base scene or the machine."""
    id: str | None = None


@dataclass(frozen=True)
class Restarted(BatchEvent):
    """A worker ended and was replaced."""

    worker: int
    message: str


@dataclass(frozen=True)
class Summary(BatchEvent):
    """The last event of a batch. docs/batch.md describes ``data``."""

    data: dict[str, Any] = field(default_factory=dict)


class BatchIncomplete(WaymarkError):
    """Some pictures of a batch are missing (exit code 75). To draw them, run the batch again with ``resume=True``."""

    code = 75

    #: The counts; None if the batch ended before its summary.
    summary: Summary | None = None


def batch(
    jobs: Union[str, os.PathLike[str], Iterable[Any]],
    *,
    output: str | os.PathLike[str],
    base: Any = None,
    resume: bool = False,
    shard: tuple[int, int] | None = None,
    workers: int | None = None,
    deadline: float = 60,
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
    lenient: bool = False,
    strict: bool = False,
    cluster: bool = False,
    device: str | None = None,
    require_gpu: bool = False,
    font_dir: str | None = None,
    cache_bytes: int | None = None,
    raise_incomplete: bool = True,
) -> Iterator[BatchEvent]:
    """Draws a picture for each job, using all processors, writes the pictures to a folder, and yields the events of the batch.

    ::

        for event in waymark_maps.batch(jobs, base=scene, output="cards", resume=True):
            if isinstance(event, waymark_maps.Failed):
                print(event.id, event.error)

    The batch begins when its first event is requested; if no event is ever requested, it draws nothing and warns. When the caller stops
    requesting events, the batch finishes the pictures in progress and ends; ``resume=True`` continues it.

    :param jobs: the path of a file of JSON lines, or dicts or ``Job`` objects, each with a unique ``id``.
    :param output: the folder for the pictures. It is created if it is missing.
    :param base: the scene that every job changes, in any form that ``render`` accepts. Default: an empty scene.
    :param resume: draw only pictures that are missing, or whose job, base scene or options have changed.
    :param shard: ``(index, count)``: draw one of ``count`` parts of the jobs.
    :param deadline: seconds that a job may take before its worker is replaced.
    :param camera: the camera that replaces the base scene's camera.
    :param raise_incomplete: raise ``BatchIncomplete`` after the summary if pictures are missing.
    :raises WaymarkError: the batch cannot begin or continue.

    The other parameters are described at ``render`` and ``Renderer``.
    """
    check_deadline(deadline)
    options = PictureOptions(None, pixel_ratio, background, theme, None, format, quality, progressive, palette, inspect)
    arguments = ["batch", "--events", f"--output={os.fspath(output)}", f"--deadline={deadline}"]
    look = {"quality": quality, "palette": palette, "pixel-ratio": pixel_ratio, "background": background, "theme": theme}
    arguments += as_options(look, {"progressive": progressive, "inspect": inspect})
    machine = {"workers": worker_count(workers), "device": device, "font-dir": font_dir, "cache-bytes": cache_bytes}
    arguments += as_options(machine, {"resume": resume, "lenient": lenient, "strict": strict, "cluster": cluster, "require-gpu": require_gpu})
    if shard is not None:
        if not isinstance(shard, (list, tuple)) or len(shard) != 2:
            raise UsageError(f"shard: {brief(shard)} is not (index, count)")
        arguments.append(f"--shard={shard[0]}/{shard[1]}")
    if size is not None:
        extent = json.loads(encode(size_of(size)))
        arguments.append(f"--size={extent['width']}x{extent['height']}")
    if options.format != "png":
        arguments.append(f"--format={format}")
    return _BatchEvents(_run(arguments, jobs, base, camera, os.fspath(output), raise_incomplete), os.fspath(output))


class _BatchEvents(Iterator[BatchEvent]):
    """The events of a batch. Warns if the first event is never requested, because the batch then never begins."""

    def __init__(self, events: Iterator[BatchEvent], output: str) -> None:
        self._events = events
        self._output = output
        self._has_begun = False

    def __next__(self) -> BatchEvent:
        self._has_begun = True
        return next(self._events)

    def __del__(self) -> None:
        if not self._has_begun:
            warnings.warn(
                f"the batch into {self._output} was never iterated, so nothing was drawn; iterate over its events: for event in batch(…)",
                stacklevel=2,
            )


def _run(
    arguments: list[str], jobs: Any, base: Any, camera: Any, output: str, raise_incomplete: bool
) -> Iterator[BatchEvent]:
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="waymark-"))
        job_file: str | None = None
        if isinstance(jobs, (str, os.PathLike)):
            path = os.fspath(jobs)
            arguments.append(f"./{path}" if path.startswith("-") else path)
        else:
            job_file = _job_file(jobs, os.path.join(folder, "jobs.jsonl"))
            arguments.append(job_file)
        stdin: Any = subprocess.DEVNULL
        scene = _base(base, camera, output)
        if scene is not None and scene.path is not None:
            arguments.append(f"--scene=./{scene.path}" if scene.path.startswith("-") else f"--scene={scene.path}")
        elif scene is not None:
            arguments.append("--scene=-")
            path = os.path.join(folder, "base.json")
            with open(path, "wb") as file:
                file.write(scene.json)
            stdin = stack.enter_context(open(path, "rb"))
        errors = stack.enter_context(tempfile.TemporaryFile())
        process: subprocess.Popen[bytes] = start(
            arguments,
            lambda command: subprocess.Popen(
                command, stdin=stdin, stdout=subprocess.PIPE, stderr=errors, start_new_session=True, bufsize=1 << 16
            ),
        )
        try:
            summary = yield from _events(process, output)
            status = process.wait()
        except BaseException:
            # When the caller stops requesting events, the batch finishes the pictures in progress and ends.
            process.send_signal(signal.SIGTERM)
            raise
        finally:
            if process.stdout is not None:
                process.stdout.close()
            process.wait()
        if status == 0 or status == 75 and not raise_incomplete and summary is not None:
            return
        errors.seek(0)
        words = _told(sentence(errors.read(), status), job_file, scene)
        if status == 75:
            incomplete = BatchIncomplete(words)
            incomplete.summary = summary
            raise incomplete
        raise error_of(status if status > 0 else 70, words)


def _events(process: subprocess.Popen[bytes], output: str) -> Generator[BatchEvent, None, Summary | None]:
    """The events of a batch; returns its summary."""
    progress = Progress()
    summary: Summary | None = None
    assert process.stdout is not None
    for text in process.stdout:
        line = json.loads(text)
        kind = line["event"]
        if kind == "begin":
            progress = Progress(jobs=line["jobs"], skipped=line["skipped"])
            yield Begun(progress)
        elif kind == "done":
            progress = Progress(progress.jobs, progress.done + 1, progress.skipped, progress.failed)
            width, height = line["pixels"]
            yield Done(progress, line["line"], line["id"], os.path.join(output, line["output"]), (width, height), line["size"])
        elif kind == "failed":
            progress = Progress(progress.jobs, progress.done, progress.skipped, progress.failed + 1)
            yield Failed(progress, line["line"], line["id"], _error_of_job(line["code"], line["message"]))
        elif kind == "warning":
            yield Warned(progress, line["message"], line.get("line"), line.get("id"))
        elif kind == "restarted":
            yield Restarted(progress, line["worker"], line["message"])
        elif kind == "summary":
            data = {key: value for key, value in line.items() if key != "event"}
            progress = Progress(data["jobs"], data["done"], data["skipped"], data["failed"])
            summary = Summary(progress, data)
            yield summary
    return summary


def _told(words: str, job_file: str | None, scene: SceneData | None) -> str:
    """The program's message without the names of the temporary files that it read.

    :param job_file: the temporary file of jobs, if the caller gave them as Python objects.
    """
    if scene is not None:
        if scene.path is None and words.startswith("standard input: "):
            words = "the scene: " + words.removeprefix("standard input: ")
        words = scene.sentence(words)
    if job_file is not None and words.startswith(f"{job_file}: line "):
        return re.sub(r"\balready used in line (?=\d+$)", "already used by job ", "job " + words.removeprefix(f"{job_file}: line "))
    return words


def _error_of_job(code: int, message: str) -> WaymarkError:
    return WorkerCrashed(message) if code == 70 else error_of(code, message)


def _job_file(jobs: Iterable[Any], path: str) -> str:
    with open(path, "wb") as file:
        for number, job in enumerate(jobs, 1):
            check_job(job, f"job {number}: ")
            file.write(encode(job) + b"\n")
    return path


def _base(base: Any, camera: Any, output: str) -> SceneData | None:
    """The base scene with its camera."""
    if camera is not None:
        if base is None:
            base = {"waymark": 1}
        if not isinstance(base, (Element, Mapping)) or isinstance(base, Mapping) and "waymark" not in base:
            raise UsageError(
                'camera: this argument requires a base scene that is a Scene or a dict with the key "waymark"; for other base scenes, set the camera '
                "in the jobs or in the scene file"
            )
        members = base.members() if isinstance(base, Element) else base
        base = {**members, "camera": camera}
    if base is None:
        return None
    # Sources written to files stay in the output, so that a resumed batch has the same base scene.
    return SceneData(base, os.path.join(output, ".waymark-sources"))
