import assert from "node:assert/strict";
import { existsSync, readFileSync, statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { firstProgram, tryFirstProgram } from "../../scripts/npm/quick_starts.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const README = readFileSync(`${ROOT}README.md`, "utf8");
const REPOSITORY =
  /^https:\/\/(?:github\.com\/x\/auth\/(?:blob|tree)|raw\.githubusercontent\.com\/x\/auth)\/main\/(.+)/;

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

test("every link and picture of the README in this repository is there, with its heading", () => {
  assert.ok(linksIn(README).filter((target) => REPOSITORY.test(target)).length > 40);
  const problems = linksIn(README).flatMap((target) => {
    const [url = "", anchor] = target.split("#");
    if (url === "") return anchorsIn(README).has(anchor ?? "") ? [] : [`${target}: no such heading`];
    const [, path] = REPOSITORY.exec(url) ?? [];
    const problem = path && problemOf(`${ROOT}${path}`, anchor);
    return problem ? [`${target}: ${problem}`] : [];
  });
  assert.deepEqual(problems, []);
});

for (const way of ["as printed", "with the line for Deno alone"] as const) {
  test(`the first program of the README signs somebody in on Deno, in a folder that was empty, ${way}`, async () => {
    const folder = await mkdtemp(join(tmpdir(), "first-"));
    const program = firstProgram(README, "deno");
    const source = way === "as printed"
      ? program.source
      : program.inOwnWay ?? assert.fail("Deno has a line of its own");
    try {
      // The sources stand for the package: the configuration of the project says where it is.
      const flags = ["--no-prompt", "--no-check", "--frozen", `--config=${ROOT}deno.json`, `--lock=${ROOT}deno.lock`];
      await tryFirstProgram({ ...program, source }, { folder, command: Deno.execPath(), flags });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
}

test("the quick start has the first program of the README, and starts it by the same commands", () => {
  const page = readFileSync(`${ROOT}docs/quick-start.md`, "utf8");
  for (const runtime of ["deno", "node", "bun"] as const) {
    assert.deepEqual(firstProgram(page, runtime), firstProgram(README, runtime));
  }
  assert.equal(firstProgram(README, "node").inOwnWay, undefined);
  assert.match(firstProgram(README, "bun").inOwnWay ?? "", /\nBun\.serve\(/);
});
