#!/usr/bin/env python3
"""Sends the requests of the curl commands in docs/Waymark.docc/Server.md to a server, and checks the answers.

    Server/checks/article.py [--server PROGRAM]
"""

import argparse
import json
import re
import shlex
import sys
import urllib.request

from running import ROOT, SERVER, running

CATALOG = ROOT / "docs/Waymark.docc"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--server", default=SERVER)
    server = parser.parse_args().server
    files = dict(re.findall(r"`([^`\n]+)`:\n\n```json\n([^`]+)```", (CATALOG / "SceneFiles.md").read_text(encoding="utf-8")))
    curl = argparse.ArgumentParser(prog="curl")
    curl.add_argument("url")
    curl.add_argument("--data-binary")
    curl.add_argument("-o", dest="output", required=True)
    commands = re.findall(r"^curl (.*)$", (CATALOG / "Server.md").read_text(encoding="utf-8"), re.MULTILINE)
    if not commands:
        sys.exit("article: it has no curl commands")
    with running(server) as running_server:
        for command in commands:
            request = curl.parse_args(shlex.split(command))
            body = files[request.data_binary.removeprefix("@")].encode() if request.data_binary else None
            url = request.url.replace("http://127.0.0.1:8080/", running_server.url)
            with urllib.request.urlopen(urllib.request.Request(url, data=body), timeout=60) as response:
                answer = response.read()
            if request.output.endswith(".json"):
                json.loads(answer)
            elif not answer.startswith(b"\x89PNG"):
                sys.exit(f"article: the answer is not a PNG: curl {command}")
    print(f"{len(commands)} requests of the article are answered")


main()
