
// -- the claim graph: shows a claim with all claims that it rests on, and all claims that rest on it

(function focusOnClaims() {
  const section = document.getElementById("graph");
  const picture = section && section.querySelector("svg.graph-picture");
  if (!picture) return;
  const scroll = section.querySelector(".graph-scroll");
  const status = document.getElementById("graph-status");
  const open = document.getElementById("graph-open");
  const everything = document.getElementById("graph-release");
  const select = document.getElementById("graph-document");
  const [legend, ...panels] = [...picture.querySelectorAll("g[role]")];
  const nodes = [...picture.querySelectorAll("[data-claim]")];
  const edges = [...picture.querySelectorAll("[data-from]")];
  const homes = new Map();
  for (const node of nodes) {
    for (const name of [node.dataset.claim, ...(node.dataset.members || "").split(" ")]) {
      if (!homes.has(name) || !node.matches(".guest")) homes.set(name, node);
    }
  }
  const needs = new Map();
  const serves = new Map();
  for (const { dataset: { from, to } } of edges) {
    needs.set(from, [...(needs.get(from) || []), to]);
    serves.set(to, [...(serves.get(to) || []), from]);
  }
  let chosen = null;

  // Shows one document with the legend above it, at a size that can be read; or all documents, fitted into the window.
  const LEGIBLE = .72;
  const whole = [0, 0, ...["width", "height"].map((side) => Number(picture.getAttribute(side)))];
  const boxes = panels.map((panel) => {
    const { e, f } = panel.parentNode.transform.baseVal[0].matrix;
    return [e, f, ...["width", "height"].map((side) => Number(panel.querySelector(".panel").getAttribute(side)))];
  });
  const head = Math.min(...boxes.map(([, y]) => y));
  const least = legend.getBBox().width + 24;
  select.append(...panels.map((panel) => make("option", { value: panel.dataset.document }, panel.getAttribute("aria-label"))),
    make("option", { value: "" }, "every document, in the window"));
  function frame(name) {
    const at = panels.findIndex((panel) => panel.dataset.document === name);
    const [x, y, width, height] = at < 0 ? whole : boxes[at];
    const box = at < 0 ? whole : [x, y - head, Math.max(width, least), height + head];
    panels.forEach((panel, index) => { panel.style.display = at < 0 || index === at ? "" : "none"; });
    legend.setAttribute("transform", at < 0 ? "" : `translate(${x} ${y - head})`);
    picture.setAttribute("viewBox", box.join(" "));
    for (const [index, side] of ["width", "height"].entries()) picture.setAttribute(side, box[index + 2]);
    picture.style.minWidth = at < 0 ? "" : `${LEGIBLE * box[2]}px`;
    scroll.classList.toggle("fit", at < 0);
    select.value = name;
  }

  /** Return all claims that can be reached from a claim along edges, without the claim itself. */
  function reach(start, next) {
    const met = new Set();
    const left = [start];
    while (left.length) {
      for (const name of next.get(left.pop()) || []) {
        if (!met.has(name)) { met.add(name); left.push(name); }
      }
    }
    return met;
  }

  const count = (number) => (number === 1 ? "1 claim" : `${number} claims`);

  function choose(wanted) {
    const name = homes.get(wanted).dataset.claim;
    const below = reach(name, needs);
    const above = reach(name, serves);
    const isBelow = (other) => other === name || below.has(other);
    const isAbove = (other) => other === name || above.has(other);
    chosen = name;
    picture.classList.add("focused");
    for (const node of nodes) {
      const other = node.dataset.claim;
      node.classList.toggle("lit", isBelow(other) || isAbove(other));
      node.classList.toggle("chosen", other === name);
      if (other === name) node.setAttribute("aria-current", "true"); else node.removeAttribute("aria-current");
    }
    for (const edge of edges) {
      const { from, to } = edge.dataset;
      edge.classList.toggle("lit", (isBelow(from) && isBelow(to)) || (isAbove(from) && isAbove(to)));
    }
    status.textContent = `${homes.get(name).querySelector("text").parentNode.getAttribute("aria-label")?.split(" – ")[0] || name} rests on ${count(below.size)}; ${count(above.size)} ${above.size === 1 ? "rests" : "rest"} on it.`;
    const target = homes.get(name).getAttribute("href");
    open.hidden = !target;
    if (target) { open.href = target; open.textContent = "Read it"; }
    everything.disabled = false;
    writeFragment("graph", new URLSearchParams({ claim: name }));
  }

  function release() {
    if (chosen === null) return;
    chosen = null;
    picture.classList.remove("focused");
    for (const element of [...nodes, ...edges]) element.classList.remove("lit", "chosen");
    for (const node of nodes) node.removeAttribute("aria-current");
    status.textContent = "";
    open.hidden = true;
    everything.disabled = true;
    writeFragment("graph", new URLSearchParams());
  }

  picture.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const node = event.target.closest("[data-claim]");
    if (!node) { release(); return; }
    if (node.dataset.claim === chosen) return; // then the browser follows the link
    event.preventDefault();
    choose(node.dataset.claim);
  });

  /** Return where an arrow key leads from a claim: along the edges, or to the claim drawn before or after it. */
  function neighbour(node, key) {
    const links = nodes.filter((other) => other.hasAttribute("href") && other.getClientRects().length);
    if (key === "ArrowDown" || key === "ArrowUp") return links[links.indexOf(node) + (key === "ArrowDown" ? 1 : -1)];
    const names = (key === "ArrowRight" ? needs : serves).get(node.dataset.claim) || [];
    return links.find((other) => names.includes(other.dataset.claim));
  }

  section.addEventListener("keydown", (event) => {
    if (event.key === "Escape") { release(); return; }
    const node = event.target.closest("[data-claim]");
    if (!node || !["ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp"].includes(event.key)) return;
    const other = neighbour(node, event.key);
    event.preventDefault();
    if (other) { other.focus(); other.scrollIntoView({ block: "nearest", inline: "nearest" }); }
  });

  everything.addEventListener("click", release);
  select.addEventListener("change", () => {
    frame(select.value);
    scroll.scrollIntoView({ block: "nearest" });
  });
  frame(panels[0].dataset.document);
  for (const part of section.querySelectorAll(".graph-help, .graph-tools")) part.hidden = false;
  onFragment("graph", (query) => {
    const name = query.get("claim");
    if (!homes.has(name)) {
      release();
      if ([...query].length) status.textContent = `The link asks for a claim “${(name || "").slice(0, 40)}”, which is not in this graph.`;
      return;
    }
    frame(homes.get(name).closest("[data-document]").dataset.document);
    choose(name);
    homes.get(name).scrollIntoView({ block: "center", inline: "center" });
  });
})();
