/**
 * What the command `doctor` gets from inside: the list of `auth.check()`, in development, on this machine, for a code that
 * the log has. For all others the path does not exist.
 *
 * @module
 */
import { sameText } from "../crypto/digest.ts";
import { randomText } from "../crypto/random.ts";
import { readFields } from "../http/body.ts";
import { hostProblem, isLoopback } from "../http/origin.ts";
import { codeOf, type LoggedError } from "../kernel/log_line.ts";
import { clean } from "../kernel/redact.ts";
import type { RequestContext } from "../request/context.ts";
import { json, type Outcome } from "../request/outcome.ts";
import { innerFindings, sentenceOf } from "./inner_findings.ts";

/** Milliseconds that a code is valid. */
const LIFETIME = 10 * 60_000;

/** The one code of this process. */
let code: { readonly text: string; readonly until: number } | null = null;

/** Answers the command, where the feature is listed; `null` if the path does not exist for whoever asks. */
export async function answerDoctor(ctx: RequestContext): Promise<Outcome | null> {
  if (!isOpen(ctx)) return null;
  const body = await readBody(ctx);
  if (!isRight(ctx, body)) return null;
  const { config, url } = ctx;
  const untrusted = config.problems.length === 0 ? hostProblem(url, config) : null;
  const { problems, warnings, notes, facts } = await innerFindings(ctx, untrusted ? [untrusted] : config.problems);
  const all = [
    ...problems.map((error) => ({ id: codeOf(error as LoggedError), level: "error", says: sentenceOf(error) })),
    ...warnings.map(([id, says]) => ({ id, level: "warning", says: clean(says) })),
    ...notes.map(([id, says]) => ({ id, level: "note", says: clean(says) })),
    ...facts.map((fact) => ({ ...fact, says: clean(fact.says), fix: clean(fact.fix) })),
  ];
  return json({ version: 1, findings: all });
}

/** Whether the path is there at all: a program on this machine asks in development. */
function isOpen({ incoming, url, config }: RequestContext): boolean {
  return incoming.method === "POST" && url.pathname === `${config.basePath}/doctor` &&
    config.runtime.env("NODE_ENV") === "development" &&
    isLoopback(url.hostname) && isLoopback(new URL(incoming.url).hostname) && isFromHere(incoming.headers);
}

/** What a proxy, or a tunnel, adds to a request from elsewhere. Development servers add some of it, too. */
const ADDRESSES = ["x-forwarded-for", "x-forwarded-host", "x-real-ip"];

/** What only a browser, or a proxy on the way from elsewhere, sends. */
const OF_OTHERS = ["origin", "referer", "sec-fetch-site", "forwarded", "via", "cf-connecting-ip"];

function isFromHere(headers: Pick<Headers, "get" | "has">): boolean {
  if (OF_OTHERS.some((name) => headers.has(name))) return false;
  return ADDRESSES.every((name) => {
    return (headers.get(name) ?? "localhost").split(",").every((address) => isHere(address.trim()));
  });
}

function isHere(address: string): boolean {
  const plain = address.replace(/^::ffff:/i, "");
  return isLoopback(plain === "::1" ? "[::1]" : plain.replace(/:\d{1,5}$/, ""));
}

async function readBody({ request }: RequestContext): Promise<string> {
  try {
    const body = await readFields(request);
    return body.kind === "fields" && typeof body.fields.code === "string" ? body.fields.code : "";
  } catch {
    return "";
  }
}

/** Compares the code, and uses it up. Whoever has none makes the log show one: one in ten minutes. */
function isRight({ config: { runtime, logger } }: RequestContext, given: string): boolean {
  const now = runtime.now();
  if (code !== null && code.until > now) {
    if (!sameText(code.text, given)) return false;
    code = null;
    return true;
  }
  code = { text: randomText(runtime, 16), until: now + LIFETIME };
  logger.warn("doctor-code", `npx @x/auth doctor asks what \`auth.check()\` finds: add --code ${code.text}`);
  return false;
}
