"""A peer's side of the shape cases, run in the peers' folder with the peers' interpreter.

    peer_shapes.py mapnik|pymgl line|circles|areas FILE BUDGET

Prints one line of JSON. The same shapes, colours and cameras as in Waymark's own benchmark.
"""
import json
import math
import os
import struct
import sys

sys.path.insert(0, os.getcwd())  # the peers' folder
import workload as w  # noqa: E402

SIDE = 1024
FILL, EDGE, LINE = "#3388ff", "#203040", "#dd2222"


def columns(path, count):
    with open(path, "rb") as file:
        numbers = struct.unpack(f"<{os.path.getsize(path) // 8}d", file.read())
    size = len(numbers) // count
    return [numbers[i * size:(i + 1) * size] for i in range(count)]


def shapes(case, path):
    """Lists of polygons made of rings, or one line."""
    if case == "line":
        return list(zip(*columns(path, 2)))
    if case == "areas":
        with open(path) as file:
            geometries = [feature["geometry"] for feature in json.load(file)["features"]]
        return [g["coordinates"] if g["type"] == "MultiPolygon" else [g["coordinates"]] for g in geometries]
    result = []
    for lng, lat, radius in zip(*columns(path, 3)):
        # Enough corners for an accuracy of a tenth of a pixel.
        x, y = w.project(lng, lat)
        r = radius * w.WORLD / (2 * math.pi * 6378137 * math.cos(math.radians(lat)))
        ring = [w.unproject(x + r * math.cos(i * math.tau / 64), y + r * math.sin(i * math.tau / 64)) for i in range(65)]
        result.append([[ring]])
    return result


def mapnik(case, path, budget):
    import bench_mapnik as b
    import mapnik

    area = (f'<PolygonSymbolizer fill="{FILL}" fill-opacity="0.5"/><LineSymbolizer stroke="{EDGE}" stroke-width="1"/>')
    line = f'<LineSymbolizer stroke="{LINE}" stroke-width="4" stroke-linejoin="round" stroke-linecap="round"/>'
    m = b.new_map(b.xml(f'<Style name="p"><Rule>{line if case == "line" else area}</Rule></Style>', []), SIDE, font=False)
    source = mapnik.MemoryDatasource()
    ring = lambda points: "(%s)" % ",".join("%.6f %.6f" % b.merc(lng, max(-85.05, min(85.05, lat))) for lng, lat in points)
    made = shapes(case, path)
    texts = ["LINESTRING" + ring(made)] if case == "line" else [
        "MULTIPOLYGON(%s)" % ",".join("(%s)" % ",".join(map(ring, polygon)) for polygon in shape) for shape in made]
    for number, text in enumerate(texts):
        feature = mapnik.Feature(mapnik.Context(), number + 1)
        feature.geometry = mapnik.Geometry.from_wkt(text)
        source.add_feature(feature)
    layer = mapnik.Layer("p", "epsg:3857")
    layer.datasource = source
    layer.styles.append("p")
    m.layers.append(layer)
    step = [0]

    def moved():
        step[0] += 1
        pixels = step[0] % 7 * 0.37
        if case == "areas":
            m.zoom_to_box(mapnik.Box2d(-b.M + pixels * b.M / 512, -b.M, b.M + pixels * b.M / 512, b.M))
        else:
            b.look(m, SIDE, w.LON, w.LAT, pixels * 2 * b.M / w.WORLD)
        b.pixels(m, SIDE)

    moved()
    return w.stat(w.ms_for(moved, budget))


def pymgl(case, path, budget):
    import bench_pymgl as b

    made = shapes(case, path)
    if case == "line":
        data = b.shape("LineString", made)
        layers = [{"id": "l", "type": "line", "source": "s", "paint": {"line-color": LINE, "line-width": 4},
                   "layout": {"line-join": "round", "line-cap": "round"}}]
    else:
        data = {"type": "FeatureCollection", "features": [b.shape("MultiPolygon", shape) for shape in made]}
        layers = [{"id": "f", "type": "fill", "source": "s", "paint": {"fill-color": FILL, "fill-opacity": 0.5}},
                  {"id": "o", "type": "line", "source": "s", "paint": {"line-color": EDGE, "line-width": 1}}]
    source = {"type": "geojson", "data": data, "tolerance": 0} if case == "areas" else b.SRC(data)
    m = b.new_map({"version": 8, "sources": {"s": source}, "layers": layers}, SIDE)
    if case == "areas":
        m.setCenter(0, 0)
        m.setZoom(1)
    for _ in range(5):
        m.renderBuffer()
    step = [0]

    def moved():
        step[0] += 1
        degrees = step[0] % 7 * 0.37 * 360 / (512 * 2 ** (1 if case == "areas" else w.ZOOM))
        m.setCenter((0 if case == "areas" else w.LON) + degrees, 0 if case == "areas" else w.LAT)
        m.renderBuffer()

    return w.stat(w.ms_for(moved, budget))


def main():
    name, case, path, budget = sys.argv[1:]
    run = {"mapnik": mapnik, "pymgl": pymgl}[name]
    print(json.dumps({"render_ms": run(case, path, float(budget))}), flush=True)
    os._exit(0)  # skip the GL driver's tear-down


main()
