import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import process from "node:process";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";

/** Where Chromium is: `CHROMIUM_PATH`, else the one that the shell finds. */
export function findChromium(): string | null {
  const { CHROMIUM_PATH } = process.env;
  if (CHROMIUM_PATH) return CHROMIUM_PATH;
  const { stdout } = spawnSync("sh", ["-c", "command -v chromium"], { encoding: "utf8" });
  return stdout.trim() || null;
}

const MISSING = "there is no Chromium. Install it (apt-get install -y --no-install-recommends chromium), " +
  "or set CHROMIUM_PATH.";

/** Whether a test that needs Chromium is skipped, which it says loudly. Where nobody reads along it is not. */
export function skipsWithout(chromiumPath: string | null, what: string): boolean {
  if (chromiumPath || process.env.CI === "true") return false;
  process.stderr.write(`\n*** ${what} did not run: ${MISSING}\n\n`);
  return true;
}

export async function startChromium(executablePath: string | null): Promise<Browser> {
  if (!executablePath) throw new Error(`Cannot test in a browser: ${MISSING}`);
  const quiet = ["background-networking", "component-update", "sync"].map((name) => `--disable-${name}`);
  const args = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", ...quiet];
  return await chromium.launch({ executablePath, args });
}

/** What the console says only because a test types faster than the browser moves the focus by itself. */
export const HASTE = /^Autofocus processing was blocked/;

/** A message of the console for every answer that refuses something, which may be what a test is about. */
const REFUSAL = /responded with a status of [45]/;

/** Gives a visitor a browser of their own. What it complains of on the pages of a site is a fault. */
export async function visitSite(
  browser: Browser,
  { home, mayRefuse }: { readonly home: string; readonly mayRefuse: boolean },
  act: (page: Page, context: BrowserContext) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext();
  const faults: string[] = [];
  context.on("weberror", (error) => faults.push(String(error.error())));
  context.on("console", (message) => {
    const isComplaint = message.page()?.url().startsWith(home) && ["error", "warning"].includes(message.type());
    if (HASTE.test(message.text())) return;
    if (isComplaint && !(mayRefuse && REFUSAL.test(message.text()))) faults.push(message.text());
  });
  try {
    await act(await context.newPage(), context);
    assert.deepEqual(faults, []);
  } finally {
    await context.close();
  }
}
