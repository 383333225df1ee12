"""The data of a plot, from a table or another source of features."""

from __future__ import annotations

import datetime
import decimal
import difflib
import functools
import math
import numbers
import os
from collections.abc import Mapping, Sequence
from typing import Any

from .encoding import brief, has, plain
from .errors import SceneError, UsageError
from .features import Features, column, filled, in_degrees, is_geographic, is_table, place_names

#: The templates for geometries, keyed by shapely's type numbers. Other types may have parts of every type.
TEMPLATES = {0: "marker", 4: "marker", 1: "polyline", 2: "polyline", 5: "polyline", 3: "polygon", 6: "polygon"}


class Rows:
    """The rows of a table and the properties that a plot uses, or a file, whose properties are unknown."""

    def __init__(self, data: Any) -> None:
        if has(data, "total_bounds") and not has(data, "iterfeatures"):  # A GeoSeries.
            data = data.to_frame("geometry")
        if not isinstance(data, (str, os.PathLike, Mapping)) and not is_geographic(data):
            raise UsageError(
                "data must be a GeoDataFrame, a GeoSeries, a DataFrame with columns for longitude and latitude, a file, or something with "
                f"__geo_interface__, not {brief(data)}"
            )
        #: Whether the values are known.
        self.is_table = not isinstance(data, (str, os.PathLike, Mapping)) and is_table(data)
        self.has_shapes = self.is_table and has(data, "iterfeatures")
        self.data = in_degrees(data) if self.is_table else data
        shapes = getattr(data, "_geometry_column_name", None) if self.has_shapes else None
        self._columns = {str(name): name for name in data.columns if name != shapes} if self.is_table else {}
        self._properties: dict[str, list[Any]] = {}
        self._kept: list[int] | None = None
        #: The deviations of the picture from the arguments, one sentence each.
        self.notes: list[str] = []
        self._places = [] if self.has_shapes or not self.is_table else place_names(data)

    def __len__(self) -> int:
        return len(self.data)

    def names(self, value: Any) -> bool:
        """Whether a value is the name of a column, or may be one."""
        return isinstance(value, str) or self.is_table and not isinstance(value, (list, tuple)) and _is_key(value, self.data.columns)

    def use(self, argument: str, value: Any) -> tuple[str, list[Any] | None]:
        """Adds a column, or given values, as a property, and returns the property's name and values. The values are None for a file.

        :param argument: the name of the argument, for errors.
        :param value: the name of a column, or a value for each row.
        :raises UsageError: there is no such column, or the number of values is not the number of rows.
        """
        name, values = self._named(argument, value)
        return (name, None) if values is None else (self.add(name, written(values)), values)

    def use_as_text(self, argument: str, value: Any) -> str:
        """Like ``use``, but returns only the property's name, in a form for templates: braces are replaced."""
        name, values = self._named(argument, value)
        return name if values is None else self.add(name.replace("{", "(").replace("}", ")"), written(values))

    def _named(self, argument: str, value: Any) -> tuple[str, list[Any] | None]:
        """The values of a column, or given values, and a name for them. The values are None for a file."""
        if not self.is_table:
            if not isinstance(value, str):
                raise UsageError(f"{argument}: values for each row require a table; for a file, give the name of a property")
            return value, None
        if self.names(value):
            name = str(value)
            if name not in self._columns:
                raise UsageError(f'{argument}: the {type(self.data).__name__} has no column "{name}"{self._hint(name)}')
            values = self._column(argument, name)
        else:
            if has(value, "reindex") and has(value, "index") and has(self.data, "index") and len(value) == len(self):
                value = self._in_order(argument, value)
            name = str(getattr(value, "name", None) or argument)
            values = values_of(argument, value)
            if len(values) != len(self):
                raise UsageError(f"{argument}: {len(self)} values are needed, one for each row, not {len(values)}")
        return name, self._finite(argument, name, values)

    def _column(self, argument: str, name: str) -> list[Any]:
        try:
            if sum(str(other) == name for other in self.data.columns) > 1:
                raise SceneError(f'the {type(self.data).__name__} has two columns named "{name}"')
            return column(self.data, self._columns[name])
        except SceneError as error:
            raise UsageError(f"{argument}: {error}") from None

    def _in_order(self, argument: str, series: Any) -> Any:
        """The values of a Series in the order of the table's rows, matched by index as in GeoPandas."""
        try:
            return series.reindex(self.data.index)
        except ValueError:
            raise UsageError(
                f"{argument}: the index of the Series has duplicates and differs from the index of the {type(self.data).__name__}; "
                "if the Series is in the same order as the rows, pass its values as a list, with to_list()"
            ) from None

    def _finite(self, argument: str, name: str, values: list[Any]) -> list[Any]:
        """Values with None in place of infinite numbers, which JSON cannot represent."""
        kinds = {*map(type, values)}
        if kinds <= {str, float, bool, type(None)} and math.inf not in values and -math.inf not in values:
            return values
        gaps = [*map(_is_infinite, values)]
        if count := sum(gaps):
            subject = f'1 value of "{name}" is not finite, and counts' if count == 1 else f'{count} values of "{name}" are not finite, and count'
            self.notes.append(f"{argument}: {subject} as missing")
        return [None if gap else value for value, gap in zip(values, gaps)] if count else values

    def add(self, name: str, values: list[Any]) -> str:
        """Adds a property.

        :return: the property's name, with underscores added if the name is taken.
        """
        while name in self._properties and self._properties[name] is not values and self._properties[name] != values:
            name += "_"
        self._properties[name] = values
        return name

    def categories_of(self, value: Any) -> list[Any] | None:
        """The categories, in order, of a column with pandas' categorical type; None for any other column."""
        series = self.data[self._columns[str(value)]] if self.names(value) and self.is_table else value
        is_categorical = type(getattr(series, "dtype", None)).__name__ == "CategoricalDtype"
        return written(different(series.dtype.categories.tolist())) if is_categorical else None

    def _hint(self, name: str) -> str:
        known = [*self._columns]
        if similar := difflib.get_close_matches(name, known, 1, 0.5):
            return f'; did you mean "{similar[0]}"?'
        listed = ", ".join(f'"{key}"' for key in known[:10]) + (" …" if len(known) > 10 else "")
        return f"; it has {listed}" if known else "; it has none"

    # Geometry

    @property
    def has_areas(self) -> bool:
        """Whether there are areas; unknown for a file."""
        return self.has_shapes and "polygon" in self.templates

    @functools.cached_property
    def templates(self) -> list[str]:
        """The templates for the types of geometries in the data."""
        if self._places:
            return ["marker"] if len(self) > 0 else []
        if not self.has_shapes:
            return ["polygon", "polyline", "marker"]
        found: set[str] = set()
        for kind in set(self._kinds().tolist()):
            found |= {TEMPLATES[kind]} if kind in TEMPLATES else {*TEMPLATES.values()} if kind >= 0 else set()
        return [name for name in ("polygon", "polyline", "marker") if name in found]

    def _kinds(self) -> Any:
        import shapely

        return shapely.get_type_id(self._geometry.to_numpy())

    @property
    def _geometry(self) -> Any:
        try:
            return self.data.geometry
        except AttributeError:
            raise UsageError(f"the {type(self.data).__name__} has no active geometry column; choose one with set_geometry") from None

    def bounds(self) -> tuple[float, float, float, float] | None:
        """West, south, east and north; None if unknown."""
        if self.has_shapes:
            west, south, east, north = map(float, self.data.total_bounds)
        elif self._places:
            longitudes, latitudes = ([number for number in column(self.data, self._columns[name]) if isinstance(number, (int, float))] for name in self._places)
            if not longitudes or not latitudes:
                return None
            west, south, east, north = min(longitudes), min(latitudes), max(longitudes), max(latitudes)
        else:
            return None
        return (west, south, east, north) if all(map(math.isfinite, (west, south, east, north))) else None

    def coordinates(self) -> tuple[Sequence[float], Sequence[float]]:
        """The longitudes and the latitudes of points and vertices."""
        if self.has_shapes:
            import shapely

            places = shapely.get_coordinates(self._geometry.to_numpy())
            return places[:, 0], places[:, 1]
        if not self._places:
            return (), ()
        pairs = zip(*(column(self.data, self._columns[name]) for name in self._places))
        known = [pair for pair in pairs if all(isinstance(number, (int, float)) for number in pair)]
        return [x for x, _ in known], [y for _, y in known]

    # Sources

    def leave_out(self, values: Sequence[Any]) -> None:
        """Leaves out the rows whose value is missing."""
        self._kept = [row for row, value in enumerate(values) if value is not None]

    def source(self) -> Any:
        """The source of an overlay, with the properties that the plot uses."""
        if not self.is_table:
            return self.data
        if self._kept is None:
            return Features(self.data, self._properties)
        return Features(self._chosen(self._kept), {name: [items[row] for row in self._kept] for name, items in self._properties.items()})

    def area_labels(self, label: str) -> tuple[Features, str, str]:
        """A source with a point in each area, and the names of its two properties: the label, and the size of the area's bounding box."""
        kinds = self._kinds().tolist()
        areas = [row for row in (range(len(kinds)) if self._kept is None else self._kept) if TEMPLATES.get(kinds[row]) == "polygon"]
        table = self._chosen(areas)
        west, south, east, north = (table.bounds[side] for side in ("minx", "miny", "maxx", "maxy"))
        sizes = filled(((east - west) * (north - south)).tolist())
        points = table.set_geometry(_inner_points(table.geometry.to_numpy()), crs=table.crs)
        return Features(points, {"label": [self._properties[label][row] for row in areas], "size": sizes}), "label", "size"

    def _chosen(self, rows: list[int]) -> Any:
        return self.data.iloc[rows] if has(self.data, "iloc") else self.data[rows]


def _inner_points(areas: Any) -> Any:
    """A point in the largest part of each area."""
    import numpy
    import shapely

    parts, rows = shapely.get_parts(areas, return_index=True)
    order = numpy.lexsort((shapely.area(parts), rows))
    # The last part of each row is the largest.
    last = numpy.append(numpy.diff(rows[order]) != 0, True)[: len(order)]
    found = numpy.full(len(areas), None, dtype=object)
    found[rows[order][last]] = shapely.point_on_surface(parts[order][last])
    return found


# Values


def values_of(argument: str, value: Any) -> list[Any]:
    """The values of a list, an array or a Series, with None where a value is missing.

    :raises UsageError: the value has another type.
    """
    if type(value).__name__ == "ndarray" and value.dtype.kind == "M":
        value = value.astype("datetime64[us]")  # Finer times would become numbers.
    try:
        return filled(value.tolist() if hasattr(value, "tolist") else list(value))
    except TypeError:
        raise UsageError(f"{argument}: {brief(value)} is neither a column nor a list with a value for each row") from None


def different(values: Sequence[Any]) -> list[Any]:
    """The distinct categories among some values, in the order of their first occurrence."""
    if len({*map(type, values)} - {type(None)}) == 1 and isinstance(next(value for value in values if value is not None), (str, int, float)):
        return [value for value in dict.fromkeys(values) if value is not None]
    found: dict[str, Any] = {}
    for value in values:
        if value is not None:
            found.setdefault(text_of(value), value)
    return [*found.values()]


def text_of(value: Any) -> str:
    """The text that stands for a value when the program compares it with categories."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return f"{value:.0f}"
    return value.isoformat() if isinstance(value, (datetime.date, datetime.time)) else str(value)


def written(values: list[Any]) -> list[Any]:
    """Values in which everything that JSON cannot represent, such as an interval of pandas, is replaced by text."""
    return values if {*map(type, values)} <= {str, int, bool, float, type(None)} else [*map(_as_written, values)]


def _as_written(value: Any) -> Any:
    if value is None or isinstance(value, (str, int, float, Mapping, list, tuple)):
        return value
    try:
        plain(value)
    except TypeError:
        return str(value)
    return value


def _is_infinite(value: Any) -> bool:
    try:
        return isinstance(value, (int, float, numbers.Real, decimal.Decimal)) and math.isinf(value)
    except OverflowError:  # An int that no float can represent.
        return True
    except ValueError:  # Decimal("sNaN").
        return False


def _is_key(value: Any, keys: Any) -> bool:
    try:
        return value in list(keys)
    except (TypeError, ValueError):
        return False
