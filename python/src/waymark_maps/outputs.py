"""Folders in any file system that fsspec supports. A file appears in its folder only when it is complete."""

from __future__ import annotations

import contextlib
import os
import posixpath
import time
from collections.abc import Iterator, Mapping
from typing import Any

from .encoding import write_whole
from .errors import MissingPackage, OutputError

#: File systems in which a file appears only once it is complete, so that it is written under its final name.
WHOLE_AT_ONCE = {"s3", "s3a", "gs", "gcs", "az", "abfs", "abfss", "adl", "oss", "memory"}
#: Seconds between two attempts, initially and at most.
FIRST_PAUSE, LONGEST_PAUSE = 0.05, 5.0


#: The folder within the output in which unfinished files are written.
PARTS = ".waymark-parts"


class OutputFolder:
    """A folder: a path, or a URL such as ``s3://bucket/cards``."""

    def __init__(self, url: str | os.PathLike[str], options: Mapping[str, Any] | None = None, *, patience: float = 300) -> None:
        """
        :param options: options for the file system, such as ``key`` and ``secret``.
        :param patience: the time in seconds for which a failed write is retried.
        :raises OutputError: fsspec does not know the file system.
        """
        try:
            import fsspec.core
            from fsspec.implementations.local import LocalFileSystem
        except ImportError:
            raise MissingPackage("fsspec, which writes into folders of any kind, is not installed; run `pip install 'waymark-maps[ray]'`") from None
        try:
            self._system, root = fsspec.core.url_to_fs(os.fspath(url), **(options or {}))
        except (ValueError, ImportError) as error:
            raise OutputError(f"{url}: {error}") from None
        self.root: str = root.rstrip("/") or "/"
        self.patience = patience
        self._is_local = isinstance(self._system, LocalFileSystem)
        protocol = self._system.protocol
        self._is_whole_at_once = not WHOLE_AT_ONCE.isdisjoint([protocol] if isinstance(protocol, str) else protocol)

    def names(self) -> Iterator[str]:
        """The existing files, with their paths within the folder."""
        start = self.root.rstrip("/") + "/"
        try:
            for path in self._paths():
                if path.startswith(start) and not path.startswith(f"{start}{PARTS}/"):
                    yield path[len(start) :]
        except FileNotFoundError:
            return
        except OSError as error:
            raise OutputError(f"{self.root}: the folder cannot be listed: {error.strerror or error}") from None

    def _paths(self) -> Iterator[str]:
        if self._is_local:
            # fsspec also reads the size and the times of each file: 15 s and 880 MB for a million files, instead of 4 s and 170 MB.
            for folder, _, files in os.walk(self.root, onerror=_raise_unless_gone):
                yield from (posixpath.join(folder, name) for name in files)
        else:
            self._system.invalidate_cache()
            yield from self._system.find(self.root, **_strictness(self._system))

    def remove_parts(self) -> None:
        """Removes the partial files of killed processes. A process that is still writing loses its partial file, too, and writes it again.
        """
        if not self._is_whole_at_once:
            with contextlib.suppress(Exception):
                self._system.rm(posixpath.join(self.root, PARTS), recursive=True)

    def write(self, name: str, data: bytes) -> None:
        """Writes a file, completely or not at all, and retries for a while if that fails.

        :raises OutputError: the file could not be written within ``patience``.
        """
        until = time.monotonic() + self.patience
        pause = FIRST_PAUSE
        while True:
            try:
                return self._write(posixpath.join(self.root, name), data)
            except Exception as error:  # Every file system raises different errors.
                if time.monotonic() + pause > until:
                    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
                    raise OutputError(f"{name}: {reason}") from None
            time.sleep(pause)
            pause = min(pause * 2, LONGEST_PAUSE)

    def _write(self, path: str, data: bytes) -> None:
        if self._is_whole_at_once:
            self._system.pipe_file(path, data)
            return None
        parts = posixpath.join(self.root, PARTS)
        if self._is_local:
            try:
                return write_whole(path, data, parts)
            except FileNotFoundError:
                os.makedirs(os.path.dirname(path), exist_ok=True)
                os.makedirs(parts, exist_ok=True)
                return write_whole(path, data, parts)
        beside = posixpath.join(parts, f"{os.getpid()}-{os.urandom(8).hex()}")
        for folder in (parts, posixpath.dirname(path)):
            self._system.makedirs(folder, exist_ok=True)
        try:
            self._system.pipe_file(beside, data)
            self._system.mv(beside, path)
        except BaseException:
            with contextlib.suppress(Exception):
                self._system.rm(beside)
            raise
        return None


def _strictness(system: Any) -> dict[str, Any]:
    """The argument that makes fsspec raise an error for a folder that it cannot list. By default, fsspec treats such a folder as empty."""
    from fsspec import AbstractFileSystem
    from fsspec.asyn import AsyncFileSystem

    kind = type(system)
    walks = kind._find is AsyncFileSystem._find if issubclass(kind, AsyncFileSystem) else kind.find is AbstractFileSystem.find
    return {"on_error": _raise_unless_gone} if walks else {}


def _raise_unless_gone(error: OSError) -> None:
    # Another process may be removing its partial files at the same time.
    if not isinstance(error, FileNotFoundError):
        raise error
