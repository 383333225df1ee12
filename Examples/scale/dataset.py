#!/usr/bin/env python3
"""Draws a card for each row of a CSV file on a Ray cluster: pip install 'waymark-maps[ray]'

    dataset.py shops.csv cards/                   on this machine
    dataset.py s3://data/shops.csv s3://cards/    as a job of a cluster: ray job submit -- dataset.py …

The table has the columns id, name, lng and lat.
"""

import json
import sys

import ray.data

import waymark_maps
import waymark_maps.ray

BASE = waymark_maps.Scene(size=(256, 160), background="#f2efe9", camera=waymark_maps.Camera((0, 0), zoom=15))
BASE.add(waymark_maps.Circle((0, 0), 150, id="around", fill_color="#3388ff30", outline_width=1, outline_color="#3388ff"))
BASE.add(waymark_maps.Marker((0, 0), id="shop", icon_image="builtin:red", caption_text_size=13))


def card(row):
    """The job of a row."""
    place = (float(row["lng"]), float(row["lat"]))
    change = {"shop": {"position": place, "captionText": str(row["name"])}, "around": {"center": place}}
    return waymark_maps.Job(str(row["id"]), camera=waymark_maps.Camera(place, zoom=15), change=change)


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: dataset.py TABLE.csv FOLDER")
    table, folder = sys.argv[1:]
    summary = waymark_maps.ray.render_dataset(ray.data.read_csv(table), BASE, folder, job=card)
    print(json.dumps(summary, indent=2))
    return 75 if summary["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
