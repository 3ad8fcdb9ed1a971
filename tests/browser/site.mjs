// Walk every page of a built static site as readers see it, and print what is wrong as one JSON document.
//
//     node site.mjs FOLDER [--screenshots FOLDER]
//
// Each page is opened once and looked at in four views: 1280 and 390 pixels wide, light and dark. The document
// has the number of `pages` and `views`, and lists that are empty on a good site:
//
//     accessibility  violations found by axe-core: page, view, rule, impact, help, and the elements
//     console        errors on the console, and exceptions
//     foreign        requests to any other origin; they are blocked
//     missing        requests to the site itself that it answers with an error
//     overflow       pages wider than a screen of 390 pixels, with the elements that stick out
//     links          links to pages or anchors of the site that do not exist
import { createReadStream, existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, relative, resolve, sep } from "node:path";
import { axeSource, openBrowser } from "./launch.mjs";

const NARROW = 390;
const VIEWS = [
  { name: "1280-light", width: 1280, scheme: "light" },
  { name: "1280-dark", width: 1280, scheme: "dark", rules: { runOnly: ["color-contrast"] } },
  { name: "390-dark", width: NARROW, scheme: "dark", rules: { runOnly: ["color-contrast"] } },
  { name: "390-light", width: NARROW, scheme: "light" },
];
const LONG = 3000; // elements of a page beyond which axe looks at its first view only: it takes seconds a view
const ABREAST = 2; // pages open at the same time
const TYPES = {
  ".css": "text/css", ".html": "text/html; charset=utf-8", ".ico": "image/x-icon", ".jpg": "image/jpeg",
  ".js": "text/javascript", ".json": "application/json", ".mjs": "text/javascript", ".png": "image/png",
  ".svg": "image/svg+xml", ".txt": "text/plain; charset=utf-8", ".webp": "image/webp",
  ".woff2": "font/woff2", ".xml": "application/xml",
};

/** Return the file that an address of the site shows, or undefined. */
function fileOf(root, pathname) {
  let path = resolve(root, "." + decodeURIComponent(pathname));
  if (path !== root && !path.startsWith(root + sep)) return undefined;
  if (existsSync(path) && statSync(path).isDirectory()) path = join(path, "index.html");
  return existsSync(path) ? path : undefined;
}

/** Serve a folder on a free port of this machine only. */
async function serve(root) {
  const server = createServer((request, response) => {
    const path = fileOf(root, new URL(request.url, "http://localhost").pathname);
    response.writeHead(path ? 200 : 404, { "content-type": TYPES[extname(path ?? "")] ?? "text/plain" });
    if (path) createReadStream(path).pipe(response);
    else response.end("not found");
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  return server;
}

/** Return the addresses of all pages of a folder, `x/index.html` as `/x/`. */
function addresses(root) {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".html"))
    .map((entry) => "/" + relative(root, join(entry.parentPath ?? entry.path, entry.name)).split(sep).join("/"))
    .map((path) => encodeURI(path.endsWith("/index.html") ? path.slice(0, -"index.html".length) : path))
    .sort();
}

// What follows runs inside of pages.

/** Switch a page of mkdocs-material or zensical to a colour scheme if the media query did not. */
function switchScheme(scheme) {
  const { body } = document;
  if (body.hasAttribute("data-md-color-scheme"))
    body.setAttribute("data-md-color-scheme", scheme === "dark" ? "slate" : "default");
}

/** Return the links of a page, and the anchors that links may lead to. */
function linksAndAnchors() {
  const links = [...document.querySelectorAll("a[href], area[href]")].map((link) => link.href);
  const named = [...document.querySelectorAll("[id], a[name]")];
  return { links: [...new Set(links)], anchors: named.flatMap((each) => [each.id, each.getAttribute("name")]) };
}

/** Return how far a page is wider than its window, and the outermost elements that stick out. */
function overflow() {
  const width = document.documentElement.clientWidth;
  const excess = document.documentElement.scrollWidth - width;
  if (excess <= 0) return { excess: 0, elements: [] };
  const scrolls = (each) => each && (getComputedStyle(each).overflowX !== "visible" || scrolls(each.parentElement));
  const out = [...document.body.querySelectorAll("*")].filter(
    (each) => each.getBoundingClientRect().right > width + 1 && !scrolls(each.parentElement),
  );
  const tops = out.filter((each) => !out.includes(each.parentElement));
  return { excess, elements: tops.slice(0, 5).map((each) => each.outerHTML.slice(0, 160)) };
}

/** Run axe-core, all of its rules or only some, and return its violations in short. */
async function violations(runOnly) {
  const { violations: found } = await window.axe.run(document, { resultTypes: ["violations"], ...runOnly });
  return found.map(({ id, impact, help, tags, nodes }) => ({
    rule: id, impact, help, tags,
    elements: nodes.slice(0, 5).map((node) => ({ target: node.target.join(" "), why: node.failureSummary })),
    count: nodes.length,
  }));
}

/** Look at one page in all views; add what is wrong to `found`. */
async function look(page, address, origin, found, axe, screenshots) {
  let view = VIEWS[0];
  const here = () => ({ page: address, view: view.name });
  page.on("console", (said) => {
    // A request that fails is listed by itself.
    if (said.type() === "error" && !said.text().startsWith("Failed to load resource"))
      found.console.push({ ...here(), text: said.text() });
  });
  page.on("pageerror", (error) => found.console.push({ ...here(), text: String(error) }));
  page.on("response", (response) => {
    if (response.status() >= 400) found.missing.push({ ...here(), request: response.url().replace(origin, "") });
  });
  await page.route(
    (url) => url.origin !== origin && /^(https?|wss?):$/.test(url.protocol),
    (route) => {
      found.foreign.push({ ...here(), request: route.request().url() });
      return route.abort();
    },
  );
  await page.setViewportSize({ width: view.width, height: 900 });
  await page.emulateMedia({ colorScheme: view.scheme, reducedMotion: "reduce" });
  await page.goto(origin + address, { waitUntil: "load" });
  await page.evaluate(axe);
  const long = (await page.evaluate(() => document.querySelectorAll("*").length)) > LONG;
  for (view of VIEWS) {
    await page.setViewportSize({ width: view.width, height: 900 });
    await page.emulateMedia({ colorScheme: view.scheme, reducedMotion: "reduce" });
    await page.evaluate(switchScheme, view.scheme);
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    await page.evaluate(() => Promise.all(document.getAnimations().map((each) => each.finish?.())).catch(() => {}));
    if (view === VIEWS[0] || !long)
      for (const each of await page.evaluate(violations, view.rules)) found.accessibility.push({ ...here(), ...each });
    if (view.width === NARROW) {
      const wide = await page.evaluate(overflow);
      if (wide.excess) found.overflow.push({ ...here(), ...wide });
    }
    if (screenshots) {
      const name = (address.replace(/[^\w-]+/g, "-").replace(/^-|-$/g, "") || "index") + `-${view.name}.png`;
      await page.screenshot({ path: join(screenshots, name), fullPage: true });
    }
  }
  return page.evaluate(linksAndAnchors);
}

/** List the links that lead to no page, or to no anchor of a page. */
function brokenLinks(root, origin, seen) {
  const broken = [];
  for (const [page, { links }] of seen) {
    for (const link of links) {
      const url = new URL(link);
      if (url.origin !== origin) continue;
      const target = url.pathname.replace(/index\.html$/, "");
      const anchor = decodeURIComponent(url.hash.slice(1));
      if (!fileOf(root, url.pathname)) broken.push({ page, link: link.replace(origin, ""), why: "no such page" });
      else if (anchor && seen.has(target) && !seen.get(target).anchors.includes(anchor))
        broken.push({ page, link: link.replace(origin, ""), why: "no such anchor" });
    }
  }
  return broken;
}

async function main() {
  const [folder, option, where] = process.argv.slice(2);
  const screenshots = option === "--screenshots" ? where : undefined;
  if (!folder || (option && !screenshots)) {
    console.error("usage: node site.mjs FOLDER [--screenshots FOLDER]");
    process.exit(2);
  }
  if (screenshots) mkdirSync(screenshots, { recursive: true });
  const root = resolve(folder);
  const started = Date.now();
  const server = await serve(root);
  const origin = `http://127.0.0.1:${server.address().port}`;
  const found = { accessibility: [], console: [], foreign: [], missing: [], overflow: [], links: [] };
  const browser = await openBrowser();
  const axe = axeSource();
  const waiting = addresses(root);
  const pages = waiting.length;
  const seen = new Map();
  const work = async () => {
    for (let address = waiting.shift(); address !== undefined; address = waiting.shift()) {
      // A context of its own: a page keeps a reader's choice of colours for the next one.
      const context = await browser.newContext({ bypassCSP: true, serviceWorkers: "block" });
      try {
        const page = await context.newPage();
        seen.set(address, await look(page, address, origin, found, axe, screenshots));
      } finally {
        await context.close();
      }
    }
  };
  try {
    await Promise.all(Array.from({ length: ABREAST }, work));
  } finally {
    await browser.close();
    server.close();
    server.closeAllConnections();
  }
  found.links = brokenLinks(root, origin, seen);
  const seconds = (Date.now() - started) / 1000;
  console.log(JSON.stringify({ pages, views: VIEWS.map(({ name }) => name), seconds, ...found }, null, 1));
}

await main();
