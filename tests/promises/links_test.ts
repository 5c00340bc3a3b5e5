import { test } from "node:test";
import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path/posix";
import { pages } from "../../scripts/docs/run.ts";

const ALL = [...pages(), "CONTRIBUTING.md", "CHANGELOG.md", "BENCHMARKS.md", "SECURITY.md"];

/** The text of a page without its programs: what looks like a link there is none. */
function proseOf(path: string): string {
  return readFileSync(path, "utf8").replaceAll(/^( *)```[^]*?^\1```$/gm, "").replaceAll(/`[^`\n]+`/g, "");
}

/** The anchors of the headings of a page, as GitHub makes them. */
function anchorsOf(path: string): Set<string> {
  const seen = new Map<string, number>();
  const text = readFileSync(path, "utf8").replaceAll(/^( *)```[^]*?^\1```$/gm, "");
  return new Set([...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = ""]) => {
    const plain = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll(/[`*]/g, "").trim().toLowerCase();
    const anchor = plain.replaceAll(/[^\p{L}\p{N}\s_-]/gu, "").replaceAll(/\s/g, "-");
    const before = seen.get(anchor) ?? 0;
    seen.set(anchor, before + 1);
    return before === 0 ? anchor : `${anchor}-${before}`;
  }));
}

/** The addresses that a page links to. */
function linksOf(path: string): string[] {
  const prose = proseOf(path);
  const inline = [...prose.matchAll(/\]\(<?([^)\s>]+)>?\)/g)];
  const below = [...prose.matchAll(/^\[[^\]]+\]: (\S+)$/gm)];
  return [...inline, ...below].map(([, to = ""]) => to);
}

/** Says what is wrong with a link, or nothing. */
function problemOf(page: string, to: string): string | null {
  if (/^[a-z]+:/.test(to)) return null;
  const [path = "", anchor] = to.split("#");
  const target = path ? join(dirname(page), decodeURIComponent(path)) : page;
  const found = statSync(target, { throwIfNoEntry: false });
  if (!found) return `${page}: ${to}: there is no ${target}`;
  if (anchor === undefined) return null;
  return anchorsOf(target).has(anchor) ? null : `${page}: ${to}: ${target} has no such heading`;
}

test("every relative link of the pages leads to a file, and to a heading that it has", () => {
  const problems = ALL.flatMap((page) => linksOf(page).flatMap((to) => problemOf(page, to) ?? []));
  assert.deepEqual(problems, []);
});

test("the index of the guides leads to each of them", () => {
  const listed = linksOf("docs/README.md").map((to) => join("docs", to.split("#")[0] ?? ""));
  const missing = pages().filter((page) =>
    page.startsWith("docs/") && page !== "docs/README.md" && !listed.includes(page)
  );
  assert.deepEqual(missing, []);
});

test("a link without a target, or to a heading that is not there, is found", () => {
  assert.match(problemOf("docs/README.md", "./nothing.md") ?? "", /there is no docs\/nothing\.md/);
  assert.match(problemOf("docs/README.md", "./storage.md#nothing") ?? "", /docs\/storage\.md has no such heading/);
  assert.equal(problemOf("docs/README.md", "./storage.md#the-tables"), null);
  assert.equal(problemOf("docs/README.md", "https://example.com/"), null);
  assert.ok(linksOf("docs/README.md").length > 30);
});
