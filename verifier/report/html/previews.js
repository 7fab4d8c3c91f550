// Previews of claims at the links to them, for the pointer and for the keyboard. TITLES is from titles.py.
"use strict";

(function previewClaims() {
  const WAIT = 250; // milliseconds before a preview opens or closes: passing a link opens nothing, and the pointer can reach the preview
  const claims = new Map(TITLES.filter(({ standing }) => standing).map((each) => [each.href, each]));
  const card = make("div", { class: "preview screen-only", id: "claim-preview", role: "tooltip", hidden: "" });
  document.getElementById("main").append(card);
  let link = null, timer = 0;

  /** Return the link around an element if it leads to a claim. Leave out the ledger and the graph, which show what a claim says. */
  function linkOf(element) {
    const found = element.closest?.(":is(.masthead, main) a[href]:not(.anchor, .ledger a, .graph-scroll a)");
    return found && claims.has(found.getAttribute("href")) ? found : null;
  }

  function hide() {
    clearTimeout(timer);
    link?.removeAttribute("aria-describedby");
    link = null;
    card.hidden = true;
  }

  function show(found) {
    hide();
    link = found;
    const { title, standing, kept, stands, says } = claims.get(link.getAttribute("href"));
    card.replaceChildren(
      make("b", {}, title),
      make("span", { class: `verdict ${standing.replaceAll(" ", "-")}${kept ? " kept" : ""}` }, stands),
      make("span", {}, says),
    );
    card.hidden = false;
    link.setAttribute("aria-describedby", card.id);
    const { left, top, bottom } = link.getBoundingClientRect(), { width, height } = card.getBoundingClientRect();
    const room = document.documentElement.clientWidth - width - 8;
    const isBelow = bottom + height + 8 < innerHeight || top < height + 8;
    card.style.left = `${Math.max(8, Math.min(left, room)) + scrollX - document.body.offsetLeft}px`;
    card.style.top = `${(isBelow ? bottom + 4 : top - height - 4) + scrollY}px`;
  }

  const later = (action) => { clearTimeout(timer); timer = setTimeout(action, WAIT); };
  document.addEventListener("mouseover", ({ target }) => {
    const found = linkOf(target);
    if (card.contains(target) || (found && found === link)) clearTimeout(timer);
    else if (found) later(() => show(found));
    else if (link && document.activeElement !== link) later(hide);
    else if (!link) clearTimeout(timer);
  });
  document.addEventListener("focusin", ({ target }) => {
    const found = target.matches(":focus-visible") && linkOf(target);
    if (found) show(found);
  });
  document.addEventListener("focusout", hide);
  document.addEventListener("click", hide);
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") hide(); });
})();
