/**
 * Checks the types of the package with the compilers that applications use: what was written for Auth.js compiles
 * (providers, adapters, callbacks and whole configurations, with the types of the packages as they are on npm), and types
 * follow the configuration.
 *
 * @module
 */
import { AUGMENTING, PLAIN, withOurImports } from "../../tests/_support/authjs_snippets.ts";
import { makeConsumer, type Trial } from "./consumer.ts";
import { run } from "./run.ts";

const PACKAGES = [
  "@auth/core@0.41.3",
  "@auth/drizzle-adapter@1",
  "@auth/kysely-adapter@1",
  "@auth/pg-adapter@1",
  "@auth/prisma-adapter@2",
  "@auth/typeorm-adapter@2",
  "@auth/unstorage-adapter@2",
  "@types/node@24",
  "@types/pg@8",
  "@types/react@19",
  "drizzle-orm@0.45",
  "kysely@0.28",
  "next@15",
  "next-auth@5.0.0-beta.32",
  "pg@8",
  "react@19",
  "react-dom@19",
  "unstorage@1",
];

/** The compilers, by the folder they are installed in. */
const COMPILERS = { "typescript-5-4": "5.4", "typescript-5-9": "5.9", "typescript-7-0": "7.0" } as const;

const RESOLUTIONS = [["esnext", "bundler"], ["nodenext", "nodenext"]] as const;

/** An application that was written for Auth.js, of which only the last import is new. */
const PROGRAM = `
import type { AuthConfig as OtherConfig, CookiesOptions, PagesOptions as OtherPages, Theme as OtherTheme, LoggerInstance } from "@auth/core/types";
import type { Adapter as OtherAdapter, AdapterUser as OtherAdapterUser } from "@auth/core/adapters";
import type { Provider as OtherProvider, OAuthConfig, OIDCConfig, EmailConfig, CredentialsConfig } from "@auth/core/providers";
import type { JWT as OtherJWT, JWTOptions as OtherJWTOptions } from "@auth/core/jwt";
import Apple from "@auth/core/providers/apple";
import Auth0 from "@auth/core/providers/auth0";
import Credentials from "@auth/core/providers/credentials";
import Discord from "@auth/core/providers/discord";
import GitHub from "@auth/core/providers/github";
import Google from "@auth/core/providers/google";
import Keycloak from "@auth/core/providers/keycloak";
import Entra from "@auth/core/providers/microsoft-entra-id";
import Nodemailer from "@auth/core/providers/nodemailer";
import Passkey from "@auth/core/providers/passkey";
import Resend from "@auth/core/providers/resend";
import WebAuthn from "@auth/core/providers/webauthn";
import type { NextAuthConfig } from "next-auth";
import { DrizzleAdapter } from "@auth/drizzle-adapter";
import { KyselyAdapter } from "@auth/kysely-adapter";
import PostgresAdapter from "@auth/pg-adapter";
import { PrismaAdapter } from "@auth/prisma-adapter";
import { TypeORMAdapter } from "@auth/typeorm-adapter";
import { UnstorageAdapter } from "@auth/unstorage-adapter";
import { createAuth, Auth, type Adapter, type AdapterUser, type AuthConfig, type JWT, type ProviderInput } from "@x/auth";

// Provider objects and factories.
export const providers: ProviderInput[] = [
  Apple, Auth0, Discord, GitHub, Google, Keycloak, Entra, Passkey,
  Apple({ clientId: "a" }),
  Auth0({ issuer: "https://a.test" }),
  Credentials({
    credentials: { email: { label: "Email", type: "email" }, password: {} },
    async authorize({ email, password }, request) {
      if (typeof email !== "string" || !password) return null;
      return { id: "1", name: email, email, image: request.url };
    },
  }),
  Discord({}),
  GitHub({ clientId: "c", clientSecret: "s", profile: (profile) => ({ id: String(profile.id), name: profile.login, role: "x" }) }),
  Google({ authorization: { params: { prompt: "consent" } } }),
  Keycloak({}),
  Entra({}),
  Nodemailer({ server: "smtp://localhost", from: "a@b.test" }),
  Passkey({}),
  Passkey,
  Resend({ from: "a@b.test" }),
  WebAuthn({}),
];

declare const one: OtherProvider;
declare const all: OtherConfig["providers"];
declare const oauth: OAuthConfig<{ login: string }>;
declare const oidc: OIDCConfig<{ sub: string }>;
declare const email: EmailConfig;
declare const credentials: CredentialsConfig;
export const generic: ProviderInput[] = [one, ...all, oauth, oidc, email, credentials];

// Adapters.
declare const anything: never;
declare const adapter: OtherAdapter;
export const adapters: Adapter[] = [
  adapter,
  DrizzleAdapter(anything),
  KyselyAdapter(anything),
  PostgresAdapter(anything),
  PrismaAdapter(anything),
  TypeORMAdapter(anything),
  UnstorageAdapter(anything),
];

// Callbacks, events, and the rest of a configuration.
const callbacks: OtherConfig["callbacks"] = {
  signIn({ user, account, profile, email, credentials }) {
    if (email?.verificationRequest) return true;
    if (credentials) return \`/\${user.name}\`;
    return account?.provider === "github" && profile?.email_verified === true;
  },
  redirect: ({ url, baseUrl }) => url.startsWith("/") ? baseUrl + url : baseUrl,
  jwt({ token, user, account, profile, trigger, session, isNewUser }) {
    if (trigger === "update") token.name = session?.name;
    if (user) token.id = user.id;
    if (account && profile && isNewUser) token.access = account.access_token;
    return token;
  },
  session({ session, token, user }) {
    if (token?.sub) session.user.id = token.sub;
    if (user) session.user.id = user.id;
    return session;
  },
};
const events: OtherConfig["events"] = {
  signIn: ({ user, isNewUser }) => console.log(user.id, isNewUser),
  signOut: (message) => console.log("token" in message ? message.token : message.session),
  linkAccount: ({ user, account, profile }) => console.log(user.id, account.provider, profile.email),
  createUser: ({ user }) => console.log(user.email),
  updateUser: async ({ user }) => console.log(user.email),
  session: ({ session, token }) => console.log(session.expires, token?.sub),
};
declare const cookies: Partial<CookiesOptions>;
declare const pages: Partial<OtherPages>;
declare const theme: OtherTheme;
declare const logger: Partial<LoggerInstance>;
declare const jwt: Partial<OtherJWTOptions>;
declare const session: OtherConfig["session"];

export const config: AuthConfig = { providers, adapter, callbacks, events, cookies, pages, theme, logger, jwt, session };
declare const whole: OtherConfig;
// Without \`authorized\`: it gets a Request here, with \`matches\`, and a NextRequest there.
declare const next: Omit<NextAuthConfig, "callbacks"> & { callbacks?: Omit<NonNullable<NextAuthConfig["callbacks"]>, "authorized"> };
export const services = [createAuth(config), createAuth(whole), createAuth(next)];
export const answers = [Auth(new Request("http://localhost/"), config), Auth(new Request("http://localhost/"), whole)];

// What the two packages hand to each other.
declare const user: OtherAdapterUser;
declare const token: OtherJWT;
export const users: AdapterUser[] = [user];
export const tokens: JWT[] = [token];
`;

/** An application that adds to the types of all sessions instead, as with Auth.js. */
const AUGMENTED = `
import { type Auth, createAuth, type Session } from "@x/auth";
import { ElysiaAuth, type ElysiaAuthService } from "@x/auth/elysia";
import { NestAuth, type NestAuthService } from "@x/auth/nest";
import { NextAuth, type NextAuthResult } from "@x/auth/next";
import { github } from "@x/auth/providers/github";
import { ReactRouterAuth, type ReactRouterAuthService } from "@x/auth/react-router";
import { SvelteKitAuth, type SvelteKitAuthResult } from "@x/auth/sveltekit";

declare module "@x/auth" {
  interface User { team?: string }
  interface Session { role?: "staff" | "guest" }
  interface JWT { role?: "staff" | "guest" }
}

const inPlace = createAuth({
  providers: [github()],
  callbacks: {
    jwt({ token, user }) {
      if (user) token.role = user.team ? "staff" : "guest";
      return token;
    },
    session({ session, token }) {
      if (token?.role) session.role = token.role;
      return session;
    },
    authorized: ({ auth }) => auth?.role === "staff",
  },
});
export const anew = createAuth({
  callbacks: {
    jwt: ({ token }) => ({ ...token, role: token.role ?? "guest" }),
    session: ({ session, token }) => ({ ...session, ...(token?.role && { role: token.role }) }),
  },
});
export const wide: readonly Auth[] = [inPlace, anew];
export const next: NextAuthResult = NextAuth({ providers: [github()] });
export const elysia: ElysiaAuthService = ElysiaAuth({ providers: [github()] });
export const nest: NestAuthService = NestAuth({ providers: [github()] });
export const reactRouter: ReactRouterAuthService = ReactRouterAuth({ providers: [github()] });
export const svelteKit: SvelteKitAuthResult = SvelteKitAuth({ providers: [github()] });
const { auth } = inPlace;
export async function roleOf(request: Request): Promise<"staff" | "guest" | undefined> {
  const session: Session | null = await auth(request);
  // @ts-expect-error: there is no such role
  if (session?.role === "boss") return undefined;
  return session?.user?.team ? "staff" : session?.role;
}
`;

/** What users of Auth.js write, after the change of the imports, by file. */
function switched(programs: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(programs).map(([name, text]) => [`${name.replace(/\W+/g, "_")}.ts`, withOurImports(text)]),
  );
}

/**
 * Installs everything and compiles the applications.
 *
 * @param all Whether with every compiler and every resolution of modules, or with TypeScript 5.9 as bundlers resolve.
 * @throws {Error} with what the compiler says.
 */
export async function checkAuthjsTypes(
  folder: string,
  { tarball, node, progress }: Trial,
  all: boolean,
): Promise<void> {
  const versions = Object.entries(COMPILERS).filter(([, version]) => all || version === "5.9");
  const compilers = versions.map(([name, version]) => `${name}@npm:typescript@${version}`);
  // Each adapter wants a database of its own beside it, and none of them is opened.
  const files = {
    "app.ts": PROGRAM,
    "augmented.ts": AUGMENTED,
    "inferred.ts": await Deno.readTextFile("tests/stories/types_test.ts"),
    "untyped.ts": await Deno.readTextFile("tests/stories/types_authjs_test.ts"),
    ...switched(AUGMENTING),
  };
  const plain = switched(PLAIN);
  await makeConsumer(folder, { ...files, ...plain }, ["--legacy-peer-deps", tarball, ...PACKAGES, ...compilers]);
  for (const [name, version] of versions) {
    for (const [module, resolution] of RESOLUTIONS.slice(0, all ? undefined : 1)) {
      progress(`TypeScript ${version} --strict, types of Auth.js and our own, moduleResolution ${resolution}`);
      const options = ["--module", module, "--moduleResolution", resolution, "--target", "es2022", "--types", "node"];
      // Each by itself: what a module adds to the types counts for all files of a program.
      for (const compiled of [...Object.keys(files).map((file) => [file]), Object.keys(plain)]) {
        const args = ["--noEmit", "--strict", "--skipLibCheck", ...options, ...compiled];
        await run(node.command, [`node_modules/${name}/bin/tsc`, ...args], { cwd: folder });
      }
    }
  }
}
