/**
 * Changes that break programs, clients or data of others, as text patches. The gate has to refuse each with its sentence.
 * And changes that break nothing, which it has to let pass.
 *
 * @module
 */

/** A change of the sources, and what the gate says of it. */
export interface Breach {
  /** What is done, as whoever does it would say. */
  readonly name: string;
  readonly file: string;
  /** Code that occurs once in the file. Its white space, line breaks and trailing commas do not matter. */
  readonly find: string;
  readonly replace: string;
  /** The snapshots that are compared. */
  readonly snapshots: readonly string[];
  /** What is broken: the words that follow "This breaks". `null` if nothing is. */
  readonly breaks: string | null;
}

/** What the gate has to refuse, or to let pass. */
export const BREACHES: readonly Breach[] = [
  {
    name: "an option is renamed",
    file: "src/contract/config.ts",
    find: "trustHost?: boolean | undefined;",
    replace: "trustsHost?: boolean | undefined;",
    snapshots: ["exports"],
    breaks: 'programs that give "AuthConfig.trustHost"',
  },
  {
    name: "an option takes less",
    file: "src/contract/config.ts",
    find: "protect?: ProtectOptions | readonly (string | ProtectOptions)[] | undefined;",
    replace: "protect?: readonly string[] | undefined;",
    snapshots: ["exports"],
    breaks: 'programs that give "AuthConfig.protect" as they could before',
  },
  {
    name: "an option has to be given that did not exist",
    file: "src/contract/config.ts",
    find: "trustHost?: boolean | undefined;",
    replace: "trustHost?: boolean | undefined; /** A limit. */ limit: number;",
    snapshots: ["exports"],
    breaks: 'programs that make "AuthConfig" without "limit"',
  },
  {
    name: "a subpath is removed",
    file: "deno.json",
    find: '"./attestation": "./src/attestation.ts",',
    replace: "",
    snapshots: ["exports"],
    breaks: 'every import of "@x/auth/attestation"',
  },
  {
    name: "what a program reads may be absent",
    file: "src/access_tokens/access_token.ts",
    find: "readonly tokenType: string;",
    replace: "readonly tokenType: string | null;",
    snapshots: ["exports"],
    breaks: 'programs that read "AccessToken.tokenType" as it was',
  },
  {
    name: "a code of the log is renamed",
    file: "src/kernel/log_codes.ts",
    find: '| "clock-skew"',
    replace: '| "clocks-differ"',
    snapshots: ["codes"],
    breaks: 'alarms and searches in the log that name "clock-skew"',
  },
  {
    name: "an error leads elsewhere",
    file: "src/request/error_routes.ts",
    find: 'RefreshRequired: tryAgain("SessionRequired"),',
    replace: 'RefreshRequired: tryAgain("RefreshRequired"),',
    snapshots: ["codes"],
    breaks: 'programs and pages that rely on what "RefreshRequired" was',
  },
  {
    name: "a text is removed",
    file: "src/texts/en.ts",
    find: 'or: "or",',
    replace: "",
    snapshots: ["codes"],
    breaks: 'configurations that name "or"',
  },
  {
    name: "an event is removed",
    file: "src/config/options.ts",
    find: "createUser: { kind: functionOrNull },",
    replace: "",
    snapshots: ["codes"],
    breaks: 'configurations that name "events.createUser"',
  },
  {
    name: "a default changes",
    file: "src/config/protect_options.ts",
    find: "ignoreCase: { kind: anything, otherwise: true },",
    replace: "ignoreCase: { kind: anything, otherwise: false },",
    snapshots: ["codes"],
    breaks: 'configurations that rely on what "protect.ignoreCase" was',
  },
  {
    name: "a sign-out is answered with 303",
    file: "src/session/sign_out.ts",
    find: "redirectTo(redirectUrl)",
    replace: "redirectTo(redirectUrl, 303)",
    snapshots: ["wire"],
    breaks: "clients that look at the status",
  },
  {
    name: "cookies have another attribute",
    file: "src/http/cookie_specs.ts",
    find: 'httpOnly: true, sameSite: "lax"',
    replace: 'httpOnly: true, sameSite: "strict"',
    snapshots: ["wire"],
    breaks: 'browsers and clients that keep the cookie "authjs.session-token"',
  },
  {
    name: "a cookie is renamed",
    file: "src/http/cookie_specs.ts",
    find: 'sessionToken: { name: "authjs.session-token" }',
    replace: 'sessionToken: { name: "auth.session-token" }',
    snapshots: ["wire"],
    breaks: 'browsers and clients that keep the cookie "authjs.session-token"',
  },
  {
    name: "a member of an answer is removed",
    file: "src/views/data.ts",
    find: "{ id, name, type, signinUrl, callbackUrl",
    replace: "{ id, name, signinUrl, callbackUrl",
    snapshots: ["wire"],
    breaks: 'clients that read ".credentials.type"',
  },
  {
    name: "the session cookie is sealed with another salt",
    file: "src/crypto/keys.ts",
    find: "await hkdf(secret, { salt, info",
    replace: "await hkdf(secret, { salt: salt.endsWith('session-token') ? salt + '.2' : salt, info",
    snapshots: ["cookies"],
    breaks: "browsers with what release 0.1.0 gave them (session, http)",
  },
  {
    name: "a column that must not be empty is new",
    file: "adapters/sql/schema.ts",
    find: 'or("null", "image"),',
    replace: 'or("null", "image"), needed("locale"),',
    snapshots: ["schema"],
    breaks: 'the release before, which stores rows in "user" without "locale"',
  },
  {
    name: "the keys of Deno KV are others",
    file: "adapters/kv/layout.ts",
    find: 'return ["user_by_email", email];',
    replace: 'return ["user_by_address", email];',
    snapshots: ["schema"],
    breaks: 'databases that exist: key "auth/user_by_email/<address>" of them is another',
  },
  {
    name: "a column that may be empty is new",
    file: "adapters/sql/schema.ts",
    find: 'or("null", "image"),',
    replace: 'or("null", "image"), or("null", "locale"),',
    snapshots: ["schema"],
    breaks: null,
  },
  {
    name: "an answer has one more member",
    file: "src/views/data.ts",
    find: "{ id, name, type, signinUrl, callbackUrl",
    replace: "{ id, label: name, name, type, signinUrl, callbackUrl",
    snapshots: ["wire"],
    breaks: null,
  },
  {
    name: "an option that may be left out is new",
    file: "src/contract/config.ts",
    find: "trustHost?: boolean | undefined;",
    replace: "trustHost?: boolean | undefined; /** A limit. */ limit?: number | undefined;",
    snapshots: ["exports"],
    breaks: null,
  },
];
