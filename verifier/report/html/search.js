// Search of the titles while the reader types. TITLES is from titles.py.
"use strict";

(function searchTitles() {
  const MOST = 8;
  const form = document.getElementById("find"), input = form.elements.q;
  const list = document.getElementById("find-found"), said = document.getElementById("find-said");
  const plain = (text) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ").trim();
  const texts = TITLES.map(({ id, title, label }) => [id, label, title].map(plain));
  let options = [], chosen = -1;

  /** Return how well the parts of an entry fit what is typed: 0 is best, and Infinity does not fit. */
  function rank(parts, typed) {
    const text = ` ${parts.join(" ")}`, words = typed.split(" ");
    if (parts.includes(typed)) return 0;
    if (parts.some((part) => part.startsWith(typed))) return 1;
    if (text.includes(` ${typed}`)) return 2;
    if (words.every((word) => text.includes(` ${word}`))) return 3;
    return words.every((word) => text.includes(word)) ? 4 : Infinity;
  }

  function choose(index) {
    chosen = index;
    options.forEach((option, at) => option.setAttribute("aria-selected", String(at === index)));
    if (index < 0) input.removeAttribute("aria-activedescendant"); else input.setAttribute("aria-activedescendant", options[index].id);
    options[index]?.scrollIntoView({ block: "nearest" });
  }

  function close() {
    options = [];
    choose(-1);
    list.replaceChildren();
    list.hidden = true;
    said.textContent = "";
    input.setAttribute("aria-expanded", "false");
  }

  function find() {
    close();
    const typed = plain(input.value);
    if (!typed) return;
    const ranked = texts.map((parts, at) => ({ at, rank: rank(parts, typed) })).filter(({ rank: found }) => found < Infinity);
    ranked.sort((one, other) => one.rank - other.rank || one.at - other.at);
    options = ranked.slice(0, MOST).map(({ at }, index) => {
      const { id, href, title, label, document: from, standing } = TITLES[at];
      const sign = standing ? make("span", { class: `verdict ${standing.replaceAll(" ", "-")}`, role: "img", "aria-label": standing }) : "";
      const place = standing ? `${from}, ${label}, ${id}` : `document ${id}`;
      return make("a", { role: "option", id: `find-${index}`, href, tabindex: "-1", "aria-selected": "false" }, sign, " ", title, make("span", { class: "id" }, place));
    });
    list.replaceChildren(...options);
    list.hidden = !options.length;
    input.setAttribute("aria-expanded", String(options.length > 0));
    const count = ranked.length;
    const fit = count ? `${count} title${count === 1 ? " fits" : "s fit"}${count > MOST ? `, the first ${MOST} are shown` : ""}` : "No title fits";
    said.textContent = `${fit}. Enter searches what the claims say as well.`;
  }

  input.addEventListener("input", find);
  input.addEventListener("focus", find);
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && chosen >= 0) {
      event.preventDefault();
      options[chosen].click();
    } else if (event.key === "Escape" && options.length) {
      event.preventDefault(); // the next Escape clears the field
      close();
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (!options.length) find();
      const step = event.key === "ArrowDown" ? 1 : -1, count = options.length + 1;
      choose((chosen + 1 + step + count) % count - 1);
    }
  });
  list.addEventListener("mousedown", (event) => event.preventDefault()); // the field keeps the focus until the click
  list.addEventListener("click", () => setTimeout(close));
  form.addEventListener("focusout", (event) => { if (!form.contains(event.relatedTarget)) close(); });
  form.addEventListener("submit", close);
})();
