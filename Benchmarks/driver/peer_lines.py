"""mapnik's side of the lines across the picture, run in the peers' folder with the peers' interpreter: from the file to a PNG.

    peer_lines.py GEOJSON PICTURE LNG LAT ZOOM
"""
import os
import sys

sys.path.insert(0, os.getcwd())  # the peers' folder
import bench_mapnik as b  # noqa: E402
import mapnik  # noqa: E402
import workload as w  # noqa: E402

SIDE = 1024


def main():
    path, picture, lng, lat, zoom = sys.argv[1], sys.argv[2], *map(float, sys.argv[3:])
    m = b.new_map(b.xml('<Style name="p"><Rule><LineSymbolizer stroke="#c03030" stroke-width="2"/></Rule></Style>', []), SIDE, font=False)
    layer = mapnik.Layer("p", "+proj=longlat +datum=WGS84 +no_defs")
    layer.datasource = mapnik.GeoJSON(file=path)
    layer.styles.append("p")
    m.layers.append(layer)
    x, y = b.merc(lng, lat)
    half = 20037508.342789244 * SIDE / (512 * 2 ** zoom)
    m.zoom_to_box(mapnik.Box2d(x - half, y - half, x + half, y + half))
    image = mapnik.Image(SIDE, SIDE)
    mapnik.render(m, image)
    image.save(picture, "png32:z=1")


main()
