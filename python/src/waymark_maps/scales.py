"""Makes the members of scales for the values of a column."""

from __future__ import annotations

import datetime
import decimal
import math
import numbers
from collections.abc import Callable, Mapping
from typing import Any

from .classes import limit_of, numbers_of
from .encoding import brief
from .errors import UsageError
from .palettes import Palette, opacity
from .rows import different, written


def has_order(values: list[Any]) -> bool:
    """Whether all values are numbers, or all are dates."""
    known = [value for value in values if value is not None]
    dates = sum(isinstance(value, datetime.date) for value in known)
    return dates == len(known) if dates else all(isinstance(value, numbers.Real | decimal.Decimal) and not isinstance(value, bool) for value in known)


def lacks_numbers(values: list[Any] | None, argument: str) -> bool:
    """Whether there are values, but no numbers among them."""
    return values is not None and any(value is not None for value in values) and not numbers_of(values, argument)


def distinct(values: list[Any] | None) -> list[Any]:
    """The distinct values in ascending order, as in GeoPandas."""
    if values is None:
        raise UsageError("categories: if the data is a file, the list of categories is required")
    found = different(values)
    try:
        found.sort()
    except TypeError:
        found.sort(key=str)
    return written(found)


def has_dates(values: list[Any] | None) -> bool:
    return values is not None and any(isinstance(value, datetime.date) for value in values)


# Smooth colors


def normed(norm: Any, palette: Palette, values: list[Any] | None, low: float | None, high: float | None) -> dict[str, Any]:
    """The members of a scale of colors without computed classes.

    :param norm: a norm of matplotlib, or ``"linear"`` or ``"log"``; None for a linear scale.
    """
    if norm is None or isinstance(norm, str) and norm in ("linear", "log"):
        return _smooth(norm or "linear", palette, values, low, high)
    kind = type(norm).__name__
    if kind not in ("Normalize", "LogNorm", "BoundaryNorm"):
        name = brief(norm) if isinstance(norm, (str, int, float)) else kind
        raise UsageError(f"norm: {name} is not Normalize, LogNorm or BoundaryNorm; use scheme, or color with a ColorScale that has a ramp or sqrt")
    if low is not None or high is not None:
        raise UsageError(f"{'vmax' if low is None else 'vmin'}: a norm has its own vmin and vmax")
    if kind == "BoundaryNorm":
        return _bounded(norm, palette)
    ends = (limit_of(f"norm: {name}", getattr(norm, name)) for name in ("vmin", "vmax"))
    return _smooth("log" if kind == "LogNorm" else "linear", palette, values, *ends)


def _smooth(axis: str, palette: Palette, values: list[Any] | None, low: float | None, high: float | None) -> dict[str, Any]:
    """
    :param axis: ``"linear"`` or ``"log"``.
    """
    bands = palette.bands
    if low is None and high is None and bands is None:
        return {axis: palette.smooth}
    first, last = _ends(axis, values, low, high)
    if bands is None:
        return {axis: palette.smooth, "domain": [first, last]}
    colors, count = bands
    if count == 1 or first == last:
        return {"classes": {"equal": 1}, "colors": colors[:1] if isinstance(colors, list) else colors}
    shares = [step / count for step in range(1, count)]
    steps = [first * (last / first) ** share if axis == "log" else first + (last - first) * share for share in shares]
    return {"steps": steps, "colors": colors}


def _ends(axis: str, values: list[Any] | None, low: float | None, high: float | None) -> tuple[float, float]:
    """The lowest and the highest value of a scale."""
    given = {name: end for name, end in (("vmin", low), ("vmax", high)) if end is not None}
    for name, end in given.items():
        if axis == "log" and end <= 0:
            raise UsageError(f"{name}: {end:g} is not above 0, as a logarithmic norm requires")
    known = [] if len(given) == 2 else [number for number in numbers_of(values, next(iter(given), "cmap")) if axis != "log" or number > 0]
    known = known or [*given.values()] or [1.0]
    first, last = min(known) if low is None else low, max(known) if high is None else high
    if first > last:
        raise UsageError(f"vmin: {first:g} is above vmax, {last:g}")
    return first, last


def _bounded(norm: Any, palette: Palette) -> dict[str, Any]:
    """The members of a scale for a BoundaryNorm."""
    bounds = [*map(float, norm.boundaries)]
    # Values beyond the ends have colors of their own.
    if norm.extend in ("min", "both"):
        bounds.insert(0, bounds[0] - 1)
    if norm.extend in ("max", "both"):
        bounds.append(bounds[-1] + 1)
    colors = palette.indexed([int(index) for index in norm([(low + high) / 2 for low, high in zip(bounds, bounds[1:])])])
    # A class of matplotlib includes its lower bound, and a class of the program its upper bound.
    steps = [math.nextafter(bound, -math.inf) for bound in bounds[1:-1]]
    return {**({"steps": steps} if steps else {"classes": {"equal": 1}}), "colors": colors}


# Other scales


def order(size: Mapping[str, Any], ends: list[int]) -> dict[str, Any]:
    """A scale that derives z indexes from the sizes of discs.

    :param ends: the z indexes of the smallest and the largest disc.
    """
    stops = size.get("ramp")
    form = {"sqrt": ends} if stops is None else {"ramp": [[stop[0], end] for stop, end in zip((stops[0], stops[-1]), ends)]}
    return {"by": size["by"], **form, "missing": min(ends)}


def with_colors(scale: Mapping[str, Any], change: Callable[[str], str]) -> dict[str, Any]:
    """A copy of a scale with changed colors. The colors of a named scheme are not changed."""

    def changed(value: Any) -> Any:
        return change(value) if isinstance(value, str) else value

    found = dict(scale)
    for key, value in scale.items():
        is_list = isinstance(value, (list, tuple))
        if key in ("colors", "linear", "log", "sqrt") and is_list:
            found[key] = [*map(changed, value)]
        elif key == "ramp" and is_list:
            found[key] = [[*stop[:-1], *map(changed, stop[-1:])] if isinstance(stop, (list, tuple)) else stop for stop in value]
        elif key == "categories" and isinstance(value, Mapping):
            found[key] = {name: changed(color) for name, color in value.items()}
        elif key in ("missing", "others"):
            found[key] = changed(value)
    return found


def opacities(scale: Mapping[str, Any]) -> set[float]:
    """The opacities of the colors of a scale."""
    found: set[float] = set()

    def noted(color: str) -> str:
        found.add(opacity(color))
        return color

    is_named = any(isinstance(scale.get(key), str) for key in ("colors", "linear", "log", "sqrt"))
    with_colors(scale, noted)
    return found | {1.0} if is_named or not found else found
