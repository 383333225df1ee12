"""Draws pictures from datasets on a Ray cluster. This requires ``pip install 'waymark-maps[ray]'``.

Ray schedules the work, retries it on other nodes, and scales with the cluster. Each batch of jobs is a task. A process keeps one
``waymark worker`` for all tasks that it runs. This module contains the code of these processes, and creates the summary.
docs/architecture.md explains why the processes are not actors.
"""

from __future__ import annotations

import hashlib
import json
import os
import posixpath
import threading
import time
import uuid
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from .encoding import encode
from .errors import InternalError, MissingPackage, OutputError, SceneError, UsageError, WaymarkError
from .outputs import OutputFolder
from .overlays import Camera, Color, Fit, Size
from .picture import Picture
from .pool import Pool
from .requests import PictureOptions, check_job, question
from .settings import Theme
from .sources import SceneData

try:
    import numpy
    import ray
    import ray.exceptions
except ImportError:
    raise MissingPackage("Ray is not installed; run `pip install 'waymark-maps[ray]'`") from None

#: The stages of a picture, in order. The stage ``write`` writes it into the output.
STAGES = ("read", "layout", "draw", "readBack", "encode", "write")
#: The names of the counts in a report and in the summary.
COUNTS = ("jobs", "done", "skipped", "failed", "warnings", "bytes", "restarts")
#: The maximum number of jobs that a process gets at a time. All of them are drawn again if its node is lost.
LARGEST_BATCH = 128
#: The number of times that Ray gives the same jobs to another process after a process is lost.
LOSSES = 20
#: The stored form of the name of a file that is already in the output: 128 bits.
DIGEST = "S16"
#: The maximum number of failures listed in the summary.
LISTED_FAILURES = 1000
#: The number of files that a process writes concurrently: an object store takes a tenth of a second per file, and a process draws twenty
#: pictures in that time.
WRITERS = 32
#: Seconds after which an idle process ends its worker.
IDLE_SECONDS = 20.0
#: Seconds after which the number of processors of the cluster is checked again.
LOOK_AGAIN = 2.0


def render_dataset(
    dataset: Any,
    base: Any,
    output: str | os.PathLike[str],
    *,
    job: Callable[[dict[str, Any]], Any] | None = None,
    resume: bool = True,
    concurrency: int | None = None,
    gpu: bool = False,
    batch_size: int | None = None,
    storage_options: Mapping[str, Any] | None = None,
    patience: float = 300,
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
    lenient: bool = False,
    strict: bool = False,
    device: str | None = None,
    font_dir: str | None = None,
    cache_bytes: int | None = None,
    progress: Callable[[dict[str, Any]], None] | None = None,
) -> dict[str, Any]:
    """Draws a picture for each row of a dataset, and writes the pictures to a folder that all nodes can access.

    A picture is written completely or not at all. If a node, a process or a worker is lost, its pictures are drawn elsewhere. Jobs that
    fail permanently, because they are invalid, are listed in the summary. All other jobs continue.

    :param dataset: a ``ray.data.Dataset``, or jobs: dicts or ``waymark_maps.Job`` objects, each with a unique ``id``.
    :param base: the scene that every job changes, in any form that ``waymark_maps.render`` accepts. Files that it names must exist on all
        nodes.
    :param output: a path or a URL of any file system that fsspec knows, such as ``s3://bucket/cards``.
    :param job: a function that makes a job from a row, given as a dict of its columns. Default: the column ``job`` contains the job as
        JSON.
    :param resume: skip jobs whose picture is already in ``output``. The folder is listed once.
    :param concurrency: the number of pictures drawn in parallel. Default: one per processor of the cluster, or, with ``gpu``, two
        per GPU.
    :param gpu: draw on GPUs.
    :param batch_size: the number of jobs that a process gets at a time. Default: 128, and fewer for a short list.
    :param storage_options: options for the file system, such as ``key`` and ``secret``.
    :param patience: the time in seconds for which writing a picture is retried before the picture counts as failed.
    :param deadline: the time in seconds that a picture may take before its worker is replaced.
    :param progress: a function that is called occasionally with the summary so far.
    :return: a dict with ``jobs``, ``done``, ``skipped``, ``failed``, ``failures`` (a list of ``id``, ``code``, ``message``, at most 1000),
        ``bytes``, ``seconds``, ``picturesPerSecond``, ``restarts`` of workers, ``nodes`` (pictures per node), ``warnings``, and ``stages``
        (the ``sum`` and the ``mean`` of each stage in milliseconds).
    :raises WaymarkError: the base scene is invalid, the output cannot be listed, or the nodes cannot draw.

    The other parameters are described at ``waymark_maps.render`` and ``waymark_maps.Renderer``.
    """
    begun = time.monotonic()
    options = {
        "size": size,
        "pixel_ratio": pixel_ratio,
        "background": background,
        "theme": theme,
        "camera": camera,
        "format": format,
        "quality": quality,
        "progressive": progressive,
        "palette": palette,
        "device": device,
        "require_gpu": gpu,
        "font_dir": font_dir,
        "cache_bytes": cache_bytes,
        "lenient": lenient,
        "strict": strict,
        "deadline": deadline,
    }
    # Checked here, so that an error in them is raised once instead of in every process.
    PictureOptions(format=format)
    scene = {"waymark": 1} if base is None else base
    SceneData(scene).close()
    if isinstance(scene, (str, os.PathLike)):
        scene = os.path.abspath(scene)
    folder = OutputFolder(output, storage_options)
    if not ray.is_initialized():
        ray.init()
    settings = {
        "scene": scene,
        "folder": os.getcwd(),
        "options": options,
        "output": os.fspath(output),
        "storage_options": dict(storage_options or {}),
        "patience": patience,
        "job": job,
        "existing": _Names(folder.names() if resume else ()),
    }
    cluster = _Cluster(gpu, concurrency)
    if hasattr(dataset, "iter_batches"):
        batches = iter(dataset.iter_batches(batch_size=batch_size or LARGEST_BATCH, batch_format="numpy"))
    elif job is not None:
        raise UsageError("job: this argument is only for a Dataset, whose rows it turns into jobs; omit it for a list of jobs")
    else:
        batches = _batches(dataset, batch_size or cluster.batch_size(dataset))
    summary = _Summary()
    # A list, so that Ray does not unpack it for every call.
    held = [ray.put(settings)]
    run = uuid.uuid4().hex
    # Calls are unlimited, because by default Ray ends a process after one call that had a GPU.
    draw = ray.remote(max_calls=0)(_draw).options(num_cpus=1, num_gpus=0.5 if gpu else None, max_retries=LOSSES)
    pending: dict[Any, int] = {}
    try:
        for batch in batches:
            count = len(next(iter(batch.values())))
            pending[draw.remote(run, held, batch)] = count
            while len(pending) >= cluster.room():
                _take(pending, summary)
                if progress is not None:
                    progress(summary.result(begun))
        while pending:
            _take(pending, summary)
            if progress is not None:
                progress(summary.result(begun))
    finally:
        for reference in pending:
            ray.cancel(reference, force=True)
        folder.remove_parts()
    return summary.result(begun)


def _take(pending: dict[Any, int], summary: _Summary) -> None:
    """Waits for calls in progress, and takes the results of all finished calls."""
    ready, _ = ray.wait(list(pending), num_returns=1)
    if len(pending) > 1:
        # If there are a thousand processes, many finish together.
        ready, _ = ray.wait(list(pending), num_returns=len(pending), timeout=0)
    for reference in ready:
        count = pending.pop(reference)
        try:
            summary.add(json.loads(ray.get(reference)))
        except ray.exceptions.RayTaskError as error:
            # An error that concerns all jobs.
            raise _cause(error) from error
        except ray.exceptions.RayError as error:
            summary.lose(count, f"Ray gave up after {LOSSES} retries: {_first_line(error)}")


class _Cluster:
    """The number of pictures that can be drawn in parallel."""

    def __init__(self, gpu: bool, concurrency: int | None) -> None:
        self._gpu = gpu
        self._concurrency = concurrency
        self._slots = 0
        self._looked = float("-inf")

    @property
    def slots(self) -> int:
        """The number of concurrent calls, which is updated occasionally, since a cluster may grow."""
        if self._concurrency is not None:
            return self._concurrency
        now = time.monotonic()
        if now - self._looked > LOOK_AGAIN:
            look: Callable[[], Mapping[str, float]] = ray.cluster_resources
            resources = look()
            self._slots = max(1, int(resources.get("GPU", 0) * 2 if self._gpu else resources.get("CPU", 1)))
            self._looked = now
        return self._slots

    def room(self) -> int:
        """The maximum number of submitted calls. By default, more calls are submitted than can run, so that no worker waits for this
        process.
        """
        return self.slots if self._concurrency is not None else self.slots * 2 + 1

    def batch_size(self, jobs: Any) -> int:
        """The number of jobs per batch: at least eight batches per process if possible, so that all processes end at about the same
        time.
        """
        count = len(jobs) if hasattr(jobs, "__len__") else LARGEST_BATCH * 8 * self.slots
        return max(1, min(LARGEST_BATCH, -(-count // (self.slots * 8))))


def _batches(jobs: Iterable[Any], size: int) -> Iterator[dict[str, list[str]]]:
    batch: list[str] = []
    for number, item in enumerate(jobs, 1):
        check_job(item, f"job {number}: ")
        batch.append(encode(item).decode())
        if len(batch) == size:
            yield {"job": batch}
            batch = []
    if batch:
        yield {"job": batch}


def _first_line(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__


def _cause(error: BaseException) -> WaymarkError:
    """The error that a process raised, without the errors in which Ray wraps it."""
    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, WaymarkError) and not isinstance(seen, ray.exceptions.RayError):
            return seen
        inner = getattr(seen, "cause", None)
        seen = inner if isinstance(inner, BaseException) else seen.__cause__
    return InternalError(f"a Ray process failed: {str(error).strip().splitlines()[-1]}")


#: The drawers of this process, by the run and the GPUs that Ray assigns to it.
_drawers: dict[str, _Drawer] = {}
_lock = threading.Lock()
#: Ends the worker of a process that receives no more work from Ray.
_idle: threading.Timer | None = None


def _draw(run: str, settings: list[Any], batch: dict[str, Any]) -> str:
    """Draws some jobs in a Ray process, which keeps its worker for the next ones.

    :return: the report as JSON.
    """
    gpus = [str(gpu) for gpu in ray.get_gpu_ids()]
    name = ",".join([run, *gpus])
    global _idle
    with _lock:
        if _idle is not None:
            _idle.cancel()
            # A timer that is already waiting for the lock is not cancelled, and must not find itself here.
            _idle = None
        drawer = _drawers.get(name)
        if drawer is None:
            _let_go()
            drawer = _drawers[name] = _Drawer(ray.get(settings[0]), gpus)
    try:
        return json.dumps(drawer.draw(batch))
    finally:
        with _lock:
            _idle = threading.Timer(IDLE_SECONDS, _end_idle)
            _idle.daemon = True
            _idle.start()


def _end_idle() -> None:
    with _lock:
        if _idle is threading.current_thread():
            _let_go()


def _let_go() -> None:
    """Ends the workers of this process."""
    for name in list(_drawers):
        _drawers.pop(name).close()


class _Drawer:
    """Draws jobs through one worker, and writes their pictures."""

    def __init__(self, settings: dict[str, Any], gpus: list[str]) -> None:
        # A Ray process has one processor.
        os.environ.setdefault("LP_NUM_THREADS", "0")
        if os.path.isdir(settings["folder"]):
            os.chdir(settings["folder"])
        options = settings["options"]
        if gpus and options["device"] is None:
            options = {**options, "device": f"cuda:{gpus[0]}"}
        self.pool = Pool(1, base=settings["scene"], **options)
        self.format: str = settings["options"]["format"]
        self.folder = OutputFolder(settings["output"], settings["storage_options"], patience=settings["patience"])
        self.make_job: Callable[[dict[str, Any]], Any] | None = settings["job"]
        self.existing: _Names = settings["existing"]
        self.writers = ThreadPoolExecutor(WRITERS, thread_name_prefix="waymark-write")
        self.node: str = ray.get_runtime_context().get_node_id()

    def close(self) -> None:
        self.pool.close()
        self.writers.shutdown()

    def draw(self, batch: dict[str, Any]) -> dict[str, Any]:
        report = _Report(self.node)
        restarts = self.pool.restarts
        jobs = list(self.jobs(batch, report))
        writing: deque[tuple[str, Future[float]]] = deque()
        for job, picture in zip(jobs, self.pool.map(jobs, return_exceptions=True)):
            if isinstance(picture, WaymarkError):
                report.fail(job["id"], picture)
                continue
            report.add(picture)
            writing.append((job["id"], self.writers.submit(self.write, picture)))
            while len(writing) > WRITERS * 2 or writing and writing[0][1].done():
                report.written(*writing.popleft())
        while writing:
            report.written(*writing.popleft())
        report.data["restarts"] = self.pool.restarts - restarts
        return report.data

    def write(self, picture: Picture) -> float:
        """Writes a picture.

        :return: the milliseconds that it took.
        """
        begun = time.monotonic()
        self.folder.write(picture.output, picture.data)
        return (time.monotonic() - begun) * 1000

    def jobs(self, batch: dict[str, Any], report: _Report) -> Iterable[dict[str, Any]]:
        """The jobs of a batch that must be drawn."""
        names = list(batch)
        if self.make_job is None and "job" not in batch:
            columns = ", ".join(names)
            raise UsageError(f'the dataset has no column "job" (it has {columns}); pass the argument job to make jobs from its rows')
        for values in zip(*batch.values()):
            report.data["jobs"] += 1
            row = dict(zip(names, values))
            try:
                job = json.loads(str(row["job"]) if self.make_job is None else encode(self.make_job(_plain(row))))
                if not isinstance(job, dict) or not isinstance(job.get("id"), str):
                    raise SceneError("a job must be an object whose id is a string")
            except WaymarkError as error:
                report.fail(None, error)
                continue
            except Exception as error:  # The function is the user's.
                report.fail(None, SceneError(f"the row cannot be turned into a job: {error!r}"))
                continue
            try:
                # Refuses the same jobs as the pool.
                question(job, {})
            except WaymarkError as error:
                report.fail(job["id"], error)
                continue
            if self.name(job) in self.existing:
                report.data["skipped"] += 1
                continue
            yield job

    def name(self, job: Mapping[str, Any]) -> str:
        """The path of a job's picture, normalized in the same way as in the worker."""
        if isinstance(job.get("output"), str):
            return posixpath.normpath(str(job["output"]))
        form = str(job.get("format") or self.format)
        return f"{job['id']}.{'jpg' if form == 'jpeg' else form}"


class _Names:
    """A set of names in a single array, whose memory all Ray processes of a node share without unpacking it."""

    def __init__(self, names: Iterable[str]) -> None:
        digests = b"".join(map(_digest, names))
        #: The names are sorted, so that a name is found by bisection.
        self._digests = numpy.sort(numpy.frombuffer(digests, dtype=DIGEST))

    def __contains__(self, name: str) -> bool:
        wanted = numpy.frombuffer(_digest(name), dtype=DIGEST)[0]
        place = int(numpy.searchsorted(self._digests, wanted))
        return place < len(self._digests) and bool(self._digests[place] == wanted)


def _digest(name: str) -> bytes:
    # In practice, no two names have the same 128 bits.
    return hashlib.blake2b(name.encode("utf-8", "surrogateescape"), digest_size=16).digest()


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    """A row with Python values instead of numpy values."""
    return {name: value.item() if hasattr(value, "item") and getattr(value, "ndim", 1) == 0 else value for name, value in row.items()}


class _Report:
    """The result of a batch."""

    def __init__(self, node: str) -> None:
        self.data: dict[str, Any] = {
            "node": node,
            **dict.fromkeys(COUNTS, 0),
            "stages": dict.fromkeys(STAGES, 0.0),
            "failures": [],
        }

    def add(self, picture: Picture) -> None:
        for stage in STAGES[:-1]:
            self.data["stages"][stage] += picture.times.get(stage, 0)
        self.data["warnings"] += len(picture.diagnostics)
        self.data["bytes"] += len(picture.data)

    def written(self, job: str, result: Future[float]) -> None:
        try:
            self.data["stages"]["write"] += result.result()
            self.data["done"] += 1
        except OutputError as error:
            self.fail(job, error)

    def fail(self, job: str | None, error: WaymarkError) -> None:
        self.data["failed"] += 1
        self.data["failures"].append({"id": job, "code": error.code, "message": str(error)})


class _Summary:
    """The combination of all reports."""

    def __init__(self) -> None:
        self.data: dict[str, Any] = dict.fromkeys(COUNTS, 0)
        self.failures: list[dict[str, Any]] = []
        self.nodes: dict[str, int] = {}
        self.stages = dict.fromkeys(STAGES, 0.0)

    def add(self, report: dict[str, Any]) -> None:
        for key in COUNTS:
            self.data[key] += report[key]
        self.failures += report["failures"][: LISTED_FAILURES - len(self.failures)]
        self.nodes[report["node"]] = self.nodes.get(report["node"], 0) + report["done"]
        for stage in STAGES:
            self.stages[stage] += report["stages"][stage]

    def lose(self, count: int, message: str) -> None:
        """Counts jobs without a report."""
        self.data["jobs"] += count
        self.data["failed"] += count
        if len(self.failures) < LISTED_FAILURES:
            self.failures.append({"id": None, "code": 70, "message": f"{count} {'job' if count == 1 else 'jobs'}: {message}"})

    def result(self, begun: float) -> dict[str, Any]:
        seconds = time.monotonic() - begun
        done = self.data["done"]
        return {
            **self.data,
            "seconds": round(seconds, 3),
            "picturesPerSecond": round(done / seconds, 1) if seconds > 0 else 0,
            "nodes": dict(sorted(self.nodes.items())),
            "stages": {
                stage: {"sum": round(total, 3), "mean": round(total / done, 3) if done else 0} for stage, total in self.stages.items()
            },
            "failures": self.failures,
        }


__all__ = ["render_dataset"]
