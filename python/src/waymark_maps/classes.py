"""The classes of a choropleth: GeoPandas' ``scheme``, classifiers of mapclassify, and lists of upper bounds."""

from __future__ import annotations

import datetime
import difflib
import math
from collections.abc import Mapping, Sequence
from typing import Any

from .encoding import brief
from .errors import MissingPackage, UsageError
from .settings import whole_number

#: The names in scene files of the schemes that the program computes, by their names in mapclassify (lower case, without underscores).
NATIVE = {
    "quantiles": "quantiles",
    "equalinterval": "equal",
    "fisherjenks": "natural",
    "equal": "equal",
    "natural": "natural",
}
#: The maximum number of classes that the program accepts.
MOST_CLASSES = 32


def classes(
    scheme: Any, k: int, options: Mapping[str, Any] | None, values: Sequence[Any] | None, low: float | None, high: float | None
) -> tuple[dict[str, Any], int]:
    """The members of a scale that divide values into classes, and the number of classes.

    :param scheme: a name, a classifier of mapclassify (an object or its Python class), or the upper bounds of the classes.
    :param values: the values; None if they are in a file.
    :param low: values below this are ignored.
    :param high: values above this are ignored.
    """
    if isinstance(scheme, type):
        scheme = scheme.__name__
    if isinstance(scheme, str):
        native = NATIVE.get(scheme.lower().replace("_", ""))
        options = {"k": k, **(options or {})}
        if native is not None and options.keys() == {"k"} and low is None and high is None:
            count = whole_number("k", options["k"], 1, MOST_CLASSES)
            return {"classes": {native: count}}, count
        return _steps(_classified(scheme, options, numbers_of(values, "scheme", low, high)), None)
    if hasattr(scheme, "bins"):
        return _steps(_bounds(scheme.bins), None)
    if isinstance(scheme, Mapping) or not (isinstance(scheme, Sequence) or hasattr(scheme, "tolist")):
        raise UsageError(f"scheme: {brief(scheme)} is not the name of a scheme, a classifier of mapclassify, or a list of upper bounds")
    return _steps(_bounds(scheme), None if values is None else numbers_of(values, "scheme"))


def as_number(value: Any) -> float:
    """Converts a number, a text that contains a number, or a date. A date becomes seconds since 1970, as in the program. A date without a
    time zone is in UTC.

    :raises TypeError, ValueError, OverflowError: ``float`` cannot convert the value.
    """
    if type(value).__name__ == "datetime64":
        value = value.astype("datetime64[us]").item()
    if not isinstance(value, datetime.date):
        return float(value)
    moment = value if isinstance(value, datetime.datetime) else datetime.datetime(value.year, value.month, value.day)
    return (moment if moment.tzinfo else moment.replace(tzinfo=datetime.timezone.utc)).timestamp()


def limit_of(name: str, value: Any) -> float | None:
    """The number for an argument that limits values, which may be a number or a date; None for no limit.

    :param name: the name of the argument, for errors.
    """
    if value is None:
        return None
    try:
        number = math.nan if isinstance(value, (str, bool)) else as_number(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        raise UsageError(f"{name}: {brief(value)} is neither a finite number nor a date")
    return number


def numbers_of(values: Sequence[Any] | None, name: str, low: float | None = None, high: float | None = None) -> list[float]:
    """The numbers among some values. Texts that contain numbers count as numbers, and dates become seconds.

    :param name: the name of the argument that needs the numbers, for errors.
    """
    if values is None:
        raise UsageError(f"{name}: this argument requires a table, but the data is a file")
    found = []
    for value in values:
        try:
            number = math.nan if value is None or isinstance(value, bool) else as_number(value)
        except (TypeError, ValueError, OverflowError):
            continue
        if math.isfinite(number) and (low is None or number >= low) and (high is None or number <= high):
            found.append(number)
    return found


def _bounds(values: Any) -> list[float]:
    try:
        bounds = [*map(as_number, values)]
    except (TypeError, ValueError, OverflowError):
        raise UsageError(f"scheme: the upper bounds must be numbers or dates, not {brief(values)}") from None
    for index, value in enumerate(bounds):
        # The last class may have no upper end.
        if not math.isfinite(value) and (value != math.inf or index < len(bounds) - 1):
            raise UsageError(f"scheme[{index}]: {value:g} is not a finite number")
    for index, (value, following) in enumerate(zip(bounds, bounds[1:])):
        if not value < following:
            raise UsageError(f"scheme[{index + 1}]: {following:g} is not above {value:g}; the upper bounds of classes must ascend")
    if not bounds:
        raise UsageError("scheme: at least one upper bound is required")
    return bounds


def _steps(bounds: list[float], values: list[float] | None) -> tuple[dict[str, Any], int]:
    """
    :param bounds: the upper bounds of the classes.
    :param values: if any value is above the last bound, a class is added for it, as in mapclassify.
    """
    steps = bounds if values and max(values) > bounds[-1] else bounds[:-1]
    # A scale has at least one step.
    return ({"steps": steps}, len(steps) + 1) if steps else ({"classes": {"equal": 1}}, 1)


def _classified(scheme: str, options: Mapping[str, Any], values: list[float]) -> list[float]:
    """The upper bounds of the classes that mapclassify finds."""
    try:
        import mapclassify
        import numpy
    except ImportError:
        raise MissingPackage(f'scheme: mapclassify, which computes "{scheme}", is not installed; run `pip install mapclassify`') from None
    known = {name.lower(): name for name in mapclassify.classifiers.CLASSIFIERS}
    if scheme.lower().replace("_", "") not in known:
        similar = difflib.get_close_matches(scheme.lower().replace("_", ""), known, 1)
        hint = f'did you mean "{known[similar[0]]}"?' if similar else f"the schemes are {', '.join(known.values())}"
        raise UsageError(f'scheme: unknown scheme "{scheme}"; {hint}')
    if not values:
        raise UsageError("scheme: there are no numbers to classify")
    try:
        found = mapclassify.classify(numpy.array(values), scheme, **options)
    except TypeError as error:
        raise UsageError(f"classification_kwds: {error}") from None
    bounds: list[float] = []
    for value in found.bins.tolist():
        # Equal bounds are empty classes, and some classifiers find NaN if there are few values.
        if value > (bounds[-1] if bounds else -math.inf):
            bounds.append(float(value))
    return bounds
