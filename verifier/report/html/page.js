// The page: appearance, the ledger's filters, witnesses that step. Without it, everything is there to be read.
"use strict";

/** Return the JSON of a section's data element. */
function readData(id) {
  return JSON.parse(document.getElementById(id).textContent);
}

/** Read the fragment "#SECTION?key=value&…". */
function readFragment() {
  const [section, query] = location.hash.slice(1).split("?");
  return { section, query: new URLSearchParams(query || "") };
}

/** Keep a section's state in the fragment, so that the address can be passed on; no step is added to the history. */
function writeFragment(section, query) {
  const text = query.toString();
  history.replaceState(null, "", `#${section}${text ? `?${text}` : ""}`);
}

/** Run something now and whenever the fragment is one of a section's. */
function onFragment(section, action) {
  const run = () => {
    const found = readFragment();
    if (found.section !== section) return;
    action(found.query);
    // "#SECTION?…" is the name of no element, so that the browser does not go there by itself.
    const place = document.getElementById(section);
    const { top, bottom } = place.getBoundingClientRect();
    if ([...found.query].length && (top > innerHeight || bottom < 0)) place.scrollIntoView();
  };
  window.addEventListener("hashchange", run);
  run();
}

/** Scroll to an element. What is laid out only when it is seen finds its height late: for some frames, look again. */
function goTo(target, options = {}, frames = 12) {
  goTo.target = target; // a reader who goes elsewhere meanwhile ends this
  target.scrollIntoView(options);
  requestAnimationFrame(() => { if (frames && goTo.target === target) goTo(target, options, frames - 1); });
}

/** Return a new element with attributes and children. */
function make(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

// -- appearance

(function chooseTheme() {
  const select = document.getElementById("theme");
  const root = document.documentElement;
  const store = (value) => { try { localStorage.setItem("verifier-theme", value); } catch { /* not kept, then */ } };
  const show = (value) => { if (value === "auto") delete root.dataset.theme; else root.dataset.theme = value; };
  let kept = null;
  try { kept = localStorage.getItem("verifier-theme"); } catch { /* as the system, then */ }
  if (kept === "light" || kept === "dark") { select.value = kept; show(kept); }
  select.addEventListener("change", () => { show(select.value); store(select.value); });
  select.parentElement.hidden = false;
})();

// -- the ledger

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
  const none = make("p", { class: "ledger-empty screen-only", hidden: "" }, "No claim matches what is chosen above. ", again);
  table.after(none);
  let trouble = "";

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
    count.textContent = `${shown} of ${rows.length} claim${rows.length === 1 ? "" : "s"}${trouble && `. ${trouble}`}`;
  }

  function keep() {
    const query = new URLSearchParams();
    for (const [name, value] of new FormData(form)) if (value) query.set(name, value);
    writeFragment("ledger", query);
  }

  for (const name of ["input", "change"]) form.addEventListener(name, () => { trouble = ""; apply(); keep(); });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(() => { trouble = ""; apply(); keep(); }));
  onFragment("ledger", (query) => {
    const odd = [...query.keys()].filter((name) => name !== "q" && !fields.includes(name));
    form.elements.q.value = query.get("q") || "";
    for (const name of fields) {
      form.elements[name].value = query.get(name) || "";
      if (form.elements[name].selectedIndex < 0) {
        form.elements[name].value = "";
        odd.push(`${name}=${query.get(name)}`);
      }
    }
    trouble = odd.length ? `The link also asks for “${odd.join("”, “").slice(0, 80)}”, which means nothing here.` : "";
    apply();
    if ([...query].length) document.getElementById("ledger").scrollIntoView();
  });
  form.hidden = false;
  apply();
})();

// -- witnesses

/** Give a witness buttons, a slider and arrow keys that step through its positions. */
function addStepper(figure) {
  const holder = figure.querySelector(".stepper");
  if (!holder) return;
  const board = figure.querySelector(".after .board");
  const label = figure.querySelector(".after .when");
  const steps = JSON.parse(figure.dataset.steps).map(readStep);
  const finalWords = label.textContent;
  const last = steps.length - 1;
  let current = last, drawn = last;

  const slider = make("input", { type: "range", min: 0, max: last, value: last, "aria-label": "Step of the witness" });
  const output = make("output", { "aria-live": "polite" });
  const button = (sign, name, target) => {
    const made = make("button", { type: "button", "aria-label": name, title: name }, sign);
    made.addEventListener("click", () => show(target()));
    return made;
  };
  const first = button("|◀", "To the start", () => 0);
  const back = button("◀", "One step back", () => current - 1);
  const forward = button("▶", "One step forward", () => current + 1);
  const end = button("▶|", "To the end", () => last);
  const moves = [...figure.querySelectorAll(".move")].map((move, index) => {
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
    output.textContent = `Step ${current} of ${last}: ${move ? `${move} played; ` : ""}${words}`;
    label.textContent = current === last ? finalWords : current ? `after ${move}` : "at the start";
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

document.querySelectorAll(".witness").forEach(addStepper);

// -- links into what is folded, and where the reader is

(function followLinks() {
  const contents = document.querySelector(".contents > details"), isNarrow = matchMedia("(max-width: 64rem)");
  const fold = () => { contents.open = !isNarrow.matches; };
  fold();
  isNarrow.addEventListener("change", fold);
  let isFollowed = false;
  document.addEventListener("click", (event) => {
    goTo.target = null;
    isFollowed = Boolean(event.target.closest('a[href^="#"]'));
  }, { capture: true });
  const reveal = () => {
    const target = document.getElementById(readFragment().section);
    goTo.target = null;
    if (!target) return;
    // The browser may have opened what is folded by itself. Back and forward restore the place, and are left alone.
    let isSought = isFollowed;
    isFollowed = false;
    for (let part = target.closest("details"); part; part = part.parentElement.closest("details")) {
      isSought = isSought || !part.open;
      part.open = true;
    }
    if (isSought) goTo(target);
  };
  window.addEventListener("hashchange", reveal);
  contents.addEventListener("click", (event) => { if (event.target.closest("a")) fold(); });
  const links = new Map([...contents.querySelectorAll("ol > li > a")].map((link) => [link.hash.slice(1), link]));
  const seen = new IntersectionObserver((entries) => entries.filter((entry) => entry.isIntersecting).forEach(({ target }) => {
    links.forEach((link) => link.removeAttribute("aria-current"));
    links.get(target.id)?.setAttribute("aria-current", "true");
    const chapter = target.closest(".chapter");
    contents.querySelectorAll("[data-chapter]").forEach((part) => { part.open = part.dataset.chapter === chapter?.id; });
  }), { rootMargin: "-10% 0% -80% 0%" });
  document.querySelectorAll(".masthead, .section:not(#claims), .claim").forEach((part) => seen.observe(part));
  window.addEventListener("load", () => {
    reveal();
    const target = document.getElementById(readFragment().section);
    if (target) goTo(target);
  });
})();

// -- the ledger's order: the documents' own, or by a column

(function sortLedger() {
  const table = document.getElementById("ledger-table");
  if (!table) return;
  const rows = [...table.tBodies[0].rows];
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    const button = make("button", { type: "button", title: "Sort by this; once more: in the order of the documents" }, head.textContent);
    button.addEventListener("click", () => {
      const isSorted = head.hasAttribute("aria-sort");
      [...table.tHead.rows[0].cells].forEach((other) => other.removeAttribute("aria-sort"));
      if (!isSorted) head.setAttribute("aria-sort", "ascending");
      const texts = new Map(rows.map((row) => [row, row.cells[column].textContent.trim()]));
      const order = new Intl.Collator("en").compare;
      table.tBodies[0].append(...(isSorted ? rows : [...rows].sort((a, b) => order(texts.get(a), texts.get(b)))));
    });
    head.replaceChildren(button);
  });
})();

// -- print: a short edition, or all of it, with what is folded

(function printWhole() {
  const button = document.getElementById("print-whole");
  button.addEventListener("click", () => {
    document.documentElement.dataset.print = "all";
    document.querySelectorAll("details").forEach((part) => { part.open = true; });
    print();
    delete document.documentElement.dataset.print;
  });
  button.hidden = false;
})();
