/**
 * A client without pages, for every release: it sends requests and keeps cookies.
 *
 * The files of this folder import the package by its name, because each release runs them.
 *
 * @module
 */

/** Answers requests, as the handler of a service does. */
export type Handler = (request: Request) => Promise<Response>;

/** What is sent. */
export interface Sent {
  /** `GET` without fields and JSON, else `POST`. */
  readonly method?: string;
  /** A form. */
  readonly fields?: Readonly<Record<string, string>>;
  /** JSON instead of a form. */
  readonly json?: unknown;
  /** Headers besides. `null` takes out one that is there by default. */
  readonly headers?: Readonly<Record<string, string | null>>;
}

/** A client. */
export interface Client {
  readonly cookies: Map<string, string>;
  send(path: string, sent?: Sent): Promise<Response>;
  /** Posts a form with the token of `GET /auth/csrf`. */
  post(path: string, fields?: Readonly<Record<string, string>>, sent?: Sent): Promise<Response>;
  csrf(): Promise<string>;
}

/** Makes a client. It has no page, so it keeps a cookie until it is removed. */
export function clientOf(
  handler: Handler,
  origin: string,
  kept: Readonly<Record<string, string>> = {},
): Client {
  const cookies = new Map(Object.entries(kept));

  async function send(path: string, sent: Sent = {}): Promise<Response> {
    const response = await handler(requestOf(new URL(path, origin), cookies, sent));
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/;\s*max-age=0/i.test(line)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  }

  async function csrf(): Promise<string> {
    const { csrfToken } = await (await send("/auth/csrf")).json();
    return csrfToken;
  }

  const post: Client["post"] = async (path, fields = {}, sent = {}) => {
    return await send(path, { ...sent, fields: { csrfToken: await csrf(), ...fields } });
  };

  return { cookies, send, csrf, post };
}

function requestOf(url: URL, cookies: ReadonlyMap<string, string>, sent: Sent): Request {
  const { fields, json } = sent;
  const body = json === undefined ? fields && String(new URLSearchParams(fields)) : JSON.stringify(json);
  const { method = body === undefined ? "GET" : "POST" } = sent;
  const headers = new Headers({ "sec-fetch-site": "same-origin" });
  if (cookies.size > 0) headers.set("cookie", [...cookies].map((pair) => pair.join("=")).join("; "));
  if (method !== "GET" && method !== "HEAD") headers.set("origin", url.origin);
  if (body !== undefined) {
    headers.set("content-type", json === undefined ? "application/x-www-form-urlencoded" : "application/json");
  }
  for (const [name, value] of Object.entries(sent.headers ?? {})) {
    if (value === null) headers.delete(name);
    else headers.set(name, value);
  }
  return new Request(url, { method, headers, redirect: "manual", ...(body !== undefined && { body }) });
}
