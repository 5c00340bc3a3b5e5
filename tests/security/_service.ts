/** Services for tables of hostile requests: a call for each row, and every answer is held to the rules for responses. */
import { after } from "node:test";
import type { Site } from "../_support/browser.ts";
import { readSetCookie } from "../_support/cookie_jar.ts";
import { assertResponseRules } from "../_support/response_rules.ts";
import type { Issuer } from "../_support/issuer.ts";

export { fetchOf, liveIssuer, providerOf } from "../_support/live_issuer.ts";

/** Where services are, unless a table says otherwise. */
export const ORIGIN = "https://app.test";

export const FORM = "application/x-www-form-urlencoded";
export const JSON_TYPE = "application/json";

/** Cookies as a request carries them, by name. */
export type Cookies = Readonly<Record<string, string>>;

/** One request. Nothing is added that is not said here. */
export interface Asked {
  /** @default {"POST" with fields, else "GET"} */
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** A whole header, or names and values. */
  readonly cookies?: string | Cookies;
  /** A whole body, or the fields of a form. */
  readonly fields?: BodyInit | Readonly<Record<string, string>>;
  readonly origin?: string;
  /** Whether failures of the server are what the row is about. */
  readonly mayFail?: boolean;
}

/** Sends one request, and holds the answer to the rules for responses. */
export async function ask(site: Site, path: string, asked: Asked = {}): Promise<Response> {
  const { fields, origin = ORIGIN, mayFail = false } = asked;
  const url = new URL(origin + path);
  const isForm = fields !== undefined && Object.getPrototypeOf(fields) === Object.prototype;
  const headers = new Headers(isForm ? { "content-type": FORM } : {});
  for (const [name, value] of Object.entries(asked.headers ?? {})) if (value !== undefined) headers.set(name, value);
  const cookie = typeof asked.cookies === "string" ? asked.cookies : cookieHeader(asked.cookies ?? {});
  if (cookie) headers.set("cookie", cookie);
  const body = isForm ? String(new URLSearchParams(fields as Record<string, string>)) : fields as BodyInit | undefined;
  const method = asked.method ?? (fields === undefined ? "GET" : "POST");
  const request = new Request(url, { method, headers, redirect: "manual", ...(body !== undefined && { body }) });
  const response = await site(request);
  assertResponseRules(response, { url, byService: true, mayFail });
  return response;
}

export function cookieHeader(cookies: Cookies): string {
  return Object.entries(cookies).map(([name, value]) => `${name}=${value}`).join("; ");
}

/** What a browser has after an answer. */
export function keep(response: Response, before: Cookies = {}): Cookies {
  const kept = new Map(Object.entries(before));
  for (const { name, value, attributes } of response.headers.getSetCookie().map(readSetCookie)) {
    if (attributes.get("max-age") === "0") kept.delete(name);
    else kept.set(name, value);
  }
  return Object.fromEntries(kept);
}

/** Whether an answer gives the browser a session. */
export function givesSession(response: Response): boolean {
  return response.headers.getSetCookie().map(readSetCookie).some(({ name, value }) =>
    name.includes("session-token") && value !== ""
  );
}

/** Where an answer leads; the empty text if nowhere. */
export function locationOf(response: Response): string {
  return response.headers.get("location") ?? "";
}

/** The token for forms, and the browser that may send it. */
export async function formToken(site: Site, origin = ORIGIN): Promise<{ csrfToken: string; cookies: Cookies }> {
  const response = await ask(site, "/auth/csrf", { origin });
  return { csrfToken: (await response.json()).csrfToken, cookies: keep(response) };
}

/** Where the person at the provider is sent back to, as a path of the service. */
export async function answerOf(issuer: Issuer, location: string): Promise<string> {
  const { redirectUri, params } = await issuer.consent(location);
  return `${new URL(redirectUri).pathname}?${params}`;
}

/** Counts the rows of a table, and prints how many there were: a table that shrinks unseen proves nothing. */
export function countRows(table: string): (rows?: number) => void {
  let count = 0;
  // deno-lint-ignore no-console -- the count is for whoever reads the run
  after(() => console.log(`${table}: ${count} rows`));
  return (rows = 1) => void (count += rows);
}
