"""Flowcharts of Mermaid as SVG, as far as the docs use them: `flowchart LR`, nodes with texts, and arrows with labels."""
import html
import re

NODE = r'(\w+)(?:\["([^"]*)"\])?'
EDGE = re.compile(rf'^\s*{NODE}\s+--(?:\s+"?([^"]*?)"?\s+--)?>\s+{NODE}\s*$')
WIDTH, LINE, GAP_X, GAP_Y, PAD = 118, 17, 92, 26, 8


def drawn(source):
    """The diagram. A line that is not a flowchart's ends the build, so no diagram is drawn in part."""
    lines = [line for line in source.splitlines() if line.strip()]
    if lines[0].strip() != "flowchart LR":
        raise ValueError(f"a diagram begins with {lines[0]!r}, but must begin with 'flowchart LR'")
    names, edges = {}, []
    for line in lines[1:]:
        match = EDGE.match(line)
        if not match:
            raise ValueError(f"the line {line.strip()!r} of a diagram is not an arrow that this script can draw")
        start, start_text, label, end, end_text = match.groups()
        for name, text in ((start, start_text), (end, end_text)):
            if text or name not in names:
                names[name] = (text or name).split("<br>")
        edges.append((start, end, label))
    # The column of a node is the longest way to it.
    columns = dict.fromkeys(names, 0)
    for _ in names:
        for start, end, _ in edges:
            columns[end] = max(columns[end], columns[start] + 1)
    rows, taken = {}, {}
    for name in names:
        rows[name] = taken.get(columns[name], 0)
        taken[columns[name]] = rows[name] + 1
    step_y = LINE * max(map(len, names.values())) + 2 * PAD + GAP_Y
    tallest = max(taken.values())
    place = {}
    for name, lines in names.items():
        height = LINE * len(lines) + 2 * PAD
        middle = (rows[name] + (tallest - taken[columns[name]]) / 2 + 0.5) * step_y
        place[name] = (columns[name] * (WIDTH + GAP_X) + 1, middle, height)
    parts = []
    for start, end, label in edges:
        x, y = place[start][0] + WIDTH, place[start][1]
        other_x, other_y = place[end][0] - 2, place[end][1]
        bend = (other_x - x) / 2
        parts.append(f'<path d="M{x} {y:g}C{x + bend:g} {y:g} {other_x - bend:g} {other_y:g} {other_x:g} {other_y:g}"/>'
                     f'<path class="head" d="M{other_x - 7:g} {other_y - 4:g}l8 4l-8 4z"/>')
        if label:
            above = -6 if other_y <= y else 14
            parts += [f'<text class="edge" x="{(x + other_x) / 2:g}" y="{(y + other_y) / 2 + above + 12 * row:g}">{html.escape(line)}</text>'
                      for row, line in enumerate(label.split(": "))]
    for name, lines in names.items():
        x, middle, height = place[name]
        parts.append(f'<rect x="{x}" y="{middle - height / 2:g}" width="{WIDTH}" height="{height}" rx="6"/>')
        parts += [f'<text x="{x + WIDTH / 2:g}" y="{middle + (row - (len(lines) - 1) / 2) * LINE + 4.5:g}">{html.escape(line)}</text>'
                  for row, line in enumerate(lines)]
    width = (max(columns.values()) + 1) * (WIDTH + GAP_X) - GAP_X + 2
    return (f'<div class="diagram" tabindex="0"><svg role="img" aria-label="A diagram: {html.escape(describe(names, edges))}" '
            f'viewBox="0 0 {width} {tallest * step_y:g}" width="{width}">{"".join(parts)}</svg></div>\n')


def describe(names, edges):
    return "; ".join(f'{" ".join(names[start])} to {" ".join(names[end])}' for start, end, _ in edges)
