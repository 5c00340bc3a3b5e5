/**
 * Checks that the package works inside the bundle of an application: it starts, and passkeys register and sign in.
 *
 * Bundlers split and merge modules, and that can change the order in which they run. The WebAuthn library depends on
 * that order, so its code is what the check runs, attestation included.
 *
 * @module
 */
import { rmSync } from "node:fs";
import { makeMaker, takeTour } from "../../tests/_support/passkey_tour.ts";
import { makeConsumer, type Trial } from "./consumer.ts";
import { freePort, run, stopProgram, waitForOutput } from "./run.ts";
import type { OtherRuntime } from "./runtimes.ts";

/** The bundlers. Nitro merges modules the most, and brings Rolldown with it. */
const PACKAGES = [
  "@rollup/plugin-node-resolve@16",
  "esbuild@0.28.2",
  "nitro@3.0.260610-beta",
  "rollup@4",
  "vite@8",
];

const APP = `
import { createAuth } from "@x/auth";
import { setRootCertificates } from "@x/auth/attestation";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { passkey } from "@x/auth/providers/passkey";

setRootCertificates("packed", [Uint8Array.from(process.env.ROOT.split(","), Number)]);
export const { handler } = createAuth({
  secret: "a secret for a tour, longer than 32 characters",
  trustHost: true,
  adapter: memoryAdapter(),
  providers: [passkey({ registrationOptions: { attestationType: "direct" } })],
});
`;

const FILES: Readonly<Record<string, string>> = {
  "app.js": APP,
  "server.js": `import { handler } from "./app.js";\nexport default { fetch: (request) => handler(request) };\n`,
  "main.js": `
import { createServer } from "node:http";
import { nodeListener } from "@x/auth/node";
import { handler } from "./app.js";

createServer(nodeListener(handler)).listen(Number(process.env.PORT), () => console.log("Listening"));
`,
  "nitro.config.js": `
export default { preset: "node-server", builder: process.env.BUILDER, minify: true, serverEntry: "./server.js" };
`,
  "rollup.config.js": `
import resolve from "@rollup/plugin-node-resolve";
import { transform } from "esbuild";

const minify = { name: "minify", renderChunk: (code) => transform(code, { minify: true }) };

export default {
  input: "main.js",
  output: { dir: process.env.OUT },
  external: /^node:/,
  plugins: [resolve({ exportConditions: ["node"] }), minify],
};
`,
};

/** How to make a bundle. */
interface Bundling {
  readonly name: string;
  /** Path of the program to run, below node_modules. */
  readonly tool: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The file to start. */
  readonly entry: string;
}

const ESBUILD = ["main.js", "--bundle", "--minify", "--platform=node", "--format=esm"];
const ROLLDOWN = ["main.js", "--platform=node", "--format=esm", "--minify"];

const BUNDLINGS: readonly Bundling[] = [
  ...["vite", "rolldown", "rollup"].map((builder) => ({
    name: `Nitro with ${builder}`,
    tool: "nitro/dist/cli/index.mjs",
    args: ["build"],
    env: { BUILDER: builder },
    entry: ".output/server/index.mjs",
  })),
  {
    name: "esbuild, one file",
    tool: "esbuild/bin/esbuild",
    args: [...ESBUILD, "--outfile=esbuild/main.js"],
    entry: "esbuild/main.js",
  },
  {
    name: "esbuild, chunks",
    tool: "esbuild/bin/esbuild",
    args: [...ESBUILD, "--splitting", "--outdir=chunks"],
    entry: "chunks/main.js",
  },
  {
    name: "Rollup",
    tool: "rollup/dist/bin/rollup",
    args: ["--config", "rollup.config.js"],
    env: { OUT: "rollup" },
    entry: "rollup/main.js",
  },
  {
    name: "Rolldown",
    tool: "rolldown/bin/cli.mjs",
    args: [...ROLLDOWN, "--dir=rolldown"],
    entry: "rolldown/main.js",
  },
  {
    name: "Rolldown, one file",
    tool: "rolldown/bin/cli.mjs",
    args: [...ROLLDOWN, "--no-code-splitting", "--dir=rolldown-one"],
    entry: "rolldown-one/main.js",
  },
];

/** Makes each bundle and runs it. @throws {Error} if it cannot be made, does not start, or refuses a passkey. */
export async function tryBundles(folder: string, { tarball, node, progress }: Trial): Promise<void> {
  await makeConsumer(folder, FILES, [tarball, ...PACKAGES]);
  for (const { name, tool, args, env, entry } of BUNDLINGS) {
    progress(`A bundle by ${name}`);
    rmSync(`${folder}/.output`, { recursive: true, force: true });
    await run(node.command, [`node_modules/${tool}`, ...args], { cwd: folder, env });
    try {
      await tryBundle(folder, node, entry);
    } catch (error) {
      throw new Error(`Passkeys do not work in a bundle by ${name}`, { cause: error });
    }
  }
}

async function tryBundle(folder: string, node: OtherRuntime, entry: string): Promise<void> {
  const maker = await makeMaker();
  const port = freePort();
  const origin = `http://localhost:${port}`;
  const env = { PORT: `${port}`, ROOT: `${maker.der}` };
  const options: Deno.CommandOptions = {
    args: [entry],
    cwd: folder,
    env,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  };
  const site = new Deno.Command(node.command, options).spawn();
  // Read from the start: a program blocks if its output is not read.
  const errors = new Response(site.stderr).text();
  try {
    await waitForOutput(site, "Listening");
    await takeTour((request) => fetch(request, { redirect: "manual" }), origin, maker);
  } catch (error) {
    await stopProgram(site);
    throw new Error((await errors).slice(0, 2000) || "It printed no error", { cause: error });
  }
  await stopProgram(site);
  // Bundlers rename classes, but the log has to name the error type.
  const wanted = "[auth][warn] webauthn-verification-error: ";
  if (!(await errors).includes(wanted)) throw new Error(`The log does not contain "${wanted}": ${await errors}`);
}
