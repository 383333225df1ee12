"""The tables that a run ends with."""
import statistics


def spread(values, digits=2):
    values = [v for v in values if v is not None]
    if not values:
        return "-"
    text = f"{statistics.median(values):.{digits}f}"
    return text if len(values) == 1 else f"{text} ({min(values):.{digits}f}-{max(values):.{digits}f})"


def ratios(above, below):
    """The ratio of each turn in which both ran."""
    return [a["ms"] / b["ms"] for a, b in zip(above, below) if a and b]


def table(head, rows):
    widths = [max(len(str(row[i])) for row in [head, *rows]) for i in range(len(head))]
    for row in [head, ["-" * width for width in widths], *rows]:
        print("| " + " | ".join(str(cell).ljust(width) for cell, width in zip(row, widths)) + " |")
    print()


def figure(figures, path):
    """The number at a dotted path, the median of several; None if it is missing."""
    for key in path.split(".") if path else []:
        figures = (figures or {}).get(key)
    return figures.get("median") if isinstance(figures, dict) else figures


def report_cases(results, columns):
    """A row for each case and program. Each column has the path of Waymark's figure, and of the peers'."""
    rows = []
    for case, by in results.items():
        for who, turns in by.items():
            paths = [mine if who == "waymark" else theirs for _, mine, theirs in columns]
            figures = [[figure(turn, path) for turn in turns if turn] if path else [] for path in paths]
            digits = [0 if all(isinstance(value, int) for value in values) else 2 for values in figures]
            rows.append([f"{case} {who}", *(spread(values, digit) for values, digit in zip(figures, digits))])
    if rows:
        table(["case", *(name for name, _, _ in columns)], rows)


def report_markers(results):
    """The stages of Waymark's frames of markers."""
    rows = []
    for case, by in results.items():
        mine = by["waymark"]
        rows.append([
            case, *(spread([figure(r, f"moved.{key}") for r in mine]) for key in ("layout_ms", "drawing_ms")),
            *(spread([r[key] for r in mine], 1) for key in ("setup_ms", "peak_rss_mib", "mean_byte")),
            *([spread([r["mean_byte"] if r else None for r in by.get("limit", [])], 1)] if any("limit" in b for b in results.values()) else [])])
    if rows:
        limit = ["mean byte, limit"] if any("limit" in by for by in results.values()) else []
        table(["Waymark", "layout, ms", "drawing, ms", "set-up, ms", "peak, MiB", "mean byte", *limit], rows)


def report(results, others):
    """Prints the tables. `results[case][who]` is a list with one dictionary, or None, per turn."""
    rows = []
    for case, by in results.items():
        mine = by["waymark"]
        rows.append(
            [case, spread([r["ms"] for r in mine]),
             *([spread([r["ms"] if r else None for r in by.get("limit", [])]), spread(ratios(mine, by.get("limit", [])))]
               if "limit" in others else []),
             *(cell for name in others if name != "limit"
               for cell in (spread([r["ms"] if r else None for r in by.get(name, [])]), spread(ratios(by.get(name, []), mine))))])
    head = ["case", "Waymark, ms"]
    for name in others:
        head += ["limit, ms", "Waymark / limit"] if name == "limit" else [f"{name}, ms", f"{name} / Waymark"]
    table(head, rows)
    report_markers({case: by for case, by in results.items() if case[:2] in ("w2", "w7")})
    report_cases({case: by for case, by in results.items() if case.startswith("w4")}, [
        ("frame, ms", "still.frame_ms", "render_ms"), ("frame, view moved, ms", "moved.frame_ms", "moved_ms"),
        ("layout, ms", "moved.layout_ms", None), ("drawing, ms", "moved.drawing_ms", None), ("set-up, ms", "setup_ms", "setup_ms"),
        ("placed", "placed", "placed"), ("peak, MiB", "peak_rss_mib", "peak_rss_mib")])
    report_cases({case: by for case, by in results.items() if case == "w1"}, [
        ("PNG, ms", "png_ms", "png_ms"), ("PNG, view moved, ms", "moved_png_ms", "moved_png_ms"),
        ("pixels, ms", "pixels_ms", "pixels_ms"), ("PNG, bytes", "png_bytes", "png_bytes"),
        ("peak, MiB", "peak_rss_mib", "peak_rss_mib")])
    report_cases({case: by for case, by in results.items() if case in ("w3", "w3-land", "w9-cards")}, [
        ("pictures/s, start included", "img_per_s", "img_per_s"), ("pictures/s, warm", "warm_img_per_s", "warm_img_per_s"),
        ("PNG, bytes", "mean_png_bytes", "mean_png_bytes")])
    report_cases({case: by for case, by in results.items() if case == "pool"}, [
        ("8 at once, processes, pictures/s", "processes_img_per_s", None), ("to batch", "processes_to_batch", None),
        ("threads, pictures/s", "threads_img_per_s", None), ("to batch", "threads_to_batch", None), ("batch, pictures/s", "batch_img_per_s", None)])
    report_cases({case: by for case, by in results.items() if case == "pool"}, [
        ("one at a time, bare, ms", "bare_ms", None), ("frames of a pool", "frames_ms", None), ("to bare", "frames_to_bare", None),
        ("threads", "threads_ms", None), ("to bare", "threads_to_bare", None), ("processes", "processes_ms", None),
        ("to bare", "processes_to_bare", None)])
    report_cases({case: by for case, by in results.items() if case.startswith("w5")}, [
        ("turned, ms", "turned_ms", "turned_ms"), ("still, ms", "still_ms", "render_ms"),
        ("set-up, ms", "setup_ms", "setup_ms"), ("peak, MiB", "peak_rss_mib", "peak_rss_mib")])
    report_cases({case: by for case, by in results.items() if case.startswith("w6") and not case.endswith("-file")}, [
        ("index, ms", "build_ms", "build_ms"), ("view at zoom 0, ms", "view_0_ms", "view_0_ms"), ("slowest zoom, ms", "view_slowest_ms", "view_slowest_ms"),
        ("mean of zooms, ms", "view_mean_ms", "view_mean_ms"), ("most found", "most_found", "most_found"),
        ("bytes a point", "bytes_a_point", "bytes_a_point"), ("peak, MiB", "peak_rss_mib", "peak_rss_mib")])
    report_cases({case: by for case, by in results.items() if case.startswith("w6") and case.endswith("-file")}, [
        ("file to picture, ms", "total_ms", "parse_index_first_frame_ms"), ("reading, ms", "parse_ms", None), ("layout, ms", "layout_ms", None),
        ("peak, MiB", "peak_rss_mib", "peak_rss_mib"), ("inspect, whole program, ms", "inspect_ms", None),
        ("its peak, MiB", "inspect_peak_rss_mib", None), ("batch of one, whole program, ms", "batch_ms", None),
        ("its peak, MiB", "batch_peak_rss_mib", None)])
    report_cases({case: by for case, by in results.items() if case.startswith("w8")}, [
        ("frame, ms", "frame_ms", "frame_ms"), ("layout, ms", "layout_ms", None), ("drawing, ms", "drawing_ms", None),
        ("first, ms", "first_ms", None), ("peak, MiB", "peak_rss_mib", "peak_rss_mib")])
    report_cases({case: by for case, by in results.items() if case.startswith("w9") and case != "w9-cards"}, [
        ("picture, ms", "ms", "ms"), ("layout, ms", "layout_ms", None), ("drawing, ms", "drawing_ms", None), ("first, ms", "first_ms", "first_ms"),
        ("peak, MiB", "peak_rss_mib", "peak_rss_mib")])
    report_cases({case: by for case, by in results.items() if case == "lines-10k" or case.startswith("growth")}, [
        ("file to PNG, whole program, ms", "ms", "ms"), ("us per object", "us_per_object", None), ("peak, MiB", "peak_rss_mib", "peak_rss_mib")])
    report_cases({case: by for case, by in results.items() if case.startswith("pick")}, [
        ("pick, ms", "pick_ms", None), ("hidden ones too, ms", "all_ms", None), ("first, with layout, ms", "first_ms", None),
        ("found", "found", None), ("peak, MiB", "peak_rss_mib", None)])
    report_cases({case: by for case, by in results.items() if case == "card-window"}, [
        ("with window, ms", "window_ms", None), ("without, ms", "plain_ms", None), ("ratio", "ratio", None)])
    report_cases({case: by for case, by in results.items() if case == "card-c"}, [
        ("pixels, C, ms", "pixels_ms", None), ("bare, ms", "bare_pixels_ms", None), ("speed", "pixels_speed", None),
        ("PNG, C, ms", "png_ms", None), ("bare, ms", "bare_png_ms", None), ("speed", "png_speed", None)])
    if "cities" in results:
        stages = ["read", "parse", "fit", "device", "layout", "drawing", "encode", "write", "total"]
        mine = results["cities"]["waymark"]
        table(["cities", "ms"], [[stage, spread([r[f"{stage}_ms"] for r in mine])] for stage in stages])


def report_against(results):
    """Prints times, their ratio and peak memory of each case. `results[case]["new"]` and `["old"]` have two dictionaries per turn, or
    None."""
    rows = []
    for case, by in results.items():
        turns = [(by["new"][i:i + 2], by["old"][i:i + 2]) for i in range(0, len(by["new"]), 2)]
        ratios_of_turns = [sum(n["ms"] for n in new) / sum(o["ms"] for o in old) for new, old in turns if all(old)]
        cells = [spread([r["ms"] if r else None for r in by[name]]) for name in ("new", "old")]
        memory = [spread([(r or {}).get("peak_rss_mib") for r in by[name]], 1) for name in ("new", "old")]
        rows.append([case, *cells, spread(ratios_of_turns, 3), *memory])
    table(["case", "new, ms", "old, ms", "new / old", "new peak, MiB", "old peak, MiB"], rows)
    slower = [row[0] for row in rows if row[3] != "-" and float(row[3].split()[0]) > 1.03]
    print(f"slower than 1.03: {', '.join(slower)}" if slower else "nothing is slower than 1.03")
