/** Values of another shape: objects in the place of text, factories without options, clients in the place of adapters. */
import { createAuth } from "@x/auth";
import * as memory from "@x/auth/adapters/memory";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { consoleEmail } from "@x/auth/providers/console-email";
import { credentials } from "@x/auth/providers/credentials";
import { github } from "@x/auth/providers/github";
import { google } from "@x/auth/providers/google";
import { loops } from "@x/auth/providers/loops";
import { mailgun } from "@x/auth/providers/mailgun";
import { mastodon } from "@x/auth/providers/mastodon";
import { nodemailer } from "@x/auth/providers/nodemailer";
import { passkey } from "@x/auth/providers/passkey";
import { postmark } from "@x/auth/providers/postmark";
import { resend } from "@x/auth/providers/resend";
import { sendgrid } from "@x/auth/providers/sendgrid";
import { webauthn } from "@x/auth/providers/webauthn";
import { ERROR_PAGE, type Mistake, SECRET, SERVED, tellMistakes } from "./_table.ts";

const password = credentials({ credentials: { name: {} }, authorize: () => null });
const GITHUB = { clientId: "c", clientSecret: SECRET };

/** A service that JavaScript lets one configure in this way. */
function serve(config: object) {
  return createAuth({ providers: [password], trustHost: true, ...config } as never).handler;
}

type Says = readonly [string, ...string[]];

/** Nothing is served. */
function refused(name: string, config: () => object, ...says: Says): Mistake {
  return { name, make: () => serve(config()), see: ERROR_PAGE, log: /Cannot (?:use|trust) /, says };
}

/** The option is read in another way, or as if it was not set. */
function mended(name: string, config: () => object, ...says: Says): Mistake {
  return { name, make: () => serve(config()), see: SERVED, log: /^\S+ option-mended: /, level: "warn", says };
}

/** The provider is left out, the others go on. */
function leftOut(name: string, provider: () => unknown, ...says: Says): Mistake {
  return {
    ...{ name, see: SERVED, log: /A provider is left out\. Cannot use /, code: "provider-left-out", says },
    make: () => serve({ adapter: memoryAdapter(), session: { strategy: "jwt" }, providers: [password, provider()] }),
    level: "warn",
  };
}

/** A factory that JavaScript lets one call without options: the program does not start. */
function bare(name: string, factory: unknown, option: string, ...given: unknown[]): Mistake {
  return {
    name: `${name}() is called without ${given.length === 0 ? "options" : `\`${option}\``}`,
    make: () => serve({ providers: [password, (factory as (...options: unknown[]) => unknown)(...given)] }),
    see: null,
    log: /Uncaught InvalidConfig: Cannot send email: set /,
    says: [`\`${option}\``, name],
  };
}

/** A factory that JavaScript lets one call with anything: the program does not start. */
function called(name: string, make: () => unknown, kind: string): Mistake {
  const id = name.replace("consoleEmail", "console-email");
  return {
    name: `${name}() is called with ${kind}`,
    make: () => serve({ providers: [password, make()] }),
    see: null,
    log: /Uncaught InvalidConfig: Cannot use provider /,
    says: [`provider "${id}"`, `its options are ${kind}`, "must be an object", "or leave them out"],
  };
}

tellMistakes([
  called("github", () => github(null as never), "null"),
  called("github", () => github(SECRET as never), "text"),
  called("google", () => google(null as never), "null"),
  called("google", () => google(SECRET as never), "text"),
  called("google", () => google(Promise.resolve(GITHUB) as never), "a promise"),
  called("mastodon", () => mastodon(7 as never), "a number"),
  called("passkey", () => passkey(null as never), "null"),
  called("passkey", () => passkey("example.com" as never), "text"),
  called("webauthn", () => webauthn(null as never), "null"),
  called("consoleEmail", () => consoleEmail(null as never), "null"),
  ...["account", "callbacks", "cookies", "events", "jwt", "session"].map((option) =>
    refused(`\`${option}\` is text`, () => ({ [option]: "jwt" }), `\`${option}\``, "an object, not text")
  ),
  ...["experimental", "pages", "theme", "timeouts"].map((option) =>
    mended(`\`${option}\` is text`, () => ({ [option]: "dark" }), `\`${option}\``, "is text and not an object")
  ),
  refused("`secret` is an object", () => ({ secret: { current: SECRET } }), "`secret`", "it must be text", "an object"),
  refused("`basePath` is an object", () => ({ basePath: {} }), "`basePath`", "not an object", '"/auth"'),
  refused("`trustHost` is a list", () => ({ trustHost: ["a.test"] }), "`trustHost`", "a list", "`trustHost: true`"),
  refused("`useSecureCookies` is an object", () => ({ useSecureCookies: {} }), "`useSecureCookies`", "true or false"),
  refused("`redirectSchemes` is true", () => ({ redirectSchemes: true }), "`redirectSchemes`", '"com.example.app"'),
  refused("`redirectSchemes` is an object", () => ({ redirectSchemes: {} }), "`redirectSchemes`", "a list of schemes"),
  refused("`redirectProxyOrigins` is text", () => ({ redirectProxyOrigins: "https://a.test" }), "a list of origins"),
  mended("`logger` is a list", () => ({ logger: [] }), "`logger`", "a list", "an object with `error`"),
  mended("`debug` is an object", () => ({ debug: {} }), "`debug`", "an object", "it is read as false"),
  mended("`skipCSRFCheck` is text", () => ({ skipCSRFCheck: "yes" }), "`skipCSRFCheck`", "text", "the symbol"),
  refused(
    "`providers` is an object of providers",
    () => ({ providers: { github: github(GITHUB) } }),
    "`providers`",
    "a list",
  ),
  refused(
    "`providers` is a promise",
    () => ({ providers: Promise.resolve([]) }),
    "`providers`",
    "a list, not a promise",
  ),
  refused("`providers` is a Set", () => ({ providers: new Set([password]) }), "`providers`", "must be a list"),
  leftOut(
    "a provider is an object that holds the factory",
    () => ({ default: github }),
    "`providers[1]`",
    "such as `github()`",
  ),
  ...[null, undefined, false, ""].map((entry): Mistake => ({
    name: `a provider is ${JSON.stringify(entry) ?? "undefined"}`,
    make: () => serve({ providers: [password, entry] }),
    see: SERVED,
    log: / provider-empty: /,
    code: "provider-empty",
    level: "warn",
    says: ["`providers[1]`", "look at what you import or choose there"],
  })),
  bare("resend", resend, "from"),
  bare("resend", resend, "from", {}),
  bare("mailgun", mailgun, "from"),
  bare("postmark", postmark, "from"),
  bare("sendgrid", sendgrid, "from"),
  bare("nodemailer", nodemailer, "server"),
  bare("nodemailer", nodemailer, "from", { server: "smtp://localhost" }),
  bare("loops", loops, "transactionalId"),
  leftOut("resend is not called", () => resend, "`providers[1]`", "set `from`", "call it with its options"),
  leftOut("nodemailer is not called", () => nodemailer, "`providers[1]`", "set `server`", "call it with its options"),
  leftOut(
    "credentials() is called without options",
    () => ({ ...(credentials as () => object)(), id: "pw" }),
    '"pw"',
    "`authorize`",
  ),
  leftOut(
    "credentials() gets its fields as a list",
    () => credentials({ id: "pw", credentials: ["name"], authorize: () => null } as never),
    '"pw"',
    "`credentials`",
    "an object of fields",
  ),
  leftOut(
    "a field of credentials() is text",
    () => credentials({ id: "pw", credentials: { name: "text" }, authorize: () => null } as never),
    '"pw"',
    "`credentials`",
    '`{ name: { label: "Name" } }`',
  ),
  refused(
    "the adapter is a Prisma client",
    () => ({ adapter: { user: {}, $connect: () => {}, $transaction: () => {} } }),
    "`adapter`",
    "a Prisma client",
    "`PrismaAdapter(prisma)`",
  ),
  refused(
    "the adapter is a database of Drizzle",
    () => ({ adapter: { select: () => {}, insert: () => {}, update: () => {}, delete: () => {} } }),
    "`adapter`",
    "a database of Drizzle",
    "`DrizzleAdapter(db)`",
  ),
  refused("the adapter is a module", () => ({ adapter: memory }), "`adapter`", "it is a module", "makes the adapter"),
  refused("the adapter is empty", () => ({ adapter: {} }), "`adapter`", "without any operation"),
  refused("the adapter is true", () => ({ adapter: true }), "`adapter`", "it is true", "pass what an adapter returns"),
]);
