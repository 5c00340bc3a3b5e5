/**
 * Turns an outcome and its cookies into text, and the text into a `Response`. Nothing else makes one.
 *
 * @module
 */
import { CallbackRouteError } from "../kernel/errors.ts";
import { serializeCookie, type SetCookie } from "../http/cookie_text.ts";
import { type BodyKind, type Field, securityHeaders } from "../http/headers.ts";
import type { PlainResponse, RequestLike } from "../http/request_like.ts";
import type { Log } from "../kernel/logger.ts";
import type { LogSubject } from "../kernel/log_subject.ts";
import type { Outcome } from "../request/outcome.ts";
import type { ResolvedConfig } from "../config/resolve.ts";
import type { Visitor } from "../request/language.ts";
import { isDeno, isDenosOwn } from "../kernel/runtime.ts";
import { failures } from "./failures.ts";
import { pages } from "./late_modules.ts";

/** An outcome, and all that its response depends on. */
export interface Answer {
  readonly outcome: Outcome;
  readonly cookies: readonly SetCookie[];
  /** The URL that the visitor's browser asked for; `null` if it is not valid. */
  readonly url: URL | null;
  /** The request: the answer to HEAD has no body, and a script may ask for JSON in place of a redirect. */
  readonly incoming?: RequestLike;
  /** The context, for the log, the language of a page and the name of the site on it. */
  readonly ctx?: Visitor & LogSubject;
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
  return responseOf(await plainResponse(answer));
}

/** Writes an answer as text. Never throws: an outcome that cannot be written becomes a 500. */
export async function plainResponse(answer: Answer): Promise<PlainResponse> {
  try {
    return await write(answer);
  } catch (cause) {
    const logger = answer.config.logger ?? (await failures()).CONSOLE;
    logger.error(new CallbackRouteError("Cannot write the response", { cause }), answer.ctx);
    return json({ ...answer, cookies: [] }, 500, { message: "Cannot answer" });
  }
}

/** Whether a script asked for the URL of a redirect instead of the redirect. */
export function wantsJson({ incoming }: Pick<Answer, "incoming">): boolean {
  return incoming?.headers.has("x-auth-return-redirect") ?? false;
}

async function write(answer: Answer): Promise<PlainResponse> {
  const { outcome, config, ctx } = answer;
  switch (outcome.kind) {
    case "redirect": {
      const headers = [["location", outcome.to] as const];
      if (wantsJson(answer)) return json(answer, 200, { url: outcome.to }, headers);
      return build(answer, { kind: "empty", status: outcome.status, body: null, headers });
    }
    case "json":
      return json(answer, outcome.status, outcome.body, outcome.headers);
    case "page": {
      const { formTargets, renderPage } = await pages();
      const { theme, pages: { texts } } = config;
      const { page, sections } = outcome;
      const look = { theme, texts, sections, https: isSecure(answer), formAction: formTargets(config), visitor: ctx };
      const { html, csp } = await renderPage(page, look);
      return build(answer, { kind: "html", status: outcome.status, body: html, csp, headers: outcome.headers });
    }
    case "frame": {
      const page = build(answer, { kind: "html", status: 200, body: "", csp: outcome.csp });
      // It cannot name the sites that the policy names.
      return { ...page, headers: page.headers.filter(([name]) => name !== "x-frame-options") };
    }
    case "file": {
      const disposition = ["content-disposition", `attachment; filename="${outcome.name}"`] as const;
      return build(answer, { kind: "json", status: 200, body: outcome.body, headers: [disposition] });
    }
    case "response":
      return await fromApplication(answer, outcome.response);
    case "refused": {
      const headers = outcome.allow ? [["allow", outcome.allow] as const] : undefined;
      return json(answer, outcome.status, { message: outcome.message }, headers);
    }
    default:
      return outcome satisfies never;
  }
}

// It may be about one person, so it is not kept anywhere, whatever the application says.
async function fromApplication(answer: Answer, response: Response): Promise<PlainResponse> {
  const { cookies, incoming, url } = answer;
  const { status, headers } = response;
  const location = headers.get("location");
  if (location !== null && wantsJson(answer)) {
    const to = url && URL.canParse(location, url) ? new URL(location, url).href : location;
    const own = headers.getSetCookie();
    const said = json(answer, 200, { url: to });
    return { ...said, cookies: [...own, ...said.cookies] };
  }
  const kept = [...headers].filter(([name]) => name !== "set-cookie" && name !== "cache-control");
  return {
    status,
    headers: [...kept, ["cache-control", "private, no-store"]],
    cookies: [...headers.getSetCookie(), ...cookies.map(serializeCookie)],
    body: incoming?.method === "HEAD" ? null : await response.text(),
  };
}

function isSecure({ url }: Pick<Answer, "url">): boolean {
  return url?.protocol === "https:";
}

type Common = Pick<Answer, "url" | "incoming" | "cookies">;

interface Content {
  readonly kind: BodyKind;
  readonly status: number;
  readonly body: string | null;
  readonly csp?: string;
  readonly headers?: readonly Field[] | undefined;
}

function json(common: Common, status: number, body: unknown, headers?: readonly Field[]): PlainResponse {
  return build(common, { kind: "json", status, body: jsonText(body), headers });
}

function build(common: Common, { kind, status, body, csp, headers }: Content): PlainResponse {
  const always = securityHeaders(kind, isSecure(common), csp);
  return {
    status,
    headers: headers ? [...always, ...headers] : always,
    cookies: common.cookies.map(serializeCookie),
    body: common.incoming?.method === "HEAD" ? null : body,
  };
}

// Deno's own class takes headers several times faster one by one. Any other gets them when it is made: a class that a
// framework has put in the place of `Response` may lose those that are set later, as that of @hono/node-server 1 does.
/** Makes a response of an answer that was written as text. Each call makes a new one. */
export function responseOf({ status, headers: fields, cookies, body }: PlainResponse): Response {
  const response = isDeno() ? new Response(body, { status }) : null;
  const own = response && isDenosOwn(response) ? response : null;
  const headers = own?.headers ?? new Headers();
  for (const [name, value] of fields) headers.set(name, value);
  for (const cookie of cookies) headers.append("set-cookie", cookie);
  return own ?? new Response(body, { status, headers });
}

const UNSAFE: Readonly<Record<string, string>> = {
  "<": "\\u003c",
  ">": "\\u003e",
  "&": "\\u0026",
  "\u2028": "\\u2028",
  "\u2029": "\\u2029",
};

/** Writes a value as JSON: escaped, so that the text does no harm where something takes it for HTML or puts it into a script. */
function jsonText(body: unknown): string {
  return (JSON.stringify(body) ?? "null").replace(/[<>&\u2028\u2029]/g, (char) => UNSAFE[char] ?? char);
}
