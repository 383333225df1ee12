import Waymark

extension ReplayPage {
    /// The page around the data. It works without a network, in light and dark mode, on wide and narrow screens, with mouse and keyboard.
    static let template = #"""
        <!doctype html>
        <html lang="en">
        <head>
        \#(HTMLPage.head)
        <title>Replay of @TITLE@</title>
        <style>
        \#(HTMLPage.style)
        main {
          display: grid; grid-template-columns: minmax(0, auto) minmax(300px, 460px); gap: 24px; justify-content: center;
          align-items: start; max-width: 1400px; margin: 0 auto; padding: 24px;
        }
        header { grid-column: 1 / -1; display: flex; flex-wrap: wrap; gap: 8px 24px; align-items: center; justify-content: space-between; }
        h1 { margin: 0; font-size: 18px; overflow-wrap: anywhere; }
        .controls { display: flex; gap: 8px; align-items: center; }
        .controls output { min-width: 5.5em; text-align: center; color: var(--soft); font-variant-numeric: tabular-nums; }
        button { font: inherit; color: inherit; cursor: pointer; }
        .controls button {
          border: 1px solid var(--line); border-radius: 6px; background: var(--card); padding: 6px 14px; min-height: 36px;
        }
        .controls button:disabled { opacity: .4; cursor: default; }
        .controls #play { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
        figure { margin: 0; position: sticky; top: 24px; }
        .stage { position: relative; border: 1px solid var(--line); border-radius: 8px; overflow: hidden; background: #ffffff; }
        .stage img { display: block; max-width: 100%; height: auto; }
        .stage svg { position: absolute; inset: 0; width: 100%; height: 100%; pointer-events: none; }
        figcaption { margin-top: 8px; color: var(--soft); overflow-wrap: anywhere; }
        ol { list-style: none; margin: 0; padding: 0; display: grid; gap: 8px; }
        li { border: 1px solid var(--line); border-radius: 8px; background: var(--card); overflow: hidden; }
        li > button { display: flex; gap: 10px; width: 100%; border: 0; background: none; padding: 10px 14px; text-align: left; }
        li > button b { flex: none; }
        li > button span { color: var(--soft); font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
        li[aria-current] { border-color: var(--accent); }
        li[aria-current] > button { background: var(--chosen); }
        .calls { display: none; padding: 4px 14px 12px; }
        li[aria-current] .calls { display: block; }
        .calls p { margin: 6px 0 0; overflow-wrap: anywhere; }
        .calls code { font: 13px/1.4 ui-monospace, monospace; }
        .calls .quiet { color: var(--soft); }
        .id { border: 1px solid var(--line); border-radius: 4px; padding: 0 5px; font-size: 13px; }
        @media (max-width: 760px) {
          main { grid-template-columns: minmax(0, 1fr); gap: 16px; padding: 16px; }
          figure { position: static; }
          .stage { width: fit-content; max-width: 100%; margin: 0 auto; }
          .controls { width: 100%; }
          .controls button { flex: 1; }
        }
        </style>
        </head>
        <body>
        <main>
        <header>
        <h1>@TITLE@</h1>
        <div class="controls">
        <button id="back" type="button">Back</button>
        <output id="place" aria-live="polite"></output>
        <button id="next" type="button">Next</button>
        <button id="play" type="button">Play</button>
        </div>
        </header>
        <figure>
        <div class="stage"><img id="picture" alt=""><svg id="pointer" aria-hidden="true"></svg></div>
        <figcaption id="caption"></figcaption>
        </figure>
        <ol id="steps"></ol>
        </main>
        <script type="application/json" id="data">@DATA@</script>
        <script>
        "use strict";
        const data = JSON.parse(document.getElementById("data").textContent);
        const [width, height] = data.size;
        const last = data.steps.length;
        const find = (id) => document.getElementById(id);
        const make = (name, text, kind) => {
          const element = document.createElement(name);
          if (text !== undefined) element.textContent = text;
          if (kind) element.className = kind;
          return element;
        };
        const words = { tap: "Tap", longPress: "Long press", drag: "Drag" };
        const point = (at) => "(" + at.map((value) => +value.toFixed(1)).join(", ") + ")";
        const where = (step) => step.pointer.map(point).join(" to ");
        const sentence = (step) => words[step.kind] + (step.pointer.length > 1 ? " from " : " at ") + where(step);
        const ground = (at) => at ? at.lat.toFixed(6) + ", " + at.lng.toFixed(6) : null;
        const named = (object) => (object.id ?? object.type);

        function addNames(line, objects) {
          for (const object of objects) {
            line.append(" ", make("span", named(object), "id"));
            if (object.id !== null) line.append(" ", make("span", object.part ?? object.type, "quiet"));
          }
        }

        function callsOf(step) {
          const box = make("div", undefined, "calls");
          const hit = make("p", step.head.hits.length ? "Hits" : "Hits nothing", "quiet");
          addNames(hit, step.head.hits);
          box.append(hit);
          if (!step.head.coordinate) box.append(make("p", "This point is above the horizon and has no coordinates.", "quiet"));
          if (step.head.consumedBy) {
            const line = make("p", "Consumed by", "quiet");
            addNames(line, [step.head.consumedBy]);
            box.append(line);
          }
          for (const call of step.calls) {
            const line = make("p");
            line.append(make("code", call.callback));
            addNames(line, call.objects ?? []);
            if (call.coordinate) line.append(" ", make("span", ground(call.coordinate), "quiet"));
            box.append(line);
          }
          if (!step.calls.length) box.append(make("p", "No calls.", "quiet"));
          return box;
        }

        function addStep(number, name, detail, calls) {
          const item = make("li");
          const button = make("button");
          button.type = "button";
          button.append(make("b", name), make("span", detail));
          button.addEventListener("click", () => { stop(); show(number); });
          item.append(button);
          if (calls) item.append(calls);
          find("steps").append(item);
        }

        addStep(0, "Start", "before the events");
        data.steps.forEach((step, index) => addStep(index + 1, words[step.kind], where(step), callsOf(step)));

        function drawPointer(step) {
          const svg = find("pointer");
          svg.setAttribute("viewBox", "0 0 " + width + " " + height);
          svg.replaceChildren();
          if (!step) return;
          const add = (name, values) => {
            const element = document.createElementNS("http://www.w3.org/2000/svg", name);
            for (const key in values) element.setAttribute(key, values[key]);
            svg.append(element);
          };
          const path = step.pointer;
          // White beneath, so that it is seen on any map.
          for (const line of [{ stroke: "#ffffff", "stroke-width": 5 }, { stroke: "#b0005c", "stroke-width": 2 }]) {
            const ring = (at, r, fill) => add("circle", { fill: "none", ...line, cx: at[0], cy: at[1], r, ...(fill && { fill }) });
            if (path.length > 1) {
              add("polyline", { fill: "none", ...line, points: path.map((at) => at.join(",")).join(" ") });
              for (const at of path.slice(1)) ring(at, 4, line.stroke);
            }
            ring(path[0], 8);
            if (step.kind === "longPress") ring(path[0], 14);
          }
        }

        let current = -1;
        let timer = null;

        function show(number) {
          current = Math.min(Math.max(number, 0), last);
          const step = data.steps[current - 1];
          const picture = find("picture");
          picture.width = width;
          picture.height = height;
          picture.src = data.pictures[step ? step.picture : data.start];
          const caption = step ? sentence(step) : "Before the events";
          picture.alt = "The map. " + caption;
          find("caption").textContent = step && ground(step.head.coordinate) ? caption + ", on " + ground(step.head.coordinate) : caption;
          find("place").textContent = current + " of " + last;
          find("back").disabled = current === 0;
          find("next").disabled = current === last;
          drawPointer(step);
          [...find("steps").children].forEach((item, index) => {
            if (index === current) item.setAttribute("aria-current", "step"); else item.removeAttribute("aria-current");
          });
          history.replaceState(null, "", "#" + current);
        }

        function stop() {
          clearInterval(timer);
          timer = null;
          find("play").textContent = "Play";
        }

        function play() {
          if (timer !== null) return stop();
          if (current === last) show(0);
          find("play").textContent = "Stop";
          timer = setInterval(() => {
            show(current + 1);
            if (current === last) stop();
          }, 1200);
        }

        find("back").addEventListener("click", () => { stop(); show(current - 1); });
        find("next").addEventListener("click", () => { stop(); show(current + 1); });
        find("play").addEventListener("click", play);
        addEventListener("keydown", (event) => {
          if (event.key === "ArrowRight") { stop(); show(current + 1); }
          if (event.key === "ArrowLeft") { stop(); show(current - 1); }
        });
        addEventListener("hashchange", () => show(parseInt(location.hash.slice(1), 10) || 0));
        show(parseInt(location.hash.slice(1), 10) || 0);
        </script>
        </body>
        </html>

        """#
}
