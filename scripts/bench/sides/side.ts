/**
 * A side of the comparison: a library with the same configuration as the others, and what it can be asked.
 *
 * @module
 */

/** The libraries, and the least that a server can do. */
export const NAMES = ["@x/auth", "@auth/core", "better-auth", "floor"] as const;

/** Names a side. */
export type SideName = typeof NAMES[number];

/** What is asked. Each library has its own paths and forms for it. */
export type Ask =
  | "session-none"
  | "session-known"
  | "session-new"
  | "session-stored"
  | "csrf-none"
  | "csrf-known"
  | "providers"
  | "sign-in-page"
  | "credentials"
  | "oauth-start"
  | "oauth-callback"
  | "oidc-callback"
  | "sign-out";

/** The one kind of provider a service has, and how many of it. */
export interface Setup {
  readonly kind: "github" | "oidc" | "credentials";
  readonly count: number;
  /** Where sessions are kept, if not in cookies. */
  readonly store?: "map" | "sqlite";
}

/** A request to repeat, and how its answer is judged. */
export interface Question {
  /** Makes a request; the index tells apart those that must not be equal. */
  readonly request: (index: number) => Request;
  /** What every answer must have. */
  readonly status: number;
  /** Says what is wrong with an answer, so that nobody is praised for failing quickly. */
  readonly fault: (response: Response) => Promise<string | null>;
}

/** A path for a database that is new. */
export function freshFile(): string {
  return `${Deno.makeTempDirSync({ prefix: "bench-" })}/auth.db`;
}

/** A side. */
export interface Side {
  readonly name: SideName;
  readonly answer: (request: Request) => Response | Promise<Response>;
  /** What it can be asked; each entry prepares the cookies and forms it needs. */
  readonly asks: Readonly<Partial<Record<Ask, () => Promise<Question>>>>;
  /** Empties storage that would grow with every turn. */
  readonly reset?: () => void;
}

/** Where every service believes to be. */
export const ORIGIN = "http://localhost";

/** The secret of every service. */
export const SECRET = "a random text of at least 32 characters";

/** The OpenID Connect issuer of every service. */
export const ISSUER = "https://issuer.example";

/** The client of every provider. */
export const CLIENT = { clientId: "client-id", clientSecret: "client-secret" } as const;

/** Who signs in. */
export const ADA = { id: "1", name: "Ada", email: "ada@example.com", password: "correct horse" } as const;

/** Names a copy of a provider: the first has its usual id. */
export function idOf(kind: Setup["kind"], index: number): string {
  return index === 0 ? kind : `${kind}-${index + 1}`;
}

/** Makes a request for a service. */
export function ask(path: string, cookie?: string, fields?: Readonly<Record<string, string>>): Request {
  const headers = new Headers(cookie ? { cookie } : {});
  if (!fields) return new Request(`${ORIGIN}/auth/${path}`, { headers });
  headers.set("origin", ORIGIN);
  return new Request(`${ORIGIN}/auth/${path}`, { method: "POST", headers, body: new URLSearchParams(fields) });
}

/** The cookies that an answer sets, as a browser sends them back. */
export function cookiesOf(response: Response): string {
  const kept = response.headers.getSetCookie().filter((line) => !/max-age=0|expires=thu, 01 jan 1970/i.test(line));
  return kept.map((line) => line.slice(0, line.indexOf(";"))).join("; ");
}

/** Judges an answer by its text. */
export function says(pattern: RegExp): Question["fault"] {
  return async (response) => {
    const text = await response.text();
    return pattern.test(text) ? null : `does not say ${pattern}: ${text.slice(0, 200)}`;
  };
}

/** Judges an answer by where it leads, and by the cookies it sets or removes. */
export function leads(to: RegExp, cookies: RegExp): Question["fault"] {
  return async (response) => {
    const text = await response.text();
    const target = response.headers.get("location") ?? text;
    if (!to.test(target)) return `leads to ${target.slice(0, 300)}`;
    const given = response.headers.getSetCookie().join("\n");
    return cookies.test(given) ? null : `sets other cookies than ${cookies}: ${given.slice(0, 300)}`;
  };
}
