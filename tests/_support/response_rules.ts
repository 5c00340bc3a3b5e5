/** What holds for every answer of the service, whatever it says. `Browser` asks for it at every answer. */
import assert from "node:assert/strict";
import { readSetCookie } from "./cookie_jar.ts";

/** How an answer is judged. */
export interface Circumstances {
  readonly url: URL;
  /** Whether the service answered, and not the application around it. */
  readonly byService: boolean;
  /** Whether a failure of the server is what the test is about. */
  readonly mayFail: boolean;
}

export function assertResponseRules(response: Response, { url, byService, mayFail }: Circumstances): void {
  assert.ok(mayFail || response.status < 500, `${url.pathname} answered ${response.status}`);
  for (const header of response.headers.getSetCookie()) assertCookie(header, url, byService);
  assertLocation(response, byService);
  if (byService) assertHeaders(response, url);
  else assertKeptPrivate(response);
}

const ALWAYS: Readonly<Record<string, string>> = {
  "cache-control": "private, no-store",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "origin-agent-cluster": "?1",
  "x-permitted-cross-domain-policies": "none",
  "x-robots-tag": "noindex",
  "permissions-policy":
    "publickey-credentials-get=(self), publickey-credentials-create=(self), camera=(), microphone=(), " +
    "geolocation=(), payment=(), usb=(), display-capture=(), clipboard-read=(), interest-cohort=()",
};

const NO_PAGE = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox";

const PAGE = [
  "default-src 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
];

/** What a page may load at all; everything else falls back on `default-src`. */
const LOADED: ReadonlySet<string> = new Set(["script-src", "connect-src", "style-src", "img-src", "default-src"]);

/** The only answers that another site may frame: an empty page, and only for the origin of the provider. */
const FRAMED =
  /^default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors (?:'none'|https?:\/\/[a-z0-9.:-]+); sandbox$/;

function assertHeaders(response: Response, url: URL): void {
  const { headers } = response;
  const isFramed = url.pathname.includes("/frontchannel-logout/") && response.status === 200;
  const always = isFramed ? { ...ALWAYS, "x-frame-options": null } : ALWAYS;
  for (const [name, value] of Object.entries(always)) assert.equal(headers.get(name), value, name);
  // A framework may add what its own answers depend on.
  assert.match(headers.get("vary") ?? "", /(?:^|, )Cookie(?:,|$)/, "vary");
  const type = headers.get("content-type");
  assert.ok(type === null || TYPES.has(type), `content-type is ${type}`);
  assert.equal(headers.get("referrer-policy"), type === HTML ? "strict-origin" : "no-referrer");
  const https = url.protocol === "https:";
  assert.equal(headers.get("strict-transport-security"), https ? "max-age=31536000" : null);
  assert.deepEqual([...headers.keys()].filter((name) => name.startsWith("access-control-")), []);
  const policy = headers.get("content-security-policy") ?? "";
  if (isFramed) return assert.match(policy, FRAMED);
  if (type !== HTML) return assert.equal(policy, NO_PAGE);
  const directives = policy.split("; ");
  for (const directive of PAGE) assert.ok(directives.includes(directive), `${directive} in ${policy}`);
  const loading = directives.map((directive) => directive.split(" ")[0] ?? "").filter((name) => /-src/.test(name));
  assert.deepEqual(loading.filter((name) => !LOADED.has(name)), []);
  assert.doesNotMatch(policy, /unsafe-|\*/);
}

const HTML = "text/html; charset=utf-8";
const TYPES: ReadonlySet<string> = new Set([HTML, "application/json; charset=utf-8", "text/plain; charset=utf-8"]);

function assertLocation({ headers }: Response, byService: boolean): void {
  const location = headers.get("location");
  // Applications write "./" for their own page, and frameworks take their own origin off; the service never does.
  const wanted = byService ? /^https?:\/\// : /^https?:\/\/|^\.\/$|^\/(?![/\\])/;
  if (location !== null) assert.match(location, wanted, "Location is absolute");
}

// An answer that carries a session must not be kept by a cache for the next visitor.
function assertKeptPrivate({ headers }: Response): void {
  if (headers.getSetCookie().some((header) => header.includes("authjs."))) {
    assert.match(headers.get("cache-control") ?? "", /no-store/);
  }
}

/** The attributes of each cookie of the service, in the order they are written. */
const COOKIES: readonly (readonly [name: RegExp, attributes: RegExp])[] = [
  [/^(?:__Secure-)?authjs\.session-token(?:\.\d)?$/, /^path=\/; expires=GMT; httponly(?:; secure)?; samesite=lax$/],
  [/^(?:__Secure-)?authjs\.callback-url$/, /^path=\/; httponly(?:; secure)?; samesite=lax$/],
  [/^(?:__Host-)?authjs\.csrf-token$/, /^path=\/; httponly(?:; secure)?; samesite=lax$/],
  [
    /^(?:__Secure-)?authjs\.state\.[\w-]{1,64}$/,
    /^max-age=900; path=\/(?:; expires=GMT)?; httponly(?:(?:; secure)?; samesite=lax|; secure; samesite=none)$/,
  ],
];

const ORDER = ["max-age", "path", "expires", "httponly", "secure", "samesite"];

const REMOVAL = /^max-age=0; path=\/(?:; expires=GMT)?; httponly(?:; secure)?; samesite=(?:lax|none)$/;

function assertCookie(header: string, url: URL, byService: boolean): void {
  const { name, value, attributes } = readSetCookie(header);
  const bytes = new TextEncoder().encode(header).length;
  assert.ok(bytes <= 4096, `cookie ${name} takes ${bytes} bytes`);
  const kind = COOKIES.find(([pattern]) => pattern.test(name));
  if (!kind) return; // one that the test's configuration named, or the application set
  // A framework that writes the cookie itself has an order of its own.
  const listed = byService ? [...attributes] : [...attributes].sort(([a], [b]) => ORDER.indexOf(a) - ORDER.indexOf(b));
  const written = listed.map(([key, text]) => text ? `${key}=${shape(key, text)}` : key).join("; ");
  assert.match(written, attributes.get("max-age") === "0" ? REMOVAL : kind[1], `attributes of cookie ${name}`);
  if (attributes.get("max-age") === "0") assert.equal(value, "", `removed cookie ${name} has no value`);
  if (attributes.get("samesite")?.toLowerCase() === "lax") {
    assert.equal(attributes.has("secure"), url.protocol === "https:", name);
  }
}

function shape(key: string, text: string): string {
  if (key === "expires") return /^\w{3}, \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text) ? "GMT" : text;
  return text.toLowerCase();
}
