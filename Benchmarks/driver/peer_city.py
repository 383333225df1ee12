"""pymgl's side of the cold cases of vector tiles: from the start of the process to a PNG on disk.

    peer_city.py STYLE LNG LAT ZOOM TILT PICTURE

It imports nothing else, because that would count.
"""
import os
import sys

# Without a display, its EGL does not start otherwise.
os.environ.setdefault("EGL_PLATFORM", "surfaceless")
import pymgl  # noqa: E402

SIDE = 1024

style, lng, lat, zoom, tilt, picture = sys.argv[1:]
with open(style) as file:
    m = pymgl.Map(file.read(), SIDE, SIDE, 1, float(lng), float(lat), float(zoom))
if float(tilt):
    m.setPitch(float(tilt))
with open(picture, "wb") as file:
    file.write(m.renderPNG())
os._exit(0)  # skips the drivers' tear-down
