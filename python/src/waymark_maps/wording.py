"""Rewrites messages of the program so that they name the objects that were given in Python."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from .encoding import Element

#: A key path at the beginning of a message.
_PATH = re.compile(r"(?:\.?[A-Za-z_]\w*|\[\d+\])+(?=: )")


def in_python(sentence: str, given: Any) -> str:
    """Rewrites a message that begins with a key path. Keys of elements in the path become attributes; keys of dicts remain unchanged.

    :param given: the object in which the path begins.
    """
    path = _PATH.match(sentence)
    if path is None or not isinstance(given, Element):
        return sentence
    words: list[str] = []
    item: Any = given
    for key in re.findall(r"\w+", path[0]):
        if isinstance(item, Element):
            if key == item._wrapper:
                continue
            words.append("." + next((name for name, other in item._keys if other == key), key))
            item = getattr(item, words[-1][1:], None)
        elif isinstance(item, Sequence) and not isinstance(item, str) and key.isdigit():
            words.append(f"[{key}]")
            item = item[int(key)] if int(key) < len(item) else None
        else:
            words.append(f"[{key}]" if key.isdigit() else f".{key}")
            item = item.get(key) if isinstance(item, Mapping) else None
    return "".join(words).removeprefix(".") + sentence[path.end() :]


def argument(key: str) -> str:
    """The name of the function argument for a key of a scene file, such as `pixel_ratio` for `pixelRatio`."""
    return re.sub("[A-Z]", lambda match: "_" + match[0].lower(), key)
