/**
 * Other libraries as servers of their own, whose packages are installed when a test first needs them.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CookieJar } from "./cookie_jar.ts";

/** The packages, with their versions. They are too heavy for deno.json. */
const PACKAGES = ["better-auth@1.7.25", "@better-auth/passkey@1.7.6", "next-auth@4.24.15", "pg@8.23.1"];

/** A server of another library. It answers for any origin. */
export interface Peer {
  answer(request: Request): Promise<Response>;
  close(): Promise<void>;
}

/** The programs of the peers. */
export type PeerName = "better_auth" | "next_auth_v4";

/** Starts a peer. `settings` is what its program is told. */
export async function startPeer(name: PeerName, settings: unknown): Promise<Peer> {
  const folder = await install();
  const program = join(folder, `${name}.ts`);
  await Deno.copyFile(new URL(`./peers/${name}.ts`, import.meta.url), program);
  const command = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-lock", "--no-config", "--no-check", "--node-modules-dir=manual", program],
    cwd: folder,
    env: { SETTINGS: JSON.stringify(settings), NEXTAUTH_URL: "http://localhost:3000", AUTH_TRUST_HOST: "true" },
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  });
  const child = command.spawn();
  const port = await portOf(child.stdout);
  let closed = false;
  return {
    answer(request) {
      const headers = new Headers(request.headers);
      headers.set("x-url", request.url);
      const { method, body } = request;
      return fetch(`http://127.0.0.1:${port}/`, { method, headers, body, redirect: "manual" });
    },
    async close() {
      if (!closed) child.kill();
      closed = true;
      await child.status;
    },
  };
}

async function portOf(output: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<string> {
  const reader = output.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    text += read.value;
    const [, port] = /listens on (\d+)/.exec(text) ?? [];
    if (port === undefined) continue;
    // The rest of the output is read too, or the peer would wait for it.
    void (async () => {
      while (!(await reader.read()).done);
    })();
    return port;
  }
  throw new Error(`Cannot start the peer: ${text}`);
}

/** Installs the packages once for each list of versions. */
async function install(): Promise<string> {
  const key = createHash("sha256").update(PACKAGES.join()).digest("hex").slice(0, 12);
  const folder = join(tmpdir(), `auth-peers-${key}`);
  if (existsSync(join(folder, "installed"))) return folder;
  await Deno.mkdir(folder, { recursive: true });
  await Deno.writeTextFile(join(folder, "package.json"), `{ "private": true, "type": "module" }\n`);
  const args = ["install", "--no-audit", "--no-fund", "--loglevel=error", "--legacy-peer-deps", ...PACKAGES];
  const { success } = await new Deno.Command("npm", { args, cwd: folder, stdin: "null" }).output();
  if (!success) throw new Error(`Cannot install ${PACKAGES.join(" ")}`);
  await Deno.writeTextFile(join(folder, "installed"), "");
  return folder;
}

type Service = (request: Request) => Promise<Response>;

/** A browser at one origin, whichever server answers there. */
export class Visitor {
  readonly cookies: CookieJar = new CookieJar();
  readonly origin = "http://localhost:3000";

  /** Sends a request, and follows nothing. */
  async send(service: Service, path: string, init: RequestInit = {}): Promise<Response> {
    const url = new URL(path, this.origin);
    const headers = new Headers({ origin: this.origin, ...init.headers as Record<string, string> });
    const cookie = this.cookies.headerFor(url, { sameSite: true, safe: true });
    if (cookie) headers.set("cookie", cookie);
    const response = await service(new Request(url, { ...init, headers }));
    for (const header of response.headers.getSetCookie()) this.cookies.store(header, url);
    return response;
  }

  /** Sends JSON, and reads the answer. */
  async sendJson<T>(service: Service, path: string, body: unknown): Promise<T> {
    const headers = { "content-type": "application/json" };
    const response = await this.send(service, path, { method: "POST", headers, body: JSON.stringify(body) });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} answered ${response.status} ${text}`);
    return JSON.parse(text) as T;
  }

  async readJson<T>(service: Service, path: string): Promise<T> {
    return await (await this.send(service, path)).json() as T;
  }

  /** Posts a form to a service of this family, with its CSRF token. Gives the URL that the answer leads to. */
  async post(service: Service, path: string, fields: Readonly<Record<string, string>> = {}): Promise<URL> {
    const [base] = path.split(/\/(?=callback|signin|signout)/);
    const { csrfToken } = await this.readJson<{ csrfToken: string }>(service, `${base}/csrf`);
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const body = new URLSearchParams({ ...fields, csrfToken }).toString();
    const response = await this.send(service, path, { method: "POST", headers, body });
    await response.body?.cancel();
    return new URL(response.headers.get("location") ?? "", this.origin);
  }

  /** Says at the provider who the person is, and gives the path that the browser comes back to. */
  async agree(location: string | URL, as: string): Promise<string> {
    const url = new URL(location);
    url.searchParams.set("as", as);
    const response = await fetch(url, { redirect: "manual" });
    const { pathname, search } = new URL(response.headers.get("location") ?? "");
    return pathname + search;
  }
}
