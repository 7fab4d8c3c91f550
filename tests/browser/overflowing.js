// The body of a script: by how much the page is too wide, and which elements are.
document.querySelectorAll(".chapter").forEach((part) => { fill(part); part.open = true; });
const width = document.documentElement.clientWidth;
const isIn = (element) => {
    for (let box = element.parentElement; box; box = box.parentElement)
        if (["auto", "scroll", "hidden"].includes(getComputedStyle(box).overflowX)) return true;
    return false;
};
const out = [...document.querySelectorAll("body *")].filter((element) => {
    const box = element.getBoundingClientRect();
    return box.width && box.right > width + 1 && !isIn(element) && !element.closest("svg svg, .skip");
});
return [document.documentElement.scrollWidth - width, out.map((e) => `${e.localName} in ${e.closest("[id]").id}`)];
