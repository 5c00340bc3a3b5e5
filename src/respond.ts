/**
 * Outcomes as responses: the only place that makes a `Response`, and where the jar is emptied.
 *
 * @module
 */
import { BoundedMap } from "./bounded_map.ts";
import { CallbackRouteError } from "./errors.ts";
import { serializeCookie, type SetCookie } from "./http/cookie_text.ts";
import { type HeaderKind, securityHeaders } from "./http/headers.ts";
import { createLogger } from "./logger.ts";
import type { Outcome, Page } from "./outcome.ts";
import type { ResolvedProvider } from "./resolved_provider.ts";
import type { ResolvedConfig } from "./resolve.ts";
import { CLONES_TEXT, SETS_HEADERS_FAST } from "./runtime.ts";

/** An outcome and all that its response depends on. */
export interface Answer {
  readonly outcome: Outcome;
  readonly cookies: readonly SetCookie[];
  /** Whether the visitor's connection is encrypted. */
  readonly https: boolean;
  /** Whether the request was HEAD. */
  readonly head: boolean;
  /** Whether a script asked to be told of a redirect instead of being sent along (`X-Auth-Return-Redirect`). */
  readonly tellRedirect: boolean;
  /** What pages and the log depend on. */
  readonly config: Pick<ResolvedConfig, "theme" | "providers" | "logger">;
}

/** What is left to answer with where there is no configuration. */
export const UNCONFIGURED: Answer["config"] = { theme: {}, providers: new Map(), logger: createLogger({}) };

/** Makes the response. Never throws: what cannot be written becomes a small error. */
export async function respond(answer: Answer): Promise<Response> {
  try {
    return await write(answer);
  } catch (cause) {
    answer.config.logger.error(new CallbackRouteError("Cannot write the response", { cause }));
    return fresh(answer, 500, stringify({ message: "Cannot answer" }));
  }
}

async function write(answer: Answer): Promise<Response> {
  const { outcome } = answer;
  switch (outcome.kind) {
    case "redirect": {
      if (!answer.tellRedirect) return finish(answer, empty(answer, outcome.status), ["location", outcome.to]);
      return finish(answer, fresh(answer, 200, stringify({ url: outcome.to })), ["location", outcome.to]);
    }
    case "json": {
      const { body, status } = outcome;
      return finish(answer, body === null ? shared(answer, status, NULL) : fresh(answer, status, stringify(body)));
    }
    case "constant":
      return finish(answer, shared(answer, 200, outcome.body));
    case "page": {
      const { html, csp } = await render(outcome.page, answer);
      return finish(answer, build(answer.head ? null : html, outcome.status, headersOf("html", answer.https, csp)));
    }
    case "refused": {
      const response = shared(answer, outcome.status, refusalOf(outcome.message));
      return finish(answer, response, outcome.allow ? ["allow", outcome.allow] : undefined);
    }
    default:
      return outcome satisfies never;
  }
}

type Parts = Pick<Answer, "https" | "head">;

function finish({ cookies }: Answer, response: Response, header?: readonly [name: string, value: string]): Response {
  if (header) response.headers.set(header[0], header[1]);
  for (const cookie of cookies) response.headers.append("set-cookie", serializeCookie(cookie));
  return response;
}

function fresh({ https, head }: Parts, status: number, body: string): Response {
  return build(head ? null : body, status, headersOf("json", https));
}

interface HeaderSet {
  readonly headers: Headers;
  readonly pairs: readonly (readonly [name: string, value: string])[];
}

// Thirteen headers are most of what a small answer costs. Deno takes them several times faster one by one, past the
// converter that looks at a whole set; elsewhere a set is faster.
function build(body: string | null, status: number, { headers, pairs }: HeaderSet): Response {
  if (!SETS_HEADERS_FAST) return new Response(body, { status, headers });
  const response = new Response(body, { status });
  const target = response.headers;
  for (const [name, value] of pairs) target.set(name, value);
  return response;
}

// Answers that are the same for everybody are built once and cloned.
const templates = new WeakMap<object, Map<string, Response>>();

/** Stands for an answer without a body. */
const EMPTY: object = Object.freeze({});

/** Stands for the body `null`: what a session that does not exist is. */
const NULL: object = Object.freeze({ toJSON: () => null });

function empty({ https }: Parts, status: number): Response {
  return cloneOf(EMPTY, `${status} ${https}`, () => build(null, status, headersOf("empty", https)));
}

function shared(parts: Parts, status: number, body: object): Response {
  const make = () => fresh(parts, status, stringify(body));
  return parts.head || !CLONES_TEXT ? make() : cloneOf(body, `${status} ${parts.https}`, make);
}

function cloneOf(body: object, name: string, make: () => Response): Response {
  let known = templates.get(body);
  if (!known) templates.set(body, known = new Map());
  let template = known.get(name);
  if (!template) known.set(name, template = make());
  return template.clone();
}

const refusals = new BoundedMap<string, object>(64);

function refusalOf(message: string): object {
  let body = refusals.get(message);
  if (!body) refusals.set(message, body = Object.freeze({ message }));
  return body;
}

const headerSets = new BoundedMap<string, HeaderSet>(64);

function headersOf(kind: HeaderKind, https: boolean, csp?: string): HeaderSet {
  const name = csp ?? SET_NAMES[kind][https ? 1 : 0]; // the policy of a page says whether it is one of https
  const known = headerSets.get(name);
  if (known) return known;
  const headers = securityHeaders(kind, https, csp);
  const made = { headers, pairs: [...headers] };
  headerSets.set(name, made);
  return made;
}

const SET_NAMES: Readonly<Record<HeaderKind, readonly [http: string, https: string]>> = {
  empty: ["empty http", "empty https"],
  json: ["json http", "json https"],
  html: ["html http", "html https"],
};

const UNSAFE: Readonly<Record<string, string>> = {
  "<": "\\u003c",
  ">": "\\u003e",
  "&": "\\u0026",
  "\u2028": "\\u2028",
  "\u2029": "\\u2029",
};

// Escaped so that an answer is harmless even where somebody takes it for a page.
function stringify(body: unknown): string {
  return (JSON.stringify(body) ?? "null").replace(/[<>&\u2028\u2029]/g, (char) => UNSAFE[char] ?? char);
}

let pages: typeof import("./pages/render.tsx") | undefined;

async function render(page: Page, { config, https }: Answer): Promise<{ html: string; csp: string }> {
  pages ??= await import("./pages/render.tsx"); // a heavy room that scripts never enter
  return await pages.renderPage(page, { theme: config.theme, https, formAction: formActionOf(config.providers) });
}

const formTargets = new WeakMap<object, readonly string[]>();

// Browsers apply form-action to every hop after a form, and which sites a provider passes through is its own affair:
// so any https site may follow, and providers on this machine by their origin.
function formActionOf(providers: ReadonlyMap<string, ResolvedProvider>): readonly string[] {
  const known = formTargets.get(providers);
  if (known) return known;
  const sources = new Set<string>();
  for (const provider of providers.values()) {
    if (provider.type !== "oauth" && provider.type !== "oidc") continue;
    sources.add("https:");
    const url = provider.authorization.url ?? provider.issuer ?? provider.wellKnown;
    if (url?.startsWith("http://")) sources.add(new URL(url).origin);
  }
  formTargets.set(providers, [...sources]);
  return [...sources];
}
