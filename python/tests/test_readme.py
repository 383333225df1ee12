"""Following README.md alone gives the results that it describes."""

import csv
import pathlib
import random
import re

import pytest
from conftest import EXAMPLES

import waymark_maps

README = (pathlib.Path(__file__).resolve().parents[1] / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", README, re.S)


def block(text):
    (found,) = [item for item in BLOCKS if text in item]
    return found


def test_a_picture(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {}
    exec(block('picture.save("seoul.png")'), names)
    exec(block("waymark_maps.pick"), names)
    assert (tmp_path / "seoul.png").read_bytes() == names["picture"].data
    assert names["picture"].size == (1200, 600) and names["picture"].diagnostics == ()
    assert names["difference"] and len(names["where"]["overlays"]) == 3


def test_a_map_of_a_table(tmp_path, monkeypatch):
    pytest.importorskip("geopandas")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "Examples").symlink_to(EXAMPLES)
    names = {}
    exec(block("countries.waymark.plot"), names)
    assert names["picture"].diagnostics == () and names["picture"].data == (tmp_path / "density.png").read_bytes()
    assert (tmp_path / "cities.png").exists() and (tmp_path / "airports.png").exists()


def test_500_cards_from_a_table(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    numbers = random.Random(1)
    with open("shops.csv", "w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(["id", "name", "lng", "lat"])
        for n in range(500):
            table.writerow([f"shop-{n}", f"Café “{n}”, 상점", numbers.uniform(126.8, 127.2), numbers.uniform(37.4, 37.7)])
    names = {}
    exec(block("csv.DictReader"), names)
    cards = {path.name for path in (tmp_path / "cards").glob("*.png")}
    assert cards == {f"shop-{n}.png" for n in range(500)}
    assert capsys.readouterr().out.splitlines()[-1] == "500 of 500"
    # They differ, and each is what its scene alone gives.
    assert len({(tmp_path / "cards" / name).read_bytes() for name in cards}) == 500
    place = next(csv.DictReader(open("shops.csv", encoding="utf-8")))
    alone = names["base"]
    alone.camera = waymark_maps.Camera((float(place["lng"]), float(place["lat"])), zoom=15)
    alone.overlays[0].center = alone.overlays[1].position = (float(place["lng"]), float(place["lat"]))
    alone.overlays[1].caption_text = place["name"]
    assert (tmp_path / "cards" / "shop-0.png").read_bytes() == waymark_maps.render(alone).data
    # The pool gives the same.
    names["base"] = waymark_maps.Scene(size=(256, 160), background="#f2efe9", camera=waymark_maps.Camera((0, 0), zoom=15), overlays=[
        waymark_maps.Circle((0, 0), 150, id="around"), waymark_maps.Marker((0, 0), id="shop")])  # fmt: skip
    names["jobs"] = names["jobs"][:20]
    exec(block("pool.submit"), names)
    exec(block("pool.map_async"), names)
    assert names["card"].size == (256, 160)


def test_errors_are_those_of_the_table():
    table = README[README.index("| exception | code | |") : README.index("## Many machines")]
    for line in table.splitlines()[2:]:
        cells = [cell.strip() for cell in line.split("|")]
        for name in re.findall(r"`(\w+)`", cells[1] if len(cells) > 2 else ""):
            assert getattr(waymark_maps, name).code == int(cells[2])
            assert issubclass(getattr(waymark_maps, name), waymark_maps.WaymarkError)


@pytest.mark.parametrize("text", BLOCKS)
def test_every_block_is_valid_python(text):
    compile(text, "README.md", "exec")
