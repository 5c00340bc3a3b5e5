/**
 * Writes `llms.txt`, the index of the guides for coding assistants, and makes the text of `llms-full.txt`, which has the
 * guides themselves. The npm package contains both.
 *
 * @example Usage
 * ```sh
 * deno run -A scripts/docs/llms.ts
 * ```
 *
 * @module
 */
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path/posix";
import { printLine } from "../print.ts";
import { pages } from "./run.ts";

const REPOSITORY = "https://github.com/x/auth/blob/main";
const RULES = "docs/assistants.md";

/** Pages that are not in `llms-full.txt`, and where the package has what they say. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  "README.md": "the package has it beside this file",
  "docs/README.md": "it is the index, `llms.txt`",
  "docs/command.md": "`npx @x/auth --help` lists the subcommands, and each has a help of its own",
  "docs/doctor.md": "the command `npx @x/auth doctor --help` says how to use it, and what it finds it explains",
  "docs/stability.md": "it is about versions, not about code",
  "docs/providers.md": "the comment in `src/providers/<name>.d.ts` of each provider",
};

/** Makes links to files of the repository absolute. */
function withLinks(page: string, markdown: string): string {
  return markdown.replaceAll(/\]\((?!https?:|#)([^)\s]+)\)/g, (_, to: string) => {
    const [path = "", anchor] = to.split("#");
    return `](${REPOSITORY}/${join(dirname(page), path)}${anchor ? `#${anchor}` : ""})`;
  });
}

/** The text of a page without what only this project needs: comments for tests, and the padding of tables. */
export function plainText(page: string): string {
  const text = readFileSync(page, "utf8").replaceAll(/^<!--[^]*?-->\n\n?/gm, "");
  const tables = text.replaceAll(/^\|.*\|$/gm, (row) => row.replaceAll(/ {2,}\|/g, " |").replaceAll(/-{4,}/g, "---"));
  return withLinks(page, tables).trim();
}

/** A rule for whoever writes code. */
export interface Rule {
  /** Its number, and what to do. */
  readonly title: string;
  /** The sentences that say what never to do. */
  readonly never: string;
  /** Its programs, with the comments before them. */
  readonly programs: readonly string[];
}

/** Reads the rules of the page. */
export function rulesIn(markdown: string): Rule[] {
  return markdown.split(/^## (?=\d)/m).slice(1).map((section) => {
    const [title = "", ...paragraphs] = section.split("\n\n");
    const prose = paragraphs.slice(0, paragraphs.findIndex((text) => text.startsWith("<!--"))).join(" ");
    const never = prose.replaceAll(/\s+/g, " ").split(/(?<=[.:]) (?=[A-Z`])/).filter((text) =>
      text.startsWith("Never ")
    );
    return { title, never: never.join(" "), programs: section.match(/^<!-- run:[^]*?^```$/gm) ?? [] };
  });
}

/** Writes the index: what the library is, the rules in one line each, and the guides with their addresses. */
export function indexText(): string {
  const [, about = ""] = /^# [^\n]+\n\n([^]*?)\n\n/.exec(readFileSync("README.md", "utf8")) ?? [];
  const rules = rulesIn(readFileSync(RULES, "utf8")).map(({ title, never }) => `${title}. ${never}`);
  const [, ...sections] = plainText("docs/README.md").split(/^(?=## )/m);
  return [
    "# @x/auth",
    about.split("\n").map((line) => `> ${line}`).join("\n"),
    "The npm package has the guides of its version beside this file, in `llms-full.txt`. What each provider needs is in " +
    "the comment of its file, `src/providers/<name>.d.ts`.",
    `## Rules for code\n\n${rules.join("\n")}\n\n[Why, with a program for each](${REPOSITORY}/${RULES})`,
    ...sections.map((section) => section.trim()),
  ].join("\n\n") + "\n";
}

/** Lists the pages of `llms-full.txt`: the rules first. */
export function fullPages(): string[] {
  const all = pages().filter((page) => !Object.hasOwn(ELSEWHERE, page) && page !== RULES);
  return [RULES, ...all];
}

/** Makes the text of all guides, each below its path. */
export function fullText(): string {
  const elsewhere = Object.entries(ELSEWHERE).map(([page, where]) => `- ${page}: ${where}.`);
  const head = `# @x/auth: all guides\n\nThese are not here:\n\n${elsewhere.join("\n")}`;
  return [head, ...fullPages().map((page) => `<!-- ${page} -->\n\n${plainText(page)}`)].join("\n\n") + "\n";
}

if (import.meta.main) {
  writeFileSync("llms.txt", indexText());
  printLine("llms.txt was written");
}
