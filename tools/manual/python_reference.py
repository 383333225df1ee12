"""The reference of the Python package, from its sources: what `waymark_maps` exports, with types and docstrings."""
import ast
import html
import re

import text
from pages import Page

# The order of the modules in the reference, with the titles of their sections.
SECTIONS = [
    ("plotting", "Maps of tables"), ("renderer", "Drawing and asking"), ("scene", "Scenes and jobs"), ("overlays", "The parts of a scene"), ("picture", "Pictures"),
    ("comparison", "Comparing"), ("pool", "Pools"), ("batch", "Batches"), ("testing", "Tests"), ("ray", "Ray"), ("errors", "Errors"),
    ("encoding", "Your own elements"), ("program", "The program"),
]


def marked(words, names):
    words = html.escape(words, quote=False)

    def shown(match):
        name = match[1] or match[2]
        return f'<a href="#{name}"><code>{name}</code></a>' if name in names else f"<code>{name}</code>"

    return re.sub(r"``([^`]+)``|`([^`]+)`", shown, words)


def described(docstring, names):
    """A docstring: paragraphs, literal blocks after `::`, and the fields :param: and :raises:."""
    parts, rows = [], []
    blocks = re.split(r"\n\s*\n", docstring or "")
    is_literal = False
    for block in blocks:
        if not block.strip():
            continue
        lines = block.split("\n")
        if is_literal and all(line.startswith("    ") for line in lines if line):
            code = "\n".join(line[4:] for line in lines)
            # Blank lines separate blocks, so the parts of one listing are joined again.
            if parts and parts[-1][0] == "code":
                parts[-1] = ("code", parts[-1][1] + "\n\n" + code)
            else:
                parts.append(("code", code))
            continue
        is_literal = block.rstrip().endswith("::")
        fields = re.split(r"(?m)^:(?=param|raises|returns)", block.strip())
        words = fields[0].strip()
        if is_literal:
            words = re.sub(r"::$", "" if words == "::" else ":", words)
        if words:
            parts.append(("text", re.sub(r"\s+", " ", words)))
        for field in fields[1:]:
            name, _, meaning = field.partition(":")
            kind, _, subject = name.partition(" ")
            subject = f"raises {subject}" if kind == "raises" else subject or kind
            meaning = re.sub(r"\s+", " ", meaning.strip())
            rows.append(f"<dt><code>{html.escape(subject)}</code></dt><dd>{marked(meaning[:1].upper() + meaning[1:], names)}</dd>")
    shown = "".join(text.code(value, "python") if kind == "code" else f"<p>{marked(value, names)}</p>\n" for kind, value in parts)
    return shown + (f'<dl class="parameters">{"".join(rows)}</dl>\n' if rows else "")


def signature(function, name, drops_self):
    """`name(a: int, *, b: str = "x") -> Picture`, with a line for each argument if it is long."""
    arguments = function.args
    listed = arguments.posonlyargs + arguments.args
    plain = [f"{each.arg}: {ast.unparse(each.annotation)}" if each.annotation else each.arg for each in listed]
    for index, value in enumerate(reversed(arguments.defaults), 1):
        plain[-index] += f" = {ast.unparse(value)}"
    if drops_self:
        plain = plain[1:]
    if arguments.vararg:
        plain.append(f"*{arguments.vararg.arg}")
    elif arguments.kwonlyargs:
        plain.append("*")
    for each, value in zip(arguments.kwonlyargs, arguments.kw_defaults):
        plain.append((f"{each.arg}: {ast.unparse(each.annotation)}" if each.annotation else each.arg) + (f" = {ast.unparse(value)}" if value else ""))
    if arguments.kwarg:
        plain.append(f"**{arguments.kwarg.arg}")
    result = f" -> {ast.unparse(function.returns)}" if function.returns and name != "__init__" else ""
    inside = ", ".join(plain)
    return f"({inside}){result}" if len(inside) + len(name) < 88 else "(\n    " + ",\n    ".join(plain) + f",\n){result}"


def is_property(function):
    return any(ast.unparse(each) in ("property", "cached_property", "functools.cached_property") for each in function.decorator_list)


def attributes(node):
    """The annotated attributes of a class that have a docstring: name, type, docstring."""
    for index, each in enumerate(node.body):
        if isinstance(each, ast.AnnAssign) and not each.target.id.startswith("_"):
            following = node.body[index + 1] if index + 1 < len(node.body) else None
            words = following.value.value if isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant) else ""
            yield each.target.id, ast.unparse(each.annotation), words if isinstance(words, str) else ""


def class_section(node, classes, names, made):
    bases = [ast.unparse(base) for base in node.bases]
    kinds = ", ".join(bases)
    docstring = ast.get_docstring(node)
    start = next((each for each in node.body if isinstance(each, ast.FunctionDef) and each.name == "__init__"), None)
    head = f"class {node.name}" + (signature(start, "__init__", True) if start else f"({kinds})" if kinds else "")
    parts = [text.code(head, "python"), described(docstring, names)]
    if start:
        parts.append(described(ast.get_docstring(start), names))
    rows = [attribute_row(name, kind, words, names) for name, kind, words in attributes(node)]
    inherited = [base for base in bases if base in classes and base != "Element" and any(attributes(classes[base]))]
    if rows:
        parts.append(f'<dl class="attributes">{"".join(rows)}</dl>\n')
    if inherited:
        links = ", ".join(f'<a href="#{base}"><code>{base}</code></a>' for base in inherited)
        parts.append(f"<p>It also has the attributes of {links}.</p>\n")
    for each in node.body:
        if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef)) and not each.name.startswith("_") and ast.get_docstring(each):
            keyword = "async def " if isinstance(each, ast.AsyncFunctionDef) else ""
            result = f": {ast.unparse(each.returns)}" if each.returns else ""
            shown = f"{each.name}{result}" if is_property(each) else f"{keyword}{each.name}{signature(each, each.name, True)}"
            anchor = f"{node.name}.{each.name}"
            parts.append(f'<section class="method" id="{anchor}">{text.code(shown, "python")}{described(ast.get_docstring(each), names)}</section>\n')
            made.search.append((anchor, anchor, ast.get_docstring(each)))
    return "".join(parts)


def attribute_row(name, kind, words, names):
    kind = html.escape(kind.removesuffix(" | None"), quote=False)
    words = re.sub(r"\s+", " ", words.strip())
    return f"<dt><code>{name}</code> <small>{kind}</small></dt><dd>{marked(words, names)}</dd>"


def exported(folder):
    """The names that the package exports, and the names in the modules that users import separately."""
    names = set()
    for file in ("__init__", "overlays", "testing", "ray"):
        tree = ast.parse((folder / f"{file}.py").read_text(encoding="utf-8"))
        for node in tree.body:
            targets = node.targets if isinstance(node, ast.Assign) else []
            if any(isinstance(target, ast.Name) and target.id == "__all__" for target in targets):
                names |= {each.value for each in node.value.elts}
    return names


def page(folder):
    made = Page("python-reference.html", "Python reference", "")
    trees = {name: ast.parse((folder / f"{name}.py").read_text(encoding="utf-8")) for name, _ in SECTIONS}
    names = exported(folder)
    classes = {node.name: node for tree in trees.values() for node in tree.body if isinstance(node, ast.ClassDef)}
    # Bases whose attributes an exported class has, and their bases.
    for _ in range(2):
        names |= {base.id for name in list(names) if name in classes for base in classes[name].bases
                  if isinstance(base, ast.Name) and base.id in classes and any(attributes(classes[base.id]))}
    body = ["<h1>Python reference</h1>\n", '<p class="lead"><code>import waymark_maps</code></p>\n']
    found = set()
    for module, title in SECTIONS:
        parts = []
        for node in trees[module].body:
            name = getattr(node, "name", None)
            if name not in names:
                target = node.targets[0] if isinstance(node, ast.Assign) else None
                if isinstance(target, ast.Name) and target.id in names:
                    name = target.id
                    content = text.code(ast.unparse(node), "python")
                    found.add(name)
                    parts.append(f'<section class="member" id="{name}"><h3>{name}</h3>{content}</section>\n')
                continue
            found.add(name)
            made.search.append((name, name, ast.get_docstring(node) or ""))
            if isinstance(node, ast.ClassDef):
                content = class_section(node, classes, names, made)
            else:
                content = text.code(f"{name}{signature(node, name, False)}", "python") + described(ast.get_docstring(node), names)
            parts.append(f'<section class="member" id="{name}"><h3>{name}</h3>{content}</section>\n')
        if parts:
            body += [f'<h2 id="module-{module}">{title}</h2>\n']
            if module in ("testing", "ray"):
                body.append(text.code(f"import waymark_maps.{module}", "python"))
            body += parts
    missing = names - found
    if missing:
        raise ValueError(f"the Python reference leaves out {', '.join(sorted(missing))}")
    made.headings = [(2, f"module-{module}", title) for module, title in SECTIONS]
    made.body = "".join(body)
    return made
