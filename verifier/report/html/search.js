// Search of titles, names and authors while the reader types. It forgives one wrong letter in a word. TITLES is from
// titles.py.
"use strict";

(function searchTitles() {
  const MOST = 8;
  const form = document.getElementById("find"), input = form.elements.q;
  const list = document.getElementById("find-found"), said = document.getElementById("find-said");
  const plain = (text) => text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "").replace(/[^\p{L}\p{N}]+/gu, " ").trim();
  const texts = TITLES.map(({ id, title, label, document: from, also }) => ({
    parts: [id, label, title].map(plain), more: plain(`${from ?? ""} ${also ?? ""}`),
  }));
  let options = [], chosen = -1;

  /** Return how well the parts of an entry fit what is typed: 0 is best, and Infinity means that they do not fit. */
  function rank({ parts, more }, typed) {
    const text = ` ${parts.join(" ")} ${more}`, words = typed.split(" ");
    if (parts.includes(typed)) return 0;
    if (parts.some((part) => part.startsWith(typed))) return 1;
    if (text.includes(` ${typed}`)) return 2;
    if (words.every((word) => text.includes(` ${word}`))) return 3;
    return words.every((word) => text.includes(word)) ? 4 : Infinity;
  }

  /** Say whether a typed word begins a word of an entry, except for one slip: a wrong, missing or extra letter, or two swapped letters. */
  function isNear(typed, word) {
    let same = 0;
    while (same < typed.length && typed[same] === word[same]) same += 1;
    const rest = typed.slice(same), left = word.slice(same);
    return left.startsWith(rest) || left.startsWith(rest.slice(1)) || left.slice(1).startsWith(rest) || left.slice(1).startsWith(rest.slice(1))
      || (rest.length > 1 && left[0] === rest[1] && left[1] === rest[0] && left.slice(2).startsWith(rest.slice(2)));
  }

  /** The same as rank, but long words may have one slip. Return 5 if each typed word fits the beginning of a word in the id or label, and 6 if some fit only a word of the title, the document or the other words. */
  function rankNear({ parts, more }, typed) {
    const fitIn = (text) => typed.split(" ").every((one) => text.split(" ").some((word) => (one.length > 3 ? isNear(one, word) : word.startsWith(one))));
    if (fitIn(parts.slice(0, 2).join(" "))) return 5;
    return fitIn(`${parts.join(" ")} ${more}`) ? 6 : Infinity;
  }

  function findRanked(typed, how) {
    const ranked = texts.map((entry, at) => ({ at, rank: how(entry, typed) })).filter(({ rank: found }) => found < Infinity);
    return ranked.sort((one, other) => one.rank - other.rank || one.at - other.at);
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
    const exact = findRanked(typed, rank), ranked = exact.length ? exact : findRanked(typed, rankNear);
    options = ranked.slice(0, MOST).map(({ at }, index) => {
      const { id, href, title, label, document: from, standing, kept, also } = TITLES[at];
      const sign = standing ? make("span", { class: `verdict ${standing.replaceAll(" ", "-")}${kept ? " kept" : ""}`, role: "img", "aria-label": standing }) : "";
      const place = standing ? `${from}, ${label}, ${id}` : label === "Document" ? `document ${id}${also ? `, by ${also}` : ""}` : label;
      return make("a", { role: "option", id: `find-${index}`, href, tabindex: "-1", "aria-selected": "false" }, sign, " ", title, make("span", { class: "id" }, place));
    });
    list.replaceChildren(...options);
    list.hidden = !options.length;
    input.setAttribute("aria-expanded", String(options.length > 0));
    const count = ranked.length;
    const like = exact.length ? "" : " nearly";
    const fit = count ? `${count} title${count === 1 ? `${like} fits` : `s${like} fit`}${count > MOST ? `, the first ${MOST} are shown` : ""}` : "No title fits";
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
