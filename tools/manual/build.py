"""Builds the manual from docs/, the READMEs, the archive of DocC, the C header, the Python sources, the help texts and the picture cases."""
import html
import json
import pathlib
import posixpath
import re
import shutil
import subprocess
import tempfile

import commands
import gallery
import header
import links
import pages
import performance
import python_reference
import scenes
import server_requests
import swift
import text
from pages import Page

PARTS = pathlib.Path(__file__).resolve().parent
ROOT = PARTS.parent.parent
# The page of each Markdown file. Their texts are nowhere else.
SOURCES = {
    "README.md": "start.html", "docs/release.md": "install.html", "docs/scene.md": "scene.html", "docs/inspect.md": "inspect.html",
    "docs/events.md": "events.html", "docs/batch.md": "batch.html", "docs/tiles.md": "tiles.html", "docs/visual-tests.md": "visual-tests.html",
    "docs/worker.md": "worker.html", "docs/embedding.md": "embedding.html", "python/README.md": "python.html", "docs/server.md": "server.html",
    "docs/architecture.md": "architecture.html", "CONTRIBUTING.md": "contributing.html", "docs/stability.md": "stability.html",
    "SECURITY.md": "security.html", "CHANGELOG.md": "changelog.html",
}
# Where links to other files lead.
OTHERS = {
    "Examples/README.md": "gallery.html", "Sources/C/Interface/include/waymark.h": "c.html", "Tests/Pictures": "scene.html", "NOTICE": "notice.html",
    "docs/Waymark.docc/CoordinateSystems.md": "swift/coordinatesystems.html", "docs/Waymark.docc/Meshes.md": "swift/meshes.html",
    "docs/scene.schema.json": "scene.schema.json", "LICENSE": "LICENSE.txt",
}


class Site:
    def __init__(self, folder):
        self.folder, self.pages, self.files, self.problems = folder, {}, {}, []
        self.markdown = text.Markdown(self.link, self.image, self.title)

    def add(self, page):
        self.pages[page.path] = page

    def link(self, target, file):
        """The address in the site of a target in a Markdown file; None for a file that the site does not have."""
        if re.match(r"[a-z]+:", target) or target.startswith("#"):
            return target
        path, hash, anchor = target.partition("#")
        path = posixpath.normpath(posixpath.join(posixpath.dirname(file), path))
        if not (ROOT / path).exists():
            self.problems.append(f"{file} links to {path}, which does not exist")
        if path in SOURCES or path in OTHERS:
            address = SOURCES.get(path) or OTHERS[path]
        elif (ROOT / path).is_file() and path.startswith("Examples/"):
            address = self.files[path] = f"files/{path}"
        else:
            return None
        return pages.relative(address + hash + anchor, SOURCES.get(file, file)) or "#"

    def title(self, target, file):
        """The title in the navigation of the page to which a link leads."""
        path = posixpath.normpath(posixpath.join(posixpath.dirname(file), target.partition("#")[0]))
        return pages.SHORT.get(SOURCES.get(path) or OTHERS.get(path))

    def image(self, source, file):
        path = posixpath.normpath(posixpath.join(posixpath.dirname(file), source))
        name = pathlib.PurePosixPath(path).stem
        # The pictures of the examples are those that this build draws.
        drawn = {"world-tilted": "flights"}.get(name, name)
        return f"gallery/{drawn}.png" if path.startswith("docs/pictures/") else source

    def markdown_page(self, file, path):
        tokens = self.markdown.tokens((ROOT / file).read_text(encoding="utf-8"), file)
        title = text.title_of(tokens)
        page = Page(path, title, "", [heading for heading in text.headings(tokens) if heading[0] > 1])
        page.search = [("" if name == title else anchor, "" if name == title else name, words) for anchor, name, words in text.searchable(tokens)]
        if path == "scene.html":
            cases = scenes.Cases(ROOT / "Tests/Pictures")
            tokens, entries = scenes.with_pictures(tokens, cases)
            cases.check()
            self.problems += cases.problems
            page.search += entries
            for each in scenes.pages(cases).values():
                self.add(each)
            scenes.copy(cases, self.folder)
        page.body = self.markdown.render(tokens)
        self.add(page)


def section_of(file, heading):
    """The lines of a Markdown file below a heading."""
    found = re.search(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", (ROOT / file).read_text(encoding="utf-8"), re.M | re.S)
    return found[1]


def first_code(source, language):
    return re.search(rf"^```{language}\n(.*?)^```", source, re.M | re.S)[1]


def start_page(site, described):
    """The three ways in, with excerpts of the texts to which they lead."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    introduction = re.search(r"^# .*?\n\n(.*?)\n\n", readme, re.S)[1]
    swift_code = first_code("```swift\nimport" + section_of("README.md", "The library").split("```swift\nimport")[1], "swift")
    file_code = (ROOT / "Examples/hello.json").read_text(encoding="utf-8")
    python_code = first_code((ROOT / "python/README.md").read_text(encoding="utf-8"), "python")
    ways = [
        ("A scene file", "Describe a map in JSON, and draw it with one command.", file_code, "json", "start.html#the-program", "scene.html", "All keys"),
        ("The Swift library", "Build maps from objects, and draw them in your program.", swift_code, "swift", "start.html#the-library", "swift/index.html", "All types"),
        ("Python", "Draw scenes, tables and batches from Python and notebooks.", python_code, "python", "python.html", "python-reference.html", "All classes"),
    ]
    cards = "".join(
        f'<section class="way"><h2>{name}</h2><p>{words}</p>{text.code(code, language)}<p><a class="more" href="{first}">Begin</a> · '
        f'<a href="{second}">{label}</a></p></section>' for name, words, code, language, first, second, label in ways)
    strip = "".join(f'<a href="gallery.html#{name}"><img src="gallery/{name}.png" alt="{html.escape(words)}" loading="lazy"></a>'
                    for name, words in described.items() if name not in ("hello", "block", "countries"))
    body = (f'<div class="hero"><div><h1>Waymark</h1><p>{html.escape(introduction, quote=False)}</p>'
            '<a class="button first" href="install.html">Install</a><a class="button" href="start.html">First steps</a></div>'
            '<a href="gallery.html#block"><img src="gallery/block.png" alt="A town of lit models over streets, with captioned pins"></a></div>\n'
            f'<div class="ways">{cards}</div>\n<h2>Gallery</h2><div class="strip">{strip}</div>')
    site.add(Page("index.html", "Waymark", body, layout="start"))


def build(archive, folder, program):
    """Builds the site into a folder. Returns a sentence, and a sentence for each problem."""
    folder = pathlib.Path(folder)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    site = Site(folder)

    def output(*arguments):
        return subprocess.run([program, *arguments], check=True, text=True, stdout=subprocess.PIPE).stdout

    for file, path in SOURCES.items():
        site.markdown_page(file, path)
    with tempfile.TemporaryDirectory(prefix="waymark-gallery-") as scratch:
        described = gallery.draw(ROOT, program, folder / "gallery", scratch)
    site.add(gallery.page(ROOT, described))
    start_page(site, described)
    site.add(commands.page(json.loads(output("--experimental-dump-help"))))
    for page in swift.pages(archive).values():
        site.add(page)
    site.add(header.page((ROOT / "Sources/C/Interface/include/waymark.h").read_text(encoding="utf-8")))
    site.add(python_reference.page(ROOT / "python/src/waymark_maps"))
    # Files that need a build of the server, and a run of the bench: Server/checks/openapi.py update, and
    # tools/bench --json docs/performance.json.
    absent = []
    for name, make in (("server.openapi.json", server_requests.page), ("performance.json", performance.page)):
        if (ROOT / "docs" / name).exists():
            site.add(make(json.loads((ROOT / "docs" / name).read_bytes())))
        else:
            absent.append(f"docs/{name}")
    notice = (ROOT / "NOTICE").read_text(encoding="utf-8")
    site.add(Page("notice.html", "Notices", f'<h1>Notices</h1>\n<pre tabindex="0"><code>{html.escape(notice)}</code></pre>\n', search=[("", "Notices", notice)]))

    version = re.search(r'libraryVersion = "(.*)"', (ROOT / "Sources/System/Version.swift").read_text(encoding="utf-8"))[1]
    pages.write(site.pages, folder, version)
    for name in ("manual.css", "manual.js"):
        shutil.copyfile(PARTS / name, folder / name)
    (folder / "mark.svg").write_text(pages.MARK.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ').replace('class="mark"', 'fill="#d6453d"')
                                     .replace("<circle", '<circle fill="#fff"'), encoding="utf-8")
    shutil.copyfile(ROOT / "docs/scene.schema.json", folder / "scene.schema.json")
    shutil.copyfile(ROOT / "LICENSE", folder / "LICENSE.txt")
    for source, address in site.files.items():
        (folder / address).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / source, folder / address)
    # A missing picture also breaks the links to it.
    problems = site.problems or list(links.problems(folder))
    sentence = f"{len(site.pages)} pages"
    if absent:
        sentence += f"; the pages of {' and '.join(absent)} are left out, because these files are missing"
    return sentence, problems
