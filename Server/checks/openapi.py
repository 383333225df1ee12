#!/usr/bin/env python3
"""Compares docs/server.openapi.json, from which tools/docs makes a page, with the description that a server returns.

    Server/checks/openapi.py [update] [--server PROGRAM]

With `update`, writes the file. It refers to docs/scene.schema.json instead of repeating it, and has no version, so that a new version does not
change it.
"""

import argparse
import json
import sys
import urllib.request

from running import ROOT, SERVER, running

FILE = ROOT / "docs/server.openapi.json"


def described(server: str) -> str:
    with running(server) as running_server, urllib.request.urlopen(f"{running_server.url}openapi.json", timeout=60) as response:
        description = json.loads(response.read())
    if "$defs" not in description["components"]["schemas"]["Scene"]:
        sys.exit("openapi: the description has no schema of scenes")
    description["components"]["schemas"]["Scene"] = {"$ref": "scene.schema.json"}
    description["info"]["version"] = ""
    return json.dumps(description, indent=1, ensure_ascii=False) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("action", nargs="?", choices=["check", "update"], default="check")
    parser.add_argument("--server", default=SERVER)
    options = parser.parse_args()
    description = described(options.server)
    if options.action == "update":
        FILE.write_text(description, encoding="utf-8")
    elif not FILE.exists() or FILE.read_text(encoding="utf-8") != description:
        sys.exit("openapi: docs/server.openapi.json is not the description of this server; run Server/checks/openapi.py update")
    print(f"{len(json.loads(description)['paths'])} paths are described")


main()
