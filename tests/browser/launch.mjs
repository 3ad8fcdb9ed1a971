// Open a Chromium without root and without a download at run time.
//
// `make browser` puts the packages into .venv/browser and unpacks the browser there; the environment variable
// NOISEWRIGHT_BROWSER names another folder, and CHROMIUM an installed browser to use instead.
//
//     import { openBrowser, axeSource } from "./launch.mjs";
//     const browser = await openBrowser();   // a Browser of playwright-core; close() it
//
// `node launch.mjs` opens it once, prints its version, and ends with 0.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const folder = resolve(process.env.NOISEWRIGHT_BROWSER ?? join(here, "..", "..", ".venv", "browser"));
const require = createRequire(join(folder, "package.json"));

// Root has no sandbox to offer, and containers have little shared memory.
const ARGUMENTS = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--font-render-hinting=none"];

const unpacked = join(folder, "unpacked");

/** Return the path of the browser, unpacking the packed one on its first use. */
export async function browserPath() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  mkdirSync(unpacked, { recursive: true });
  const before = { ...process.env };
  process.env.TMPDIR = unpacked; // where the package unpacks: not into a folder that strangers share
  process.env.AWS_LAMBDA_JS_RUNTIME = "nodejs24.x"; // unpack the shared libraries, too
  try {
    const { default: chromium } = await import(require.resolve("@sparticuz/chromium"));
    return await (chromium.default ?? chromium).executablePath();
  } catch (error) {
    rmSync(unpacked, { recursive: true, force: true }); // half a browser would be taken for a whole one
    throw error;
  } finally {
    process.env = before;
  }
}

/** Return the environment for a machine without fonts: those of the package. */
function fonts() {
  if (process.env.CHROMIUM || existsSync("/etc/fonts/fonts.conf")) return process.env;
  const places = `<dir>${unpacked}/fonts</dir><cachedir>${unpacked}/fonts-cache</cachedir>`;
  writeFileSync(join(unpacked, "fonts.conf"), `<?xml version="1.0"?><fontconfig>${places}</fontconfig>`);
  return { ...process.env, FONTCONFIG_FILE: join(unpacked, "fonts.conf") };
}

/** Open Chromium; `options` go to playwright-core's `launch`. */
export async function openBrowser(options = {}) {
  const { chromium } = require("playwright-core");
  const executablePath = await browserPath();
  const env = fonts();
  const open = (more) =>
    chromium.launch({ executablePath, args: ARGUMENTS, env: { ...env, ...more }, ...options });
  try {
    return await open({});
  } catch (error) {
    if (process.env.CHROMIUM) throw error;
    return open({ LD_LIBRARY_PATH: join(unpacked, "al2023", "lib") }); // a machine without libnss3
  }
}

/** Return the source of axe-core, for `page.addScriptTag({ content })` or `page.evaluate`. */
export function axeSource() {
  return readFileSync(require.resolve("axe-core/axe.min.js"), "utf-8");
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const browser = await openBrowser();
  console.log(`Chromium ${browser.version()}`);
  await browser.close();
}
