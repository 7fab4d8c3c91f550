// The body of a script: the links of a claim, of the ledger and of the coverage that lead to some place of the page.
const found = document.getElementById("claim-theorem-1");
document.querySelectorAll("details").forEach((part) => { part.open = part.contains(found); });
const folded = [...document.querySelectorAll("noscript")].map((part) => part.textContent);
const isThere = (name) => document.getElementById(name) || folded.some((text) => text.includes(` id="${name}"`));
return [...document.querySelectorAll(":is(main .claim, #ledger, #coverage) a[href^='#']")]
    .filter(({ hash }) => hash !== location.hash && isThere(hash.slice(1)));
