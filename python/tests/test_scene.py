"""Scenes and their parts, as JSON."""

import copy
import dataclasses
import datetime
import decimal
import inspect
import json
import math
import pathlib
import pickle
import pydoc
import re
import typing

import numpy
import pytest
from test_tables import Frame

import waymark_maps
from waymark_maps import overlays
from waymark_maps.encoding import encode
from waymark_maps.sources import SceneData


def classes():
    found = [item for item in vars(overlays).values() if inspect.isclass(item) and dataclasses.is_dataclass(item)]
    return [item for item in found if item is not waymark_maps.Element]


def test_attributes_are_keys_in_snake_case():
    assert len(classes()) > 30
    for item in classes():
        assert {name for name, _ in item._keys} == {field.name for field in dataclasses.fields(item)} - {"_"}
        for name, key in item._keys:
            assert re.sub("_([a-z])", lambda match: match.group(1).upper(), name) == key


def test_elements_are_dataclasses():
    marker = waymark_maps.Marker((1, 2), caption_text="Here", hidden_zooms=[3])
    assert repr(marker) == "Marker(hidden_zooms=[3], position=(1, 2), caption_text='Here')"
    assert marker == waymark_maps.Marker((1, 2), hidden_zooms=[3], caption_text="Here") != waymark_maps.Marker((1, 2))
    assert marker != waymark_maps.Circle((1, 2), 3) and marker != {"type": "marker"}
    assert marker.width is None
    for copied in (copy.copy(marker), copy.deepcopy(marker), pickle.loads(pickle.dumps(marker)), dataclasses.replace(marker)):
        assert type(copied) is waymark_maps.Marker and copied == marker
        copied.caption_text = None
        assert copied != marker and "captionText" not in copied.to_dict()
    assert marker.caption_text == "Here"
    with pytest.raises(AttributeError):
        marker.caption = "There"
    with pytest.raises(AttributeError):
        waymark_maps.Scene().overlay = []
    for wrong in (lambda: waymark_maps.Marker(), lambda: waymark_maps.Marker((1, 2), "id"), lambda: waymark_maps.Marker((1, 2), caption="There")):
        with pytest.raises(TypeError):
            wrong()
    with pytest.raises(TypeError):
        hash(marker)
    assert list(inspect.signature(waymark_maps.Circle).parameters)[:3] == ["center", "radius", "id"]


def test_help_describes_attributes():
    text = pydoc.render_doc(waymark_maps.Fit, renderer=pydoc.plaintext)
    assert "The space in pt that is kept free along every edge" in text and ":param bounds: ``(west, south, east, north)`` in degrees" in text
    # Of a base, too.
    assert waymark_maps.Marker.z_index.__doc__ == overlays.OverlayProperties.z_index.__doc__ is not None
    described = [name for name, _ in waymark_maps.Marker._keys if getattr(waymark_maps.Marker, name).__doc__]
    assert described == [name for name, _ in waymark_maps.Marker._keys] and waymark_maps.LatLng.lat.__doc__ == "Degrees north, -90 to 90."


class Shop(waymark_maps.Marker):
    """A subclass as users write it, with a new attribute that is set before the others."""

    def __init__(self, *arguments, **options):
        self.note = "new"
        super().__init__(*arguments, **options)


@dataclasses.dataclass
class Stop(waymark_maps.Marker):
    line: int = 3


def test_subclasses_of_users():
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        for item in (Shop((1, 2), caption_text="Here"), waymark_maps.Material(), Stop((1, 2))):
            copies = (copy.copy(item), copy.deepcopy(item), pickle.loads(pickle.dumps(item, protocol)))
            assert all(type(copied) is type(item) and copied.to_dict() == item.to_dict() for copied in copies)
    shop = copy.copy(Shop((1, 2), caption_text="Here"))
    assert shop.note == "new" and shop.to_dict() == {"type": "marker", "position": [1, 2], "captionText": "Here"}
    stop = Stop((1, 2), line=4)
    stop.caption_text = "There"
    assert stop.line == 4 and stop.to_dict() == {"type": "marker", "position": [1, 2], "captionText": "There"}
    del stop.caption_text
    assert stop.caption_text is None
    assert typing.get_type_hints(waymark_maps.Circle.__init__)["return"] is type(None) and waymark_maps.Circle.__init__.__module__ == "waymark_maps.overlays"


class Depot(waymark_maps.Element):
    """GeoJSON as a class of a user."""

    def members(self):
        return {"type": "Point", "coordinates": [127, 37]}


def test_an_element_of_users_may_be_geojson():
    assert waymark_maps.render(Depot(), size=(8, 8)).data == waymark_maps.render(Depot().to_dict(), size=(8, 8)).data
    with pytest.raises(waymark_maps.UsageError, match="^a Shop is not a scene; add it to a Scene"):
        waymark_maps.render(Shop((1, 2)))


def test_members_are_no_part_of_the_element():
    marker = waymark_maps.Marker((1, 2))
    marker.members()["captionText"] = "Here"
    assert marker.caption_text is None
    label = waymark_maps.Label("Text", text_size=12)
    assert label.members() == {"label": {"text": "Text", "textSize": 12}} and json.loads(encode([label])) == [label.members()]


def test_a_scene_is_the_scene_file():
    scene = waymark_maps.Scene(size=(600, 300), pixel_ratio=2, background="#f2efe9", camera=waymark_maps.Fit("overlays", padding=60, tilt=45))
    scene.add(
        waymark_maps.Marker(waymark_maps.LatLng(37.5, 127), z_index=1, caption_text="시청", global_z_index=3, is_flat=True),
        waymark_maps.Container([waymark_maps.Circle((127, 37), 500), {"type": "polygon", "rings": [[[0, 0], [1, 0], [1, 1]]]}]),
        waymark_maps.ViewOverlay((1, 2), waymark_maps.Label("Text", insets=waymark_maps.EdgeInsets(top=4))),
        waymark_maps.LocalModel((1, 2), model=pathlib.Path("a.glb"), lights=[waymark_maps.DirectionalLight((0, 0, -1))]),
    )
    assert scene.to_dict() == {
        "waymark": 1,
        "size": {"width": 600, "height": 300},
        "pixelRatio": 2,
        "background": "#f2efe9",
        "camera": {"fit": "overlays", "padding": 60, "tilt": 45},
        "overlays": [
            {
                "type": "marker",
                "position": {"lat": 37.5, "lng": 127},
                "zIndex": 1,
                "globalZIndex": 3,
                "isFlat": True,
                "captionText": "시청",
            },
            {
                "type": "container",
                "children": [
                    {"type": "circle", "center": [127, 37], "radius": 500},
                    {"type": "polygon", "rings": [[[0, 0], [1, 0], [1, 1]]]},
                ],
            },
            {"type": "viewOverlay", "coordinates": [1, 2], "content": {"label": {"text": "Text", "insets": {"top": 4}}}},
            {"type": "localModel", "coordinates": [1, 2], "model": "a.glb", "lights": [{"direction": [0, 0, -1]}]},
        ],
    }


def test_attributes_are_set_and_misspelled_ones_are_not():
    marker = waymark_maps.Marker((0, 0))
    marker.caption_text = "Hall"
    assert marker.to_dict() == {"type": "marker", "position": [0, 0], "captionText": "Hall"}
    assert repr(marker) == "Marker(position=(0, 0), caption_text='Hall')"
    assert repr(waymark_maps.Marker((0, 0), id="hall")) == "Marker(id='hall', position=(0, 0))"
    assert marker == waymark_maps.Marker((0, 0), caption_text="Hall")
    for item in (marker, waymark_maps.Scene(), waymark_maps.Job("a")):
        with pytest.raises(AttributeError):
            item.captionTxt = "Hall"
    with pytest.raises(TypeError):
        waymark_maps.Marker((0, 0), captionText="Hall")
    assert pickle.loads(pickle.dumps(waymark_maps.Scene(overlays=[marker]))).to_dict() == waymark_maps.Scene(overlays=[marker]).to_dict()


def test_a_size_may_be_set_as_a_pair():
    scene = waymark_maps.Scene()
    scene.size = (30, 20)
    assert scene.to_dict()["size"] == {"width": 30, "height": 20}
    with pytest.raises(waymark_maps.UsageError, match=r"a size must be \(width, height\) in pt, not 30"):
        waymark_maps.Scene(size=30)


def test_a_position_may_be_given_as_two_numbers():
    marker = waymark_maps.Marker(lat=37.5, lng=127, caption_text="Hall")
    assert marker == waymark_maps.Marker((127, 37.5), caption_text="Hall") and pickle.loads(pickle.dumps(marker)) == marker
    assert repr(marker) == "Marker(position=(127, 37.5), caption_text='Hall')" and dataclasses.replace(marker) == marker
    assert waymark_maps.Marker(lat=0, lng=0).position == (0, 0)
    assert waymark_maps.Circle(lat=37.5, lng=127, radius=4) == waymark_maps.Circle((127, 37.5), 4)
    assert waymark_maps.Camera(lat=37.5, lng=127, zoom=4) == waymark_maps.Camera((127, 37.5), zoom=4)
    assert waymark_maps.LocalModel(lat=37.5, lng=127, model="a.glb") == waymark_maps.LocalModel((127, 37.5), model="a.glb")
    for make, given in [
        (lambda: waymark_maps.Marker(), "neither"),
        (lambda: waymark_maps.Marker(lat=1), "lat"),
        (lambda: waymark_maps.Marker((1, 2), lat=1, lng=2), "position and lat and lng"),
    ]:
        with pytest.raises(TypeError) as error:
            make()
        assert str(error.value) == f"Marker() requires position or both lat and lng, but was given {given}"


@pytest.mark.parametrize("make", [waymark_maps.LatLng, waymark_maps.Marker, waymark_maps.Circle, waymark_maps.Camera])
@pytest.mark.parametrize(
    "lat, lng, sentence",
    [
        (95, 0, "lat: 95 is outside -90…90"),
        (numpy.float64(-90.5), 0, "lat: -90.5 is outside -90…90"),
        (math.nan, 0, "lat: nan is not a finite number"),
        (0, math.inf, "lng: inf is not a finite number"),
        (0, "127", "lng: '127' is not a finite number"),
        (True, 127, "lat: True is not a finite number"),
        (95.0, 127.0, "lat: 95.0 is outside -90…90"),
        (37.5, math.nan, "lng: nan is not a finite number"),
        (decimal.Decimal("sNaN"), 127, "lat: Decimal('sNaN') is not a finite number"),
    ],
)
def test_coordinates_are_checked_where_they_are_named(make, lat, lng, sentence):
    with pytest.raises(waymark_maps.SceneError) as error:
        make(lat=lat, lng=lng)
    assert str(error.value) == sentence
    assert make(lat=numpy.float32(37.5), lng=decimal.Decimal(500)) and make(lat=-90.0, lng=500.0)


def test_a_fit_may_be_given_as_bounds_or_points():
    bounds = numpy.array([126.9, 37.4, 127.1, 37.6])
    assert waymark_maps.Fit(bounds=bounds, padding=8).to_dict() == {"fit": {"bounds": [126.9, 37.4, 127.1, 37.6]}, "padding": 8}
    points = [(1, 2), waymark_maps.LatLng(lat=4, lng=3)]
    assert waymark_maps.Fit(points=points).to_dict() == {"fit": {"points": [[1, 2], {"lat": 4, "lng": 3}]}}
    for make, given in [
        (lambda: waymark_maps.Fit(), "none of them"),
        (lambda: waymark_maps.Fit("overlays", bounds=bounds), "fit and bounds"),
        (lambda: waymark_maps.Fit(bounds=bounds, points=points), "bounds and points"),
    ]:
        with pytest.raises(TypeError) as error:
            make()
        assert str(error.value) == f"Fit() requires fit or bounds or points, but was given {given}"


def test_a_notebook_displays_a_scene(scene):
    assert scene._repr_png_() == waymark_maps.render(scene).data
    scene.overlays[0].position = (0, 95)
    with pytest.raises(waymark_maps.SceneError):
        scene._repr_png_()


def test_a_camera_of_a_job_takes_the_place_of_another():
    job = json.loads(encode(waymark_maps.Job("a", camera=waymark_maps.Camera((1, 2), zoom=3), size=(4, 5))))
    assert job["camera"] == {
        "center": [1, 2], "zoom": 3, "bearing": None, "tilt": None, "contentInset": None,
        "fit": None, "padding": None, "maxZoom": None, "includeInfoWindow": None,
    }  # fmt: skip
    assert job["size"] == {"width": 4, "height": 5}
    assert json.loads(encode(waymark_maps.Job("a", camera={"zoom": 3})))["camera"] == {"zoom": 3}


def test_values_of_other_types():
    value = {
        "array": numpy.array([[1, 2], [3, 4]]),
        "number": numpy.float32(0.5),
        "decimal": decimal.Decimal("1.5"),
        "day": datetime.date(2026, 1, 2),
        "range": range(3),
        "path": pathlib.Path("a/b"),
    }
    assert json.loads(encode(value)) == {
        "array": [[1, 2], [3, 4]],
        "number": 0.5,
        "decimal": 1.5,
        "day": "2026-01-02",
        "range": [0, 1, 2],
        "path": "a/b",
    }


LOOP = []
LOOP.append(LOOP)


@pytest.mark.parametrize(
    "value, sentence",
    [
        ({"overlays": [{"alpha": math.nan}]}, "overlays[0].alpha: NaN is not allowed in JSON"),
        (waymark_maps.Scene(overlays=[waymark_maps.Marker((0, math.inf))]), "overlays[0].position[1]: Infinity is not allowed in JSON"),
        ({"a": {1j}}, "a: an object of type set cannot be written as JSON"),
        ({"a": {(1, 2): 3}}, "a: a key of an object must be a str, not (1, 2)"),
        ({"a": "\ud800"}, "a string in the scene has a lone surrogate, which is not a character"),
        ({"a": [decimal.Decimal("sNaN")]}, "a[0]: cannot convert signaling NaN to float"),
        ({"a": b"bytes"}, "a: an object of type bytes cannot be written as JSON"),
    ],
)
def test_what_json_has_not(value, sentence):
    with pytest.raises(waymark_maps.SceneError) as error:
        encode(value)
    assert str(error.value) == sentence


def test_what_is_circular_or_too_deep():
    with pytest.raises(waymark_maps.SceneError, match="the scene contains itself"):
        encode(LOOP)
    deep = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(waymark_maps.SceneError, match="too deeply"):
        encode({"a": deep})
    while deep:  # Python frees it recursively otherwise.
        deep = deep.pop()


# GeoJSON


class Place:
    """As shapely's points are."""

    __geo_interface__ = {"type": "Point", "coordinates": (127.0, 37.0)}


class Table:
    """As GeoDataFrames are, in another reference system."""

    crs = "EPSG:5179"

    def to_crs(self, code):
        assert code == 4326
        converted = Table()
        converted.crs = None
        return converted

    @property
    def __geo_interface__(self):
        assert self.crs is None
        feature = {"type": "Feature", "properties": {"name": "a", "gap": math.nan}, "geometry": Place.__geo_interface__}
        return {"type": "FeatureCollection", "features": [feature]}


class Writer:
    def to_json(self):
        return '{"type": "Point", "coordinates": [1, 2]}'


def test_geographic_objects_are_geojson():
    assert json.loads(SceneData(Place()).json) == {"type": "Point", "coordinates": [127, 37]}
    assert json.loads(SceneData(Writer()).json) == {"type": "Point", "coordinates": [1, 2]}
    table = json.loads(SceneData(Table()).json)
    assert table["features"][0]["properties"] == {"name": "a", "gap": None}


def test_geometries_are_coordinates():
    assert waymark_maps.Marker(Place()).to_dict()["position"] == [127, 37]


def test_a_source_may_be_geojson_itself(tmp_path):
    scene = waymark_maps.Scene(overlays=[waymark_maps.GeoJSON(Table(), marker=waymark_maps.MarkerTemplate(caption_text="{name}"))])
    data = SceneData(scene)
    overlay = json.loads(data.json)["overlays"][0]
    source = pathlib.Path(overlay["source"])
    assert json.loads(source.read_text())["features"][0]["properties"]["name"] == "a"
    assert overlay["marker"] == {"captionText": "{name}"}
    data.close()
    assert not source.exists()
    # A file of the same content has the same name, so that a batch that is continued has the same base scene.
    kept = [json.loads(SceneData(scene, str(tmp_path)).json)["overlays"][0]["source"] for _ in range(2)]
    assert kept[0] == kept[1] and pathlib.Path(kept[0]).parent == tmp_path
    with pytest.raises(waymark_maps.SceneError, match="a source in a scene file or a job must be a file"):
        scene.to_dict()


@pytest.mark.parametrize(
    "scene, sentence",
    [
        (5, "a scene must be a Scene, a path, a dict, a DataFrame, or something with __geo_interface__ or to_json(), not 5"),
        ('{"waymark": 1}', "a str must be the path of a scene file; for the text of a scene, pass json.loads(text)"),
        ("", "'' is not the path of a scene file"),
        ("a\0b", "'a\\x00b' is not the path of a scene file"),
    ],
)
def test_what_is_no_scene(scene, sentence):
    with pytest.raises(waymark_maps.UsageError) as error:
        waymark_maps.render(scene)
    assert str(error.value) == sentence


def test_a_table_without_geometry_is_no_geojson():
    class Plain:
        def to_json(self):
            return '{"a": {"0": 1}}'

    with pytest.raises(waymark_maps.SceneError, match='a Plain is not GeoJSON: the key "type" is missing; use a GeoDataFrame'):
        waymark_maps.render(Plain())


def test_a_scene_is_saved_whole(tmp_path, scene):
    scene.save(tmp_path / "a.json")
    assert json.loads((tmp_path / "a.json").read_text()) == scene.to_dict()
    with pytest.raises(waymark_maps.OutputError, match="No such file or directory"):
        scene.save(tmp_path / "none" / "a.json")
    assert [path.name for path in tmp_path.iterdir()] == ["a.json"]


def test_a_custom_element_is_a_scene():
    class Empty(waymark_maps.Element):
        def members(self):
            return {"waymark": 1, "size": {"width": 2, "height": 1}}

    assert waymark_maps.render(Empty()).size == (2, 1)


def test_lines_have_values_for_their_points():
    line = waymark_maps.Polyline([(1, 2), (3, 4)], color="tomato", values={"speed": [1, 2]})
    assert waymark_maps.Polyline([(1, 2), (3, 4)]).to_dict() == {"type": "polyline", "points": [[1, 2], [3, 4]]}
    assert line.to_dict() == {"type": "polyline", "points": [[1, 2], [3, 4]], "color": "tomato", "values": {"speed": [1, 2]}}


def test_lines_have_texts_and_images():
    line = waymark_maps.Polyline([(0, 0), (40, 0)], width=0, line_text="Equator", line_text_size=14, line_text_max_angle=30, id="line")
    assert line.to_dict() == {
        "type": "polyline", "id": "line", "points": [[0, 0], [40, 0]], "width": 0, "lineText": "Equator", "lineTextSize": 14,
        "lineTextMaxAngle": 30}
    scene = waymark_maps.Scene(size=(400, 100), camera=waymark_maps.Camera((20, 0), zoom=2), overlays=[line])
    label = waymark_maps.inspect(scene)["overlays"][0]["lineText"]
    assert label["visible"] and [(place["anchor"], place["angle"]) for place in label["places"]] == [([200, 50], 0)]
    line.line_text = ""
    line.width = 4
    assert "lineText" not in waymark_maps.inspect(scene)["overlays"][0]
    line.line_image = "builtin:red"
    assert waymark_maps.inspect(scene)["overlays"][0]["lineImage"]["visible"]


def test_scales_are_typed_or_dicts():
    size = waymark_maps.NumberScale("population", sqrt=[4, 40], missing=2)
    fill = waymark_maps.ColorScale("population", classes=waymark_maps.ScaleClasses(natural=5), colors="-YlGnBu")
    layer = waymark_maps.GeoJSON(
        "cities.geojson",
        marker=waymark_maps.MarkerTemplate(width=size, height={"by": "population", "sqrt": [4, 40]}),
        polygon={"fillColor": fill},
    )
    assert layer.to_dict() == {
        "type": "geojson",
        "source": "cities.geojson",
        "marker": {
            "width": {"by": "population", "sqrt": [4, 40], "missing": 2},
            "height": {"by": "population", "sqrt": [4, 40]},
        },
        "polygon": {"fillColor": {"by": "population", "classes": {"natural": 5}, "colors": "-YlGnBu"}},
    }


def test_values_that_json_cannot_represent_beside_data():
    """The message names the value, not the source, which is not a file."""
    table = {"type": "Feature", "geometry": {"type": "Point", "coordinates": [1, 2]}}
    marker = waymark_maps.MarkerTemplate(icon_tint_color=waymark_maps.ColorScale("v", steps=[math.inf], colors=["red", "blue"]))
    for source in (table, waymark_maps.features.Features(Frame(lat=[1], lon=[2]), {})):
        with pytest.raises(waymark_maps.SceneError, match=r"^overlays\[0\].marker.iconTintColor.steps\[0\]: Infinity is not allowed in JSON$"):
            waymark_maps.render(waymark_maps.Scene(overlays=[waymark_maps.GeoJSON(source, marker=marker)]))


def test_scales_color_a_table():
    table = {"type": "FeatureCollection", "features": [
        {"type": "Feature", "properties": {"v": value}, "geometry": {"type": "Polygon", "coordinates": [[[x, 0], [x + 10, 0], [x + 10, 10], [x, 10], [x, 0]]]}}
        for x, value in [(-10, 1), (0, 2)]
    ]}
    fill = waymark_maps.ColorScale("v", steps=[1], colors=["#ff0000", "#0000ff"])
    scene = waymark_maps.Scene(
        size=(20, 10), camera=waymark_maps.Camera((0, 5), zoom=0), overlays=[waymark_maps.GeoJSON(table, polygon=waymark_maps.PolygonTemplate(fill_color=fill))]
    )
    pixels = waymark_maps.render(scene).array
    assert pixels[4, 6].tolist() == [255, 0, 0, 255] and pixels[4, 13].tolist() == [0, 0, 255, 255]
