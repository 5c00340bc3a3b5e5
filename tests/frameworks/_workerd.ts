/** The runtime of Cloudflare Workers, with one worker in it, and the rest of the world as this process answers for it. */
import { readFileSync, writeFileSync } from "node:fs";
import { createConnection } from "node:net";
import { run } from "../../scripts/npm/run.ts";
import { Browser, type BrowserOptions } from "../_support/browser.ts";
import { freePort, holdPort } from "../_support/free_port.ts";
import { type Example, installExample, nodeEnvironment } from "./_examples.ts";
import { startNpm, within } from "./_programs.ts";

const WORKERS: Example = { name: "workers", basePath: "/auth", built: false, source: "tests/frameworks/workers" };

/** The page whose settings the worker runs with. */
export const PAGE = "docs/platforms/cloudflare.md";

/** A worker, and what it is given. */
export interface WorkerOptions {
  /** Its file in `tests/frameworks/workers`, or the name that `code` gets. */
  readonly file: string;
  readonly code?: string;
  readonly env: Readonly<Record<string, string>>;
  /** Answers what it sends over the network, whatever the host. */
  readonly world: (request: Request) => Promise<Response>;
}

/** A worker that runs. */
export interface Worker {
  readonly origin: string;
  /** Opens a browser. */
  browser(options?: BrowserOptions): Browser;
  /** Sends a request, and is gone without a word when `until` is over. */
  leave(request: Request, until: Promise<void>): Promise<void>;
  /** What the worker has logged. */
  output(): string;
  stop(): Promise<void>;
}

/** Bundles a worker as Wrangler does, and starts it in workerd. */
export async function startWorker({ file, code, env, world }: WorkerOptions): Promise<Worker> {
  const folder = await installExample(WORKERS);
  const place = { cwd: folder, env: await nodeEnvironment() };
  if (code) writeFileSync(`${folder}/${file}`, code);
  await run("node", ["node_modules/esbuild/bin/esbuild", file, ...BUNDLE], place);
  const { port, release } = await holdPort();
  const origin = `http://localhost:${port}`;
  const given = { AUTH_URL: origin, AUTH_SECRET: "0123456789abcdef0123456789abcdef", ...env };
  writeFileSync(`${folder}/config.capnp`, configOf(given));
  await release();
  const answering = Deno.serve({ hostname: "localhost", port: await freePort(), onListen() {} }, world);
  const ports = { PORT: `${port}`, WORLD: `${answering.addr.port}` };
  const server = await startNpm("start", { cwd: folder, env: { ...place.env, ...ports } }, "workerd");
  const stop = async (): Promise<void> => {
    await server.stop();
    await answering.shutdown();
  };
  try {
    await within(20, "workerd to listen", server.answers(listens(origin)));
  } catch (error) {
    await stop();
    throw new Error(server.output(), { cause: error });
  }
  return {
    origin,
    browser: (options) => new Browser((request) => fetch(request), { origin, application: true, ...options }),
    leave: (request, until) => leave(port, request, until),
    output: server.output,
    stop,
  };
}

const BUNDLE = [
  "--bundle",
  "--format=esm",
  "--outfile=out/worker.js",
  "--conditions=workerd,worker,browser",
  "--platform=browser",
  "--external:node:*",
  "--log-level=error",
];

/** What `wrangler dev` makes of the `wrangler.jsonc` of the page. */
function configOf(env: Readonly<Record<string, string>>): string {
  const page = readFileSync(PAGE, "utf8");
  const [, date] = /"compatibility_date": ("[\d-]+")/.exec(page) ?? [];
  const [, flags] = /"compatibility_flags": (\[[^\]]*\])/.exec(page) ?? [];
  if (!date || !flags) throw new Error(`Cannot find the settings in ${PAGE}`);
  const bindings = Object.entries(env).map(([name, value]) => `(name = "${name}", text = ${JSON.stringify(value)})`);
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "site", worker = .site),
    (name = "world", external = (http = (style = proxy))),
  ],
  sockets = [(name = "site", http = (), service = "site")],
);
const site :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "out/worker.js")],
  compatibilityDate = ${date},
  compatibilityFlags = ${flags},
  bindings = [${bindings.join(", ")}],
  globalOutbound = "world",
);
`;
}

async function listens(origin: string): Promise<void> {
  const ask = () => fetch(`${origin}/auth/csrf`).then((answer) => answer.text());
  while (await ask().then(() => false, () => true)) await new Promise((wake) => setTimeout(wake, 50));
}

// A connection that is closed may still be read from, and workerd goes on. One that is reset may not.
async function leave(port: number, request: Request, until: Promise<void>): Promise<void> {
  const { pathname, search } = new URL(request.url);
  const body = await request.text();
  const lines = [
    `${request.method} ${pathname}${search} HTTP/1.1`,
    `host: localhost:${port}`,
    ...[...request.headers].map(([name, value]) => `${name}: ${value}`),
    `content-length: ${body.length}`,
  ];
  const socket = createConnection({ host: "localhost", port }).on("error", () => {});
  socket.write(`${lines.join("\r\n")}\r\n\r\n${body}`);
  await until;
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  socket.resetAndDestroy();
  await closed;
}
