"""Converts colors and colormaps of matplotlib to the form used in scenes."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from typing import Any, get_args

from .encoding import brief, has
from .errors import MissingPackage, UsageError
from .overlays import ColorScheme
from .rows import text_of

#: The names of the program's color schemes, without the reversed schemes.
SCHEMES = tuple(name for name in get_args(ColorScheme) if not name.startswith("-"))
#: The numbers of colors of the qualitative schemes, whose colors are not mixed.
QUALITATIVE = {"Accent": 8, "Dark2": 8, "Paired": 12, "Pastel1": 9, "Pastel2": 8, "Set1": 9, "Set2": 8, "Set3": 12}
#: A colormap of matplotlib with fewer colors is used as a list of separate colors, as in GeoPandas.
FEW_COLORS = 32
#: The maximum number of colors of a scale.
MOST_COLORS = 1024
#: The names of colors in CSS.
NAMES = """
    aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue blueviolet brown burlywood cadetblue chartreuse
    chocolate coral cornflowerblue cornsilk crimson cyan darkblue darkcyan darkgoldenrod darkgray darkgreen darkgrey darkkhaki
    darkmagenta darkolivegreen darkorange darkorchid darkred darksalmon darkseagreen darkslateblue darkslategray darkslategrey
    darkturquoise darkviolet deeppink deepskyblue dimgray dimgrey dodgerblue firebrick floralwhite forestgreen fuchsia gainsboro
    ghostwhite gold goldenrod gray green greenyellow grey honeydew hotpink indianred indigo ivory khaki lavender lavenderblush lawngreen
    lemonchiffon lightblue lightcoral lightcyan lightgoldenrodyellow lightgray lightgreen lightgrey lightpink lightsalmon lightseagreen
    lightskyblue lightslategray lightslategrey lightsteelblue lightyellow lime limegreen linen magenta maroon mediumaquamarine
    mediumblue mediumorchid mediumpurple mediumseagreen mediumslateblue mediumspringgreen mediumturquoise mediumvioletred midnightblue
    mintcream mistyrose moccasin navajowhite navy oldlace olive olivedrab orange orangered orchid palegoldenrod palegreen paleturquoise
    palevioletred papayawhip peachpuff peru pink plum powderblue purple rebeccapurple red rosybrown royalblue saddlebrown salmon
    sandybrown seagreen seashell sienna silver skyblue slateblue slategray slategrey snow springgreen steelblue tan teal thistle tomato
    transparent turquoise violet wheat white whitesmoke yellow yellowgreen
""".split()


def css_color(name: str, value: Any, alpha: float | None = None) -> str:
    """Converts a color of matplotlib to a color of a scene. Accepts a name, hex digits, ``"C0"``, ``"0.5"``, ``"none"``, and ``(r, g, b)``
    or ``(r, g, b, a)`` with numbers in 0…1.

    :param name: the name of the argument, for errors.
    :param alpha: a factor for the color's opacity.
    """
    if isinstance(value, str):
        if value.lower() in ("none", ""):
            return "transparent"
        is_plain = _is_plain(name, value)
        if is_plain and (alpha is None or alpha == 1 or value == "transparent"):
            return value
        if is_plain and value.startswith("#"):
            digits = value[1:] if len(value) > 5 else "".join(2 * digit for digit in value[1:])
            return _hex([int(digits[place : place + 2], 16) / 255 for place in range(0, len(digits), 2)], alpha)
        return _hex(_rgba(name, value), alpha)
    try:
        numbers = [float(part) for part in value]
    except (TypeError, ValueError):
        return _hex(_rgba(name, value), alpha)
    if len(numbers) not in (3, 4) or not all(0 <= number <= 1 for number in numbers):
        raise UsageError(f"{name}: {brief(value)} is not a color: three or four numbers must be from 0 to 1")
    return _hex(numbers, alpha)


def _is_plain(name: str, value: str) -> bool:
    """Whether a color is a CSS name or CSS hex digits. Other colors are left to matplotlib.

    :raises UsageError: the name or the hex digits are not a valid color.
    """
    if value.startswith("#"):
        if re.fullmatch("#([0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})", value) is None:
            raise UsageError(f"{name}: {brief(value)} is not a color: 3, 4, 6 or 8 hex digits are required")
        return True
    if re.fullmatch("[a-zA-Z]{2,}", value) is None:
        return False
    if value.lower() not in NAMES:
        similar = difflib.get_close_matches(value.lower(), NAMES, 1)
        hint = f'; did you mean "{similar[0]}"?' if similar else ""
        raise UsageError(f"{name}: {brief(value)} is not a color{hint}")
    return True


def is_color(value: Any) -> bool:
    """Whether a value may be a single color, not a list of colors."""
    if isinstance(value, str):
        return True
    return isinstance(value, (tuple, list)) and len(value) in (3, 4) and all(isinstance(part, (int, float)) for part in value)


def _rgba(name: str, value: Any) -> Sequence[float]:
    try:
        import matplotlib.colors
    except ImportError:
        raise MissingPackage(f"{name}: matplotlib, which knows the color {brief(value)}, is not installed; write it as hex digits") from None
    try:
        rgba: Sequence[float] = matplotlib.colors.to_rgba(value)
        return rgba
    except ValueError:
        raise UsageError(f"{name}: {brief(value)} is not a color") from None


def _hex(color: Sequence[float], alpha: float | None = None) -> str:
    opacity = (float(color[3]) if len(color) > 3 else 1.0) * (1.0 if alpha is None else alpha)
    parts = [*(float(part) for part in color[:3]), *([opacity] if opacity < 1 else [])]
    return "#" + "".join(f"{round(part * 255):02x}" for part in parts)


def opacity(color: str) -> float:
    """The opacity of a color of a scene."""
    if color.lower() == "transparent":
        return 0.0
    match = re.fullmatch("#(?:[0-9a-fA-F]{3}([0-9a-fA-F])|[0-9a-fA-F]{6}([0-9a-fA-F]{2}))", color)
    return 1.0 if match is None else int(match[2] or 2 * match[1], 16) / 255


def opaque(color: str) -> str:
    """A color of a scene without its opacity."""
    return color if opacity(color) == 1 or not color.startswith("#") else color[: 4 if len(color) == 5 else 7]


# Colormaps


class Palette:
    """The colors of a ``cmap``: a scheme of the program, a colormap of matplotlib, or a list of colors.

    If the program has a scheme with the given name, it is used instead of matplotlib's colormap. With few classes, the program's
    ColorBrewer colors are better, because matplotlib interpolates between the colors of the largest scheme.
    """

    def __init__(self, cmap: Any) -> None:
        #: The name of the program's scheme.
        self.scheme: str | None = None
        self._colors: list[str] | None = None
        self._map: Any = None
        if isinstance(cmap, str):
            base = cmap.removesuffix("_r").removeprefix("-")
            if base in SCHEMES:
                self.scheme = base if cmap.startswith("-") == cmap.endswith("_r") else f"-{base}"
            else:
                self._map = _map_of_matplotlib(cmap)
        elif has(cmap, "N") and callable(cmap):
            self._map = cmap
        elif isinstance(cmap, Sequence) or hasattr(cmap, "tolist"):
            self._colors = [css_color(f"cmap[{index}]", color) for index, color in enumerate(cmap)]
            if not self._colors:
                raise UsageError("cmap: the list of colors is empty")
        else:
            raise UsageError(f"cmap: {brief(cmap)} is not the name of a colormap, a colormap of matplotlib, or a list of colors")

    def classes(self, count: int) -> str | list[str]:
        """The colors for a number of classes: the name of a scheme, or a list.

        :raises UsageError: there are too few colors.
        """
        if self.scheme is not None:
            limit = QUALITATIVE.get(self.scheme.removeprefix("-"), count)
            if count > limit:
                raise UsageError(f'cmap: "{self.scheme}" has {limit} colors, but there are {count} classes or categories')
            return self.scheme
        if self._colors is not None:
            if count > len(self._colors):
                raise UsageError(f"cmap: {count} colors are needed, one for each class or category, not {len(self._colors)}")
            return self._colors[:count]
        # As in GeoPandas.
        if self._map.N < FEW_COLORS:
            if count > self._map.N:
                raise UsageError(f'cmap: "{self._map.name}" has {self._map.N} colors, but there are {count} classes or categories')
            return self._sampled(list(range(count)))
        return self._sampled([index / (count - 1) if count > 1 else 0.0 for index in range(count)])

    @property
    def smooth(self) -> str | list[str]:
        """The colors of a smooth scale: the name of a scheme, or a list."""
        if self.scheme is not None or self._colors is not None:
            return self.scheme or self._colors or ""
        count = min(self._map.N, MOST_COLORS)
        return self._sampled([index / (count - 1) if count > 1 else 0.0 for index in range(count)])

    @property
    def bands(self) -> tuple[str | list[str], int] | None:
        """The colors of a colormap with few colors, and their number. They are not interpolated, and each covers an equal part of the range
        of values.
        """
        if self.scheme is not None:
            count = QUALITATIVE.get(self.scheme.removeprefix("-"))
            return None if count is None else (self.scheme, count)
        return (self._sampled(list(range(self._map.N))), self._map.N) if self._map is not None and self._map.N < FEW_COLORS else None

    def indexed(self, places: list[int]) -> str | list[str]:
        """The colors of classes. For each class, ``places`` contains the index of its color in matplotlib's colormap, from a norm. A
        palette that is a list has one color for each class instead.
        """
        if self._colors is not None:
            return self.classes(len(places))
        if self._map is None:
            name = (self.scheme or "").removeprefix("-")
            self._map = _map_of_matplotlib(name if name == self.scheme else f"{name}_r")
        return self._sampled(places)

    def _sampled(self, places: list[Any]) -> list[str]:
        return [_hex(color) for color in self._map(places)]


def category_colors(cmap: Any, names: Sequence[Any], *, is_strong: bool) -> str | list[str]:
    """The colors of categories.

    :param cmap: as for ``Palette``, or a dict that maps categories to colors; None for a scheme with enough colors.
    :param is_strong: whether the default scheme has strong colors, for points and lines on a light map.
    """
    if isinstance(cmap, Mapping):
        # The program compares them as texts, too.
        colors = {text_of(name): color for name, color in cmap.items()}
        if missing := [name for name in names if text_of(name) not in colors]:
            raise UsageError(f"cmap: the dict has no color for {brief(missing[0])}")
        return [css_color(f"cmap[{brief(name)}]", colors[text_of(name)]) for name in names]
    if cmap is None:
        cmap = ("Dark2" if is_strong else "Set2") if len(names) <= 8 else "Paired" if len(names) <= 12 else "Spectral"
    return Palette(cmap).classes(len(names))


def _map_of_matplotlib(name: str) -> Any:
    try:
        import matplotlib
    except ImportError:
        if similar := difflib.get_close_matches(name, SCHEMES, 1):
            raise UsageError(f'cmap: unknown color scheme "{name}"; did you mean "{similar[0]}"?') from None
        raise MissingPackage(f'cmap: matplotlib, which may have the colormap "{name}", is not installed; run `pip install matplotlib`') from None
    try:
        return matplotlib.colormaps[name]
    except KeyError:
        similar = difflib.get_close_matches(name, [*SCHEMES, *matplotlib.colormaps], 1)
        hint = f'; did you mean "{similar[0]}"?' if similar else ""
        raise UsageError(f'cmap: unknown colormap "{name}"{hint}') from None
