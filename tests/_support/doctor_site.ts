/** A site behind a proxy that lies as it is told, its provider, and a network in which both have public names. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type AuthConfig, createAuth } from "@x/auth";
import type { AskRuntime } from "../../cli/doctor/ask.ts";
import { examine } from "../../cli/doctor/doctor.ts";
import type { DoctorOptions, DoctorReport } from "../../cli/doctor/finding.ts";
import { systemRuntime } from "../../src/kernel/runtime.ts";
import { password, testConfig } from "./service.ts";

export const SHOP = "https://shop.example";
export const ID = "https://id.example";

/** Texts that no output may have. */
export const CANARIES = {
  clientSecret: "canary-client-secret-1a2b3c",
  secret: "canary-secret-of-the-service-4d5e6f7a8b",
};

/** A request, as the proxy got it. */
export interface Told {
  readonly method: string;
  readonly path: string;
  /** The origin that was asked. */
  readonly origin: string;
  readonly headers: Headers;
  readonly body: string;
}

export interface PlainAnswer {
  status: number;
  headers: [name: string, value: string][];
  body: string;
}

/** What is wrong with the site. */
export interface Lies {
  /** Options that the service has instead. */
  readonly config?: AuthConfig;
  /** Changes the headers that the proxy sends on. */
  readonly ask?: (headers: Headers, told: Told) => void;
  /** Changes an answer, or gives another. */
  readonly answer?: (answer: PlainAnswer, told: Told) => PlainAnswer | void;
  /** Answers in the place of everything else. */
  readonly raw?: (response: ServerResponse, told: Told) => boolean;
  /** Answers for the provider. */
  readonly provider?: (url: URL) => PlainAnswer | null;
}

export interface DoctorSite {
  doctor(given?: string, options?: DoctorOptions): Promise<DoctorReport>;
  readonly runtime: AskRuntime;
  /** All requests that arrived, at the site and at its provider. */
  readonly requests: readonly Told[];
  /** Values of cookies that the site has set, and CSRF tokens. */
  readonly values: ReadonlySet<string>;
  close(): Promise<void>;
}

/** Its authorization endpoint shows a page to sign in. */
export const PROVIDER = {
  id: "id",
  name: "ID",
  type: "oauth",
  clientId: "shop",
  clientSecret: CANARIES.clientSecret,
  authorization: `${ID}/authorize`,
  token: `${ID}/token`,
  userinfo: `${ID}/userinfo`,
  profile: () => ({ id: "1" }),
} as const;

/** Starts a site that is sound, apart from the lies. */
export async function startDoctorSite(lies: Lies = {}): Promise<DoctorSite> {
  const { handler } = createAuth(testConfig({
    secret: CANARIES.secret,
    providers: [PROVIDER, password()],
    ...lies.config,
  }));
  const requests: Told[] = [];
  const values = new Set<string>();
  const site = await listen(async (told, response) => {
    requests.push(told);
    if (lies.raw?.(response, told)) return;
    let answer = await serve(handler, told, lies);
    answer = lies.answer?.(answer, told) ?? answer;
    for (const [name, value] of answer.headers) {
      if (name === "set-cookie") { for (const part of value.split(/[=;]/).slice(1, 2)) values.add(part); }
    }
    const token = /"csrfToken":"(\w+)"/.exec(answer.body)?.[1];
    if (token) values.add(token);
    write(response, answer);
  });
  const provider = await listen((told, response) => {
    requests.push(told);
    const url = new URL(told.path, ID);
    write(response, lies.provider?.(url) ?? providerAnswer(url));
  });
  const ports: Readonly<Record<string, number>> = {
    [SHOP]: site.port,
    "http://shop.example": site.port,
    "https://www.shop.example": site.port,
    "http://internal:3000": site.port,
    [ID]: provider.port,
  };
  const runtime: AskRuntime = {
    ...systemRuntime,
    fetch(input, init) {
      const url = new URL(String(input));
      const port = ports[url.origin];
      if (port === undefined) return Promise.reject(new TypeError(`dns error: ${url.hostname}`));
      const headers = new Headers(init?.headers);
      headers.set("x-asked", url.origin);
      return fetch(`http://127.0.0.1:${port}${url.pathname}${url.search}`, { ...init, headers });
    },
  };
  return {
    runtime,
    requests,
    values,
    doctor: (given = SHOP, options = {}) => examine(given, { timeout: 2, ...options }, runtime),
    close: async () => void await Promise.all([site.close(), provider.close()]),
  };
}

/** The value of a header of an answer. */
export function put(answer: PlainAnswer, name: string, value: string | null): void {
  answer.headers = answer.headers.filter(([each]) => each !== name);
  if (value !== null) answer.headers.push([name, value]);
}

/** Changes each cookie that an answer sets. */
export function changeCookies(answer: PlainAnswer, change: (line: string) => string | null): void {
  answer.headers = answer.headers.flatMap(([name, value]): [string, string][] => {
    if (name !== "set-cookie") return [[name, value]];
    const changed = change(value);
    return changed === null ? [] : [[name, changed]];
  });
}

async function serve(handler: (request: Request) => Promise<Response>, told: Told, lies: Lies): Promise<PlainAnswer> {
  const { path, origin, method, body } = told;
  const headers = new Headers(told.headers);
  if (origin.startsWith("http:")) {
    return { status: 308, headers: [["location", SHOP + path]], body: "" };
  }
  if (!path.startsWith("/auth/") && !path.startsWith("/api/auth/") && !path.startsWith("/app/auth/")) {
    const found = path === "/";
    return {
      status: found ? 200 : 404,
      headers: [["content-type", "text/html"], ["strict-transport-security", "max-age=31536000"]],
      body: "<h1>Shop</h1>",
    };
  }
  headers.set("x-forwarded-host", "shop.example");
  headers.set("x-forwarded-proto", "https");
  lies.ask?.(headers, told);
  const response = await handler(
    new Request(`http://10.0.0.3:3000${path}`, { method, headers, ...(method === "POST" && { body }) }),
  );
  return { status: response.status, headers: [...response.headers], body: await response.text() };
}

function providerAnswer(url: URL): PlainAnswer {
  const headers: [string, string][] = [["content-type", "text/html"]];
  if (url.pathname === "/authorize") {
    // Words of an error in a script mean nothing.
    const body =
      "<script>const texts = { e: 'invalid redirect_uri', f: 'unknown client' }</script><form>Sign in</form>";
    return { status: 200, headers, body };
  }
  return { status: 404, headers, body: "" };
}

function write(response: ServerResponse, { status, headers, body }: PlainAnswer): void {
  response.writeHead(status, headers.flat());
  response.end(body);
}

async function listen(answer: (told: Told, response: ServerResponse) => unknown) {
  const server: Server = createServer(async (request: IncomingMessage, response) => {
    try {
      const chunks: Uint8Array[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const headers = new Headers();
      for (const [name, value] of Object.entries(request.headers)) headers.set(name, String(value));
      const origin = headers.get("x-asked") ?? "";
      for (const name of ["x-asked", "host", "connection", "transfer-encoding"]) headers.delete(name);
      const body = new TextDecoder().decode(await new Blob(chunks as BlobPart[]).arrayBuffer());
      await answer({ method: request.method ?? "", path: request.url ?? "", origin, headers, body }, response);
    } catch {
      response.destroy();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  };
  return { port, close };
}
