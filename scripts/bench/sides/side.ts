/**
 * A side of the comparison: a library with the same configuration as the others, and the questions it can answer.
 *
 * @module
 */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";

/** The libraries, and the floor: the least that a server has to do. */
export const NAMES = ["@x/auth", "@auth/core", "better-auth", "floor"] as const;

/** The name of a side. */
export type SideName = typeof NAMES[number];

/** What a side can be asked. Each library has its own paths and forms for it. */
export type QuestionName =
  | "session-none"
  | "session-known"
  | "session-new"
  | "session-stored"
  | "csrf-known"
  | "providers"
  | "sign-in-page"
  | "credentials"
  | "oauth-start"
  | "oauth-callback"
  | "oidc-callback"
  | "sign-out";

/** Where sessions are kept. */
export type StoreName = "map" | "sqlite" | "pg" | "kv";

/** The provider of a service, and where its sessions are. */
export interface Setup {
  readonly kind: "github" | "oidc" | "credentials";
  /** Where sessions are kept, if not in cookies. */
  readonly store?: StoreName;
}

/** A request to repeat, and the check of its answer. */
export interface Question {
  /** Makes a request. Requests that have to differ use the index. */
  readonly request: (index: number) => Request | Promise<Request>;
  /** The status that every answer must have. */
  readonly status: number;
  /** Finds what is wrong with an answer: failing fast must not count as fast. */
  readonly problemOf: (response: Response) => Promise<string | null>;
}

const folders: string[] = [];

/** Creates a folder and returns the path of a new database in it. The folder is gone when the program ends. */
export function freshFile(): string {
  if (folders.length === 0) process.once("exit", removeFolders);
  const folder = mkdtempSync(join(tmpdir(), "bench-"));
  folders.push(folder);
  return join(folder, "auth.db");
}

function removeFolders(): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}

/** A side, ready to answer. */
export interface Side {
  readonly name: SideName;
  readonly answer: (request: Request) => Response | Promise<Response>;
  /** The questions it can answer. Each function prepares the cookies and forms that it needs. */
  readonly questions: Readonly<Partial<Record<QuestionName, () => Promise<Question>>>>;
  /** Clears storage that would grow with every turn. */
  readonly reset?: () => void;
}

/** The origin of every service. */
export const ORIGIN = "http://localhost";

/** The secret of every service. */
export const SECRET = "a random text of at least 32 characters";

/** The OpenID Connect issuer of every service. */
export const ISSUER = "https://issuer.example";

/** The client credentials of every provider. */
export const CLIENT = { clientId: "client-id", clientSecret: "client-secret" } as const;

/** The user who signs in. */
export const ADA = { id: "1", name: "Ada", email: "ada@example.com", password: "correct horse" } as const;

/** Makes a request to a service: GET, or POST if there are fields. */
export function authRequest(path: string, cookie?: string, fields?: Readonly<Record<string, string>>): Request {
  const headers = new Headers(cookie ? { cookie } : {});
  if (!fields) return new Request(`${ORIGIN}/auth/${path}`, { headers });
  headers.set("origin", ORIGIN);
  return new Request(`${ORIGIN}/auth/${path}`, { method: "POST", headers, body: new URLSearchParams(fields) });
}

/** Returns the cookies that an answer sets, as a browser would send them back. */
export function cookiesOf(response: Response): string {
  const kept = response.headers.getSetCookie().filter((line) => !/max-age=0|expires=thu, 01 jan 1970/i.test(line));
  return kept.map((line) => line.slice(0, line.indexOf(";"))).join("; ");
}

/** Checks the text of an answer. */
export function answersWith(pattern: RegExp): Question["problemOf"] {
  return async (response) => {
    const text = await response.text();
    return pattern.test(text) ? null : `does not match ${pattern}: ${text.slice(0, 200)}`;
  };
}

/** Checks the redirect of an answer, and the cookies that it sets or removes. */
export function redirectsTo(to: RegExp, cookies: RegExp): Question["problemOf"] {
  return async (response) => {
    const text = await response.text();
    const url = response.headers.get("location") ?? text;
    if (!to.test(url)) return `redirects to ${url.slice(0, 300)}`;
    const given = response.headers.getSetCookie().join("\n");
    return cookies.test(given) ? null : `sets cookies that do not match ${cookies}: ${given.slice(0, 300)}`;
  };
}
