"use strict";
// Tables sort by the column whose heading is pressed: upwards, downwards, then back as they were.
// Without this script a page shows the same tables with plain headings.

const byText = new Intl.Collator("en", { numeric: true });

/** The exact number of a cell, or undefined where it shows text. */
function numberOf(cell) {
  return cell.dataset.value === undefined ? undefined : Number(cell.dataset.value);
}

/** Compare two cells: numbers as numbers, and before all texts. */
function compare(one, other) {
  const [left, right] = [numberOf(one), numberOf(other)];
  if (left !== undefined && right !== undefined) return left < right ? -1 : Number(left > right);
  if (left !== undefined || right !== undefined) return left !== undefined ? -1 : 1;
  return byText.compare(one.textContent, other.textContent);
}

for (const table of document.querySelectorAll("table")) {
  const body = table.tBodies[0];
  const original = [...body.rows];
  const headings = [...table.tHead.rows[0].cells];
  if (original.length < 2) continue;
  for (const [column, heading] of headings.entries()) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...heading.childNodes);
    heading.append(button);
    button.addEventListener("click", () => {
      const next = { ascending: "descending", descending: null }[heading.ariaSort];
      const wanted = next === undefined ? "ascending" : next;
      for (const each of headings) each.removeAttribute("aria-sort");
      const rows = [...original];
      if (wanted !== null) {
        const sign = wanted === "ascending" ? 1 : -1;
        rows.sort((one, other) => sign * compare(one.cells[column], other.cells[column]));
        heading.setAttribute("aria-sort", wanted);
      }
      body.append(...rows);
    });
  }
}
