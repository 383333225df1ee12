"""Converts Python objects to the JSON of scene files."""

from __future__ import annotations

import contextlib
import dataclasses
import datetime
import decimal
import functools
import inspect
import json
import math
import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from .errors import SceneError, unexpected_argument

TOO_DEEP = "the scene is nested too deeply"


class Element:
    """A part of a scene. Its attributes are the keys of scene files in snake_case, for example ``caption_text`` for ``captionText``.

    An attribute that is ``None`` is omitted, so its default applies. A subclass with computed values overrides ``members``.
    """

    # A marker has sixty attributes, of which few are set. Only the set attributes are kept, in the dict from which the JSON is made.
    # Collecting them from slots would take half as long as the encoding.
    __slots__ = ("_values",)

    #: The attributes and their keys in scene files, in their order.
    _keys: ClassVar[tuple[tuple[str, str], ...]] = ()
    #: The `type` of an overlay.
    _type: ClassVar[str | None] = None
    #: The key that contains all others, such as `label`.
    _wrapper: ClassVar[str | None] = None
    #: The alternative arguments of the constructor for each attribute, such as `lat` and `lng` for `position`.
    _other_names: ClassVar[Mapping[str, Sequence[str]]] = {}

    def members(self) -> dict[str, Any]:
        """The keys that have been set, with their values, which may be elements."""
        members = dict(_values(self))
        return members if self._wrapper is None else {self._wrapper: members}

    def to_dict(self) -> dict[str, Any]:
        """This element as an object of a scene file, in plain Python values.

        :raises SceneError: it contains a value that JSON cannot represent, or a source that is not a file.
        """
        result: dict[str, Any] = json.loads(encode(self))
        return result

    def __repr__(self) -> str:
        values = _values(self)
        return f"{type(self).__name__}({', '.join(f'{name}={values[key]!r}' for name, key in self._keys if key in values)})"

    def __eq__(self, other: object) -> bool:
        return _values(self) == _values(other) if isinstance(other, Element) and type(other) is type(self) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    @classmethod
    def _chosen(cls, attribute: str, value: Any, **others: Any) -> Any:
        """The value of a required attribute, which is passed either under its own name or as one of several other arguments.

        :raises TypeError: none or several of these arguments are given.
        """
        given = {name: item for name, item in others.items() if item is not None}
        if value is not None and not given:
            return value
        if value is None and len(given) == 1 and "lat" not in others:
            return given
        alternatives = f"both {' and '.join(others)}" if "lat" in others else " or ".join(others)
        none = "neither" if "lat" in others else "none of them"
        names = [*([attribute] if value is not None else []), *given]
        raise TypeError(f"{cls.__name__}() requires {attribute} or {alternatives}, but was given {' and '.join(names) or none}")

    @classmethod
    def _refuse(cls, arguments: Mapping[str, Any]) -> None:
        known = [*(name for name, _ in cls._keys), *(other for others in cls._other_names.values() for other in others)]
        raise unexpected_argument(cls.__name__, next(iter(arguments)), known)

    @staticmethod
    def _check_place(lat: Any, lng: Any) -> None:
        """
        :raises SceneError: a coordinate is not a number in its range.
        """
        # This is the usual case; the checks of other types take longer.
        if type(lat) is float and type(lng) is float and -90 <= lat <= 90 and -180 <= lng <= 180:
            return
        for name, value in (("lat", lat), ("lng", lng)):
            if not is_finite(value):
                raise SceneError(f"{name}: {brief(value)} is not a finite number")
        if not -90 <= lat <= 90:
            raise SceneError(f"lat: {lat} is outside -90…90")

    def __reduce_ex__(self, protocol: Any) -> Any:
        # A copy does not share its values.
        values = dict(_values(self))
        parts: Any = super().__reduce_ex__(max(2, protocol))
        make, arguments, (attributes, slots), *rest = parts
        return (make, arguments, (attributes, {**slots, "_values": values}), *rest)


def _values(item: Any) -> dict[str, Any]:
    """The values of an element, keyed as in scene files. The element's type comes first."""
    try:
        values: dict[str, Any] = item._values
    except AttributeError:
        # For a subclass whose constructor has not yet called this one.
        values = item._values = {} if item._type is None else {"type": item._type}
    return values


#: The classes whose values are encoded unchanged: they have no source, and their `members` adds nothing.
_plain_kinds: set[type] = set()

if TYPE_CHECKING:
    from typing_extensions import dataclass_transform

    Kind = TypeVar("Kind", bound=type[Element])

    @dataclass_transform()
    def element(kind: Kind) -> Kind: ...

else:

    def element(kind: type[Element]) -> type[Element]:
        """Makes a class a dataclass. Its attributes are properties, whose values are in the element's dict under their keys in scene
        files.
        """
        kind = dataclasses.dataclass(init=False, repr=False, eq=False)(kind)
        fields = {field.name: field for field in dataclasses.fields(kind)}
        keys = tuple((name, re.sub("_([a-z])", lambda match: match[1].upper(), name)) for name in fields)
        own = {name: value for name, value in vars(kind).items() if name not in (*fields, "__dict__", "__weakref__")}
        own |= {name: _attribute(kind, name, key) for name, key in keys if name in kind.__annotations__}
        own |= {"__slots__": (), "_keys": keys, "__init__": _constructor(kind, fields, keys)}
        # A class gets its slots when it is created, so it is created again.
        made = type(kind)(kind.__name__, kind.__bases__, own)
        if kind.members is Element.members and kind._wrapper is None and "source" not in fields:
            _plain_kinds.add(made)
        return made


class _Attribute(property):
    """An attribute of an element. ``help`` finds its description in the source of the class, where editors find it."""

    place: tuple[str, str, str]

    @property
    def __doc__(self) -> str | None:
        module, kind, name = self.place
        return _descriptions(module).get((kind, name))

    @__doc__.setter
    def __doc__(self, text: str | None) -> None:
        """Some versions of Python set it to None."""


@functools.lru_cache
def _descriptions(module: str) -> dict[tuple[str, str], str]:
    """The descriptions of attributes, keyed by class and name: the strings after the annotations."""
    import ast

    try:
        classes = [item for item in ast.parse(inspect.getsource(sys.modules[module])).body if isinstance(item, ast.ClassDef)]
    except (OSError, TypeError):
        return {}
    found = {}
    for item in classes:
        for line, after in zip(item.body, item.body[1:]):
            if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name) and isinstance(after, ast.Expr):
                text = getattr(after.value, "value", None)
                if isinstance(text, str):
                    found[item.name, line.target.id] = inspect.cleandoc(text)
    return found


def _attribute(kind: type[Element], name: str, key: str) -> property:
    def value(item: Element) -> Any:
        return _values(item).get(key)

    def set_value(item: Element, value: Any) -> None:
        if value is None:
            _values(item).pop(key, None)
        else:
            _values(item)[key] = value

    attribute = _Attribute(value, set_value, lambda item: set_value(item, None))
    attribute.place = (kind.__module__, kind.__qualname__, name)
    return attribute


def _constructor(kind: type[Element], fields: Mapping[str, dataclasses.Field[Any]], keys: Sequence[tuple[str, str]]) -> Callable[..., None]:
    """Writes the constructor of a class, as ``dataclass`` does. It stores its arguments in the dict of values, in the order of the keys."""

    def parameters(are_named: bool) -> list[str]:
        chosen = [field for field in fields.values() if field.kw_only == are_named]
        return [field.name + ("" if field.default is dataclasses.MISSING else "=None") for field in chosen]

    named = [*parameters(True), *(f"{other}=None" for others in kind._other_names.values() for other in others)]
    # Other arguments are accepted only to raise an error that suggests a name.
    parameter_list = ", ".join(["self", *parameters(False), *(["*", *named] if named else []), "**_others"])
    first = {} if kind._type is None else {"type": kind._type}
    lines = ["    if _others:\n        self._refuse(_others)\n"]
    for name, others in kind._other_names.items():
        conditions = [f"{name} is None", *(f"{other} is not None" for other in others)]
        arguments = ", ".join([repr(name), name, *(f"{other}={other}" for other in others)])
        word = "if"
        if "lat" in others:
            # Done here, because a call of `_chosen` would take as long as the rest of the constructor.
            lines.append(f"    if {name} is None and lat is not None and lng is not None:\n        self._check_place(lat, lng)\n        {name} = (lng, lat)\n")
            word = "elif"
        lines.append(f"    {word} {' or '.join(conditions)}:\n        {name} = self._chosen({arguments})\n")
    if "lat" in fields:
        lines.append("    self._check_place(lat, lng)\n")
    lines += [f"    if {name} is not None:\n        _own[{key!r}] = {name}\n" for name, key in keys]
    names: dict[str, Any] = {}
    # In its module's namespace, so that its annotations can be resolved.
    exec(f"def __init__({parameter_list}):\n    _own = self._values = {first!r}\n{''.join(lines)}", vars(sys.modules[kind.__module__]), names)
    constructor: Callable[..., None] = names["__init__"]
    constructor.__qualname__ = f"{kind.__qualname__}.__init__"
    constructor.__annotations__ = {**{name: field.type for name, field in fields.items()}, "return": None}
    signature = inspect.signature(constructor)
    constructor.__signature__ = signature.replace(parameters=[*signature.parameters.values()][:-1])  # type: ignore[attr-defined]
    return constructor


def encode(value: Any, source_path: Callable[[Any, bool], str] | None = None, *, separator: str = ",") -> bytes:
    """The JSON of a scene, a job or a part of them.

    :param source_path: a function that writes a source that the scene itself contains to a file, and returns the file's path. Its second
        argument is whether altitudes are used.
    :param separator: the separator between the items of lists and objects.
    :raises SceneError: JSON cannot represent a value.
    """

    def default(item: Any) -> Any:
        if type(item) in _plain_kinds:
            return _values(item)
        if isinstance(item, Element):
            members = item.members()
            source = members.get("source")
            if isinstance(source, os.PathLike):
                members["source"] = os.fspath(source)
            elif source is not None and not isinstance(source, str):
                if source_path is None:
                    raise SceneError("a source in a scene file or a job must be a file; write the data of this source to a file, and pass its path")
                members["source"] = source_path(source, bool(members.get("useAltitude")))
            return members
        return plain(item)

    try:
        # Cycles are searched for only after encoding has failed, because checking for them takes a seventh of the time.
        encoder = json.JSONEncoder(allow_nan=False, ensure_ascii=False, check_circular=False, separators=(separator, ":"), default=default)
        return encoder.encode(value).encode()
    except UnicodeEncodeError:
        raise SceneError("a string in the scene has a lone surrogate, which is not a character") from None
    except RecursionError:
        raise SceneError("the scene contains itself" if _holds_itself(value, default) else TOO_DEEP) from None
    except (ValueError, TypeError) as error:
        if isinstance(error, SceneError):
            raise
        try:
            problem = first_problem(value, "")
        except RecursionError:
            problem = TOO_DEEP
        raise SceneError(problem or f"the scene cannot be written as JSON: {error}") from None


def _holds_itself(value: Any, default: Callable[[Any], Any]) -> bool:
    try:
        json.dumps(value, default=default)
    except RecursionError:
        return False
    except ValueError:
        return True
    return False


def plain(item: Any) -> Any:
    """The JSON value for an object whose type ``json`` does not know."""
    # First, since a table may have many, and looking for attributes takes long.
    if isinstance(item, (datetime.date, datetime.time)):
        return item.isoformat()
    if has(item, "__geo_interface__"):
        # A geometry instead of coordinates: a shapely LineString as the points of a polyline.
        shape = item.__geo_interface__
        return shape.get("coordinates", shape)
    if hasattr(item, "tolist"):  # numpy's arrays and numbers
        return item.tolist()
    if isinstance(item, Mapping):
        return dict(item)
    if isinstance(item, os.PathLike):
        return os.fspath(item)
    if isinstance(item, decimal.Decimal):
        return float(item)
    if isinstance(item, Sequence) and not isinstance(item, (bytes, bytearray, memoryview)):
        return list(item)
    raise TypeError(f"an object of type {type(item).__name__} cannot be written as JSON")


def first_problem(value: Any, path: str) -> str | None:
    """The first value that JSON cannot represent, with its key path."""
    if isinstance(value, Element):
        # A source has been written before.
        value = {key: item for key, item in value.members().items() if key != "source"}
    if isinstance(value, float):
        return f"{path or 'the scene'}: {json.dumps(value)} is not allowed in JSON" if not math.isfinite(value) else None
    if value is None or isinstance(value, (str, int)):
        return None
    if isinstance(value, Mapping):
        for key, item in value.items():
            if not isinstance(key, str):
                return f"{path or 'the scene'}: a key of an object must be a str, not {key!r}"
            if found := first_problem(item, f"{path}.{key}" if path else key):
                return found
        return None
    if isinstance(value, (list, tuple)):
        for index, item in enumerate(value):
            if found := first_problem(item, f"{path}[{index}]"):
                return found
        return None
    try:
        return first_problem(plain(value), path)
    except (TypeError, ValueError) as error:
        return f"{path or 'the scene'}: {error}"


def has(value: Any, name: str) -> bool:
    """Whether an object has an attribute. The attribute is not evaluated, because this may take as long as writing all of a table's
    GeoJSON.
    """
    return inspect.getattr_static(value, name, None) is not None


def is_finite(value: Any) -> bool:
    """Whether a value is a finite number, of any type."""
    try:
        return math.isfinite(value) and not isinstance(value, bool)
    except (TypeError, ValueError, OverflowError):  # Decimal("sNaN") raises a ValueError.
        return False


def brief(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "…"


# Files


def working_directory() -> str:
    """The base folder of relative paths. If the folder was removed, the result is a path that names no file."""
    try:
        return os.getcwd()
    except OSError:
        return os.readlink("/proc/self/cwd")


def write_whole(path: str | os.PathLike[str], data: bytes, beside: str | None = None) -> None:
    """Writes a file completely or not at all: it is written under a temporary name, and then renamed.

    :param beside: the folder of the temporary file, on the same file system. Default: the file's folder.
    :raises OSError: the file cannot be written. No part of it remains.
    """
    target = Path(path)
    part = Path(beside or target.parent) / f".waymark-{os.getpid()}-{os.urandom(8).hex()}.part"
    try:
        # The permissions that any new file has.
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
        with open(descriptor, "wb") as file:
            file.write(data)
        os.replace(part, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.remove(part)
        raise

