/**
 * Says what is in session cookies, or why they are refused.
 *
 * @module
 */
import type { Claims } from "../../src/crypto/seal.ts";
import { isObject } from "../../src/kernel/objects.ts";
import { redact } from "../../src/kernel/redact.ts";
import { systemRuntime } from "../../src/kernel/runtime.ts";
import type { Runtime } from "../../src/kernel/runtime.ts";
import { sealedIdOf, sealedKey } from "../../src/session_stores/auth_session.ts";
import { type GivenCookies, type Joined, joinGiven, readGiven } from "./given.ts";
import { type Kind, kindOf, SESSION_COOKIE } from "./kinds.ts";
import { type Opened, openSealed } from "./open.ts";
import type { SessionFinding, SessionOptions, SessionReport } from "./report.ts";
import { type NamedSecret, namedSecrets } from "./secrets.ts";

/** What is read of the machine. */
export type SessionRuntime = Pick<Runtime, "env" | "now">;

/**
 * Looks at session cookies.
 *
 * @throws {InvalidConfig} if there is nothing to look at, or no secret for it.
 */
export async function examineSession(
  text: string,
  { secret, cookie, show = false }: SessionOptions,
  runtime: SessionRuntime = systemRuntime,
): Promise<SessionReport> {
  const cookies = readGiven(text);
  const isSession = (name: string) => name === "" || (cookie ? name === cookie : SESSION_COOKIE.test(name));
  const baseOf = (name: string): string => {
    const base = name.replace(/\.\d$/, "");
    return isSession(base) && !isSession(name) ? base : name;
  };
  const bases = new Set([...cookies.keys()].map(baseOf));
  const findings: SessionFinding[] = [];
  // Read when a value needs them: a stored session opens without a secret.
  const secrets = (): readonly NamedSecret[] => namedSecrets(secret, runtime);
  for (const base of [...bases].filter(isSession)) {
    findings.push(await examineOne(cookies, { base, name: base || cookie || null, show, secrets, now: runtime.now() }));
  }
  return { version: 1, cookies: findings, others: [...bases].filter((base) => !isSession(base)) };
}

interface Subject {
  readonly base: string;
  readonly name: string | null;
  readonly show: boolean;
  readonly secrets: () => readonly NamedSecret[];
  /** Milliseconds since 1970. */
  readonly now: number;
}

async function examineOne(cookies: GivenCookies, { base, name, show, secrets, now }: Subject): Promise<SessionFinding> {
  const joined = joinGiven(cookies, base);
  const kind = kindOf(joined.value ?? "");
  const opened = broken(joined) ??
    (kind.kind === "sealed"
      ? await openSealed(
        { value: joined.value ?? "", header: kind, name, mayGoOn: joined.mayGoOn },
        secrets(),
        now / 1000,
      )
      : unsealed(kind.kind));
  const { verdict, says, fix, openedBy = null, claims = null } = opened;
  return {
    name,
    parts: joined.parts,
    verdict,
    says,
    fix,
    openedBy,
    issued: dateOf(claims?.iat),
    expires: dateOf(claims?.exp),
    claims: claims && (show ? claims : withoutTokens(claims)),
    row: claims && sealedIdOf(claims) ? sealedKey(claims) : null,
    notes: notesOn(joined, opened),
  };
}

// What the service does not put together.
function broken({ value, twins, missing }: Joined): Opened | null {
  if (twins.length > 0) {
    return {
      verdict: "twins",
      says: `There are two cookies named ${twins[0]}, of two paths or domains, and the service believes neither`,
      fix: "Remove both in the browser, and set cookies with one domain and path only",
    };
  }
  if (missing.length > 0) {
    const fix = "Sign in again; if it comes back, something on the way drops cookies: look at the limits of the proxy";
    return { verdict: "incomplete", says: `A part of it is missing: ${missing.join(", ")}`, fix };
  }
  if (value) return null;
  return { verdict: "empty", says: "It is empty: the service has removed it", fix: "Sign in again" };
}

function unsealed(kind: Exclude<Kind["kind"], "sealed">): Opened {
  switch (kind) {
    case "stored":
      return {
        verdict: kind,
        says: "It is the key of a session in storage, which a secret cannot open",
        fix: "Look in the table of sessions for the row whose sessionToken is this value: without one, or after its " +
          "`expires`, the session has ended",
      };
    case "better-auth":
      return {
        verdict: kind,
        says: "Better Auth has signed it: a token, and its HMAC",
        fix: "Set `session: { migrateFrom: … }` as @x/auth/migrate/better-auth says: until then it is ignored",
      };
    case "signed":
      return {
        verdict: kind,
        says: "It is a signed JWT, and the service encrypts its sessions",
        fix: "Look for what else sets this cookie, or for a `jwt.encode` of your own, which `jwt.decode` has to read",
      };
    case "unreadable":
      return {
        verdict: kind,
        says: "It is no session of this service: it has been cut, or something else has set it",
        fix: "Copy the whole value again, or look for what else sets a cookie of this name",
      };
  }
}

function notesOn({ ignored }: Joined, { verdict, claims }: Opened): readonly string[] {
  const notes: string[] = [];
  if (ignored > 0) notes.push(`Beside it came ${ignored} parts of another value, which do not count`);
  if (!claims) return notes;
  if (sealedIdOf(claims)) notes.push("With an adapter it lasts as long as its row in the table of sessions");
  else if (verdict === "opens" && claims.auth_time === undefined) {
    notes.push("It does not say when somebody signed in: Auth.js or `encode()` has made it, and it opens all the same");
  }
  return notes;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function withoutTokens(claims: Claims): Claims {
  const shown = redact(claims);
  // Ids of users are often long and random, and nobody signs in with one.
  const ids = ["sub", "id", "jti"].flatMap((name) => {
    const value = claims[name];
    return typeof value === "string" && UUID.test(value) ? [[name, value] as const] : [];
  });
  return { ...(isObject(shown) ? shown : {}), ...Object.fromEntries(ids) };
}

function dateOf(seconds: unknown): string | null {
  const date = new Date(typeof seconds === "number" ? seconds * 1000 : NaN);
  return Number.isNaN(date.valueOf()) ? null : date.toISOString();
}
