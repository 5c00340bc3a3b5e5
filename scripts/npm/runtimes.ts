/**
 * Node and Bun, fetched from npm for this machine.
 *
 * @module
 */
import { existsSync, readdirSync } from "node:fs";
import { isFile } from "../source_files.ts";
import { npm, QUIET, run } from "./run.ts";

/** A runtime other than Deno, ready to run. */
export interface OtherRuntime {
  /** Name and version, as `Node 24.1.0`. */
  readonly name: string;
  readonly kind: "node" | "bun";
  readonly command: string;
}

/** The runtimes to fetch, and the npm package of each. */
const PACKAGES = { "node-22": `node-${platform()}@22`, "node-24": `node-${platform()}@24`, "bun": "bun@1" } as const;

/** The name of a runtime to fetch. */
export type RuntimeName = keyof typeof PACKAGES;

/** Fetches a runtime into its own folder, unless it is already there. */
export async function fetchRuntime(name: RuntimeName, into: string): Promise<OtherRuntime> {
  const folder = `${into}/${name}`;
  const kind = name === "bun" ? "bun" : "node";
  const known = binaryIn(folder, kind);
  if (known) return await describeRuntime(kind, known);
  await Deno.mkdir(folder, { recursive: true });
  await Deno.writeTextFile(`${folder}/package.json`, '{ "private": true }\n');
  await npm(["install", ...QUIET, PACKAGES[name]], folder);
  const command = binaryIn(folder, kind);
  if (!command) throw new Error(`Cannot find ${name} in what npm installed for ${platform()}`);
  return await describeRuntime(kind, command);
}

/** The Node on PATH, or `null` if there is none that runs TypeScript. */
export async function nodeOnPath(): Promise<OtherRuntime | null> {
  try {
    const found = await describeRuntime("node", "node");
    return stripsTypes(found.name) ? found : null;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}

/** Whether a Node runs TypeScript, by its name. Odd versions are supported for some months only, so they do not count. */
export function stripsTypes(name: string): boolean {
  const [major = 0, minor = 0] = name.replace("Node ", "").split(".").map(Number);
  return major >= 24 || (major === 22 && minor >= 18);
}

async function describeRuntime(kind: OtherRuntime["kind"], command: string): Promise<OtherRuntime> {
  const version = (await run(command, ["--version"])).trim().replace(/^v/, "");
  return { name: `${kind === "bun" ? "Bun" : "Node"} ${version}`, kind, command };
}

function platform(): string {
  const { os, arch } = Deno.build;
  return `${os === "windows" ? "win" : os}-${arch === "x86_64" ? "x64" : "arm64"}`;
}

function binaryIn(folder: string, kind: OtherRuntime["kind"]): string | undefined {
  const suffix = Deno.build.os === "windows" ? ".exe" : "";
  const node = `${folder}/node_modules/node-${platform()}/bin/node${suffix}`;
  // The install script of the package `bun` would only move this file.
  const oven = `${folder}/node_modules/@oven`;
  const names = kind === "bun" && existsSync(oven) ? readdirSync(oven) : [];
  const candidates = kind === "node" ? [node] : names.map((name) => `${oven}/${name}/bin/bun${suffix}`);
  const found = candidates.find(isFile);
  return found && Deno.realPathSync(found);
}
