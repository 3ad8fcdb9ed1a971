// Make what the theme adds to a page usable without a mouse: tables that scroll take the focus, and neither the
// button that copies a block of code nor a part of the contents is a landmark of its own.
function adjust() {
  for (const part of document.querySelectorAll(".md-code__nav:not([role]), .md-nav--secondary .md-nav:not([role])")) {
    part.setAttribute("role", "presentation");
    part.removeAttribute("aria-label");
  }
  for (const table of document.querySelectorAll(".md-typeset table, .md-typeset__table, .md-typeset__scrollwrap")) {
    if (table.scrollWidth > table.clientWidth) table.tabIndex = 0;
  }
}
addEventListener("load", () => {
  adjust();
  new MutationObserver(adjust).observe(document.body, { childList: true, subtree: true });
});
addEventListener("resize", adjust);
