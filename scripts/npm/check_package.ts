/**
 * Checks the npm package as an application uses it: with the TypeScript compiler, publint and attw.
 *
 * @module
 */
import { makeConsumer, type Trial } from "./consumer.ts";
import type { Manifest } from "./manifest.ts";
import { run } from "./run.ts";

/** What the application needs, and the tools. */
const PACKAGES = [
  "@arethetypeswrong/cli@0.18",
  "@deno/kv@0.14",
  "@types/node@24",
  "@types/pg@8",
  "@types/react@19",
  "express@5",
  "@types/express@5",
  "kysely@0.28",
  "mysql2@3",
  "pg@8",
  "postgres@3",
  "publint@0.3",
  "svelte@5",
  "typescript@5.9",
];

/** The module settings of TypeScript that applications use. */
const RESOLUTIONS = [["esnext", "bundler"], ["node16", "node16"], ["nodenext", "nodenext"]] as const;

/** An application that passes objects of other packages to ours: the types have to fit. */
const PROGRAM = `
import { createServer as plain } from "node:http";
import { createServer as secure } from "node:https";
import { createAuth } from "@x/auth";
import { denoKvAdapter } from "@x/auth/adapters/deno-kv";
import { mysqlAdapter } from "@x/auth/adapters/mysql";
import { postgresAdapter } from "@x/auth/adapters/postgres";
import { nodeListener, webRequest } from "@x/auth/node";
import { nodemailer } from "@x/auth/providers/nodemailer";
import { openKv } from "@deno/kv";
import express from "express";
import { Kysely, MysqlDialect } from "kysely";
import mysqlCallbacks from "mysql2";
import mysql from "mysql2/promise";
import pg from "pg";
import postgres from "postgres";

const adapters = [denoKvAdapter(await openKv("")), postgresAdapter(new pg.Pool()), postgresAdapter(postgres(""))];
const pool = mysqlCallbacks.createPool("");
const kysely = new Kysely<{ user: { id: string } }>({ dialect: new MysqlDialect({ pool }) });
for (const connection of [mysql.createPool(""), pool, kysely]) mysqlAdapter(connection);
const { handler, auth } = createAuth({
  providers: [nodemailer({ server: "smtp://localhost", from: "a@b.test" })],
  ...(adapters[0] && { adapter: adapters[0] }),
});
plain(nodeListener(handler));
secure(nodeListener(handler));
express().use("/auth", nodeListener(handler)).get("/", async (request, response) => {
  response.json(await auth(webRequest(request)));
});
`;

/** Installs the package and checks it. @throws {Error} with the output of the tool that found a problem. */
export async function checkPackage(
  folder: string,
  { tarball, manifest, node, progress }: Trial & { readonly manifest: Manifest },
): Promise<void> {
  const specifiers = Object.keys(manifest.exports).filter((subpath) => subpath !== "./package.json")
    .map((subpath) => manifest.name + subpath.slice(1));
  const imports = specifiers.map((specifier, index) => `import * as all${index} from "${specifier}";`);
  const used = `export const all = [${specifiers.map((_, index) => `all${index}`)}];`;
  const files = { "all.ts": [...imports, used].join("\n"), "app.ts": PROGRAM };
  await makeConsumer(folder, files, [tarball, ...PACKAGES]);
  const tool = (path: string, args: readonly string[]): Promise<string> => {
    return run(node.command, [`node_modules/${path}`, ...args], { cwd: folder });
  };
  for (const [module, resolution] of RESOLUTIONS) {
    progress(`tsc --strict, moduleResolution ${resolution}`);
    const options = ["--module", module, "--moduleResolution", resolution, "--target", "es2022", "--types", "node"];
    await tool("typescript/bin/tsc", ["--noEmit", "--strict", "--exactOptionalPropertyTypes", ...options, "all.ts"]);
    // Some of the packages that it imports do not pass this check themselves.
    await tool("typescript/bin/tsc", ["--noEmit", "--strict", "--skipLibCheck", ...options, "app.ts"]);
  }
  progress("publint");
  await tool("publint/src/cli.js", ["--strict", `node_modules/${manifest.name}`]);
  progress("attw");
  await tool("@arethetypeswrong/cli/dist/index.js", ["--profile", "esm-only", tarball]);
}
