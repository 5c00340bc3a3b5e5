/**
 * The options of providers of passwords: of each its kind, and its default where that does not depend on others.
 *
 * @module
 */
import {
  isPasswordProvider,
  type PasswordLengthOptions,
  type PasswordProvider,
  type PasswordRules,
  type PasswordSettings,
} from "../passwords/settings.ts";
import { isObject } from "../kernel/objects.ts";
import { exactly, isListOf, type Kind, number, object, orNull } from "./kinds.ts";
import type { MergedProvider } from "./merge_provider.ts";
import { PROVIDERS } from "./provider_options.ts";
import type { Rows, Table } from "./rows.ts";

function whole(least: number, most: number): Kind {
  return number(`a whole number from ${least} to ${most}`, (value) => {
    return Number.isInteger(value) && value >= least && value <= most;
  });
}

function having(...names: readonly string[]): (value: unknown) => boolean {
  return (value) => isObject(value) && names.every((name) => typeof value[name] === "function");
}

const LENGTH = {
  min: { kind: whole(8, 256) },
  max: { kind: whole(64, 256), otherwise: 256 },
} satisfies Rows<PasswordLengthOptions>;

/** The options of providers of passwords, apart from those of every provider. */
export const PASSWORD_RULES = {
  signUp: {
    kind: orNull(exactly('true, false or "invited"', (value) => typeof value === "boolean" || value === "invited")),
    otherwise: true,
  },
  length: { kind: orNull(object), members: LENGTH },
  breached: { kind: orNull(exactly("a check, such as `haveIBeenPwned()` of @x/auth/passwords", having("check"))) },
  hash: { kind: orNull(exactly("an object with the functions `make` and `verify`", having("make", "verify"))) },
  legacy: {
    kind: orNull(
      exactly(
        "a list of formats, such as `[bcrypt(library)]` of @x/auth/passwords",
        isListOf(having("matches", "verify")),
      ),
    ),
    otherwise: [],
  },
  concurrency: { kind: whole(1, 64) },
  store: {
    kind: orNull(exactly("an object with the functions `get`, `set` and `remove`", having("get", "set", "remove"))),
  },
} satisfies Rows<PasswordRules>;

const PASSWORD_PROVIDER: Table = { ...PROVIDERS.credentials, ...PASSWORD_RULES };

/** The options that a provider has. */
export function optionsOf(provider: Pick<MergedProvider, "type">): Table {
  return isPasswordProvider(provider) ? PASSWORD_PROVIDER : PROVIDERS[provider.type];
}

/** The fewest characters where the password is the only proof, and where there is another one (NIST SP 800-63B-4, 3.1.1.1). */
const FEWEST = { alone: 15, besideAnother: 8 };

/**
 * Writes every default into what was chosen for passwords.
 *
 * @param asksEverybody Whether a second proof is asked of everybody.
 */
export function resolvePasswords(provider: PasswordProvider, asksEverybody: boolean): PasswordSettings {
  const { signUp, length, breached, hash, legacy, concurrency, store } = provider;
  return Object.freeze({
    signUp: signUp ?? PASSWORD_RULES.signUp.otherwise,
    length: Object.freeze({
      min: length?.min ?? (asksEverybody ? FEWEST.besideAnother : FEWEST.alone),
      max: length?.max ?? LENGTH.max.otherwise,
    }),
    breached: breached ?? null,
    hash: hash ?? null,
    legacy: Object.freeze([...legacy ?? PASSWORD_RULES.legacy.otherwise]),
    concurrency: concurrency ?? null,
    store: store ?? null,
  });
}
