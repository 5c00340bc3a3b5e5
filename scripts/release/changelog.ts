/**
 * The changelog of a release: what stands below "Unreleased" becomes the section of a version.
 *
 * @module
 */
import { compareVersions } from "./version.ts";

/** A section of the changelog. */
interface Section {
  /** `Unreleased`, or a version with its day, such as `1.2.0 (2026-03-01)`. */
  readonly title: string;
  /** What stands below the heading. */
  readonly body: string;
}

/** Splits the changelog into what stands before its sections, and these. */
function sectionsOf(changelog: string): { readonly head: string; readonly sections: readonly Section[] } {
  const [head = "", ...texts] = `\n${changelog}`.split(/\n## (?=\S)/);
  const sections = texts.map((text) => {
    const [title = "", ...lines] = text.split("\n");
    return { title: title.trim(), body: lines.join("\n").trim() };
  });
  return { head: head.trim(), sections };
}

function versionOf({ title }: Section): string {
  return title.split(" ")[0] ?? "";
}

/** What the changelog says of a version. @throws {Error} if it says nothing. */
export function notesOf(changelog: string, version: string): string {
  const found = sectionsOf(changelog).sections.find((section) => versionOf(section) === version);
  if (!found?.body) throw new Error(`CHANGELOG.md says nothing about ${version}`);
  return found.body;
}

/** What a release is called, and what it breaks. */
export interface ReleaseFacts {
  readonly version: string;
  /** The day of the release, as `2026-03-01`. */
  readonly day: string;
  /** Why each promise was broken, in the words of the overrides. */
  readonly reasons: readonly string[];
}

/**
 * Makes the section of a version from "Unreleased", which is empty then. Reasons that the text does not have already
 * stand first, below "Breaking".
 *
 * @throws {Error} if nothing was written for this release, or the version has a section already or is not the highest.
 */
export function releaseChangelog(changelog: string, { version, day, reasons }: ReleaseFacts): string {
  const { head, sections: [unreleased, ...older] } = sectionsOf(changelog);
  if (unreleased?.title !== "Unreleased") throw new Error('CHANGELOG.md has to begin with the section "Unreleased"');
  const last = older[0] && versionOf(older[0]);
  if (last !== undefined && compareVersions(version, last) <= 0) {
    throw new Error(`CHANGELOG.md has a section for ${last} already, so ${version} cannot come next`);
  }
  const body = withReasons(unreleased.body, reasons);
  if (!body) throw new Error('CHANGELOG.md has nothing below "Unreleased": there is nothing to release');
  const sections = [{ title: "Unreleased", body: "" }, { title: `${version} (${day})`, body }, ...older];
  return [head, ...sections.map(({ title, body }) => `## ${title}\n\n${body}`.trim())].join("\n\n") + "\n";
}

/** The reasons that a text does not have, wherever its lines end. */
export function missingReasons(text: string, reasons: readonly string[]): string[] {
  const said = inOneLine(text);
  return [...new Set(reasons.map(inOneLine))].filter((reason) => !said.includes(reason));
}

function withReasons(body: string, reasons: readonly string[]): string {
  const missing = missingReasons(body, reasons);
  if (missing.length === 0) return body;
  const items = missing.map((reason) => `- ${reason}`).join("\n");
  const [, rest] = /^Breaking:\n\n([^]*)$/.exec(body) ?? [];
  return rest === undefined ? `Breaking:\n\n${items}\n\n${body}`.trim() : `Breaking:\n\n${items}\n${rest}`;
}

/** A text without its line breaks: the formatter puts them where it likes. */
function inOneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, " ");
}
