/**
 * What `deno task compatible` prints.
 *
 * @module
 */
import { nextVersion } from "../../scripts/release/version.ts";
import { type Change, type Finding, isForbidden, type Snapshot } from "./_snapshot.ts";
import { pathOf } from "./_files.ts";

/** How many changes of one snapshot are printed. */
const SHOWN = 20;

const COLUMN = 10;
const INDENT = " ".repeat(COLUMN + 7);

/** Says how a snapshot compares: a line if nothing is forbidden, else each forbidden change and what it breaks. */
export function report(
  { id, unit }: Pick<Snapshot, "id" | "unit">,
  count: number,
  findings: readonly Finding[],
  version: string,
): string[] {
  const forbidden = findings.filter(isForbidden);
  const head = (state: string, text: string): string => `${id.padEnd(COLUMN)}${state.padEnd(7)}${text}`;
  const lines = forbidden.slice(0, SHOWN).flatMap(({ change, verdict }) => [
    head("MAJOR", `${wordsOf(change)}   (${placeOf(id, change)})`),
    `${INDENT}This breaks ${verdict.level === "major" ? verdict.breaks : ""}. ` +
    `Take it back, or release ${nextVersion(version, "major")}.`,
  ]);
  if (forbidden.length > SHOWN) lines.push(`${INDENT}… and ${forbidden.length - SHOWN} more`);
  const rest = findings.filter((finding) => !isForbidden(finding));
  const allowed = rest.filter(({ reason }) => reason !== undefined).length;
  const minor = rest.length - allowed;
  const parts = [
    `${count.toLocaleString("en")} ${unit}`,
    ...minor ? [`${minor} added or widened`] : [],
    ...allowed ? [`${allowed} allowed by an override`] : [],
  ];
  if (forbidden.length === 0) lines.unshift(head(rest.length ? "MINOR" : "ok", parts.join(", ")));
  else if (rest.length) lines.push(`${INDENT}${parts.slice(1).join(", ")}`);
  const more = rest.slice(0, SHOWN).map(({ change }) => `${INDENT}${wordsOf(change)}`);
  if (rest.length > SHOWN) more.push(`${INDENT}… and ${rest.length - SHOWN} more`);
  return [...lines, ...more];
}

/** Shows a change in one line. */
export function wordsOf(change: Change): string {
  if (change.kind === "removed") return `- ${change.before}`;
  if (change.kind === "added") return `+ ${change.after}`;
  return changedWords(change.before, change.after);
}

/** What both lines begin with is said once: `POST /auth/signout 302 → 303`. */
function changedWords(before: string, after: string): string {
  const [old, now] = [before.split(" "), after.split(" ")];
  let same = 0;
  while (same < Math.min(old.length, now.length) - 1 && old[same] === now[same]) same += 1;
  return `${[...old.slice(0, same), ""].join(" ")}${old.slice(same).join(" ")} → ${now.slice(same).join(" ")}`;
}

function placeOf(id: string, change: Change): string {
  return change.kind === "added" ? pathOf(id) : `${pathOf(id)}:${change.at}`;
}
