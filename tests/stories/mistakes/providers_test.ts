/** Providers that are none, or that cannot be used. */
import { createAuth } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { consoleEmail } from "@x/auth/providers/console-email";
import { credentials } from "@x/auth/providers/credentials";
import { github } from "@x/auth/providers/github";
import * as githubModule from "@x/auth/providers/github";
import { google } from "@x/auth/providers/google";
import { passkey } from "@x/auth/providers/passkey";
import { type Mistake, SECRET, SERVED, tellMistakes } from "./_table.ts";

const password = credentials({ credentials: { name: {} }, authorize: () => null });
const idp = {
  id: "idp",
  name: "IdP",
  type: "oidc",
  issuer: "https://idp.test",
  clientId: "c",
  clientSecret: SECRET,
} as const;

function serve(config: object) {
  return createAuth({ providers: [password], trustHost: true, ...config } as never).handler;
}

type Says = readonly [string, ...string[]];

/** The provider is left out, the others go on. */
function leftOut(name: string, provider: () => unknown, ...says: Says): Mistake {
  return {
    name,
    make: () => serve({ providers: [password, provider()] }),
    see: SERVED,
    log: /A provider is left out\. Cannot use /,
    code: "provider-left-out",
    level: "warn",
    says,
  };
}

/** Somebody who follows the link to the provider all the same. */
function followed(name: string, provider: () => unknown, ...says: Says): Mistake {
  return {
    name: `${name}, and somebody wants to sign in with it`,
    make: () => serve({ providers: [password, provider()] }),
    ask: async (handler) => {
      const answer = await handler(
        new Request("http://localhost:3000/auth/callback/idp", { headers: { accept: "text/html" } }),
      );
      const location = answer.headers.get("location") ?? "";
      return await handler(new Request(location, { headers: { accept: "text/html" } }));
    },
    see: { status: 500, text: /<h1>/ },
    log: /error\] [\w-]+: Cannot use /,
    besides: [/A provider is left out/],
    says,
  };
}

tellMistakes([
  {
    name: "an entry of `providers` is undefined",
    make: () => serve({ providers: [password, undefined] }),
    see: SERVED,
    log: /`providers\[1\]` is undefined/,
    code: "provider-empty",
    level: "warn",
    says: ["`providers[1]`", "undefined", "look at what you import"],
  },
  leftOut("a provider is an empty object", () => ({}), "`providers[1]`", "it has no `type`", "such as `github()`"),
  leftOut(
    "the type of a provider does not exist",
    () => ({ ...idp, type: "saml" }),
    "`providers[1]`",
    '"saml"',
    '"oauth", "oidc", "email"',
  ),
  leftOut(
    "the type of a provider is misspelt",
    () => ({ ...idp, type: "oicd" }),
    "`type`",
    '"oicd"',
    'did you mean "oidc"?',
  ),
  leftOut("a provider is a text", () => "github", "`providers[1]`", '"github"', "import the provider"),
  leftOut("a provider is a number", () => 42, "`providers[1]`", "a number", "such as `github()`"),
  leftOut("a provider is a list", () => [google], "`providers[1]`", "a list", "such as `github()`"),
  leftOut("a provider is a promise", () => Promise.resolve(idp), "`providers[1]`", "a promise", "`await` it"),
  leftOut("a provider is a module", () => githubModule, "`providers[1]`", "it is a module", "`github()`"),
  leftOut(
    "a provider is an async function",
    () => () => Promise.resolve(idp),
    "`providers[1]`",
    "a function that returns no provider",
  ),
  leftOut(
    "a provider is a function that fails",
    () => () => {
      throw new Error("set the region");
    },
    "`providers[1]`",
    "set the region",
    "call it with its options",
  ),
  leftOut(
    "a provider is a factory, and the environment has no client id",
    () => github,
    "`clientId`",
    "AUTH_GITHUB_ID",
  ),
  leftOut("a provider has no client id", () => ({ ...idp, clientId: undefined }), '"idp"', "`clientId`", "AUTH_IDP_ID"),
  followed(
    "a provider has no client id",
    () => ({ ...idp, clientId: undefined }),
    '"idp"',
    "`clientId`",
    "AUTH_IDP_ID",
  ),
  leftOut(
    "a provider has an empty client secret",
    () => ({ ...idp, clientSecret: "" }),
    '"idp"',
    "`clientSecret`",
    "leave it out for a public client",
  ),
  leftOut("a provider has no issuer and no endpoints", () => ({ ...idp, issuer: undefined }), '"idp"', "`issuer`"),
  leftOut(
    "an issuer is a host",
    () => ({ ...idp, issuer: "idp.test" }),
    '"idp"',
    "`issuer`",
    "an https URL",
    '"idp.test"',
  ),
  leftOut(
    "an issuer is reached over http",
    () => ({ ...idp, issuer: "http://idp.test" }),
    '"idp"',
    "`issuer`",
    "an https URL",
    '"http://idp.test"',
  ),
  followed(
    "an issuer is reached over http",
    () => ({ ...idp, issuer: "http://idp.test" }),
    '"idp"',
    "`issuer`",
    "an https URL",
  ),
  leftOut(
    "the checks do not exist",
    () => ({ ...idp, checks: ["sate"] }),
    '"idp"',
    "`checks`",
    '"pkce", "state", "nonce" or "none"',
  ),
  leftOut(
    "the redirect proxy of a provider is no URL",
    () => ({ ...idp, redirectProxyUrl: "proxy.test" }),
    "`redirectProxyUrl`",
    '"proxy.test"',
    "an https URL",
  ),
  {
    name: "the redirect proxy of the service is no URL",
    make: () => serve({ providers: [password, idp], redirectProxyUrl: "proxy.test" }),
    see: SERVED,
    log: /Cannot use `redirectProxyUrl`/,
    level: "warn",
    says: ["`redirectProxyUrl`", '"proxy.test"', "an https URL"],
  },
  leftOut(
    "accounts are linked by the text false",
    () => ({ ...idp, allowDangerousEmailAccountLinking: "false" }),
    "`allowDangerousEmailAccountLinking`",
    '"false"',
    "true or false",
  ),
  followed(
    "accounts are linked by the text false",
    () => ({ ...idp, allowDangerousEmailAccountLinking: "false" }),
    "`allowDangerousEmailAccountLinking`",
    "true or false",
  ),
  leftOut(
    "the word of a provider counts as nobody says",
    () => ({ ...idp, vouches: "always" }),
    '"idp"',
    "`vouches`",
    '"no", "own domain" or "yes"',
    '"always"',
  ),
  leftOut(
    "the word of a provider counts for domains that are not named",
    () => ({ ...idp, vouches: "own domain" }),
    "set its `ownDomains`",
  ),
  leftOut(
    "a domain is no domain",
    () => ({ ...idp, vouches: "own domain", ownDomains: { names: ["@example.com"] } }),
    "`ownDomains`",
    "names: [<domain>]",
  ),
  leftOut(
    "credentials have no `authorize`",
    () => ({ id: "pw", name: "P", type: "credentials" }),
    '"pw"',
    "`authorize`",
  ),
  leftOut("links by email have no storage", () => consoleEmail(), '"console-email"', "`adapter`", "set one"),
  leftOut("passkeys have no storage", () => passkey(), '"passkey"', "`adapter`", "set one"),
  leftOut("an id cannot stand in a URL", () => ({ ...idp, id: "my idp" }), "`id`", '"my idp"', "A-Z a-z 0-9"),
  {
    name: "two providers have one id",
    make: () =>
      serve({
        providers: [password, { ...idp }, {
          ...idp,
          type: "oauth",
          authorization: "https://a.test/a",
          token: "https://a.test/t",
          userinfo: "https://a.test/u",
        }],
      }),
    see: SERVED,
    log: /Cannot use two providers/,
    level: "warn",
    says: ["`id`", '"idp"', "set another `id`"],
  },
  {
    name: "the provider is the only one, and stands outside a list",
    make: () => serve({ providers: password }),
    see: SERVED,
    log: /`providers`/,
    code: "option-mended",
    level: "warn",
    says: ["`providers`", "a list of one"],
  },
  {
    name: "the providers are a text",
    make: () => serve({ providers: "github" }),
    see: { status: 500, text: /<h1>/ },
    log: /Cannot use `providers`/,
    says: ["`providers`", "a list", "`providers: [github()]`"],
  },
  {
    name: "the operation of an adapter that links by email need is missing",
    make: () => {
      const { useVerificationToken: _, ...adapter } = memoryAdapter();
      return serve({ adapter, providers: [password, consoleEmail()] });
    },
    see: SERVED,
    log: /A provider is left out/,
    level: "warn",
    says: ["`adapter`", "useVerificationToken"],
  },
]);
