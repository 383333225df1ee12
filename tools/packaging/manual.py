"""Man pages from the help texts of the program, as `waymark --experimental-dump-help` prints them."""
import re

# The exit codes of README.
EXIT_STATUS = [
    ("0", "Success."),
    ("1", "diff or sweep --against found differences."),
    ("64", "The command line is invalid."),
    ("65", "The content of a file is invalid."),
    ("66", "A file is missing or unreadable."),
    ("69", "The machine lacks EGL, a driver, the requested GPU, or fonts."),
    ("70", "An internal error occurred."),
    ("73", "The output cannot be written."),
    ("75", "A batch could not draw all of its pictures."),
]


def escaped(text):
    """Text as roff: backslashes and hyphens are escaped, and no line begins with a control character."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    # groff reads Latin 1 by default.
    text = "".join(letter if letter.isascii() else f"\\[u{ord(letter):04X}]" for letter in text)
    return re.sub(r"(?m)^([.'])", r"\\&\1", text)


def spelled(name):
    return ("-" if name["kind"] == "short" else "--") + name["name"]


def synopsis(argument):
    value = f"<{argument['valueName']}>"
    if argument["kind"] == "positional":
        text = value
    else:
        text = spelled(argument["preferredName"]) + (f" {value}" if argument["kind"] == "option" else "")
    if argument["isRepeating"]:
        text += " ..."
    return f"[{text}]" if argument["isOptional"] else text


def described(argument):
    """One argument as a tagged paragraph."""
    value = f" <{argument['valueName']}>"
    if argument["kind"] == "positional":
        tag = value.strip()
    else:
        tag = ", ".join(spelled(name) for name in argument["names"]) + (value if argument["kind"] == "option" else "")
    text = argument.get("abstract", "")
    if "discussion" in argument:
        text += "\n" + argument["discussion"]
    if "defaultValue" in argument:
        text += f" Default: {argument['defaultValue']}."
    return f".TP\n.B {escaped(tag)}\n{escaped(text.strip())}\n"


def discussed(text):
    """Paragraphs; the lines under "Examples:" stay as they are."""
    before, _, examples = text.partition("Examples:\n")
    pages = []
    if before.strip():
        pages.append(".SH DESCRIPTION\n" + "\n.PP\n".join(escaped(part) for part in before.strip().split("\n\n")) + "\n")
    if examples:
        lines = "\n".join(line.strip() for line in examples.strip("\n").split("\n"))
        pages.append(".SH EXAMPLES\n.nf\n" + escaped(lines) + "\n.fi\n")
    return pages


def page(command, path, version, date):
    name = "-".join(path)
    arguments = [argument for argument in command.get("arguments", []) if argument["shouldDisplay"]]
    subcommands = [each for each in command.get("subcommands", []) if each["shouldDisplay"] and each["commandName"] != "help"]
    line = " ".join([*path, *(["<command>"] if subcommands else []), *map(synopsis, arguments)])
    parts = [
        f'.TH {name.upper()} 1 {date} "Waymark {version}" "Waymark"\n',
        f".SH NAME\n{escaped(name)} \\- {escaped(command['abstract'].rstrip('.'))}\n",
        f".SH SYNOPSIS\n{escaped(line)}\n",
        *discussed(command.get("discussion", "")),
    ]
    if subcommands:
        parts.append(".SH COMMANDS\n")
        parts += [f".TP\n.BR {escaped('-'.join([*path, each['commandName']]))} (1)\n{escaped(each['abstract'])}\n" for each in subcommands]
    sections = dict.fromkeys(argument.get("sectionTitle") for argument in arguments)
    if arguments:
        parts.append(".SH OPTIONS\n")
    for title in sorted(sections, key=lambda title: title is not None):
        if title:
            parts.append(f".SS {escaped(title)}\n")
        parts += [described(argument) for argument in arguments if argument.get("sectionTitle") == title]
    if not subcommands:
        parts.append(".SH EXIT STATUS\n" + "".join(f".TP\n.B {code}\n{escaped(text)}\n" for code, text in EXIT_STATUS))
    if len(path) > 1:
        parts.append(f".SH SEE ALSO\n.BR {escaped(path[0])} (1)\n")
    return f"{name}.1", "".join(parts)


def pages(help_texts, date):
    """The man pages by file name. `date` is YYYY-MM-DD."""
    command, version = help_texts["command"], help_texts["version"]
    top = [command["commandName"]]
    made = [page(command, top, version, date)]
    for each in command["subcommands"]:
        if each["shouldDisplay"] and each["commandName"] != "help":
            made.append(page(each, [*top, each["commandName"]], version, date))
    return dict(made)
