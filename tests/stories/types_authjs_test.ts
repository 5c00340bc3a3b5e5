// The types are the test: `deno check` reads this file, and scripts/npm/authjs_types.ts compiles it against the package.
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Adapter, type AuthConfig, createAuth, defineConfig, type ProviderInput } from "@x/auth";
import { credentials } from "@x/auth/providers/credentials";
import { keycloak } from "@x/auth/providers/keycloak";
import { github } from "@x/auth/providers/github";
import { google } from "@x/auth/providers/google";

const secret = "a secret for tests of at least 32 characters";
declare const adapter: Adapter;
declare const base: AuthConfig;

// Written without annotations, so that TypeScript widens every text to `string` and every list to an array.
const client = { token_endpoint_auth_method: "client_secret_post", id_token_signed_response_alg: "ES256" };
const custom = {
  id: "corp",
  name: "Corp",
  type: "oidc",
  issuer: "https://corp.example.com",
  clientId: "id",
  clientSecret: "secret",
  client: { token_endpoint_auth_method: "client_secret_post" },
  checks: ["pkce", "nonce"],
  authorization: { params: { scope: "openid email" } },
  style: { logo: "/corp.svg", bg: "#fff", text: "#000" },
  profile(profile: { sub: string; name?: string | undefined }) {
    return { id: profile.sub, name: profile.name ?? null };
  },
};
const oauth = {
  id: "legacy",
  name: "Legacy",
  type: "oauth",
  version: "2.0",
  authorization: "https://legacy.example.com/authorize",
  token: { url: "https://legacy.example.com/token" },
  userinfo: {
    url: "https://legacy.example.com/me",
    async request(
      { tokens, provider }: {
        tokens: { access_token?: string | undefined };
        provider: { userinfo?: { url: URL | undefined } };
      },
    ) {
      return await (await fetch(provider.userinfo?.url ?? "", { headers: { a: tokens.access_token ?? "" } })).json();
    },
  },
  checks: ["state"],
  allowDangerousEmailAccountLinking: true,
  profile(
    profile: { id: number; login: string; email: string | null },
    tokens: { access_token?: string | undefined },
  ) {
    return { id: String(profile.id), name: profile.login, email: profile.email, image: tokens.access_token ?? null };
  },
};
const password = { label: "Password", type: "password", placeholder: "…" };
const form = {
  id: "credentials",
  name: "Credentials",
  type: "credentials",
  credentials: { username: { label: "Username", type: "text" }, password },
  async authorize(credentials: Partial<Record<"username" | "password", unknown>>) {
    if (!credentials.username || !credentials.password) return null;
    return await Promise.resolve({ id: "1", name: String(credentials.username) });
  },
};
// As next-auth v4 has it.
type Former = Record<"username" | "password", string> | undefined;
interface Mail {
  identifier: string;
  url: string;
  provider: { from?: string | undefined; server?: unknown };
}
const mail = {
  id: "mail",
  name: "Mail",
  type: "email",
  from: "a@example.com",
  maxAge: 60,
  async sendVerificationRequest({ identifier, url, provider }: Mail) {
    await fetch("https://mail.example.com", { method: "POST", body: identifier + url + provider.from });
  },
  options: {},
};

test("a provider that is written as an object without a type compiles", () => {
  const providers: ProviderInput[] = [custom, oauth, form, mail];
  const all: AuthConfig = { providers: [custom, oauth, form, mail], secret };
  const service = createAuth({ providers: [custom, oauth, form, mail], secret });
  const defined = defineConfig({ providers: [custom, { ...oauth, client }] });
  assert.ok([providers, all, service, defined]);
});

test("the options of a factory compile from variables without a type", () => {
  const checks = ["pkce", "state"];
  const options = { clientId: "a", clientSecret: "b", client, checks };
  const of = [
    github(options),
    google({ client, checks }),
    keycloak({ issuer: "https://a", client, checks }),
    credentials(form),
    credentials({ credentials: { password: { type: "password" } }, authorize: () => null }),
    credentials({
      credentials: { username: {}, password },
      authorize: async (credentials: Partial<Record<"username" | "password", unknown>>, req) => {
        return await Promise.resolve(credentials.username && req.headers ? { id: "1" } : null);
      },
    }),
    credentials({
      credentials: { username: {}, password },
      async authorize(credentials: Former) {
        if (!credentials) return null;
        return await Promise.resolve({ id: credentials.username });
      },
    }),
  ];
  assert.equal(of.length, 7);
});

// The records of Auth.js, and of next-auth v4, as callbacks of applications are annotated with them.
interface OtherUser {
  id?: string | undefined;
  name?: string | null | undefined;
  email?: string | null | undefined;
  image?: string | null | undefined;
}
interface OtherSession {
  user?: OtherUser;
  expires: string;
}
interface OtherToken extends Record<string, unknown> {
  name?: string | null;
  email?: string | null;
  picture?: string | null;
  sub?: string;
}
interface StoredUser extends OtherUser {
  id: string;
  email: string;
  emailVerified: Date | null;
}

test("callbacks with the annotations of Auth.js compile", () => {
  const services = () => [
    createAuth({
      callbacks: {
        signIn: async (
          { user, credentials }: { user: OtherUser; credentials?: Record<string, unknown> | undefined },
        ) => {
          return await Promise.resolve(Boolean(user.email ?? credentials));
        },
        redirect: ({ url, baseUrl }: { url: string; baseUrl: string }) => url.startsWith("/") ? baseUrl + url : baseUrl,
        // deno-lint-ignore no-explicit-any -- applications annotate with it
        jwt({ token, user }: { token: any; user?: any }) {
          if (user) token.id = user.id;
          return token;
        },
        // deno-lint-ignore no-explicit-any -- applications annotate with it
        session({ session, token }: { session: any; token: any }) {
          session.user.id = token.id;
          return session;
        },
      },
    }),
    createAuth({
      callbacks: {
        session(params: { session: OtherSession; token: OtherToken; user: StoredUser }) {
          return { ...params.session, id: params.token.sub ?? params.user.id };
        },
      },
    }),
    createAuth({
      adapter,
      callbacks: {
        async session({ session, user }: { session: OtherSession; user: StoredUser }) {
          return await Promise.resolve({ ...session, user: { ...session.user, id: user.id } });
        },
      },
    }),
    createAuth({
      ...base,
      callbacks: {
        session(params: { session: OtherSession; token: OtherToken; user: StoredUser; trigger?: "update" }) {
          return { ...params.session, id: params.token.sub ?? params.user.id };
        },
      },
    }),
  ];
  assert.equal(typeof services, "function");
});
