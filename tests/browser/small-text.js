// The body of a script: the elements of which the text is smaller than twelve pixels.
document.querySelectorAll("details").forEach((part) => { fill(part); part.open = true; });
const found = new Set();
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || element.closest("script, title, desc")) continue;
    const scale = element.getScreenCTM ? element.getScreenCTM().a : 1;
    const size = parseFloat(getComputedStyle(element).fontSize) * scale;
    if (size < 11.99) found.add(`${element.localName} in ${element.closest("[id]").id}: ${size}`);
}
return [...found];
