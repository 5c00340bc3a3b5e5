/**
 * Which operations of the adapter a configuration needs.
 *
 * @module
 */
import type { Adapter } from "../contract/adapter.ts";
import type { AuthConfig } from "../contract/config.ts";
import { type ConfigError, InvalidConfig, MissingAdapter, MissingAdapterMethods } from "../kernel/errors.ts";
import type { EmailProvider } from "../contract/provider.ts";
import type { MergedProvider } from "./merge_provider.ts";

/** Lists the problems with the adapter of a configuration: it is missing, or lacks operations. */
export function adapterProblems(
  { adapter, session }: AuthConfig,
  providers: readonly MergedProvider[],
): ConfigError[] {
  const emails = providers.filter((provider) => provider.type === "email");
  return [...operationProblems({ adapter, session }, providers), ...emails.flatMap(checkEmail)];
}

function operationProblems({ adapter, session }: AuthConfig, providers: readonly MergedProvider[]): ConfigError[] {
  const needs = new Set<keyof Adapter>();
  const lacking: ConfigError[] = [];
  const need = (operations: readonly (keyof Adapter)[], what: string): void => {
    for (const operation of operations) needs.add(operation);
    if (!adapter) lacking.push(new MissingAdapter(`Cannot use ${what}: it needs an \`adapter\`; set one`));
  };
  if (session?.strategy === "database") need(SESSION_OPERATIONS, '`session.strategy` "database"');
  for (const { id, type } of providers) {
    if (type === "email") need(EMAIL_OPERATIONS, `provider "${id}"`);
    if (type === "webauthn") need(WEBAUTHN_OPERATIONS, `provider "${id}"`);
  }
  if (!adapter) return lacking;
  if (typeof adapter !== "object") return [new InvalidConfig("Cannot use `adapter`: it must be an object")];
  if (session?.strategy === undefined) need(SESSION_OPERATIONS, "stored sessions");
  if (providers.some(({ type }) => type === "oauth" || type === "oidc")) need(ACCOUNT_OPERATIONS, "accounts");
  const missing = [...needs].filter((operation) => typeof adapter[operation] !== "function");
  if (missing.length === 0) return [];
  return [new MissingAdapterMethods(`Cannot use \`adapter\`: it lacks ${missing.join(", ")}`)];
}

const ACCOUNT_OPERATIONS = ["createUser", "getUser", "getUserByEmail", "getUserByAccount", "linkAccount"] as const;

const EMAIL_OPERATIONS = [
  "createVerificationToken",
  "useVerificationToken",
  "createUser",
  "getUserByEmail",
  "updateUser",
] as const;

const WEBAUTHN_OPERATIONS = [
  ...ACCOUNT_OPERATIONS,
  "getAuthenticator",
  "createAuthenticator",
  "listAuthenticatorsByUserId",
  "updateAuthenticatorCounter",
] as const;

const SESSION_OPERATIONS = [
  ...ACCOUNT_OPERATIONS,
  "updateUser",
  "createSession",
  "getSessionAndUser",
  "updateSession",
  "deleteSession",
] as const;

function checkEmail({ id, maxAge, sendVerificationRequest }: EmailProvider): ConfigError[] {
  const problems: ConfigError[] = [];
  if (typeof sendVerificationRequest !== "function") {
    problems.push(new InvalidConfig(`Cannot use provider "${id}": set its \`sendVerificationRequest\``));
  }
  if (maxAge !== undefined && !(typeof maxAge === "number" && maxAge >= 1 && maxAge < 1e10)) {
    problems.push(new InvalidConfig(`Cannot use provider "${id}": its \`maxAge\` must be a number of seconds`));
  }
  return problems;
}
