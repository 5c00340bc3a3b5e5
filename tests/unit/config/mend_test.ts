/** What becomes of every odd option: it is mended, a provider is left out, or the whole service refuses. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";
import { memoryAdapter } from "../../../adapters/memory.ts";
import type { ResolvedConfig } from "../../../src/config/resolve.ts";
import { resolveNow } from "../../_support/resolved.ts";
import type { AuthConfig } from "../../../src/contract/config.ts";
import { passkey } from "../../../src/providers/passkey.ts";
import { webauthn } from "../../../src/providers/webauthn.ts";
import { SECRET, testRuntime } from "../_builders.ts";

/** A configuration as JavaScript lets one write it. */
type Odd = Readonly<Record<string, unknown>>;
type Env = Readonly<Record<string, string>>;

const ada = { id: "credentials", name: "Password", type: "credentials", authorize: () => null };
const idp = { id: "idp", name: "IdP", type: "oidc", issuer: "https://idp.test", clientId: "c" };
const mail = { id: "mail", name: "Email", type: "email", sendVerificationRequest: () => {} };

function resolve(config: Odd, env: Env = {}): ResolvedConfig {
  const given = { secret: SECRET, trustHost: true, providers: [ada], ...config };
  return resolveNow(given as unknown as AuthConfig, testRuntime(env));
}

function shown(config: Odd, env: Env = {}): string {
  return inspect({ ...config, ...env }, { depth: 4, breakLength: Infinity }).replaceAll(/\s+/g, " ").slice(0, 120);
}

function warned({ warnings }: ResolvedConfig, text: string): boolean {
  return warnings.some(([, message]) => message.includes(text));
}

interface Mended {
  /** What the warning names; `null` if there is nothing to say. */
  readonly option: string | null;
  readonly config: Odd;
  readonly env?: Env;
  /** How the option is read. */
  readonly read: (config: ResolvedConfig) => unknown;
  readonly as: unknown;
}

const pageOf = (name: "signIn" | "error") => ({ pages }: ResolvedConfig) => pages[name];
const styleOf = ({ providers }: ResolvedConfig) => providers.get("idp")?.style;
const themeOf = (name: "brandColor" | "colorScheme") => ({ theme }: ResolvedConfig) => theme[name];
const session = (config: ResolvedConfig) => config.session;
const checksOf = ({ providers }: ResolvedConfig) => {
  const provider = providers.get("idp");
  return provider && "checks" in provider && { ...provider.checks };
};

const MENDED: readonly Mended[] = [
  {
    option: "AUTH_URL",
    config: {},
    env: { AUTH_URL: "example.com" },
    read: ({ origin }) => origin,
    as: "https://example.com",
  },
  ...["", null, "signin", "//evil.test", "/\\evil.test", "javascript:alert(1)", "https://[", 1, {}].flatMap((page) => [
    { option: "pages.signIn", config: { pages: { signIn: page } }, read: pageOf("signIn"), as: undefined },
    { option: "pages.error", config: { pages: { error: page } }, read: pageOf("error"), as: undefined },
  ]),
  ...["var(--brand)", "red;background:url(//evil.test)", "</style><script>", 1, {}].map((brandColor) => ({
    option: "theme.brandColor",
    config: { theme: { brandColor } },
    read: themeOf("brandColor"),
    as: "",
  })),
  { option: null, config: { theme: { brandColor: null } }, read: themeOf("brandColor"), as: "" },
  {
    option: "theme.colorScheme",
    config: { theme: { colorScheme: "sepia" } },
    read: themeOf("colorScheme"),
    as: "auto",
  },
  { option: "theme.logo", config: { theme: { logo: 1 } }, read: ({ theme }) => theme.logo, as: "" },
  ...["theme", "pages", "timeouts", "experimental"].map((option) => ({
    option,
    config: { [option]: "dark" },
    read: ({ problems }: ResolvedConfig) => problems.length,
    as: 0,
  })),
  { option: "session.maxAge", config: { session: { maxAge: "3600" } }, read: (c) => session(c).maxAge, as: 3600 },
  { option: null, config: { session: { maxAge: null } }, read: (c) => session(c).maxAge, as: 2_592_000 },
  { option: "session.updateAge", config: { session: { updateAge: "0" } }, read: (c) => session(c).updateAge, as: 0 },
  { option: "jwt.maxAge", config: { jwt: { maxAge: " 60 " } }, read: ({ jwt }) => jwt.maxAge, as: 60 },
  { option: "session.strategy", config: { session: { strategy: "JWT" } }, read: (c) => session(c).strategy, as: "jwt" },
  { option: "timeouts.total", config: { timeouts: { total: "2.5" } }, read: (c) => c.timeouts.total, as: 2.5 },
  ...[0, -1, NaN, Infinity, "soon", {}].map((total) => ({
    option: "timeouts.total",
    config: { timeouts: { total } },
    read: ({ timeouts }: ResolvedConfig) => timeouts.total,
    as: 10,
  })),
  { option: "basePath", config: { basePath: "api/auth" }, read: ({ basePath }) => basePath, as: "/api/auth" },
  { option: "trustHost", config: { trustHost: "true" }, read: ({ trustHost }) => trustHost, as: "any" },
  {
    option: "cookies.state.options.sameSite",
    config: { cookies: { state: { options: { sameSite: "Strict" } } } },
    read: ({ cookies }) => cookies.secure.state.options.sameSite,
    as: "strict",
  },
  ...["session", "jwt", "callbacks", "events", "pages", "cookies", "theme", "timeouts", "adapter", "basePath"].map(
    (option) => ({
      option: null,
      config: { [option]: null },
      read: ({ problems, basePath }: ResolvedConfig) => [problems.length, basePath],
      as: [0, "/auth"],
    }),
  ),
  { option: null, config: { callbacks: { signIn: undefined, jwt: null } }, read: (c) => c.problems.length, as: 0 },
  { option: "providers", config: { providers: idp }, read: ({ providers }) => [...providers.keys()], as: ["idp"] },
  ...[null, undefined, false, "", 0].map((nothing) => ({
    option: "providers[0]",
    config: { providers: [nothing, ada] },
    read: ({ providers }: ResolvedConfig) => [...providers.keys()],
    as: ["credentials"],
  })),
  ...["state", " state ", "state,pkce", "pkce state nonce"].map((checks) => ({
    option: "`checks` of provider",
    config: { providers: [{ ...idp, checks }] },
    read: checksOf,
    as: { state: true, pkce: checks.includes("pkce"), nonce: checks.includes("nonce") },
  })),
  {
    option: null,
    config: { providers: [{ ...idp, checks: null }] },
    read: checksOf,
    as: { state: true, pkce: true, nonce: true },
  },
  {
    option: "`clientId` of provider",
    config: { providers: [{ ...idp, clientId: 42 }] },
    read: ({ providers }) => (providers.get("idp") as { clientId?: unknown }).clientId,
    as: "42",
  },
  {
    option: "`name` of provider",
    config: { providers: [{ ...idp, name: undefined }] },
    read: ({ providers }) => providers.get("idp")?.name,
    as: "idp",
  },
  ...["M0 0<script>", '"><svg onload=alert(1)>', "0 0h24", `M${"0".repeat(8192)}`, 1, {}].map((mark) => ({
    option: "`style.mark` of provider",
    config: { providers: [{ ...idp, style: { bg: "#fff", mark } }] },
    read: styleOf,
    as: { bg: "#fff" },
  })),
  ...["bg", "bgDark", "border", "borderDark", "text", "textDark"].map((name) => ({
    option: `\`style.${name}\` of provider`,
    config: { providers: [{ ...idp, style: { [name]: "red;background:url(//evil.test)", mark: "M0 0h9z" } }] },
    read: styleOf,
    as: { mark: "M0 0h9z" },
  })),
  ...[null, undefined, ""].map((mark) => ({
    option: null,
    config: { providers: [{ ...idp, style: { bg: mark, text: "#000", mark } }] },
    read: styleOf,
    as: { text: "#000" },
  })),
  {
    option: "`maxAge` of provider",
    config: { adapter: memoryAdapter(), providers: [{ ...mail, maxAge: "3600" }] },
    read: ({ providers }) => (providers.get("mail") as { maxAge?: unknown }).maxAge,
    as: 3600,
  },
  ...["timeout", "registrationOptions.timeout"].map((option) => ({
    option,
    config: {
      adapter: memoryAdapter(),
      providers: [
        passkey(
          option === "timeout" ? { timeout: "1000" } as object : { registrationOptions: { timeout: "1000" } } as object,
        ),
      ],
    },
    read: ({ providers }: ResolvedConfig) => [...providers.keys()],
    as: ["passkey"],
  })),
];

for (const { option, config, env, read, as } of MENDED) {
  test(`resolveConfig() mends ${shown(config, env)}`, () => {
    const resolved = resolve(config, env);
    assert.deepEqual(resolved.problems.map(({ message }) => message), []);
    assert.deepEqual([...resolved.brokenProviders.keys()], []);
    assert.deepEqual(read(resolved), as);
    assert.ok(option === null || warned(resolved, option), inspect(resolved.warnings));
  });
}

const throwing = () => {
  throw new Error("no network");
};

/** Providers that cannot be used, and what the log says of each. */
const LEFT_OUT: readonly (readonly [says: string, ...providers: unknown[]])[] = [
  ["AUTH_IDP_ID", { ...idp, clientId: undefined }],
  ["AUTH_IDP_ID", { ...idp, clientId: "" }],
  ["clientSecret", { ...idp, clientSecret: "" }],
  ["clientSecret", { ...idp, clientSecret: 42 }],
  ["issuer", { ...idp, issuer: "http://idp.test" }],
  ["issuer", { ...idp, issuer: undefined }],
  ["redirectProxyUrl", { ...idp, redirectProxyUrl: "http://proxy.test/auth" }],
  ["checks", { ...idp, checks: "sate" }],
  ["checks", { ...idp, checks: "" }],
  ["checks", { ...idp, checks: ["pkce", "sate"] }],
  ["checks", { ...idp, checks: { pkce: true } }],
  ["authorize", { ...ada, id: "idp", authorize: undefined }],
  ["authorize", { ...ada, id: "idp", authorize: "yes" }],
  ["adapter", { ...mail, id: "idp" }],
  ["adapter", { ...passkey(), id: "idp" }],
  ['`id` "idp"', idp, { ...ada, id: "idp" }],
  ['`id` "idp"', idp, idp],
  ["providers[0]", { id: "idp", name: "IdP", type: "saml" }],
  ["providers[0]", { id: "idp" }],
  ["providers[0]", throwing],
  ["providers[0]", () => undefined],
  ["providers[0]", () => Promise.resolve(idp)],
  ["providers[0]", "github"],
  ["providers[0]", 42],
  ...[undefined, "", "a/b", "a b", "é", "undefined", ".", "..", "a".repeat(65), "a?b", "%61", 1].map((
    id,
  ): readonly [string, unknown] => ["`id`", { ...idp, id }]),
];

for (const [says, ...providers] of LEFT_OUT) {
  test(`resolveConfig() leaves out ${shown({ providers })} and goes on`, () => {
    const resolved = resolve({ providers: [...providers, ada] });
    assert.deepEqual(resolved.problems.map(({ message }) => message), []);
    assert.deepEqual([...resolved.providers.keys()], ["credentials"]);
    assert.ok(warned(resolved, says), inspect(resolved.warnings));
    const named = providers.some((provider) => (provider as { id?: unknown } | undefined)?.id === "idp");
    assert.deepEqual([...resolved.brokenProviders.keys()], named ? ["idp"] : []);
    for (const { problems } of resolved.brokenProviders.values()) assert.match(problems[0].message, /^Cannot use /);
  });
}

test("resolveConfig() offers the first of two kinds of passkeys where people type, and leaves out the other", () => {
  const { providers, brokenProviders } = resolve({ adapter: memoryAdapter(), providers: [passkey(), webauthn()] });
  assert.deepEqual([...providers.keys()], ["passkey"]);
  assert.deepEqual([...brokenProviders].map(([id, { type }]) => [id, type]), [["webauthn", "webauthn"]]);
});

test("resolveConfig() leaves out a provider whose operations the adapter lacks", () => {
  const { useVerificationToken: _, getAuthenticator: __, ...adapter } = memoryAdapter();
  const { providers, brokenProviders, problems } = resolve({ adapter, providers: [ada, mail, passkey()] });
  assert.deepEqual([[...providers.keys()], [...brokenProviders.keys()]], [["credentials"], ["mail", "passkey"]]);
  assert.deepEqual(problems, []);
});

test("resolveConfig() never shows the secrets of a provider that it leaves out", () => {
  const provider = { ...idp, clientId: undefined, clientSecret: "canary", issuer: "http://idp.test" };
  const { warnings, brokenProviders } = resolve({ providers: [provider] });
  assert.doesNotMatch(inspect([warnings, ...brokenProviders.values()], { depth: 9 }), /canary/);
});

/** Options that decide who may do what. What they should say is not known, so nothing is served. */
const REFUSED: readonly (readonly [option: string, config: Odd, env?: Env])[] = [
  ["AUTH_URL", {}, { AUTH_URL: "true" }],
  ["AUTH_URL", {}, { AUTH_URL: "ftp://app.test" }],
  ["AUTH_URL", {}, { AUTH_URL: "user@app.test" }],
  ["secret", { secret: "" }],
  ["secret", { secret: 42 }],
  ["secret", { secret: [SECRET, ""] }],
  ["jwt.secret", { jwt: { secret: 42 } }],
  ["trustHost", { trustHost: "false" }],
  ["trustHost", { trustHost: "" }],
  ["trustHost", { trustHost: "app.test" }],
  ["trustHost", { trustHost: 0 }],
  ["trustHost", { trustHost: {} }],
  ["basePath", { basePath: "https://app.test/auth" }],
  ["basePath", { basePath: "//auth" }],
  ["session.strategy", { session: { strategy: "cookie" } }],
  ["adapter", { session: { strategy: "database" } }],
  ...[0, -1, NaN, Infinity, 1e10, "1h", "-1", "1e3", {}].flatMap((maxAge) => [
    ["session.maxAge", { session: { maxAge } }] as const,
    ["jwt.maxAge", { jwt: { maxAge } }] as const,
  ]),
  ...[-1, NaN, "never"].map((updateAge) => ["session.updateAge", { session: { updateAge } }] as const),
  ...["session", "jwt", "callbacks", "events", "cookies"].flatMap((option) =>
    ["jwt", 1, [], () => ({})].map((value) => [`\`${option}\``, { [option]: value }] as const)
  ),
  ...["signIn", "redirect", "jwt", "session", "authorized"].flatMap((name) =>
    [true, "yes", {}].map((value) => [`callbacks.${name}`, { callbacks: { [name]: value } }] as const)
  ),
  ...["signin", "SignIn", "sign_in", "authorised", "Authorized", "re_direct", "JWT"].map((name) =>
    [`callbacks.${name}`, { callbacks: { [name]: () => false } }] as const
  ),
  ["session.generateSessionToken", { session: { generateSessionToken: "random" } }],
  ["jwt.encode", { jwt: { encode: "base64" } }],
  ["jwt.decode", { jwt: { decode: {} } }],
  ...[null, "/members/*", {}, { route: ["/members"] }, { routes: "/members" }, ["members"], ["/a/**"], [null]].map((
    protect,
  ) => ["protect", { protect }] as const),
  ["protect", { protect: { routes: ["/members"], ignoreCase: "no" } }],
  ["useSecureCookies", { useSecureCookies: "false" }],
  ["useSecureCookies", { useSecureCookies: 0 }],
  ["cookies.session", { cookies: { session: { options: { sameSite: "strict" } } } }],
  ["cookies.sessiontoken", { cookies: { sessiontoken: { name: "s" } } }],
  ["cookies.sessionToken", { cookies: { sessionToken: "sid" } }],
  ["cookies.sessionToken.options", { cookies: { sessionToken: { options: "Secure" } } }],
  ["cookies.sessionToken.Options", { cookies: { sessionToken: { Options: { secure: true } } } }],
  ...["samesite", "SameSite", "same_site", "httponly", "Secure", "max-age", "Domain"].map((name) =>
    [`options.${name}`, { cookies: { sessionToken: { options: { [name]: true } } } }] as const
  ),
  ...["httpOnly", "secure", "partitioned"].map((name) =>
    [`options.${name}`, { cookies: { sessionToken: { options: { [name]: "false" } } } }] as const
  ),
  ["cookies.sessionToken", { cookies: { sessionToken: { options: { sameSite: "strikt" } } } }],
  ["redirectProxyOrigins", { redirectProxyOrigins: "https://*.app.test" }],
  ...["myapp", ["myapp:"], ["myapp://"], ["MyApp"], ["https"], ["javascript"], ["data"], ["intent"], ["a b"], [""], [1]]
    .map(
      (redirectSchemes) => ["redirectSchemes", { redirectSchemes }] as const,
    ),
  ["providers", { providers: "github" }],
];

for (const [option, config, env] of REFUSED) {
  test(`resolveConfig() serves nothing with ${shown(config, env)}`, () => {
    const { problems, providers } = resolve(config, env);
    assert.ok(problems.some(({ message }) => message.includes(option)), `${problems.map(({ message }) => message)}`);
    assert.deepEqual([...providers], []);
  });
}

test("resolveConfig() changes nothing of an odd configuration", () => {
  const config = {
    pages: { signIn: "" },
    theme: { brandColor: 1 },
    session: { maxAge: "60" },
    timeouts: { total: "x" },
    basePath: "auth",
    cookies: { state: { options: { sameSite: "Lax" } } },
    providers: [{ ...idp, checks: "state", clientId: 1 }],
  };
  const before = structuredClone(config);
  resolve(config);
  assert.deepEqual(config, before);
});
