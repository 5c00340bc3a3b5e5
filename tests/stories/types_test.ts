// The types are the test: `deno check` reads this file, and scripts/npm/authjs_types.ts compiles it against the package.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Adapter,
  type Auth,
  type AuthConfig,
  type AuthConfigSource,
  createAuth,
  defineConfig,
  type Inferred,
  type JWT,
  type Session,
  type SessionCallbackParams,
  type Settled,
} from "@x/auth";
import { nodeSession } from "@x/auth/node";
import { consoleEmail } from "@x/auth/providers/console-email";
import { credentials } from "@x/auth/providers/credentials";
import { github } from "@x/auth/providers/github";
import { google } from "@x/auth/providers/google";
import { passkey } from "@x/auth/providers/passkey";
import { password } from "@x/auth/providers/password";
import { resend } from "@x/auth/providers/resend";

type Equal<A, B> = (<X>() => X extends A ? 1 : 2) extends (<X>() => X extends B ? 1 : 2) ? true : false;

/** Fails to compile unless both types are the same. */
function same<A, B>(_proof: Equal<A, B>): void {}

/** Names calls whose types are looked at. They are not made. */
function uncalled(_calls: (given: never) => unknown): void {}

const secret = "a secret for tests of at least 32 characters";
const request = new Request("http://localhost/");

const service = createAuth({
  secret,
  providers: [
    github(),
    google({ id: "work", profile: ({ sub, hd }) => ({ id: sub ?? "", name: String(hd) }) }),
    passkey(),
    password(),
    resend({ id: "news", from: "news@example.com" }),
    consoleEmail(),
    credentials({
      credentials: { username: { label: "Name" }, password: { type: "password" } },
      authorize: ({ username }) => ({ id: String(username) }),
    }),
    credentials({ id: "pin", credentials: { pin: {} }, authorize: () => null }),
    { id: "corp", type: "oidc", name: "Corp", issuer: "https://corp.example.com", checks: ["pkce"] },
  ],
  callbacks: {
    jwt({ token, user }) {
      return { ...token, role: user?.email?.endsWith("@example.com") ? "staff" as const : "guest" as const };
    },
    session({ session, token }) {
      same<typeof token, { [K in keyof Claims]: Claims[K] }>(true);
      // @ts-expect-error: the callback `jwt` returns no such claim
      void token.rol;
      return { ...session, user: { ...session.user, id: token.sub }, role: token.role };
    },
    authorized({ auth }) {
      // @ts-expect-error: the callback `session` returns no such member
      void auth?.rol;
      return auth?.role === "staff";
    },
  },
});

interface Claims {
  role: "staff" | "guest";
  sub?: string | undefined;
  name?: string | null | undefined;
  email?: string | null | undefined;
  picture?: string | null | undefined;
  iat?: number | undefined;
  exp?: number | undefined;
  jti?: string | undefined;
}

type ServiceSession = {
  user: { id: string | undefined; name?: string | null; email?: string | null; image?: string | null };
  role: "staff" | "guest";
  expires: string;
};

test("the session is what the callback returns", async () => {
  type Found = typeof service.$infer.Session;
  same<Found["role"], "staff" | "guest">(true);
  same<Found["user"]["id"], string | undefined>(true);
  same<keyof Found, keyof ServiceSession>(true);
  same<keyof Found["user"], keyof ServiceSession["user"]>(true);
  same<keyof typeof service.$infer.Token, keyof Claims>(true);
  const session = await service.auth(request);
  same<typeof session, Found | null>(true);
  const sessionOf = nodeSession(service.auth);
  same<Awaited<ReturnType<typeof sessionOf>>, Found | null>(true);
  // @ts-expect-error: there is no such member
  assert.equal(session?.rol, undefined);
  // @ts-expect-error: there is no such member
  assert.equal(session?.user.login, undefined);
  const guarded = service.auth((_request, session) => {
    // @ts-expect-error: there is no such member
    void session?.rol;
    return Response.json(session?.role ?? null);
  });
  assert.equal(typeof guarded, "function");
});

test("a sign-in names a provider of the configuration, and its fields", () => {
  same<
    typeof service.$infer.ProviderId,
    "github" | "work" | "passkey" | "password" | "news" | "console-email" | "credentials" | "pin" | "corp"
  >(true);
  same<keyof typeof service.$infer.Fields["credentials"], "username" | "password">(true);
  same<keyof typeof service.$infer.Fields["password"], "email" | "password">(true);
  const chosen = "github" as string;
  uncalled(() => [
    service.signIn(request),
    service.signIn(request, "github", { redirectTo: "/" }),
    service.signIn(request, "work", undefined, { prompt: "login" }),
    service.signIn(request, "news", { email: "ada@example.com", lang: "en" }),
    service.signIn(request, "credentials", { username: "ada", password: "x", redirectTo: "/" }),
    service.signIn(request, "credentials", new FormData()),
    service.signIn(request, "pin", { pin: "1" }),
    service.signIn(request, "password", { email: "ada@example.com", password: "x", redirectTo: "/" }),
    // @ts-expect-error: there is no such field
    service.signIn(request, "password", { username: "ada", password: "x" }),
    // What a form sent may be any text. The service looks for it.
    service.signIn(request, chosen, { anything: 1 }),
    // @ts-expect-error: there is no such provider
    service.signIn(request, "githb"),
    // @ts-expect-error: there is no such provider
    service.signIn(request, "google"),
    // @ts-expect-error: there is no such field
    service.signIn(request, "credentials", { user: "ada" }),
    // @ts-expect-error: this is a field of another provider
    service.signIn(request, "pin", { password: "x" }),
    // @ts-expect-error: there is no such field
    service.signIn(request, "credentials", { user: "ada", redirect: false }),
  ]);
  uncalled(async () => {
    const gone = await service.signIn(request, "credentials", { username: "ada", redirect: false });
    same<typeof gone, Settled<string>>(true);
    const answer = await service.signIn(request, "credentials", { username: "ada" });
    same<typeof answer, Response>(true);
  });
});

test("a change of the session names its members", () => {
  uncalled(async () => {
    const { value } = await service.update(request, { role: "guest", user: { name: "Ada" } });
    same<typeof value, typeof service.$infer.Session | null>(true);
    // @ts-expect-error: there is no such member
    await service.update(request, { rol: "guest" });
    // @ts-expect-error: there is no such role
    await service.unstable_update(request, { role: "boss" });
  });
});

test("a configuration that is chosen for each request has its types, too", () => {
  const lazy = createAuth((request) => ({
    secret,
    providers: [github(), credentials({ id: "pin", credentials: { pin: {} }, authorize: () => null })],
    callbacks: {
      jwt: ({ token }) => ({ ...token, host: new URL(request.url).host }),
      session: ({ session, token }) => ({ ...session, host: token?.host }),
    },
  }));
  same<typeof lazy.$infer.ProviderId, "github" | "pin">(true);
  same<typeof lazy.$infer.Session["host"], string | undefined>(true);
  // @ts-expect-error: there is no such member
  uncalled(async () => (await lazy.auth(request))?.hots);
  // @ts-expect-error: there is no such field
  uncalled(() => lazy.signIn(request, "pin", { pn: "1" }));
  const slow = createAuth(async () => {
    await Promise.resolve();
    return { secret, providers: [google()], callbacks: { session: () => Promise.resolve({ expires: "", level: 1 }) } };
  });
  same<typeof slow.$infer.ProviderId, "google">(true);
  same<typeof slow.$infer.Session, { expires: string; level: number }>(true);
});

test("a callback that may end the session infers what else it returns", () => {
  const { $infer: _ } = createAuth({
    secret,
    callbacks: {
      jwt: ({ token }) => Promise.resolve(token.sub === "1" ? null : { ...token, level: 1 }),
      session: ({ session, token }) => ({ ...session, level: token.level }),
    },
  });
  same<typeof _.Session["level"], number>(true);
  same<typeof _.Token["level"], number>(true);
});

test("a return type that is written down is what counts", () => {
  const { $infer: _ } = createAuth({
    secret,
    callbacks: {
      jwt({ token, user }): JWT & { role?: string } {
        if (user) return { ...token, role: "guest" };
        return token as JWT & { role?: string };
      },
      session: ({ session, token }): Session & { role?: string } => ({
        ...session,
        ...(token?.role && { role: token.role }),
      }),
    },
  });
  same<typeof _.Token["role"], string | undefined>(true);
  same<typeof _.Session["role"], string | undefined>(true);
  // @ts-expect-error: there is no such claim
  same<typeof _.Token["rol"], unknown>(true);
  // @ts-expect-error: there is no such member
  uncalled((session: typeof _.Session) => session.rol);
});

declare const adapter: Adapter;
declare const perhaps: Adapter | undefined;
declare const either: { strategy?: "jwt" | "database"; maxAge?: number };
declare const base: AuthConfig;

test("`token` and `user` of the session callback are told apart by what the configuration says", () => {
  uncalled(() => [
    createAuth({ callbacks: { session: ({ session, token }) => ({ ...session, id: token.sub }) } }),
    createAuth({
      callbacks: { session: ({ session, token }) => ({ ...session, id: token.sub }) },
      adapter,
      session: { strategy: "jwt", maxAge: 60 },
    }),
    createAuth({ adapter, callbacks: { session: ({ session, user }) => ({ ...session, id: user.id }) } }),
    createAuth({
      callbacks: { session: ({ session, user, trigger }) => ({ ...session, id: user.id, trigger }) },
      session: { strategy: "database" },
      adapter,
    }),
    defineConfig({ adapter, callbacks: { session: ({ session, user }) => ({ ...session, id: user.id }) } }),
    defineConfig({ callbacks: { session: ({ session, token }) => ({ ...session, id: token.sub }) } }),
    createAuth({
      session: { strategy: "jwt" },
      callbacks: {
        jwt: ({ token }) => ({ ...token, level: 1 }),
        // @ts-expect-error: sealed sessions have no stored user
        session: ({ session, user }) => ({ ...session, id: user.id }),
      },
    }),
    createAuth({
      adapter,
      callbacks: {
        // @ts-expect-error: stored sessions have no claims
        session: ({ session, token }) => ({ ...session, id: token.sub }),
      },
    }),
    // What is not there may be looked for, as callbacks do that were written for both strategies.
    createAuth({
      adapter,
      callbacks: { session: ({ session, token, user }) => ({ ...session, id: token ? token.sub : user.id }) },
    }),
    createAuth({
      session: { strategy: "jwt" },
      callbacks: { session: ({ session, token, user }) => ({ ...session, id: user ? user.id : token.sub }) },
    }),
  ]);
});

test("where the configuration does not say, either `token` or `user` is there", () => {
  const session = ({ session, token, user }: SessionCallbackParams) => ({
    ...session,
    id: token ? token.sub : user.id,
  });
  const callbacks: AuthConfig["callbacks"] = {
    session: ({ session, token, user }) => ({ ...session, id: user ? user.id : token.sub }),
  };
  uncalled(() => [
    createAuth({ callbacks }),
    createAuth({ adapter: perhaps, callbacks: { session } }),
    // @ts-expect-error: perhaps there is no adapter
    createAuth({ adapter: perhaps, callbacks: { session: ({ session, user }) => ({ ...session, id: user.id }) } }),
    createAuth({
      adapter: perhaps,
      callbacks: { session: ({ session, token, user }) => ({ ...session, id: token ? token.sub : user.id }) },
    }),
    // @ts-expect-error: the strategy may be `database`
    createAuth({ session: either, callbacks: { session: ({ session, token }) => ({ ...session, id: token.sub }) } }),
    // @ts-expect-error: what is spread may have an adapter
    createAuth({ ...base, callbacks: { session: ({ session, token }) => ({ ...session, id: token.sub }) } }),
    createAuth(() => ({
      adapter,
      callbacks: { session: ({ session, token, user }) => ({ ...session, id: token ? token.sub : user.id }) },
    })),
  ]);
});

test("without callbacks the types are as wide as before", () => {
  const plain = createAuth({ secret, providers: [github()] });
  same<typeof plain.$infer.Session, Session>(true);
  same<typeof plain.$infer.Token, JWT>(true);
  const inPlace = createAuth({
    secret,
    callbacks: {
      jwt({ token, user }) {
        if (user) token.role = "guest";
        return token;
      },
      session({ session, token }) {
        session.role = token?.role;
        if (session.user && token?.sub) session.user.id = token.sub;
        return session;
      },
    },
  });
  same<typeof inPlace, Auth>(true);
});

test("callbacks in another order have the wide types", () => {
  const { $infer: _ } = createAuth({
    secret,
    callbacks: {
      authorized: ({ auth }) => auth?.role === "staff",
      session: ({ session, token }) => ({ ...session, role: token?.role }),
      jwt: ({ token }) => ({ ...token, role: "guest" }),
    },
  });
  same<typeof _.Session, Session>(true);
  same<typeof _.Token, JWT>(true);
});

test("a configuration of a declared type has the types of that", () => {
  const config: AuthConfig = { secret, providers: [github()] };
  const open = (source: AuthConfigSource) => createAuth(source);
  same<ReturnType<typeof open>, Auth>(true);
  const declared = createAuth(config);
  same<typeof declared, Auth>(true);
  uncalled(() => declared.signIn(request, "anything", { any: "field" }));
  const checked = createAuth({ secret, providers: [github()] } satisfies AuthConfig);
  same<typeof checked.$infer.ProviderId, string>(true);
});

test("providers of unknown ids take every id", () => {
  const list = createAuth({ secret, providers: [github, google()] });
  const none = createAuth({ secret, providers: [] });
  const given = [github(), google()];
  const array = createAuth({ secret, providers: given });
  same<typeof none.$infer.ProviderId, string>(true);
  same<typeof array.$infer.ProviderId, "github" | "google">(true);
  const open = createAuth({ secret, providers: [credentials({ authorize: () => null }), ...given] });
  uncalled(() => [
    list.signIn(request, "github"),
    none.signIn(request, "github"),
    open.signIn(request, "credentials", { any: "field" }),
    // @ts-expect-error: there is no such provider
    open.signIn(request, "gitlab"),
  ]);
});

test("a service with types of its own is a service", () => {
  const wide: Auth = service;
  const infer = (service: { readonly $infer: Inferred }): unknown => service;
  assert.equal(infer(service), wide);
});

test("the types cost nothing when the program runs", () => {
  assert.equal("$infer" in service, false);
});
