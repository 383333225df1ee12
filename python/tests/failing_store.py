"""A store of fsspec, in a folder of this machine, that is of no use while there is a file: the URL is `failing://FOLDER`, and the option `switch`
names the file. With `full` in it, writing fails, as on a disk without space; with `lost`, everything does, as without a network."""

import errno
import os
import pathlib

import fsspec
from fsspec.implementations.local import LocalFileSystem


class FailingStore(fsspec.AbstractFileSystem):
    protocol = "failing"
    cachable = False

    def __init__(self, switch, **options):
        super().__init__(**options)
        self.switch = pathlib.Path(switch)
        self.local = LocalFileSystem()

    @classmethod
    def _strip_protocol(cls, path):
        return LocalFileSystem._strip_protocol(str(path).removeprefix("failing://"))

    def trouble(self):
        try:
            return self.switch.read_text()
        except FileNotFoundError:
            return ""

    def fail_if_lost(self):
        if self.trouble() == "lost":
            raise OSError(errno.ECONNRESET, os.strerror(errno.ECONNRESET))

    def ls(self, path, detail=True, **options):
        self.fail_if_lost()
        return self.local.ls(path, detail=detail)

    def pipe_file(self, path, value, mode="overwrite", **options):
        if self.trouble():
            self.local.pipe_file(path, value[: len(value) // 2])
            self.fail_if_lost()
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self.local.pipe_file(path, value)

    def makedirs(self, path, exist_ok=False):
        self.fail_if_lost()
        self.local.makedirs(path, exist_ok=exist_ok)

    def mv(self, path1, path2, **options):
        self.fail_if_lost()
        os.replace(self._strip_protocol(path1), self._strip_protocol(path2))

    def rm(self, path, recursive=False, maxdepth=None):
        self.fail_if_lost()
        self.local.rm(self._strip_protocol(path), recursive=recursive)


# Here, since a process of Ray that gets the function below imports this file first.
fsspec.register_implementation("failing", FailingStore, clobber=True)


def job(row):
    return {"id": f"p{row['n']}", "change": {"hall": {"captionText": str(row["n"])}}}
