/**
 * The second factors of a visitor: an authenticator app, recovery codes, and the proof.
 *
 * @module
 */
import { fromBase32, STEP, totpAt } from "../../src/second_factor/totp.ts";
import type { Authenticator, CeremonyOptions } from "./authenticator.ts";
import type { Browser } from "./browser.ts";

/** What somebody has who has enrolled. */
export interface Enrolled {
  /** The key in the authenticator app, in base32. */
  readonly secret: string;
  /** The recovery codes. None if they had some before. */
  readonly recoveryCodes: readonly string[];
  /**
   * The code that the app shows. Each call gives another, because each works once: the second one is that of an app whose
   * clock is 30 seconds ahead.
   *
   * @throws {Error} if the clock has to be moved on first.
   */
  totp(): Promise<string>;
}

/** How a visitor gives a second proof. A passkey needs no code, and an email code is sent without one. */
export type VisitorProof =
  | { readonly method: "passkey" }
  | { readonly method: "totp" | "recovery-code"; readonly code: string }
  | { readonly method: "email-code"; readonly code?: string };

/** A tab, and the service in it. */
export interface Place {
  readonly tab: Browser;
  /** Gives the path of an action of the service. */
  readonly path: (action: string) => string;
}

interface Step {
  readonly setup?: { readonly id: string; readonly secret: string };
  readonly codes?: readonly string[];
  readonly ask?: number;
}

/** How somebody enrols. */
export interface EnrolOptions {
  /** Whether other sessions of theirs go on. @default {false} */
  readonly keepSessions?: boolean | undefined;
}

/** Adds an application, and keeps the recovery codes that come with the first one. @param now The clock of the service. */
export async function enrol(
  place: Place,
  { now, keepSessions = false }: EnrolOptions & { readonly now: () => number },
): Promise<Enrolled> {
  const { setup } = await stepOf(await change(place, { act: "totp" }));
  if (!setup) throw new Error("Cannot enrol: the service has made no key for an application");
  const { id, secret } = setup;
  const totp = application(secret, now);
  const { codes = [], ask = 0 } = await stepOf(await change(place, { act: "confirm", id, code: await totp() }));
  if (codes.length === 0) return { secret, recoveryCodes: [], totp };
  const sessions = keepSessions ? { keepSessions: "1" } : {};
  const kept = await change(place, { act: "keep", code: (codes[ask - 1] ?? "").slice(-4), ...sessions });
  // A sign-in that waited for it goes on.
  if (kept.headers.has("location")) await place.tab.follow(kept);
  else await stepOf(kept);
  return { secret, recoveryCodes: codes, totp };
}

async function change({ tab, path }: Place, fields: Readonly<Record<string, string>>): Promise<Response> {
  return await tab.post(path("factors"), { csrfToken: await tab.csrf(), ...fields });
}

async function stepOf(response: Response): Promise<Step> {
  const text = await response.text();
  if (response.status === 200) return JSON.parse(text).step;
  throw new Error(`Cannot enrol: the service has answered ${response.status} ${text}`);
}

function application(secret: string, now: () => number): () => Promise<string> {
  const key = fromBase32(secret);
  if (!key) throw new Error("Cannot enrol: the key is not base32");
  let last = 0;
  return async () => {
    const current = Math.floor(now() / 1000 / STEP);
    last = Math.max(current, last + 1);
    if (last > current + 1) throw new Error('The codes of this time were given: move on with `clock.advance("1m")`');
    return await totpAt(key, last);
  };
}

/** Gives a second proof, and goes where it leads. */
export async function prove({ tab, path }: Place, authenticator: Authenticator, proof: VisitorProof): Promise<void> {
  const url = new URL(path("challenge"), tab.origin);
  // The page knows where the browser was to go.
  if (tab.url.pathname === url.pathname) url.search = tab.url.search;
  url.searchParams.set("method", proof.method);
  const data = proof.method === "passkey" && await authenticator.get(await passkeyOptions(tab, url));
  const fields = { csrfToken: await tab.csrf(), ...proof, ...data && { data } };
  await tab.arrive(url, tab.origin, new URLSearchParams(fields));
}

async function passkeyOptions(tab: Browser, { pathname, search }: URL): Promise<CeremonyOptions> {
  const response = await tab.get(pathname + search);
  const { passkeyOptions } = await response.json();
  if (passkeyOptions) return passkeyOptions;
  throw new Error(`Cannot use a passkey: the service has answered ${response.status}, and asks for none`);
}
