import { spawnSync } from "node:child_process";
import process from "node:process";
import { type Browser, chromium } from "playwright-core";

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
