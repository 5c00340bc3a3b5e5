/**
 * Outcomes as responses: the only place that makes a `Response`, and where the jar is emptied.
 *
 * @module
 */
import { CallbackRouteError } from "../kernel/errors.ts";
import { serializeCookie, type SetCookie } from "../http/cookie_text.ts";
import { type Field, type HeaderKind, securityHeaders } from "../http/headers.ts";
import { createLogger } from "../kernel/logger.ts";
import type { Outcome, Page } from "../request/outcome.ts";
import type { ResolvedProvider } from "../config/resolved_provider.ts";
import type { ResolvedConfig } from "../config/resolve.ts";
import { isDenosOwn } from "../kernel/runtime.ts";

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
    return data({ ...answer, cookies: [] }, 500, stringify({ message: "Cannot answer" }));
  }
}

async function write(answer: Answer): Promise<Response> {
  const { outcome } = answer;
  switch (outcome.kind) {
    case "redirect": {
      const header = ["location", outcome.to] as const;
      if (answer.tellRedirect) return data(answer, 200, stringify({ url: outcome.to }), header);
      return build(answer, { kind: "empty", status: outcome.status, body: null, header });
    }
    case "json":
      if (outcome.body === null && outcome.status === 200) return nothing(answer);
      return data(answer, outcome.status, stringify(outcome.body));
    case "constant":
      return data(answer, 200, textOf(outcome.body));
    case "page": {
      const { html, csp } = await render(outcome.page, answer);
      return build(answer, { kind: "html", status: outcome.status, body: html, csp });
    }
    case "refused": {
      const header = outcome.allow ? ["allow", outcome.allow] as const : undefined;
      return data(answer, outcome.status, stringify({ message: outcome.message }), header);
    }
    default:
      return outcome satisfies never;
  }
}

function data(answer: Form, status: number, body: string, header?: Field): Response {
  return build(answer, { kind: "json", status, body, header });
}

type Form = Pick<Answer, "https" | "head" | "cookies">;

interface Parts {
  readonly kind: HeaderKind;
  readonly status: number;
  readonly body: string | null;
  readonly csp?: string;
  readonly header?: Field | undefined;
}

// A framework may have put a `Response` of its own in place of the platform's, and that may keep what it is given: so it
// is given texts, and headers that are made for this answer and not touched any more. Deno's own takes headers several
// times faster one by one.
function build({ https, head, cookies }: Form, { kind, status, body, csp, header }: Parts): Response {
  const response = makesDenosOwn() ? new Response(head ? null : body, { status }) : null;
  const headers = response?.headers ?? new Headers();
  for (const [name, value] of securityHeaders(kind, https, csp)) headers.set(name, value);
  if (header) headers.set(header[0], header[1]);
  for (const cookie of cookies) headers.append("set-cookie", serializeCookie(cookie));
  return response ?? new Response(head ? null : body, { status, headers });
}

let judged: unknown;
let denosOwn = false;

function makesDenosOwn(): boolean {
  if (judged !== Response) {
    judged = Response;
    denosOwn = isDenosOwn(new Response());
  }
  return denosOwn;
}

/** By whether the connection is encrypted. */
const templates = new Map<boolean, Response>();

// Most visitors have no session, so of all answers this one is built once and cloned: where clones share nothing. The
// template is a clone itself, because whoever made the first one may know it.
function nothing(answer: Answer): Response {
  const { https, head, cookies } = answer;
  if (head || cookies.length > 0) return data(answer, 200, "null");
  const template = templates.get(https);
  if (template) return template.clone();
  const response = data(answer, 200, "null");
  const copy = isDenosOwn(response) ? response.clone() : response;
  if (copy !== response) templates.set(https, copy);
  return response;
}

// Texts cannot be changed, so they can be remembered for whatever is frozen.
const texts = new WeakMap<object, string>();

function textOf(body: object): string {
  const known = texts.get(body);
  if (known !== undefined) return known;
  const text = stringify(body);
  texts.set(body, text);
  return text;
}

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

let pages: typeof import("../pages/render.tsx") | undefined;

async function render(page: Page, { config, https }: Answer): Promise<{ html: string; csp: string }> {
  pages ??= await import("../pages/render.tsx"); // a heavy room that scripts never enter
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
  const targets = Object.freeze([...sources]);
  formTargets.set(providers, targets);
  return targets;
}
