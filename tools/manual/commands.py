"""The page of the program's commands, from the same help texts as the man pages."""
import html

import text
from pages import Page


def spelled(name):
    return ("-" if name["kind"] == "short" else "--") + name["name"]


def usage(argument):
    value = f"<{argument['valueName']}>"
    words = value if argument["kind"] == "positional" else spelled(argument["preferredName"]) + (f" {value}" if argument["kind"] == "option" else "")
    words += " ..." if argument["isRepeating"] else ""
    return f"[{words}]" if argument["isOptional"] else words


def row(argument):
    if argument["kind"] == "positional":
        tag = f"<{argument['valueName']}>"
    else:
        tag = ", ".join(map(spelled, argument["names"])) + (f" <{argument['valueName']}>" if argument["kind"] == "option" else "")
    words = " ".join(filter(None, [argument.get("abstract", ""), argument.get("discussion", "")]))
    if "defaultValue" in argument:
        words += f" Default: {argument['defaultValue']}."
    return f"<dt><code>{html.escape(tag)}</code></dt><dd>{text.marked(words)}</dd>"


def section(command, path, made):
    name = " ".join(path)
    anchor = "-".join(path)
    arguments = [argument for argument in command.get("arguments", []) if argument["shouldDisplay"]]
    before, _, examples = command.get("discussion", "").partition("Examples:\n")
    parts = [f'<section class="member" id="{anchor}"><h2>{html.escape(name)}</h2>\n<p>{text.marked(command["abstract"])}</p>\n']
    line = name
    for word in map(usage, arguments):
        line += ("\n    " if len(line.rsplit("\n", 1)[-1]) + len(word) > 90 else " ") + word
    parts.append(text.code(line, ""))
    parts += [f"<p>{text.marked(paragraph)}</p>\n" for paragraph in before.strip().split("\n\n") if paragraph]
    if examples:
        parts.append(text.code("\n".join(each.strip() for each in examples.strip("\n").split("\n")), "shell"))
    titles = dict.fromkeys(argument.get("sectionTitle") for argument in arguments)
    for title in sorted(titles, key=lambda title: title is not None):
        rows = "".join(row(argument) for argument in arguments if argument.get("sectionTitle") == title)
        parts.append((f"<h3>{html.escape(title)}</h3>" if title else "") + f'<dl class="options">{rows}</dl>\n')
    made.headings.append((2, anchor, name))
    made.search.append((anchor, name, command["abstract"] + " " + " ".join(
        " ".join([*map(spelled, argument.get("names", [])), argument.get("abstract", "")]) for argument in arguments)))
    return "".join(parts) + "</section>\n"


def page(help_texts):
    command = help_texts["command"]
    top = command["commandName"]
    made = Page("commands.html", "Commands", "")
    parts = ["<h1>Commands</h1>\n", f'<p class="lead">{text.marked(command["abstract"])}</p>\n']
    for each in command["subcommands"]:
        if each["shouldDisplay"] and each["commandName"] != "help":
            parts.append(section(each, [top, each["commandName"]], made))
    made.body = "".join(parts)
    return made
