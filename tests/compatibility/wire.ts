/**
 * What the endpoints answer. A story is a request and what was before; a line is one fact of its answer:
 * `<story>: <fact> <value>`. Values that differ each time are masked.
 *
 * @module
 */
import type { Change, Snapshot } from "./_snapshot.ts";
import { serveAt } from "./cookies.ts";
import { tellStories } from "./_release/facts.ts";

/** Any moment, so that dates can be told from it. */
const NOW = Date.UTC(2031, 4, 6, 12);

export const WIRE: Snapshot = {
  id: "wire",
  unit: "facts of answers",
  current: () => tellStories(serveAt, NOW),
  keyOf,
  judge(change: Change) {
    if (change.kind === "added") return { level: "minor" };
    const [fact = "", name = ""] = keyOf(change.before).replace(/^.*: /, "").split(" ");
    return { level: "major", breaks: BREAKS[fact]?.(name) ?? "clients that send this" };
  },
};

const BREAKS: Readonly<Record<string, (name: string) => string>> = {
  status: () => "clients that look at the status",
  location: () => "clients that follow this redirect",
  cookie: (name) => `browsers and clients that keep the cookie "${name}"`,
  header: (name) => `clients that look at the header "${name}"`,
  json: (name) => `clients that read "${name}"`,
};

/** A line without its value. */
export function keyOf(line: string): string {
  return /^.*?: (?:status|location|(?:cookie|header|json) \S+)/.exec(line)?.[0] ?? line;
}
