/**
 * Outcomes as responses: the only place that makes a `Response`, and where the jar is emptied.
 *
 * @module
 */
import { CallbackRouteError } from "./errors.ts";
import { serializeCookie, type SetCookie } from "./http/cookie_text.ts";
import { type HeaderKind, securityHeaders } from "./http/headers.ts";
import { createLogger } from "./logger.ts";
import type { Outcome, Page } from "./outcome.ts";
import type { ResolvedProvider } from "./provider.ts";
import type { ResolvedConfig } from "./resolve.ts";

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
    return make({ ...answer, cookies: [] }, stringify({ message: "Cannot answer" }), 500, "plain", [JSON_TYPE]);
  }
}

async function write(answer: Answer): Promise<Response> {
  const { outcome } = answer;
  switch (outcome.kind) {
    case "redirect": {
      const location: [string, string] = ["location", outcome.to];
      if (!answer.tellRedirect) return make(answer, null, outcome.status, "plain", [location]);
      return make(answer, stringify({ url: outcome.to }), 200, "plain", [JSON_TYPE, location]);
    }
    case "json":
      return make(answer, stringify(outcome.body), outcome.status, "plain", [JSON_TYPE]);
    case "page": {
      const { html, csp } = await render(outcome.page, answer);
      return make(answer, html, outcome.status, "html", [HTML_TYPE, ["content-security-policy", csp]]);
    }
    case "refused": {
      const allow: [string, string][] = outcome.allow ? [["allow", outcome.allow]] : [];
      return make(answer, stringify({ message: outcome.message }), outcome.status, "plain", [JSON_TYPE, ...allow]);
    }
    default:
      return outcome satisfies never;
  }
}

const JSON_TYPE: [string, string] = ["content-type", "application/json; charset=utf-8"];
const HTML_TYPE: [string, string] = ["content-type", "text/html; charset=utf-8"];

const templates = new Map<string, Headers>();

// Copying a Headers object costs much less than building one of pairs.
function templateOf(kind: HeaderKind, https: boolean): Headers {
  const name = `${kind} ${https}`;
  let template = templates.get(name);
  if (!template) templates.set(name, template = securityHeaders(kind, https));
  return template;
}

function make(
  { cookies, https, head }: Answer,
  body: string | null,
  status: number,
  kind: HeaderKind,
  headers: readonly (readonly [string, string])[],
): Response {
  const response = new Response(head ? null : body, { status, headers: templateOf(kind, https) });
  for (const [name, value] of headers) response.headers.set(name, value);
  for (const cookie of cookies) response.headers.append("set-cookie", serializeCookie(cookie));
  return response;
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

async function render(page: Page, { config, https }: Answer): Promise<{ html: string; csp: string }> {
  const { renderPage } = await import("./pages/render.tsx"); // pages are a heavy room that scripts never enter
  return await renderPage(page, { theme: config.theme, https, formAction: formActionOf(config.providers) });
}

// Browsers apply form-action to every hop after a form, and which sites a provider passes through is its own affair:
// so any https site may follow, and providers on this machine by their origin.
function formActionOf(providers: ReadonlyMap<string, ResolvedProvider>): readonly string[] {
  const sources = new Set<string>();
  for (const provider of providers.values()) {
    if (provider.type === "credentials") continue;
    sources.add("https:");
    const url = provider.authorization.url ?? provider.issuer;
    if (url?.startsWith("http://")) sources.add(new URL(url).origin);
  }
  return [...sources];
}
