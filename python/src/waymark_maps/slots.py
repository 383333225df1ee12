"""The slot of one worker in a pool: the process, its tasks, and the times of its next checks. It makes no decisions."""

from __future__ import annotations

import contextlib
import selectors
import time
from collections import deque

from .errors import WaymarkError
from .tasks import PictureTask
from .worker import REAP_SECONDS, START_SECONDS, WorkerProcess

#: The interval, in seconds, between checks whether an ending worker has ended.
LOOK_SECONDS = 0.005


class WorkerSlot:
    """A worker of the pool, or an empty slot for one."""

    def __init__(self, selector: selectors.BaseSelector) -> None:
        #: Reports when the worker has output, and when it can read.
        self._selector = selector
        self.process: WorkerProcess | None = None
        #: Whether it has said hello.
        self.is_started = False
        #: Whether it has also read the base scene.
        self.is_ready = False
        #: The number of consecutive failed starts in this slot.
        self.failed_starts = 0
        #: The time at which the next worker is started in an empty slot.
        self.start_at: float | None = None
        #: The time limit for a worker to end after it has closed its output.
        self.reap_until: float | None = None
        #: The time of the next check whether it has ended.
        self.look_at = 0.0
        #: The unanswered tasks; it is drawing the first one.
        self.in_hand: deque[PictureTask] = deque()
        #: When it began with the first task, or was started.
        self.began = 0.0
        self._is_writing = False

    @property
    def can_draw(self) -> bool:
        return self.is_ready and self.process is not None and self.reap_until is None

    def limit(self, deadline: float | None) -> float | None:
        """The time of its next event: the worker must have answered by then, or is checked.

        :param deadline: the seconds that a picture may take.
        """
        if self.process is None:
            return self.start_at
        if self.reap_until is not None:
            return self.look_at
        if not self.is_started:
            return self.began + max(START_SECONDS, deadline or 0)
        if not self.is_ready:
            return self.began + max(START_SECONDS, deadline) if deadline is not None else None
        return self.began + deadline if self.in_hand and deadline is not None else None

    def fill(self, process: WorkerProcess) -> None:
        """Stores a worker that was just started."""
        self.process, self.began = process, time.monotonic()
        self.is_started = self.is_ready = self._is_writing = False
        self.start_at = self.reap_until = None
        self._selector.register(process.reading, selectors.EVENT_READ, self)
        if process.errors is not None:
            self._selector.register(process.errors, selectors.EVENT_READ, self)

    def empty(self) -> WorkerProcess | None:
        """Ends the worker immediately.

        :return: the worker, which may still be running.
        """
        process = self.process
        if process is not None:
            self.ignore()
            process.terminate()
        self.process = None
        self.is_started = self.is_ready = False
        self.reap_until = None
        return process

    def take_back(self) -> list[PictureTask]:
        """Removes and returns the worker's tasks."""
        tasks = list(self.in_hand)
        self.in_hand.clear()
        return tasks

    # Its end

    def begin_reaping(self) -> None:
        """The worker has closed its output. It is about to end, with an exit status."""
        self.ignore()
        self.reap_until = time.monotonic() + REAP_SECONDS

    def reap(self, during: str) -> tuple[bool, WaymarkError | None]:
        """Checks whether a worker that has closed its output has ended.

        :param during: its activity at that time, for the message.
        :return: whether it has ended, and the reason; None if it continues.
        """
        assert self.process is not None and self.reap_until is not None
        error = self.process.ending(during)
        now = time.monotonic()
        if error is None and now < self.reap_until:
            self.look_at = now + LOOK_SECONDS
            return False, None
        return True, error

    # Its descriptors

    def watch_writing(self) -> None:
        """Requests notification when the worker can read, while data wait to be sent."""
        process = self.process
        if process is None or self.reap_until is not None:
            return
        wanted = process.writing
        if wanted is not None and not self._is_writing:
            self._selector.register(wanted, selectors.EVENT_WRITE, self)
            self._is_writing = True
        elif wanted is None and self._is_writing:
            self._ignore_writing(process)

    def _ignore_writing(self, process: WorkerProcess) -> None:
        if self._is_writing and process.process.stdin is not None:
            self._selector.unregister(process.process.stdin)
        self._is_writing = False

    def relay(self) -> None:
        """Forwards the worker's standard error."""
        assert self.process is not None
        descriptor = self.process.errors
        self.process.relay()
        if descriptor is not None and self.process.errors is None:
            self._selector.unregister(descriptor)

    def ignore(self) -> None:
        """Stops all notifications about the worker."""
        process = self.process
        if process is None:
            return
        self._ignore_writing(process)
        for descriptor in (process.reading, process.errors):
            if descriptor is not None:
                with contextlib.suppress(KeyError):
                    self._selector.unregister(descriptor)
