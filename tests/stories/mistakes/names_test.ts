/** Names that no option has. */
import { createAuth } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { credentials } from "@x/auth/providers/credentials";
import { github } from "@x/auth/providers/github";
import { google } from "@x/auth/providers/google";
import { passkey } from "@x/auth/providers/passkey";
import { ERROR_PAGE, type Mistake, SERVED, tellMistakes } from "./_table.ts";

const password = credentials({ credentials: { name: {} }, authorize: () => null });

/** A service that JavaScript lets one configure in this way. */
function serve(config: object) {
  return createAuth({ providers: [password], trustHost: true, ...config } as never).handler;
}

/** The service goes on, and the log tells the name that was meant. */
function unknown(name: string, config: () => object, ...says: readonly [string, ...string[]]): Mistake {
  return {
    name,
    make: () => serve(config()),
    see: SERVED,
    log: / is not known: /,
    level: "warn",
    code: "option-unknown",
    says,
  };
}

/** Nothing is served, because the name decides who may do what. */
function refused(name: string, config: () => object, ...says: readonly [string, ...string[]]): Mistake {
  return { name, make: () => serve(config()), see: ERROR_PAGE, log: /Cannot use /, says };
}

const fn = () => true;
const idp = {
  id: "idp",
  name: "IdP",
  type: "oidc",
  issuer: "https://idp.test",
  clientId: "c",
  clientSecret: "s",
} as const;
const GITHUB = { clientId: "c", clientSecret: "s" };

tellMistakes([
  unknown(
    "an option is misspelt",
    () => ({ useSecureCookie: true }),
    "`useSecureCookie`",
    "did you mean `useSecureCookies`?",
  ),
  unknown("an option has its letters in another case", () => ({ basepath: "/auth" }), "`basepath`", "`basePath`"),
  unknown("an option has two letters exchanged", () => ({ sesison: {} }), "`sesison`", "did you mean `session`?"),
  unknown(
    "an option is that of a group",
    () => ({ strategy: "jwt" }),
    "`strategy`",
    "did you mean `session.strategy`?",
  ),
  unknown("a lifetime is set beside the session", () => ({ maxAge: 60 }), "`maxAge`", "did you mean `session.maxAge`?"),
  unknown("an option belongs to another library", () => ({ baseURL: "https://a.test" }), "`baseURL`", "AUTH_URL"),
  unknown("storage is called as another library calls it", () => ({ database: {} }), "`database`", "write `adapter`"),
  unknown(
    "providers are called as another library calls them",
    () => ({ socialProviders: {} }),
    "`socialProviders`",
    "write `providers`, a list",
  ),
  unknown(
    "an option is like no other",
    () => ({ colour: "red" }),
    "`colour`",
    "remove it, or write one of `providers`",
  ),
  unknown("a page is misspelt", () => ({ pages: { signin: "/login" } }), "`pages.signin`", "did you mean `signIn`?"),
  unknown(
    "a page is one that does not exist",
    () => ({ pages: { profile: "/me" } }),
    "`pages.profile`",
    "`verifyRequest`",
  ),
  unknown("an event is misspelt", () => ({ events: { signin: fn } }), "`events.signin`", "did you mean `signIn`?"),
  unknown(
    "an event is one that does not exist",
    () => ({ events: { sessionExpired: fn } }),
    "`events.sessionExpired`",
    "`updateUser`",
  ),
  unknown(
    "a session option is misspelt",
    () => ({ session: { maxage: 60 } }),
    "`session.maxage`",
    "did you mean `maxAge`?",
  ),
  unknown(
    "a session option is from another library",
    () => ({ session: { expiresIn: 60 } }),
    "`session.expiresIn`",
    "`maxAge`",
  ),
  unknown("a jwt option is misspelt", () => ({ jwt: { maxage: 60 } }), "`jwt.maxage`", "did you mean `maxAge`?"),
  unknown(
    "a link of the theme is misspelt",
    () => ({ theme: { links: { signup: "/join" } } }),
    "`theme.links.signup`",
    "did you mean `signUp`?",
  ),
  unknown(
    "a theme option is misspelt",
    () => ({ theme: { brandColour: "#fff" } }),
    "`theme.brandColour`",
    "did you mean `brandColor`?",
  ),
  unknown(
    "a timeout is misspelt",
    () => ({ timeouts: { requests: 3 } }),
    "`timeouts.requests`",
    "did you mean `request`?",
  ),
  unknown(
    "an account option is misspelt",
    () => ({ account: { token: "sealed" } }),
    "`account.token`",
    "did you mean `tokens`?",
  ),
  unknown(
    "an experimental flag does not exist",
    () => ({ experimental: { enableWebAuth: false } }),
    "`experimental.enableWebAuth`",
    "did you mean `enableWebAuthn`?",
  ),
  unknown(
    "a method of the logger is misspelt",
    () => ({ logger: { warning: fn } }),
    "`logger.warning`",
    "did you mean `warn`?",
  ),
  unknown(
    "a cookie has an attribute that does not exist",
    () => ({ cookies: { csrfToken: { options: { lifetime: 60 } } } }),
    "`cookies.csrfToken.options.lifetime`",
    "`maxAge`",
  ),
  unknown(
    "an option of a provider is misspelt",
    () => ({ providers: [password, github({ ...GITHUB, clientld: "c" } as never)] }),
    '`clientld` of provider "github"',
    "did you mean `clientId`?",
  ),
  unknown(
    "an option of a provider is written as the protocol has it",
    () => ({ providers: [password, google({ ...GITHUB, client_secret: "s" } as never)] }),
    '`client_secret` of provider "google"',
    "did you mean `clientSecret`?",
  ),
  unknown(
    "a scope stands beside the endpoint",
    () => ({ providers: [password, github({ ...GITHUB, scope: "repo" } as never)] }),
    '`scope` of provider "github"',
    "`authorization: { params: { scope: … } }`",
  ),
  unknown(
    "a scope stands in the endpoint, not in its parameters",
    () => ({ providers: [password, github({ ...GITHUB, authorization: { scope: "repo" } } as never)] }),
    '`authorization.scope` of provider "github"',
    "`authorization: { params: { scope: … } }`",
  ),
  unknown(
    "a provider is told its redirect URI",
    () => ({ providers: [password, github({ ...GITHUB, redirectUri: "https://a.test/cb" } as never)] }),
    '`redirectUri` of provider "github"',
    "/callback/",
    "register that URL at the provider",
  ),
  unknown(
    "an option of an object that is a provider is misspelt",
    () => ({ providers: [password, { ...idp, wellknown: "https://idp.test/.well-known/openid-configuration" }] }),
    '`wellknown` of provider "idp"',
    "did you mean `wellKnown`?",
  ),
  unknown(
    "an endpoint has a member that does not exist",
    () => ({ providers: [password, { ...idp, userinfo: { uri: "https://idp.test/me" } }] }),
    '`userinfo.uri` of provider "idp"',
    "did you mean `url`?",
  ),
  unknown(
    "the colour of a button is misspelt",
    () => ({ providers: [password, { ...idp, style: { bgdark: "#000" } }] }),
    '`style.bgdark` of provider "idp"',
    "did you mean `bgDark`?",
  ),
  unknown(
    "an option of passkeys has its right spelling, which is not that of the option",
    () => ({ adapter: memoryAdapter(), providers: [passkey({ relyingParty: { id: "a.test" } } as never)] }),
    '`relyingParty` of provider "passkey"',
    "did you mean `relayingParty`?",
  ),
  unknown(
    "credentials have an option that does not exist",
    () => ({ providers: [credentials({ authorize: () => null, credentials: { name: {} }, feilds: {} } as never)] }),
    '`feilds` of provider "credentials"',
    "`credentials`",
  ),

  refused(
    "a callback is misspelt",
    () => ({ callbacks: { signin: fn } }),
    "`callbacks.signin`",
    "did you mean `signIn`?",
  ),
  refused(
    "a callback is spelt in another English",
    () => ({ callbacks: { authorised: fn } }),
    "`callbacks.authorised`",
    "did you mean `authorized`?",
  ),
  refused(
    "a callback lacks a letter",
    () => ({ callbacks: { authorize: fn } }),
    "`callbacks.authorize`",
    "`authorized`",
  ),
  refused(
    "a callback does not exist",
    () => ({ callbacks: { isAllowed: fn } }),
    "`callbacks.isAllowed`",
    "write one of `signIn`, `redirect`, `jwt`, `session`, `authorized`",
  ),
  refused(
    "the callbacks are misspelt",
    () => ({ callback: { signIn: fn } }),
    "`callback`",
    "did you mean `callbacks`?",
  ),
  refused(
    "a callback stands beside the callbacks",
    () => ({ signIn: fn }),
    "`signIn`",
    "did you mean `callbacks.signIn`?",
  ),
  refused(
    "`authorized` stands beside the callbacks",
    () => ({ authorized: fn }),
    "`authorized`",
    "did you mean `callbacks.authorized`?",
  ),
  refused(
    "`authorized` stands among the pages",
    () => ({ pages: { authorized: "/members" } }),
    "`pages.authorized`",
    "did you mean `callbacks.authorized`?",
  ),
  refused("`protect` is misspelt", () => ({ protects: ["/members/*"] }), "`protects`", "did you mean `protect`?"),
  refused(
    "a member of `protect` is misspelt",
    () => ({ protect: { routes: ["/members/*"], ignorecase: false } }),
    "`protect.ignorecase`",
    "did you mean `ignoreCase`?",
  ),
  refused(
    "a cookie is misspelt",
    () => ({ cookies: { sessionTokens: { name: "sid" } } }),
    "`cookies.sessionTokens`",
    "did you mean `sessionToken`?",
  ),
  refused(
    "a cookie does not exist",
    () => ({ cookies: { tracking: { name: "sid" } } }),
    "`cookies.tracking`",
    "the cookies are sessionToken",
  ),
  refused(
    "an attribute of a cookie is misspelt",
    () => ({ cookies: { sessionToken: { options: { samesite: "strict" } } } }),
    "`cookies.sessionToken.options.samesite`",
    "did you mean `sameSite`?",
  ),
]);
