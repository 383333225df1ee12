"""Drives the program that supervises a pool's workers: sends it the requests for pictures, and delivers its answers."""

from __future__ import annotations

import contextlib
import itertools
import os
import threading
from collections import deque
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

from .errors import DeadlineExceeded, InternalError, SceneError, UsageError, WaymarkError, WorkerCrashed
from .picture import Picture
from .requests import PictureOptions, checked, job_of, picture_of, question, question_message, scene_message
from .sources import SceneData
from .worker import Message, WorkerOptions, WorkerProcess, fault, framed, greet

#: The number of pictures per worker that the program has: the one being drawn, the next one, and others to choose from.
IN_HAND = 4
#: The number of pictures per worker that are drawn ahead of their use; twice as many may be requested.
WINDOW = 8
#: The number of attempts to start the program. It is not started again if it reports why it cannot be ready.
START_TRIES = 2
#: The bytes of memory for a picture of raw pixels. Larger pictures come through the pipe.
PLACE_BYTES = 16 << 20


@dataclass(slots=True, eq=False)
class Request:
    """A requested picture."""

    number: int
    #: None if the job is on the base scene.
    scene: SceneData | None
    question: bytes
    #: The job on the base scene, as the caller gave it.
    job: Any = None
    future: Future[Picture] = field(default_factory=Future)
    #: The number of times that a worker, or the program, ended meanwhile.
    losses: int = 0
    #: The picture's place in the memory.
    place: int = 0

    def settle(self, outcome: Picture | WaymarkError) -> None:
        """Delivers the picture or the error, unless the request has been canceled."""
        if self.scene is not None:
            with contextlib.suppress(OSError):  # Of temporary files.
                self.scene.close()
        if not self.future.set_running_or_notify_cancel():
            return
        if isinstance(outcome, WaymarkError):
            self.future.set_exception(outcome)
        else:
            self.future.set_result(outcome)


class PoolClient:
    """Runs ``waymark worker --workers``, which starts, feeds and replaces the workers of one pool. Threads may share a client."""

    def __init__(
        self,
        workers: int | None,
        worker_options: WorkerOptions,
        options: PictureOptions,
        base: Any,
        deadline: float | None,
        retries: int,
    ) -> None:
        self.owner = os.getpid()
        # The program itself retries nothing, because a picture that exceeds its deadline would take twice as long.
        self._arguments = [*worker_options.arguments(), "--retries=0"]
        self._arguments.append(f"--workers={'auto' if workers is None else workers}")
        if deadline is not None:
            self._arguments.append(f"--deadline={deadline}")
        self._retries = retries
        self._given_settings = options.settings()
        self._settings = checked(self._given_settings)
        self._defaults = options.defaults()
        self._has_memory = self._defaults["format"] == "rgba"
        self._single = question({"id": "picture"}, self._defaults)
        self._base = None if base is None else SceneData(base, arguments=self._given_settings)
        self.workers = workers or 1
        #: The number of replaced workers.
        self.restarts = 0
        self.device_name = ""
        #: The warnings of the base scene.
        self.diagnostics: tuple[str, ...] = ()
        self._numbers = itertools.count(1)
        # Reentrant, because the garbage collector may run at any time and close a pool that nobody closed.
        self._lock = threading.RLock()
        self._has_room = threading.Condition(self._lock)
        #: The pictures that wait here, and the pictures sent to the program, keyed by their numbers.
        self._waiting: deque[Request] = deque()
        self._in_hand: dict[int, Request] = {}
        #: The pictures and errors to be delivered.
        self._outcomes: deque[tuple[Request, Picture | WaymarkError]] = deque()
        #: The reason why no more pictures are accepted.
        self._refusal: WaymarkError | None = None
        self._is_ready = threading.Event()
        self._starts = 0
        self._process: WorkerProcess | None = None
        self._thread: threading.Thread | None = None
        with self._lock:
            self._start()

    # Called by the users' threads

    def wait_until_ready(self) -> None:
        """Waits for the first worker."""
        self._is_ready.wait()
        if self._refusal is not None:
            raise self._refusal

    def request(self, scene: Any) -> Request:
        """Encodes a scene or, if there is a base scene, a job."""
        number = next(self._numbers)
        if self._base is not None:
            return Request(number, None, question(job_of(scene, number), self._defaults), scene)
        return Request(number, SceneData(scene, arguments=self._given_settings), self._single)

    def submit(self, request: Request, *, waits: bool) -> Future[Picture]:
        """Requests a picture.

        :param waits: whether to block while very many requests are already waiting.
        """
        # Without a reference to the request, which would keep its picture until the garbage collector finds the cycle.
        number = request.number
        request.future.add_done_callback(lambda future: self._take_back(number) if future.cancelled() else None)
        with self._lock:
            while waits and self._refusal is None and len(self._waiting) + len(self._in_hand) >= self.workers * WINDOW * 2:
                self._has_room.wait()
            self._waiting.append(request)
            self._feed()
        self._deliver()
        return request.future

    def _take_back(self, number: int) -> None:
        """Asks the program not to draw a picture. If a worker already has the request, the picture is still drawn."""
        with self._lock:
            if self._process is not None and number in self._in_hand:
                self._process.send(framed(b'{"type":"cancel","number":%d}' % number))

    def close(self) -> None:
        """Waits for the pictures that workers already have, cancels the others, and ends the program."""
        if self.owner != os.getpid():
            return
        with self._lock:
            self._refusal = self._refusal or _closed()
            process, thread = self._process, self._thread
        if process is not None:
            # The thread does the rest, because the garbage collector may call this at any time.
            process.wake()
        elif self._base is not None:
            self._base.close()
        if thread is not None and thread is not threading.current_thread():
            thread.join()

    def _deliver(self) -> None:
        """Delivers pictures and errors. Must be called without the lock, because callbacks of futures may do anything."""
        while self._outcomes:
            with contextlib.suppress(IndexError):  # Another thread may have delivered the last one.
                request, outcome = self._outcomes.popleft()
                request.settle(outcome)

    # With the lock

    def _start(self) -> None:
        """Starts the program."""
        self._starts += 1
        process = self._process = WorkerProcess(self._arguments, has_memory=self._has_memory)
        if self._base is not None:
            process.send(scene_message(self._base, self._settings, process.folder))
        self._thread = threading.Thread(target=self._run, args=(process,), name="waymark-pool", daemon=True)
        self._thread.start()

    def _feed(self) -> None:
        """Gives the program as many pictures as its workers can use."""
        try:
            if self._process is None and self._refusal is None and (self._waiting or not self._is_ready.is_set()):
                self._start()
        except WaymarkError as error:
            self._refusal = error
        if self._refusal is not None:
            self._outcomes += [(request, self._refusal) for request in self._waiting]
            self._waiting.clear()
            self._has_room.notify_all()
        while self._waiting and self._process is not None and len(self._in_hand) < self.workers * IN_HAND:
            request = self._waiting.popleft()
            if request.future.cancelled():
                self._settle(request, _closed())
                continue
            place = None
            if self._has_memory:
                taken = {other.place for other in self._in_hand.values()}
                request.place = next(number for number in itertools.count() if number not in taken)
                place = (request.place * PLACE_BYTES, PLACE_BYTES)
            try:
                frames = question_message(request.question, request.number, request.scene, self._settings, self._process.folder, place)
            except WaymarkError as error:
                self._settle(request, error)
                continue
            self._in_hand[request.number] = request
            self._process.send(frames)

    def _settle(self, request: Request, outcome: Picture | WaymarkError) -> None:
        """Queues a picture or an error for delivery."""
        self._outcomes.append((request, outcome))
        self._has_room.notify()

    # The thread of a program

    def _run(self, process: WorkerProcess) -> None:
        is_winding_up = False
        try:
            while (messages := process.attend(None)) is not None:
                for message in messages:
                    self._hear(process, message)
                if self._refusal is not None and not is_winding_up:
                    is_winding_up = True
                    self._wind_up(process)
            error = process.reap()
        except WaymarkError as problem:
            error = problem
        except BaseException as problem:  # No caller may wait forever.
            error = InternalError(f"the pool failed: {problem!r}")
        self._lose(process, error)

    def _hear(self, process: WorkerProcess, message: Message) -> None:
        header, _ = message
        kind = header.get("type")
        if self._base is not None and kind in ("ready", "error"):
            self._base.named(header)
        if kind == "hello":
            self.device_name = greet(process, header)
            self.workers = int(header.get("workers", self.workers))
            if self._base is None:
                self._is_ready.set()
        elif kind == "ready":
            self.diagnostics = tuple(header["warnings"])
            self._is_ready.set()
        elif kind in ("error", "fatal"):
            # The base scene is invalid, or no worker starts.
            self._refusal = self._refusal or fault(header)
            raise self._refusal
        elif kind == "restarted":
            self.restarts += 1
        elif kind in ("done", "failed", "cancelled") and header.get("number") in self._in_hand:
            self._answered(process, self._in_hand[header["number"]], message)
        else:
            raise InternalError(f"a worker sent an unexpected message: {kind}")

    def _answered(self, process: WorkerProcess, request: Request, message: Message) -> None:
        about = request.scene or self._base
        if about is not None:
            about.named(message[0], request.job)
        # The picture is copied before its place in the memory is free again.
        outcome = _outcome(process, message)
        with self._lock:
            del self._in_hand[request.number]
            # Another worker would reject the message in the same way, or exceed the deadline.
            if message[0].get("workerLost") and not isinstance(outcome, (SceneError, DeadlineExceeded)) and request.losses < self._retries:
                request.losses += 1
                self._waiting.appendleft(request)
            else:
                self._settle(request, outcome)
            self._feed()
        self._deliver()

    def _wind_up(self, process: WorkerProcess) -> None:
        """Tells the program to finish the pictures that workers have, and to end."""
        with self._lock:
            self._feed()
            headers = [*(b'{"type":"cancel","number":%d}' % number for number in self._in_hand), b'{"type":"end"}']
            process.send([frame for header in headers for frame in framed(header)])
        self._deliver()
        if not self._is_ready.is_set():
            process.process.kill()

    def _lose(self, process: WorkerProcess, error: WaymarkError) -> None:
        """Handles the end of the program. A new process draws the pictures that it had."""
        process.kill()
        with self._lock:
            is_ready = self._is_ready.is_set()
            if not process.has_started and error.code != WorkerCrashed.code or not is_ready and self._starts >= START_TRIES:
                self._refusal = self._refusal or error
            elif is_ready:
                self.restarts += self.workers
            lost = list(self._in_hand.values())
            self._in_hand.clear()
            self._process = None
            for request in reversed(lost):
                request.losses += 1
                # One retry more than after the loss of a worker, because it is not known which picture caused the end.
                if request.losses > self._retries + 1:
                    self._settle(request, error)
                else:
                    self._waiting.appendleft(request)
            self._feed()
        self._deliver()
        if self._refusal is not None:
            self._is_ready.set()
            if self._base is not None:
                with contextlib.suppress(OSError):  # Of temporary files.
                    self._base.close()


def _closed() -> UsageError:
    return UsageError("the pool was closed before this picture was drawn")


def _outcome(process: WorkerProcess, message: Message) -> Picture | WaymarkError:
    """The picture or the error in an answer."""
    header, payload = message
    if header["type"] == "failed":
        return fault(header)
    if header["type"] == "cancelled":
        # A canceled future already has an outcome.
        return _closed()
    try:
        return picture_of((header, process.picture(header) or payload))
    except Exception as problem:
        return InternalError(f"a worker's answer cannot be read: {problem!r}")
