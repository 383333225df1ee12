"""A peer's side of the base map cases, run in the peers' folder with the peers' interpreter.

    peer_tiles.py mapnik|pymgl FOLDER ZOOM TILT BEARING COLD BUDGET
    peer_tiles.py pymgl STYLE.json ZOOM TILT BEARING COLD BUDGET

Prints one line of JSON. The same tiles and cameras as in Waymark's own benchmark: pictures in a folder, or vector tiles that the style names. mapnik
does not support tiles: it gets the tiles of the flat view as one picture.
"""
import json
import os
import sys
import time

sys.path.insert(0, os.getcwd())  # the peers' folder
# As in pymgl's own script; without a display, its EGL does not start otherwise.
os.environ.setdefault("EGL_PLATFORM", "surfaceless")
import workload as w  # noqa: E402

SIDE = 1024


def center(step, zoom, cold):
    pixel = 360 / (512 * 2**zoom)
    right, up = ((step % 16) * 1100, (step // 16) * 1100) if cold else ((step % 7) * 0.37, (step % 5) * 0.53)
    return w.LON + right * pixel, w.LAT + up * pixel * 0.79


def frames(draw, cold, budget):
    """The times of frames, each with its number, measured as in Waymark's benchmark."""
    for step in (1, 2):
        draw(step)
    times, start = [], time.perf_counter()
    while len(times) < 5 or len(times) < 200 and time.perf_counter() - start < budget:
        before = time.perf_counter()
        draw(3 + len(times))
        times.append((time.perf_counter() - before) * 1e3)
    return times


def pymgl(folder, zoom, tilt, bearing, cold, budget):
    import pymgl
    if folder.endswith(".json"):
        with open(folder) as file:
            style = json.load(file)
    else:
        style = {"version": 8, "sources": {"t": {
            "type": "raster", "tiles": ["file://%s/{z}/{x}/{y}.png" % folder], "tileSize": 256, "minzoom": 7, "maxzoom": 12}},
            "layers": [{"id": "t", "type": "raster", "source": "t", "paint": {"raster-fade-duration": 0}}]}
    start = time.perf_counter()
    m = pymgl.Map(json.dumps(style), SIDE, SIDE, 1, *center(0, zoom, cold), zoom)
    if tilt:
        m.setPitch(tilt)
        m.setBearing(bearing)
    m.renderBuffer()
    first = (time.perf_counter() - start) * 1e3
    if os.environ.get("W8_PICTURE"):
        with open(os.environ["W8_PICTURE"], "wb") as file:
            file.write(m.renderPNG())

    def draw(step):
        m.setCenter(*center(step, zoom, cold))
        m.renderBuffer()
    return first, frames(draw, cold, budget)


def mapnik(folder, zoom, tilt, bearing, cold, budget):
    import bench_mapnik as b
    import mapnik
    from PIL import Image
    # The tiles around the center, as one picture.
    z = 12
    x, y = (int((v / w.WORLD) * 2**z) for v in w.project(w.LON, w.LAT))
    reach = 4
    count = 2 * reach + 1
    path = os.path.join(os.path.dirname(folder), "w8.png")
    if not os.path.exists(path):
        whole = Image.new("RGB", (256 * count, 256 * count))
        for i in range(count):
            for j in range(count):
                whole.paste(Image.open("%s/%d/%d/%d.png" % (folder, z, x - reach + i, y - reach + j)).convert("RGB"), (256 * i, 256 * j))
        whole.save(path)
    side = 2 * b.M / 2**z
    west, north = -b.M + (x - reach) * side, b.M - (y - reach) * side
    style = '<Style name="r"><Rule><RasterSymbolizer scaling="bilinear"/></Rule></Style>'
    source = "".join('<Parameter name="%s">%s</Parameter>' % pair for pair in [
        ("type", "raster"), ("file", path), ("lox", west), ("hix", west + count * side), ("loy", north - count * side), ("hiy", north)])
    m = b.new_map(b.xml(style, [("r", source)]), SIDE, font=False)
    scale = 2 ** (zoom - w.ZOOM)

    def draw(step):
        lng, lat = center(step, zoom, cold)
        px, py = b.merc(lng, lat)
        h = SIDE / w.WORLD * b.M / scale
        m.zoom_to_box(mapnik.Box2d(px - h, py - h, px + h, py + h))
        return b.pixels(m, SIDE)
    if os.environ.get("W8_PICTURE"):
        draw(0).save(os.environ["W8_PICTURE"], "png32")
    return None, frames(draw, cold, budget)


def main():
    name, folder, zoom, tilt, bearing, cold, budget = sys.argv[1:]
    first, times = {"mapnik": mapnik, "pymgl": pymgl}[name](
        folder, float(zoom), float(tilt), float(bearing), cold == "1", float(budget))
    print(json.dumps({"first_ms": first, "frame_ms": w.stat(times), "peak_rss_mib": w.peak_rss_mib()}), flush=True)
    os._exit(0)  # skips the drivers' tear-down


main()
