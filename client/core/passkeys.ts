/**
 * Ceremonies of WebAuthn. Loaded when a passkey is first used or created.
 *
 * @see {@link https://www.w3.org/TR/webauthn-3/ | Web Authentication Level 3}
 *
 * @module
 */
import type { Answer, Browser } from "./connection.ts";

/** What {@linkcode runCeremony} needs. */
export interface CeremonyOptions {
  /** `upgrade`: the browser makes a passkey by itself, or leaves it. */
  readonly action: "authenticate" | "register" | "upgrade" | undefined;
  readonly conditional: boolean | undefined;
  readonly signal: AbortSignal | undefined;
  /** The fields of the form. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Asks the service. */
  readonly get: (path: string) => Promise<Answer>;
  /** Posts the form, with these fields more. */
  readonly send: (made: Readonly<Record<string, unknown>>) => Promise<Answer>;
}

type Json = Readonly<Record<string, unknown>>;

/** Ends the ceremony that is under way: a browser allows one at a time. */
let pending: AbortController | undefined;

/**
 * Asks the person for a passkey, or creates one, and posts it.
 *
 * @param id The id of the provider; `null` for a second proof, which is of no provider.
 */
export async function runCeremony(browser: Browser, id: string | null, options: CeremonyOptions): Promise<Answer> {
  pending?.abort();
  const own = pending = new AbortController();
  if (options.signal?.aborted) own.abort();
  options.signal?.addEventListener("abort", () => own.abort());
  try {
    const made = options.conditional
      ? await offer(browser, id, options, own.signal)
      : await run(browser, id, options, own.signal);
    if ("status" in made) return made;
    const { used, ...fields } = made;
    const answer = await options.send(fields);
    if (id !== null) {
      const isNew = options.action === "upgrade";
      await signalPasskeys(browser, id, options.get, { used, code: answer.url?.searchParams.get("code"), isNew });
    }
    return answer;
  } catch (error) {
    return { status: 0, error: nameOf(error, own.signal) };
  }
}

/** A credential, as the browser names it to authenticators. */
interface Used {
  readonly rpId: string;
  readonly credentialId: string;
}

/** A ceremony that has ended. */
interface Ended {
  readonly used?: Used;
  readonly code?: string | null | undefined;
  /** Whether the credential was made just now, for the person who is signed in. */
  readonly isNew?: boolean;
}

interface Signals {
  signalAllAcceptedCredentials?(accepted: object): Promise<void>;
  signalUnknownCredential?(used: Used): Promise<void>;
}

/**
 * Tells authenticators which passkeys the service knows, where the browser can. The list counts more than the code, which
 * somebody may have written into the address that a sign-in leads to.
 *
 * @returns Whether they were told.
 */
export async function signalPasskeys(
  { PublicKeyCredential }: Browser,
  id: string,
  get: CeremonyOptions["get"],
  { used, code, isNew }: Ended = {},
): Promise<boolean> {
  const signals = (PublicKeyCredential ?? {}) as unknown as Signals;
  if (!signals.signalUnknownCredential) return false;
  try {
    const { status, body } = await get(`webauthn-options/${id}?action=list`);
    const accepted: readonly { readonly allAcceptedCredentialIds: readonly string[] }[] = body.accepted ?? [];
    const isKnown = accepted.some(({ allAcceptedCredentialIds: all }) => !used || all.includes(used.credentialId));
    if (isKnown) { for (const each of accepted) await signals.signalAllAcceptedCredentials?.(each); }
    else if (used && (isNew ? status === 200 : code === "unknown_passkey" && /^(?:200|403)$/.test(`${status}`))) {
      await signals.signalUnknownCredential(used);
    }
    return isKnown;
  } catch {
    return false;
  }
}

interface Made {
  readonly action: string;
  /** The credential as JSON. */
  readonly data: string;
  readonly used: Used;
}

/** Milliseconds that a browser has to make a passkey by itself: as long as it tries, it does nothing else with passkeys. */
const UPGRADE_WAIT = 5000;

/** Whether a browser can make a passkey by itself. */
async function canUpgrade(known: Browser["PublicKeyCredential"]): Promise<boolean> {
  return (await (known as unknown as Capable).getClientCapabilities?.())?.conditionalCreate === true;
}

interface Capable {
  getClientCapabilities?(): Promise<{ readonly conditionalCreate?: boolean }>;
}

/** Offers passkeys in a field for as long as it takes: challenges expire, and another tab may get a newer one instead. */
async function offer(
  browser: Browser,
  id: string | null,
  options: CeremonyOptions,
  signal: AbortSignal,
): Promise<Made | Answer> {
  const { document, PublicKeyCredential } = browser;
  if (!await PublicKeyCredential?.isConditionalMediationAvailable?.()) throw unsupported();
  for (;;) {
    const round = new AbortController();
    const ends = AbortSignal.any([signal, round.signal]);
    const again = (): void => void (document.hidden || round.abort());
    document.addEventListener("visibilitychange", again, { signal: ends });
    try {
      return await run(browser, id, options, ends, () => round.abort());
    } catch (error) {
      if (signal.aborted || !round.signal.aborted) throw error;
    } finally {
      round.abort();
    }
  }
}

async function run(
  { navigator, PublicKeyCredential }: Browser,
  id: string | null,
  { action = "authenticate", fields, get }: CeremonyOptions,
  signal: AbortSignal,
  expire?: () => void,
): Promise<Made | Answer> {
  const isAlone = action === "upgrade";
  if (!PublicKeyCredential || (isAlone && !await canUpgrade(PublicKeyCredential))) throw unsupported();
  // Servers write URLs to logs, so fields are sent only where they are needed.
  const query = new URLSearchParams({ ...!expire && fields as Record<string, string>, action });
  const answer = await get(`webauthn-options/${id}?${query}`);
  signal.throwIfAborted();
  if (answer.status !== 200) return answer;
  const { options } = answer.body;
  const timer = expire && setTimeout(expire, options.timeout);
  try {
    const { credentials } = navigator;
    const request = {
      publicKey: withBytes(options),
      signal: isAlone ? AbortSignal.any([signal, AbortSignal.timeout(UPGRADE_WAIT)]) : signal,
      ...(expire || isAlone) && { mediation: "conditional" as const },
    };
    const made = await (action === "authenticate" ? credentials.get(request) : credentials.create(request));
    const used = { rpId: options.rpId ?? options.rp?.id, credentialId: made?.id ?? "" };
    return { action, data: JSON.stringify(jsonOf(made as PublicKeyCredential)), used };
  } finally {
    clearTimeout(timer);
  }
}

function unsupported(): DOMException {
  return new DOMException("This browser has no passkeys", "Unsupported");
}

function nameOf(error: unknown, signal: AbortSignal): string {
  const { name } = error as Error;
  if (signal.aborted || name === "NotAllowedError") return "Cancelled";
  return error instanceof DOMException ? name : "Unreachable";
}

/** Turns options from JSON into what the browser takes. */
function withBytes(
  // deno-lint-ignore no-explicit-any -- JSON of the service, which the browser checks member by member
  options: any,
): PublicKeyCredentialCreationOptions & PublicKeyCredentialRequestOptions {
  const idBytes = (named: Json): Json => ({ ...named, id: decode(String(named.id)) });
  return {
    ...options,
    challenge: decode(options.challenge),
    user: options.user && idBytes(options.user),
    allowCredentials: options.allowCredentials?.map(idBytes),
    excludeCredentials: options.excludeCredentials?.map(idBytes),
  };
}

// Not toJSON(): some password managers put objects in the place of credentials that lack it.
function jsonOf(credential: PublicKeyCredential): Json {
  const { id, rawId, type, authenticatorAttachment } = credential;
  const given = credential.response as unknown as Readonly<Record<string, ArrayBuffer>>;
  const transports = (credential.response as AuthenticatorAttestationResponse).getTransports?.();
  const members = ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"];
  const bytes = members.flatMap((name) => given[name] ? [[name, encode(given[name])]] : []);
  return {
    id,
    rawId: encode(rawId),
    type,
    authenticatorAttachment,
    response: { transports, ...Object.fromEntries(bytes) },
    clientExtensionResults: credential.getClientExtensionResults(),
  };
}

function decode(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));
}

function encode(bytes: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(bytes))).replaceAll("+", "-").replaceAll("/", "_")
    .replaceAll("=", "");
}
