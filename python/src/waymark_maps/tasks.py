"""The pictures requested from a pool and not delivered yet. Other modules decide which worker draws them."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections import deque
from collections.abc import Iterable
from concurrent.futures import Future
from typing import Any

from .encoding import SceneData
from .errors import WaymarkError
from .picture import Picture
from .requests import picture_of
from .worker import Message, fault


class PictureTask:
    """A picture to be drawn."""

    def __init__(self, scene: SceneData | None, job: list[bytes]) -> None:
        #: None if the job is on the base scene.
        self.scene = scene
        self.job = job
        self.future: Future[Picture] = Future()
        #: The number of times that a worker ended while drawing it.
        self.tries = 0
        #: The answer to its scene.
        self.ready: dict[str, Any] | None = None

    def begin(self) -> bool:
        """Whether it still needs to be drawn: a future can be canceled until a worker has its picture."""
        return self.tries > 0 or self.future.running() or self.future.set_running_or_notify_cancel()

    def outcome(self, message: Message) -> Picture | WaymarkError:
        """The outcome of the worker's last message about it."""
        ready = self.ready
        if ready is not None and ready["type"] == "error":
            # The answer is about the previous scene's picture.
            return fault(ready)
        if message[0]["type"] == "failed":
            return fault(message[0])
        return picture_of(message, tuple(ready["warnings"]) if ready is not None else ())


class TaskQueue:
    """The tasks that no worker has yet, in order, and the room for more. Any number of threads and event loops may use it."""

    def __init__(self, room: int) -> None:
        """
        :param room: the maximum number of waiting or drawn pictures, which bounds the memory.
        """
        #: Each picture occupies a place here until it is delivered.
        self.room = threading.Semaphore(room)
        self._waiters: deque[tuple[asyncio.AbstractEventLoop, asyncio.Future[None]]] = deque()
        self._waiting: deque[PictureTask] = deque()
        #: The reason why no more tasks are accepted.
        self._refusal: WaymarkError | None = None
        # Reentrant, because the garbage collector, which may run anywhere, may close a pool that nobody closed.
        self._lock = threading.RLock()

    def __len__(self) -> int:
        return len(self._waiting)

    async def wait_for_room(self) -> None:
        loop = asyncio.get_running_loop()
        while not self.room.acquire(blocking=False):
            waiter: asyncio.Future[None] = loop.create_future()
            entry = (loop, waiter)
            self._waiters.append(entry)
            # A place may have become free in between, without a notification to this waiter.
            has_room = self.room.acquire(blocking=False)
            try:
                if not has_room:
                    await waiter
            finally:
                if has_room or not waiter.done() or waiter.cancelled():
                    try:
                        self._waiters.remove(entry)
                    except ValueError:
                        self._tell_waiter()  # It was notified; now another waiter must be.
            if has_room:
                return

    def append(self, task: PictureTask) -> int:
        """Adds a picture for which there is room.

        :return: the number of waiting pictures, including this one; 0 if it is refused, with the error in its future.
        """
        with self._lock:
            refusal = self._refusal
            if refusal is None:
                self._waiting.append(task)
                return len(self._waiting)
        self.settle(task, refusal)
        return 0

    def pop(self) -> PictureTask | None:
        """The next picture to draw."""
        while True:
            try:
                task = self._waiting.popleft()
            except IndexError:
                return None
            if task.begin():
                return task
            self.settle(task, None)

    def put_back(self, tasks: Iterable[PictureTask]) -> None:
        """Puts a worker's tasks back, to be drawn next."""
        with self._lock:
            self._waiting.extendleft(reversed(list(tasks)))

    def refuse(self, reason: WaymarkError) -> None:
        """Accepts no more pictures. The first reason counts."""
        with self._lock:
            self._refusal = self._refusal or reason

    def drain(self, reason: WaymarkError) -> None:
        """Accepts no more pictures, and delivers the reason instead of the waiting ones."""
        with self._lock:
            self.refuse(reason)
            waiting, self._waiting = self._waiting, deque()
        for task in waiting:
            self.settle(task, reason)

    def settle(self, task: PictureTask, outcome: Picture | WaymarkError | None) -> None:
        """Delivers a picture, or an error.

        :param outcome: None for a canceled picture.
        """
        if task.scene is not None:
            with contextlib.suppress(OSError):  # Of temporary files.
                task.scene.close()
        self.room.release()
        self._tell_waiter()
        if isinstance(outcome, WaymarkError):
            if task.future.running() or task.future.set_running_or_notify_cancel():
                task.future.set_exception(outcome)
        elif outcome is not None:
            task.future.set_result(outcome)

    def _tell_waiter(self) -> None:
        """Notifies a waiter in an event loop that there is room."""
        while True:
            try:
                loop, waiter = self._waiters.popleft()
                loop.call_soon_threadsafe(_awaken, waiter)
                return
            except IndexError:
                return
            except RuntimeError:
                continue  # That loop is closed.


def _awaken(waiter: asyncio.Future[None]) -> None:
    if not waiter.done():
        waiter.set_result(None)
