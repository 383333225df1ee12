"use strict";
// The search, the choice of light or dark, and the menu of narrow screens. Everything else works without this script.
const root = document.documentElement.dataset.root ?? "";
const form = document.querySelector(".search"), field = form.querySelector("input"), list = form.querySelector("ol");
let entries = null, selected = -1;

// Called by search.js, which is loaded when the field is first used.
function waymarkIndex(index) {
  entries = index.map(([address, title, page, words]) => ({address, title, page, words, low: [title, page, words].map((text) => text.toLowerCase())}));
  show();
}

function load() {
  if (entries) return;
  entries = [];
  const script = document.createElement("script");
  script.src = `${root}search.js`;
  document.head.append(script);
}

// The rank of an entry: every word must occur; words in a title count most, and most of all at its beginning.
function rank(entry, words) {
  let sum = 0;
  for (const word of words) {
    const [title, page, text] = entry.low;
    const place = title.indexOf(word);
    if (title === word) sum += 100;
    else if (place === 0) sum += 40 - Math.min(title.length - word.length, 20);
    else if (place > 0) sum += 15;
    else if (page.includes(word)) sum += 6;
    else if (text.includes(word)) sum += 2;
    else return 0;
  }
  return sum;
}

function marked(text, words) {
  const nodes = [], pattern = new RegExp(words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|"), "gi");
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    nodes.push(text.slice(end, match.index), Object.assign(document.createElement("mark"), {textContent: match[0]}));
    end = match.index + match[0].length;
  }
  nodes.push(text.slice(end));
  return nodes;
}

function show() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  list.replaceChildren();
  selected = -1;
  list.hidden = words.length === 0;
  if (list.hidden) return;
  const found = entries.map((entry) => [rank(entry, words), entry]).filter(([sum]) => sum > 0).sort((a, b) => b[0] - a[0]).slice(0, 20);
  for (const [, entry] of found) {
    const item = document.createElement("li"), link = document.createElement("a"), title = document.createElement("b"), text = document.createElement("p");
    link.href = root + entry.address;
    title.append(...marked(entry.title, words));
    link.append(title);
    if (entry.page !== entry.title) link.append(Object.assign(document.createElement("small"), {textContent: entry.page}));
    const place = Math.max(0, Math.min(...words.map((word) => entry.low[2].indexOf(word)).filter((index) => index >= 0), entry.words.length) - 30);
    text.append(...marked((place > 0 && place < entry.words.length ? "… " + entry.words.slice(place) : entry.words).slice(0, 140), words));
    link.append(text);
    item.append(link);
    list.append(item);
  }
  if (found.length === 0) list.append(Object.assign(document.createElement("li"), {className: "empty", textContent: entries.length ? "Nothing found." : "…"}));
}

function choose(step) {
  const links = [...list.querySelectorAll("a")];
  if (links.length === 0) return;
  links[selected]?.removeAttribute("aria-selected");
  selected = (selected + step + links.length) % links.length;
  links[selected].setAttribute("aria-selected", "true");
  links[selected].scrollIntoView({block: "nearest"});
}

// An address may hold a search: index.html?q=halo.
const asked = new URLSearchParams(location.search).get("q");
if (asked) { field.value = asked; load(); }
field.addEventListener("focus", load);
field.addEventListener("input", () => { load(); show(); });
field.addEventListener("keydown", (event) => {
  if (event.key === "ArrowDown") choose(1);
  else if (event.key === "ArrowUp") choose(-1);
  else if (event.key === "Escape") { field.value = ""; show(); field.blur(); }
  else return;
  event.preventDefault();
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  const links = list.querySelectorAll("a");
  (links[selected] ?? links[0])?.click();
});
list.addEventListener("click", () => { list.hidden = true; field.blur(); });
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && !/^(INPUT|TEXTAREA)$/.test(document.activeElement.tagName)) { field.focus(); event.preventDefault(); }
});
document.addEventListener("click", (event) => { if (!form.contains(event.target)) list.hidden = true; });

document.querySelector(".scheme").addEventListener("click", () => {
  const html = document.documentElement, dark = matchMedia("(prefers-color-scheme: dark)").matches;
  html.dataset.scheme = (html.dataset.scheme ?? (dark ? "dark" : "light")) === "dark" ? "light" : "dark";
  try { localStorage.setItem("scheme", html.dataset.scheme); } catch { /* pages opened as files may have no storage */ }
});
const menu = document.querySelector(".menu");
menu.addEventListener("click", () => menu.setAttribute("aria-expanded", document.documentElement.classList.toggle("menu-open")));
document.querySelector("#navigation [aria-current]")?.scrollIntoView({block: "nearest"});

for (const block of document.querySelectorAll("pre.code")) {
  const box = Object.assign(document.createElement("div"), {className: "code-box"});
  const button = Object.assign(document.createElement("button"), {className: "copy", type: "button", textContent: "Copy"});
  block.replaceWith(box);
  box.append(block, button);
  button.addEventListener("click", async () => {
    await navigator.clipboard?.writeText(block.textContent);
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  });
}
