// Open every page of a folder in Chromium and look at it as a reader would:
//
//     node tests/browser/report_pages.mjs FOLDER
//
// Prints a JSON list with an entry for each page: what axe objects to in light and dark, how far the body is wider
// than a phone of 390 pixels, the smallest letters of its drawings there, whether every table sorts by click and by
// keyboard, and the rows of every CSV that was saved. `good` says whether all of it is as it should be.

import { readFileSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

import { axeSource, openBrowser } from "./launch.mjs";

const AXE = axeSource();
const PHONE = 390;
const SMALLEST_LETTERS = 9;

/** What axe objects to, as "rule: first element". */
async function violations(browser, address, colorScheme) {
  // axe is put in from outside, past the policy that keeps every other script off the page
  const page = await browser.newPage({ colorScheme, bypassCSP: true });
  await page.goto(address);
  await page.evaluate(AXE);
  const found = await page.evaluate(() => axe.run());
  await page.close();
  return found.violations.map((each) => `${each.id}: ${each.nodes[0].html.slice(0, 120)}`);
}

/** How far the body is wider than a phone, and the smallest letters in its drawings. */
async function onPhone(browser, address) {
  const page = await browser.newPage({ viewport: { width: PHONE, height: 844 } });
  await page.goto(address);
  const seen = await page.evaluate(() => {
    const sizes = [...document.querySelectorAll("svg text")].map((text) => {
      const drawing = text.ownerSVGElement;
      const scale = drawing.getBoundingClientRect().width / drawing.viewBox.baseVal.width;
      return scale * parseFloat(getComputedStyle(text).fontSize);
    });
    return {
      overflow: document.documentElement.scrollWidth - innerWidth,
      letters: sizes.length ? Math.round(10 * Math.min(...sizes)) / 10 : null,
    };
  });
  await page.close();
  return seen;
}

/** The keys of a column as shown: numbers where cells have them. */
function keys(table, column) {
  return table.evaluate((element, place) => [...element.tBodies[0].rows].map(({ cells }) =>
    cells[place].dataset.value === undefined ? cells[place].textContent : Number(cells[place].dataset.value)), column);
}

const rising = (found) => {
  const numbers = found.filter((each) => typeof each === "number");
  return numbers.every((each, place) => place === 0 || numbers[place - 1] <= each);
};

/** Whether a table sorts by its columns: by click upwards, by keyboard downwards, and back. */
async function sorts(table) {
  const rows = await table.locator("tbody tr").count();
  const buttons = table.locator("thead button");
  if (rows < 2) return (await buttons.count()) === 0;
  for (let column = 0; column < (await buttons.count()); column += 1) {
    const heading = table.locator("thead th").nth(column);
    const before = await keys(table, column);
    await buttons.nth(column).click();
    const up = await keys(table, column);
    if ((await heading.getAttribute("aria-sort")) !== "ascending" || !rising(up)) return false;
    await buttons.nth(column).press("Enter");
    const down = await keys(table, column);
    if ((await heading.getAttribute("aria-sort")) !== "descending" || !rising(down.reverse())) return false;
    await buttons.nth(column).press("Space");
    const back = await keys(table, column);
    if ((await heading.getAttribute("aria-sort")) !== null || back.join() !== before.join()) return false;
  }
  return (await buttons.count()) > 0;
}

/** The number of lines of every CSV that a page saves. */
async function saved(page) {
  const lines = [];
  for (const link of await page.locator("a[download]").all()) {
    const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
    lines.push(readFileSync(await download.path(), "utf8").trimEnd().split("\r\n").length);
  }
  return lines;
}

async function look(browser, address) {
  const page = await browser.newPage({ acceptDownloads: true });
  const refused = [];
  page.on("console", (message) => message.type() === "error" && refused.push(message.text()));
  page.on("pageerror", (error) => refused.push(String(error)));
  await page.goto(address);
  await page.evaluate(() => document.querySelectorAll("details").forEach((each) => { each.open = true; }));
  const tables = await page.locator("table").all();
  const sorted = [];
  for (const table of tables) sorted.push(await sorts(table));
  const rows = await page.evaluate(() => [...document.querySelectorAll("table")].map(({ rows }) => rows.length)
    .filter((count) => count > 1));
  const csv = await saved(page);
  await page.close();
  const { overflow, letters } = await onPhone(browser, address);
  const axe = [...await violations(browser, address, "light"), ...await violations(browser, address, "dark")];
  const same = JSON.stringify(csv) === JSON.stringify(rows);
  const good = !axe.length && overflow <= 0 && sorted.every(Boolean) && same && !refused.length
    && (letters === null || letters >= SMALLEST_LETTERS);
  return { good, axe, overflow, letters, sorted: sorted.every(Boolean), tables: tables.length, csv, refused };
}

const folder = resolve(process.argv[2] ?? ".");
const browser = await openBrowser();
const found = [];
try {
  for (const name of readdirSync(folder).filter((each) => each.endsWith(".html")).sort())
    found.push({ page: name, ...(await look(browser, pathToFileURL(join(folder, name)).href)) });
} finally {
  await browser.close();
}
console.log(JSON.stringify(found));
