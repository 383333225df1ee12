"""What `plot` makes of dates, norms, opacities, sizes and texts."""

import datetime
import math

import pytest
from test_plot import SMALL, countries, marker, properties, refused, shops

import waymark_maps
from waymark_maps import classes, legends, palettes, scales

DAYS = [datetime.date(2024, 1, 1), datetime.datetime(2024, 1, 2, 12), None, datetime.date(2024, 1, 11)]
FIRST, LAST = 1704067200.0, 1704931200.0
OPAQUE_NOTE = "the opacities of the colors of points are ignored, because they differ; only alpha applies to points"


def tint(scene):
    return marker(scene)["iconTintColor"]


# Dates


def test_dates_as_numbers():
    korea = datetime.timezone(datetime.timedelta(hours=9))
    moments = [datetime.date(1970, 1, 2), datetime.datetime(1970, 1, 1, 0, 0, 1, 500000), datetime.datetime(1970, 1, 1, 9, tzinfo=korea), datetime.date(1969, 12, 31)]
    assert [*map(classes.as_number, moments)] == [86400, 1.5, 0, -86400]
    assert classes.numbers_of([*DAYS, "2.5", True, "x"], "column") == [FIRST, FIRST + 129600, LAST, 2.5]


def test_dates_of_numpy_and_pandas(scenes):
    numpy, pandas = pytest.importorskip("numpy"), pytest.importorskip("pandas")
    for unit in ("D", "s", "ns"):
        assert classes.as_number(numpy.datetime64("2024-01-01", unit)) == FIRST
    assert classes.as_number(pandas.Timestamp("2024-01-01", tz="Asia/Seoul")) == FIRST - 9 * 3600
    times = numpy.array(["2024-01-01", "2024-01-02T12", "NaT", "2024-01-11"], "datetime64[ns]")
    waymark_maps.plot(shops(), times, vmin=times[0], vmax=pandas.Timestamp("2024-02-01"))
    assert tint(scenes[0])["domain"] == [FIRST, 1706745600.0] and properties(scenes[0])[1:3] == [{"column": "2024-01-02T12:00:00"}, {"column": None}]
    # An index has no index, so its values are in the order of the rows.
    waymark_maps.plot(pandas.DataFrame({"lat": [1, 2], "lon": [3, 4]}, index=[7, 8]), pandas.date_range("2024", periods=2))
    assert [row["column"] for row in properties(scenes[1])] == ["2024-01-01T00:00:00", "2024-01-02T00:00:00"]
    for value in (numpy.datetime64("NaT"), pandas.NaT):
        refused(f"vmax: {value!r} is neither a finite number nor a date", shops(price=[1, 2, 3, 4]), "price", vmax=value)


def test_dates_have_the_bands_of_maps_with_few_colors(scenes):
    waymark_maps.plot(shops(day=DAYS), "day", cmap="Set2")
    assert tint(scenes[0])["steps"] == [FIRST + (LAST - FIRST) * step / 8 for step in range(1, 8)]
    waymark_maps.plot(shops(day=DAYS), "day", vmax=datetime.date(2024, 1, 21))
    assert tint(scenes[1]) == {"by": "day", "missing": "#c3c8ce", "linear": "viridis", "domain": [FIRST, FIRST + 20 * 86400]}


def test_dates_have_classes(scenes):
    waymark_maps.plot(shops(day=DAYS), "day", scheme="quantiles", k=2)
    assert tint(scenes[0])["classes"] == {"quantiles": 2}
    waymark_maps.plot(shops(day=DAYS), "day", scheme=[DAYS[1], DAYS[3]])
    assert tint(scenes[1])["steps"] == [FIRST + 129600]


def test_dates_are_drawn():
    """The colors of a map of few colors are all in the picture, and classes of dates are those of their seconds."""
    days = [datetime.date(2024, 1, day) for day in (1, 5, 9, 13)]
    options = {**SMALL, "markersize": 20, "linewidth": 0, "format": "rgba", "theme": "light"}
    picture = waymark_maps.plot(shops(day=days), "day", cmap="Set1", **options)
    assert picture.diagnostics == () and len({*zip(*[iter(picture.data)] * 4)} & {(228, 26, 28, 255), (153, 153, 153, 255)}) == 2
    seconds = [classes.as_number(day) for day in days]
    for given in ({"scheme": "quantiles", "k": 3}, {"vmin": days[1]}):
        ours = waymark_maps.plot(shops(day=days), "day", **given, **options)
        numbers = {name: classes.as_number(value) if name == "vmin" else value for name, value in given.items()}
        assert ours.data == waymark_maps.plot(shops(day=seconds), "day", **numbers, **options).data


def test_dates_have_no_sizes():
    refused('markersize: "day" has dates, not numbers', shops(day=DAYS), markersize="day")
    refused('markersize: "markersize" has dates, not numbers', shops(), markersize=DAYS)


# Norms


def test_norms(scenes):
    colors = pytest.importorskip("matplotlib.colors")
    table = shops(price=[-1, 1, 100, 1000])

    def members(norm, **options):
        waymark_maps.plot(table, "price", norm=norm, **options)
        return {key: value for key, value in tint(scenes[-1]).items() if key not in ("by", "missing")}

    assert members(colors.LogNorm(1, 50)) == {"log": "viridis", "domain": [1, 50]}
    assert members(colors.LogNorm()) == members("log") == {"log": "viridis"}
    # The other end is the data's, above 0.
    assert members(colors.LogNorm(vmax=50)) == members("log", vmax=50) == {"log": "viridis", "domain": [1, 50]}
    assert members(colors.Normalize(0, 50)) == {"linear": "viridis", "domain": [0, 50]}
    assert members("log", vmin=1, vmax=256, cmap="Set2")["steps"] == pytest.approx([2, 4, 8, 16, 32, 64, 128])


def test_boundaries_are_those_of_matplotlib(scenes):
    """Also at the boundaries, and beyond them."""
    matplotlib = pytest.importorskip("matplotlib")
    values = [-1, 0, 5, 10, 15, 20, 49, 50, 60]
    for cmap in ("YlGnBu", "YlGnBu_r", "tab10", "Set1", "turbo"):
        for extend in ("neither", "min", "max", "both"):
            norm = matplotlib.colors.BoundaryNorm([0, 10, 20, 50], matplotlib.colormaps[cmap].N, extend=extend)
            waymark_maps.plot(shops(), [1, 2, 3, 4], norm=norm, cmap=cmap)
            steps, found = tint(scenes[-1])["steps"], tint(scenes[-1])["colors"]
            ours = [found[sum(value > step for step in steps)] for value in values]
            assert ours == [matplotlib.colors.to_hex(matplotlib.colormaps[cmap](norm(value))) for value in values], (cmap, extend)
    waymark_maps.plot(shops(), [1, 2, 3, 4], norm=matplotlib.colors.BoundaryNorm([0, 2, 4], 2), cmap=["red", "blue"])
    assert tint(scenes[-1])["colors"] == ["red", "blue"]


def test_norms_that_are_wrong():
    colors = pytest.importorskip("matplotlib.colors")
    table = shops(price=[1, 2, 3, 4], name=list("abcd"))
    known = "is not Normalize, LogNorm or BoundaryNorm; use scheme, or color with a ColorScale that has a ramp or sqrt"
    refused(f"norm: TwoSlopeNorm {known}", table, "price", norm=colors.TwoSlopeNorm(0))
    refused(f"norm: 'symlog' {known}", table, "price", norm="symlog")
    refused("vmax: a norm has its own vmin and vmax", table, "price", norm=colors.LogNorm(), vmax=3)
    refused("vmin: 0 is not above 0, as a logarithmic norm requires", table, "price", norm="log", vmin=0)
    refused("norm and scheme are mutually exclusive", table, "price", norm="log", scheme="quantiles")
    refused('norm: the values of "name" are categories, not numbers', table, "name", norm="log")
    refused("norm: this argument requires a column", table, norm="log")


# Opacities


def test_opacities():
    assert [*map(palettes.opacity, ("#f008", "#ff000080", "#ff0000", "red", "transparent"))] == [136 / 255, 128 / 255, 1, 1, 0]
    assert [*map(palettes.opaque, ("#f008", "#ff000080", "#ff0000", "red"))] == ["#f00", "#ff0000", "#ff0000", "red"]
    assert scales.opacities({"ramp": [[0, "#f008"], [1, "#0f08"]], "missing": "#00f8"}) == {136 / 255}
    assert scales.opacities({"by": "price", "linear": "viridis", "missing": "#00000080"}) == {1, 128 / 255}


def test_points_have_the_opacity_of_their_colors(scenes):
    cmap = ["#ff000080", "#0000ff80"]
    picture = waymark_maps.plot(shops(price=[1, None, 3, 4]), "price", cmap=cmap, alpha=0.5)
    assert marker(scenes[0])["alpha"] == 64 / 255 and tint(scenes[0])["linear"] == ["#ff0000", "#0000ff"] and picture.diagnostics == ()
    waymark_maps.plot(shops(kind=list("abab")), "kind", cmap=dict(zip("ab", cmap)))
    assert marker(scenes[1])["alpha"] == 128 / 255 and tint(scenes[1])["colors"] == ["#ff0000", "#0000ff"]
    waymark_maps.plot(shops(price=[1, 2, 3, 4]), color=waymark_maps.ColorScale("price", linear="viridis", alpha=0.25))
    assert marker(scenes[2])["alpha"] == 0.25 and tint(scenes[2]) == {"by": "price", "linear": "viridis"}
    waymark_maps.plot(shops(), color=["#f008", "#00f8", None, "#0f08"], alpha=0.5)
    assert marker(scenes[3])["alpha"] == 68 / 255


def test_rows_have_opacities_of_their_own(scenes):
    waymark_maps.plot(shops(), color=["#ff000080", "#00f", None, "none"], alpha=0.5)
    assert marker(scenes[0])["alpha"] == "{opacity}" and [row["opacity"] for row in properties(scenes[0])] == [64 / 255, 0.5, 0.5, 0]


@pytest.mark.parametrize("options", [{"cmap": ["#ff000080", "#0000ff"]}, {"missing_kwds": {"color": "#ff000080"}}])
def test_opacities_of_points_that_differ(scenes, options):
    picture = waymark_maps.plot(shops(price=[1, None, 3, 4]), "price", alpha=0.5, **options)
    assert picture.diagnostics == (OPAQUE_NOTE,) and marker(scenes[0])["alpha"] == 0.5


def test_a_color_that_no_row_has_does_not_matter(scenes):
    for options in ({"missing_kwds": {"color": "#ff000080"}}, {"missing_kwds": {"color": "none"}, "categories": [1, 2, 3, 4]}):
        assert waymark_maps.plot(shops(price=[1, 2, 3, 4]), "price", **options).diagnostics == ()
        assert "alpha" not in marker(scenes[-1])


def test_points_are_translucent():
    options = {**SMALL, "markersize": 20, "linewidth": 0, "format": "rgba", "background": "white"}
    expected = waymark_maps.plot(shops(), color="#ff000080", **options)
    assert (255, 127, 127, 255) in {*zip(*[iter(expected.data)] * 4)}
    for given in ({"color": ["#ff000080"] * 4}, {"column": [1, 2, 3, 4], "cmap": ["#ff000080"] * 2}):
        picture = waymark_maps.plot(shops(), **given, **options)
        assert max(abs(a - b) for a, b in zip(picture.data, expected.data)) <= 1


def test_other_categories_are_left_out(scenes):
    waymark_maps.plot(shops(kind=["a", "b", None, "c"]), "kind", categories=["a", "c"], missing_kwds={"color": "none"})
    assert [row["kind"] for row in properties(scenes[0])] == ["a", "c"]


# Sizes


def test_legends_of_sizes_show_round_values(scenes):
    """The legend of a ramp would show its stops, 0 and the largest size."""
    waymark_maps.plot(shops(), markersize=[5, 20, None, 40])
    assert marker(scenes[0])["width"] == {"by": "markersize", "linear": [0, 40], "domain": [0, 40], "missing": 0}
    waymark_maps.plot(shops(), markersize=[0, 0, None, 0])
    assert marker(scenes[1])["width"] == {"by": "markersize", "ramp": [[0, 0]], "missing": 0}


def test_sizes_in_a_list_are_the_sizes_themselves():
    options = {**SMALL, "color": "red", "linewidth": 0, "format": "rgba"}
    found = [waymark_maps.plot(shops(), markersize=sizes, **options).data for sizes in ([9, 9, 9, 9], 9)]
    assert found[0] == found[1]


@pytest.mark.parametrize("options", [{}, {"labels": "name"}, {"edgecolor": "red", "column": "people"}])
def test_a_size_that_is_missing_says_nothing_about_the_order(options):
    table = shops(people=[1, None, 3, 4], name=list("abcd"))
    assert waymark_maps.plot(table, markersize="people", **options, **SMALL).diagnostics == ()


# Texts


def test_texts_avoid_the_edges(scenes):
    waymark_maps.plot(shops(name=list("abcd")), labels="name")
    waymark_maps.plot(shops(name=list("abcd")))
    assert scenes[0]["captionsAvoidEdges"] is True and "captionsAvoidEdges" not in scenes[1]


def test_names_of_columns_with_braces(scenes):
    table = shops(**{"name {en}": list("abcd")})
    waymark_maps.plot(table, "name {en}", labels="name {en}", legend=True)
    assert marker(scenes[0])["captionText"] == "{name (en)}" and properties(scenes[0])[0] == {"name {en}": "a", "name (en)": "a"}
    # The title of the legend is the name itself.
    assert tint(scenes[0])["by"] == "name {en}"


def test_texts_of_columns_with_braces_are_drawn():
    texts = list("abcd")
    picture = waymark_maps.plot(shops(**{"{name": texts}), labels="{name", **SMALL)
    assert picture.diagnostics == () and picture.data == waymark_maps.plot(shops(name=texts), labels="name", **SMALL).data


def test_a_text_is_in_the_largest_part_of_an_area(scenes):
    geopandas = pytest.importorskip("geopandas")
    import shapely

    small, large = shapely.box(0, 60, 2, 61), shapely.box(10, 0, 20, 10)
    shapes = [shapely.MultiPolygon([small, large]), shapely.box(30, 0, 31, 1), shapely.Polygon(), shapely.MultiPolygon(), shapely.MultiPolygon([large, small])]
    table = geopandas.GeoDataFrame({"name": list("abcde")}, geometry=shapes, crs=4326)
    waymark_maps.plot(table, labels="name")
    places = [feature["geometry"] for feature in scenes[0]["sources"][1]["features"]]
    assert [place and place["coordinates"] for place in places] == [[15, 5], [30.5, 0.5], None, None, [15, 5]]
    assert waymark_maps.plot(countries().query("name == 'Norway'"), labels="name").diagnostics == ()
    x, y = scenes[1]["sources"][1]["features"][0]["geometry"]["coordinates"]
    assert 4 < x < 32 and 57 < y < 72  # The mainland, not Svalbard.
    assert waymark_maps.plot(table.iloc[2:4], labels="name").diagnostics == ()


def test_areas_without_a_place_say_nothing_about_the_order():
    geopandas = pytest.importorskip("geopandas")
    import shapely

    table = geopandas.GeoDataFrame({"name": list("ab")}, geometry=[shapely.box(0, 0, 9, 9), shapely.Polygon()], crs=4326)
    assert waymark_maps.plot(table, labels="name", **SMALL).diagnostics == ()


# Legends


@pytest.mark.parametrize("name", ["labels", "interval", "orientation", "frameon", "fontsize", "colorbar"])
def test_keys_of_legends_that_others_replace(name):
    refused(f"legend_kwds: {name}: {legends.HINTS[name]}", shops(price=[1, 2, 3, 4]), "price", legend=True, legend_kwds={name: 1})


def test_hints_name_keys_that_there_are():
    for name in ("fmt", "decimals", "unit", "ncols", "background_color", "border_width"):
        assert any(name in hint for hint in legends.HINTS.values()) and legends.legend_key(name)
    with pytest.raises(waymark_maps.UsageError) as error:
        legends.legend_key("bbox_to_anchor")
    assert not {"overlay", "template", "property"} & {*str(error.value).replace(",", "").split()} and "unit" in str(error.value)


def test_infinite_limits():
    refused("vmin: inf is neither a finite number nor a date", shops(price=[1, 2, 3, 4]), "price", vmin=math.inf)
    refused("vmax: '5' is neither a finite number nor a date", shops(price=[1, 2, 3, 4]), "price", vmax="5")
