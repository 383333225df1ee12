"""The pages of the manual: their order, their frame, and the index for the search."""
import dataclasses
import html
import json
import os
import posixpath
import re
import urllib.parse


@dataclasses.dataclass
class Page:
    path: str  # in the site
    title: str
    body: str
    headings: list = dataclasses.field(default_factory=list)  # level, anchor, text
    search: list = dataclasses.field(default_factory=list)  # anchor, title, words
    layout: str = "page"


# The navigation: groups of pages, in the order in which a reader meets them. Pages that are not listed, such as those of Swift types, are
# reached from these.
NAVIGATION = [
    ("Start", ["index.html", "start.html", "gallery.html", "install.html"]),
    ("Scene files", ["scene.html", "inspect.html", "events.html"]),
    ("Program", ["commands.html", "batch.html", "tiles.html", "visual-tests.html", "worker.html"]),
    ("Libraries", ["swift/library.html", "swift/index.html", "swift/coordinatesystems.html", "swift/meshes.html", "embedding.html", "c.html",
                   "python.html", "python-reference.html"]),
    ("Server", ["server.html", "server-requests.html"]),
    ("Project", ["performance.html", "architecture.html", "contributing.html", "stability.html", "security.html", "changelog.html", "notice.html"]),
]
# Titles in the navigation that are shorter than those of the pages.
SHORT = {
    "index.html": "Overview", "start.html": "First steps", "install.html": "Install", "gallery.html": "Gallery", "scene.html": "Scene reference",
    "inspect.html": "Positions", "events.html": "Taps and links", "commands.html": "Commands", "batch.html": "Batches", "tiles.html": "Map tiles",
    "visual-tests.html": "Visual tests", "worker.html": "Workers", "swift/library.html": "Swift guide", "swift/index.html": "Swift reference",
    "swift/coordinatesystems.html": "Coordinate systems", "swift/meshes.html": "Meshes", "embedding.html": "Embedding in Swift",
    "c.html": "C reference", "python.html": "Python guide", "python-reference.html": "Python reference", "server.html": "Server guide",
    "server-requests.html": "Requests (OpenAPI)", "performance.html": "Performance", "architecture.html": "Architecture",
    "contributing.html": "Contributing", "stability.html": "Versions", "security.html": "Security", "changelog.html": "Changelog",
    "notice.html": "Notices",
}
MARK = ('<svg class="mark" viewBox="0 0 24 32" width="18" height="24" aria-hidden="true"><path d="M12 31C9 24 1 19.5 1 11.5a11 11 0 0 1 22 0C23 '
        '19.500 15 24 12 31z"/><circle cx="12" cy="11.500" r="4.200"/></svg>')


def relative(target, page):
    """The address of a file of the site from a page of it; the anchor stays."""
    path, hash, anchor = target.partition("#")
    address = posixpath.relpath(path, posixpath.dirname(page) or ".") if path != page else ""
    return urllib.parse.quote(address, safe="/()!:,") + hash + anchor


def navigation(page, pages):
    parts = []
    for title, paths in NAVIGATION:
        links = []
        for path in paths:
            if path in pages:
                here = ' aria-current="page"' if path == page.path else ""
                links.append(f'<li><a href="{relative(path, page.path) or "#"}"{here}>{html.escape(SHORT[path])}</a></li>')
        if links:
            parts.append(f"<section><h2>{title}</h2><ul>{''.join(links)}</ul></section>")
    return "".join(parts)


def contents(page):
    """The headings of the page, for wide screens."""
    shown = [(level, anchor, text) for level, anchor, text in page.headings if level in (2, 3)]
    if len(shown) > 60:
        shown = [heading for heading in shown if heading[0] == 2]
    if len(shown) < 3:
        return ""
    items = "".join(f'<li class="level{level}"><a href="#{urllib.parse.quote(anchor, safe="()!:,")}">{html.escape(text)}</a></li>' for level, anchor, text in shown)
    return f'<nav class="contents" aria-label="On this page"><h2>On this page</h2><ul>{items}</ul></nav>'


def framed(page, pages, version):
    """The whole page."""
    root = posixpath.relpath(".", posixpath.dirname(page.path) or ".")
    root = "" if root == "." else root + "/"
    title = "Waymark" if page.path == "index.html" else f"{page.title} · Waymark"
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{html.escape(title)}</title>
<link rel="icon" href="{root}mark.svg">
<link rel="stylesheet" href="{root}manual.css">
<script>document.documentElement.dataset.root = "{root}"; try {{ const scheme = localStorage.getItem("scheme"); if (scheme) document.documentElement.dataset.scheme = scheme; }} catch {{}}</script>
<script src="{root}manual.js" defer></script>
</head>
<body class="{page.layout}">
<a class="skip" href="#main">Skip to the content</a>
<header>
<button class="menu" aria-expanded="false" aria-controls="navigation" aria-label="Menu"><svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true"><path d="M2 5h16M2 10h16M2 15h16"/></svg></button>
<a class="home" href="{root}index.html">{MARK}<b>Waymark</b> <span>{html.escape(version)}</span></a>
<form class="search" role="search"><input type="search" placeholder="Search" aria-label="Search the manual" autocomplete="off" spellcheck="false"><kbd>/</kbd><ol hidden></ol></form>
<button class="scheme" aria-label="Light or dark"><svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true"><circle cx="10" cy="10" r="7"/><path d="M10 3a7 7 0 0 1 0 14z"/></svg></button>
</header>
<div class="columns">
<nav id="navigation" aria-label="Manual">{navigation(page, pages)}</nav>
<main id="main">
{page.body}
</main>
{contents(page)}
</div>
</body>
</html>
"""


def index_of(pages):
    """The search index: for each section of each page its address, its title, the page's title, and its words."""
    entries = []
    for path, page in pages.items():
        for anchor, title, words in page.search:
            text = re.sub(r"\s+", " ", words).strip()
            entries.append([path + (f"#{anchor}" if anchor else ""), title or page.title, page.title, text[:700]])
    return entries


def write(pages, folder, version):
    for path, page in pages.items():
        target = os.path.join(folder, path)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "w", encoding="utf-8") as file:
            file.write(framed(page, pages, version))
    with open(os.path.join(folder, "search.js"), "w", encoding="utf-8") as file:
        # A script instead of JSON: browsers load no JSON for pages that are opened as files.
        file.write("waymarkIndex(" + json.dumps(index_of(pages), ensure_ascii=False, separators=(",", ":")) + ");\n")
