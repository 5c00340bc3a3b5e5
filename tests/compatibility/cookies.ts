/**
 * Cookies, tokens and rows that earlier releases made, and what this one does with them. A line for each value:
 * `<release>, <value>: <answer> as <session>`.
 *
 * @module
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { AuthConfig } from "@x/auth";
import { createEngine } from "../../src/service/engine.ts";
import { respond } from "../../src/service/respond.ts";
import { systemRuntime } from "../../src/kernel/runtime.ts";
import type { Handler } from "./_release/client.ts";
import { open, type Value } from "./_release/values.ts";
import type { Change, Snapshot } from "./_snapshot.ts";

const KEPT = "tests/compatibility/values";

/** The releases whose values are kept. */
export function releasesKept(): string[] {
  return existsSync(KEPT) ? readdirSync(KEPT).sort() : [];
}

/** Where the values of a release are. */
export function valuesPath(release: string): string {
  return `${KEPT}/${release}/cookies.json`;
}

/** Reads the values of a release. */
export function valuesOf(release: string): Value[] {
  return JSON.parse(readFileSync(valuesPath(release), "utf8"));
}

/** Runs a service of this release at a given time. */
export function serveAt(config: AuthConfig, now: number | null): Handler {
  const engine = createEngine(config, now === null ? systemRuntime : { ...systemRuntime, now: () => now });
  return async (request) => await respond(await engine.run(request));
}

/** Writes what comes of a value as a line. */
export function lineOf(release: string, { name }: Pick<Value, "name">, outcome: string): string {
  return `${release}, ${name}: ${outcome}`;
}

export const COOKIES: Snapshot = {
  id: "cookies",
  unit: "values of earlier releases open",
  async current() {
    const lines: string[] = [];
    for (const release of releasesKept()) {
      for (const value of valuesOf(release)) lines.push(lineOf(release, value, await open(serveAt, value)));
    }
    return lines;
  },
  keyOf,
  judge(change: Change) {
    if (change.kind === "added") return { level: "minor" };
    const [release = "", ...name] = keyOf(change.before).split(", ");
    return { level: "major", breaks: `browsers with what release ${release} gave them (${name.join(", ")})` };
  },
};

function keyOf(line: string): string {
  return line.slice(0, line.indexOf(": "));
}
