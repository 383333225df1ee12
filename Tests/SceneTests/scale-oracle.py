"""Writes the color schemes and the expected values of scales; run by tools/scale-oracle, which describes the arguments."""

import inspect
import json
import pathlib
import sys

import mapclassify
import numba
import numpy
from mapclassify import classifiers
from matplotlib import _cm, colormaps
from palettable import colorbrewer

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLE = ROOT / "Sources/Scene/Scales/ColorSchemeTable.swift"
EXPECTED = ROOT / "Tests/SceneTests/Fixtures/scales.json"
LINE = 126

MAPS = ["viridis", "plasma", "inferno", "magma", "cividis"]
DATA = {"cities": ("population", 1), "airports": ("elevation_m", 10), "countries": ("population", 1)}
COUNTS = [3, 5, 7, 9]
# The numbers of colors that are compared with matplotlib's.
SAMPLES = [2, 3, 5, 8, 12, 40]

HEADER = '''/// The color schemes, as hexadecimal digits; written by `tools/scale-oracle schemes`.
///
/// The sequential, diverging and qualitative schemes are ColorBrewer's: Copyright (c) 2002 Cynthia Brewer, Mark Harrower, and The
/// Pennsylvania State University, Apache License 2.0. The maps are copied from matplotlib: viridis, plasma, inferno and magma by
/// Nathaniel J. Smith, Stefan van der Walt and Eric Firing (CC0), and cividis by Jamie R. Nuñez, Christopher R. Anderton and Ryan S. Renslow
/// (matplotlib's license). See NOTICE.
enum ColorSchemeTable {
'''


def brewer(kind):
    """The colors of ColorBrewer's schemes of a kind, by name and number."""
    schemes = colorbrewer.COLOR_MAPS[kind]
    return {
        name: {int(count): ["".join(f"{channel:02x}" for channel in color) for color in scheme["Colors"]] for count, scheme in sizes.items()}
        for name, sizes in sorted(schemes.items(), key=lambda item: item[0].lower())
    }


def digits(color):
    return "".join(f"{round(channel * 255):02x}" for channel in color[:3])


def lines(name, colors):
    """A name, and its colors in lines of a limited length."""
    text = "".join(colors)
    return "".join(f"        {part}\n" for part in [name, *(text[start : start + LINE] for start in range(0, len(text), LINE))])


def table():
    sizes = {"Sequential": "3 to 9", "Diverging": "3 to 11"}
    parts = [HEADER]
    for kind in ("Sequential", "Diverging"):
        parts.append(f'    /// Each scheme with {sizes[kind]} colors, one after another.\n    static let {kind.lower()} = """\n')
        for name, schemes in brewer(kind).items():
            parts.append(lines(name, [color for count in sorted(schemes) for color in schemes[count]]))
        parts.append('        """\n\n')
    parts.append('    /// Each scheme with all its colors. Fewer colors are its first.\n    static let qualitative = """\n')
    for name, schemes in brewer("Qualitative").items():
        most = schemes[max(schemes)]
        assert all(colors == most[:count] for count, colors in schemes.items()), name
        parts.append(lines(name, most))
    parts.append('        """\n\n    /// Each map with its 256 colors.\n    static let maps = """\n')
    for name in MAPS:
        parts.append(lines(name, [digits(color) for color in colormaps[name].colors]))
    parts.append('        """\n}\n')
    return "".join(parts)


def in_double_precision():
    """mapclassify's algorithm for natural breaks in double instead of single precision."""
    source = inspect.getsource(classifiers._fisher_jenks_means.py_func)
    names = {"np": numpy}
    exec(source[source.index("def ") :].replace("float32", "float64"), names)
    return numba.njit(names["_fisher_jenks_means"])


def expected(folder):
    natural = in_double_precision()
    data = {}
    for name, (key, divisor) in DATA.items():
        features = json.loads((folder / f"{name}.geojson").read_text(encoding="utf-8"))["features"]
        found = [feature["properties"].get(key) for feature in features]
        values = numpy.sort(numpy.array([value for value in found if isinstance(value, (int, float))], dtype=float))
        whole = [round(value * divisor) for value in values]
        assert all(number / divisor == value for number, value in zip(whole, values))
        breaks = {}
        for count in COUNTS:
            breaks[str(count)] = {
                "quantiles": list(mapclassify.Quantiles(values, k=count).bins),
                "equal": list(mapclassify.EqualInterval(values, k=count).bins),
                "natural": list(natural(values, count)),
                "naturalInSinglePrecision": list(mapclassify.FisherJenks(values, k=count).bins),
                "countsOfQuantiles": [int(number) for number in mapclassify.Quantiles(values, k=count).counts],
                "countsOfEqual": [int(number) for number in mapclassify.EqualInterval(values, k=count).counts],
            }
        steps = " ".join(str(after - before) for before, after in zip([0, *whole], whole))
        data[name] = {"divisor": divisor, "differences": steps, "breaks": breaks}
    schemes = {name: {"all": [digits(color) for color in colormaps[name].colors]} for name in MAPS}
    for kind in ("Sequential", "Diverging", "Qualitative"):
        for name, sizes in brewer(kind).items():
            own = colormaps[name]
            # The colors from which matplotlib makes its map.
            schemes[name] = {"all": [digits(color) for color in (own.colors if kind == "Qualitative" else _cm.datad[name])]}
    for name, scheme in schemes.items():
        if colormaps[name].N == 256:
            scheme["samples"] = {str(count): [digits(colormaps[name](index / (count - 1))) for index in range(count)] for count in SAMPLES}
    return {"data": data, "schemes": schemes}


def main(arguments):
    if arguments == ["schemes"]:
        TABLE.write_text(table(), encoding="utf-8")
    elif len(arguments) == 2 and arguments[0] == "tests":
        text = json.dumps(expected(pathlib.Path(arguments[1])), separators=(",", ":"))
        EXPECTED.write_text(text.replace('},"', '},\n"') + "\n", encoding="utf-8")
    else:
        sys.exit("usage: tools/scale-oracle schemes | tests FOLDER")


main(sys.argv[1:])
