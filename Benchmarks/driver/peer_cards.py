"""pymgl's side of the cards over a map of the land or of a city, run in the peers' folder with the peers' interpreter, as the peers' scripts run W3.

    peer_cards.py --cards FIRST:END FOLDER

Draws these of the jobs in the file W3_JOBS to FOLDER, over the tiles in the folder W3_TILES or, if this is a style, over its map. Prints one line of JSON. The same cards as
`waymark batch` draws; the style is the one of the peers' own W3, with a layer of tiles beneath.
"""
import json
import os
import sys
import time

sys.path.insert(0, os.getcwd())  # the peers' folder
import bench_pymgl as b  # noqa: E402


def main():
    first, end = map(int, sys.argv[2].split(":"))
    with open(os.environ["W3_JOBS"]) as file:
        jobs = [json.loads(line) for line in file][first:end]
    zoom, empty = jobs[0]["camera"]["zoom"], {"type": "FeatureCollection", "features": []}
    # Like the peers' W3: the data is cut at two zooms below the view's.
    data = {"maxzoom": int(zoom) - 2}
    tiles = os.environ["W3_TILES"]
    if tiles.endswith(".json"):
        with open(tiles) as file:
            ground = json.load(file)
    else:
        ground = {"sources": {"t": {"type": "raster", "tiles": ["file://%s/{z}/{x}/{y}.png" % tiles], "tileSize": 512, "maxzoom": int(zoom)}},
                  "layers": [{"id": "t", "type": "raster", "source": "t", "paint": {"raster-fade-duration": 0}}]}
    m = b.new_map({"version": 8, "glyphs": b.GLYPHS, "sources": {
        **ground["sources"], "l": dict(b.SRC(empty), **data), "p": dict(b.SRC(empty), **data)}, "layers": [
            *ground["layers"],
            {"id": "l", "type": "line", "source": "l", "paint": {"line-color": "#d22", "line-width": 4},
             "layout": {"line-join": "round", "line-cap": "round"}},
            {"id": "p", "type": "symbol", "source": "p", "paint": b.HALO,
             "layout": {"icon-image": ["get", "i"], **b.TEXT, "text-size": 13, **b.FREE}}]}, 512)
    m.setZoom(zoom)
    times = []
    for job in jobs:
        line, *markers = job["add"]
        start = time.perf_counter()
        m.setCenter(*job["camera"]["center"])
        m.setGeoJSON("l", json.dumps(b.shape("LineString", line["points"])))
        m.setGeoJSON("p", json.dumps({"type": "FeatureCollection", "features": [
            b.point(marker["position"], i=marker["iconImage"].replace("icon", "i24_"), name=marker["captionText"]) for marker in markers]}))
        picture = m.renderPNG()
        with open(os.path.join(sys.argv[3], f"{job['id']}.png"), "wb") as file:
            file.write(picture)
        times.append(time.perf_counter() - start)
    warm = times[5:]
    print(json.dumps({"img_per_s": len(warm) / sum(warm)}), flush=True)
    os._exit(0)  # skips the drivers' tear-down


main()
