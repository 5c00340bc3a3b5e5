/**
 * Which providers of a configuration can be used. One that cannot is left out, and the service goes on without it.
 *
 * @module
 */
import type { AuthConfig } from "../contract/config.ts";
import type { WebAuthnProvider } from "../contract/provider.ts";
import {
  type ConfigError,
  DuplicateConditionalUI,
  ExperimentalFeatureNotEnabled,
  InvalidConfig,
  MissingAdapterMethods,
  MissingWebAuthnAutocomplete,
} from "../kernel/errors.ts";
import type { ProviderType } from "../kernel/model.ts";
import { describeValue } from "../kernel/objects.ts";
import { isPasswordProvider, type PasswordProvider } from "../passwords/settings.ts";
import type { UnreadyProviders } from "./check_ready.ts";
import type { MergedProvider } from "./merge_provider.ts";
import { withOtherName } from "./other_names.ts";
import { type ConfigFacts, isProviderId, isProviderType, type ReadProvider } from "./read_config.ts";
import { formFieldsOf, hasConditionalUI } from "./resolve_webauthn.ts";
import { adapterProblem, type Asked, lacking, missingAdapter, sendsMail } from "./rules.ts";
import { noProvider, unknownInProvider } from "./unknown_provider.ts";
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

/** Sorts out the providers that cannot be used. */
export function checkProviders(
  { config, entries, readEnv }: Pick<ConfigFacts, "config" | "entries" | "readEnv">,
  storage: Asked,
  unready: UnreadyProviders,
): CheckedProviders {
  const warnings: Warning[] = [];
  const broken = new Map<string, BrokenProvider>();
  const lacks: ConfigError[] = [];
  const leaveOut = (id: unknown, type: unknown, problems: BrokenProvider["problems"]) => {
    lacks.push(...problems);
    for (const { message } of problems) warnings.push(["provider-left-out", `A provider is left out. ${message}`]);
    if (isProviderId(id)) broken.set(id, { type: isProviderType(type) ? type : "oauth", problems });
  };
  const known: Extract<ReadProvider, { found: object }>[] = [];
  for (const [index, entry] of entries.entries()) {
    if (!entry.input) {
      const what = `\`providers[${index}]\` is ${describeValue(entry.input)}, so it is ignored`;
      warnings.push(["provider-empty", `${what}: look at what you import or choose there, or remove it`]);
    } else if (entry.provider) {
      known.push(entry);
      warnings.push(...entry.found.warnings, ...unknownInProvider(entry.input, entry.provider));
    } else {
      const { input, cause } = entry;
      const problem = new InvalidConfig(`Cannot use \`providers[${index}]\`: ${noProvider(input, cause)}`, {
        cause,
        logCode: "provider-unknown",
      });
      leaveOut((input as { readonly id?: unknown }).id, null, [problem]);
    }
  }
  const all = known.map(({ provider }) => provider);
  const providers = known.filter(({ input, provider, found }) => {
    const lack = unready.get(input);
    const [first, ...rest] = [
      ...idProblems(provider, all),
      ...found.problems.map((problem) => withOtherName(problem, provider.id, readEnv)),
      ...(provider.type === "webauthn" ? webauthnProblems(provider, all, config) : []),
      // Of what is not an adapter there is nothing more to say.
      ...adapterProblems(provider, adapterProblem(config.adapter) === null ? storage : NO_LACKS),
      ...(isPasswordProvider(provider) && !sendsMail(config, all) ? [noMail()] : []),
      ...(lack ? [lack] : []),
    ];
    if (first) leaveOut(provider.id, provider.type, [first, ...rest]);
    return !first;
  }).map(({ provider }) => provider);
  return { providers, broken, problems: Object.freeze(lacks), warnings };
}

const NO_LACKS = { lacks: () => [] };

function idProblems({ id }: MergedProvider, all: readonly MergedProvider[]): ConfigError[] {
  if (!isProviderId(id)) {
    return [
      new InvalidConfig(
        `Cannot use a provider's \`id\`: ${describeValue(id)} must be 1 to 64 characters of A-Z a-z 0-9 _ . ~ -`,
      ),
    ];
  }
  // Both: accounts are stored under the id, so those of one would open users of the other.
  if (all.filter((other) => other.id === id).length === 1) return [];
  return [new InvalidConfig(`Cannot use two providers with the \`id\` "${id}": set another \`id\` on one of them`)];
}

function adapterProblems(provider: MergedProvider, storage: Asked): ConfigError[] {
  const { id, type } = provider;
  if (isPasswordProvider(provider)) return passwordProblems(provider, storage);
  const needsStorage = type === "email" || type === "webauthn";
  return [...(needsStorage && !storage ? [missingAdapter(`provider "${id}"`)] : []), ...lacking(storage, type)];
}

function passwordProblems({ store }: PasswordProvider, storage: Asked): ConfigError[] {
  if (!storage) return [missingAdapter('provider "password"')];
  const lacks = lacking(storage, "passwords");
  if (lacks.length > 0 || storage.lacks("records").length === 0 || store) return lacks;
  return [
    new MissingAdapterMethods(
      'Cannot use provider "password": the adapter has no records; add records to it with `withRecords` of ' +
        "@x/auth/adapters/records, or keep the hashes yourself: set `store`",
    ),
  ];
}

function noMail(): ConfigError {
  return new InvalidConfig(
    'Cannot use provider "password": it sends email; set `mail` to a function that sends one, or add a provider of a ' +
      "mail service",
  );
}

function webauthnProblems(
  provider: WebAuthnProvider,
  all: readonly MergedProvider[],
  { experimental }: AuthConfig,
): ConfigError[] {
  const { id, confirm, relatedOrigins, relayingParty } = provider;
  const problems: ConfigError[] = [];
  if (relatedOrigins && relatedOrigins.length > 0 && !relayingParty?.id) {
    const what =
      '`relatedOrigins` needs `relayingParty.id`, the domain whose passkeys they use, such as "example.com"; set it';
    problems.push(new InvalidConfig(`Cannot use provider "${id}": ${what}`));
  }
  if (confirm === true && !all.some(({ type }) => type === "email")) {
    const what = "`confirm` needs a provider of type `email`, which sends the emails; add one, or leave `confirm` out";
    problems.push(new InvalidConfig(`Cannot use provider "${id}": ${what}`));
  }
  if (hasConditionalUI(provider) && !offersPasskeys(provider)) {
    const what =
      'one of its `formFields` must have "webauthn" in its `autocomplete`, or set `enableConditionalUI: false`';
    problems.push(new MissingWebAuthnAutocomplete(`Cannot use provider "${id}": ${what}`));
  }
  if (experimental?.enableWebAuthn === false) {
    const what = "`experimental.enableWebAuthn` is false; leave it out";
    problems.push(new ExperimentalFeatureNotEnabled(`Cannot use provider "${id}": ${what}`));
  }
  // The first is offered where people type.
  const conditional = all.filter((other) => other.type === "webauthn").filter(hasConditionalUI);
  if (conditional.indexOf(provider) > 0) {
    const ids = conditional.map(({ id }) => `"${id}"`).join(" and ");
    const what = `providers ${ids} on one page: set \`enableConditionalUI: false\` on all but one`;
    problems.push(new DuplicateConditionalUI(`Cannot offer passkeys of ${what}`));
  }
  return problems;
}

function offersPasskeys(provider: WebAuthnProvider): boolean {
  const words = Object.values(formFieldsOf(provider)).flatMap(({ autocomplete }) => String(autocomplete).split(/\s+/));
  return words.includes("webauthn");
}
