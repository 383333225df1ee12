"""Scenes in the form that a worker accepts."""

from __future__ import annotations

import atexit
import contextlib
import hashlib
import os
import re
import shutil
import tempfile
from collections.abc import Mapping
from typing import Any

from .encoding import Element, brief, encode, working_directory, write_whole
from .errors import UsageError
from .features import geojson, is_geographic, type_name
from .overlays import SceneFields
from .wording import argument, in_python


class SceneData:
    """A scene in the form that a worker accepts: the path of a file, or JSON with the base folder of its relative paths.

    Call ``close`` when the picture is finished, to remove the temporary files of its sources.
    """

    def __init__(self, scene: Any, folder_of_sources: str | None = None, *, arguments: Mapping[str, Any] = {}) -> None:
        """
        :param folder_of_sources: the folder in which sources other than files are stored permanently. Default: a temporary folder.
        :param arguments: the arguments of a function besides the scene, keyed as in messages to a worker. Error messages name these
            arguments.
        """
        self.path: str | None = None
        self.json = b""
        self._given = scene
        self._arguments = arguments
        #: The paths in the program's messages, and the names that replace them in Python.
        self._names: dict[str, str] = {}
        #: The base of relative paths, even if this process has another working directory when a worker reads the scene.
        self.folder = working_directory()
        #: The temporary files of sources.
        self._temporary: list[str] = []
        self._folder_of_sources = folder_of_sources
        if isinstance(scene, SceneData):
            raise TypeError("this scene is already encoded; it cannot be encoded again")
        if isinstance(scene, (str, os.PathLike)):
            path = os.fspath(scene)
            if not isinstance(path, str):
                raise UsageError("the path of a scene must be a str")
            if path.lstrip().startswith("{"):
                raise UsageError("a str must be the path of a scene file; for the text of a scene, pass json.loads(text)")
            if "\0" in path or not path:
                raise UsageError(f"{path!r} is not the path of a scene file")
            self.path = path
            # The worker gets this path if its working directory is another folder.
            self._names[os.path.join(self.folder, path)] = path
            return
        # A class of the user declares no keys. Its members may be GeoJSON.
        if isinstance(scene, Element) and scene._keys and not isinstance(scene, SceneFields) and "waymark" not in scene.members():
            kind = type(scene).__name__
            # Only jobs have changes.
            remedy = "pass the base scene that it changes: Pool(base=…)" if hasattr(scene, "change") else "add it to a Scene"
            raise UsageError(f"a {kind} is not a scene; {remedy}")
        if not isinstance(scene, (Element, Mapping)):
            if not is_geographic(scene):
                raise UsageError(
                    "a scene must be a Scene, a path, a dict, a DataFrame, or something with __geo_interface__ or to_json(), "
                    f"not {brief(scene)}"
                )
            self.json = geojson(scene)
            self._names["the scene: "] = f"the {type(scene).__name__}: "
            return
        try:
            self.json = encode(scene, self._source_path)
        except BaseException:
            self.close()
            raise

    def _source_path(self, source: Any, uses_altitude: bool) -> str:
        """The file of a source that the scene itself contains. The name of a kept file depends only on the content."""
        data = geojson(source, uses_altitude=uses_altitude)
        name = f"source-{hashlib.sha256(data).hexdigest()[:16]}"
        if self._folder_of_sources is not None:
            os.makedirs(self._folder_of_sources, exist_ok=True)
            path = os.path.join(self._folder_of_sources, f"{name}.geojson")
        else:
            path = os.path.join(_temporary_folder(), f"{name}-{id(self):x}.geojson")
            if path not in self._temporary:
                self._temporary.append(path)
        if not os.path.exists(path):
            write_whole(path, data)
        self._names[path] = f"the {type_name(source)}"
        return path

    def sentence(self, text: str, job: Any = None) -> str:
        """A message of the program in which files and keys have the names that the caller knows.

        :param job: the job on this scene to which the message refers.
        """
        for path, name in self._names.items():
            text = text.replace(path, name)
        owner = f"{self.path}: " if self.path is not None else "the scene: "
        rest = text.removeprefix(owner)
        key = re.match(r"\w*", rest)[0]  # type: ignore[index]
        if key in self._arguments:
            return argument(key) + rest[len(key) :]
        return text.removesuffix(rest) + in_python(rest, self._given if job is None else job)

    def named(self, header: dict[str, Any], job: Any = None) -> dict[str, Any]:
        """A worker's answer, whose messages name files and keys as the caller knows them."""
        for key in ("message", "warnings", "sceneWarnings"):
            if key in header:
                value = header[key]
                header[key] = self.sentence(value, job) if isinstance(value, str) else [self.sentence(item, job) for item in value]
        return header

    def close(self) -> None:
        for path in self._temporary:
            with contextlib.suppress(OSError):
                os.remove(path)
        self._temporary = []


#: The folder of temporary files, and the id of the process that made it.
_folder: tuple[str, int] | None = None


def _temporary_folder() -> str:
    """A folder that this process keeps until it ends, because making and removing a folder can take longer than writing the file of a small
    table.
    """
    global _folder
    if _folder is None or _folder[1] != os.getpid() or not os.path.isdir(_folder[0]):
        _folder = (tempfile.mkdtemp(prefix="waymark-"), os.getpid())
        atexit.register(_remove, *_folder)
    return _folder[0]


def _remove(folder: str, owner: int) -> None:
    # Not in a forked process.
    if owner == os.getpid():
        shutil.rmtree(folder, ignore_errors=True)
