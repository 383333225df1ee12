"""The place of one worker in a pool: the process, what it has in hand, and when it is looked after. It decides nothing."""

from __future__ import annotations

import contextlib
import selectors
import time
from collections import deque

from .errors import WaymarkError
from .tasks import PictureTask
from .worker import REAP_SECONDS, START_SECONDS, WorkerProcess

#: How often is looked, in seconds, whether a worker that is ending has ended.
LOOK_SECONDS = 0.005


class WorkerSlot:
    """A worker of the pool, or its place while there is none."""

    def __init__(self, selector: selectors.BaseSelector) -> None:
        #: Tells of what the worker writes, and of when it reads.
        self._selector = selector
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
        self.in_hand: deque[PictureTask] = deque()
        #: When it began with that, or was started.
        self.began = 0.0
        self._is_writing = False

    @property
    def can_draw(self) -> bool:
        return self.is_ready and self.process is not None and self.reap_until is None

    def limit(self, deadline: float | None) -> float | None:
        """When something is to be done about it: the worker must have answered, or is looked after.

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
        """Takes a worker that was just started."""
        self.process, self.began = process, time.monotonic()
        self.is_started = self.is_ready = self._is_writing = False
        self.start_at = self.reap_until = None
        self._selector.register(process.reading, selectors.EVENT_READ, self)
        if process.errors is not None:
            self._selector.register(process.errors, selectors.EVENT_READ, self)

    def empty(self) -> WorkerProcess | None:
        """Ends the worker at once.

        :return: it, which may not be gone yet.
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
        """What the worker has in hand, which is then no longer its own."""
        tasks = list(self.in_hand)
        self.in_hand.clear()
        return tasks

    # Its end

    def begin_reaping(self) -> None:
        """The worker has closed its output. It is about to end, and then says how."""
        self.ignore()
        self.reap_until = time.monotonic() + REAP_SECONDS

    def reap(self, during: str) -> tuple[bool, WaymarkError | None]:
        """Looks whether a worker that has closed its output has ended.

        :param during: what it did then, for the message.
        :return: whether that is over, and why it has ended; None if it goes on.
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
        """Wants to know when the worker reads, while something is to be sent."""
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
        """Passes on what the worker writes to standard error."""
        assert self.process is not None
        descriptor = self.process.errors
        self.process.relay()
        if descriptor is not None and self.process.errors is None:
            self._selector.unregister(descriptor)

    def ignore(self) -> None:
        """Wants to know nothing more of the worker."""
        process = self.process
        if process is None:
            return
        self._ignore_writing(process)
        for descriptor in (process.reading, process.errors):
            if descriptor is not None:
                with contextlib.suppress(KeyError):
                    self._selector.unregister(descriptor)
