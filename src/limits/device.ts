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
}

/** The most names of accounts in a browser. One account may have several: an address, a name, an id. */
const MOST_ACCOUNTS = 12;

/** Reads the cookie; `null` if there is none, or it is forged, or has expired. */
export async function readDevice({ config, cookies }: BrowserContext): Promise<Device | null> {
  const sealed = cookies.read("device");
  const claims = sealed ? await config.sealer.open(sealed, cookies.nameOf("device")) : null;
  if (!claims || typeof claims.id !== "string" || !Array.isArray(claims.accounts)) return null;
  const accounts = claims.accounts.filter((account) => typeof account === "string");
  return { id: claims.id, accounts: accounts.slice(0, MOST_ACCOUNTS) };
}

/** Gives the name of the browser if one of these accounts has signed in there. */
export function deviceOf(device: Device | null, accounts: readonly string[]): string | null {
  return device?.accounts.some((account) => accounts.includes(account)) ? device.id : null;
}

/** Remembers that accounts have signed in, and for how long. Those that have not signed in for longest make room. */
export async function rememberDevice(ctx: BrowserContext, entered: readonly string[]): Promise<void> {
  const { config, cookies } = ctx;
  const known = await readDevice(ctx);
  const accounts = [...new Set([...entered, ...known?.accounts ?? []])].slice(0, MOST_ACCOUNTS);
  const claims = { id: known?.id ?? randomText(config.runtime), accounts };
  const sealed = await config.sealer.seal(claims, { salt: cookies.nameOf("device"), maxAge: DEVICE_LIFETIME });
  if (!cookies.closed) cookies.write("device", sealed);
}
