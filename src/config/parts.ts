/**
 * Parts of the configuration that few services need: each is loaded for a configuration that may need it.
 *
 * @module
 */
import type { AuthConfig } from "../contract/config.ts";
import { isObject } from "../kernel/objects.ts";
import type { clientProblems } from "./check_client.ts";
import type { UnreadyProviders } from "./check_ready.ts";
import type { conditionalProblems, webauthnProblems } from "./check_webauthn.ts";
import type { resolveWebAuthn } from "./resolve_webauthn.ts";
import type { guardAdapter } from "../storage/guard.ts";

/** The parts. `null` is one that is not needed. */
export interface ConfigParts {
  /** Guards the adapter. */
  readonly guardAdapter: typeof guardAdapter | null;
  /** Checks how a client presents itself to a provider. */
  readonly clientProblems: typeof clientProblems | null;
  /** Checks and resolves providers of passkeys. */
  readonly webauthn: WebAuthnPart | null;
  /** What providers lack. @default {nothing} */
  readonly unready?: UnreadyProviders | undefined;
  /** The path of the service if neither `basePath` nor `AUTH_URL` names one. @default {"/auth"} */
  readonly basePath?: string | undefined;
}

/** What providers of passkeys need. */
export interface WebAuthnPart {
  readonly conditionalProblems: typeof conditionalProblems;
  readonly resolveWebAuthn: typeof resolveWebAuthn;
  readonly webauthnProblems: typeof webauthnProblems;
}

/** Options that say how a client presents itself. */
const OF_CLIENTS: readonly string[] = ["client", "clockTolerance", "securityProfile"];

/** How the members of a registration are written, and our options are not. */
const REGISTERED = /^[a-z]+_/;

/** Whether a provider may have options that say how the client presents itself. */
export function mayHaveClients(config: AuthConfig): boolean {
  return someProvider(config, (facts) => {
    return isObject(facts.token) || OF_CLIENTS.some((name) => facts[name] !== undefined) ||
      Object.keys(facts).some((name) => REGISTERED.test(name) && name !== "jwks_endpoint");
  });
}

/** Whether a provider may be one of passkeys. */
export function mayHavePasskeys(config: AuthConfig): boolean {
  return someProvider(config, ({ type }) => type === "webauthn");
}

type Facts = Readonly<Record<string, unknown>>;

// What a function returns is not known before it is called, so it may be anything.
function someProvider({ providers }: AuthConfig, is: (facts: Facts) => boolean): boolean {
  return Array.isArray(providers) && providers.some((provider: unknown) => {
    if (!isObject(provider)) return typeof provider === "function";
    return is(provider) || (isObject(provider.options) && is(provider.options));
  });
}
