"""A ``waymark worker`` process and its messages, as docs/worker.md describes them."""

from __future__ import annotations

import contextlib
import fcntl
import itertools
import json
import math
import os
import re
import select
import subprocess
import threading
import weakref
from collections import deque
from dataclasses import dataclass
from typing import Any, Union

from .encoding import working_directory
from .errors import DeadlineExceeded, InternalError, UsageError, WaymarkError, WorkerCrashed, error_of
from .program import as_options, fate, program, sentence, start

#: The size of the pipes in bytes, large enough to transfer a picture in few pieces.
PIPE_BYTES = 1 << 20
#: The maximum number of bytes per read.
READ_BYTES = 1 << 18
#: The maximum number of bytes of a header, and of a payload.
HEADER_LIMIT = 64 << 20
PAYLOAD_LIMIT = 1 << 30
#: The minimum time limit in seconds for a worker to start.
START_SECONDS = 30.0
#: The time limit in seconds for an idle worker to end by itself.
END_SECONDS = 5.0
#: The time limit in seconds for a worker to end after it has closed its output.
REAP_SECONDS = 1.0
#: The exit codes of a worker that refuses its arguments or the machine before it sends a message.
REFUSALS = range(64, 70)
#: The maximum number of bytes of standard error that are kept until the worker has started.
ERRORS_LIMIT = 1 << 16

#: A message: its header and its payload.
Message = tuple[dict[str, Any], bytes]
Frame = Union[bytes, memoryview]


@dataclass(frozen=True)
class WorkerOptions:
    """The options of workers."""

    device: str | None = None
    require_gpu: bool = False
    font_dir: str | None = None
    cache_bytes: int | None = None
    lenient: bool = False
    strict: bool = False
    cluster: bool = False

    def arguments(self) -> list[str]:
        if self.lenient and self.strict:
            raise UsageError("lenient and strict are mutually exclusive")
        for name, text in [("device", self.device), ("font_dir", self.font_dir)]:
            if text is not None and "\0" in os.fspath(text):
                raise UsageError(f"{name}: {text!r} has a null character")
        values = {"device": self.device, "font-dir": self.font_dir, "cache-bytes": self.cache_bytes}
        flags = {"require-gpu": self.require_gpu, "lenient": self.lenient, "strict": self.strict, "cluster": self.cluster}
        return ["worker", *as_options(values, flags)]


def framed(head: bytes, payload: bytes = b"") -> list[bytes]:
    """The bytes of a message.

    :raises UsageError: the message is too long.
    """
    if len(head) > HEADER_LIMIT:
        raise UsageError(f"a job has {len(head)} bytes of JSON, but at most {HEADER_LIMIT} are allowed; move some of it to the scene")
    if len(payload) > PAYLOAD_LIMIT:
        raise UsageError(f"a scene has {len(payload)} bytes of JSON, but at most {PAYLOAD_LIMIT} are allowed; write it to a file and pass the path instead")
    first = len(head).to_bytes(4, "big") + head
    if not payload:
        return [first]
    return [first + payload] if len(payload) < 1 << 16 else [first, payload]


class MessageParser:
    """Converts bytes, which arrive in pieces of any size, into messages."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._header: dict[str, Any] | None = None
        self._wanted = 4
        self._at_length = True

    def feed(self, data: Frame) -> list[Message]:
        is_continued = bool(self._buffer)
        if is_continued:
            self._buffer += data
        messages: list[Message] = []
        place = 0
        # Most messages arrive complete, and are then parsed without a copy.
        with memoryview(self._buffer if is_continued else data) as view:
            while len(view) - place >= self._wanted:
                piece = bytes(view[place : place + self._wanted])
                place += self._wanted
                if self._at_length:
                    self._wanted, self._at_length = int.from_bytes(piece, "big"), False
                    continue
                header = self._header
                if header is None:
                    header = self._header = json.loads(piece)
                    self._wanted = header.get("bytes", 0)
                    if self._wanted:
                        continue
                    piece = b""
                messages.append((header, piece))
                self._header, self._wanted, self._at_length = None, 4, True
            if not is_continued:
                self._buffer += view[place:]
        if is_continued:
            del self._buffer[:place]
        return messages


#: All workers of this process; a forked process must not keep their pipes.
_workers: weakref.WeakSet[WorkerProcess] = weakref.WeakSet()
#: `fork` also copies the descriptors of a worker that is being started.
_starting = threading.Lock()


class WorkerProcess:
    """A process of ``waymark worker``. One thread calls ``attend``; other threads may send messages at the same time."""

    def __init__(self, arguments: list[str], *, has_memory: bool = False) -> None:
        """
        :param has_memory: whether pictures can be handed over in memory that both processes share.
        """
        # A crash is reported as one sentence, because Swift's backtrace takes a second and fills pages.
        environment = {"SWIFT_BACKTRACE": "enable=no", **os.environ}
        #: The base folder of relative paths.
        self.folder = working_directory()
        self.owner = os.getpid()
        #: A file without a name, in memory.
        self._memory = os.memfd_create("waymark") if has_memory else None
        #: Interrupts ``attend``.
        self._bell = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        # The bell is closed only when the last reference is gone, because any thread may still write to it.
        weakref.finalize(self, os.close, self._bell)
        shared = []
        if self._memory is not None:
            weakref.finalize(self, os.close, self._memory)
            shared = [self._memory]
            arguments = [*arguments, f"--memory=/proc/self/fd/{self._memory}"]
        with _starting:
            self.process: subprocess.Popen[bytes] = start(
                arguments,
                lambda command: subprocess.Popen(
                    command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    bufsize=0,
                    env=environment,
                    pass_fds=shared,
                    # Ctrl-C is handled by this process, which ends its workers itself.
                    start_new_session=True,
                ),
            )
            assert self.process.stdin is not None and self.process.stdout is not None and self.process.stderr is not None
            self._input: int | None = self.process.stdin.fileno()
            self._output: int = self.process.stdout.fileno()
            self._errors: int | None = self.process.stderr.fileno()
            _workers.add(self)
        for descriptor in (self._input, self._output):
            os.set_blocking(descriptor, False)
            # Linux limits the total size of all pipes of a user. Beyond the limit, pipes remain small.
            with contextlib.suppress(OSError):
                fcntl.fcntl(descriptor, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
        os.set_blocking(self._errors, False)
        #: The worker's standard error so far, which may explain why it does not start. None once it has started.
        self._kept_errors: bytearray | None = bytearray()
        self._outgoing: deque[Frame] = deque()
        self._sending = threading.Lock()
        self._poll = self._polling()
        self._parser = MessageParser()
        # The memory is reused, because memory of this size would be requested from the system each time.
        self._received = memoryview(bytearray(READ_BYTES))

    def send(self, frames: list[bytes]) -> None:
        """Sends messages. If the pipe does not accept all bytes now, ``attend`` sends the rest later."""
        try:
            with self._sending:
                self._outgoing.extend(frames)
                self._flush()
        except BaseException:
            # After an interrupt, it is unknown how much of a message was sent.
            self.process.kill()
            raise
        if self._outgoing:
            self.wake()

    def wake(self) -> None:
        """Makes ``attend`` return, or send the waiting messages."""
        os.eventfd_write(self._bell, 1)

    def _flush(self) -> None:
        while self._outgoing and self._input is not None:
            try:
                # The frames are written in one call, because the worker wakes at the first byte.
                count = os.writev(self._input, list(itertools.islice(self._outgoing, 64)))
            except BlockingIOError:
                return
            except BrokenPipeError:
                # The worker is ending, as its output will show.
                self._outgoing.clear()
                return
            while self._outgoing and count >= len(self._outgoing[0]):
                count -= len(self._outgoing.popleft())
            if count > 0:
                self._outgoing[0] = memoryview(self._outgoing[0])[count:]

    def _receive(self) -> list[Message] | None:
        messages: list[Message] = []
        while True:
            try:
                count = os.readv(self._output, [self._received])
            except BlockingIOError:
                return messages
            if count == 0:
                return messages or None
            try:
                messages += self._parser.feed(self._received[:count])
            except (ValueError, AttributeError):
                raise InternalError("a worker violated the protocol") from None
            if messages and count < READ_BYTES:
                return messages

    def _relay(self) -> None:
        """Forwards the worker's standard error. Until the worker has started, the output is kept, because it may explain why the worker
        does not start.
        """
        while self._errors is not None:
            try:
                data = os.read(self._errors, 1 << 16)
            except BlockingIOError:
                return
            if not data:
                self._poll.unregister(self._errors)
                self._errors = None
            elif self._kept_errors is None:
                _complain(data)
            elif len(self._kept_errors) < ERRORS_LIMIT:
                self._kept_errors += data

    def started(self) -> None:
        """Records that the worker has sent `hello`. From now on, its standard error is forwarded to this process's standard error."""
        kept, self._kept_errors = self._kept_errors, None
        if kept:
            _complain(bytes(kept))

    def attend(self, seconds: float | None) -> list[Message] | None:
        """Waits until the worker has written data, until it can receive data that is waiting to be sent, or until ``wake`` is called.

        :return: the messages that have arrived; None once the worker has closed its output, which happens when it ends.
        :raises InternalError: the messages violate the protocol.
        """
        poll = self._poll
        writing = self._input
        if self._outgoing and writing is not None:
            poll = self._polling()
            poll.register(writing, select.POLLOUT)
        has_messages = False
        # The time is rounded up, because a wait that ends too early would be followed by many short waits.
        for descriptor, _ in poll.poll(None if seconds is None else max(0, math.ceil(seconds * 1000))):
            if descriptor == self._output:
                has_messages = True
            elif descriptor == self._errors:
                self._relay()
            elif descriptor == self._bell:
                os.eventfd_read(self._bell)
            else:
                with self._sending:
                    self._flush()
        return self._receive() if has_messages else []

    def _polling(self) -> select.poll:
        poll = select.poll()
        for descriptor in (self._output, self._errors, self._bell):
            if descriptor is not None:
                poll.register(descriptor, select.POLLIN)
        return poll

    def picture(self, header: dict[str, Any]) -> bytes | None:
        """The bytes of a picture that the worker has handed over in memory; None if there is no such picture."""
        place = header.get("memory")
        return None if place is None or self._memory is None else os.pread(self._memory, place[1], place[0])

    @property
    def has_started(self) -> bool:
        """Whether the worker has sent `hello`."""
        return self._kept_errors is None

    @property
    def has_ended(self) -> bool:
        return self.process.poll() is not None

    def end(self) -> None:
        """Lets the worker end by itself, which an idle worker does immediately. If it does not end in time, kills it."""
        if os.getpid() != self.owner:
            return
        self._close_input()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(END_SECONDS)
        self.kill()

    def _close_input(self) -> None:
        """Closes the worker's standard input, so that the worker ends."""
        with self._sending:
            self._outgoing.clear()
            self._input = None
            if self.process.stdin is not None:
                with contextlib.suppress(OSError):
                    self.process.stdin.close()

    def kill(self) -> None:
        """Kills the worker, and waits for its end."""
        if os.getpid() != self.owner:
            return
        self.process.kill()
        self._close_input()
        self._relay()
        for stream in (self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()
        self._errors = None
        # A process that waits for a device may survive even this, and nothing more can be done.
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(END_SECONDS)

    def reap(self) -> WaymarkError:
        """Waits briefly for a worker that has closed its output.

        :return: the reason why the worker has ended.
        """
        during = " during this picture" if self.has_started else " before it had started"
        try:
            status = self.process.wait(REAP_SECONDS)
        except subprocess.TimeoutExpired:
            return WorkerCrashed(f"the worker closed its output{during} and did not end")
        self._relay()
        if status in REFUSALS and self._kept_errors:
            return error_of(status, sentence(bytes(self._kept_errors), status))
        return WorkerCrashed(f"the worker {fate(status)}{during}")

    def close_descriptors(self) -> None:
        """Closes the pipes in a forked process, because their other ends would otherwise never see the end of the file."""
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        self._input = self._errors = None
        # The process is not a child of this process.
        self.process.returncode = 0


def _complain(data: bytes) -> None:
    """Writes to the standard error of this process, which may be closed."""
    with contextlib.suppress(OSError):
        os.write(2, data)


def _after_fork() -> None:
    _starting.release()
    for worker in list(_workers):
        worker.close_descriptors()


os.register_at_fork(before=_starting.acquire, after_in_parent=_starting.release, after_in_child=_after_fork)


def greet(worker: WorkerProcess, header: dict[str, Any]) -> str:
    """Reads the first message.

    :return: the renderer's name.
    :raises WaymarkError: the worker cannot draw.
    """
    if header.get("type") == "fatal":
        raise fault(header)
    if header.get("type") != "hello" or header.get("protocol") != 1:
        raise InternalError(f"{program()} is not the waymark program of this version of the package")
    worker.started()
    return str(header.get("renderer", ""))


#: The program's sentence for a worker that ended.
_LOSS = re.compile(r"(?:a|the) worker (?:was ended by signal (?P<signal>[0-9]+)(?: \([^)]*\))?|ended with code (?P<code>[0-9]+))")


def fault(header: dict[str, Any]) -> WaymarkError:
    """The exception for an `error`, `failed` or `fatal` message."""
    code, message = int(header.get("code", 70)), str(header.get("message", "the worker failed"))
    if code == DeadlineExceeded.code:
        message = message.replace("the worker did not finish", "the picture was not finished", 1)
    lost = _LOSS.match(message) if code == WorkerCrashed.code else None
    if lost is None:
        return error_of(code, message)
    status, rest = int(lost["code"] or 0) - int(lost["signal"] or 0), message[lost.end() :]
    during = "" if rest.startswith(" before ") else " during this picture"
    return WorkerCrashed(f"the worker {fate(status)}{during}{rest}")
