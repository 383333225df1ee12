"""The pictures of the scene reference: a picture case for each property, and the pages that show these cases with their scenes."""
import html
import json
import pathlib
import re
import tomllib

from markdown_it.token import Token

import text
from pages import Page

TABLE = pathlib.Path(__file__).parent / "pictures.toml"
MARK = re.compile(r"<!-- properties: (\w+) -->")


class Cases:
    """The picture cases of a folder, and the case of each property."""

    def __init__(self, folder):
        self.folder = folder
        self.sources = {str(path.parent.relative_to(folder)): path.read_text(encoding="utf-8") for path in sorted(folder.glob("*/*/scene.json"))}
        self.table = tomllib.loads(TABLE.read_text(encoding="utf-8"))
        self.asked = set()
        self.problems = [f"Tests/Pictures/{name} has no picture yet: tools/pictures update {name.split('/')[1]} draws it"
                         for name in self.sources if not (folder / name / "expected.png").exists()]

    def case_of(self, section, key):
        """The name of a case, or None for a property that no picture shows."""
        self.asked.add((section, key))
        kebab = re.sub(r"(?<=[a-z])([A-Z])", lambda match: "-" + match[1].lower(), key).removeprefix("is-")
        named = [f"{section}/{kebab}", f"caption/{kebab.removeprefix('caption-')}" if kebab.startswith("caption-") else None]
        name = self.table.get(section, {}).get(key) or next(filter(self.sources.__contains__, named), None) or self.table["any"].get(key)
        if name is None:
            if key not in self.table["nothing"].get(section, []):
                self.problems.append(f"{section}.{key} has no picture: add a case to Tests/Pictures, and a line to tools/manual/pictures.toml")
            return None
        if f'"{key}"' not in self.sources.get(name, ""):
            self.problems.append(f"{section}.{key}: {'the scene of ' if name in self.sources else ''}{name} "
                                 f"{'does not set it' if name in self.sources else 'is not a picture case'}")
            return None
        return name

    def check(self):
        """Lines of the table whose property no longer exists."""
        for section, lines in self.table.items():
            if section == "nothing":
                named = [(name, key) for name, keys in lines.items() for key in keys]
            else:
                named = [(section, key) for key in lines] if section != "any" else []
            self.problems += [f"tools/manual/pictures.toml: {name}.{key} is not a property" for name, key in named if (name, key) not in self.asked]


def with_pictures(tokens, cases):
    """The tokens of the scene reference with a picture in each row of a table of properties; and the entries for the search."""
    result, entries, section, key = [], [], None, None
    for index, token in enumerate(tokens):
        if token.type == "html_block" and (match := MARK.search(token.content)):
            section = match[1]
        if section is None:
            result.append(token)
            continue
        if token.type == "table_open":
            token.attrJoin("class", "properties")
        elif token.type == "tr_open" and tokens[index + 2].children and tokens[index + 1].type == "td_open":
            key = tokens[index + 2].children[0].content
            token.attrSet("id", f"{section}.{key}")
            entries.append((f"{section}.{key}", key, f"{section} " + " ".join(text.plain(each.children) for each in tokens[index:index + 12] if each.type == "inline")))
        elif token.type == "tr_close":
            cell = "<th></th>"
            if key is not None:
                name = cases.case_of(section, key)
                group, _, case = (name or "").partition("/")
                cell = f'<td class="picture"><a href="cases/{group}.html#{case}"><img src="cases/{name}.png" alt="{html.escape(case.replace("-", " "))}" loading="lazy"></a></td>' if name else "<td></td>"
            result.append(Token("html_block", "", 0, content=cell))
            key = None
        elif token.type == "table_close":
            section = None
        result.append(token)
    return result, entries


def pages(cases):
    """A page for each folder of cases."""
    made = {}
    for group in sorted({name.split("/")[0] for name in cases.sources}):
        page = Page(f"cases/{group}.html", f"Pictures: {group}", "")
        parts = [f'<p class="above"><a href="../scene.html">Scene reference</a></p><h1>{group}</h1>\n<p class="lead">The pictures by which Waymark is tested.</p>\n']
        for name, source in cases.sources.items():
            if name.startswith(group + "/"):
                case = name.split("/")[1]
                scene = json.loads(source)
                title = case.replace("-", " ")
                parts.append(f'<section class="example" id="{case}"><h2>{html.escape(title)}</h2><figure><a href="{name}.png"><img src="{name}.png" '
                             f'alt="{html.escape(title)}" loading="lazy"></a></figure>{listing(source)}</section>\n')
                page.headings.append((2, case, title))
                page.search.append((case, f"{group}: {title}", " ".join(sorted(keys(scene)))))
        page.body = "".join(parts)
        made[page.path] = page
    return made


def keys(value):
    if isinstance(value, dict):
        return set(value) | set().union(*map(keys, value.values()))
    return set().union(*map(keys, value)) if isinstance(value, list) else set()


def listing(source, width=600, lines=80):
    """A scene's source. Longer lines and longer scenes end with an ellipsis, and then have no colors, because they are no JSON."""
    shown = [line if len(line) <= width else line[:width] + " …" for line in source.rstrip().split("\n")]
    if len(shown) > lines:
        shown = [*shown[:lines], "…"]
    return text.code("\n".join(shown), "json" if "\n".join(shown) == source.rstrip() else "")


def copy(cases, folder):
    for name in cases.sources:
        target = folder / "cases" / f"{name}.png"
        target.parent.mkdir(parents=True, exist_ok=True)
        picture = cases.folder / name / "expected.png"
        if picture.exists():
            target.write_bytes(picture.read_bytes())
