"""The page on performance, drawn from the figures that `tools/bench --json` writes."""
import html
import statistics

from pages import Page

# The cases on the page, by what they draw: title, sentence, and the case with its label and the figure that is shown.
GROUPS = [
    ("Cards", "A map of 512 × 512 pixels with a circle, a line of 500 points, an icon and its caption, as a PNG.", [
        ("w1-cold", "once, including the start of the program"), ("w1", "one after the other, with a different camera each time"),
        ("card-window", "with an info window, without compression"), ("card-c", "through the C library, without compression"),
        ("pool", "from a pool of processes, eight at a time")]),
    ("Batches", "200 cards, each with a different view, written to files on all processors, including the start of the program.", [
        ("w3", "a line and 20 icons with captions"), ("w3-land", "the same over raster tiles"), ("w9-cards", "the same over a city of vector tiles")]),
    ("Markers", "Markers that overlap, on 1024 × 1024 pixels. The camera moves in each frame.", [
        ("w2-1k", "1,000"), ("w2-10k", "10,000"), ("w2-100k", "100,000"), ("w2-1m", "1,000,000"), ("w7-100k", "100,000 at tilt 60")]),
    ("Captions", "10,000 captions that hide each other, on 1024 × 1024 pixels. The camera moves in each frame.", [
        ("w4", "lower captions first"), ("w4-source", "in the order of the data")]),
    ("Models", "A lit sphere with a texture on 1024 × 1024 pixels, turned in each frame.", [
        (f"w5-{size}{culled}{terms}", f"{count} triangles, {words}{', without back faces' if culled else ''}")
        for terms, words in (
            ("", "plain texture, one sample per pixel"), ("-mipmaps", "texture with mipmaps, one sample per pixel"),
            ("-samples4", "texture with mipmaps, four samples per pixel"))
        for size, count in (("100k", "100,000"), ("1m", "1,000,000")) for culled in ("", "-culled")]),
    ("Clusters", "Points, four fifths of them in towns: building the index or, from a file, everything up to the picture.", [
        ("w6-100k", "100,000"), ("w6-1m", "1,000,000"), ("w6-10m", "10,000,000"), ("w6-1m-file", "1,000,000 from GeoJSON to a picture")]),
    ("Raster tiles", "A base map of 1024 × 1024 pixels. The camera moves in each frame.", [
        ("w8", "at a whole zoom"), ("w8-between", "between two zooms"), ("w8-tilted", "at tilt 60"),
        ("w8-cold", "to places without known tiles"), ("w8-tilted-cold", "to places without known tiles, at tilt 60")]),
    ("Vector tiles", "A city in the default theme on 1024 × 1024 pixels. The camera moves in each frame.", [
        ("w9", "zoom 14.5"), ("w9-labels", "zoom 14.5, with names"), ("w9-near", "zoom 16"), ("w9-tilted", "zoom 16 at tilt 60"),
        ("w9-extruded", "zoom 16 at tilt 60, with buildings as blocks"), ("w9-cold", "zoom 14.5, once, including the start of the program"),
        ("w9-near-cold", "zoom 16, once, including the start of the program"), ("w9-tilted-cold", "zoom 16 at tilt 60, once, including the start of the program")]),
    ("Lines and areas", "On 1024 × 1024 pixels. The camera moves in each frame.", [
        ("line-100k", "a line of 100,000 points"), ("line-names", "1,000 names along lines"), ("areas", "177 countries"), ("circles-1k", "1,000 discs"),
        ("lines-10k", "10,000 lines of 10 points, from GeoJSON to a PNG on one core, including the start of the program")]),
    ("Files", "A GeoJSON file of cities to a PNG of 1024 × 1024 pixels, including the start of the program.", [("cities", "markers with captions")]),
    ("Growth", "Many objects, from a file to a PNG, including the start of the program.", [
        (f"growth-{kind}-{size}", f"{size.replace('k', ',000').replace('m', ',000,000')} {words}")
        for kind, words, sizes in (
            ("markers", "markers", ("10k", "100k", "1m")), ("captions", "captions that hide each other", ("1k", "10k", "100k")),
            ("circles", "circles", ("1k", "10k", "100k")), ("lines", "lines", ("1k", "10k", "100k")), ("models", "models", ("100", "1k", "10k")),
            ("clusters", "points in clusters", ("10k", "100k", "1m")))
        for size in sizes]),
    ("Picking", "The objects at a point among many markers.", [
        ("pick-10k", "10,000"), ("pick-100k", "100,000"), ("pick-1m", "1,000,000")]),
]

# The peers' names as they write them.
NAMES = {"waymark": "Waymark", "pymgl": "MapLibre Native (pymgl)", "mapnik": "Mapnik", "skia": "Skia", "vtk": "VTK",
         "pysupercluster": "supercluster (pysupercluster)"}


def times(turns):
    return [turn["ms"] for turn in turns if turn and turn.get("ms") is not None]


def shown(milliseconds):
    if milliseconds >= 1000:
        return f"{milliseconds / 1000:.2f} s"
    return f"{milliseconds:.0f} ms" if milliseconds >= 100 else f"{milliseconds:.3g} ms"


def chart(by):
    """A bar for each program; the longest bar is the slowest program's."""
    medians = {name: statistics.median(times(turns)) for name, turns in by.items() if times(turns)}
    slowest = max(medians.values())
    rows = []
    for name, value in sorted(medians.items(), key=lambda item: item[1]):
        found = times(by[name])
        spread = f"{shown(min(found))} to {shown(max(found))}" if len(found) > 1 else ""
        own = ' class="own"' if name == "waymark" else ""
        rows.append(f'<span>{html.escape(NAMES.get(name, name))}</span>'
                    f'<span><i{own} style="width: {70 * value / slowest:.1f}%"></i>{shown(value)} <small>{spread}</small></span>')
    return f'<div class="bars">{"".join(rows)}</div>\n'


def page(measured):
    made = Page("performance.html", "Performance", "")
    machine, cases = measured["machine"], measured["cases"]
    if unknown := cases.keys() - {case for _, _, listed in GROUPS for case, _ in listed}:
        raise ValueError(f"the performance page leaves out {', '.join(sorted(unknown))}")
    facts = [("Machine", f'{machine["processor"]}, {machine["processors"]} processors, {machine["memory_gib"]} GiB'),
             ("System", machine["system"]), ("Device", machine["device"]), ("Waymark", measured["version"] + (f' ({measured["commit"]})' if measured.get("commit") else "")),
             ("Measured", f'{measured["date"]}, {measured["runs"]} rounds')]
    parts = ["<h1>Performance</h1>\n", '<p class="lead">Figures of <code>tools/bench</code>: the median of several rounds, with the fastest and the slowest round. '
             "Shorter bars are faster. Compare programs, not machines.</p>\n",
             '<div class="table"><table>' + "".join(f"<tr><th>{name}</th><td>{html.escape(value)}</td></tr>" for name, value in facts) + "</table></div>\n"]
    for title, words, listed in GROUPS:
        found = [(label, cases[case]) for case, label in listed if case in cases and any(times(turns) for turns in cases[case].values())]
        if not found:
            continue
        anchor = title.lower().replace(" ", "-")
        made.headings.append((2, anchor, title))
        made.search.append((anchor, title, words))
        parts.append(f'<h2 id="{anchor}">{title}</h2><p>{html.escape(words)}</p>\n')
        # The limit is this machine's rasterizer drawing the same, without any map.
        parts += [f"<h3>{html.escape(label[0].upper() + label[1:])}</h3>{chart({name: turns for name, turns in by.items() if name != 'limit'})}" for label, by in found]
    made.body = "".join(parts)
    return made
