/**
 * Which operations of the adapter a configuration needs.
 *
 * @module
 */
import type { AuthConfig } from "../contract/config.ts";
import { type ConfigError, InvalidConfig, MissingAdapter, MissingAdapterMethods } from "../kernel/errors.ts";
import type { EmailProvider } from "../contract/provider.ts";
import { providerPrefix } from "./env.ts";
import type { MergedProvider } from "./merge_provider.ts";
import type { Need } from "../storage/operations.ts";
import type { Storage } from "../storage/guard.ts";

/** What is asked of a guarded adapter. */
type Asked = Pick<Storage, "lacks"> | null;

/** Lists the problems with the adapter that concern every provider: it is missing, or lacks operations for sessions. */
export function adapterProblems({ adapter, session }: AuthConfig, storage: Asked): ConfigError[] {
  const { strategy = adapter ? "database" : "jwt", revalidate } = session ?? {};
  if (!adapter) {
    if (strategy === "database") return [missingFor('`session.strategy` "database"')];
    return revalidate ? [missingFor("`session.revalidate`")] : [];
  }
  if (typeof adapter !== "object") return [new InvalidConfig("Cannot use `adapter`: it must be an object")];
  if (strategy === "database") return lacking(storage, "sessions");
  return revalidate ? lacking(storage, "endings", "`session.revalidate`: the adapter") : [];
}

/** Lists the problems that one provider has with the adapter, and those of an email provider. */
export function adapterProblemsOf(provider: MergedProvider, storage: Asked): ConfigError[] {
  const needsStorage = provider.type === "email" || provider.type === "webauthn";
  return [
    ...(needsStorage && !storage ? [missingFor(`provider "${provider.id}"`)] : []),
    ...lacking(storage, provider.type),
    ...(provider.type === "email" ? checkEmail(provider) : []),
  ];
}

function missingFor(what: string): ConfigError {
  return new MissingAdapter(`Cannot use ${what}: it needs an \`adapter\`; set one`);
}

function lacking(storage: Asked, need: Need, what = "`adapter`: it"): ConfigError[] {
  const missing = storage?.lacks(need) ?? [];
  return missing.length === 0 ? [] : [new MissingAdapterMethods(`Cannot use ${what} lacks ${missing.join(", ")}`)];
}

/** The longest time in seconds that sending an email may take. */
const LONGEST_TIMEOUT = 600;

function checkEmail(provider: EmailProvider): ConfigError[] {
  const { id, maxAge, timeout, apiKey, needsApiKey, sendVerificationRequest } = provider;
  const problems: ConfigError[] = [];
  if (needsApiKey && !apiKey) {
    const name = `${providerPrefix(id)}KEY`;
    problems.push(
      new InvalidConfig(`Cannot use provider "${id}": set its \`apiKey\` or the environment variable ${name}`),
    );
  }
  if (typeof sendVerificationRequest !== "function") {
    problems.push(new InvalidConfig(`Cannot use provider "${id}": set its \`sendVerificationRequest\``));
  }
  if (maxAge !== undefined && !(typeof maxAge === "number" && maxAge >= 1 && maxAge < 1e10)) {
    problems.push(new InvalidConfig(`Cannot use provider "${id}": its \`maxAge\` must be a number of seconds`));
  }
  if (timeout !== undefined && !(typeof timeout === "number" && timeout > 0 && timeout <= LONGEST_TIMEOUT)) {
    const form = `a number of seconds, more than 0 and at most ${LONGEST_TIMEOUT}`;
    problems.push(new InvalidConfig(`Cannot use provider "${id}": its \`timeout\` must be ${form}`));
  }
  return problems;
}
