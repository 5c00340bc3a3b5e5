import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { firstProgram, tryFirstProgram } from "../../scripts/npm/quick_starts.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const README = readFileSync(`${ROOT}README.md`, "utf8");
const REPOSITORY = "https://github.com/x/auth/blob/main/";

/** The targets of the links of a page, without those in code. */
function linksIn(page: string): string[] {
  const prose = page.replaceAll(/^```[^]*?^```/gm, "").replaceAll(/`[^`\n]*`/g, "`…`");
  const inline = [...prose.matchAll(/\]\(<?([^)\s>]+)>?\)/g)].map(([, target = ""]) => target);
  const named = [...prose.matchAll(/^\[[^\]]+\]: +(\S+)/gm)].map(([, target = ""]) => target);
  const html = [...prose.matchAll(/\b(?:src|srcset|href)="([^"]+)"/g)].map(([, target = ""]) => target);
  return [...inline, ...named, ...html];
}

/** The anchors that GitHub makes of the headings of a page. */
function anchorsIn(page: string): Set<string> {
  const prose = page.replaceAll(/^```[^]*?^```/gm, "");
  return new Set([...prose.matchAll(/^#+ +(.+)$/gm)].map(([, heading = ""]) => {
    const text = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
    return text.replaceAll(/[^\p{L}\p{N} _-]/gu, "").trim().replaceAll(" ", "-");
  }));
}

/** What is wrong with a link to a file of the project; `null` if nothing is. */
function problemOf(path: string, anchor: string | undefined): string | null {
  if (!existsSync(path)) return "there is no such file";
  if (!anchor || statSync(path).isDirectory()) return null;
  return anchorsIn(readFileSync(path, "utf8")).has(anchor) ? null : "the page has no such heading";
}

test("every link of the README is absolute, so that it works on GitHub, JSR and npm", () => {
  assert.deepEqual(linksIn(README).filter((target) => !/^(https?:|#)/.test(target)), []);
});

test("every link of the README to this repository leads to a file, and to a heading of it", () => {
  const problems = linksIn(README).flatMap((target) => {
    const [url = "", anchor] = target.split("#");
    if (url === "") return anchorsIn(README).has(anchor ?? "") ? [] : [`${target}: no such heading`];
    if (!url.startsWith("https://github.com/x/auth")) return [];
    const path = url.replace(REPOSITORY, "").replace("https://github.com/x/auth/tree/main/", "");
    const problem = problemOf(`${ROOT}${path}`, anchor);
    return problem ? [`${target}: ${problem}`] : [];
  });
  assert.deepEqual(problems, []);
});

test("every link between the pages of docs leads to a file, and to a heading of it", () => {
  const pages = readdirSync(`${ROOT}docs`, { recursive: true }).map(String).filter((name) => name.endsWith(".md"));
  assert.ok(pages.length > 30);
  const problems = pages.flatMap((name) => {
    const path = join(ROOT, "docs", name);
    const page = readFileSync(path, "utf8");
    return linksIn(page).filter((target) => !/^\w+:/.test(target)).flatMap((target) => {
      const [file = "", anchor] = target.split("#");
      const problem = problemOf(file ? join(path, "..", file) : path, anchor);
      return problem ? [`${name}: ${target}: ${problem}`] : [];
    });
  });
  assert.deepEqual(problems, []);
});

test("the first program of the README for Deno signs somebody in, in a folder that was empty", async () => {
  const folder = await mkdtemp(join(tmpdir(), "first-"));
  try {
    // The sources stand for the package: the configuration of the project says where it is.
    const flags = ["--no-prompt", "--no-check", "--frozen", `--config=${ROOT}deno.json`, `--lock=${ROOT}deno.lock`];
    await tryFirstProgram(firstProgram(README, "deno"), { folder, command: Deno.execPath(), flags });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
