/**
 * The cookie of a browser in which somebody has signed in: it says whose accounts these were, as keyed hashes.
 *
 * It gives guesses, never access: who steals it has the guesses of one device.
 *
 * @module
 */
import { DEVICE_LIFETIME } from "../http/cookie_specs.ts";
import { randomText } from "../crypto/random.ts";
import type { RequestContext } from "../request/context.ts";

type BrowserContext = Pick<RequestContext, "config" | "cookies">;

/** A browser that is known. */
export interface Device {
  /** Its name, which the browser cannot read. */
  readonly id: string;
  /** Keyed hashes of the accounts, the newest first. */
  readonly accounts: readonly string[];
  /** Keyed hashes of the users who have given a second proof there, the newest first. */
  readonly users: readonly string[];
}

/** The most accounts of a browser, and the most users. */
const MOST_ACCOUNTS = 8;

/** Reads the cookie; `null` if there is none, or it is forged, or has expired. */
export async function readDevice({ config, cookies }: BrowserContext): Promise<Device | null> {
  const sealed = cookies.read("device");
  const claims = sealed ? await config.sealer.open(sealed, cookies.nameOf("device")) : null;
  if (!claims || typeof claims.id !== "string" || !Array.isArray(claims.accounts)) return null;
  return { id: claims.id, accounts: namesIn(claims.accounts), users: namesIn(claims.users) };
}

function namesIn(claim: unknown): readonly string[] {
  const names = Array.isArray(claim) ? claim : [];
  return names.filter((name) => typeof name === "string").slice(0, MOST_ACCOUNTS);
}

/** Gives the name of the browser if one of these accounts or users is known there. */
export function deviceOf(device: Device | null, names: readonly string[]): string | null {
  return device && [...device.accounts, ...device.users].some((known) => names.includes(known)) ? device.id : null;
}

/** Remembers that accounts have signed in, and for how long. Those that have not signed in for longest make room. */
export async function rememberDevice(
  ctx: BrowserContext,
  entered: Pick<Device, "accounts" | "users">,
): Promise<void> {
  const { config, cookies } = ctx;
  const known = await readDevice(ctx);
  const newest = (name: "accounts" | "users") => {
    return [...new Set([...entered[name], ...known?.[name] ?? []])].slice(0, MOST_ACCOUNTS);
  };
  const users = newest("users");
  const claims = {
    id: known?.id ?? randomText(config.runtime),
    accounts: newest("accounts"),
    ...(users.length > 0 && { users }),
  };
  const sealed = await config.sealer.seal(claims, { salt: cookies.nameOf("device"), maxAge: DEVICE_LIFETIME });
  if (!cookies.closed) cookies.write("device", sealed);
}
