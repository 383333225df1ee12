"""The reference of the C header: its comments beside its declarations."""
import html
import re

import text
from pages import Page

COMMENT = re.compile(r"/\*(.*?)\*/", re.S)


def flow(comment):
    """A comment as paragraphs of one line each; a line that begins with a name and a colon is a paragraph, too."""
    paragraphs = [[]]
    for line in comment.strip().splitlines():
        line = re.sub(r"^\s*\* ?", "", line).strip()
        if not line or re.match(r"[a-z_]+(?:, [a-z_]+)*: ", line):
            paragraphs.append([])
        if line:
            paragraphs[-1].append(line)
    return [" ".join(paragraph) for paragraph in paragraphs if paragraph]


def marked(words):
    words = html.escape(words, quote=False)
    return re.sub(r"`([^`]+)`|\b(waymark_\w+(?:\(\))?|WAYMARK_\w+|NULL)", lambda match: f"<code>{match[1] or match[2]}</code>", words)


def described(comment):
    parts, rows = [], []
    for paragraph in flow(comment):
        match = re.match(r"([a-z_]+(?:, [a-z_]+)*): (.*)", paragraph)
        if match:
            rows.append(f"<dt><code>{match[1]}</code></dt><dd>{marked(match[2][0].upper() + match[2][1:])}</dd>")
        else:
            head = re.match(r"([A-Z]\w+)\. (.*)", paragraph)
            parts.append(f"<p><b>{head[1]}.</b> {marked(head[2])}</p>\n" if head else f"<p>{marked(paragraph)}</p>\n")
    if rows:
        parts.append(f'<dl class="parameters">{"".join(rows)}</dl>\n')
    return "".join(parts)


def name_of(declaration):
    match = re.search(r"^(?:enum|struct) (\w+) \{|^#define (\w+)|^typedef struct \w+ (\w+)|(\w+)\(", declaration)
    return next(filter(None, match.groups()))


def page(source):
    """The page of waymark.h. A declaration that is not understood ends the build."""
    inside = source[source.index("/*"):source.rindex("#ifdef __cplusplus")]
    introduction = COMMENT.match(inside)
    rest = re.sub(r"#ifdef __cplusplus.*?#endif", "", inside[introduction.end():], flags=re.S)
    made = Page("c.html", "C reference", "")
    body = ["<h1>C reference</h1>\n", '<p class="lead"><code>#include &lt;waymark.h&gt;</code></p>\n', described(introduction[1])]
    made.search.append(("", "C reference", " ".join(flow(introduction[1]))))
    body.append('<h2 id="versions">Versions and status</h2>\n')
    made.headings.append((2, "versions", "Versions and status"))
    comment, kept = "", []
    for part in re.split(r"\n\s*\n", rest):
        part = part.strip("\n")
        if not part or all(line.startswith("#include") for line in part.splitlines()):
            continue
        section = re.fullmatch(r"/\* MARK: (.*) \*/", part)
        if section:
            anchor = section[1].lower()
            body.append(f'<h2 id="{anchor}">{section[1]}</h2>\n')
            made.headings.append((2, anchor, section[1]))
            continue
        lead = COMMENT.match(part)
        comment, declaration = (lead[1], part[lead.end():].strip("\n")) if lead else ("", part)
        name = name_of(declaration)
        made.headings.append((3, name, name))
        made.search.append((name, name, " ".join(flow(comment)) + " " + declaration))
        kept.append(name)
        body.append(f'<section class="member" id="{name}">{text.code(declaration, "c")}{described(comment)}</section>\n')
    declared = set(re.findall(r"^(?:\w[\w *]*?)\b(waymark_\w+)\(", source, re.M))
    if declared - set(kept):
        raise ValueError(f"the C reference leaves out {', '.join(sorted(declared - set(kept)))}")
    made.body = "".join(body)
    return made
