/**
 * The account page: what people see and change of their account by themselves.
 *
 * @module
 */
import { type AccountSection, accountSection, type Html, html } from "./account/section.ts";
import type { AccountSettings } from "./account/settings.ts";
import { type Feature, makeFeature } from "./contract/feature.ts";
import { InvalidConfig } from "./kernel/errors.ts";
import { once } from "./kernel/load.ts";
import type { Awaitable, User } from "./kernel/model.ts";

export { accountSection, html };
export type { AccountSection, Html };

/** Options of {@linkcode accountPage}. */
export interface AccountPageOptions {
  /** Whether people may change their name. @default {true} */
  readonly name?: boolean | undefined;
  /** Whether people may change their address. It needs a way to send mail. @default {true} */
  readonly email?: boolean | undefined;
  /**
   * Whether people may delete their account: at once, or after `graceDays` (1 to 90), in which they may keep it. A function is
   * asked before: it gives `"delete"`, or a response that is shown in place of deleting.
   *
   * @default {true}
   */
  readonly delete?:
    | boolean
    | { readonly graceDays: number }
    | ((user: User) => Awaitable<"delete" | Response>)
    | undefined;
  /**
   * What your application adds to the file with the data of a user: an object that JSON can hold, within half of
   * `timeouts.total`. Otherwise there is no file.
   *
   * @default nothing
   */
  readonly export?: ((user: User) => Awaitable<Readonly<Record<string, unknown>>>) | undefined;
  /** Sections of your own, made by {@linkcode accountSection}, below the others. @default {[]} */
  readonly sections?: readonly AccountSection[] | undefined;
  /** Says in words where a sign-in comes from, such as a city. It is stored with the session. @default nobody is asked */
  readonly place?: ((request: Request) => Awaitable<string | null>) | undefined;
}

/**
 * Adds the account page at `/account`: name, address, ways in, passkeys, password, second factors, sessions, a file with all
 * data, and the end of the account. Sections are shown where their data exist.
 *
 * Whatever changes how somebody gets in asks for a sign-in of the last 10 minutes, with every proof that is asked of them; an
 * email says what was done. The same is there as JSON, and as functions in `auth.account`.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { accountPage } from "@x/auth/account";
 * import { memoryAdapter } from "@x/auth/adapters/memory";
 * import { github } from "@x/auth/providers/github";
 *
 * export const { handler } = createAuth({
 *   adapter: memoryAdapter(),
 *   providers: [github()],
 *   features: [accountPage({ delete: { graceDays: 14 } })],
 * });
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The feature, for `features` of the configuration.
 * @throws {InvalidConfig} if an option is not known, or has a value that it cannot have.
 */
export function accountPage(options: AccountPageOptions = {}): Feature {
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(NAMES, name));
  if (unknown !== undefined) {
    const names = Object.keys(NAMES).join(", ");
    throw new InvalidConfig(`Cannot use \`accountPage\`: ${JSON.stringify(unknown)} is not one of ${names}`);
  }
  const { name = true, email = true, delete: deletes = true, export: exported, sections = [], place } = options;
  const graceDays = typeof deletes === "object" ? deletes.graceDays : 0;
  if (typeof deletes === "object" && !(Number.isInteger(graceDays) && graceDays >= 1 && graceDays <= 90)) {
    throw new InvalidConfig("Cannot use `accountPage`: `delete.graceDays` must be a whole number from 1 to 90");
  }
  const twice = sections.find(({ id }, at) => sections.findIndex((section) => section.id === id) < at);
  if (twice) {
    throw new InvalidConfig(`Cannot use \`accountPage\`: two of \`sections\` have the id ${JSON.stringify(twice.id)}`);
  }
  const settings: AccountSettings = {
    name,
    email,
    delete: deletes === false ? null : { graceDays },
    deleting: typeof deletes === "function" ? deletes : null,
    export: exported ?? null,
    sections,
    place: place ?? null,
  };
  const acts = ["routes", "check", "entered", "page", ...graceDays > 0 ? ["mint"] as const : []] as const;
  return makeFeature("account", [], once(async () => (await making()).makePoints(settings)), acts);
}

const NAMES: Readonly<Record<keyof AccountPageOptions, true>> = {
  name: true,
  email: true,
  delete: true,
  export: true,
  sections: true,
  place: true,
};

const making = once(() => import("./account/mod.ts"));
