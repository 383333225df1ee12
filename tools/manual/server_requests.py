"""The page of the server's requests, from its OpenAPI description."""
import html
import json

import text
from pages import Page


def kind_of(schema):
    if "enum" in schema:
        return ", ".join(html.escape(json.dumps(value, ensure_ascii=False)) for value in schema["enum"])
    if schema.get("type") == "array":
        return f"{kind_of(schema['items'])}, repeated"
    words = {"number": "number", "integer": "integer", "boolean": "true or false", "string": "text"}.get(schema.get("type"), "value")
    if "minimum" in schema and "maximum" in schema:
        words += f", {schema['minimum']:g} to {schema['maximum']:g}"
    elif "minimum" in schema:
        words += f", {schema['minimum']:g} or more"
    return words + (f", <code>{html.escape(schema['pattern'])}</code>" if "pattern" in schema else "")


def body_of(content):
    return ", ".join(f"<code>{html.escape(kind)}</code>" for kind in content)


def operation(path, method, details, made):
    anchor = details["operationId"]
    made.headings.append((2, anchor, f"{method.upper()} {path}"))
    made.search.append((anchor, f"{method.upper()} {path}", " ".join(
        [details["summary"], *(f"{each['name']} {each['description']}" for each in details.get("parameters", []))])))
    parts = [f'<section class="member" id="{anchor}"><h2><code>{method.upper()} {html.escape(path)}</code></h2>\n<p>{text.marked(details["summary"])}</p>\n']
    if "requestBody" in details:
        parts.append(f'<p><b class="label">Body</b> {body_of(details["requestBody"]["content"])}</p>\n')
    if details.get("parameters"):
        rows = "".join(
            f'<dt><code>{html.escape(each["name"])}</code> <small>{kind_of(each["schema"])}{", required" if each.get("required") else ""}</small></dt>'
            f'<dd>{text.marked(each["description"])}{example(each)}</dd>' for each in details["parameters"])
        parts.append(f'<h3>Query</h3><dl class="attributes">{rows}</dl>\n')
    rows = "".join(f'<dt><code>{status}</code></dt><dd>{text.marked(each["description"])} {body_of(each.get("content", {}))}</dd>'
                   for status, each in details["responses"].items())
    parts.append(f'<h3>Responses</h3><dl class="parameters">{rows}</dl>\n')
    return "".join(parts) + "</section>\n"


def example(parameter):
    if "example" not in parameter:
        return ""
    value = parameter["example"]
    value = value[0] if isinstance(value, list) else value
    shown = value if isinstance(value, str) else json.dumps(value)
    return f' For example <code>{html.escape(parameter["name"])}={html.escape(shown)}</code>.'


def page(description):
    made = Page("server-requests.html", "Requests of the server", "")
    parts = ["<h1>Requests of the server</h1>\n", '<p class="lead">The server itself returns this description in the form of OpenAPI '
             f'{description["openapi"]}, at <code>/openapi.json</code>.</p>\n']
    for path, methods in description["paths"].items():
        for method, details in methods.items():
            parts.append(operation(path, method, details, made))
    made.body = "".join(parts)
    return made
