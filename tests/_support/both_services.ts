/** The same configuration served by this package and by @auth/core, to compare what they do. */
import { Auth as otherAuth, type AuthConfig as OtherConfig } from "@auth/core";
import { Auth, type AuthConfig } from "@x/auth";
import { CookieJar } from "./cookie_jar.ts";
import { SECRET } from "./service.ts";

/** One of the two services. */
export interface Side {
  readonly name: "here" | "there";
  readonly handler: (request: Request) => Promise<Response>;
}

const silent = { error: () => {}, warn: () => {}, debug: () => {} };

/**
 * Serves a configuration twice.
 *
 * @param make Makes the configuration of one side, so that nothing is shared.
 */
export function bothServices(make: (side: Side["name"]) => object): readonly [here: Side, there: Side] {
  const common = { secret: SECRET, trustHost: true, logger: silent };
  const [here, there] = [{ ...common, ...make("here") }, { ...common, basePath: "/auth", ...make("there") }];
  return [
    { name: "here", handler: (request) => Auth(request, here as AuthConfig) },
    { name: "there", handler: (request) => otherAuth(request, there as unknown as OtherConfig) },
  ];
}

/** A client without pages, which both services know: it gets a CSRF token and posts forms. */
export class Client {
  readonly cookies = new CookieJar();
  readonly origin: string;
  readonly #handler: Side["handler"];

  constructor({ handler }: Side, origin = "http://localhost:3000") {
    this.#handler = handler;
    this.origin = origin;
  }

  async send(path: string, init: RequestInit = {}): Promise<Response> {
    const url = new URL(path, this.origin);
    const headers = new Headers(init.headers);
    const cookie = this.cookies.headerFor(url, { sameSite: true, safe: true });
    if (cookie) headers.set("cookie", cookie);
    const response = await this.#handler(new Request(url, { ...init, headers, redirect: "manual" }));
    for (const header of response.headers.getSetCookie()) this.cookies.store(header, url);
    return response;
  }

  // deno-lint-ignore no-explicit-any -- a test knows what it asked for
  async json(path: string): Promise<any> {
    return await (await this.send(path)).json();
  }

  /** Posts a form with its CSRF token. Gives the URL that the answer leads to. */
  async post(path: string, fields: Readonly<Record<string, string>> = {}): Promise<string | null> {
    const { csrfToken } = await this.json("/auth/csrf");
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const body = String(new URLSearchParams({ ...fields, csrfToken }));
    const response = await this.send(path, { method: "POST", headers, body });
    await response.body?.cancel();
    return response.headers.get("location");
  }
}
