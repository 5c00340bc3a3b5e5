/**
 * Writes docs/options.md: every option, as the types and their comments say.
 *
 * @example Usage
 * ```sh
 * deno run -A scripts/docs/options.ts
 * ```
 *
 * @module
 */
import { readFileSync, writeFileSync } from "node:fs";
import { printLine } from "../print.ts";
import { formatted } from "../provider_docs.ts";
import {
  ACCOUNT,
  CALLBACKS,
  EVENTS,
  JWT,
  LINKS,
  LOGGER,
  OPTIONS,
  PAGES,
  SESSION,
  THEME,
  TIMEOUTS,
} from "../../src/config/options.ts";
import { PROTECT } from "../../src/config/protect_options.ts";
import { PASSWORD_RULES } from "../../src/config/password_options.ts";
import { CLIENT, PROVIDERS } from "../../src/config/provider_options.ts";
import type { Table } from "../../src/config/rows.ts";
import { WEBAUTHN } from "../../src/config/webauthn_options.ts";
import { listOf, membersOf } from "./members.ts";

/** A list of the page: an interface, and what stands above it. */
export interface Section {
  readonly title: string;
  readonly text: string;
  readonly file: string;
  readonly name: string;
  /** Members that stand in another list, or nowhere. */
  readonly without?: readonly string[];
  /** The rows that the service reads these options by. */
  readonly rows?: Table | undefined;
}

const CONFIG = "src/contract/config.ts";
const PROVIDER = "src/contract/provider.ts";
const PASSKEYS = "src/contract/webauthn_options.ts";
const MODEL = "src/kernel/model.ts";

/** The lists, in their order. */
export const SECTIONS: readonly Section[] = [
  {
    title: "The service",
    text: "What `createAuth()` and the bindings of frameworks take.",
    file: CONFIG,
    name: "AuthConfig",
    rows: OPTIONS,
  },
  {
    title: "`session`",
    text: "How sessions are kept: see [sessions](./sessions.md).",
    file: CONFIG,
    name: "SessionOptions",
    rows: SESSION,
  },
  { title: "`jwt`", text: "How sessions in cookies are encrypted.", file: CONFIG, name: "JWTOptions", rows: JWT },
  {
    title: "`account`",
    text: "How accounts are stored: see [access tokens](./access-tokens.md).",
    file: CONFIG,
    name: "AccountOptions",
    rows: ACCOUNT,
  },
  {
    title: "`callbacks`",
    text: "Functions that decide. [Callbacks and events](./callbacks-and-events.md) has their arguments.",
    file: CONFIG,
    name: "Callbacks",
    rows: CALLBACKS,
  },
  {
    title: "`events`",
    text: "Functions that are told. [Callbacks and events](./callbacks-and-events.md#events) has their arguments.",
    file: CONFIG,
    name: "Events",
    rows: EVENTS,
  },
  {
    title: "`pages`",
    text:
      "Paths, or absolute URLs, of pages that replace the built-in ones: see [your own pages](./your-own-pages.md).",
    file: CONFIG,
    name: "PagesOptions",
    rows: PAGES,
  },
  {
    title: "`theme`",
    text: "How the built-in pages look: see [the sign-in page](./sign-in-page.md).",
    file: MODEL,
    name: "Theme",
    rows: THEME,
  },
  {
    title: "`theme.links`",
    text: "Links below the ways of signing in: see [the sign-in page](./sign-in-page.md#links).",
    file: MODEL,
    name: "ThemeLinks",
    rows: LINKS,
  },
  {
    title: "`protect`",
    text: "A list of paths, or: see [protecting](./protecting.md).",
    file: CONFIG,
    name: "ProtectOptions",
    rows: PROTECT,
  },
  {
    title: "What `protect` asks of a sign-in",
    text: "Members of the same object, and options of `auth.require`: see [step-up](./step-up.md).",
    file: "src/kernel/requirement.ts",
    name: "SessionRequirement",
    rows: PROTECT,
  },
  { title: "`timeouts`", text: "Seconds.", file: CONFIG, name: "Timeouts", rows: TIMEOUTS },
  {
    title: "`logger`",
    text: "Each method that you give replaces the one that writes to the console.",
    file: "src/kernel/logger.ts",
    name: "Logger",
    rows: LOGGER,
  },
  {
    title: "Every provider",
    text:
      'Providers of the catalogue take their options in a call, such as `github({ name: "Our GitHub" })`. In an object ' +
      "of your own, the same names are members beside `type`.",
    file: PROVIDER,
    name: "CommonOptions",
    rows: PROVIDERS.oauth,
  },
  {
    title: "OAuth and OpenID Connect",
    text: "Providers of the types `oauth` and `oidc`. [providers.md](./providers.md) says what each needs.",
    file: PROVIDER,
    name: "OAuthCommon",
    rows: PROVIDERS.oauth,
  },
  {
    title: "What their word on an address is worth",
    text: "Members of the same providers: see [linking accounts](./storage.md#what-is-stored-when).",
    file: "src/contract/vouching.ts",
    name: "VouchingOptions",
    rows: PROVIDERS.oauth,
  },
  {
    title: "`authorization`",
    text: "A URL, a function, or:",
    file: PROVIDER,
    name: "AuthorizationEndpoint",
    rows: PROVIDERS.oauth.authorization?.members,
  },
  {
    title: "`token`",
    text: "A URL, a function, or:",
    file: PROVIDER,
    name: "TokenEndpoint",
    rows: PROVIDERS.oauth.token?.members,
  },
  {
    title: "`userinfo`",
    text: "A URL, a function, or:",
    file: PROVIDER,
    name: "UserinfoEndpoint",
    rows: PROVIDERS.oauth.userinfo?.members,
  },
  {
    title: "`logout`",
    text: "`true`, a URL, a function, or: see [logout](./logout.md).",
    file: "src/contract/provider_handlers.ts",
    name: "LogoutEndpoint",
  },
  {
    title: "`client`",
    text: "How this client is registered with the provider, in the words of RFC 7591. See " +
      "[PAR, JAR, JARM](./par-jar-jarm.md), [DPoP and mutual TLS](./dpop-and-mtls.md), " +
      "[encrypted tokens](./encrypted-tokens.md).",
    file: "src/contract/client_metadata.ts",
    name: "ClientMetadata",
    rows: CLIENT,
  },
  {
    title: "`style`",
    text: "How the button of a provider looks: see [the sign-in page](./sign-in-page.md).",
    file: "src/contract/provider_style.ts",
    name: "ProviderStyle",
    rows: PROVIDERS.oauth.style?.members,
  },
  {
    title: "Email",
    text: "Providers of the type `email`. [email.md](./email.md) lists the services.",
    file: PROVIDER,
    name: "EmailProvider",
    rows: PROVIDERS.email,
    without: ["options"],
  },
  {
    title: "Email services",
    text: "What the services of [email.md](./email.md) take besides.",
    file: "src/providers/mail/provider.ts",
    name: "MailOptions",
  },
  {
    title: "`nodemailer`",
    text: "What `@x/auth/providers/nodemailer` takes besides.",
    file: "src/providers/nodemailer.ts",
    name: "NodemailerOptions",
  },
  {
    title: "Credentials",
    text: "Providers of the type `credentials`.",
    file: PROVIDER,
    name: "CredentialsProvider",
    rows: PROVIDERS.credentials,
    without: ["options"],
  },
  {
    title: "`credentials`: a field",
    text: "Each member is an input of the form.",
    file: PROVIDER,
    name: "CredentialField",
  },
  {
    title: "Passwords",
    text: "`@x/auth/providers/password`, which checks passwords itself.",
    file: "src/passwords/settings.ts",
    name: "PasswordRules",
    rows: PASSWORD_RULES,
  },
  {
    title: "`length`",
    text: "",
    file: "src/passwords/settings.ts",
    name: "PasswordLengthOptions",
    rows: PASSWORD_RULES.length.members,
  },
  {
    title: "`store`",
    text: "",
    file: "src/passwords/settings.ts",
    name: "PasswordStore",
  },
  {
    title: "Passkeys",
    text:
      "`@x/auth/providers/passkey`, and `@x/auth/providers/webauthn` for security keys. `formFields` are the inputs of the " +
      "form, as in `credentials`.",
    file: PASSKEYS,
    name: "WebAuthnCommon",
    rows: WEBAUTHN,
  },
  {
    title: "`relayingParty`",
    text: "Spelled as Auth.js spells it.",
    file: PASSKEYS,
    name: "RelyingParty",
    rows: WEBAUTHN.relayingParty.members,
  },
  {
    title: "`authenticationOptions`",
    text: "",
    file: PASSKEYS,
    name: "AuthenticationOptions",
    rows: WEBAUTHN.authenticationOptions.members,
  },
  {
    title: "`registrationOptions`",
    text: "",
    file: PASSKEYS,
    name: "RegistrationOptions",
    rows: WEBAUTHN.registrationOptions.members,
  },
  { title: "`authenticatorSelection`", text: "", file: PASSKEYS, name: "AuthenticatorSelection" },
  {
    title: "`verifyAuthenticationOptions`, `verifyRegistrationOptions`",
    text: "",
    file: PASSKEYS,
    name: "VerificationOptions",
  },
];

const HEAD = `# Options

Every option, with its type, what it means, and its default. The comments in your editor say more.

\`\`\`ts
import { createAuth } from "@x/auth";
import { github } from "@x/auth/providers/github";

export const { handler, auth } = createAuth({
  providers: [github()],
  session: { maxAge: 7 * 24 * 60 * 60 }, // all times are in seconds
  theme: { brandColor: "#0f766e" },
});
\`\`\`

- You need none of them but \`providers\`, and a secret.
- The configuration can be a function of the request: \`createAuth((request) => ({ … }))\`. It can be asynchronous.
- The log names an option that is misspelt, or has a value that cannot work. \`auth.check()\` finds them
  [before the first request](./deploying.md#check-before-the-first-visitor).
- [Environment variables](#environment-variables) stand for what you leave out.
`;

const TAIL = `## Environment variables

What each stands for:

- \`AUTH_SECRET\`, and \`AUTH_SECRET_1\` to \`AUTH_SECRET_3\`: \`secret\`; the highest number is the newest.
- \`AUTH_URL\`: the origin of your site, and with a path \`basePath\`; see [deploying](./deploying.md).
- \`AUTH_TRUST_HOST\`: \`trustHost\`.
- \`AUTH_REDIRECT_PROXY_URL\`: \`redirectProxyUrl\`.
- \`AUTH_<ID>_ID\`, \`AUTH_<ID>_SECRET\`, \`AUTH_<ID>_ISSUER\`: \`clientId\`, \`clientSecret\` and \`issuer\` of the provider
  with this id.
- \`AUTH_<ID>_KEY\`: \`apiKey\` of an email service.
- \`NEXTAUTH_SECRET\`, \`NEXTAUTH_URL\`: \`AUTH_SECRET\` and \`AUTH_URL\`, where those are not set.
- \`NODE_ENV\`, \`VERCEL\`, \`CF_PAGES\`: where they say that it is safe, \`trustHost\` is \`true\`.

An id is written in capitals, with \`_\` for \`-\`: \`AUTH_MICROSOFT_ENTRA_ID_ID\`. An option that is written in the
configuration wins.
`;

/** Writes the page. */
export async function optionsPage(): Promise<string> {
  const sections = SECTIONS.map(({ title, text, file, name, without = [] }) => {
    const members = membersOf(readFileSync(file, "utf8"), name).filter(({ name }) => !without.includes(name));
    return `## ${title}\n\n${text && `${text}\n\n`}${listOf(members)}\n`;
  });
  return await formatted([HEAD, ...sections, TAIL].join("\n"));
}

if (import.meta.main) {
  writeFileSync("docs/options.md", await optionsPage());
  printLine("docs/options.md was written");
}
