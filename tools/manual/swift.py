"""The Swift reference: the archive that DocC has made, as plain pages with all members of a type on its page."""
import html
import json
import re

import text
from pages import Page

# Types have their own pages; everything else is on the page of its type.
TYPES = {"class", "struct", "enum", "protocol", "actor", "typealias", "extension", "module"}
PREFIX = "/documentation/waymark"


class Archive:
    def __init__(self, folder):
        self.pages = {}
        for path in sorted((folder / "data/documentation").rglob("*.json")):
            data = json.loads(path.read_bytes())
            self.pages[data["identifier"]["url"]] = data
        self.files = {identifier: self.file(data) for identifier, data in self.pages.items() if self.has_page(data)}
        if len(set(self.files.values())) != len(self.files):
            raise ValueError("two Swift types have one page")

    @staticmethod
    def has_page(data):
        return data["kind"] == "article" and data["metadata"].get("role") != "collectionGroup" or data["metadata"].get("symbolKind") in TYPES

    @staticmethod
    def file(data):
        rest = data["variants"][0]["paths"][0].removeprefix(PREFIX).strip("/")
        return f"swift/{rest.replace('/', '.') or 'index'}.html"

    def address(self, identifier):
        """The page of a symbol, with its anchor if it is a member; None for symbols of other modules."""
        if identifier in self.files:
            return self.files[identifier].removeprefix("swift/")
        data = self.pages.get(identifier)
        if data is None or data["metadata"].get("role") == "collectionGroup":
            return None
        for parent in reversed((data["hierarchy"].get("paths") or [[]])[0]):
            if parent in self.files:
                return f"{self.files[parent].removeprefix('swift/')}#{anchor(data)}"
        return None


def anchor(data):
    return data["variants"][0]["paths"][0].rsplit("/", 1)[-1]


class Writer:
    """Converts the content of one page."""

    def __init__(self, archive, data):
        self.archive, self.data = archive, data

    def inline(self, parts):
        return "".join(map(self.one_inline, parts))

    def one_inline(self, part):
        kind = part["type"]
        if kind == "text":
            return html.escape(part["text"], quote=False)
        if kind == "codeVoice":
            return f"<code>{html.escape(part['code'], quote=False)}</code>"
        if kind in ("emphasis", "strong", "newTerm", "inlineHead", "subscript", "superscript", "strikethrough"):
            tag = {"emphasis": "em", "subscript": "sub", "superscript": "sup", "strikethrough": "s"}.get(kind, "strong")
            return f"<{tag}>{self.inline(part['inlineContent'])}</{tag}>"
        if kind == "reference":
            reference = self.data["references"].get(part["identifier"], {})
            title = reference.get("title") or part["identifier"].rsplit("/", 1)[-1]
            shown = html.escape(title) if reference.get("kind") == "article" or reference.get("type") == "link" else f"<code>{html.escape(title)}</code>"
            address = reference["url"] if reference.get("type") == "link" else self.archive.address(part["identifier"])
            return f'<a href="{html.escape(quoted(address))}">{shown}</a>' if address else shown
        if kind == "link":
            return f'<a href="{html.escape(part["destination"])}">{html.escape(part["title"])}</a>'
        raise ValueError(f"DocC's inline content {kind} is unknown")

    def blocks(self, blocks, level=0):
        return "".join(self.block(block, level) for block in blocks)

    def block(self, block, level):
        kind = block["type"]
        if kind == "paragraph":
            return f"<p>{self.inline(block['inlineContent'])}</p>\n"
        if kind == "heading":
            depth = min(block["level"] + level, 6)
            # The headings of members would repeat: "Discussion".
            return f"<h{depth} id=\"{html.escape(block['anchor'])}\">{html.escape(block['text'])}</h{depth}>\n" if level == 0 else ""
        if kind == "codeListing":
            return text.code("\n".join(block["code"]), block.get("syntax"))
        if kind == "aside":
            name = block.get("name") or block["style"].capitalize()
            return f'<div class="aside"><b>{html.escape(name)}</b>{self.blocks(block["content"], level)}</div>\n'
        if kind in ("unorderedList", "orderedList"):
            return self.items("ul" if kind == "unorderedList" else "ol", block, level)
        if kind == "termList":
            rows = "".join(f"<dt>{self.inline(item['term']['inlineContent'])}</dt><dd>{self.blocks(item['definition']['content'], level)}</dd>" for item in block["items"])
            return f"<dl>{rows}</dl>\n"
        if kind == "table":
            rows = ["".join(self.cell(cell, "th" if index == 0 and block["header"] != "none" else "td") for cell in row)
                    for index, row in enumerate(block["rows"])]
            return '<div class="table" tabindex="0"><table>' + "".join(f"<tr>{row}</tr>" for row in rows) + "</table></div>\n"
        raise ValueError(f"DocC's content {kind} is unknown")

    def items(self, tag, block, level):
        return f"<{tag}>" + "".join(f"<li>{self.blocks(item['content'], level)}</li>" for item in block["items"]) + f"</{tag}>\n"

    def cell(self, cell, tag):
        return f"<{tag}>" + "".join(self.inline(part["inlineContent"]) if part["type"] == "paragraph" else self.block(part, 1) for part in cell) + f"</{tag}>"

    def declaration(self, tokens):
        pieces = wrapped(tokens)
        shown = []
        for token, words in pieces:
            kind, escaped = token["kind"], html.escape(words, quote=False)
            address = self.archive.address(token["identifier"]) if "identifier" in token else None
            if address:
                shown.append(f'<a href="{html.escape(quoted(address))}">{escaped}</a>')
            elif kind in ("keyword", "attribute"):
                shown.append(f'<span class="k">{escaped}</span>')
            elif kind in ("number", "string"):
                shown.append(f'<span class="s">{escaped}</span>')
            elif kind == "identifier":
                shown.append(f"<b>{escaped}</b>")
            else:
                shown.append(escaped)
        return f'<pre class="declaration" tabindex="0"><code>{"".join(shown)}</code></pre>\n'

    def sections(self, level=0):
        parts = []
        for section in self.data.get("primaryContentSections", []):
            if section["kind"] == "declarations":
                parts += [self.declaration(each["tokens"]) for each in section["declarations"]]
                if self.data.get("abstract") and level:
                    parts.append(f"<p>{self.inline(self.data['abstract'])}</p>\n")
            elif section["kind"] == "parameters":
                rows = "".join(f"<dt><code>{html.escape(each['name'])}</code></dt><dd>{self.blocks(each['content'], 1)}</dd>" for each in section["parameters"])
                parts.append(f'<dl class="parameters">{rows}</dl>\n')
            elif section["kind"] == "content":
                blocks = section["content"]
                label = '<b class="label">Returns</b>' if level and blocks and blocks[0].get("anchor") == "return-value" else ""
                parts.append(label + self.blocks(blocks, level))
            elif section["kind"] not in ("mentions", "attributes", "possibleValues"):
                raise ValueError(f"DocC's section {section['kind']} is unknown")
        return "".join(parts)


def quoted(address):
    return address.replace("%", "%25").replace(" ", "%20").replace("<", "%3C").replace(">", "%3E").replace('"', "%22")


def wrapped(tokens):
    """Tokens and their texts; a long declaration has each parameter on a line."""
    length = sum(len(token["text"]) for token in tokens)
    if length <= 90 or not any(token["kind"] == "externalParam" for token in tokens):
        return [(token, token["text"]) for token in tokens]
    depth, result, last = 0, [], False
    for token in tokens:
        words = []
        for letter in token["text"] if token["kind"] == "text" else [token["text"]]:
            if letter in ")]" and token["kind"] == "text":
                depth -= 1
                if depth == 0 and letter == ")" and not last:
                    words.append("\n")
                    last = True
            words.append(letter)
            if letter in "([" and token["kind"] == "text":
                depth += 1
                if depth == 1 and letter == "(" and not last:
                    words.append("\n    ")
            elif letter == "," and depth == 1 and not last:
                words.append("\n   ")
        result.append((token, "".join(words)))
    return result


def words_of(value):
    """All text of content, for the search."""
    if isinstance(value, list):
        return " ".join(map(words_of, value))
    if isinstance(value, dict):
        return " ".join(words_of(value[key]) for key in ("text", "code", "name", "inlineContent", "content", "items", "rows", "parameters", "title") if key in value)
    return value if isinstance(value, str) else ""


def topic(archive, writer, section, level, page):
    """One group of symbols: rows for those with pages, and everything about the others."""
    identifiers = [identifier for identifier in section["identifiers"] if identifier in archive.pages]
    if not identifiers:
        return ""
    tag = f"h{level}"
    name = "topic-" + re.sub(r"\W+", "-", section["title"]).strip("-").lower()
    # The members of each protocol are grouped again.
    earlier = sum(re.fullmatch(rf"{name}(-\d+)?", anchor) is not None for _, anchor, _ in page.headings)
    name += f"-{earlier}" if earlier else ""
    parts = [f'<{tag} id="{name}">{html.escape(section["title"])}</{tag}>\n']
    page.headings.append((level, name, section["title"]))
    rows = []
    for identifier in identifiers:
        data = archive.pages[identifier]
        member = Writer(archive, data)
        title = data["metadata"]["title"]
        if identifier in archive.files:
            shown = html.escape(title) if data["kind"] == "article" else f"<code>{html.escape(title)}</code>"
            rows.append(f'<dt><a href="{quoted(archive.address(identifier))}">{shown}</a></dt><dd>{member.inline(data.get("abstract", []))}</dd>')
            continue
        if data["metadata"].get("role") == "collectionGroup":
            for inner in data.get("topicSections", []):
                parts.append(topic(archive, member, inner, level + 1, page))
            continue
        parts.append(f'<section class="member" id="{html.escape(anchor(data))}">{member.sections(2)}</section>\n')
        page.search.append((quoted(anchor(data)), title, words_of([data.get("abstract", []), data.get("primaryContentSections", [])])))
    if rows:
        parts.insert(1, f'<dl class="topics">{"".join(rows)}</dl>\n')
    return "".join(parts)


def pages(folder):
    archive = Archive(folder)
    made = {}
    for identifier, path in archive.files.items():
        data = archive.pages[identifier]
        writer = Writer(archive, data)
        page = Page(path, data["metadata"]["title"], "")
        abstract = writer.inline(data.get("abstract", []))
        role = data["metadata"].get("roleHeading", "")
        above = " › ".join(f'<a href="{archive.address(each)}">{html.escape(archive.pages[each]["metadata"]["title"])}</a>'
                           for each in (data["hierarchy"].get("paths") or [[]])[0] if each in archive.files)
        body = [f'<p class="above">{above}{" · " if above and role else ""}{html.escape(role)}</p>' if above or role else "",
                f"<h1>{html.escape(page.title)}</h1>\n", f'<p class="lead">{abstract}</p>\n' if abstract else "", writer.sections()]
        page.headings += [(block["level"], block["anchor"], block["text"]) for section in data.get("primaryContentSections", [])
                          for block in section.get("content", []) if block["type"] == "heading"]
        page.search.append(("", page.title, words_of([data.get("abstract", []), data.get("primaryContentSections", [])])))
        for section in data.get("topicSections", []):
            body.append(topic(archive, writer, section, 2, page))
        page.body = "".join(body)
        made[path] = page
    return made
