/**
 * Which version a release gets.
 *
 * @module
 */

/** How far a change reaches: it mends, it adds, or it takes away. */
export type Level = "patch" | "minor" | "major";

type Triple = readonly [major: number, minor: number, patch: number];

/** Reads a version. @throws {Error} if it is not three numbers: releases have no other form. */
export function parseVersion(version: string): Triple {
  const [, ...parts] = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/.exec(version) ?? [];
  const [major, minor, patch] = parts.map(Number);
  if (major === undefined || minor === undefined || patch === undefined || !parts.every(isSafe)) {
    throw new Error(`"${version}" is not a version: write three numbers, such as 1.2.3`);
  }
  return [major, minor, patch];
}

function isSafe(part: string): boolean {
  return Number.isSafeInteger(Number(part));
}

/** Orders versions: negative if the first is the older one. */
export function compareVersions(first: string, second: string): number {
  const other = parseVersion(second);
  const different = parseVersion(first).map((part, at) => part - (other[at] ?? 0)).find((difference) =>
    difference !== 0
  );
  return different ?? 0;
}

/**
 * The version after this one.
 *
 * Before 1.0 each level moves one place to the right. npm and Deno read `^0.2.1` so: they take 0.2.9, and not 0.3.0.
 */
export function nextVersion(version: string, level: Level): string {
  const [major, minor, patch] = parseVersion(version);
  if (major === 0) return level === "major" ? `0.${minor + 1}.0` : `0.${minor}.${patch + 1}`;
  if (level === "major") return `${major + 1}.0.0`;
  return level === "minor" ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`;
}

/**
 * The version to release: the next one for what has changed, or a higher one that somebody asks for.
 *
 * @throws {Error} if the version that is asked for would promise more than the changes keep.
 */
export function versionFor(last: string, level: Level, asked?: string): string {
  const least = nextVersion(last, level);
  if (asked === undefined) return least;
  if (compareVersions(asked, least) >= 0) return asked;
  throw new Error(`${asked} is too low: after ${last}, changes of level "${level}" need ${least} or higher`);
}

/** Puts a version into the text of deno.json, which stays as it is otherwise. */
export function withVersion(config: string, version: string): string {
  const changed = config.replace(/^( {2}"version": ")[^"]*(")/m, `$1${version}$2`);
  if ((JSON.parse(changed) as { readonly version?: string }).version === version) return changed;
  throw new Error('deno.json has no member "version" to change');
}

/** The version of a tag such as `v1.2.3`. @throws {Error} if deno.json, by which JSR goes, has another one. */
export function versionOfTag(tag: string, config: string): string {
  const version = tag.startsWith("v") ? tag.slice(1) : tag;
  parseVersion(version);
  if (tag === `v${version}` && withVersion(config, version) === config) return version;
  throw new Error(`The tag ${tag} does not fit deno.json: it has to be "v" and the version there`);
}
