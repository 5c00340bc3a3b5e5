/** Options whose values are not what they have to be. */
import { createAuth } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { consoleEmail } from "@x/auth/providers/console-email";
import { credentials } from "@x/auth/providers/credentials";
import { ERROR_PAGE, type Mistake, SECRET, SERVED, tellMistakes } from "./_table.ts";

const password = credentials({ credentials: { name: {} }, authorize: () => null });

/** A service that JavaScript lets one configure in this way. */
function serve(config: object) {
  return createAuth({ providers: [password], trustHost: true, ...config } as never).handler;
}

type Says = readonly [string, ...string[]];

/** Nothing is served. */
function refused(name: string, config: () => object, ...says: Says): Mistake {
  return { name, make: () => serve(config()), see: ERROR_PAGE, log: /Cannot (?:use|start|trust) /, says };
}

/** The option is read in another way, or its default is used. */
function mended(name: string, config: () => object, ...says: Says): Mistake {
  return { name, make: () => serve(config()), see: SERVED, log: /^\S+ option-mended: /, level: "warn", says };
}

const MONTH = 30 * 24 * 60 * 60;

tellMistakes([
  {
    name: "no secret is set",
    env: { AUTH_SECRET: undefined },
    make: () => serve({}),
    see: ERROR_PAGE,
    log: /Cannot start without a secret/,
    says: ["`secret`", "AUTH_SECRET"],
  },
  refused("the secret is bytes", () => ({ secret: new Uint8Array(32) }), "`secret`", "it must be text", "an object"),
  refused("the secret is a number", () => ({ secret: 123456789 }), "`secret`", "it must be text", "a number"),
  refused(
    "the secret of session tokens is a function",
    () => ({ jwt: { secret: () => SECRET } }),
    "`jwt.secret`",
    "a function",
  ),
  {
    name: "createAuth() is called without a configuration",
    make: () => (createAuth as unknown as () => ReturnType<typeof createAuth>)().handler,
    see: { status: 500 },
    log: /Cannot use the configuration/,
    code: "config-missing",
    says: ["not undefined", "createAuth({ providers: [github()] })"],
  },
  {
    name: "createAuth() is called with the promise of a configuration",
    make: () => createAuth(Promise.resolve({ providers: [] }) as never).handler,
    see: { status: 500 },
    log: /Cannot use the configuration/,
    code: "config-missing",
    says: ["not a promise", "`await` it"],
  },
  {
    name: "the function that chooses the configuration returns nothing",
    make: () => createAuth((() => undefined) as never).handler,
    see: { status: 500 },
    log: /Cannot use the configuration/,
    code: "config-missing",
    says: ["not undefined", "return one from the function"],
  },

  mended("`basePath` has no slash", () => ({ basePath: "auth" }), "`basePath`", '"auth"', '"/auth"'),
  refused(
    "`basePath` is a URL",
    () => ({ basePath: "https://app.test/auth" }),
    "`basePath`",
    '"https://app.test/auth"',
    '"/auth"',
  ),
  refused("`basePath` is a number", () => ({ basePath: 1 }), "`basePath`", "not 1", '"/auth"'),
  ...["", "/"].map((basePath): Mistake => ({
    name: `\`basePath\` is ${JSON.stringify(basePath)}`,
    make: () => serve({ basePath }),
    ask: "http://localhost:3000/signin",
    see: SERVED,
    log: /every path of this host belongs to the service/,
    code: "base-path-root",
    level: "warn",
    says: ["`basePath`", JSON.stringify(basePath), '"/auth"'],
  })),
  refused("`trustHost` is the text false", () => ({ trustHost: "false" }), "`trustHost`", '"false"', "AUTH_URL"),
  refused("`trustHost` is a host", () => ({ trustHost: "app.test" }), "`trustHost`", '"app.test"', "AUTH_URL"),
  refused("`trustHost` is false", () => ({ trustHost: false }), "`trustHost`", "`trustHost: true`", "AUTH_URL"),
  mended("`trustHost` is the text true", () => ({ trustHost: "true" }), "`trustHost`", '"true"', "write that"),
  mended("`debug` is the text false", () => ({ debug: "false" }), "`debug`", '"false"', "it is read as false"),
  refused(
    "`useSecureCookies` is the text false",
    () => ({ useSecureCookies: "false" }),
    "`useSecureCookies`",
    '"false"',
    "true or false",
  ),
  mended(
    "`skipCSRFCheck` is true",
    () => ({ skipCSRFCheck: true }),
    "`skipCSRFCheck`",
    "true",
    "the symbol `skipCSRFCheck`",
  ),
  mended("`raw` is true", () => ({ raw: true }), "`raw`", "the symbol `raw`"),

  refused(
    "`session.maxAge` is in milliseconds",
    () => ({ session: { maxAge: MONTH * 1000 } }),
    "`session.maxAge`",
    "2592000000 seconds",
    "82 years",
    "write 2592000",
  ),
  refused(
    "`session.updateAge` is in milliseconds",
    () => ({ session: { updateAge: 864e5 * 20 } }),
    "`session.updateAge`",
    "write 1728000",
  ),
  refused(
    "`jwt.maxAge` is in milliseconds",
    () => ({ jwt: { maxAge: MONTH * 1000 } }),
    "`jwt.maxAge`",
    "write 2592000",
  ),
  refused(
    "`session.maxAge` is words",
    () => ({ session: { maxAge: "30d" } }),
    "`session.maxAge`",
    '"30d"',
    "a number of seconds",
  ),
  refused(
    "`session.maxAge` is negative",
    () => ({ session: { maxAge: -1 } }),
    "`session.maxAge`",
    "not -1",
    "a number of seconds",
  ),
  mended(
    "`session.maxAge` is text",
    () => ({ session: { maxAge: "3600" } }),
    "`session.maxAge`",
    '"3600"',
    "the number 3600",
  ),
  {
    name: "a deadline is in milliseconds",
    make: () => serve({ timeouts: { total: 10_000 } }),
    see: SERVED,
    log: /looks like milliseconds/,
    code: "seconds-too-long",
    level: "warn",
    says: ["`timeouts.total`", "10000 seconds", "set it to 10"],
  },
  mended(
    "the deadline of authorize is words",
    () => ({ timeouts: { authorize: "a minute" } }),
    "`timeouts.authorize`",
    '"a minute"',
    "a number of seconds",
  ),
  mended(
    "a deadline is words",
    () => ({ timeouts: { request: "soon" } }),
    "`timeouts.request`",
    '"soon"',
    "a number of seconds",
  ),
  {
    name: "links by email live for milliseconds",
    make: () =>
      serve({ adapter: memoryAdapter(), providers: [password, consoleEmail({ maxAge: MONTH * 1000 } as never)] }),
    see: SERVED,
    log: /A provider is left out/,
    level: "warn",
    says: ['provider "console-email": its `maxAge`', "2592000000 seconds", "write 2592000"],
  },

  refused(
    "the strategy does not exist",
    () => ({ session: { strategy: "cookie" } }),
    "`session.strategy`",
    '"cookie"',
    '"jwt" or "database"',
  ),
  refused(
    "the strategy needs an adapter",
    () => ({ session: { strategy: "database" } }),
    "`session.strategy`",
    "`adapter`",
    "set one",
  ),
  refused("the session is text", () => ({ session: "jwt" }), "`session`", "an object, not text"),
  refused(
    "the callbacks are a function",
    () => ({ callbacks: () => ({}) }),
    "`callbacks`",
    "an object, not a function",
  ),
  refused(
    "a callback is no function",
    () => ({ callbacks: { signIn: true } }),
    "`callbacks.signIn`",
    "a function, not true",
  ),
  refused("an event is no function", () => ({ events: { signIn: "log" } }), "`events.signIn`", 'a function, not "log"'),
  refused(
    "the way tokens are stored does not exist",
    () => ({ account: { tokens: "encrypted" } }),
    "`account.tokens`",
    '"sealed"',
    '"encrypted"',
  ),
  refused(
    "a protected path has the pattern of a router",
    () => ({ protect: ["/members/:id"] }),
    "`protect`",
    '"/members/:id"',
    '"/members/*"',
  ),
  refused("`protect` is text", () => ({ protect: "/members" }), "`protect`", "a list of paths"),
  refused(
    "a cookie for other sites is not for https only",
    () => ({ useSecureCookies: false, cookies: { sessionToken: { options: { sameSite: "none", secure: false } } } }),
    "`cookies.sessionToken`",
    "sameSite",
    "secure",
  ),
  refused(
    "the attribute of a cookie has no such value",
    () => ({ cookies: { state: { options: { sameSite: "strikt" } } } }),
    "`cookies.state`",
    "sameSite",
    "strict",
  ),
  refused(
    "the flag of a cookie is text",
    () => ({ cookies: { state: { options: { secure: "true" } } } }),
    "`cookies.state.options.secure`",
    '"true"',
    "true or false",
  ),
  mended(
    "a page has no slash",
    () => ({ pages: { signIn: "login" } }),
    "`pages.signIn`",
    '"login"',
    "a path that begins with one slash",
  ),
  mended(
    "a page is an object",
    () => ({ pages: { error: { path: "/oops" } } }),
    "`pages.error`",
    "an object",
    "a path",
  ),
  mended("the pages are a list", () => ({ pages: ["/login"] }), "`pages`", "a list", "an object"),
  mended(
    "a colour is a variable of CSS",
    () => ({ theme: { brandColor: "var(--brand)" } }),
    "`theme.brandColor`",
    '"var(--brand)"',
    '"#346df1"',
  ),
  mended(
    "the scheme of colours does not exist",
    () => ({ theme: { colorScheme: "sepia" } }),
    "`theme.colorScheme`",
    '"sepia"',
    '"dark"',
  ),
  mended(
    "the logo is an object",
    () => ({ theme: { logo: { src: "/logo.svg" } } }),
    "`theme.logo`",
    "an object",
    "the URL of an image",
  ),
  mended(
    "a link of the theme is the name of a path",
    () => ({ theme: { links: { terms: "terms" } } }),
    "`theme.links.terms`",
    '"terms"',
    "a path",
  ),
  mended(
    "a link of the theme is a script",
    () => ({ theme: { links: { help: "javascript:alert(1)" } } }),
    "`theme.links.help`",
    '"javascript:alert(1)"',
    "a path",
  ),
  mended(
    "the links of the theme are a list",
    () => ({ theme: { links: ["/terms"] } }),
    "`theme.links`",
    "a list",
    "an object",
  ),
  mended("the theme is text", () => ({ theme: "dark" }), "`theme`", "text", "an object"),
  mended("the logger is true", () => ({ logger: true }), "`logger`", "true", "an object with `error`"),
  mended(
    "a method of the logger is no function",
    () => ({ logger: { debug: true } }),
    "`logger.debug`",
    "true",
    "a function",
  ),
  refused(
    "the redirect proxy lists no origins",
    () => ({ redirectProxyOrigins: ["*"] }),
    "`redirectProxyOrigins`",
    "https://*.example.com",
  ),
  refused(
    "the scheme of an application is a URL",
    () => ({ redirectSchemes: ["myapp://"] }),
    "`redirectSchemes`",
    "a list of schemes",
  ),
  {
    name: "AUTH_URL is no URL",
    env: { AUTH_URL: "true" },
    make: () => serve({}),
    see: ERROR_PAGE,
    log: /Cannot use the environment variable AUTH_URL/,
    says: ["AUTH_URL", "http(s) URL"],
  },
  {
    name: "AUTH_URL has no scheme",
    env: { AUTH_URL: "localhost:3000" },
    make: () => serve({}),
    see: SERVED,
    log: /AUTH_URL is not a URL/,
    level: "warn",
    says: ["AUTH_URL", "http://localhost:3000"],
  },

  refused(
    "the adapter is not called, and links are sent by email",
    () => ({ adapter: memoryAdapter, providers: [consoleEmail()] }),
    "`adapter`",
    "call it",
  ),
  refused("the adapter is not called", () => ({ adapter: memoryAdapter }), "`adapter`", "it is a function", "call it"),
  refused(
    "the adapter is a class",
    () => ({ adapter: class Store {} }),
    "`adapter`",
    "it is a class",
    "pass what an adapter returns",
  ),
  refused(
    "the adapter is not awaited",
    () => ({ adapter: Promise.resolve(memoryAdapter()) }),
    "`adapter`",
    "a promise",
    "`await` it",
  ),
  refused(
    "the adapter is the address of a database",
    () => ({ adapter: `postgres://me:${SECRET}@localhost/app` }),
    "`adapter`",
    "it is text",
    "pass what an adapter returns",
  ),
  refused(
    "the adapter is the client of a database",
    () => ({ adapter: { query: () => {}, connect: () => {} } }),
    "`adapter`",
    "without any operation",
    "pass what an adapter returns",
  ),
  refused(
    "the adapter lacks what sessions need",
    () => ({ adapter: { getUser: () => null } }),
    "`adapter`",
    "lacks createUser",
  ),
]);
