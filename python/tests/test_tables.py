"""DataFrames and GeoDataFrames as scenes and sources."""

import datetime
import json
import math
import re

import pytest
from conftest import ROOT

import waymark_maps
from waymark_maps import features


class Column(list):
    def to_list(self):
        return list(self)


class Frame:
    """A table with the methods that DataFrames of pandas and polars have in common."""

    def __init__(self, **columns):
        self._columns = columns

    @property
    def columns(self):
        return list(self._columns)

    def __getitem__(self, name):
        return Column(self._columns[name])

    def to_dict(self):
        return self._columns


def read(table, **options):
    return json.loads(features.geojson(table, **options))


def test_the_rows_of_a_table_are_points():
    table = Frame(name=["a", 'b "%s" é\n'], Lat=[37.5, 38], LNG=[127, 128.25], share=[math.nan, 0.5], tags=[["x", "y"], {"z": None}])
    assert read(table)["features"] == [
        {"type": "Feature", "properties": {"name": "a", "share": None, "tags": ["x", "y"]}, "geometry": {"type": "Point", "coordinates": [127, 37.5]}},
        {"type": "Feature", "properties": {"name": 'b "%s" é\n', "share": 0.5, "tags": {"z": None}}, "geometry": {"type": "Point", "coordinates": [128.25, 38]}},
    ]  # fmt: skip
    assert read(Frame(lat=[], lon=[])) == {"type": "FeatureCollection", "features": []}
    assert read(Frame(lat=[1], lon=[2]))["features"] == [{"type": "Feature", "geometry": {"type": "Point", "coordinates": [2, 1]}}]
    # As in a CSV file: numbers may be text, and a row without both has no position.
    assert [item["geometry"] for item in read(Frame(y=["1.5", None], x=[2, math.nan]))["features"]] == [{"type": "Point", "coordinates": [2, 1.5]}, None]
    with pytest.raises(waymark_maps.SceneError, match=r"the Frame: x\[1\]: the value is missing"):
        read(Frame(y=["1.5", 2], x=[2, math.nan]))


def test_a_table_is_drawn_like_the_csv_file(tmp_path):
    rows = [(127.0, 37.5, "Hall", 3), (127.1, 37.6, "Café", 900)]
    (tmp_path / "a.csv").write_text("longitude,latitude,name,ele\n" + "".join(",".join(map(str, row)) + "\n" for row in rows))
    longitude, latitude, name, altitude = map(list, zip(*rows))
    table = Frame(longitude=longitude, latitude=latitude, name=name, ele=altitude)
    for options in ({}, {"use_altitude": True}):
        drawn = [
            waymark_maps.render(waymark_maps.Scene(overlays=[waymark_maps.GeoJSON(source, marker={"captionText": "{name}"}, **options)]), inspect=True)
            for source in (table, tmp_path / "a.csv")
        ]
        assert drawn[0].data == drawn[1].data and drawn[0].inspection == drawn[1].inspection and not drawn[0].diagnostics
    assert len(waymark_maps.inspect(table)["overlays"]) == 2
    clusters = waymark_maps.Scene(camera=waymark_maps.Camera((127, 37.5), zoom=3), overlays=[waymark_maps.ClusterLayer(source=table)])
    assert waymark_maps.inspect(clusters)["clusters"]


def test_the_names_of_columns_are_those_of_the_program():
    text = (ROOT / "Sources/SceneFiles/FeatureFiles/FeatureTable.swift").read_text()
    for kind in ("latitude", "longitude", "altitude"):
        (listed,) = re.findall(rf"static let {kind}Names = (\[.*\])", text)
        assert list(getattr(features, f"{kind}s".upper())) == json.loads(listed)
    # The first of the names counts, and the other is a property.
    (feature,) = read(Frame(x=["a"], lat=[1], lon=[2]))["features"]
    assert feature == {"type": "Feature", "properties": {"x": "a"}, "geometry": {"type": "Point", "coordinates": [2, 1]}}


@pytest.mark.parametrize(
    "table, sentence",
    [
        (
            Frame(name=["a"], lat=[1]),
            'the Frame has no column for the longitude (lng, lon, long, longitude, x); it has "name", "lat"; rename columns, or use a GeoDataFrame',
        ),
        (
            Frame(lon=[1]),
            'the Frame has no column for the latitude (lat, latitude, y); it has "lon"; rename columns, or use a GeoDataFrame',
        ),
        (
            Frame(),
            "the Frame has no columns for the longitude (lng, lon, long, longitude, x) and the latitude (lat, latitude, y); it has no columns; "
            "rename columns, or use a GeoDataFrame",
        ),
        (Frame(Latitude=[None, 90, 95.5], x=[None, 500, 0]), "the Frame: Latitude[2]: 95.5 is outside -90…90"),
        (Frame(lat=["-91", "2"], lon=[1, 2]), "the Frame: lat[0]: -91.0 is outside -90…90"),
        (Frame(lat=[1, "north"], lon=[2, 3]), "the Frame: lat[1]: 'north' is not a number"),
        (Frame(LAT=[1], Lat=[2], lon=[3]), 'the Frame: the latitude could be in the column "LAT" or "Lat"; rename one of them'),
        (Frame(lat=[1], Lon=[2], LON=[3]), 'the Frame: the longitude could be in the column "Lon" or "LON"; rename one of them'),
        (Frame(lat=[1, 2], lon=[2, math.inf]), "lon[1]: Infinity is not allowed in JSON"),
        (Frame(lat=[1, 2], lon=[2, 3], share=[0, {1j}]), "share[1]: an object of type set cannot be written as JSON"),
    ],
)
def test_tables_that_are_wrong(table, sentence):
    for scene in (table, waymark_maps.Scene(overlays=[waymark_maps.GeoJSON(table)])):
        with pytest.raises(waymark_maps.SceneError) as error:
            waymark_maps.render(scene)
        assert str(error.value) == sentence


def test_dataframes_of_pandas():
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({
        "name": ["a", None], "lon": [1, None], "lat": [3.5, None], "count": pandas.array([1, None], "Int64"), "kind": pandas.Categorical(["x", "y"]),
        "day": pandas.to_datetime(["2026-01-02", None]), "isOpen": [True, False],
    })  # fmt: skip
    assert read(table)["features"] == [
        {
            "type": "Feature",
            "properties": {"name": "a", "count": 1, "kind": "x", "day": "2026-01-02T00:00:00", "isOpen": True},
            "geometry": {"type": "Point", "coordinates": [1, 3.5]},
        },
        {"type": "Feature", "properties": {"name": None, "count": None, "kind": "y", "day": None, "isOpen": False}, "geometry": None},
    ]
    with pytest.raises(waymark_maps.SceneError, match='the DataFrame has two columns named "a"'):
        read(pandas.DataFrame([[1, 2, 3]], columns=["a", "a", "lat"]))


def test_dataframes_of_polars():
    polars = pytest.importorskip("polars")
    table = polars.DataFrame({"name": ["a", None], "lon": [1, None], "lat": [3.5, None], "day": [datetime.date(2026, 1, 2), None]})
    assert read(table)["features"] == [
        {"type": "Feature", "properties": {"name": "a", "day": "2026-01-02"}, "geometry": {"type": "Point", "coordinates": [1, 3.5]}},
        {"type": "Feature", "properties": {"name": None, "day": None}, "geometry": None},
    ]


SHAPES = [
    "POINT (127 37.123456789012345)", "POINT Z (127.1 37 12.5)", "POINT EMPTY", "LINESTRING (127 37, 127.5 37.5)", "POLYGON EMPTY", None,
    "MULTIPOLYGON (((127 37, 127.2 37, 127.2 37.2, 127 37)), ((126 36, 126.2 36, 126.2 36.2, 126 36)))",
    "GEOMETRYCOLLECTION (POINT (126.5 37), LINESTRING (126 37, 126.1 37.1))",
]  # fmt: skip


def geodataframe(**columns):
    geopandas = pytest.importorskip("geopandas")
    import shapely

    geometry = [None if text is None else shapely.from_wkt(text) for text in SHAPES]
    return geopandas.GeoDataFrame(columns, geometry=geometry, crs=4326)


def test_a_geodataframe_is_its_file(tmp_path):
    count = len(SHAPES)
    table = geodataframe(name=[f"n{n}" for n in range(count)], share=[0.1] * (count - 1) + [math.nan], **{"a % b": [{"x": n} for n in range(count)]})
    expected = json.loads(table.to_json())
    found = read(table)
    for feature, other in zip(found["features"], expected["features"], strict=True):
        assert {key: feature[key] for key in ("id", "type", "properties")} == {key: other[key] for key in ("id", "type", "properties")}
        is_empty = other["geometry"] is None or not other["geometry"].get("coordinates", True)
        assert feature["geometry"] == (None if is_empty else other["geometry"])
    (tmp_path / "a.geojson").write_text(table.to_json())
    for options in ({}, {"use_altitude": True}):
        scenes = [waymark_maps.Scene(overlays=[waymark_maps.GeoJSON(source, marker={"captionText": "{name}"}, **options)]) for source in (table, tmp_path / "a.geojson")]
        drawn = [waymark_maps.render(scene, inspect=True) for scene in scenes]
        assert drawn[0].data == drawn[1].data and drawn[0].inspection == drawn[1].inspection
    # Without GEOS's own GeoJSON, the same.
    import shapely

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shapely, "geos_version", (3, 11, 0))
        assert read(table) == found


def test_a_table_is_written_in_blocks(monkeypatch):
    monkeypatch.setattr(features, "BLOCK", 3)
    count = len(SHAPES)
    table = geodataframe(id=[f"mine {n}" for n in range(count)], tags=[["a", "b"] if n == 4 else None for n in range(count)])
    assert [(item["id"], item["properties"]["id"]) for item in read(table)["features"]] == [(f"{n}", f"mine {n}") for n in range(count)]
    assert [item["properties"]["tags"] for item in read(table)["features"]][3:5] == [None, ["a", "b"]]
    with pytest.raises(waymark_maps.SceneError, match=r"^share\[5\]: Infinity is not allowed in JSON$"):
        read(Frame(lat=[0] * 7, lon=[0] * 7, share=[0] * 5 + [math.inf, 0]))


def test_rows_of_a_geodataframe_with_the_same_index_have_no_ids():
    table = geodataframe(name=list("abcdefgh"))
    table.index = [0, 0, 1, 2, 3, 4, 5, 6]
    assert all("id" not in feature for feature in read(table)["features"])
    assert waymark_maps.inspect(table)["overlays"]


def test_a_geodataframe_is_written_without_an_object_for_each_row(monkeypatch):
    """`__geo_interface__` and `iterfeatures` make an object for each row, which takes several times as long."""
    table = geodataframe(name=list("abcdefgh"))

    def slow(*_, **__):
        raise AssertionError("a feature for each row")

    monkeypatch.setattr(type(table), "iterfeatures", slow)
    assert len(read(table)["features"]) == len(SHAPES)


def test_a_geodataframe_without_geometry():
    geopandas = pytest.importorskip("geopandas")
    with pytest.raises(waymark_maps.SceneError, match="the GeoDataFrame has no active geometry column; choose one with set_geometry"):
        waymark_maps.render(geopandas.GeoDataFrame({"a": [1]}))


def test_metric_coordinates_without_a_reference_system():
    geopandas = pytest.importorskip("geopandas")
    shapes = geopandas.GeoSeries.from_xy([127, 953898], [37, 1952028])
    sentence = r"has no CRS, and its coordinates are not degrees: the latitude 1952028 is outside -90…90; name its CRS with set_crs"
    for table in (shapes, geopandas.GeoDataFrame(geometry=shapes)):
        with pytest.raises(waymark_maps.SceneError, match=f"the {type(table).__name__} {sentence}"):
            read(table)
        assert len(read(table[:1])["features"]) == 1
        assert len(read(table[1:].set_crs(5179))["features"]) == 1
