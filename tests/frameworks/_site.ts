/** An example while it runs, with its provider, its storage and its visitors. */
import { createServer, request as askHttp } from "node:http";
import type { AddressInfo } from "node:net";
import { DatabaseSync } from "node:sqlite";
import { type DemoId, startDemoId } from "../../examples/demo/demo_id.ts";
import { Browser } from "../_support/browser.ts";
import { holdPort } from "../_support/free_port.ts";
import { type Example, nodeEnvironment, SECRETS } from "./_examples.ts";
import { type Server, startNpm } from "./_programs.ts";
import { ask } from "./_targets.ts";

/** What the stories are told about. */
export interface Site {
  readonly example: Example;
  /** The address of the application as visitors see it, without a slash at the end. */
  readonly home: string;
  /** The path of the service as visitors see it. */
  readonly basePath: string;
  readonly storage: Storage;
  /** Opens a browser. @param mayFail Whether failures of the server are what the story is about. */
  browser(mayFail?: boolean): Browser;
  /** Sends a request whose path is as it is written, as a browser opens an address. */
  raw(path: string, method?: string, headers?: Readonly<Record<string, string>>): Promise<RawAnswer>;
  /** Sends a request target over a socket, and gives all that comes back. */
  target(target: string): Promise<string>;
  close(): Promise<void>;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** The database of the application. */
export interface Storage {
  /** Makes all its sessions older by days. */
  age(days: number): void;
  /** Takes it away, and gives it back. */
  setDown(down: boolean): void;
}

export interface SiteOptions {
  /** Another path of the service. */
  readonly basePath?: string;
  /** What a proxy in front takes off paths. */
  readonly prefix?: string;
}

/** Starts an example that was installed into a folder. */
export async function openSite(example: Example, folder: string, options: SiteOptions = {}): Promise<Site> {
  try {
    return await open(example, folder, options);
  } catch (error) {
    // Somebody else on this machine was faster to take the port that was free.
    if (!/EADDRINUSE|address (?:already )?in use/i.test(String(error))) throw error;
    return await open(example, folder, options);
  }
}

async function open(example: Example, folder: string, options: SiteOptions): Promise<Site> {
  const { basePath: inner = example.basePath, prefix = "" } = options;
  const data = await Deno.makeTempDir();
  const { port, release } = await holdPort();
  const proxy = prefix ? await startProxy(prefix, port) : null;
  const origin = `http://localhost:${proxy?.port ?? port}`;
  const basePath = prefix + inner;
  const demoId = await openDemoId(`${origin}${basePath}/callback/demo-id`);
  await release();
  const database = `${data}/${SECRETS.DATABASE}`;
  const env = {
    ...await nodeEnvironment(example.runtime),
    ...example.environment,
    PORT: `${port}`,
    AUTH_SECRET: SECRETS.AUTH_SECRET,
    AUTH_URL: origin + (prefix && basePath),
    DATABASE: database,
    DEMO_ID_ISSUER: demoId.issuer,
    ...(options.basePath && { BASE_PATH: options.basePath }),
  };
  const stopOthers = async (): Promise<void> => {
    await demoId.close();
    await proxy?.close();
    await Deno.remove(data, { recursive: true });
  };
  let program: Server | undefined;
  try {
    program = await startNpm(example.script ?? "start", { cwd: folder, env }, `:${port}`);
    await program.answers(ready(`http://localhost:${port}/`));
  } catch (error) {
    await program?.stop();
    await stopOthers();
    throw error;
  }
  return {
    example,
    home: origin + prefix,
    basePath,
    storage: storageIn(database),
    browser: (mayFail = false) =>
      new Browser((request) => fetch(request), { origin, basePath, mayFail, application: true })
        .allow(demoId.issuer),
    raw: (path, method = "GET", headers = {}) => sendRaw(origin, prefix + path, method, headers),
    target: (target) => ask(Number(new URL(origin).port), target.startsWith("/") ? prefix + target : target),
    async close() {
      await program.stop();
      await stopOthers();
    },
  };
}

function openDemoId(redirectUri: string): Promise<DemoId> {
  return startDemoId({
    port: 0,
    clients: [{ clientId: "demo", clientSecret: SECRETS.clientSecret, redirectUris: [redirectUri] }],
    loginPage: ({ action }) =>
      `<form method="post" action="${action}"><input name="login"><button>Go on</button></form>`,
  });
}

async function ready(url: string): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt++) {
    const answer = await fetch(url).catch(() => null);
    await answer?.body?.cancel();
    if (answer) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`Nothing answers at ${url}`);
}

function storageIn(file: string): Storage {
  const run = (sql: string): void => {
    const database = new DatabaseSync(file);
    try {
      database.exec(`pragma busy_timeout = 2000; ${sql}`);
    } finally {
      database.close();
    }
  };
  return {
    age: (days) => run(`update session set expires = expires - ${days * 24 * 3600 * 1000}`),
    setDown: (down) => run(down ? "alter table session rename to gone" : "alter table gone rename to session"),
  };
}

function sendRaw(
  origin: string,
  path: string,
  method: string,
  headers: Readonly<Record<string, string>>,
): Promise<RawAnswer> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const request = askHttp({ hostname, port, path, method, headers, agent: false }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part) => text += part);
      response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
    });
    request.once("error", reject).end();
  });
}

/** Starts a proxy that has the application at a prefix, as `location /app/ { proxy_pass http://app/; }` of nginx does. */
async function startProxy(prefix: string, to: number): Promise<{ readonly port: number; close(): Promise<void> }> {
  const server = createServer((incoming, outgoing) => {
    const { url = "/", method, headers } = incoming;
    if (!url.startsWith(`${prefix}/`)) return void outgoing.writeHead(404).end("elsewhere");
    const path = url.slice(prefix.length);
    const inner = askHttp({ hostname: "localhost", port: to, path, method, headers, agent: false }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    inner.once("error", () => outgoing.writeHead(502).end());
    incoming.pipe(inner);
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
