/**
 * Makes bundles for browsers fail if they take in what belongs on the server.
 *
 * The condition `browser` gives such an entry another file, which leads to a file that does not exist: its name is what the
 * developer has to read, and each bundler prints it. Nothing calls this import, because a test in jsdom on Node asks for
 * the same condition, and works.
 *
 * @module
 */
import { dirname, relative } from "node:path";
import { SERVER_ONLY } from "../../src/kernel/server_only.ts";

/** What browsers load: it holds no secret and, in files for browsers, nothing of the service. */
const FOR_BROWSERS: readonly string[] = [
  "./client",
  "./client/account",
  "./client/account/react",
  "./client/account/solid",
  "./client/account/svelte",
  "./client/account/vue",
  "./errors",
  "./next-react",
  "./qwik",
  "./react",
  "./solid",
  "./solid-start/client",
  "./svelte",
  "./sveltekit/client",
  "./vue",
];

/** What runs on a server. Some of these also set `browser`, so they are asked for first. */
const SERVERS: readonly string[] = ["workerd", "edge-light", "deno", "bun", "node", "worker"];

/** The folder of the files that bundles for browsers get. */
const FOLDER = "browser";

type Targets = Readonly<Record<string, string>>;

/** The files of each subpath, by condition. */
export type Exports = Readonly<Record<string, Targets>>;

/** Gives the subpaths their conditions. */
export function withConditions(exports: Exports): Exports {
  return Object.fromEntries(
    Object.entries(exports).map((
      [subpath, targets],
    ) => [subpath, FOR_BROWSERS.includes(subpath) ? targets : of(targets)]),
  );
}

function of({ types = "", default: code = "", ...others }: Targets): Targets {
  const servers = Object.fromEntries(SERVERS.map((name) => [name, code]));
  return { types, ...servers, browser: `./${FOLDER}/${code.slice("./".length)}`, ...others, default: code };
}

/** Says which modules must not be left out of a bundle, although nothing uses what they export but through another file. */
export const SIDE_EFFECTS: readonly string[] = [`./${FOLDER}/**`];

/** The one of them that imports what does not exist, so that a build fails once for all. */
const WALL = `${FOLDER}/server_only.js`;

/** Writes the files that bundles for browsers get. */
export async function writeRefusals(folder: string, { exports }: { readonly exports: Exports }): Promise<void> {
  await Deno.mkdir(`${folder}/${FOLDER}`, { recursive: true });
  await Deno.writeTextFile(`${folder}/${WALL}`, `import "./${SERVER_ONLY}";\n`);
  for (const { browser, default: code } of Object.values(exports)) {
    if (browser === undefined || code === undefined) continue;
    const pathTo = (file: string): string =>
      relative(dirname(browser), file).replaceAll("\\", "/").replace(/^(?!\.)/, "./");
    // Exported, because bundlers ignore code that cannot be called.
    const text = `export * from "${pathTo(code)}";\nexport const serverOnly = () => import("${pathTo(WALL)}");\n`;
    await Deno.mkdir(dirname(`${folder}/${browser}`), { recursive: true });
    await Deno.writeTextFile(`${folder}/${browser}`, text);
  }
}
