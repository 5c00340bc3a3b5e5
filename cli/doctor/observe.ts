/**
 * Looks at a site from outside. It reads nothing but the answers, and changes nothing: it signs nobody in.
 *
 * @module
 */
import { isLoopback } from "../../src/http/origin.ts";
import type { Ask, Reply } from "./ask.ts";
import { isMisconfigured } from "./check.ts";
import { cookieHeader, roleOf } from "./cookies.ts";
import { type InnerFinding, jsonOf, type ListedProvider, type Observed, type Question, recordOf } from "./observed.ts";
import { startAt } from "./start.ts";
import { walk } from "./walk.ts";

/** A host that belongs to nobody (RFC 6761, section 6.4). */
export const NOBODY = "doctor.invalid";

/** What is looked at. */
export interface Order {
  readonly site: URL;
  /** The path that was given, without a slash at its end. */
  readonly given: string;
  readonly http: URL | null;
  readonly asksProviders: boolean;
  readonly code: string | null;
}

/** Providers that are asked at most. */
const MOST_STARTS = 12;

/** Characters of a form that is too long for every form of a sign-in. */
const LARGE = 200_000;

/** Looks at a site. */
export async function observe(ask: Ask, { site, given, http, asksProviders, code }: Order): Promise<Observed> {
  const home = await walk(ask, new URL("/", site));
  const plain = http ? await ask(http) : null;
  const bases = await findBases(ask, site, given);
  const [base = null] = bases;
  const common = { site, isLocal: isLoopback(site.hostname), home, plain, bases, base };
  if (base === null) return { ...common, replies: {}, signIn: null, providers: [], starts: [], inner: null };
  const at = (path: string) => new URL(base + path, site);
  const asked = await questions(ask, at);
  const signIn = await walk(ask, at("/signin"), { accept: "text/html" });
  const providers = providersIn(asked.providers ?? null);
  const starts = [];
  for (const provider of providers.filter(({ type }) => /^oauth$|^oidc$/.test(type)).slice(0, MOST_STARTS)) {
    starts.push(
      await startAt(ask, at(`/signin/${encodeURIComponent(provider.id)}`), {
        provider,
        csrf: asked.csrf ?? null,
        asksProviders,
      }),
    );
  }
  const inner = code === null ? null : await askInside(ask, at("/doctor"), code);
  // Last: where a server leaves a part of it unread, the next request waits for the end of the connection.
  const replies = {
    ...asked,
    largeForm: await postForm(ask, at, `text=${"x".repeat(LARGE)}`, { origin: site.origin }),
  };
  return { ...common, replies, signIn, providers, starts, inner };
}

/** Finds where services answer: at the path that was given, and at the usual ones. */
async function findBases(ask: Ask, site: URL, given: string): Promise<readonly string[]> {
  const found: string[] = [];
  const likely: string[] = [];
  for (const base of new Set([...(given ? [given] : []), "/auth", "/api/auth"])) {
    for (const path of ["/providers", "/csrf", "/session"]) {
      const reply = await ask(new URL(base + path, site), JSON_ASKED);
      // A program that fails answers so at any path.
      if (reply.kind === "answer" && isMisconfigured(reply)) likely.push(base);
      if (!isService(reply, path)) continue;
      found.push(base);
      break;
    }
  }
  return found.length > 0 ? found : likely.slice(0, 1);
}

const JSON_ASKED = { headers: { accept: "application/json" } };

function isService(reply: Reply, path: string): boolean {
  if (reply.kind !== "answer") return false;
  if (reply.cookies.some(({ name }) => roleOf(name) !== null)) return true;
  if (reply.status !== 200) return false;
  const body = jsonOf(reply);
  if (path === "/session") return body === null;
  if (path === "/csrf") return typeof recordOf(body)?.csrfToken === "string";
  return Object.values(recordOf(body) ?? {}).some((each) => typeof recordOf(each)?.callbackUrl === "string");
}

type Replies = Partial<Record<Question, Reply>>;

type At = (path: string) => URL;

async function postForm(ask: Ask, at: At, body: string, headers: Readonly<Record<string, string>>): Promise<Reply> {
  const form = { "content-type": "application/x-www-form-urlencoded" };
  return await ask(at("/signout"), { method: "POST", headers: { ...form, ...headers }, body });
}

async function questions(ask: Ask, at: At): Promise<Replies> {
  const csrf = await ask(at("/csrf"), JSON_ASKED);
  const away = encodeURIComponent(`https://${NOBODY}/`);
  const replies: Replies = {
    csrf,
    csrfAgain: await ask(at("/csrf"), JSON_ASKED),
    providers: await ask(at("/providers"), JSON_ASKED),
    forwarded: await ask(at("/providers"), {
      headers: { ...JSON_ASKED.headers, "x-forwarded-host": NOBODY, "x-forwarded-proto": "http" },
    }),
    session: await ask(at("/session"), JSON_ASKED),
    sessionFromAfar: await ask(at("/session"), { headers: { ...JSON_ASKED.headers, origin: `https://${NOBODY}` } }),
    unknown: await ask(at("/doctor-asks"), JSON_ASKED),
    wrongMethod: await ask(at("/session"), { method: "DELETE", ...JSON_ASKED }),
    foreignForm: await postForm(ask, at, "", { origin: `https://${NOBODY}`, "sec-fetch-site": "cross-site" }),
  };
  const token = recordOf(jsonOf(csrf))?.csrfToken;
  if (typeof token !== "string" || csrf.kind !== "answer") return replies;
  // Nobody is signed in, so nobody is signed out.
  const awayForm = await postForm(ask, at, `csrfToken=${encodeURIComponent(token)}&callbackUrl=${away}`, {
    cookie: cookieHeader(csrf.cookies),
    origin: at("/").origin,
  });
  return { ...replies, awayForm };
}

/** Reads the list of providers. */
export function providersIn(reply: Reply | null): readonly ListedProvider[] {
  const urlOf = (value: unknown) => typeof value === "string" && value.length <= 2048 ? URL.parse(value) : null;
  return Object.entries(recordOf(jsonOf(reply)) ?? {}).slice(0, 100).flatMap(([id, value]) => {
    const each = recordOf(value);
    if (!each || id.length > 64 || typeof each.type !== "string") return [];
    return [{ id, type: each.type, signinUrl: urlOf(each.signinUrl), callbackUrl: urlOf(each.callbackUrl) }];
  });
}

async function askInside(ask: Ask, url: URL, code: string): Promise<readonly InnerFinding[] | "refused"> {
  // The code is for the machine that it was printed on.
  if (!isLoopback(url.hostname)) return "refused";
  const reply = await ask(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ code }),
  });
  const body = recordOf(jsonOf(reply));
  if (reply.kind !== "answer" || reply.status !== 200 || !Array.isArray(body?.findings)) return "refused";
  return body.findings.slice(0, 200).flatMap((value: unknown): InnerFinding[] => {
    const { id, level, says, fix } = recordOf(value) ?? {};
    if (typeof id !== "string" || typeof says !== "string" || !/^[a-z0-9-]{1,64}$/.test(id)) return [];
    return [{
      id,
      says,
      level: level === "error" || level === "note" ? level : "warning",
      ...(typeof fix === "string" && { fix }),
    }];
  });
}
