/**
 * Turns an outcome and its cookies into text, and the text into a `Response`. Nothing else makes one.
 *
 * @module
 */
import { CallbackRouteError } from "../kernel/errors.ts";
import type { Asked, Written } from "../http/asked.ts";
import { serializeCookie, type SetCookie } from "../http/cookie_text.ts";
import { type BodyKind, type Field, securityHeaders } from "../http/headers.ts";
import type { Log } from "../kernel/logger.ts";
import type { LogSubject } from "../kernel/log_subject.ts";
import { JsonText, type Outcome } from "../request/outcome.ts";
import type { ResolvedConfig } from "../config/resolve.ts";
import type { Visitor } from "../request/language.ts";
import { isDenosOwn } from "../kernel/runtime.ts";
import { failures, pages } from "./lazy.ts";

/** An outcome, and all that its response depends on. */
export interface Answer {
  readonly outcome: Outcome;
  readonly cookies: readonly SetCookie[];
  /** Whether the visitor's connection is encrypted. */
  readonly https: boolean;
  /** The request: to HEAD there is no body, and a script may ask for JSON in place of a redirect. */
  readonly asked?: Asked | undefined;
  /** The request, for the log. */
  readonly subject?: LogSubject;
  /** Who asks, for the language of a page and the name of the site on it. */
  readonly visitor?: Visitor;
  /** What pages and the log need of the configuration. */
  readonly config: Pick<ResolvedConfig, "theme" | "pages" | "providers" | "redirectSchemes"> & {
    readonly logger: Log | null;
  };
}

/** Replaces a configuration that cannot be resolved. */
export const NO_CONFIG: Answer["config"] = {
  theme: {},
  pages: {},
  providers: new Map(),
  redirectSchemes: [],
  logger: null,
};

/** Makes the response. Never throws: an outcome that cannot be written becomes a 500. */
export async function respond(answer: Answer): Promise<Response> {
  return responseOf(await written(answer), answer.https);
}

/** Writes an answer as text. Never throws: an outcome that cannot be written becomes a 500. */
export async function written(answer: Answer): Promise<Written> {
  try {
    return await write(answer);
  } catch (cause) {
    const logger = answer.config.logger ?? (await failures()).CONSOLE;
    logger.error(new CallbackRouteError("Cannot write the response", { cause }), answer.subject);
    return json({ ...answer, cookies: [] }, 500, { message: "Cannot answer" });
  }
}

/** Whether a script asked for the URL of a redirect instead of the redirect. */
export function wantsJson({ asked }: Pick<Answer, "asked">): boolean {
  return asked !== undefined && asked.headers.get("x-auth-return-redirect") !== null;
}

async function write(answer: Answer): Promise<Written> {
  const { outcome, config, https } = answer;
  switch (outcome.kind) {
    case "redirect": {
      const header = ["location", outcome.to] as const;
      if (wantsJson(answer)) return json(answer, 200, { url: outcome.to }, header);
      return build(answer, { kind: "empty", status: outcome.status, body: null, header });
    }
    case "json":
      return json(answer, outcome.status, outcome.body);
    case "page": {
      const { formTargets, renderPage } = await pages();
      const { theme, pages: { texts } } = config;
      const look = { theme, texts, https, formAction: formTargets(config), visitor: answer.visitor };
      const { html, csp } = await renderPage(outcome.page, look);
      return build(answer, { kind: "html", status: outcome.status, body: html, csp });
    }
    case "frame": {
      const page = build(answer, { kind: "html", status: 200, body: "", csp: outcome.csp });
      // It cannot name the sites that the policy names.
      return { ...page, headers: page.headers.filter(([name]) => name !== "x-frame-options") };
    }
    case "refused": {
      const header = outcome.allow ? ["allow", outcome.allow] as const : undefined;
      return json(answer, outcome.status, { message: outcome.message }, header);
    }
    default:
      return outcome satisfies never;
  }
}

type Common = Pick<Answer, "https" | "asked" | "cookies">;

interface Content {
  readonly kind: BodyKind;
  readonly status: number;
  readonly body: string | null;
  readonly csp?: string;
  readonly header?: Field | undefined;
}

function json(common: Common, status: number, body: unknown, header?: Field): Written {
  return build(common, { kind: "json", status, body: jsonText(body), header });
}

function build({ https, asked, cookies }: Common, { kind, status, body, csp, header }: Content): Written {
  const always = securityHeaders(kind, https, csp);
  return {
    status,
    headers: header ? [...always, header] : always,
    cookies: cookies.map(serializeCookie),
    body: asked?.method === "HEAD" ? null : body,
  };
}

// Deno's own class takes headers several times faster one by one. Any other gets them when it is made: a class that a
// framework has put in the place of `Response` may lose those that are set later, as that of @hono/node-server 1 does.
function responseOf(answer: Written, https: boolean): Response {
  return isNull(answer) ? responseAgain(nobody(https)) : makeResponse(answer);
}

function makeResponse({ status, headers: fields, cookies, body }: Written): Response {
  const response = hasDenoResponse() ? new Response(body, { status }) : null;
  const headers = response?.headers ?? new Headers();
  for (const [name, value] of fields) headers.set(name, value);
  for (const cookie of cookies) headers.append("set-cookie", cookie);
  return response ?? new Response(body, { status, headers });
}

/** The class that was looked at last, and whether it is Deno's own. */
let seen: { readonly type: typeof Response; readonly isDenosOwn: boolean } | undefined;

function hasDenoResponse(): boolean {
  if (seen?.type !== Response) seen = { type: Response, isDenosOwn: isDenosOwn(new Response()) };
  return seen.isDenosOwn;
}

/** "Nobody is signed in", by whether the connection is encrypted: the most frequent answer, and the same for everybody. */
const nobodies = new Map<boolean, Written>();

function nobody(https: boolean): Written {
  let answer = nobodies.get(https);
  if (!answer) nobodies.set(https, answer = writtenAgain("null", https));
  return answer;
}

/** Writes an answer that is given again and again, as an object that nobody can change. */
export function writtenAgain(body: string, https: boolean): Written {
  return Object.freeze({ status: 200, headers: securityHeaders("json", https), cookies: NO_COOKIES, body });
}

const NO_COOKIES: readonly string[] = Object.freeze([]);

function isNull({ status, cookies, body }: Written): boolean {
  return body === "null" && status === 200 && cookies.length === 0;
}

/** Responses of answers that are given again and again. */
const responses = new WeakMap<Written, Response>();

/**
 * Makes the response of an answer that is given again and again: the same object each time, which nobody can change.
 *
 * It is built once and cloned, which takes a fifth of the time. Only Deno's own class is cloned: clones of another may
 * share their headers. What is remembered is a clone too, because whoever replaced the constructor may hold the response
 * that it made.
 */
export function responseAgain(answer: Written): Response {
  if (!hasDenoResponse()) return makeResponse(answer);
  const known = responses.get(answer);
  if (known) return known.clone();
  const made = makeResponse(answer);
  responses.set(answer, made.clone());
  return made;
}

const UNSAFE: Readonly<Record<string, string>> = {
  "<": "\\u003c",
  ">": "\\u003e",
  "&": "\\u0026",
  "\u2028": "\\u2028",
  "\u2029": "\\u2029",
};

/** Writes a value as JSON: escaped, so that the text does no harm where something takes it for HTML or puts it into a script. */
export function jsonText(body: unknown): string {
  const text = body instanceof JsonText ? body.text : JSON.stringify(body);
  return (text ?? "null").replace(/[<>&\u2028\u2029]/g, (char) => UNSAFE[char] ?? char);
}
