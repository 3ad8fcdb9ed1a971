// Make what the theme adds to a page usable without a mouse: tables that scroll take the focus, and the button
// that copies a block of code is no landmark.
function adjust() {
  for (const buttons of document.querySelectorAll(".md-code__nav:not([role])")) buttons.setAttribute("role", "presentation");
  for (const table of document.querySelectorAll(".md-typeset table, .md-typeset__table, .md-typeset__scrollwrap")) {
    if (table.scrollWidth > table.clientWidth) table.tabIndex = 0;
  }
}
addEventListener("load", () => {
  adjust();
  new MutationObserver(adjust).observe(document.body, { childList: true, subtree: true });
});
addEventListener("resize", adjust);
