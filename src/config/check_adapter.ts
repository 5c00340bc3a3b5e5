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

/** Lists the problems with the adapter that concern every provider: it is missing, or lacks operations for sessions. */
export function adapterProblems({ adapter, session }: AuthConfig): ConfigError[] {
  if (!adapter) {
    return session?.strategy === "database" ? [missingFor('`session.strategy` "database"')] : [];
  }
  if (typeof adapter !== "object") return [new InvalidConfig("Cannot use `adapter`: it must be an object")];
  return (session?.strategy ?? "database") === "database" ? lacking(adapter, SESSION_OPERATIONS) : [];
}

/** Lists the problems that one provider has with the adapter, and those of an email provider. */
export function adapterProblemsOf(provider: MergedProvider, { adapter }: AuthConfig): ConfigError[] {
  const needs = OPERATIONS[provider.type];
  const needsStorage = provider.type === "email" || provider.type === "webauthn";
  return [
    ...(needsStorage && !adapter ? [missingFor(`provider "${provider.id}"`)] : []),
    ...(adapter ? lacking(adapter, needs) : []),
    ...(provider.type === "email" ? checkEmail(provider) : []),
  ];
}

function missingFor(what: string): ConfigError {
  return new MissingAdapter(`Cannot use ${what}: it needs an \`adapter\`; set one`);
}

function lacking(adapter: Adapter, needs: readonly (keyof Adapter)[]): ConfigError[] {
  const missing = needs.filter((operation) => typeof adapter[operation] !== "function");
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

const OPERATIONS: Readonly<Record<MergedProvider["type"], readonly (keyof Adapter)[]>> = {
  oauth: ACCOUNT_OPERATIONS,
  oidc: ACCOUNT_OPERATIONS,
  email: EMAIL_OPERATIONS,
  credentials: [],
  webauthn: WEBAUTHN_OPERATIONS,
};

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
