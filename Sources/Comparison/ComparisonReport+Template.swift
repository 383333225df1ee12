import Waymark

extension ComparisonReport {
    /// The page around the pictures. It works without a network, in light and dark mode, on wide and narrow screens, by mouse and by
    /// keyboard; without scripts, pictures are side by side.
    static let template = #"""
        <!doctype html>
        <html lang="en">
        <head>
        \#(HTMLPage.head)
        <title>@TITLE@</title>
        <style>
        \#(HTMLPage.style)
        main { max-width: 1600px; margin: 0 auto; padding: 24px; display: grid; gap: 24px; grid-template-columns: minmax(0, 1fr); }
        header { display: flex; flex-wrap: wrap; gap: 4px 24px; align-items: baseline; }
        h1 { margin: 0; font-size: 20px; overflow-wrap: anywhere; }
        h2 { margin: 0; font-size: 16px; overflow-wrap: anywhere; }
        .state { margin: 0; font-weight: 600; }
        .good { color: var(--good); }
        .bad { color: var(--bad); }
        section, nav { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 16px; display: grid; gap: 12px;
          grid-template-columns: minmax(0, 1fr); }
        section { scroll-margin-top: 8px; }
        nav > ul { margin: 0; padding: 0; list-style: none; columns: 16em; }
        a { color: var(--accent); overflow-wrap: anywhere; }
        .sentence { margin: 0; color: var(--soft); overflow-wrap: anywhere; }
        .quiet, .none { color: var(--soft); }
        table { border-collapse: collapse; width: 100%; }
        th, td { text-align: left; vertical-align: top; padding: 6px 12px 6px 0; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
        th { font-weight: 400; width: 14em; }
        th span { color: var(--soft); }
        td ul { margin: 0; padding: 0; list-style: none; }
        tr.chosen { background: var(--chosen); }
        summary { cursor: pointer; color: var(--soft); }
        .line { font: 12px/1.5 ui-monospace, monospace; overflow-wrap: anywhere; padding-left: 14px; position: relative; }
        .line::before { position: absolute; left: 0; }
        .line.expected::before { content: "−"; color: var(--bad); }
        .line.actual::before { content: "+"; color: var(--good); }
        .controls { display: flex; flex-wrap: wrap; gap: 8px 20px; align-items: center; color: var(--soft); }
        .controls label { display: flex; gap: 6px; align-items: center; min-height: 32px; }
        select { font: inherit; }
        .pictures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(260px, 100%), 1fr)); gap: 16px; align-items: start; }
        .pictures.zoomed { display: flex; flex-wrap: wrap; }
        figure { margin: 0; min-width: 0; max-width: 100%; }
        figcaption { color: var(--soft); margin-bottom: 6px; display: flex; justify-content: space-between; }
        .picture { position: relative; width: fit-content; max-width: 100%; overflow: auto; border: 1px solid var(--line);
          border-radius: 4px; background: repeating-conic-gradient(#ffffff 0 25%, #dedede 0 50%) 0 0 / 16px 16px; }
        .picture img { display: block; max-width: 100%; height: auto; }
        .zoomed .picture img { max-width: none; image-rendering: pixelated; }
        .picture svg { position: absolute; left: 0; top: 0; width: 100%; height: auto; pointer-events: none; overflow: hidden; }
        .zoomed .picture svg { width: var(--width); }
        .key { border: 1.5px solid #1f6fd6; padding: 0 5px; background: #ffffff; color: #1b2127; font-size: 13px; }
        .key.expected { border: 1.5px dashed #b0005c; }
        polygon { fill: none; stroke-width: 1.5; vector-effect: non-scaling-stroke; }
        polygon.expected { stroke: #b0005c; stroke-dasharray: 4 3; }
        polygon.actual { stroke: #1f6fd6; }
        polygon.chosen { stroke-width: 4; }
        .noboxes svg { display: none; }
        .slider { width: fit-content; }
        .slider .over { position: absolute; left: 0; right: 0; top: 0; clip-path: inset(0 calc(100% - var(--at, 50%)) 0 0); }
        .slider .over img { width: 100%; }
        .zoomed .slider .over { right: auto; width: var(--width); }
        .slider i { position: absolute; top: 0; bottom: 0; left: var(--at, 50%); width: 2px; margin-left: -1px; background: #b0005c; }
        .zoomed .slider i { left: calc(var(--width) * var(--part, .5)); }
        .slider input { width: 100%; margin: 10px 0 0; accent-color: var(--accent); }
        .passed ul { overflow-wrap: anywhere; }
        @media (max-width: 640px) {
          main { padding: 12px; gap: 12px; }
          section, nav { padding: 12px; }
          th, td { display: block; width: auto; padding-right: 0; }
          td { border-top: 0; padding-top: 0; }
        }
        </style>
        </head>
        <body>
        <main>
        <header><h1>@TITLE@</h1><p class="state @STATE@">@SUMMARY@</p></header>
        @BODY@
        </main>
        <script>
        "use strict";
        for (const section of document.querySelectorAll("section")) {
          const find = (name) => section.querySelector(name);
          const all = (name) => section.querySelectorAll(name);
          const pictures = find(".pictures");
          if (!pictures) continue;
          find(".zoom").addEventListener("change", (event) => {
            const factor = +event.target.value;
            pictures.classList.toggle("zoomed", factor > 0);
            pictures.style.setProperty("--width", pictures.dataset.width * factor + "px");
            for (const image of all("img")) image.style.width = factor ? image.naturalWidth * factor + "px" : "";
          });
          find(".boxes")?.addEventListener("change", (event) => pictures.classList.toggle("noboxes", !event.target.checked));
          const slider = find(".slider");
          find(".sliding")?.addEventListener("change", (event) => {
            for (const figure of all("figure")) figure.hidden = event.target.checked ? figure !== slider : figure === slider;
          });
          find(".slider input")?.addEventListener("input", (event) => {
            const style = find(".slider .picture").style;
            style.setProperty("--at", event.target.value + "%");
            style.setProperty("--part", event.target.value / 100);
          });
          for (const row of all("tr[data-overlay]")) {
            const choose = (isChosen) => {
              row.classList.toggle("chosen", isChosen);
              for (const shape of all(`polygon[data-overlay="${row.dataset.overlay}"]`)) shape.classList.toggle("chosen", isChosen);
            };
            row.addEventListener("pointerenter", () => choose(true));
            row.addEventListener("pointerleave", () => choose(false));
          }
        }
        </script>
        </body>
        </html>

        """#
}
