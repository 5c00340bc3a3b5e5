/** Sends odd targets over sockets to servers with a guarded wildcard: no guarded body leaves. */
import { strict as assert } from "node:assert";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { freePort } from "../_support/free_port.ts";
import { type Example, EXAMPLES, installExample, nodeEnvironment } from "./_examples.ts";
import { startNpm, within } from "./_programs.ts";
import { ask, TARGETS } from "./_targets.ts";

interface Row {
  readonly name: string;
  /** The file in `bindings`; none for a server that has no binding. */
  readonly binding?: string;
  readonly runtime?: Example["runtime"];
  /** Targets that its framework itself cannot read, and answers with 500. */
  readonly unreadable?: RegExp;
}

/** The servers of `raw_targets/servers.mjs`. */
const SERVERS: readonly Row[] = [
  { name: "express-5", binding: "express" },
  { name: "express-4", binding: "express" },
  { name: "fastify", binding: "fastify" },
  { name: "fastify-semicolons", binding: "fastify" },
  { name: "nest-express", binding: "nest" },
  { name: "nest-fastify", binding: "nest" },
  { name: "hono-node", binding: "hono" },
  { name: "hono-bun", binding: "hono", runtime: "bun" },
  { name: "hono-deno", binding: "hono", runtime: "deno" },
  { name: "elysia-bun", binding: "elysia", runtime: "bun" },
  { name: "elysia-node", binding: "elysia" },
  { name: "oak", binding: "oak", runtime: "deno", unreadable: /^(?:http:|\*)/i },
  { name: "fresh", binding: "fresh", runtime: "deno" },
  { name: "h3", binding: "nuxt" },
  { name: "koa" },
  { name: "node" },
  { name: "node-listener" },
  { name: "deno", runtime: "deno" },
  { name: "bun", runtime: "bun" },
];

/** Servers that choose a route by a path that they show nobody: the guard refuses their routes. */
const UNGUARDABLE: readonly Row[] = [
  { name: "bun-routes", runtime: "bun" },
  { name: "elysia-bun-routes", runtime: "bun" },
];

/** What a router puts into the body of a page for members. */
const CLOSED = /For members only/;

const SITE: Example = { name: "raw-targets", basePath: "/auth", built: false, source: "tests/frameworks/raw_targets" };

const chosen = Deno.env.get("SERVERS")?.split(/[ ,]+/);

const isChosen = ({ name }: Row): boolean => chosen?.includes(name) ?? true;

for (const { name, runtime, unreadable } of SERVERS.filter(isChosen)) {
  test(`${name} gives no guarded body to ${TARGETS.length} targets of strangers`, async () => {
    const [open, answers] = await askAll(name, runtime);
    assert.match(open, /^HTTP\/1\.1 200 [^]*open/, "what is open is shown");
    assert.deepEqual(targetsOf(answers, CLOSED), [], "let in");
    const failed = targetsOf(answers, /^HTTP\/1\.1 50[0-4]/);
    assert.deepEqual(failed.filter((target) => !unreadable?.test(target)), [], "failed");
  });
}

for (const { name, runtime } of UNGUARDABLE.filter(isChosen)) {
  test(`${name} gives no guarded body to ${TARGETS.length} targets, because it refuses guarded routes`, async () => {
    const [, answers, output] = await askAll(name, runtime);
    assert.match(answers.get("/members/1") ?? "", /^HTTP\/1\.1 500 /);
    assert.deepEqual(targetsOf(answers, CLOSED), [], "let in");
    assert.match(output, /Cannot guard a route of `Bun\.serve`/, "the log says why");
  });
}

/** Starts a server and asks it for an open page and for all targets. Gives the answers, and what the server has printed. */
async function askAll(
  name: string,
  runtime: Row["runtime"],
): Promise<[open: string, answers: Answers, output: string]> {
  const folder = await installExample(SITE);
  const port = await freePort();
  const env = { ...await nodeEnvironment(runtime), PORT: `${port}`, SERVER: name };
  const server = await startNpm(runtime ?? "node", { cwd: folder, env }, `:${port}`);
  try {
    await within(20, `${name} to listen`, listens(port));
    const open = await ask(port, "/open");
    const answers = new Map<string, string>();
    for (const target of TARGETS) answers.set(target, await within(20, target, ask(port, target)));
    return [open, answers, server.output()];
  } finally {
    await server.stop();
  }
}

type Answers = ReadonlyMap<string, string>;

function targetsOf(answers: Answers, pattern: RegExp): readonly string[] {
  return [...answers].filter(([, text]) => pattern.test(text)).map(([target]) => target);
}

// Oak says that it listens before it does.
async function listens(port: number): Promise<void> {
  while (await ask(port, "/open").then(() => false, () => true)) await new Promise((wake) => setTimeout(wake, 50));
}

test("each binding has a server here, or a built example whose stories send the targets", () => {
  const bindings = readdirSync("bindings").filter((file) => file.endsWith(".ts")).map((file) => file.slice(0, -3));
  const told = EXAMPLES.filter(({ built }) => built).map(({ name }) => name.replaceAll("-", "_"));
  const missing = bindings.filter((binding) =>
    !told.includes(binding) && !SERVERS.some((row) => row.binding === binding)
  );
  assert.deepEqual(missing, []);
});
