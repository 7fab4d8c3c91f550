// The page: filters of the ledger, buttons at witnesses. Without this script, pages of a site and small reports can still be read.
"use strict";

/** Return the JSON of a section's data element. */
function readData(id) {
  return JSON.parse(document.getElementById(id).textContent);
}

/** Return the bytes of a text in Base64. */
const readBytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

/** Return a Response with the data that Python has compressed and written in Base64. */
const inflate = (packed) => new Response(new Blob([readBytes(packed)]).stream().pipeThrough(new DecompressionStream("deflate")));

/** Read the fragment "#SECTION?key=value&…". */
function readFragment() {
  const [section, query] = location.hash.slice(1).split("?");
  return { section, query: new URLSearchParams(query || "") };
}

/** Copy an address on this page. If the browser forbids this, show the address, to be copied by hand. */
async function copyAddress(address, element) {
  const { href } = new URL(address, location.href);
  try {
    await navigator.clipboard.writeText(href);
    element("copied").textContent = "Copied: the link leads to this position.";
  } catch {
    element("copied").textContent = "Copy this address:";
    element("link").value = href;
    element("link").hidden = false;
    element("link").select();
  }
}

/** Keep a section's state in the fragment, so that people can share the address. This adds no step to the history. */
function writeFragment(section, query) {
  const text = query.toString();
  history.replaceState(null, "", `#${section}${text ? `?${text}` : ""}`);
}

/** Add a state of a section to the history. The browser's Back leads to the state before, and does not scroll. */
function pushFragment(section, before, after) {
  if (before === after) return;
  history.replaceState({ stay: true }, "", `#${section}?${before}`);
  history.pushState({ stay: true }, "", `#${section}?${after}`);
}

/** Run an action if the fragment belongs to a section: now, and after each change of the fragment. */
function onFragment(section, action) {
  const run = () => {
    const found = readFragment();
    if (found.section !== section) return;
    action(found.query);
    // No element has the name "#SECTION?…", so the browser does not scroll there by itself.
    const place = document.getElementById(section);
    const { top, bottom } = place.getBoundingClientRect();
    if ([...found.query].length && (top > innerHeight || bottom < 0)) place.scrollIntoView();
  };
  window.addEventListener("hashchange", run);
  run();
}

/** Return what the reader chose on an earlier page; null if nothing is kept, or if the browser keeps nothing for this page. */
function recallChoice(name) {
  try { return localStorage.getItem(name); } catch { return null; }
}

function keepChoice(name, value) {
  try { localStorage.setItem(name, value); } catch { /* the choice is lost when the reader leaves this page */ }
}

/** Write a move as papers do: (4, 0) for spot 0 of field 4. In addresses it is 4.0. */
const inPair = (move) => move.replace(/^(\d+)[.,](\d+)$/, "($1, $2)");

/** Return a new element with attributes and children. */
function make(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

// -- the ledger

(function findClaims() {
  const form = document.getElementById("find");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    location.assign(`${form.dataset.index}#ledger?${new URLSearchParams(new FormData(form))}`);
  });
  form.hidden = false;
})();

(function filterLedger() {
  const form = document.getElementById("filters");
  if (!form) return;
  const rows = [...document.querySelectorAll("#ledger-table tbody tr")];
  const texts = rows.map((row) => row.textContent.toLowerCase());
  const count = document.getElementById("filter-count");
  const fields = ["document", "by", "standing", "verdict", "method", "trust"];
  const table = document.getElementById("ledger-table");
  const again = make("button", { type: "button" }, "Show every claim");
  again.addEventListener("click", () => { form.reset(); form.elements.q.focus(); });
  const none = make("p", { class: "ledger-empty screen-only", hidden: "" }, "No claim matches the choices above. ", again);
  table.after(none);

  function apply() {
    const values = new FormData(form);
    const words = String(values.get("q") || "").toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    rows.forEach((row, index) => {
      const fits = fields.every((name) => {
        const wanted = values.get(name);
        return !wanted || row.dataset[name].split("|").includes(wanted);
      }) && words.every((word) => texts[index].includes(word));
      row.hidden = !fits;
      shown += fits ? 1 : 0;
    });
    table.hidden = !shown;
    none.hidden = shown > 0;
    count.textContent = `${shown} of ${rows.length} claim${rows.length === 1 ? "" : "s"}`;
  }

  function keep() {
    const query = new URLSearchParams();
    for (const [name, value] of new FormData(form)) if (value) query.set(name, value);
    writeFragment("ledger", query);
  }

  for (const name of ["input", "change"]) form.addEventListener(name, () => { apply(); keep(); });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(() => { apply(); keep(); }));
  onFragment("ledger", (query) => {
    form.elements.q.value = query.get("q") || "";
    for (const name of fields) {
      form.elements[name].value = query.get(name) || "";
      if (form.elements[name].selectedIndex < 0) form.elements[name].value = "";
    }
    apply();
    if ([...query].length) document.getElementById("ledger").scrollIntoView();
  });
  form.hidden = false;
  apply();
})();

// -- witnesses

/** Put a witness on a board that can show every step, with the numbers of its marks. Return the board. */
function openBoard(figure) {
  const still = figure.querySelector(".after .board");
  const blank = document.getElementById(`blank-${figure.dataset.blank}`);
  if (!blank) return still;
  const board = blank.content.firstElementChild.cloneNode(true);
  board.setAttribute("class", still.getAttribute("class"));
  if (still.matches(".numbered")) {
    const first = figure.querySelector(".moves").start;
    const numbers = readSteps(figure.dataset.steps).slice(1).map(({ last }, index) => {
      if (!board.querySelector(`[data-cell="${last}"]`)) return ""; // a move that is not the name of a spot
      const { x, y } = placeOf(board, last);
      return `<text class="ply" data-ply="${last}" x="${x}" y="${y + 4}">${first + index}</text>`;
    });
    board.insertAdjacentHTML("beforeend", `<g class="plies">${numbers.join("")}</g>`);
  }
  if (still.querySelector(".asked")) board.append(still.querySelector(".asked"));
  still.replaceWith(board);
  return board;
}

/** Give a witness buttons, a slider and arrow keys that step through its positions. */
function addStepper(figure) {
  const holder = figure.querySelector(".stepper");
  if (!holder) return;
  const board = openBoard(figure);
  const label = figure.querySelector(".after .when");
  const steps = readSteps(figure.dataset.steps);
  const finalWords = label.textContent;
  const last = steps.length - 1;
  let current = last, drawn = -1;

  const slider = make("input", { type: "range", min: 0, max: last, value: last, "aria-label": "Step of the witness" });
  const output = make("output", { "aria-live": "polite" });
  const button = (sign, name, target) => {
    const made = make("button", { type: "button", "aria-label": name, title: name }, sign);
    made.addEventListener("click", () => show(target()));
    return made;
  };
  const first = button("|◀ Start", "To the start", () => 0);
  const back = button("◀", "One step back", () => current - 1);
  const forward = button("▶", "One step forward", () => current + 1);
  const end = button("▶|", "To the end", () => last);
  const moves = [...figure.querySelectorAll(".moves li")].map((move, index) => {
    const made = make("button", { type: "button" }, move.textContent);
    made.addEventListener("click", () => show(index + 1));
    move.replaceChildren(made);
    return made;
  });

  function show(step) {
    current = Math.max(0, Math.min(last, step));
    const { words, last: move } = steps[current];
    if (current !== drawn) setBoard(board, steps[current], words);
    drawn = current;
    slider.value = current;
    slider.setAttribute("aria-valuetext", words);
    output.textContent = `Step ${current} of ${last}${current === last ? ", the last" : ""}: ${move ? `${inPair(move)} played; ` : ""}${words}`;
    label.textContent = current === last ? finalWords : current ? `after ${inPair(move)}` : "at the start";
    const focused = document.activeElement;
    first.disabled = back.disabled = current === 0;
    forward.disabled = end.disabled = current === last;
    if (focused === first || focused === back) { if (!current) forward.focus(); }
    if (focused === end || focused === forward) { if (current === last) back.focus(); }
    moves.forEach((made, index) => {
      if (index + 1 === current) made.setAttribute("aria-current", "step"); else made.removeAttribute("aria-current");
    });
  }

  slider.addEventListener("input", () => show(Number(slider.value)));
  figure.addEventListener("keydown", (event) => {
    if (event.target === slider || event.altKey || event.ctrlKey || event.metaKey) return;
    const target = { ArrowLeft: current - 1, ArrowRight: current + 1, Home: 0, End: last }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    show(target);
  });
  holder.setAttribute("role", "group");
  holder.setAttribute("aria-label", "Step through the witness");
  holder.append(first, back, slider, forward, end, output);
  holder.hidden = false;
  window.addEventListener("beforeprint", () => show(last));
  show(last);
}

// -- strategy trees

/**
 * Unpack the picture of a strategy tree. If the explorer has the plays of the tree, each box is a link to the first position of the box. Where the picture
 * names a rule, the words of the rule are shown on hover.
 */
async function drawPicture(target) {
  const { picture } = target.dataset;
  if (picture === undefined) return;
  const open = target.parentNode.querySelector(".tree-open");
  target.innerHTML = await inflate(picture).text();
  delete target.dataset.picture;
  const drawn = (name, attributes, text = "") => {
    const made = document.createElementNS(target.firstElementChild.namespaceURI, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.textContent = text;
    return made;
  };
  for (const rule of target.parentNode.querySelectorAll(".rule-words dt")) {
    const words = [...target.querySelectorAll(".node text")].filter((text) => text.textContent.endsWith(`“${rule.textContent}”`));
    words.forEach((text) => text.append(drawn("title", {}, rule.nextElementSibling.textContent)));
  }
  for (const box of open ? target.querySelectorAll("[data-line]") : []) {
    const moves = box.dataset.line.replaceAll(" ", "-");
    const link = drawn("a", { href: open.getAttribute("href") + (moves && `&moves=${moves}`) });
    box.replaceWith(link);
    link.append(box);
    const { x, y, width, height } = box.querySelector("path").getBBox();
    link.append(drawn("text", { class: "opens", x: x + width / 2, y: y + height }, box.classList.contains("end") ? "A shortest such play ▸" : "Go through it ▸"));
  }
  stackBoxes(target);
}

/** Return the left, upper, right and lower edge of a box of a picture. */
function edgesOf(box) {
  const numbers = box.querySelector("path").getAttribute("d").match(/-?[\d.]+/g).map(Number);
  const [across, down] = [0, 1].map((odd) => numbers.filter((_, at) => at % 2 === odd));
  return [Math.min(...across), Math.min(...down), Math.max(...across), Math.max(...down)];
}

/**
 * If a picture has its boxes in a row, and is wider than its place, show each box for itself, in readable letters: in
 * columns or, on a small screen, below each other. What an arrow says is above the box to which the arrow leads.
 */
function stackBoxes(target) {
  const [svg] = target.children;
  const boxes = [...svg.querySelectorAll("[data-node]")].map((box) => ({ box, edges: edgesOf(box) })).sort((one, other) => one.edges[0] - other.edges[0]);
  if (boxes.length < 2 || boxes.some(({ edges }, at) => at && edges[0] < boxes[at - 1].edges[2])) return;
  const arrows = [...svg.querySelectorAll(".words")].map((label) => ({
    ways: label.querySelector("title").textContent.split(": ")[0].split(" → "),
    words: [...label.querySelectorAll("text")].map((line) => line.firstChild.data).join(" "),
  }));
  const stack = make("div", { class: "tree-stack" });
  boxes.forEach(({ box, edges: [left, top, right, bottom] }, at) => {
    const { node } = box.dataset, before = at && boxes[at - 1].box.dataset.node;
    const into = arrows.filter(({ ways }) => ways[1] === node).map(({ ways, words }) => make("p", {}, `${ways[0] === before ? "" : `from “${ways[0].replace(/^(phase|rule) /, "")}”: `}${words}`));
    const one = svg.cloneNode();
    const [width, height] = [right - left + 4, bottom - top + 14];
    for (const [key, value] of Object.entries({ viewBox: `${left - 2} ${top - 2} ${width} ${height}`, width, height, "aria-label": box.querySelector("title").textContent })) one.setAttribute(key, value);
    one.removeAttribute("data-cuts");
    one.style.maxWidth = `${1.35 * width}px`;
    one.append((box.closest("a") || box).cloneNode(true));
    stack.append(make("div", {}, make("div", {}, ...into), one));
  });
  stack.style.setProperty("--box", `${Math.max(...boxes.map(({ edges }) => edges[2] - edges[0])) + 4}px`);
  target.append(stack);
  new ResizeObserver(() => target.classList.toggle("stacked", target.clientWidth < svg.getAttribute("width"))).observe(target);
}

const SHEET = 880, PART = 440; // the height of a sheet of paper, in pixels, and of a part that fits below a heading or a text

/** For print, cut a picture that is taller than a sheet into parts. The cuts are between its boxes. */
function cutPicture(svg) {
  const [width, height] = ["width", "height"].map((name) => Number(svg.getAttribute(name)));
  if (height <= SHEET) return;
  const ends = [...svg.dataset.cuts.split(" ").map(Number), height], parts = [0];
  ends.forEach((end, index) => {
    const next = ends[index + 1] || end, last = parts[parts.length - 1];
    if (end === height || next - last > PART) parts.push(end);
  });
  const made = parts.slice(1).map((end, index) => {
    const part = svg.cloneNode(true);
    part.setAttribute("viewBox", `0 ${parts[index]} ${width} ${end - parts[index]}`);
    part.setAttribute("height", end - parts[index]);
    return part;
  });
  svg.after(make("div", { class: "tree-parts" }, ...made));
}
window.addEventListener("beforeprint", () => document.querySelectorAll(".tree-scroll > svg[data-cuts]").forEach(cutPicture));
window.addEventListener("afterprint", () => document.querySelectorAll(".tree-parts").forEach((parts) => parts.remove()));

// A page with many pictures unpacks each when the reader comes near. A page of a site has few, and may be printed at once.
const pictures = new IntersectionObserver((entries) => entries.filter((entry) => entry.isIntersecting).forEach(({ target }) => {
  pictures.unobserve(target);
  drawPicture(target);
}), { rootMargin: "400px" });
const isSite = !document.getElementById("claims");

// -- links into folded parts, and the place of the reader

const seen = new IntersectionObserver((entries) => entries.filter((entry) => entry.isIntersecting).forEach(({ target }) => {
  const contents = document.querySelector(".contents");
  contents.querySelectorAll("[aria-current]").forEach((link) => link.removeAttribute("aria-current"));
  const link = contents.querySelector(`ol > li > a[href="#${target.id}"]`);
  link?.setAttribute("aria-current", "true");
  contents.querySelectorAll("[data-chapter]").forEach((part) => { part.open = part.contains(link); });
  const box = contents.getBoundingClientRect(), at = link?.getBoundingClientRect();
  if (at?.height && (at.top < box.top || at.bottom > box.bottom)) contents.scrollTop += at.top - box.top - box.height / 3;
}), { rootMargin: "-10% 0% -80% 0%" });

/** Add the buttons to the witnesses in a part of the page, and observe its sections. */
function wake(part) {
  part.querySelectorAll(".witness").forEach(addStepper);
  part.querySelectorAll("[data-picture]").forEach((each) => { if (isSite) drawPicture(each); else pictures.observe(each); });
  part.querySelectorAll(".masthead, .section:not(#claims), .claim").forEach((each) => seen.observe(each));
}

/** Unpack the claims, if the page has so many that they are packed. The promise is fulfilled when all claims are text. */
const unpacked = Promise.all([...document.querySelectorAll("[data-packed]")].map(async (part) => {
  part.textContent = await inflate(part.dataset.packed).text();
  delete part.dataset.packed;
  if (part.parentNode.open) fill(part.parentNode);
}));

/** Lay out the content of a folded part. Until the part is opened, the content is text in "noscript", which the browser does not lay out. */
function fill(part) {
  const text = part.querySelector(":scope > noscript:not([data-packed])");
  if (!text) return;
  const made = make("div");
  made.innerHTML = text.textContent;
  text.replaceWith(...made.childNodes);
  wake(part);
}

/** Return the element with a name, after opening all folded parts around it. */
function unfold(name) {
  if (!name) return null;
  const isIn = (part) => part.textContent.includes(` id="${name}"`);
  if (!document.getElementById(name)) [...document.querySelectorAll("noscript")].filter(isIn).forEach((part) => fill(part.parentNode));
  const target = document.getElementById(name);
  for (let part = target?.closest("details"); part; part = part.parentElement.closest("details")) {
    fill(part);
    part.open = true;
  }
  return target;
}

(function followLinks() {
  const contents = document.querySelector(".contents > details"), isNarrow = matchMedia("(max-width: 64rem)");
  // A narrow window begins with folded contents. Beside the text, they are as the reader left them on any page of the site.
  const fold = () => { contents.open = !isNarrow.matches && recallChoice("contents") !== "folded"; };
  fold();
  contents.parentNode.classList.add("foldable");
  isNarrow.addEventListener("change", fold);
  contents.firstElementChild.addEventListener("click", () => { if (!isNarrow.matches) keepChoice("contents", contents.open ? "folded" : "open"); });
  contents.addEventListener("click", (event) => { if (event.target.closest("a")) fold(); });
  contents.addEventListener("submit", fold);
  document.addEventListener("toggle", (event) => { if (event.target.open) fill(event.target); }, { capture: true });
  // A link may open a folded part above itself. So the history keeps an element near the link, and its place on the screen, for the way back.
  document.addEventListener("click", (event) => {
    const link = event.target.closest('a[href^="#"]');
    const name = link && link.hash.slice(1).split("?")[0];
    if (!name) return;
    const near = event.target.closest("main [id]");
    if (near) history.replaceState({ near: near.id, top: near.getBoundingClientRect().top }, "");
    unfold(name);
  }, { capture: true });
  window.addEventListener("popstate", ({ state }) => {
    if (state?.stay) return;
    const near = state && unfold(state.near);
    if (near) requestAnimationFrame(() => scrollBy(0, near.getBoundingClientRect().top - state.top));
    else unfold(readFragment().section)?.scrollIntoView();
  });
  wake(document);
  window.addEventListener("load", () => unpacked.then(() => unfold(readFragment().section)?.scrollIntoView()));
})();

// -- print: a short edition, or the whole page with all folded parts

(function printWhole() {
  const button = document.getElementById("print-whole");
  if (!button || isSite) return; // a page of a site prints all that it has
  button.addEventListener("click", async () => {
    document.documentElement.dataset.print = "all";
    document.querySelectorAll("details").forEach((part) => { fill(part); part.open = true; });
    await Promise.all([...document.querySelectorAll("[data-picture]")].map(drawPicture));
    print();
    delete document.documentElement.dataset.print;
  });
  button.parentNode.hidden = false;
})();
