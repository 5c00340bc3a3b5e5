/**
 * Parts of the configuration that few services need: each is loaded for a configuration that may need it.
 *
 * @module
 */
import type { AuthConfig } from "../contract/config.ts";
import { isObject } from "../kernel/objects.ts";
import type { clientProblems } from "./check_client.ts";
import type { noProvider, providerFindings } from "./check_provider_members.ts";
import type { shapeProblems } from "./check_shape.ts";
import type { adapterProblem } from "./check_values.ts";
import type { UnreadyProviders, unreadyProviders } from "./check_ready.ts";
import type { conditionalProblems, webauthnProblems } from "./check_webauthn.ts";
import type { resolveWebAuthn } from "./resolve_webauthn.ts";
import type { mendConfig } from "./mend.ts";
import type { mendProvider } from "./mend_provider.ts";
import type { findMistakes } from "./mistakes.ts";
import type { guardAdapter } from "./storage.ts";

/** The parts. `null` is one that is not needed. */
export interface ConfigParts {
  /** Guards the adapter. */
  readonly guardAdapter: typeof guardAdapter | null;
  /** Checks how a client presents itself to a provider. */
  readonly clientProblems: typeof clientProblems | null;
  /** Checks and resolves providers of passkeys. */
  readonly webauthn: WebAuthnPart | null;
  /** Finds mistakes. Every service has it; a unit test may do without. */
  readonly mistakes: MistakesPart | null;
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

/** What finds mistakes, and mends what can be meant in one way only. */
export interface MistakesPart {
  readonly adapterProblem: typeof adapterProblem;
  readonly findMistakes: typeof findMistakes;
  readonly mendConfig: typeof mendConfig;
  readonly mendProvider: typeof mendProvider;
  readonly noProvider: typeof noProvider;
  readonly providerFindings: typeof providerFindings;
  readonly shapeProblems: typeof shapeProblems;
  readonly unreadyProviders: typeof unreadyProviders;
}

/** No parts: for a configuration that needs none, and has no mistakes. */
export const NO_PARTS: ConfigParts = Object.freeze({
  guardAdapter: null,
  clientProblems: null,
  webauthn: null,
  mistakes: null,
});

/** Options that say how a client presents itself. */
const OF_CLIENTS: readonly string[] = ["client", "clockTolerance", "securityProfile"];

/** Whether a provider may have options that say how the client presents itself. */
export function mayHaveClients(config: AuthConfig): boolean {
  return someProvider(config, (facts) => {
    return isObject(facts.token) || OF_CLIENTS.some((name) => facts[name] !== undefined);
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
