/** Variables of the environment, and values that were copied together with what stood around them. */
import { createAuth } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { encode } from "@x/auth/jwt";
import { auth0 } from "@x/auth/providers/auth0";
import { credentials } from "@x/auth/providers/credentials";
import { github } from "@x/auth/providers/github";
import { resend } from "@x/auth/providers/resend";
import { ERROR_PAGE, type Handler, type Mistake, SECRET, SERVED, tellMistakes } from "./_table.ts";

const password = credentials({ credentials: { name: {} }, authorize: () => null });
const PAGE = "http://localhost:3000/auth/signin";
const CLIENT = { clientId: "app", clientSecret: SECRET } as const;

function serve(config: object = {}) {
  return createAuth({ providers: [password], ...config } as never).handler;
}

type Env = NonNullable<Mistake["env"]>;
type Says = readonly [string, ...string[]];

/** The service goes on, and the log says how a variable is read. */
function warned(name: string, env: Env, code: string, ...says: Says): Mistake {
  return { name, env, make: () => serve(), see: SERVED, log: new RegExp(` ${code}: `), code, level: "warn", says };
}

/** A provider is left out, and the log says what it lacks. */
function lacking(name: string, env: Env, provider: () => unknown, ...says: Says): Mistake {
  return {
    ...{ name, env, see: SERVED, log: /A provider is left out\. Cannot use provider/, code: "provider-left-out", says },
    make: () => serve({ adapter: memoryAdapter(), session: { strategy: "jwt" }, providers: [password, provider()] }),
    level: "warn",
  };
}

/** A value is used as it is, and the log says what is around it. */
function padded(name: string, options: object, env: Env = {}): Mistake {
  return {
    ...{ name, env, see: SERVED, log: / is surrounded by /, code: "value-padded", level: "warn" },
    make: () => serve({ providers: [password, github(options as never)] }),
    says: ['provider "github"', "spaces, line breaks or quotes", "remove them"],
  };
}

/** Nobody is let in under the host of the request, and the log names the variable that is set. */
function untrusted(variable: string, value: string, meant: string): Mistake {
  return {
    name: `${meant} is called ${variable}`,
    env: { [variable]: value },
    make: () => serve(),
    ask: "https://shop.example/auth/signin",
    see: ERROR_PAGE,
    log: /Cannot trust the host "shop\.example"/,
    code: "untrusted-host",
    says: [`${variable} is set, which nothing reads`, `did you mean ${meant}?`],
  };
}

/** Asks for a session with a cookie that another secret has sealed. */
async function withOldCookie(handler: Handler, secret = `old-${SECRET}`): Promise<Response> {
  const salt = "authjs.session-token";
  const token = await encode({ token: { sub: "1", name: "Ada" }, secret, salt });
  return await handler(
    new Request("http://localhost:3000/auth/session", { headers: { cookie: `${salt}=${token}` } }),
  );
}

tellMistakes([
  {
    ...warned(
      "AUTH_URL has the path of a page",
      { AUTH_URL: "http://localhost:3000/dashboard" },
      "env-url-path",
      "AUTH_URL",
    ),
    ask: "http://localhost:3000/dashboard/signin",
    says: ["AUTH_URL", '"/dashboard"', "/dashboard/signin", "remove the path", "`basePath`"],
  },
  {
    ...warned("AUTH_URL is the URL of the sign-in page", { AUTH_URL: PAGE }, "env-url-path", "AUTH_URL"),
    ask: `${PAGE}/signin`,
    says: ["AUTH_URL", '"/auth/signin"', "/auth/signin/signin", "remove the path"],
  },
  warned(
    "AUTH_URL has a query",
    { AUTH_URL: "http://localhost:3000?from=docs" },
    "env-url-mended",
    "AUTH_URL",
    "it is read as http://localhost:3000",
  ),
  warned(
    "AUTH_URL has quotes, as a container keeps them",
    { AUTH_URL: '"http://localhost:3000"' },
    "env-url-mended",
    "AUTH_URL",
    "it is read as http://localhost:3000",
  ),
  ...["  ", "http://localhost:3000, http://localhost:3001", "localhost", "ftp://localhost"].map((url): Mistake => ({
    name: `AUTH_URL is ${JSON.stringify(url)}`,
    env: { AUTH_URL: url },
    make: () => serve(),
    ...(url === "localhost"
      ? { see: SERVED, log: / env-url-mended: /, level: "warn", says: ["AUTH_URL", "read as http://localhost"] }
      : { see: ERROR_PAGE, log: /Cannot use the environment variable AUTH_URL/, says: ["AUTH_URL", "an http(s) URL"] }),
  })),
  {
    ...warned(
      "AUTH_URL has a path, and `basePath` is another",
      { AUTH_URL: "http://localhost:3000/api/auth" },
      "env-url-basepath-mismatch",
      "`basePath`",
      "AUTH_URL",
      "remove one of them",
    ),
    make: () => serve({ basePath: "/auth" }),
  },
  warned("AUTH_SECRET is short", { AUTH_SECRET: "changeme" }, "weak-secret", "AUTH_SECRET", "openssl rand -base64 33"),
  ...[` ${SECRET}`, `"${SECRET}"`, `'${SECRET}'`, `${SECRET}\n`].map((secret) =>
    warned(
      `AUTH_SECRET is surrounded: ${JSON.stringify(secret.replace(SECRET, "…"))}`,
      { AUTH_SECRET: secret },
      "value-padded",
      "`secret` (AUTH_SECRET)",
      "spaces, line breaks or quotes",
      "remove them",
    )
  ),
  {
    name: "AUTH_SECRET is blank",
    env: { AUTH_SECRET: " ".repeat(40) },
    make: () => serve(),
    see: ERROR_PAGE,
    log: /Cannot start without a secret/,
    says: ["`secret`", "AUTH_SECRET"],
  },
  {
    name: "`secret` is blank",
    make: () => serve({ secret: " ".repeat(40) }),
    see: ERROR_PAGE,
    log: /Cannot start without a secret/,
    says: ["`secret`", "AUTH_SECRET"],
  },
  {
    name: "one of several secrets is blank",
    make: () => serve({ secret: [SECRET, "  "] }),
    see: ERROR_PAGE,
    log: /Cannot use `secret`/,
    says: ["text that is not empty", "a list"],
  },
  ...[
    ...["AUTH_SECRETS", "AUTH_SECRET_KEY", "NEXT_AUTH_SECRET", "AUTH_SERCET", "AUTHSECRET", "auth_secret"],
    ...["NEXT_PUBLIC_AUTH_SECRET", "VITE_AUTH_SECRET", "BETTER_AUTH_SECRET"],
  ].map((variable): Mistake => ({
    name: `AUTH_SECRET is called ${variable}`,
    env: { AUTH_SECRET: undefined, [variable]: SECRET },
    make: () => serve(),
    see: ERROR_PAGE,
    log: /Cannot start without a secret/,
    says: [`${variable} is set, which nothing reads`, "did you mean AUTH_SECRET?"],
  })),
  ...["shop.example", "maybe"].map((value) =>
    warned(
      `AUTH_TRUST_HOST is ${value}`,
      { AUTH_TRUST_HOST: value },
      "env-trust-host",
      "AUTH_TRUST_HOST",
      `"${value}"`,
      "every host is trusted",
      "AUTH_URL",
    )
  ),
  ...[
    ...["AUTH_TRUSTED_HOST", "AUTH_TRUST_HOSTS", "TRUST_HOST", "TRUSTED_HOST", "NEXTAUTH_TRUST_HOST", "AUTHTRUSTHOST"],
    ...["AUTH_TURST_HOST", "AUTH_TRUST_PROXY"],
  ].map((variable) => untrusted(variable, "true", "AUTH_TRUST_HOST")),
  ...["AUTH_URI", "AUTH_ULR", "NEXT_PUBLIC_AUTH_URL", "AUTH_BASE_URL", "BETTER_AUTH_URL"].map((variable) =>
    untrusted(variable, "https://shop.example", "AUTH_URL")
  ),
  {
    ...untrusted("AUTH_TRUSTED_HOST", "true", "AUTH_TRUST_HOST"),
    name: "AUTH_TRUST_HOST is called AUTH_TRUSTED_HOST, behind a proxy that says where it is",
    ask: () => new Request(PAGE, { headers: { accept: "text/html", "x-forwarded-host": "shop.example" } }),
    see: SERVED,
    log: / proxy-unheard: /,
    code: "proxy-unheard",
    level: "warn",
  },
  {
    name: "AUTH_TRUST_HOST is false",
    env: { AUTH_TRUST_HOST: "false" },
    make: () => serve(),
    see: ERROR_PAGE,
    log: /Cannot trust the host/,
    says: ["`trustHost: true`", "AUTH_URL"],
  },
  lacking("`clientId` is blank", {}, () => github({ ...CLIENT, clientId: "  " }), "`clientId`", "AUTH_GITHUB_ID"),
  lacking("`clientId` is empty", {}, () => github({ ...CLIENT, clientId: "" }), "`clientId`", "AUTH_GITHUB_ID"),
  lacking(
    "`clientId` is an object",
    {},
    () => github({ ...CLIENT, clientId: {} } as never),
    "`clientId`",
    "must be text, not an object",
  ),
  lacking(
    "`clientSecret` is blank",
    {},
    () => github({ ...CLIENT, clientSecret: "\n" }),
    "`clientSecret`",
    "text that is not empty",
  ),
  lacking(
    "the variable of a client id is blank",
    { AUTH_GITHUB_ID: " ", AUTH_GITHUB_SECRET: "s" },
    () => github,
    "`clientId`",
    "AUTH_GITHUB_ID",
  ),
  ...["AUTH_GITHUB_CLIENT_ID", "GITHUB_CLIENT_ID", "GITHUB_ID"].map((variable) =>
    lacking(
      `the variable of a client id is called ${variable}`,
      { [variable]: "app" },
      () => github,
      `${variable} is set, which nothing reads`,
      "did you mean AUTH_GITHUB_ID?",
    )
  ),
  ...["RESEND_API_KEY", "AUTH_RESEND_API_KEY", "RESEND_KEY"].map((variable) =>
    lacking(
      `the variable of a key is called ${variable}`,
      { [variable]: SECRET },
      () => resend({ from: "a@example.com" }),
      `${variable} is set, which nothing reads`,
      "did you mean AUTH_RESEND_KEY?",
    )
  ),
  ...["AUTH_AUTH0_ISSUER_BASE_URL", "AUTH0_ISSUER", "AUTH0_DOMAIN"].map((variable) =>
    lacking(
      `the variable of an issuer is called ${variable}`,
      { [variable]: "https://shop.eu.auth0.com" },
      () => auth0(CLIENT),
      `${variable} is set, which nothing reads`,
      "did you mean AUTH_AUTH0_ISSUER?",
    )
  ),
  lacking(
    "the key of a mail service is blank",
    { AUTH_RESEND_KEY: "  " },
    () => resend({ from: "a@example.com" }),
    "`apiKey`",
    "AUTH_RESEND_KEY",
  ),
  lacking(
    "the option `apiKey` of a mail service is blank",
    {},
    () => resend({ from: "a@example.com", apiKey: " " }),
    "`apiKey`",
    "AUTH_RESEND_KEY",
  ),
  padded("`clientId` ends in a line break", { ...CLIENT, clientId: "app\n" }),
  padded("`clientSecret` begins with a space", { ...CLIENT, clientSecret: ` ${SECRET}` }),
  padded("the variable of a client id has quotes", {}, { AUTH_GITHUB_ID: '"app"', AUTH_GITHUB_SECRET: "s" }),
  {
    name: "the secret is replaced while somebody is signed in",
    make: () => serve(),
    ask: withOldCookie,
    see: { status: 200, text: /^null$/ },
    log: /sealed with another secret/,
    code: "secret-replaced",
    level: "warn",
    says: ["`secret` (AUTH_SECRET)", "`secret: [new, old]`"],
  },
]);
