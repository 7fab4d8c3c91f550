
// -- the claim graph: a claim with all that it rests on, and all that rests on it

(function focusOnClaims() {
  const section = document.getElementById("graph");
  const picture = section && section.querySelector("svg.graph-picture");
  if (!picture) return;
  const scroll = section.querySelector(".graph-scroll");
  const status = document.getElementById("graph-status");
  const open = document.getElementById("graph-open");
  const everything = document.getElementById("graph-release");
  const fit = document.getElementById("graph-fit");
  const nodes = [...picture.querySelectorAll("[data-claim]")];
  const edges = [...picture.querySelectorAll("[data-from]")];
  const homes = new Map();
  for (const node of nodes) if (!homes.has(node.dataset.claim)) homes.set(node.dataset.claim, node);
  const needs = new Map();
  const serves = new Map();
  for (const { dataset: { from, to } } of edges) {
    needs.set(from, [...(needs.get(from) || []), to]);
    serves.set(to, [...(serves.get(to) || []), from]);
  }
  let chosen = null;

  /** Return all claims that are met from one by following edges, without itself. */
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

  function choose(name) {
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
    status.textContent = `${name} rests on ${count(below.size)}; ${count(above.size)} ${above.size === 1 ? "rests" : "rest"} on it.`;
    const target = homes.get(name).getAttribute("href");
    open.hidden = !target;
    if (target) { open.href = target; open.textContent = `Read ${name}`; }
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
    if (node.dataset.claim === chosen) return; // the link, then
    event.preventDefault();
    choose(node.dataset.claim);
  });

  /** Return where an arrow key leads from a claim: along the edges, or to the claim drawn before or after it. */
  function neighbour(node, key) {
    const name = node.dataset.claim;
    if (key === "ArrowRight" || key === "ArrowLeft") {
      const other = ((key === "ArrowRight" ? needs : serves).get(name) || []).find((found) => homes.get(found).hasAttribute("href"));
      return other && homes.get(other);
    }
    const links = nodes.filter((other) => other.hasAttribute("href"));
    return links[links.indexOf(node) + (key === "ArrowDown" ? 1 : -1)];
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
  fit.addEventListener("click", () => {
    const isWhole = scroll.classList.toggle("fit");
    fit.setAttribute("aria-pressed", String(isWhole));
    if (isWhole) scroll.scrollIntoView({ block: "nearest" });
  });
  for (const part of section.querySelectorAll(".graph-help, .graph-tools")) part.hidden = false;
  onFragment("graph", (query) => {
    const name = query.get("claim");
    if (!homes.has(name)) {
      release();
      if ([...query].length) status.textContent = `The link asks for a claim “${(name || "").slice(0, 40)}”, which is not in this graph.`;
      return;
    }
    choose(name);
    homes.get(name).scrollIntoView({ block: "center", inline: "center" });
  });
})();
