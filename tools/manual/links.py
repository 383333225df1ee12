"""Checks the links of the site: each address without a scheme is a file of the site, and each anchor is in its page."""
import html.parser
import pathlib
import posixpath
import urllib.parse


class Reader(html.parser.HTMLParser):
    """Collects the addresses and the anchors of a page."""

    def __init__(self):
        super().__init__()
        self.addresses, self.anchors, self.doubled = [], set(), []

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id":
                if value in self.anchors:
                    self.doubled.append(value)
                self.anchors.add(value)
            elif name in ("href", "src") and value is not None:
                self.addresses.append(value)


def problems(folder):
    """A sentence for each link that leads nowhere, for each anchor that a page has twice, and for each page to which no link leads."""
    folder = pathlib.Path(folder)
    readers = {}
    for path in sorted(folder.rglob("*.html")):
        reader = readers[str(path.relative_to(folder))] = Reader()
        reader.feed(path.read_text(encoding="utf-8"))
    files = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    reached = {"index.html"}
    for name, reader in readers.items():
        for anchor in reader.doubled:
            yield f"{name} has the anchor {anchor} twice"
        for address in reader.addresses:
            parts = urllib.parse.urlsplit(address)
            if parts.scheme in ("https", "http", "mailto", "data"):
                continue
            path = urllib.parse.unquote(parts.path)
            target = posixpath.normpath(posixpath.join(posixpath.dirname(name), path)) if path else name
            if parts.scheme or target not in files:
                yield f"{name} links to {address}, which does not exist"
                continue
            if target != name:
                reached.add(target)
            anchor = urllib.parse.unquote(parts.fragment)
            if anchor and target in readers and anchor not in readers[target].anchors:
                yield f"{name} links to {address}, but that page has no such anchor"
    for name in sorted(set(readers) - reached):
        yield f"no page links to {name}"
