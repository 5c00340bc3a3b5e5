import { test } from "node:test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { membersOf } from "../../scripts/docs/members.ts";
import { optionsPage, SECTIONS } from "../../scripts/docs/options.ts";

const page = readFileSync("docs/options.md", "utf8");

test("docs/options.md is what scripts/docs/options.ts writes", async () => {
  assert.equal(page, await optionsPage());
});

/** The items of the list below a heading: name, type, and what is said of it. */
function itemsBelow(title: string): string[][] {
  const [section = ""] = page.split(`\n## ${title}\n`)[1]?.split("\n## ") ?? [];
  const items = section.split(/^- /m).slice(1).map((item) => item.replaceAll(/\s+/g, " "));
  return items.map((item) => /^\*\*`(.+?)`\*\* \((`.+?`)\): (.+)/.exec(item)?.slice(1) ?? assert.fail(item));
}

test("no line of the page is wide, and there is no table: it can be read in a narrow window", () => {
  assert.deepEqual(page.split("\n").filter((line) => line.startsWith("|") || line.length > 120), []);
});

for (const { title, file, name, without = [] } of SECTIONS) {
  test(`the page has an item for each member of ${name}`, () => {
    const source = readFileSync(file, "utf8");
    const [, body = ""] = new RegExp(`^export interface ${name}\\b[^{]*\\{\n([^]*?)^\\}`, "m").exec(source) ?? [];
    const names = [...body.matchAll(/^ {2}(?:readonly )?(\w+|\[customFetch\])\??[:(<]/gm)].map(([, name = ""]) => name);
    const items = itemsBelow(title);
    assert.deepEqual(items.map(([option]) => option), names.filter((name) => !without.includes(name)));
    for (const [option, type, meaning] of items) assert.ok(type && meaning, `${option} has a type and a meaning`);
  });
}

/** A default that is a value, such as `30`, and depends on nothing else. */
const VALUE = /^`(true|false|\d+|"[^"]*"|\[.*?\]|\{\})`(?:$|;)/;

for (const { file, name, rows, without = [] } of SECTIONS) {
  if (!rows) continue;
  test(`the rows have each member of ${name}, with the default that its comment says`, () => {
    const members = membersOf(readFileSync(file, "utf8"), name)
      .filter(({ name }) => !without.includes(name) && name !== "[customFetch]");
    const documented = members.map(({ name, fallback }) => [name, VALUE.exec(fallback)?.[1]]);
    const defaults = members.map(({ name }) => {
      const { otherwise } = rows[name] ?? assert.fail(`${name} has no row`);
      return [name, JSON.stringify(otherwise)?.replaceAll(",", ", ")];
    });
    assert.deepEqual(documented, defaults);
  });
}

test("a member is read with its type, its default and the first paragraph of its comment", () => {
  const source = [
    "export interface Options<T> extends Other {",
    "  /**",
    "   * Seconds until {@linkcode Options.end} of",
    "   * it.",
    "   *",
    "   * More.",
    "   *",
    "   * @default {10} and",
    "   * no more.",
    "   * @see {@link https://example.com | Example}",
    "   */",
    "  maxAge?: number | undefined;",
    "  /** Says so. */",
    "  readonly say?: readonly string[] | ((text: string) => void) | undefined;",
    "  /** Calls. @default {{}} */",
    "  call?(of: string): void;",
    "  /** Others. */",
    "  [member: string]: unknown;",
    "}",
  ].join("\n");
  assert.deepEqual(membersOf(source, "Options"), [
    { name: "maxAge", type: "number", fallback: "`10` and no more", meaning: "Seconds until `end` of it." },
    { name: "say", type: "function", fallback: "", meaning: "Says so." },
    { name: "call", type: "function", fallback: "`{}`", meaning: "Calls." },
  ]);
  assert.throws(() => membersOf(source, "Missing"), /no interface Missing/);
});
