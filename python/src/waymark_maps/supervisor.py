"""The thread of a pool: starts workers, gives them pictures, replaces failed ones, and never blocks on a single worker."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import threading
import time
from typing import Any

from .encoding import SceneData, encode
from .errors import DeadlineExceeded, InternalError, UsageError, WaymarkError, WorkerCrashed
from .machine import processors
from .requests import PictureOptions, job_message, job_of, scene_message
from .slots import LOOK_SECONDS, WorkerSlot
from .tasks import PictureTask, TaskQueue
from .worker import END_SECONDS, START_SECONDS, Message, WorkerOptions, WorkerProcess, fault, greet, unended

#: The number of tasks of a worker: the one that it draws, and the next, so that it never waits.
IN_HAND = 2
#: The number of pictures per worker that are waiting, or drawn and not taken yet; this bounds the memory.
WINDOW = 8
#: The number of consecutive failed starts after which a slot stays empty for a while.
START_TRIES = 2
#: Seconds after which an empty slot is tried again.
START_AGAIN_SECONDS = 5.0


class Supervisor:
    """Runs the workers of one pool."""

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
        self._worker_options = worker_options
        worker_options.arguments()
        # Encoded as JSON here, so that errors are raised to the caller instead of in the thread.
        self._settings: dict[str, Any] = json.loads(encode(options.settings()))
        self._defaults: dict[str, Any] = json.loads(encode(options.defaults()))
        self._base = None if base is None else SceneData(base)
        self._deadline = deadline
        self._retries = retries
        self._is_count_given = workers is not None
        #: The target number of workers.
        self.wanted = workers or min(2, processors())
        #: The number of replaced workers.
        self.restarts = 0
        self.device_name = ""
        #: The warnings of the base scene.
        self.diagnostics: tuple[str, ...] = ()
        self._number = 0
        self.queue = TaskQueue(max(processors(), self.wanted) * WINDOW * 2)
        self.slots: list[WorkerSlot] = []
        #: Workers that were ended, but are still running.
        self._ending: list[WorkerProcess] = []
        #: The reason why no worker starts.
        self._failure: WaymarkError | None = None
        self._is_stopping = False
        self._is_first_ready = threading.Event()
        self._selector = selectors.DefaultSelector()
        self._alarm = _Alarm(self._selector)
        self._thread = threading.Thread(target=self._run, name="waymark-pool", daemon=True)
        self._thread.start()

    # Called by the users' threads

    def task(self, scene: Any) -> PictureTask:
        self._number += 1
        if self._base is not None:
            return PictureTask(None, job_message(job_of(scene, self._number), self._number, self._defaults))
        return PictureTask(SceneData(scene), job_message({"id": "picture"}, self._number, self._defaults))

    def hand_in(self, task: PictureTask) -> None:
        # If more than this are waiting, all workers are busy, and the next answer wakes the thread.
        if 0 < self.queue.append(task) <= len(self.slots):
            self._alarm.ring()

    def wait_for_first(self) -> None:
        self._is_first_ready.wait()
        if self._failure is not None:
            raise self._failure

    def stop(self) -> None:
        if self.owner != os.getpid():
            return
        self.queue.refuse(UsageError("the pool is closed"))
        self._is_stopping = True
        self._alarm.ring()
        if threading.current_thread() is not self._thread:
            self._thread.join()

    # The thread

    def _run(self) -> None:
        error: WaymarkError = UsageError("the pool was closed before this picture was drawn")
        try:
            self._start_workers()
            while not self._is_over:
                self._turn()
        except BaseException as problem:  # No caller may wait forever.
            error = InternalError(f"the pool failed: {problem!r}")
            raise
        finally:
            self._finish(error)

    @property
    def _is_over(self) -> bool:
        return self._is_stopping and not any(slot.in_hand for slot in self.slots)

    def _turn(self) -> None:
        """Waits for the next event, and handles all that have happened."""
        for slot in self.slots:
            self._feed(slot)
            slot.watch_writing()
        now = time.monotonic()
        limits = [limit for slot in self.slots if (limit := slot.limit(self._deadline)) is not None]
        if self._ending:
            limits.append(now + LOOK_SECONDS)
        until = min(limits, default=None)
        for key, mask in self._selector.select(None if until is None else max(0.0, until - now)):
            if key.data is None:
                self._alarm.clear()
            else:
                self._attend(key.data, key.fd, mask)
        self._ending = [process for process in self._ending if not process.has_ended]
        now = time.monotonic()
        for slot in self.slots:
            limit = slot.limit(self._deadline)
            if limit is not None and limit <= now:
                self._expire(slot)

    def _finish(self, error: WaymarkError) -> None:
        """Ends all workers, and cancels the pictures that they have not drawn."""
        self._is_stopping = True
        self.queue.refuse(error)
        for slot in self.slots:
            if slot.process is not None:
                slot.ignore()
                slot.process.close_input()
        until = time.monotonic() + END_SECONDS
        for slot in self.slots:
            if slot.process is not None:
                slot.process.end(max(0.0, until - time.monotonic()))
                slot.process = None
        for process in self._ending:
            process.kill(max(0.0, until - time.monotonic()))
        self._take_back_all(error)
        if self._base is not None:
            with contextlib.suppress(OSError):
                self._base.close()
        self._failure = self._failure or error
        self._is_first_ready.set()
        self._selector.close()
        self._alarm.close()

    def _take_back_all(self, reason: WaymarkError) -> None:
        self.queue.drain(reason)
        for slot in self.slots:
            for task in slot.take_back():
                self.queue.settle(task, reason)

    # Workers that start

    def _start_workers(self) -> None:
        while len(self.slots) < self.wanted:
            slot = WorkerSlot(self._selector)
            self.slots.append(slot)
            self._start(slot)

    def _start(self, slot: WorkerSlot) -> None:
        slot.start_at = None
        if self._failure is not None or self._is_stopping:
            return
        try:
            process = WorkerProcess(self._worker_options, single_threaded=self.wanted > 1)
        except WaymarkError as error:
            return self._refuse(slot, error)
        except Exception as problem:
            return self._refuse(slot, InternalError(f"a worker cannot be started: {problem}"))
        slot.fill(process)
        if self._base is not None:
            try:
                process.send(scene_message(self._base, self._settings, process.folder))
            except WaymarkError as error:
                self._give_up(error)

    def _refuse(self, slot: WorkerSlot, error: WaymarkError, *, is_final: bool = False) -> None:
        """Handles a worker that fails to start.

        :param is_final: whether another worker would fail in the same way.
        """
        slot.failed_starts += 1
        if slot.failed_starts < START_TRIES and not is_final:
            self._start(slot)
        elif any(other.process is not None for other in self.slots):
            # The others continue without it for a while, or fail in the same way.
            slot.start_at = time.monotonic() + START_AGAIN_SECONDS
        else:
            self._give_up(error)

    def _give_up(self, error: WaymarkError) -> None:
        """Ends the pool, since no worker starts."""
        self._failure = error
        self._take_back_all(error)
        for slot in self.slots:
            slot.start_at = None
            self._drop(slot)
        self._is_first_ready.set()

    # Workers that draw

    def _feed(self, slot: WorkerSlot) -> None:
        """Sends a worker as many tasks as it may have."""
        process = slot.process
        if process is None or not slot.can_draw or self._is_stopping:
            return
        while len(slot.in_hand) < IN_HAND:
            # Toward the end, a second task here could be the first task of another worker.
            if slot.in_hand and len(self.queue) < len(self.slots):
                return
            task = self.queue.pop()
            if task is None:
                return
            try:
                scene = [] if task.scene is None else scene_message(task.scene, self._settings, process.folder)
            except WaymarkError as error:
                self.queue.settle(task, error)
                continue
            if not slot.in_hand:
                slot.began = time.monotonic()
            slot.in_hand.append(task)
            task.ready = None
            process.send([*scene, *task.job])

    def _attend(self, slot: WorkerSlot, descriptor: int, mask: int) -> None:
        """Sends a worker more, reads its messages, and notices when it has ended. Its failures do not affect the others."""
        process = slot.process
        # The worker that the event was about may have been replaced since.
        if process is None or slot.reap_until is not None:
            return
        try:
            if mask & selectors.EVENT_WRITE:
                process.flush()
            elif descriptor == process.errors:
                slot.relay()
            else:
                messages = process.receive()
                if messages is None:
                    slot.begin_reaping()
                    return self._reap(slot)
                for message in messages:
                    self._hear(slot, message)
                    if slot.process is not process:
                        return
        except InternalError as error:
            self._lose(slot, error)
        except Exception as problem:
            self._lose(slot, InternalError(f"a worker's answer cannot be read: {problem!r}"))

    def _hear(self, slot: WorkerSlot, message: Message) -> None:
        header, _ = message
        assert slot.process is not None
        kind = header.get("type")
        if kind == "hello" and not slot.is_started:
            self.device_name = greet(slot.process, header)
            slot.is_started, slot.began = True, time.monotonic()
            if not self._is_count_given:
                self._is_count_given = True
                is_software = "llvmpipe" in self.device_name or "softpipe" in self.device_name
                self.wanted = processors() if is_software else 2
                self._start_workers()
            if self._base is None:
                self._make_ready(slot)
        elif kind == "ready" and slot.is_started and not slot.is_ready:
            self.diagnostics = tuple(header["warnings"])
            self._make_ready(slot)
        elif kind == "error" and slot.is_started and not slot.is_ready:
            # The scene is the same for all workers.
            self._give_up(fault(header))
        elif kind == "fatal":
            # Another worker would reject a message that is not JSON in the same way.
            self._lose(slot, fault(header), is_final=not slot.is_ready or header.get("code") == 65)
        elif kind in ("ready", "error") and slot.in_hand and slot.in_hand[0].scene is not None and slot.in_hand[0].ready is None:
            slot.in_hand[0].ready = header
        elif kind in ("done", "failed") and slot.in_hand and slot.is_ready:
            task = slot.in_hand[0]
            # Before the task is removed, since an answer may be unusable.
            outcome = task.outcome(message)
            slot.in_hand.popleft()
            slot.began = time.monotonic()
            self.queue.settle(task, outcome)
            self._feed(slot)
        else:
            raise InternalError(f"a worker sent a message that was not asked for: {kind}")

    def _make_ready(self, slot: WorkerSlot) -> None:
        slot.is_ready = True
        slot.failed_starts = 0
        self._is_first_ready.set()

    # Workers that come to grief

    def _expire(self, slot: WorkerSlot) -> None:
        """Does everything that is due: starts a worker in an empty slot, checks an ending one, ends one that has exceeded its deadline."""
        if slot.process is None:
            return self._start(slot)
        if slot.reap_until is not None:
            return self._reap(slot)
        if not slot.is_ready:
            what = "had not read the base scene" if slot.is_started else "had not started"
            return self._lose(slot, DeadlineExceeded(f"the worker {what} within {max(START_SECONDS, self._deadline or 0):g} s"))
        task = slot.in_hand.popleft()
        self.queue.settle(task, DeadlineExceeded(f"the picture was not done within {self._deadline:g} s"))
        self._replace(slot)

    def _reap(self, slot: WorkerSlot) -> None:
        during = " during this picture"
        if not slot.is_ready:
            during = " before it had started" if self._base is None else " before it had read the base scene"
        is_over, error = slot.reap(during)
        if is_over:
            error = error or unended(during)
            # Another worker would also refuse the arguments.
            self._lose(slot, error, is_final=not slot.is_ready and not isinstance(error, WorkerCrashed))

    def _lose(self, slot: WorkerSlot, error: WaymarkError, *, is_final: bool = False) -> None:
        """Handles a worker that has ended, or must be ended since it is broken.

        :param error: the reason.
        :param is_final: whether the next worker would fail in the same way.
        """
        if not slot.is_ready:
            self._drop(slot)
            return self._refuse(slot, error, is_final=is_final)
        if slot.in_hand:
            task = slot.in_hand[0]
            task.tries += 1
            if task.tries > self._retries or is_final:
                slot.in_hand.popleft()
                self.queue.settle(task, error)
        self._replace(slot)

    def _replace(self, slot: WorkerSlot) -> None:
        """Replaces an unusable worker by another."""
        self.queue.put_back(slot.take_back())
        self._drop(slot)
        self.restarts += 1
        self._start(slot)

    def _drop(self, slot: WorkerSlot) -> None:
        process = slot.empty()
        if process is not None:
            self._ending.append(process)


class _Alarm:
    """Wakes the thread while it waits in its selector."""

    def __init__(self, selector: selectors.BaseSelector) -> None:
        self._reader, self._writer = os.pipe()
        os.set_blocking(self._reader, False)
        os.set_blocking(self._writer, False)
        selector.register(self._reader, selectors.EVENT_READ)
        # Reentrant, because the garbage collector, which may run anywhere, may close a pool that nobody closed.
        self._lock = threading.RLock()

    def ring(self) -> None:
        with self._lock:
            if self._writer >= 0:
                with contextlib.suppress(BlockingIOError):  # It is already awake.
                    os.write(self._writer, b"!")

    def clear(self) -> None:
        with contextlib.suppress(BlockingIOError):
            while os.read(self._reader, 4096):
                pass

    def close(self) -> None:
        with self._lock:
            os.close(self._reader)
            os.close(self._writer)
            self._writer = -1
