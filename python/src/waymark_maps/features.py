"""Converts tables, geometries and other geographic objects to GeoJSON."""

from __future__ import annotations

import functools
import json
import math
import operator
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .encoding import brief, encode, has
from .errors import SceneError

# The names of columns, in the order in which they are searched, ignoring case. They are the same as for CSV files.
LATITUDES = ("lat", "latitude", "y", "breitengrad", "breite", "위도", "緯度", "纬度")
LONGITUDES = ("lng", "lon", "long", "longitude", "x", "längengrad", "laengengrad", "länge", "경도", "経度", "经度")
ALTITUDES = ("altitude", "alt", "elevation", "ele", "z", "höhe", "고도", "標高")


def is_geographic(value: Any) -> bool:
    """Whether a value may be convertible to GeoJSON: a table, a shapely geometry, and the like."""
    return has(value, "__geo_interface__") or has(value, "to_json") or is_table(value)


def is_table(value: Any) -> bool:
    """Whether a value is a DataFrame of pandas or polars."""
    return has(value, "columns") and has(value, "to_dict")


def geojson(value: Any, *, uses_altitude: bool = False) -> bytes:
    """The GeoJSON of a mapping, a DataFrame, a GeoDataFrame, a geometry, or anything with `__geo_interface__` or `to_json()`.

    Coordinates of a GeoDataFrame in another reference system are converted to degrees.

    :param uses_altitude: whether the altitude column of a DataFrame is the altitude of its points.
    :raises SceneError: the value has another type.
    """
    if isinstance(value, Features):
        return value.geojson
    if isinstance(value, Mapping):
        return encode(value)
    value = in_degrees(value)
    if has(value, "iterfeatures"):
        geometries = _shapes(value)
        # Features have the ids that `to_json()` gives them, but ids must be unique.
        ids = list(map(str, value.index.to_numpy())) if value.index.is_unique else None
        return _collection(_columns(value, value.geometry.name), geometries, ids)
    if is_table(value):
        columns = _columns(value)
        return _collection(columns, _places(value, columns, uses_altitude))
    if has(value, "total_bounds"):  # A GeoSeries.
        _check_degrees(value)
    if has(value, "__geo_interface__"):
        shape: Any = value.__geo_interface__
    elif has(value, "to_json"):
        text = value.to_json()
        try:
            shape = json.loads(text)
        except (TypeError, ValueError):
            raise SceneError(f"to_json() of a {type(value).__name__} does not return JSON text") from None
    else:
        raise SceneError(f"a {type(value).__name__} is neither a scene nor GeoJSON")
    if not isinstance(shape, Mapping):
        raise SceneError(f"a {type(value).__name__} is not GeoJSON: its __geo_interface__ is {brief(shape)}")
    if "type" not in shape and "waymark" not in shape:
        raise SceneError(f"a {type(value).__name__} is not GeoJSON: the key \"type\" is missing; use a GeoDataFrame")
    return encode(_without_gaps(shape))


class Features:
    """The rows of a table as a source of an overlay, with the given properties instead of the table's columns. The features have no ids, so
    that several overlays of a scene can use the same rows.

    :param table: a GeoDataFrame, or a DataFrame with columns for the longitude and the latitude.
    :param properties: for each property, a list with a value for each row; None where the value is missing.
    """

    def __init__(self, table: Any, properties: Mapping[str, list[Any]]) -> None:
        self._table = table
        self._properties = dict(properties)

    @functools.cached_property
    def geojson(self) -> bytes:
        if has(self._table, "iterfeatures"):
            return _collection(self._properties, _recent_shapes(in_degrees(self._table)))
        names = place_names(self._table)
        columns = {name: column(self._table, name) for name in names}
        return _collection(self._properties, _places(self._table, columns))

    def __repr__(self) -> str:
        return type_name(self._table)


#: The geometries of the last written table, and their JSON. A table is often drawn again with other colors, and GEOS takes longer to write
#: the geometries than all other steps.
_recent: tuple[Any, list[str]] | None = None


def _recent_shapes(table: Any) -> list[str]:
    """The geometries of a GeoDataFrame as JSON. Geometries are immutable, so they are compared with the last ones by identity."""
    global _recent
    try:
        shapes = table.geometry.to_numpy(copy=True)
    except AttributeError:
        return _shapes(table)
    kept = _recent
    if kept is not None and len(kept[0]) == len(shapes) and all(map(operator.is_, kept[0], shapes)):
        return kept[1]
    texts = _shapes(table)
    _recent = (shapes, texts) if sum(map(len, texts)) <= RECENT_BYTES else None
    return texts


def type_name(value: Any) -> str:
    """The type of a source, for messages."""
    return repr(value) if isinstance(value, Features) else type(value).__name__


def in_degrees(value: Any) -> Any:
    """A GeoDataFrame, a GeoSeries or another value. If it has a reference system, its coordinates are converted to degrees."""
    crs = getattr(value, "crs", None)
    # Comparing reference systems takes longer than comparing their names.
    if crs is None or not hasattr(value, "to_crs") or getattr(crs, "srs", None) in ("EPSG:4326", "epsg:4326", "OGC:CRS84"):
        return value
    return value.to_crs(4326)


def _without_gaps(shape: Mapping[str, Any]) -> Mapping[str, Any]:
    """GeoJSON whose properties are null where the table has NaN."""
    features = shape.get("features")
    if not isinstance(features, (list, tuple)):
        return shape
    return {**shape, "features": [_filled(feature) for feature in features]}


def _filled(feature: Any) -> Any:
    properties = feature.get("properties") if isinstance(feature, Mapping) else None
    if not isinstance(properties, Mapping) or not any(_is_gap(item) for item in properties.values()):
        return feature
    return {**feature, "properties": {key: None if _is_gap(item) else item for key, item in properties.items()}}


def _is_gap(value: Any) -> bool:
    # NaN and pandas' NaT are not equal to themselves.
    return isinstance(value, float) and math.isnan(value) or type(value).__name__ in ("NaTType", "NAType")


#: The number of rows written at a time.
BLOCK = 2048
#: The maximum length of the text that is kept.
RECENT_BYTES = 16 << 20

# Tables
#
# A table is written column by column, without an object for each row: for 34,000 points this takes a seventh of the time of
# `__geo_interface__`.


def _shapes(table: Any) -> list[str]:
    """The geometries of a GeoDataFrame as JSON."""
    import shapely

    try:
        geometry = table.geometry
    except AttributeError:
        raise SceneError(f"the {type(table).__name__} has no active geometry column; choose one with set_geometry") from None
    _check_degrees(table)
    shapes = geometry.to_numpy(copy=True)
    shapes[shapely.is_empty(shapes)] = None
    if shapely.geos_version >= (3, 12):
        return [text or "null" for text in shapely.to_geojson(shapes)]
    # GEOS drops altitudes.
    return ["null" if shape is None else encode(shape.__geo_interface__).decode() for shape in shapes]


def _check_degrees(table: Any) -> None:
    """
    :raises SceneError: the coordinates of a GeoDataFrame or a GeoSeries without a reference system cannot be degrees.
    """
    if table.crs is None:
        _, south, _, north = table.total_bounds
        if south < -90 or north > 90:
            latitude = south if south < -90 else north
            raise SceneError(
                f"the {type(table).__name__} has no CRS, and its coordinates are not degrees: the latitude {latitude:.10g} is outside -90…90; "
                "name its CRS with set_crs"
            )


def place_names(table: Any, *, uses_altitude: bool = False) -> list[str]:
    """The names of the columns of a DataFrame for the longitude, the latitude and, if it is used and exists, the altitude.

    :raises SceneError: the DataFrame has no such columns.
    """
    columns = [*map(str, table.columns)]
    found = [_column(columns, names) for names in (LONGITUDES, LATITUDES, ALTITUDES if uses_altitude else ())]
    for name, meaning in zip(found, ("longitude", "latitude")):
        other = None if name is None or name == name.lower() else next((it for it in columns if it != name and it.lower() == name.lower()), None)
        if other is not None:
            raise SceneError(f'the {type(table).__name__}: the {meaning} could be in the column "{name}" or "{other}"; rename one of them')
    titles = ("longitude (lng, lon, long, longitude, x)", "latitude (lat, latitude, y)")
    if missing := [title for name, title in zip(found, titles) if name is None]:
        others = [f'"{name}"' for name in columns]
        listed = ", ".join(others[:10]) + (" …" if len(others) > 10 else "") if others else "no columns"
        wanted = f"no column for the {missing[0]}" if len(missing) == 1 else f"no columns for the {missing[0]} and the {missing[1]}"
        raise SceneError(f"the {type(table).__name__} has {wanted}; it has {listed}; rename columns, or use a GeoDataFrame")
    return [name for name in found if name is not None]


def _places(table: Any, columns: dict[str, list[Any]], uses_altitude: bool = False) -> list[str]:
    """The positions of the rows of a DataFrame as JSON.

    :param columns: the values of its columns. The columns of the positions are removed.
    """
    found = place_names(table, uses_altitude=uses_altitude)
    positions = [_coordinates(table, name, columns.pop(name), limit) for name, limit in zip(found, (None, 90, None))]
    longitudes, latitudes = positions[:2]
    if longitudes.count("null") or latitudes.count("null"):
        for row, (longitude, latitude) in enumerate(zip(longitudes, latitudes)):
            if (longitude == "null") != (latitude == "null"):
                name = found[0] if longitude == "null" else found[1]
                raise SceneError(f"the {type(table).__name__}: {name}[{row}]: the value is missing")
    return [_point(*position) for position in zip(*positions)]


def _point(longitude: str, latitude: str, altitude: str = "null") -> str:
    """The point with the given coordinates, which are JSON texts. A row without a longitude and a latitude has no position."""
    if longitude == "null":
        return "null"
    numbers = [longitude, latitude] if altitude == "null" else [longitude, latitude, altitude]
    return f'{{"type":"Point","coordinates":[{",".join(numbers)}]}}'


def _coordinates(table: Any, name: str, values: list[Any], limit: float | None = None) -> list[str]:
    """The JSON of the values of a column of coordinates.

    :param limit: the largest magnitude of a value.
    """
    if not set(map(type, values)) <= {float, int, type(None)}:
        for row, value in enumerate(values):
            try:
                values[row] = None if value is None else float(value)
            except (TypeError, ValueError):
                raise SceneError(f"the {type(table).__name__}: {name}[{row}]: {brief(value)} is not a number") from None
    texts = _texts(name, values)
    if limit is not None:
        known = [value for value in values if value is not None] if None in values else values
        if known and not -limit <= min(known) <= max(known) <= limit:
            row, value = next((row, value) for row, value in enumerate(values) if value is not None and not -limit <= value <= limit)
            raise SceneError(f"the {type(table).__name__}: {name}[{row}]: {value} is outside {-limit}…{limit}")
    return texts


def _column(columns: Iterable[str], names: Sequence[str]) -> str | None:
    """The column whose name is the first of ``names`` that the table has, ignoring case; None if the table has none of them. If several
    columns differ only in case, the one in lower case is preferred.
    """
    columns = [*columns]
    lower = {column.strip().lower(): column for column in reversed(columns)} | {column: column for column in columns}
    return next((lower[name] for name in names if name in lower), None)


def _columns(table: Any, but: Any = None) -> dict[str, list[Any]]:
    """The values of the columns, with None where a value is missing.

    :param but: the name of a column to leave out.
    """
    columns: dict[str, list[Any]] = {}
    for name in table.columns:
        if str(name) in columns:
            raise SceneError(_twice(table, name))
        if but is None or name != but:
            columns[str(name)] = column(table, name)
    return columns


def column(table: Any, name: Any) -> list[Any]:
    """The values of a column, with None where a value is missing.

    :raises SceneError: several columns have this name.
    """
    series = table[name]
    if getattr(series, "ndim", 1) != 1:
        raise SceneError(_twice(table, name))
    return filled(series.to_list())


def _twice(table: Any, name: Any) -> str:
    return f'the {type(table).__name__} has two columns named "{name}"'


def filled(values: list[Any]) -> list[Any]:
    """Values with None where a table has NaN, NaT or NA."""
    kinds = set(map(type, values))
    if not kinds <= {str, int, bool, float, type(None)}:
        return [None if _is_gap(value) else value for value in values]
    return [None if value != value else value for value in values] if float in kinds else values


def _texts(name: str, values: list[Any]) -> list[str]:
    """The JSON of each value of a column."""
    # JSON texts contain no line breaks, so line breaks are only between values, or within lists and objects.
    text = encode({name: values}, separator="\n").decode()
    texts = text[len(encode({name: []}).decode()) - 2 : -2].split("\n") if values else []
    return texts if len(texts) == len(values) else [encode(value).decode() for value in values]


def _collection(columns: dict[str, list[Any]], geometries: list[str], ids: list[str] | None = None) -> bytes:
    """A feature collection.

    :param geometries: the geometries as JSON.
    """
    members = [*([] if ids is None else [("id", ids)]), *columns.items()]
    between = ',"properties":{'
    # The text before each value of a column.
    texts = [] if ids is None else [',"id":']
    for name in columns:
        texts.append(f"{between}{encode(name).decode()}:")
        between = ","
    texts.append('},"geometry":' if columns else ',"geometry":')
    try:
        # In blocks that stay in the processor's cache.
        blocks = [
            _features(texts, [*(_texts(name, values[start : start + BLOCK]) for name, values in members), geometries[start : start + BLOCK]])
            for start in range(0, len(geometries), BLOCK)
        ]
    except SceneError:
        for name, values in columns.items():
            encode({name: values})  # Its error has the index of the row.
        raise
    return b'{"type":"FeatureCollection","features":[' + b",".join(blocks) + b"]}"


def _features(texts: list[str], columns: list[list[str]]) -> bytes:
    """Features, separated by commas.

    :param texts: for each column, the text before its values.
    :param columns: the JSON of the values.
    """
    width = 2 * len(columns)
    # All texts in their order: joining those of each feature first would take five times as long.
    pieces = [""] * (len(columns[0]) * width)
    for index, (before, values) in enumerate(zip(texts, columns)):
        pieces[2 * index :: width] = [before if index else '},{"type":"Feature"' + before] * len(values)
        pieces[2 * index + 1 :: width] = values
    return ("".join(pieces)[2:] + "}").encode()
