"""Markdown as HTML, with the headings and the searchable text of the page."""
import html
import re
import unicodedata

import markdown_it
import pygments
import pygments.formatters
import pygments.lexers
import pygments.util

import diagram

FORMATTER = pygments.formatters.HtmlFormatter(nowrap=True)


def slug(text, used):
    """The anchor that GitHub makes of a heading: letters, digits, hyphens; a number follows if the page already has it."""
    words = "".join(letter for letter in text.lower() if letter in " -_" or unicodedata.category(letter)[0] in "LN")
    name = words.strip().replace(" ", "-")
    number = used.get(name, 0)
    used[name] = number + 1
    return f"{name}-{number}" if number else name


def code(source, language):
    """A block of code, colored if Pygments knows the language."""
    try:
        lexer = pygments.lexers.get_lexer_by_name(language) if language else None
    except pygments.util.ClassNotFound:
        lexer = None
    body = pygments.highlight(source, lexer, FORMATTER) if lexer else html.escape(source, quote=False)
    return f'<pre class="code" tabindex="0"><code>{body.rstrip()}</code></pre>\n'


def marked(words):
    """A text as HTML, with the parts between backticks as code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(words, quote=False))


def plain(tokens):
    """The text of inline tokens without marks."""
    return "".join(" " if token.type in ("softbreak", "hardbreak") else token.content for token in tokens
                   if token.type in ("text", "code_inline", "image", "softbreak", "hardbreak"))


class Markdown:
    """Converts pages. `link` returns the address for a target in a file; `image` the address of a picture; `title` the title of the page that a
    text such as docs/batch.md names."""

    def __init__(self, link, image, title):
        self.link, self.image, self.title = link, image, title
        self.parser = markdown_it.MarkdownIt("commonmark").enable(["table", "strikethrough"])

    def tokens(self, source, file):
        """The tokens of a file's text, with anchors at its headings and addresses that hold in the site."""
        tokens, used = self.parser.parse(source), {}
        for index, token in enumerate(tokens):
            if token.type == "heading_open":
                token.attrSet("id", slug(plain(tokens[index + 1].children), used))
            for place, child in enumerate(token.children or []):
                if child.type == "link_open":
                    # A link that shows the name of a file shows the title of its page instead.
                    shown = token.children[place + 1]
                    if shown.type == "text" and re.fullmatch(r"[\w./-]+\.md", shown.content):
                        shown.content = self.title(child.attrs["href"], file) or shown.content
                    target = self.link(child.attrs["href"], file)
                    # A file that the manual does not have is only named.
                    child.attrs = {"href": target} if target else {}
                    if target and re.match("https?:", target):
                        child.attrSet("rel", "noreferrer")
                elif child.type == "image":
                    child.attrs["src"] = self.image(child.attrs["src"], file)
                    child.attrs["loading"] = "lazy"
        return tokens

    def render(self, tokens):
        parts, start = [], 0
        for index, token in enumerate(tokens):
            if token.type in ("fence", "code_block"):
                parts.append(self.parser.renderer.render(tokens[start:index], self.parser.options, {}))
                language = token.info.split()[0] if token.info.split() else "" if token.type == "fence" else shell_or_nothing(token.content)
                parts.append(diagram.drawn(token.content) if language == "mermaid" else code(token.content, language))
                start = index + 1
        parts.append(self.parser.renderer.render(tokens[start:], self.parser.options, {}))
        text = "".join(parts)
        # Wide tables scroll by themselves on a phone.
        return re.sub(r"<table\b.*?</table>", lambda match: f'<div class="table" tabindex="0">{match[0]}</div>', text, flags=re.S)


def shell_or_nothing(source):
    """The language of an indented block: the docs indent commands."""
    return "console" if re.match(r"(\$ |#!)", source) else "shell" if re.match(r"[\w./]+( |$)", source) and "  " not in source.split("\n")[0] else ""


def headings(tokens):
    """Level, anchor and text of each heading."""
    return [(int(token.tag[1]), token.attrs["id"], plain(tokens[index + 1].children))
            for index, token in enumerate(tokens) if token.type == "heading_open"]


def title_of(tokens):
    found = headings(tokens)
    return found[0][2] if found and found[0][0] == 1 else None


def searchable(tokens):
    """The text below each heading: anchor, title and words. Text before the first heading has no anchor."""
    sections = [["", "", []]]
    for index, token in enumerate(tokens):
        if token.type == "heading_open":
            sections.append([token.attrs["id"], plain(tokens[index + 1].children), []])
        elif token.type == "inline" and not tokens[index - 1].type == "heading_open":
            sections[-1][2].append(plain(token.children))
        elif token.type in ("fence", "code_block") and token.info != "mermaid":
            sections[-1][2].append(token.content)
    return [(anchor, title, " ".join(words)) for anchor, title, words in sections if title or words]
