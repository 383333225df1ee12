"""Draws many pictures at a time through worker processes."""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import json
import os
import selectors
import threading
import time
import weakref
from collections import deque
from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator, Mapping
from concurrent.futures import Future
from typing import Any, Union

from .elements import Camera, Color, Fit, Size
from .encoding import SceneData, encode
from .errors import DeadlineExceeded, InternalError, UsageError, WaymarkError, WorkerCrashed
from .picture import Picture
from .requests import PictureOptions, job_message, job_of, picture_of, scene_message
from .worker import END_SECONDS, REAP_SECONDS, START_SECONDS, Message, WorkerOptions, WorkerProcess, fault, greet, unended

#: The pictures that a worker has in hand: the one that it draws, and the next, so that it need not wait.
IN_HAND = 2
#: The pictures per worker that are waiting or drawn and not taken yet, so that memory is bounded.
WINDOW = 8
#: How often in a row a worker may fail to start before its place stays empty for a while.
START_TRIES = 2
#: After how many seconds an empty place is tried again.
START_AGAIN_SECONDS = 5.0
#: How often is looked, in seconds, whether a worker that is ending has ended.
LOOK_SECONDS = 0.005


class Pool:
    """Worker processes that draw pictures, one for each processor by default.

    ::

        with waymark.Pool() as pool:
            for picture in pool.map(scenes):
                ...

    With ``base``, the workers read one scene when they start, and what is drawn are jobs: dicts or ``Job`` objects with what differs.

    A worker that crashes, is killed, or exceeds the deadline is replaced. That costs at most the one picture that it was drawing, which
    raises ``WorkerCrashed`` or ``DeadlineExceeded``. A pool may be used by several threads and event loops.
    """

    def __init__(
        self,
        workers: int | None = None,
        *,
        base: Any = None,
        size: Size | Mapping[str, Any] | tuple[float, float] | None = None,
        pixel_ratio: float | None = None,
        background: Color | None = None,
        camera: Camera | Fit | Mapping[str, Any] | None = None,
        format: str = "png",
        quality: int | None = None,
        progressive: bool = False,
        palette: int | None = None,
        inspect: bool = False,
        device: str | None = None,
        require_gpu: bool = False,
        font_dir: str | None = None,
        cache_bytes: int | None = None,
        lenient: bool = False,
        strict: bool = False,
        deadline: float | None = 60,
        retries: int = 1,
    ) -> None:
        """Starts the workers, and waits for the first.

        :param workers: how many. Default: one for each processor on the software rasterizer, 2 on a GPU.
        :param base: a scene as ``render`` takes it; then what is drawn are jobs that change it.
        :param deadline: seconds that a picture may take; None for as long as it takes.
        :param retries: how often a picture is drawn again whose worker crashed.
        :raises WaymarkError: the workers cannot start, or the base scene is wrong.

        The other parameters are those of ``render`` and of ``Renderer``, and hold for all pictures.
        """
        if workers is not None and not 1 <= workers <= 1024:
            raise UsageError(f"workers: {workers} is outside 1…1024")
        if deadline is not None and not deadline > 0:
            raise UsageError(f"deadline: {deadline} is not above 0")
        if retries < 0:
            raise UsageError(f"retries: {retries} is below 0")
        options = PictureOptions(size, pixel_ratio, background, camera, format, quality, progressive, palette, inspect)
        self._supervisor = _Supervisor(
            workers,
            WorkerOptions(device, require_gpu, font_dir, cache_bytes, lenient, strict),
            options,
            base,
            deadline,
            retries,
        )
        self._finalizer = weakref.finalize(self, _Supervisor.stop, self._supervisor)
        # Python's own threads are still there when functions of `atexit` run; later the workers would be killed in the middle.
        self._finalizer.atexit = False
        _pools.add(self)
        try:
            self._supervisor.wait_for_first()
        except BaseException:
            self._finalizer()
            raise

    # Pictures

    def submit(self, scene: Any) -> Future[Picture]:
        """Hands in a scene, or a job if the pool has a base scene. Waits while very many are waiting already.

        :return: the picture to come. ``cancel()`` takes it back as long as no worker has it.
        :raises UsageError: the pool is closed.
        :raises SceneError: the scene has no JSON.
        """
        supervisor = self._usable()
        task = supervisor.task(scene)
        supervisor.room.acquire()
        supervisor.hand_in(task)
        return task.future

    def render(self, scene: Any) -> Picture:
        """Draws one picture, while other threads may draw others. The errors are those of ``waymark.render``."""
        return self.submit(scene).result()

    def map(self, scenes: Iterable[Any], *, return_exceptions: bool = False) -> Iterator[Picture]:
        """Draws scenes, or jobs if the pool has a base scene, and gives their pictures in the same order.

        Scenes are taken from the iterable as there is room, so that it may be endless.

        :param return_exceptions: give the exception in place of a picture that is not drawn, and go on; otherwise it is raised, which
            ends the iteration.
        """
        limit = self.workers * WINDOW
        window: deque[Future[Picture]] = deque()
        try:
            for scene in scenes:
                try:
                    window.append(self.submit(scene))
                except WaymarkError as error:
                    window.append(_failed(error))
                while window and (len(window) >= limit or window[0].done()):
                    yield _result(window.popleft(), return_exceptions)
            while window:
                yield _result(window.popleft(), return_exceptions)
        finally:
            for future in window:
                future.cancel()

    async def render_async(self, scene: Any) -> Picture:
        """Draws one picture while the event loop does other things."""
        supervisor = self._usable()
        task = supervisor.task(scene)
        await supervisor.wait_for_room()
        supervisor.hand_in(task)
        return await asyncio.wrap_future(task.future)

    async def map_async(
        self, scenes: Union[Iterable[Any], AsyncIterable[Any]], *, return_exceptions: bool = False
    ) -> AsyncIterator[Picture]:
        """What ``map`` does, while the event loop does other things. The scenes may come from an asynchronous iterable."""
        limit = self.workers * WINDOW
        window: deque[asyncio.Task[Picture]] = deque()
        try:
            async for scene in _each(scenes):
                window.append(asyncio.ensure_future(self.render_async(scene)))
                while window and (len(window) >= limit or window[0].done()):
                    yield await _result_async(window.popleft(), return_exceptions)
            while window:
                yield await _result_async(window.popleft(), return_exceptions)
        finally:
            for task in window:
                task.cancel()

    # The pool

    @property
    def workers(self) -> int:
        """How many workers it has."""
        return self._supervisor.wanted

    @property
    def restarts(self) -> int:
        """How many workers were replaced so far."""
        return self._supervisor.restarts

    @property
    def device_name(self) -> str:
        """The renderer's name, such as ``llvmpipe (LLVM 15.0.6, 256 bits)``."""
        return self._supervisor.device_name

    @property
    def diagnostics(self) -> tuple[str, ...]:
        """What could not be read of the base scene as requested."""
        return self._supervisor.diagnostics

    def close(self) -> None:
        """Finishes the pictures that workers have in hand, takes back the others, and ends the workers."""
        self._finalizer()

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def __aenter__(self) -> Pool:
        return self

    async def __aexit__(self, *_: object) -> None:
        await asyncio.get_running_loop().run_in_executor(None, self.close)

    def _usable(self) -> _Supervisor:
        supervisor = self._supervisor
        if supervisor.owner != os.getpid():
            raise UsageError("this pool belongs to the process that made it; make one here, too")
        if not self._finalizer.alive:
            raise UsageError("the pool is closed")
        return supervisor


_pools: weakref.WeakSet[Pool] = weakref.WeakSet()


@atexit.register
def _close_all() -> None:
    for pool in list(_pools):
        pool.close()


def _failed(error: WaymarkError) -> Future[Picture]:
    future: Future[Picture] = Future()
    future.set_exception(error)
    return future


def _result(future: Future[Picture], return_exceptions: bool) -> Any:
    if return_exceptions:
        error = future.exception()
        if isinstance(error, WaymarkError):
            return error
    return future.result()


async def _result_async(task: asyncio.Task[Picture], return_exceptions: bool) -> Any:
    try:
        return await task
    except WaymarkError as error:
        if return_exceptions:
            return error
        raise


async def _each(scenes: Union[Iterable[Any], AsyncIterable[Any]]) -> AsyncIterator[Any]:
    if isinstance(scenes, AsyncIterable):
        async for scene in scenes:
            yield scene
    else:
        for scene in scenes:
            yield scene


class _Task:
    """A picture to be drawn."""

    def __init__(self, scene: SceneData | None, job: list[bytes]) -> None:
        #: None if the job is on the base scene.
        self.scene = scene
        self.job = job
        self.future: Future[Picture] = Future()
        #: How often a worker ended during it.
        self.tries = 0
        #: The answer to its scene.
        self.ready: dict[str, Any] | None = None

    def close(self) -> None:
        if self.scene is not None:
            self.scene.close()


class _Slot:
    """A worker of the pool, or its place while there is none."""

    def __init__(self) -> None:
        self.process: WorkerProcess | None = None
        #: Whether it has said hello.
        self.is_started = False
        #: Whether it has read the base scene, too.
        self.is_ready = False
        #: How often in a row none has started here.
        self.failed_starts = 0
        #: When the next is started in a place that is empty.
        self.start_at: float | None = None
        #: Until when one that has closed its output may take to end.
        self.reap_until: float | None = None
        #: When is looked next whether it has ended.
        self.look_at = 0.0
        #: What it has not answered, the first of which it is drawing.
        self.in_hand: deque[_Task] = deque()
        #: When it began with that, or was started.
        self.began = 0.0
        self.is_writing = False


class _Supervisor:
    """Runs the workers in a thread of its own, which never blocks on a single one."""

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
        self.worker_options = worker_options
        worker_options.arguments()
        # As JSON, so that what is wrong with them is said here, and not in the thread.
        self.settings: dict[str, Any] = json.loads(encode(options.settings()))
        self.defaults: dict[str, Any] = json.loads(encode(options.defaults()))
        self.base = None if base is None else SceneData(base)
        self.deadline = deadline
        self.retries = retries
        self.is_count_given = workers is not None
        self.wanted = workers or min(2, processors())
        self.restarts = 0
        self.device_name = ""
        self.diagnostics: tuple[str, ...] = ()
        self.number = 0
        #: Each picture takes a place here until it is drawn.
        self.room = threading.Semaphore(max(processors(), self.wanted) * WINDOW * 2)
        self.waiters: deque[tuple[asyncio.AbstractEventLoop, asyncio.Future[None]]] = deque()
        #: What no worker has yet.
        self.waiting: deque[_Task] = deque()
        self.slots: list[_Slot] = []
        #: Workers that were ended, and are not gone yet.
        self.ending: list[WorkerProcess] = []
        #: Why no worker starts.
        self.failure: WaymarkError | None = None
        self.is_stopping = False
        self.is_first_ready = threading.Event()
        # Taken again where the garbage collector, which may run anywhere, finds a pool that nobody closed.
        self.lock = threading.RLock()
        self.selector = selectors.DefaultSelector()
        self.wake_reader, self.wake_writer = os.pipe()
        os.set_blocking(self.wake_reader, False)
        os.set_blocking(self.wake_writer, False)
        self.selector.register(self.wake_reader, selectors.EVENT_READ)
        self.thread = threading.Thread(target=self.run, name="waymark-pool", daemon=True)
        self.thread.start()

    # Called by the users' threads

    def task(self, scene: Any) -> _Task:
        self.number += 1
        if self.base is not None:
            return _Task(None, job_message(job_of(scene, self.number), self.number, self.defaults))
        return _Task(SceneData(scene), job_message({"id": "picture"}, self.number, self.defaults))

    def hand_in(self, task: _Task) -> None:
        with self.lock:
            failure = self.failure or (UsageError("the pool is closed") if self.is_stopping else None)
            if failure is None:
                self.waiting.append(task)
            # With more waiting than this, all workers have their hands full, and the next answer wakes the thread.
            is_awaited = len(self.waiting) <= len(self.slots)
        if failure is not None:
            self.settle(task, error=failure)
        elif is_awaited:
            self.wake()

    async def wait_for_room(self) -> None:
        loop = asyncio.get_running_loop()
        while not self.room.acquire(blocking=False):
            waiter: asyncio.Future[None] = loop.create_future()
            entry = (loop, waiter)
            self.waiters.append(entry)
            # A place may have become free in between, of which nobody would tell this waiter.
            has_room = self.room.acquire(blocking=False)
            try:
                if not has_room:
                    await waiter
            finally:
                if has_room or not waiter.done() or waiter.cancelled():
                    try:
                        self.waiters.remove(entry)
                    except ValueError:
                        self.tell_waiter()  # It was told, and another has to be.
            if has_room:
                return

    def wait_for_first(self) -> None:
        self.is_first_ready.wait()
        if self.failure is not None:
            raise self.failure

    def stop(self) -> None:
        if self.owner != os.getpid():
            return
        with self.lock:
            self.is_stopping = True
        self.wake()
        if threading.current_thread() is not self.thread:
            self.thread.join()

    def wake(self) -> None:
        with self.lock:
            if self.wake_writer < 0:
                return
            try:
                os.write(self.wake_writer, b"!")
            except BlockingIOError:
                pass  # It is awake already.

    # The thread

    def run(self) -> None:
        error: WaymarkError = UsageError("the pool was closed before this picture was drawn")
        try:
            self.start_workers()
            while not self.is_over:
                self.turn()
        except BaseException as problem:  # Nobody may wait for ever.
            error = InternalError(f"the pool failed: {problem!r}")
            raise
        finally:
            self.finish(error)

    @property
    def is_over(self) -> bool:
        return self.is_stopping and not any(slot.in_hand for slot in self.slots)

    def turn(self) -> None:
        """Waits for the next event, and handles all that have happened."""
        for slot in self.slots:
            self.feed(slot)
        self.watch_writing()
        now = time.monotonic()
        limits = [limit for slot in self.slots if (limit := self.limit(slot)) is not None]
        if self.ending:
            limits.append(now + LOOK_SECONDS)
        until = min(limits, default=None)
        events = self.selector.select(None if until is None else max(0.0, until - now))
        for key, mask in events:
            if key.data is None:
                self.read_wakes()
            else:
                self.attend(key.data, key.fd, mask)
        self.ending = [process for process in self.ending if not process.has_ended]
        now = time.monotonic()
        for slot in self.slots:
            limit = self.limit(slot)
            if limit is not None and limit <= now:
                self.expire(slot)

    def read_wakes(self) -> None:
        try:
            while os.read(self.wake_reader, 4096):
                pass
        except BlockingIOError:
            pass

    def limit(self, slot: _Slot) -> float | None:
        """When something is to be done about a place: the worker must have answered, or is looked after."""
        if slot.process is None:
            return slot.start_at
        if slot.reap_until is not None:
            return slot.look_at
        if not slot.is_started:
            return slot.began + max(START_SECONDS, self.deadline or 0)
        if not slot.is_ready:
            return slot.began + max(START_SECONDS, self.deadline) if self.deadline is not None else None
        return slot.began + self.deadline if slot.in_hand and self.deadline is not None else None

    def start_workers(self) -> None:
        while len(self.slots) < self.wanted:
            slot = _Slot()
            self.slots.append(slot)
            self.start(slot)

    def start(self, slot: _Slot) -> None:
        slot.start_at = slot.reap_until = None
        if self.failure is not None or self.is_stopping:
            return
        try:
            process = WorkerProcess(self.worker_options, single_threaded=self.wanted > 1)
        except WaymarkError as error:
            return self.refuse(slot, error)
        except Exception as problem:
            return self.refuse(slot, InternalError(f"a worker cannot be started: {problem}"))
        slot.process, slot.began, slot.is_writing = process, time.monotonic(), False
        slot.is_started = slot.is_ready = False
        self.selector.register(process.reading, selectors.EVENT_READ, slot)
        if process.errors is not None:
            self.selector.register(process.errors, selectors.EVENT_READ, slot)
        if self.base is not None:
            try:
                process.send(scene_message(self.base, self.settings, process.folder))
            except WaymarkError as error:
                self.give_up(error)

    def refuse(self, slot: _Slot, error: WaymarkError, *, is_final: bool = False) -> None:
        """Handles a worker that does not start.

        :param is_final: whether another one would say the same.
        """
        slot.failed_starts += 1
        if slot.failed_starts < START_TRIES and not is_final:
            self.start(slot)
        elif any(other.process is not None for other in self.slots):
            # The others go on without it for a while, or say the same.
            slot.start_at = time.monotonic() + START_AGAIN_SECONDS
        else:
            self.give_up(error)

    def give_up(self, error: WaymarkError) -> None:
        with self.lock:
            self.failure = error
            waiting, self.waiting = self.waiting, deque()
        for slot in self.slots:
            waiting.extend(slot.in_hand)
            slot.in_hand.clear()
            slot.start_at = None
            self.drop(slot)
        for task in waiting:
            self.settle(task, error=error)
        self.is_first_ready.set()

    def feed(self, slot: _Slot) -> None:
        """Sends a worker what it can have in hand."""
        process = slot.process
        if process is None or not slot.is_ready or slot.reap_until is not None or self.is_stopping:
            return
        while len(slot.in_hand) < IN_HAND:
            # Towards the end, what would be second here can be first elsewhere.
            if slot.in_hand and len(self.waiting) < len(self.slots):
                return
            try:
                task = self.waiting.popleft()
            except IndexError:
                return
            if task.tries == 0 and not task.future.running() and not task.future.set_running_or_notify_cancel():
                self.settle(task)
                continue
            try:
                scene = [] if task.scene is None else scene_message(task.scene, self.settings, process.folder)
            except WaymarkError as error:
                self.settle(task, error=error)
                continue
            if not slot.in_hand:
                slot.began = time.monotonic()
            slot.in_hand.append(task)
            task.ready = None
            process.send([*scene, *task.job])

    def watch_writing(self) -> None:
        for slot in self.slots:
            process = slot.process
            if process is None or slot.reap_until is not None:
                continue
            wanted = process.writing
            if wanted is not None and not slot.is_writing:
                self.selector.register(wanted, selectors.EVENT_WRITE, slot)
                slot.is_writing = True
            elif wanted is None and slot.is_writing:
                self.forget_writing(slot, process)

    def forget_writing(self, slot: _Slot, process: WorkerProcess) -> None:
        if slot.is_writing and process.process.stdin is not None:
            self.selector.unregister(process.process.stdin)
        slot.is_writing = False

    def attend(self, slot: _Slot, descriptor: int, mask: int) -> None:
        """Sends a worker more, reads its messages, and notices when it has ended. What goes wrong with it costs the others nothing."""
        process = slot.process
        # The worker that the event was about may have been replaced since.
        if process is None or slot.reap_until is not None:
            return
        try:
            if mask & selectors.EVENT_WRITE:
                process.flush()
            elif descriptor == process.errors:
                process.relay()
                if process.errors is None:
                    self.selector.unregister(descriptor)
            else:
                messages = process.receive()
                if messages is None:
                    return self.closed(slot)
                for message in messages:
                    self.hear(slot, message)
                    if slot.process is not process:
                        return
        except InternalError as error:
            self.lost(slot, error)
        except Exception as problem:
            self.lost(slot, InternalError(f"a worker's answer cannot be read: {problem!r}"))

    def hear(self, slot: _Slot, message: Message) -> None:
        header, _ = message
        assert slot.process is not None
        kind = header.get("type")
        if kind == "hello" and not slot.is_started:
            self.device_name = greet(slot.process, header)
            slot.is_started, slot.began = True, time.monotonic()
            if not self.is_count_given:
                self.is_count_given = True
                is_software = "llvmpipe" in self.device_name or "softpipe" in self.device_name
                self.wanted = processors() if is_software else 2
                self.start_workers()
            if self.base is None:
                self.make_ready(slot)
        elif kind == "ready" and slot.is_started and not slot.is_ready:
            self.diagnostics = tuple(header["warnings"])
            self.make_ready(slot)
        elif kind == "error" and slot.is_started and not slot.is_ready:
            # The scene is the same for all workers.
            self.give_up(fault(header))
        elif kind == "fatal":
            # Of a message that is no JSON, another worker would say the same.
            self.lost(slot, fault(header), is_final=not slot.is_ready or header.get("code") == 65)
        elif kind in ("ready", "error") and slot.in_hand and slot.in_hand[0].scene is not None and slot.in_hand[0].ready is None:
            slot.in_hand[0].ready = header
        elif kind in ("done", "failed") and slot.in_hand and slot.is_ready:
            self.finish_task(slot, message)
        else:
            raise InternalError(f"a worker sent a message that was not asked for: {kind}")

    def make_ready(self, slot: _Slot) -> None:
        slot.is_ready = True
        slot.failed_starts = 0
        self.is_first_ready.set()

    def finish_task(self, slot: _Slot, message: Message) -> None:
        header, _ = message
        task = slot.in_hand[0]
        ready = task.ready
        picture: Picture | None = None
        error: WaymarkError | None = None
        if ready is not None and ready["type"] == "error":
            # What followed is the picture of the scene before it.
            error = fault(ready)
        elif header["type"] == "failed":
            error = fault(header)
        else:
            picture = picture_of(message, tuple(ready["warnings"]) if ready is not None else ())
        slot.in_hand.popleft()
        slot.began = time.monotonic()
        self.settle(task, picture=picture, error=error)
        self.feed(slot)

    def expire(self, slot: _Slot) -> None:
        """Does what is due: starts a worker in an empty place, looks after one that is ending, ends one that has exceeded its deadline."""
        if slot.process is None:
            return self.start(slot)
        if slot.reap_until is not None:
            return self.reap(slot)
        if not slot.is_ready:
            what = "had not read the base scene" if slot.is_started else "had not started"
            return self.lost(slot, DeadlineExceeded(f"the worker {what} within {max(START_SECONDS, self.deadline or 0):g} s"))
        task = slot.in_hand.popleft()
        self.settle(task, error=DeadlineExceeded(f"the picture was not done within {self.deadline:g} s"))
        self.replace(slot)

    def closed(self, slot: _Slot) -> None:
        """Handles a worker that has closed its output. It is about to end, and then says how."""
        self.unregister(slot)
        slot.reap_until = time.monotonic() + REAP_SECONDS
        self.reap(slot)

    def reap(self, slot: _Slot) -> None:
        assert slot.process is not None and slot.reap_until is not None
        during = " during this picture"
        if not slot.is_ready:
            during = " before it had started" if self.base is None else " before it had read the base scene"
        error = slot.process.ending(during)
        now = time.monotonic()
        if error is None and now < slot.reap_until:
            slot.look_at = now + LOOK_SECONDS
        else:
            error = error or unended(during)
            # What it refuses of its arguments, another one would refuse, too.
            self.lost(slot, error, is_final=not slot.is_ready and not isinstance(error, WorkerCrashed))

    def lost(self, slot: _Slot, error: WaymarkError, *, is_final: bool = False) -> None:
        """Handles a worker that has ended, or is to end since it is broken.

        :param error: why.
        :param is_final: whether the next one would say the same.
        """
        if not slot.is_ready:
            self.drop(slot)
            return self.refuse(slot, error, is_final=is_final)
        if slot.in_hand:
            task = slot.in_hand[0]
            task.tries += 1
            if task.tries > self.retries or is_final:
                slot.in_hand.popleft()
                self.settle(task, error=error)
        self.replace(slot)

    def replace(self, slot: _Slot) -> None:
        """Starts another worker in the place of one that is of no use."""
        with self.lock:
            self.waiting.extendleft(reversed(slot.in_hand))
        slot.in_hand.clear()
        self.drop(slot)
        self.restarts += 1
        self.start(slot)

    def unregister(self, slot: _Slot) -> None:
        process = slot.process
        if process is None:
            return
        self.forget_writing(slot, process)
        for descriptor in (process.reading, process.errors):
            if descriptor is not None:
                with contextlib.suppress(KeyError):
                    self.selector.unregister(descriptor)

    def drop(self, slot: _Slot) -> None:
        if slot.process is not None:
            self.unregister(slot)
            slot.process.terminate()
            self.ending.append(slot.process)
            slot.process = None
        slot.is_started = slot.is_ready = False
        slot.reap_until = None

    def settle(self, task: _Task, *, picture: Picture | None = None, error: WaymarkError | None = None) -> None:
        """Hands over a picture, or why there is none; neither for one that was taken back."""
        with contextlib.suppress(OSError):  # Of temporary files.
            task.close()
        self.room.release()
        self.tell_waiter()
        if error is not None:
            if task.future.running() or task.future.set_running_or_notify_cancel():
                task.future.set_exception(error)
        elif picture is not None:
            task.future.set_result(picture)

    def tell_waiter(self) -> None:
        """Tells one who waits in an event loop that there is room."""
        while True:
            try:
                loop, waiter = self.waiters.popleft()
                loop.call_soon_threadsafe(_awaken, waiter)
                return
            except IndexError:
                return
            except RuntimeError:
                continue  # That loop is closed.

    def finish(self, error: WaymarkError) -> None:
        """Ends all workers, and takes back what they have not drawn."""
        with self.lock:
            self.is_stopping = True
            waiting, self.waiting = self.waiting, deque()
        for slot in self.slots:
            waiting.extend(slot.in_hand)
            slot.in_hand.clear()
        for slot in self.slots:
            if slot.process is not None:
                self.unregister(slot)
                slot.process.close_input()
        until = time.monotonic() + END_SECONDS
        for slot in self.slots:
            if slot.process is not None:
                slot.process.end(max(0.0, until - time.monotonic()))
                slot.process = None
        for process in self.ending:
            process.kill(max(0.0, until - time.monotonic()))
        for task in waiting:
            self.settle(task, error=error)
        if self.base is not None:
            with contextlib.suppress(OSError):
                self.base.close()
        if self.failure is None:
            self.failure = error
        self.is_first_ready.set()
        self.selector.close()
        with self.lock:
            os.close(self.wake_reader)
            os.close(self.wake_writer)
            self.wake_writer = -1


def _awaken(waiter: asyncio.Future[None]) -> None:
    if not waiter.done():
        waiter.set_result(None)


def processors() -> int:
    """The processors that this process may use, its container's quota included."""
    count = len(os.sched_getaffinity(0))
    try:
        with open("/sys/fs/cgroup/cpu.max", encoding="ascii") as file:
            quota, period = file.read().split()
        if quota != "max":
            count = min(count, max(1, round(int(quota) / int(period))))
    except (OSError, ValueError):
        pass
    return count
