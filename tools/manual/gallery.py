"""The gallery: each example's source beside the picture that this build draws of it."""
import concurrent.futures
import html
import os
import re
import subprocess

import scenes
import text
from pages import Page

# Examples that need more than their scene: the program's further arguments. `flights` lies over tiles of `plain`, which are made first.
TILES = ["tiles", "Examples/tiles/plain.json", "--zooms", "0-3", "--whole-world"]


def captions(readme):
    """The descriptions in the table of Examples/README.md, by scene."""
    rows = re.findall(r"^\| ((?:`\w[\w-]*\.json`(?:, )?)+) \| (.*) \|$", readme, re.M)
    return {name: words for cell, words in rows for name in re.findall(r"`([\w-]+)\.json`", cell)}


def draw(root, program, folder, scratch):
    """Draws all examples; returns their descriptions by scene, in the order of the table."""
    described = captions((root / "Examples/README.md").read_text(encoding="utf-8"))
    found = {path.stem for path in (root / "Examples").glob("*.json")}
    if found != set(described):
        raise ValueError(f"Examples/README.md does not describe exactly the scenes in Examples: {', '.join(sorted(found ^ set(described)))}")
    os.makedirs(folder, exist_ok=True)
    environment = dict(os.environ, WAYMARK_DEVICE="software")

    def run(*arguments):
        done = subprocess.run([program, *arguments], cwd=root, env=environment, text=True, capture_output=True)
        if done.returncode != 0:
            raise ValueError(f"waymark {arguments[0]} {arguments[1]} failed: {done.stderr.strip()}")

    def flights():
        tiles = os.path.join(scratch, "plain.pmtiles")
        run(*TILES, "-o", tiles)
        run("render", "Examples/tiles/flights.json", "--basemap", tiles, "-o", folder / "flights.png")

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = [pool.submit(flights), *(pool.submit(run, "render", f"Examples/{name}.json", "-o", folder / f"{name}.png") for name in described)]
        for job in jobs:
            job.result()
    return described


def page(root, described):
    made = Page("gallery.html", "Gallery", "")
    parts = ["<h1>Gallery</h1>\n", '<p class="lead">The scenes in <code>Examples</code>, with the pictures that this version draws of them.</p>\n']
    items = [(name, f"Examples/{name}.json", words) for name, words in described.items()]
    words = re.search(r"`flights\.json`[:,] (.*?) \|$", (root / "Examples/README.md").read_text(encoding="utf-8"), re.M)[1]
    items.append(("flights", "Examples/tiles/flights.json", words))
    for name, path, words in items:
        source = (root / path).read_text(encoding="utf-8")
        shown = text.marked(words[0].upper() + words[1:])
        made.headings.append((2, name, name))
        made.search.append((name, name, words))
        parts.append(f'<section class="example wide" id="{name}"><h2>{name}</h2><p>{shown}.</p><figure><a href="gallery/{name}.png">'
                     f'<img src="gallery/{name}.png" alt="{html.escape(words)}" loading="lazy"></a></figure>'
                     f'<details{" open" if len(source) < 2000 else ""}><summary><code>{path}</code></summary>{scenes.listing(source)}</details></section>\n')
    made.body = "".join(parts)
    return made
