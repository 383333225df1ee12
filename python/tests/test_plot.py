"""`plot`, and the accessor `waymark` of tables."""

import datetime
import decimal
import json
import math
import os
import pathlib
import re
import subprocess
import sys

import pytest
from conftest import EXAMPLES, ROOT
from test_tables import Frame

import waymark_maps
from waymark_maps import classes, layers, legends, palettes

SMALL = {"size": (200, 120)}


class Table(Frame):
    """A table of which rows can be chosen, as in polars."""

    def __len__(self):
        return len(next(iter(self._columns.values())))

    def __getitem__(self, name):
        if isinstance(name, list):
            return Table(**{key: [values[row] for row in name] for key, values in self._columns.items()})
        return super().__getitem__(name)


def shops(**columns):
    return Table(lat=[37.5, 37.6, 37.7, 37.8], lng=[127, 127.1, 127.2, 127.3], **columns)


def properties(scene, source=0):
    return [feature.get("properties") for feature in scene["sources"][source]["features"]]


def marker(scene, overlay=0):
    return scene["overlays"][overlay]["marker"]


def refused(sentence, data, *arguments, **options):
    with pytest.raises((waymark_maps.WaymarkError, TypeError)) as error:
        waymark_maps.plot(data, *arguments, **{**SMALL, **options})
    assert str(error.value) == sentence


# Colors


def test_numbers_have_colors_along_a_map(scenes):
    waymark_maps.plot(shops(price=[1, None, 3, math.nan], other=list("abcd")), "price")
    tint = marker(scenes[0])["iconTintColor"]
    assert tint == {"by": "price", "linear": "viridis", "missing": "#c3c8ce"}
    # Only what is drawn is written.
    assert properties(scenes[0]) == [{"price": 1}, {"price": None}, {"price": 3}, {"price": None}]
    waymark_maps.plot(shops(price=[1, 2, 3, 4]), "price", cmap="YlGnBu_r", vmin=0, missing_kwds={"color": "0.5"} if has("matplotlib") else {"color": "#808080"})
    assert marker(scenes[1])["iconTintColor"] == {"by": "price", "linear": "-YlGnBu", "domain": [0, 4], "missing": "#808080"}
    waymark_maps.plot(shops(), [4, 3, 2, 1])
    assert marker(scenes[2])["iconTintColor"]["by"] == "column" and properties(scenes[2])[0] == {"column": 4}


def has(module):
    try:
        __import__(module)
    except ImportError:
        return False
    return True


@pytest.mark.parametrize("values", [["b", "a", None, "b"], [True, False, True, None], [2, 10, 2, None]])
def test_categories(scenes, values):
    is_number = values[0] == 2
    waymark_maps.plot(shops(kind=values), "kind", categorical=is_number)
    names = sorted({value for value in values if value is not None})
    assert marker(scenes[0])["iconTintColor"] == {"by": "kind", "missing": "#c3c8ce", "categories": names, "colors": "Dark2"}
    waymark_maps.plot(shops(kind=values), "kind", cmap={name: color for name, color in zip(names, ("red", (0, 0, 1)))}, categorical=is_number)
    assert marker(scenes[1])["iconTintColor"]["colors"] == ["red", "#0000ff"]
    # Others are drawn like rows without a value.
    waymark_maps.plot(shops(kind=values), "kind", categories=names[1:])
    assert marker(scenes[2])["iconTintColor"] == {"by": "kind", "missing": "#c3c8ce", "categories": names[1:], "colors": "Dark2", "others": "#c3c8ce"}


def test_categories_are_drawn_as_they_are_written():
    """The program compares numbers and booleans as text, however Python writes them."""
    for values in ([1, 2.5, 1e6, 3], [True, False, True, False], ["a", "{b}", 'ü"', "a"]):
        table = Table(lat=[0, 0, 0, 0], lon=[0, 1, 2, 3], kind=values)
        picture = waymark_maps.plot(table, "kind", categorical=True, missing_kwds={"color": "#000000"}, theme="light", **SMALL)
        assert picture.diagnostics == ()


def test_one_color_and_a_color_for_each_row(scenes):
    waymark_maps.plot(shops(), color="tomato", alpha=0.5)
    assert "iconTintColor" not in marker(scenes[0]) and marker(scenes[0])["alpha"] == 0.5
    waymark_maps.plot(shops(), color=["red", "#00f", (0, 1, 0), None])
    assert marker(scenes[1])["iconTintColor"] == "{color}"
    assert [item["color"] for item in properties(scenes[1])] == ["red", "#00f", "#00ff00", None]
    # The program's own scales are accepted, too.
    waymark_maps.plot(shops(price=[1, 2, 3, 4]), color=waymark_maps.ColorScale("price", [2], colors=["red", "blue"]))
    assert marker(scenes[2])["iconTintColor"] == {"by": "price", "steps": [2], "colors": ["red", "blue"]}


def test_rows_without_a_value_are_left_out(scenes):
    waymark_maps.plot(shops(price=[1, None, 3, 4], size=[1, 2, 3, 4]), "price", markersize="size", missing_kwds={"color": "none"})
    assert [item["price"] for item in properties(scenes[0])] == [1, 3, 4] and [item["size"] for item in properties(scenes[0])] == [1, 3, 4]


def test_colors_of_matplotlib():
    matplotlib = pytest.importorskip("matplotlib")
    import matplotlib.colors

    colors = matplotlib.colors
    for name, value in (("C1", "C1"), ("tab:blue", "tab:blue"), ("gray", "0.25"), ("pair", ("red", 0.5)), ("numbers", (0.1, 0.2, 0.3, 0.4))):
        assert palettes.css_color(name, value) == colors.to_hex(value, keep_alpha=colors.to_rgba(value)[3] < 1)
    assert palettes.css_color("color", "tomato", 0.5) == "#ff634780"
    assert palettes.css_color("color", "#12345680", 0.5) == "#12345640"
    for count in (2, 5, 9):
        expected = [colors.to_hex(matplotlib.colormaps["turbo"](index / (count - 1))) for index in range(count)]
        assert palettes.Palette("turbo").classes(count) == palettes.Palette(matplotlib.colormaps["turbo"]).classes(count) == expected
    smooth = palettes.Palette(matplotlib.colormaps["viridis"]).smooth
    assert len(smooth) == 256 and smooth[100] == colors.to_hex(matplotlib.colormaps["viridis"](100))
    # A map of few colors is not mixed.
    assert palettes.Palette("tab10").classes(3) == [colors.to_hex(f"C{index}") for index in range(3)]
    assert palettes.Palette("tab10").bands == ([colors.to_hex(f"C{index}") for index in range(10)], 10)


def test_a_map_of_matplotlib_gives_the_colors_of_the_same_scheme():
    """A map's colors in a picture are the same, whether the program or matplotlib computes them."""
    matplotlib = pytest.importorskip("matplotlib")
    table = Table(lat=[0] * 30, lon=[*range(30)], value=[*range(30)])
    for name in ("viridis", "magma_r"):
        options = {**SMALL, "markersize": 12, "linewidth": 0, "theme": "light", "format": "rgba"}
        pictures = [waymark_maps.plot(table, "value", cmap=cmap, **options) for cmap in (name, matplotlib.colormaps[name])]
        assert max(abs(a - b) for a, b in zip(*(picture.data for picture in pictures))) <= 1


def test_the_known_color_schemes_have_their_numbers_of_colors():
    for name, count in palettes.QUALITATIVE.items():
        assert name in palettes.SCHEMES
        table = shops(kind=["a", "b", "c", "d"])
        scale = waymark_maps.ColorScale("kind", categories=[f"{number}" for number in range(count)], colors=name)
        waymark_maps.plot(table, color=scale, **SMALL)
        with pytest.raises(waymark_maps.SceneError, match=f"^colors?: .*at most {count} colors, but {count + 1} are needed|^cmap: "):
            scale.categories = [f"{number}" for number in range(count + 1)]
            waymark_maps.plot(table, color=scale, **SMALL)


def test_the_colors_of_themes_are_those_of_the_program():
    text = (ROOT / "Sources/Scene/Map/ThemeDefaults.swift").read_text()
    for name, colors in layers.THEMES.items():
        table = text[text.index(f"static let {name} = ThemeDefaults(") :]
        for key in ("accent", "ground"):
            assert getattr(colors, key) == "#" + re.search(rf"\b{key}: Color\(hex: 0x([0-9A-F]{{6}})\)", table)[1].lower()


# Classes


def test_names_of_schemes(scenes):
    for name, native in (("Quantiles", "quantiles"), ("equal_interval", "equal"), ("EqualInterval", "equal"), ("fisher_jenks", "natural"), ("natural", "natural")):
        waymark_maps.plot(shops(price=[1, 2, 3, 4]), "price", scheme=name, k=3, cmap="Reds")
        assert marker(scenes[-1])["iconTintColor"] == {"by": "price", "missing": "#c3c8ce", "classes": {native: 3}, "colors": "Reds"}


def test_upper_bounds_are_those_of_mapclassify(scenes):
    """The last bound is no step, unless a value is above it."""
    for bounds, steps in (([2, 3, 4], [2, 3]), ([2, 3], [2, 3]), ([1, math.inf], [1]), ((2.5, 10), [2.5])):
        waymark_maps.plot(shops(price=[1, 2, 3, 4]), "price", scheme=bounds, cmap="Reds")
        assert marker(scenes[-1])["iconTintColor"]["steps"] == steps
    waymark_maps.plot(shops(price=[1, 2, 3, 4]), "price", scheme=[5], cmap="Reds")
    assert marker(scenes[-1])["iconTintColor"]["classes"] == {"equal": 1}


DATA = {
    "countries.geojson": ("polygon", "fillColor"),
    "cities-europe.geojson": ("marker", "iconTintColor"),
    "cities-largest-200.geojson": ("marker", "iconTintColor"),
}


@pytest.mark.parametrize("name", DATA)
@pytest.mark.parametrize("scheme, classifier", [("quantiles", "Quantiles"), ("equal_interval", "EqualInterval"), ("fisher_jenks", "FisherJenks")])
def test_breaks_equal_those_of_mapclassify(name, scheme, classifier):
    """The picture with the program's classes is the picture with mapclassify's."""
    geopandas, mapclassify = pytest.importorskip("geopandas"), pytest.importorskip("mapclassify")
    table = geopandas.read_file(EXAMPLES / name)
    if scheme == "fisher_jenks":
        table = table.head(200)  # Without numba, mapclassify needs seconds for more.
    for k in (3, 5, 9):
        found = getattr(mapclassify, classifier)(table["population"], k)
        options = {"size": (400, 250), "cmap": "YlGnBu"}
        ours = waymark_maps.plot(table, "population", scheme=scheme, k=k, **options)
        for theirs in (found, [*found.bins]):
            assert waymark_maps.plot(table, "population", scheme=theirs, **options).data == ours.data
        # The colors depend on the breaks.
        moved = waymark_maps.plot(table, "population", scheme=[bound * 0.3 for bound in found.bins[:-1]] + [math.inf], **options)
        assert moved.data != ours.data


def test_legends_are_where_the_data_are_not(scenes):
    def places(points, **options):
        table = Table(lat=[point[1] for point in points], lng=[point[0] for point in points], v=[*range(len(points))])
        waymark_maps.plot(table, "v", markersize="v", legend=True, **options)
        return [element["place"] for element in scenes[-1]["elements"]]

    corners = {"bottomLeft": (0, 0), "bottomRight": (20, 0), "topRight": (20, 12), "topLeft": (0, 12)}
    for free in corners:
        taken = [place for corner, place in corners.items() if corner != free]
        assert places([*taken, (10, 6)])[0] == free
    # Preferred ones come first among equals.
    assert places([*corners.values()]) == ["bottomLeft", "bottomRight"]
    assert places([corners["topLeft"], corners["bottomRight"]]) == ["bottomLeft", "topRight"]
    # The view is not that of the data.
    taken = [place for corner, place in corners.items() if corner != "topLeft"]
    assert places(taken, bounds=(0, 0, 40, 40)) == ["bottomLeft", "bottomRight"]


def test_dates_have_an_order(scenes):
    days = [datetime.date(2024, 5, 17), None, datetime.datetime(2024, 5, 18, 10, 30), datetime.date(2024, 6, 1)]
    waymark_maps.plot(shops(day=days), "day", scheme=None)
    assert scenes[0]["overlays"][0]["marker"]["iconTintColor"] == {"by": "day", "missing": "#c3c8ce", "linear": "viridis"}
    assert [row["day"] for row in properties(scenes[0])] == ["2024-05-17", None, "2024-05-18T10:30:00", "2024-06-01"]
    waymark_maps.plot(shops(day=days), "day", categorical=True)
    assert "categories" in scenes[1]["overlays"][0]["marker"]["iconTintColor"]
    # Dates among numbers are names.
    waymark_maps.plot(shops(day=[*days[:3], 7]), "day")
    assert "categories" in scenes[2]["overlays"][0]["marker"]["iconTintColor"]


def test_legends(scenes):
    table = shops(price=[1, 2, None, 4], people=[1, 2, 3, 4])
    options = {"title": "Price", "loc": "upper right", "ncols": 2, "fmt": "{:,.1f}", "missing_label": "none"}
    waymark_maps.plot(table, "price", markersize="people", legend=True, legend_kwds=options, missing_kwds={"label": "closed"})
    shared = {"place": "topRight", "columns": 2, "format": "plain", "decimals": 1, "missingLabel": "none"}
    shown = {"type": "legend", "overlay": "geojson-0", "template": "marker"}
    assert scenes[0]["elements"] == [{**shown, "property": "iconTintColor", **shared, "title": "Price"}, {**shown, "property": "width", "isNested": True, **shared}]
    waymark_maps.plot(table, "price", legend=True, missing_kwds={"label": "closed"})
    # A point is in the lower left, and another one in the upper right.
    assert scenes[1]["elements"] == [{**shown, "property": "iconTintColor", "missingLabel": "closed", "place": "bottomRight"}]
    # As in GeoPandas, there is none without a column.
    waymark_maps.plot(table, color="red", legend=True)
    assert "elements" not in scenes[2]


@pytest.mark.parametrize("options", [{"scheme": "quantiles", "k": 3}, {"cmap": "magma"}, {"categorical": True}, {"markersize": "price"}])
def test_legends_are_drawn(options, tmp_path):
    """The program finds the scales, in tables and files."""
    (tmp_path / "shops.csv").write_text("lat,lng,price\n" + "".join(f"37.{row},127.{row},{row}\n" for row in range(1, 8)))
    table = Table(lat=[37 + row / 10 for row in range(1, 8)], lng=[127 + row / 10 for row in range(1, 8)], price=[*range(1, 8)])
    sources = [table, tmp_path / "shops.csv"] if "categorical" not in options else [table]
    for source in sources:
        pictures = [waymark_maps.plot(source, "price", legend=legend, size=(400, 300), **options) for legend in (False, True)]
        assert [picture.diagnostics for picture in pictures] == [(), ()]
        assert pictures[0].data != pictures[1].data


def test_schemes_of_mapclassify(scenes):
    mapclassify = pytest.importorskip("mapclassify")
    import numpy

    values = [float(value * value) for value in range(40)]
    table = Table(lat=[0] * 40, lon=[*range(40)], value=values)

    def steps(**options):
        waymark_maps.plot(table, "value", **options)
        return marker(scenes[-1])["iconTintColor"]["steps"]

    array = numpy.array(values)
    assert steps(scheme="head_tail_breaks") == mapclassify.HeadTailBreaks(array).bins[:-1].tolist()
    assert steps(scheme="StdMean", classification_kwds={"multiples": [-1, 1]}) == mapclassify.StdMean(array, [-1, 1]).bins[:-1].tolist()
    assert steps(scheme=mapclassify.MaximumBreaks, k=4) == mapclassify.MaximumBreaks(array, 4).bins[:-1].tolist()
    assert steps(scheme="UserDefined", classification_kwds={"bins": [100, 900]}) == [100, 900]
    # As in GeoPandas, vmin and vmax limit the values that are classified.
    kept = array[(array >= 9) & (array <= 900)]
    assert steps(scheme="quantiles", k=4, vmin=9, vmax=900) == mapclassify.Quantiles(kept, 4).bins[:-1].tolist()
    refused('scheme: unknown scheme "quantile"; did you mean "Quantiles"?', table, "value", scheme="quantile")
    refused("classification_kwds: classify() got an unexpected keyword argument 'l'", table, "value", scheme="MaxP", classification_kwds={"l": 3})


# Sizes, texts and the picture


def test_sizes_of_discs(scenes):
    waymark_maps.plot(shops(), markersize=9, linewidth=1)
    assert marker(scenes[0])["width"] == marker(scenes[0])["height"] == 10
    waymark_maps.plot(shops(people=[1, 2, None, 4]), markersize="people")
    assert marker(scenes[1])["width"] == marker(scenes[1])["height"] == {"by": "people", "sqrt": [0, 40], "missing": 0}
    # Large discs lie below small ones.
    assert marker(scenes[1])["zIndex"] == {"by": "people", "sqrt": [1000, 0], "missing": 0}
    waymark_maps.plot(shops(), markersize=[3, 5, 7, 9])
    assert marker(scenes[2])["width"] == {"by": "markersize", "linear": [0, 9], "domain": [0, 9], "missing": 0}
    waymark_maps.plot(shops(people=[1, 2, 3, 4]), markersize={"by": "people", "linear": [5, 20]})
    assert marker(scenes[3])["width"] == {"by": "people", "linear": [5, 20]}


def test_outlines_of_discs(scenes):
    """A tint keeps white outlines; others are images of their own, in the same order."""
    table = shops(price=[1, 2, 3, 4], name=list("abcd"))
    waymark_maps.plot(table, "price")
    waymark_maps.plot(table, "price", edgecolor="black", markersize="price", labels="name")
    waymark_maps.plot(table, color="red", edgecolor="black")
    assert [len(scene["overlays"]) for scene in scenes] == [1, 3, 1]
    discs, rims, texts = (marker(scenes[1], index) for index in range(3))
    assert rims["zIndex"] == discs["zIndex"] and rims["width"] == discs["width"] and "iconTintColor" not in rims
    # The texts of large discs come first, and lie over all discs.
    assert texts["zIndex"] == {"by": "price", "sqrt": [1001, 2000], "missing": 1001} and texts["captionText"] == "{name}" and "captionText" not in discs


def test_the_size_and_the_extent(scenes):
    waymark_maps.plot(shops())
    assert scenes[0]["size"]["width"] == 800 and scenes[0]["size"]["height"] == 800 and scenes[0]["camera"] == {"fit": "overlays", "padding": 16}
    waymark_maps.plot(Table(lat=[0, 1], lon=[0, 90]), bounds=(-10, -5, 100, 5), title="Shops", subtitle="All", elements=[{"type": "scaleBar"}])
    assert scenes[1]["size"] == {"width": 800, "height": 400} and scenes[1]["camera"]["fit"] == {"bounds": [-10, -5, 100, 5]}
    assert scenes[1]["elements"] == [{"type": "title", "text": "Shops", "subtitle": "All"}, {"type": "scaleBar"}]


def test_a_file_and_overlays(scenes):
    waymark_maps.plot("shops.csv", "price", scheme="quantiles", overlays=[waymark_maps.Marker((127, 37))])
    assert [overlay["type"] for overlay in scenes[0]["overlays"]] == ["geojson", "marker"] and scenes[0]["overlays"][0]["source"] == "shops.csv"
    assert scenes[0]["overlays"][0]["polygon"]["fillColor"]["classes"] == {"quantiles": 5}


@pytest.mark.parametrize(
    "sentence, options",
    [
        ('column: the Table has no column "prise"; did you mean "price"?', {"column": "prise"}),
        ('labels: the Table has no column "title"; it has "lat", "lng", "price", "name"', {"labels": "title"}),
        ("column: 4 values are needed, one for each row, not 2", {"column": [1, 2]}),
        ('markersize: "name" has no numbers', {"markersize": "name"}),
        ("markersize: -1 is below 0", {"markersize": -1}),
        ("k: 33 is outside 1…32", {"column": "price", "scheme": "quantiles", "k": 33}),
        ('cmap: "Set1" has 9 colors, but there are 10 classes or categories', {"column": "price", "scheme": "quantiles", "k": 10, "cmap": "Set1"}),
        ("cmap: 5 colors are needed, one for each class or category, not 2", {"column": "price", "scheme": "quantiles", "cmap": ["red", "blue"]}),
        ("cmap: the dict has no color for 'b'", {"column": "name", "cmap": {"a": "red"}}),
        ("scheme[2]: 1 is not above 2; the upper bounds of classes must ascend", {"column": "price", "scheme": [1, 2, 1]}),
        ("vmin: 3 is above vmax, 2", {"column": "price", "vmin": 3, "vmax": 2}),
        ("alpha: 2 is outside 0…1", {"alpha": 2}),
        ("theme: 'blue' is not one of light, dark, gray", {"theme": "blue"}),
        ("missing_kwds: 'hatch' is neither color nor label", {"column": "price", "missing_kwds": {"hatch": "/"}}),
        ("legend_kwds: loc: 'middle' is not one of " + ", ".join(legends.PLACES), {"column": "price", "legend": True, "legend_kwds": {"loc": "middle"}}),
        ("color: (2, 0, 0) is not a color: three or four numbers must be from 0 to 1", {"color": (2, 0, 0)}),
        ('color: the string "reddish" is not a CSS color such as "#3388ff80" or "red"', {"color": waymark_maps.ColorScale("price", [1], colors=["reddish", "red"])}),
        ('edgecolor: \'blackk\' is not a color; did you mean "black"?', {"edgecolor": "blackk"}),
        ('color: \'blackk\' is not a color; did you mean "black"?', {"color": "blackk", "alpha": 0.5}),
        ('color[1]: \'bluee\' is not a color; did you mean "blue"?', {"color": ["red", "bluee", "green", "#123"]}),
        ("edgecolor: '#12' is not a color: 3, 4, 6 or 8 hex digits are required", {"edgecolor": "#12"}),
        ("color: 5 is neither a column nor a list with a value for each row", {"color": 5}),
        ("labels: 5 is neither a column nor a list with a value for each row", {"labels": 5}),
        ('cmap[1]: \'bluee\' is not a color; did you mean "blue"?', {"column": "price", "cmap": ["red", "bluee"]}),
        ("cmap['b']: (2, 0, 0) is not a color: three or four numbers must be from 0 to 1", {"column": ["a", "b", "a", "b"], "cmap": {"a": "red", "b": (2, 0, 0)}}),
        ("scheme[0]: -inf is not a finite number", {"column": "price", "scheme": [-math.inf, 1]}),
        ("scheme[1]: inf is not a finite number", {"column": "price", "scheme": [1, math.inf, math.inf]}),
        ("scheme[0]: nan is not a finite number", {"column": "price", "scheme": [math.nan]}),
        ('scheme: "name" has no numbers', {"column": "name", "scheme": "quantiles"}),
        ("scheme: this argument requires a column", {"scheme": "quantiles", "color": "red"}),
        ("categories: this argument requires a column", {"categories": ["a"]}),
        ("categories: the list is empty", {"column": "name", "categories": []}),
        ('categories: the category "a" is listed twice', {"column": "name", "categories": ["a", "a"]}),
        ("subtitle: a subtitle requires a title", {"subtitle": "2026"}),
        ("title: expected a string, found 5", {"title": 5}),
        ("subtitle: expected a string, found 5", {"title": "Shops", "subtitle": 5}),
        ("linewidth: values determine the widths of lines, but the data has no lines; the outlines of areas and points all have the same width", {"linewidth": "price"}),
        ("legend_kwds: decimals: 99 is outside 0…10", {"column": "price", "legend": True, "legend_kwds": {"decimals": 99}}),
        ("legend_kwds: fmt: 99 is outside 0…10", {"column": "price", "legend": True, "legend_kwds": {"fmt": "{:.99f}"}}),
        ("legend_kwds: ncol: 99 is outside 0…20", {"column": "price", "legend": True, "legend_kwds": {"ncol": 99}, "title": "Shops"}),
        ("legend_kwds: 'titel' is not known; did you mean \"title\"?", {"column": "price", "legend": True, "legend_kwds": {"titel": "Price"}}),
        ("legend_kwds: 5 is not a dict", {"column": "price", "legend": True, "legend_kwds": 5}),
        ("missing_kwds: 'gray' is not a dict", {"column": "price", "missing_kwds": "gray"}),
        ("legend_kwds: loc: ['a'] is not one of " + ", ".join(legends.PLACES), {"column": "price", "legend": True, "legend_kwds": {"loc": ["a"]}}),
        # The caller's own elements and overlays come after those of the plot.
        ('elements[1].type: unknown element type "scalebar"; did you mean "scaleBar"?', {"title": "Shops", "elements": [{"type": "scaleBar"}, {"type": "scalebar"}]}),
        ("overlays[0].captionTextSize: 600 is outside 1…512", {"overlays": [{"type": "marker", "position": [0, 0], "captionTextSize": 600}]}),
        ("bounds: expected 4 elements, found 3", {"bounds": (1, 2, 3)}),
        ("bounds and camera are mutually exclusive", {"bounds": (1, 2, 3, 4), "camera": waymark_maps.Fit("overlays")}),
        ("plot() got an unexpected keyword argument 'figsize'; use size=(width, height) in pt", {"figsize": (3, 4)}),
        ("plot() got an unexpected keyword argument 'markersizes'; did you mean 'markersize'?", {"markersizes": 3}),
    ],
)
def test_arguments_that_are_wrong(sentence, options):
    refused(sentence, shops(price=[1, 2, 3, 4], name=list("abcd")), **options)


def test_texts_where_numbers_are_needed():
    """The program counts them as missing, as in any scale."""
    picture = waymark_maps.plot(shops(price=["1", "2.5", "cheap", "4"]), "price", scheme="quantiles", k=2, **SMALL)
    assert picture.diagnostics == ('the Table: the property "price" is not a number in 1 feature, and counts as missing there; the first such value is "cheap"',)


def test_data_that_cannot_be_drawn():
    kinds = "a GeoDataFrame, a GeoSeries, a DataFrame with columns for longitude and latitude, a file, or something with __geo_interface__"
    refused(f"data must be {kinds}, not 3", 3)
    refused("categories: if the data is a file, the list of categories is required", "cities.csv", "kind", categorical=True)
    refused("vmin: this argument requires a table, but the data is a file", "cities.csv", "kind", vmin=3)


def test_keys_of_legends_that_are_wrong():
    with pytest.raises(waymark_maps.UsageError, match="^legend_kwds: 'bbox_to_anchor' is not one of title, loc, ncols, fmt, margins, "):
        waymark_maps.plot(shops(price=[1, 2, 3, 4]), "price", legend=True, legend_kwds={"bbox_to_anchor": (1, 1)}, **SMALL)


def test_the_names_of_colors_are_those_of_the_program():
    schema = json.loads((ROOT / "docs/scene.schema.json").read_text())
    (names,) = [part["enum"] for part in schema["$defs"]["color"]["anyOf"] if "enum" in part]
    assert palettes.NAMES == names


def test_colors_of_css(scenes):
    for color in ("Red", "rebeccapurple", "#f008", "#F00", "#12345678", "transparent"):
        waymark_maps.plot(shops(), color=["red", color, None, color], edgecolor=color)
        assert properties(scenes[-1])[1]["color"] == color
        assert palettes.css_color("color", color) == color


def test_sentences_name_the_data(tmp_path):
    with pytest.raises(waymark_maps.InputError, match=f"^data: {tmp_path}/none.geojson: cannot read the file: No such file or directory$"):
        waymark_maps.plot(tmp_path / "none.geojson", "price", **SMALL)


def test_a_fault_of_sizes_is_told_once():
    """The width, the height and the order of discs depend on the same scale."""
    picture = waymark_maps.plot(shops(people=[-1, 2, -3, 4], name=list("abcd")), markersize="people", labels="name", **SMALL)
    assert picture.diagnostics == ('markersize: 2 values of "people" are below 0, and are drawn like 0',)


def test_numbers_that_are_not_finite_count_as_missing(scenes):
    for values, count in (([1, math.inf, -math.inf, 4], 2), ([1, decimal.Decimal("Infinity"), 10**400, None], 2), ([1.5, math.inf, None, 4], 1)):
        subject = '1 value of "price" is not finite, and counts' if count == 1 else f'{count} values of "price" are not finite, and count'
        picture = waymark_maps.plot(shops(price=values), "price", cmap="Set1")
        assert picture.diagnostics == (f"column: {subject} as missing",)
        assert sum(item["price"] is None for item in properties(scenes[-1])) == count + (None in values)
    waymark_maps.plot(shops(price=[math.inf, 1, 2, 3]), "price", missing_kwds={"color": "none"})
    assert [item["price"] for item in properties(scenes[-1])] == [1, 2, 3]
    picture = waymark_maps.plot(shops(price=[1, 2, 3, math.inf]), markersize="price", labels="price")
    assert picture.diagnostics == tuple(f'{argument}: 1 value of "price" is not finite, and counts as missing' for argument in ("markersize", "labels"))


def test_values_of_several_types(scenes):
    """The program compares categories as texts."""
    table = shops(kind=[1, "1", True, 1.0])
    waymark_maps.plot(table, "kind", cmap={"1": "red", "true": "blue"})
    assert marker(scenes[0])["iconTintColor"] == {"by": "kind", "missing": "#c3c8ce", "categories": [1, True], "colors": ["red", "blue"]}
    waymark_maps.plot(shops(kind=[1j, "a", None, range(2)]), "kind")
    assert marker(scenes[1])["iconTintColor"]["categories"] == ["1j", "a", [0, 1]] and properties(scenes[1])[0] == {"kind": "1j"}


def test_a_color_and_a_column(scenes):
    """As in GeoPandas, the color is used."""
    picture = waymark_maps.plot(shops(price=[1, 2, 3, 4]), "price", color="red")
    assert picture.diagnostics == ("column: not used, because color is given",) and "iconTintColor" not in marker(scenes[0])


@pytest.mark.parametrize("options", [{}, {"scheme": "quantiles"}, {"categorical": True}, {"markersize": "price"}, {"labels": "price"}])
def test_no_rows(options):
    table = Table(lat=[], lng=[], price=[])
    (sentence,) = waymark_maps.plot(table, "price", legend=True, **options, **SMALL).diagnostics
    assert sentence.startswith("camera.fit: there is nothing to fit")


def test_no_sizes(scenes):
    waymark_maps.plot(shops(people=[None] * 4), markersize="people")
    assert marker(scenes[0])["width"] == {"by": "people", "sqrt": [0, 40], "missing": 0}


def test_no_values():
    picture = waymark_maps.plot(shops(kind=[None] * 4), "kind", categorical=True, legend=True, format="rgba", **SMALL)
    assert picture.data == waymark_maps.plot(shops(), color=layers.THEMES["light"].missing, format="rgba", **SMALL).data


def test_discs_without_a_size():
    for options in ({}, {"edgecolor": "red", "column": "price"}):
        table = shops(price=[1, 2, 3, 4], name=list("abcd"))
        picture = waymark_maps.plot(table, markersize=0, linewidth=0, labels="name", format="rgba", **options, **SMALL)
        assert picture.diagnostics == ()
        empty = waymark_maps.plot(table, markersize=0, linewidth=0, format="rgba", **options, **SMALL)
        assert empty.diagnostics == () and len({*zip(*[iter(empty.data)] * 4)}) == 1 and picture.data != empty.data


def test_outlines_wider_than_the_largest_disc():
    table = shops(price=[1, 2, 3, 4])
    picture = waymark_maps.plot(table, markersize="price", linewidth=50, color="white", edgecolor="#ff0000", format="rgba", theme="light", **SMALL)
    assert (255, 0, 0, 255) in {*zip(*[iter(picture.data)] * 4)}


# GeoPandas, pandas and polars


def countries():
    return pytest.importorskip("geopandas").read_file(EXAMPLES / "countries.geojson")


def test_areas(scenes):
    table = countries()
    waymark_maps.plot(table, "population", scheme="quantiles", cmap="YlGnBu", edgecolor="black", linewidth=1)
    overlay = scenes[0]["overlays"][0]
    assert overlay == {
        "type": "geojson",
        "source": "0",
        "polygon": {
            "fillColor": {"by": "population", "missing": "#c3c8ce", "classes": {"quantiles": 5}, "colors": "YlGnBu"},
            "outlineColor": "black",
            "outlineWidth": 1,
        },
    }
    # The map of the world ends north of Antarctica.
    assert scenes[0]["camera"]["fit"]["bounds"][1::2] == [-58, table.total_bounds[3]] and scenes[0]["background"] == "#e1e8eb"
    waymark_maps.plot(table[table["name"] == "Antarctica"], theme="dark")
    assert scenes[1]["camera"]["fit"] == "overlays" and scenes[1]["overlays"][0]["polygon"] == {}


def test_texts_in_areas():
    table = countries().query("name in ['Germany', 'France', 'Luxembourg']")
    picture = waymark_maps.plot(table, "population", labels="name", bounds=(-5, 42, 16, 56), theme="light", size=(300, 250))
    assert picture.diagnostics == ()
    assert picture.data != waymark_maps.plot(table, "population", bounds=(-5, 42, 16, 56), theme="light", size=(300, 250)).data


def test_rows_of_all_types(scenes):
    geopandas = pytest.importorskip("geopandas")
    import shapely

    shapes = [shapely.Point(1, 2), shapely.LineString([(1, 2), (3, 4)]), shapely.box(1, 2, 3, 4), None, shapely.Point()]
    table = geopandas.GeoDataFrame({"value": [1, 2, 3, 4, 5], "name": list("abcde")}, geometry=shapes, crs=4326)
    waymark_maps.plot(table, "value", linewidth="value", labels="name")
    overlay = scenes[0]["overlays"][0]
    assert {"polygon", "polyline", "marker"} <= overlay.keys()
    assert overlay["polyline"]["width"] == {"by": "value", "linear": [1, 8], "missing": 0} and overlay["polyline"]["lineText"] == "{name}"
    # The same in a projected reference system, and as a series without columns.
    waymark_maps.plot(table.to_crs(3857), "value", linewidth="value", labels="name")
    assert scenes[1]["overlays"] == scenes[0]["overlays"]
    waymark_maps.plot(table.geometry)
    assert properties(scenes[2]) == [None] * 5
    assert waymark_maps.plot(table, "value", labels="name").size == (1, 1)


def test_values_of_a_series_are_found_by_the_index(scenes):
    table = countries().head(3)
    waymark_maps.plot(table, table["population"][::-1])
    assert [item["population"] for item in properties(scenes[0])] == table["population"].to_list()


def test_categories_of_pandas_keep_their_order(scenes):
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"lat": [1, 2], "lon": [3, 4], "kind": pandas.Categorical(["low", "high"], ["low", "middle", "high"], ordered=True)})
    table.waymark.plot("kind")
    assert marker(scenes[0])["iconTintColor"]["categories"] == ["low", "middle", "high"]


def test_intervals_of_pandas(scenes):
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"lat": [1, 2, 3], "lon": [3, 4, 5], "price": [1, 20, 3]})
    bands = pandas.cut(table["price"], [0, 5, 10, 20])
    names = ["(0, 5]", "(5, 10]", "(10, 20]"]
    waymark_maps.plot(table, bands, cmap={interval: color for interval, color in zip(bands.cat.categories, ("red", "green", "blue"))})
    assert marker(scenes[0])["iconTintColor"]["categories"] == names and marker(scenes[0])["iconTintColor"]["colors"] == ["red", "green", "blue"]
    assert [item["price"] for item in properties(scenes[0])] == [names[0], names[2], names[0]]
    # Without their own type, they are in ascending order, too.
    waymark_maps.plot(table, bands.astype(object))
    assert marker(scenes[1])["iconTintColor"]["categories"] == [names[0], names[2]]


def test_columns_with_the_same_name():
    pandas = pytest.importorskip("pandas")
    for names, name in ((["a", "a"], "a"), ([1, "1"], 1), ([1, "1"], "1")):
        table = pandas.DataFrame([[1, 2, 3, 4]], columns=["lat", "lon", *names])
        refused(f'column: the DataFrame has two columns named "{name}"', table, name)
        refused(f'labels: the DataFrame has two columns named "{name}"', table, labels=name)
    refused('the DataFrame has two columns named "lat"', pandas.DataFrame([[1, 2, 3]], columns=["lat", "lat", "lon"]))


def test_values_of_a_series_that_does_not_fit():
    pandas = pytest.importorskip("pandas")
    table = countries().head(4)
    refused("column: 4 values are needed, one for each row, not 2", table, pandas.Series([1, 2]))
    sentence = "column: the index of the Series has duplicates and differs from the index of the GeoDataFrame; if the Series is in the same order as the rows, pass its values as a list, with to_list()"
    refused(sentence, table, pandas.Series([1, 2, 3, 4], index=[0, 0, 1, 1]))


def test_sizes_of_what_there_is_not():
    refused("markersize: values determine the sizes of points, but the data has no points", countries(), markersize="population")
    refused("linewidth: values determine the widths of lines, but the data has no lines; the outlines of areas and points all have the same width", countries(), linewidth="population")


def test_geometries_that_are_missing():
    geopandas = pytest.importorskip("geopandas")
    for table in (countries().iloc[:0], geopandas.GeoDataFrame({"population": [1, 2]}, geometry=[None, None], crs=4326)):
        (sentence,) = waymark_maps.plot(table, "population", legend=True, labels="population", **SMALL).diagnostics
        assert sentence.startswith("camera.fit: there is nothing to fit")


def test_a_table_is_not_changed():
    table = countries()
    before = table.copy()
    table.waymark.plot("population", scheme="quantiles", labels="name", missing_kwds={"color": "none"}, **SMALL)
    assert table.equals(before)


def test_geometries_that_change_are_written_again():
    """The geometries that were written last are kept."""
    table = countries().head(2)
    first = waymark_maps.plot(table, "population", bounds=(-180, -60, 180, 80), **SMALL)
    moved = table.set_geometry(table.geometry.translate(20, 10))
    assert waymark_maps.plot(moved, "population", bounds=(-180, -60, 180, 80), **SMALL).data != first.data
    assert waymark_maps.plot(table, "population", bounds=(-180, -60, 180, 80), **SMALL).data == first.data
    table.geometry.values[1] = moved.geometry.values[1]
    assert waymark_maps.plot(table, "population", bounds=(-180, -60, 180, 80), **SMALL).data != first.data


def test_the_picture_of_a_table_is_that_of_its_file(tmp_path):
    table = countries()
    (tmp_path / "countries.geojson").write_text(table.to_json())
    options = {"scheme": "natural", "cmap": "YlOrRd", "bounds": (-180, -60, 180, 80), "background": "white", **SMALL}
    assert waymark_maps.plot(table, "population", **options).data == waymark_maps.plot(tmp_path / "countries.geojson", "population", **options).data


@pytest.mark.parametrize("package", ["pandas", "geopandas", "polars"])
@pytest.mark.parametrize("is_first", [True, False])
def test_the_accessor_does_not_depend_on_the_order_of_imports(package, is_first):
    pytest.importorskip(package)
    imports = ["import waymark_maps", f"import {package}"]
    kind = "GeoDataFrame" if package == "geopandas" else "DataFrame"
    lines = imports if is_first else imports[::-1]
    code = f"import sys\n{lines[0]}\nassert {not is_first} or {package!r} not in sys.modules\n{lines[1]}\nprint({package}.{kind}.waymark.plot.__name__)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": ":".join(sys.path)})
    assert done.stdout == "plot\n", done.stderr


def test_the_accessor_of_a_series():
    pandas = pytest.importorskip("pandas")
    assert not hasattr(pandas.Series([1]), "waymark")
    geopandas = pytest.importorskip("geopandas")
    assert geopandas.GeoSeries.from_xy([1, 2], [3, 4]).waymark.plot(**SMALL).size == (200, 120)


def test_plots_share_a_worker_and_leave_no_file(monkeypatch):
    folder = waymark_maps.sources._temporary_folder()
    picture = waymark_maps.plot(shops(price=[1, 2, 3, 4]), "price", **SMALL)
    worker = waymark_maps.renderer.shared()._worker
    assert waymark_maps.plot(shops(price=[1, 2, 3, 4]), "price", **SMALL).data == picture.data
    assert waymark_maps.renderer.shared()._worker is worker and worker.process.poll() is None
    assert [*pathlib.Path(folder).iterdir()] == []
    # A forked process has its own folder and worker.
    code = (
        "import os, waymark_maps\nfrom test_plot import shops\nfirst = waymark_maps.plot(shops(), size=(50, 50)).data\n"
        "folder = waymark_maps.sources._temporary_folder()\npid = os.fork()\n"
        "same = waymark_maps.plot(shops(), size=(50, 50)).data == first\nif pid == 0: raise SystemExit(not same)\n"
        "assert os.waitpid(pid, 0)[1] == 0 and same and os.path.isdir(folder)\nprint(folder)"
    )
    environment = {**os.environ, "PYTHONPATH": ":".join([*sys.path, str(pathlib.Path(__file__).parent)])}
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, env=environment)
    assert done.returncode == 0 and not os.path.exists(done.stdout.strip()), done.stderr


def test_classes_without_mapclassify(monkeypatch):
    monkeypatch.setitem(sys.modules, "mapclassify", None)
    with pytest.raises(waymark_maps.MissingPackage, match='^scheme: mapclassify, which computes "maxp", is not installed; run `pip install mapclassify`$'):
        classes.classes("maxp", 5, None, [1, 2, 3], None, None)
    assert classes.classes("quantiles", 5, None, [1, 2, 3], None, None) == ({"classes": {"quantiles": 5}}, 5)


def test_colors_without_matplotlib(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    refused('cmap: unknown color scheme "YlGnBuu"; did you mean "YlGnBu"?', shops(price=[1, 2, 3, 4]), "price", cmap="YlGnBuu")
    with pytest.raises(waymark_maps.MissingPackage, match='^cmap: matplotlib, which may have the colormap "turbo", is not installed'):
        palettes.Palette("turbo")
    assert [palettes.css_color("color", color, 0.5) for color in ("#123", "#1238", "#112233", "#11223388")] == ["#11223380", "#11223344"] * 2
    with pytest.raises(waymark_maps.MissingPackage, match="^color: matplotlib, which knows the color 'C1', is not installed; write it as hex digits$"):
        palettes.css_color("color", "C1")
