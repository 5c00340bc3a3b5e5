/**
 * The rules of WebAuthn providers.
 *
 * @module
 */
import type { AuthConfig } from "../contract/config.ts";
import {
  type ConfigError,
  DuplicateConditionalUI,
  ExperimentalFeatureNotEnabled,
  InvalidConfig,
  MissingWebAuthnAutocomplete,
} from "../kernel/errors.ts";
import type { WebAuthnProvider } from "../contract/provider.ts";
import type { MergedProvider } from "./merge_provider.ts";
import { formFieldsOf, hasConditionalUI } from "./resolve_webauthn.ts";

/** Lists the problems of a provider among all, if it is of type `webauthn`. */
export function webauthnProblems(
  { experimental }: AuthConfig,
  provider: MergedProvider,
  all: readonly MergedProvider[],
): ConfigError[] {
  if (provider.type !== "webauthn") return [];
  return [
    ...checkOptions(provider),
    ...(provider.confirm === true && !all.some(({ type }) => type === "email") ? [withoutEmail(provider)] : []),
    ...(hasConditionalUI(provider) ? checkAutocomplete(provider) : []),
    ...(experimental?.enableWebAuthn === false ? [notEnabled(provider)] : []),
  ];
}

/** Finds the providers that cannot be offered where people type, because an earlier one is offered there. */
export function conditionalProblems(
  providers: readonly MergedProvider[],
): ReadonlyMap<MergedProvider, readonly ConfigError[]> {
  const conditional = providers.filter((provider) => provider.type === "webauthn").filter(hasConditionalUI);
  return new Map(conditional.slice(1).map((provider) => [provider, [duplicate(conditional)]]));
}

function checkOptions(provider: WebAuthnProvider): ConfigError[] {
  const { id, relayingParty, simpleWebAuthnBrowserVersion: version } = provider;
  const wrong: [option: string, demand: string][] = [];
  if (version && !/^v\d+(?:\.\d+){0,2}$/.test(version)) {
    wrong.push(["simpleWebAuthnBrowserVersion", 'must be a version such as "v13.2.0"']);
  }
  if (![relayingParty?.origin ?? []].flat().every(isOrigin)) {
    wrong.push(["relayingParty.origin", 'must be an origin such as "https://example.com"']);
  }
  if (![relayingParty?.id ?? []].flat().every(isDomain)) {
    wrong.push(["relayingParty.id", 'must be a domain such as "example.com"']);
  }
  const algorithms = provider.registrationOptions?.supportedAlgorithmIDs;
  if (algorithms !== undefined && !isListOfAlgorithms(algorithms)) {
    const known = VERIFIABLE.join(", ");
    wrong.push(["registrationOptions.supportedAlgorithmIDs", `must be a list of algorithms among ${known}`]);
  }
  const { registration = "open", maxCredentials = 100 } = provider;
  if (registration !== "open" && registration !== "signed-in") {
    wrong.push(["registration", 'must be "open" or "signed-in"']);
  }
  if (!Number.isSafeInteger(maxCredentials) || maxCredentials < 1) {
    wrong.push(["maxCredentials", "must be a whole number of at least 1"]);
  }
  if (![undefined, true, false].includes(provider.allowCredentialsByEmail)) {
    wrong.push(["allowCredentialsByEmail", "must be true or false"]);
  }
  if (![undefined, true, false].includes(provider.confirm)) wrong.push(["confirm", "must be true or false"]);
  const { timeout, authenticationOptions, registrationOptions } = provider;
  if (![timeout, authenticationOptions?.timeout, registrationOptions?.timeout].every(isDuration)) {
    wrong.push(["timeout", "must be a number of milliseconds"]);
  }
  return wrong.map(([option, demand]) => new InvalidConfig(`Cannot use provider "${id}": its \`${option}\` ${demand}`));
}

/** The COSE algorithms whose signatures can be verified: a passkey with another one could never sign in. */
const VERIFIABLE: readonly unknown[] = [-7, -8, -35, -36, -37, -38, -39, -257, -258, -259];

function isListOfAlgorithms(list: unknown): boolean {
  return Array.isArray(list) && list.length > 0 && list.every((algorithm) => VERIFIABLE.includes(algorithm));
}

function isOrigin(origin: unknown): boolean {
  if (typeof origin !== "string") return false;
  // Android apps have no URL as their origin, but the hash of the key that signed them.
  return origin.startsWith("android:apk-key-hash:") || URL.parse(origin)?.origin === origin;
}

function isDomain(id: unknown): boolean {
  return typeof id === "string" && URL.parse(`https://${id}`)?.hostname === id;
}

function isDuration(timeout: unknown): boolean {
  return timeout === undefined || (typeof timeout === "number" && timeout >= 1 && timeout < 1e10);
}

function duplicate(providers: readonly WebAuthnProvider[]): ConfigError {
  const ids = providers.map(({ id }) => `"${id}"`).join(" and ");
  return new DuplicateConditionalUI(
    `Cannot offer passkeys of providers ${ids} on one page: set \`enableConditionalUI: false\` on all but one`,
  );
}

function checkAutocomplete(provider: WebAuthnProvider): ConfigError[] {
  const words = Object.values(formFieldsOf(provider)).flatMap(({ autocomplete }) => String(autocomplete).split(/\s+/));
  if (words.includes("webauthn")) return [];
  return [
    new MissingWebAuthnAutocomplete(
      `Cannot use provider "${provider.id}": one of its \`formFields\` must have "webauthn" in its \`autocomplete\`, ` +
        "or set `enableConditionalUI: false`",
    ),
  ];
}

function withoutEmail({ id }: WebAuthnProvider): ConfigError {
  return new InvalidConfig(
    `Cannot use provider "${id}": \`confirm\` needs a provider of type \`email\`, which sends the emails; add one, or ` +
      "leave `confirm` out",
  );
}

function notEnabled({ id }: WebAuthnProvider): ConfigError {
  return new ExperimentalFeatureNotEnabled(
    `Cannot use provider "${id}": \`experimental.enableWebAuthn\` is false; leave it out`,
  );
}
