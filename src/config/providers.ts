/**
 * Which providers of a configuration can be used. One that cannot is left out, and the service goes on without it.
 *
 * @module
 */
import type { AuthConfig } from "../contract/config.ts";
import { adapterProblemsOf } from "./check_adapter.ts";
import { oauthProblems, proxyUrlProblems } from "./check_oauth.ts";
import { noProvider, providerFindings } from "./check_provider_members.ts";
import { adapterProblem } from "./check_values.ts";
import { SECRET_FORM, secretProblem } from "../crypto/secrets.ts";
import type { ReadEnv } from "./env.ts";
import { type ConfigError, InvalidConfig, MissingAuthorize } from "../kernel/errors.ts";
import type { ProviderType } from "../kernel/model.ts";
import type { ProviderInput } from "../contract/provider.ts";
import { shown } from "../kernel/shown.ts";
import { mendProvider } from "./mend_provider.ts";
import { type MergedProvider, mergeProvider } from "./merge_provider.ts";
import type { ConfigParts } from "./parts.ts";
import type { Storage } from "../storage/guard.ts";
import type { Warning } from "./warning.ts";

/** A provider that is left out. */
export interface BrokenProvider {
  /** Its kind; `oauth` if it has none. */
  readonly type: ProviderType;
  /** What is wrong with it. */
  readonly problems: readonly [ConfigError, ...ConfigError[]];
}

/** The providers of a configuration. */
export interface CheckedProviders {
  /** Those that can be used. */
  readonly providers: readonly MergedProvider[];
  /** The others, by id, as far as they have one that can stand in a URL. */
  readonly broken: ReadonlyMap<string, BrokenProvider>;
  /** What is wrong with all of the others. */
  readonly problems: readonly ConfigError[];
  readonly warnings: readonly Warning[];
}

/** What providers are checked with. */
export interface Surroundings {
  readonly env: ReadEnv;
  /** URL of the redirect proxy. */
  readonly proxyUrl: string | undefined;
  readonly storage: Storage | null;
  readonly parts: ConfigParts;
}

/** Completes the providers of a configuration, mends them and sorts out those that cannot be used. */
export function checkProviders(config: AuthConfig, surroundings: Surroundings): CheckedProviders {
  const { env, parts } = surroundings;
  const warnings: Warning[] = [];
  const broken = new Map<string, BrokenProvider>();
  const lacks: ConfigError[] = [];
  const leaveOut = (id: unknown, type: unknown, problems: BrokenProvider["problems"]) => {
    lacks.push(...problems);
    for (const { message } of problems) warnings.push(["provider-left-out", `A provider is left out. ${message}`]);
    if (isProviderId(id)) broken.set(id, { type: isType(type) ? type : "oauth", problems });
  };
  const merged: MergedProvider[] = [];
  const odd = new Map<MergedProvider, readonly ConfigError[]>();
  for (const [index, input] of listOf(config.providers).entries()) {
    if (!input) {
      const what = `\`providers[${index}]\` is ${shown(input)}, so it is ignored`;
      warnings.push(["provider-empty", `${what}: look at what you import or choose there, or remove it`]);
      continue;
    }
    try {
      const mended = mendProvider(merge(input, env));
      const found = providerFindings(input, mended.provider);
      warnings.push(...mended.warnings, ...found.warnings);
      merged.push(mended.provider);
      const lack = parts.unready?.get(input);
      odd.set(mended.provider, [...found.problems, ...lack ? [lack] : []]);
    } catch (cause) {
      const problem = new InvalidConfig(`Cannot use \`providers[${index}]\`: ${noProvider(input, cause)}`, {
        cause,
        logCode: "provider-unknown",
      });
      leaveOut((input as { readonly id?: unknown }).id, null, [problem]);
    }
  }
  const others = parts.webauthn?.conditionalProblems(merged);
  const providers = merged.filter((provider) => {
    const problems = [
      ...problemsOf(provider, { config, merged, ...surroundings }),
      ...others?.get(provider) ?? [],
      ...odd.get(provider) ?? [],
    ];
    const [first, ...rest] = problems;
    if (first) leaveOut(provider.id, provider.type, [first, ...rest]);
    return !first;
  });
  return { providers, broken, problems: Object.freeze(lacks), warnings };
}

function listOf(providers: unknown): readonly ProviderInput[] {
  return Array.isArray(providers) ? [...providers] : [];
}

function merge(input: ProviderInput, env: ReadEnv): MergedProvider {
  const merged = mergeProvider(input, env);
  if (isType(merged.type)) return merged;
  throw new TypeError('its `type` must be "oauth", "oidc", "email", "credentials" or "webauthn"');
}

const TYPES: readonly unknown[] = ["oauth", "oidc", "email", "credentials", "webauthn"] satisfies ProviderType[];

function isType(type: unknown): type is ProviderType {
  return TYPES.includes(type);
}

function isProviderId(id: unknown): id is string {
  return typeof id === "string" && /^[\w.~-]{1,64}$/.test(id) && id !== "undefined" && id !== "." && id !== "..";
}

interface Neighbours extends Surroundings {
  readonly config: AuthConfig;
  readonly merged: readonly MergedProvider[];
}

function problemsOf(
  provider: MergedProvider,
  { config, proxyUrl, merged, storage, parts }: Neighbours,
): readonly ConfigError[] {
  return [
    ...idProblems(provider, merged),
    ...ownProblems(provider, { proxyUrl, parts }),
    ...parts.webauthn?.webauthnProblems(config, provider, merged) ?? [],
    // Of what is no adapter there is nothing more to say.
    ...adapterProblemsOf(provider, adapterProblem(config.adapter) === null ? storage : NO_LACKS),
  ];
}

const NO_LACKS = { lacks: () => [] };

function idProblems({ id }: MergedProvider, all: readonly MergedProvider[]): ConfigError[] {
  if (!isProviderId(id)) {
    return [
      new InvalidConfig(
        `Cannot use a provider's \`id\`: ${shown(id)} must be 1 to 64 characters of A-Z a-z 0-9 _ . ~ -`,
      ),
    ];
  }
  // Both: accounts are stored under the id, so those of one would open users of the other.
  if (all.filter((other) => other.id === id).length === 1) return [];
  return [new InvalidConfig(`Cannot use two providers with the \`id\` "${id}": set another \`id\` on one of them`)];
}

function ownProblems(
  provider: MergedProvider,
  { proxyUrl, parts }: Pick<Surroundings, "proxyUrl" | "parts">,
): readonly ConfigError[] {
  const { id } = provider;
  switch (provider.type) {
    case "oauth":
    case "oidc":
      return [
        ...oauthProblems(provider),
        ...parts.clientProblems?.(provider) ?? [],
        ...proxyUrlProblems(provider.redirectProxyUrl ?? proxyUrl),
      ];
    case "email":
      return secretProblem(provider.secret)
        ? [new InvalidConfig(`Cannot use \`secret\` of provider "${id}": ${SECRET_FORM}`)]
        : [];
    case "credentials":
      return typeof provider.authorize === "function"
        ? []
        : [new MissingAuthorize(`Cannot use provider "${id}": set its \`authorize\``)];
    case "webauthn":
      return [];
    default:
      return provider satisfies never;
  }
}
