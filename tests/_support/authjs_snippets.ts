/**
 * What users of Auth.js write, as they write it, and the change of imports that is all it takes.
 *
 * @module
 */

/** Where what is imported from Auth.js is found, first match first. */
const IMPORTS: readonly (readonly [RegExp, string])[] = [
  [/^next-auth$/, "@x/auth/next"],
  [/^(?:next-auth|@auth\/core)\/(adapters|jwt|providers(?:\/.+)?)$/, "@x/auth/$1"],
  [/^@auth\/core(?:\/types)?$/, "@x/auth"],
  [/^@auth\/(express|sveltekit|solid-start|qwik)$/, "@x/auth/$1"],
];

/** Changes the imports of a program from Auth.js to this package, `declare module` included. Nothing else changes. */
export function withOurImports(program: string): string {
  return program.replace(/((?:from|import|module) )"([^"]+)"/g, (whole, before: string, name: string) => {
    const row = IMPORTS.find(([pattern]) => pattern.test(name));
    return row ? `${before}"${name.replace(...row)}"` : whole;
  });
}

/** Programs that add to the types of all files, by name: each is compiled by itself. */
export const AUGMENTING: Readonly<Record<string, string>> = {
  "a role in the session, with claims": `
import NextAuth, { type DefaultSession } from "next-auth";
import GitHub from "next-auth/providers/github";
import "next-auth/jwt";

declare module "next-auth" {
  interface Session {
    user: { role: "admin" | "user" } & DefaultSession["user"];
  }
  interface User {
    role?: "admin" | "user";
  }
}
declare module "next-auth/jwt" {
  interface JWT {
    role?: "admin" | "user";
  }
}

export const { handlers, auth, signIn, signOut } = NextAuth({
  providers: [GitHub],
  callbacks: {
    jwt({ token, user }) {
      if (user) token.role = user.role;
      return token;
    },
    session({ session, token }) {
      session.user.role = token.role ?? "user";
      return session;
    },
  },
});

export async function isAdmin(): Promise<boolean> {
  const session = await auth();
  // @ts-expect-error: there is no such role
  if (session?.user.role === "boss") return false;
  return session?.user.role === "admin" && session.user.name !== null;
}
`,
  "the documented address of a user": `
import NextAuth, { type DefaultSession } from "next-auth";

declare module "next-auth" {
  interface User {
    address: string;
  }
  interface Session {
    user: { address: string } & DefaultSession["user"];
  }
}

export const { auth, handlers } = NextAuth({
  providers: [],
  callbacks: {
    session({ session, token, user }) {
      return { ...session, user: { ...session.user, address: user.address, name: token.name } };
    },
  },
});

export const addressOf = async (): Promise<string> => (await auth())?.user.address ?? "";
`,
  "an id that is required, with stored sessions": `
import NextAuth, { type DefaultSession } from "next-auth";
import type { Adapter } from "next-auth/adapters";
import Google from "next-auth/providers/google";

declare module "next-auth" {
  interface Session {
    user: { id: string; plan: string | null } & DefaultSession["user"];
  }
}
declare module "next-auth/adapters" {
  interface AdapterUser {
    plan: string | null;
  }
}
declare const adapter: Adapter;

export const { auth } = NextAuth({
  adapter,
  providers: [Google],
  session: { strategy: "database" },
  callbacks: {
    async session({ session, user }) {
      session.user.id = user.id;
      session.user.plan = user.plan;
      return session;
    },
  },
});

export const idOf = async (): Promise<string | undefined> => (await auth())?.user.id;
`,
  "an access token in the session": `
import NextAuth from "next-auth";
import type { JWT } from "next-auth/jwt";
import Google from "next-auth/providers/google";

declare module "next-auth" {
  interface Session {
    error?: "RefreshTokenError";
    accessToken?: string;
  }
}
declare module "next-auth/jwt" {
  interface JWT {
    access_token: string;
    expires_at: number;
    refresh_token?: string;
    error?: "RefreshTokenError";
  }
}

async function refreshed(token: JWT): Promise<JWT> {
  const response = await fetch("https://oauth2.googleapis.com/token", { method: "POST" });
  const tokens = await response.json() as { access_token: string; expires_in: number; refresh_token?: string };
  return { ...token, access_token: tokens.access_token, expires_at: Date.now() / 1000 + tokens.expires_in };
}

export const { handlers, auth } = NextAuth({
  providers: [Google({ authorization: { params: { access_type: "offline", prompt: "consent" } } })],
  callbacks: {
    async jwt({ token, account }) {
      if (account) {
        return {
          ...token,
          access_token: account.access_token!,
          expires_at: account.expires_at!,
          refresh_token: account.refresh_token!,
        };
      }
      if (Date.now() < token.expires_at * 1000) return token;
      if (!token.refresh_token) throw new TypeError("Missing refresh_token");
      try {
        return await refreshed(token);
      } catch {
        token.error = "RefreshTokenError";
        return token;
      }
    },
    async session({ session, token }) {
      session.error = token.error!;
      session.accessToken = token.access_token;
      return session;
    },
  },
});

export async function call(): Promise<Response> {
  const session = await auth();
  if (session?.error === "RefreshTokenError") return new Response(null, { status: 401 });
  return await fetch("https://api.example.com/", { headers: { authorization: "Bearer " + session?.accessToken } });
}
`,
  "a user of Express": `
import { ExpressAuth, getSession, type DefaultSession, type Session } from "@auth/express";
import GitHub from "@auth/core/providers/github";

declare module "@auth/express" {
  interface Session {
    user: { id: string } & DefaultSession["user"];
  }
}

const config = { providers: [GitHub], trustHost: true };
export const router = ExpressAuth(config);
export async function idOf(request: Parameters<typeof getSession>[0]): Promise<string | undefined> {
  const session: Session | null = await getSession(request, config);
  return session?.user.id;
}
`,
  "a role in SvelteKit": `
import { SvelteKitAuth, type DefaultSession, type Session } from "@auth/sveltekit";
import GitHub from "@auth/core/providers/github";

declare module "@auth/sveltekit" {
  interface Session {
    user: { roles: string[] } & DefaultSession["user"];
  }
}

export const { handle, signIn, signOut } = SvelteKitAuth({
  providers: [GitHub],
  callbacks: {
    session({ session, token }) {
      session.user.roles = token.sub ? ["member"] : [];
      return session;
    },
  },
});
export const rolesOf = (session: Session | null): string[] => session?.user.roles ?? [];
`,
  "types of the core, where only a binding is imported": `
import NextAuth from "next-auth";
import GitHub from "next-auth/providers/github";

declare module "@auth/core" {
  interface Session {
    team?: string;
  }
  interface JWT {
    team?: string;
  }
}

export const { auth } = NextAuth({
  providers: [GitHub],
  callbacks: {
    session({ session, token }) {
      if (token.team) session.team = token.team;
      return session;
    },
  },
});
export const teamOf = async (): Promise<string | undefined> => (await auth())?.team;
`,
};

/** Programs that leave types as they are, by name. */
export const PLAIN: Readonly<Record<string, string>> = {
  "the id in a session with claims": `
import NextAuth from "next-auth";
import GitHub from "next-auth/providers/github";

export const { handlers, signIn, signOut, auth } = NextAuth({
  providers: [GitHub],
  callbacks: {
    jwt({ token, user }) {
      if (user) token.id = user.id;
      return token;
    },
    session({ session, token }) {
      session.user.id = token.id as string;
      if (token.sub) session.user.id = token.sub;
      return session;
    },
  },
});
`,
  "the id in a stored session": `
import NextAuth from "next-auth";
import GitHub from "next-auth/providers/github";
import type { Adapter } from "next-auth/adapters";

declare const adapter: Adapter;
export const { auth } = NextAuth({
  adapter,
  providers: [GitHub],
  callbacks: {
    session({ session, user }) {
      session.user.id = user.id;
      return session;
    },
  },
});
`,
  "a callback for both strategies": `
import NextAuth from "next-auth";
import type { Adapter } from "next-auth/adapters";

declare const adapter: Adapter;
export const { auth } = NextAuth({
  adapter,
  providers: [],
  callbacks: {
    session: ({ session, token, user }) => {
      if (token?.sub) session.user.id = token.sub;
      else if (user) session.user.id = user.id;
      return session;
    },
  },
});
`,
  "a configuration that stands by itself": `
import type { NextAuthConfig } from "next-auth";
import GitHub from "next-auth/providers/github";

export default {
  providers: [GitHub],
  pages: { signIn: "/login", error: "/login" },
  session: { strategy: "jwt" },
  callbacks: {
    async signIn({ user, account, profile }) {
      if (account?.provider === "google") return profile?.email_verified === true;
      return Boolean(user.email);
    },
    async session({ session, user, token }) {
      if (session.user && token.sub) session.user.id = token.sub;
      if (user) session.user.id = user.id;
      return session;
    },
    async redirect({ url, baseUrl }) {
      if (url.startsWith("/")) return baseUrl + url;
      if (new URL(url).origin === baseUrl) return url;
      return baseUrl;
    },
  },
} satisfies NextAuthConfig;
`,
  "a dashboard that needs a session": `
import type { NextAuthConfig } from "next-auth";

export const authConfig = {
  pages: { signIn: "/login" },
  callbacks: {
    authorized({ auth, request: { nextUrl } }) {
      const isLoggedIn = !!auth?.user;
      const isOnDashboard = nextUrl.pathname.startsWith("/dashboard");
      if (isOnDashboard) {
        if (isLoggedIn) return true;
        return false;
      } else if (isLoggedIn) {
        return Response.redirect(new URL("/dashboard", nextUrl));
      }
      return true;
    },
  },
  providers: [],
} satisfies NextAuthConfig;
`,
  "a configuration in two files": `
import NextAuth from "next-auth";
import type { NextAuthConfig } from "next-auth";
import Credentials from "next-auth/providers/credentials";
import type { Adapter } from "next-auth/adapters";

const authConfig = {
  pages: { signIn: "/login" },
  callbacks: { authorized: ({ auth, request }) => !!auth || request.nextUrl.pathname === "/" },
  providers: [],
} satisfies NextAuthConfig;
const declared: NextAuthConfig = authConfig;
declare const adapter: Adapter;

export const { auth: middleware } = NextAuth(authConfig);
export const { auth, signIn, signOut } = NextAuth({
  adapter,
  session: { strategy: "jwt" },
  ...authConfig,
  providers: [
    ...declared.providers,
    Credentials({
      async authorize(credentials) {
        const { email } = credentials as { email: string };
        return { id: "1", email };
      },
    }),
  ],
  callbacks: {
    ...authConfig.callbacks,
    session({ session, token }) {
      if (token.sub && session.user) session.user.id = token.sub;
      return session;
    },
  },
});
`,
  "a middleware": `
import NextAuth from "next-auth";
import GitHub from "next-auth/providers/github";

const { auth } = NextAuth({ providers: [GitHub] });

export default auth((req) => {
  const { nextUrl } = req;
  if (!req.auth && nextUrl.pathname !== "/login") {
    const url = nextUrl.clone();
    url.pathname = "/login";
    return Response.redirect(new URL("/login", nextUrl.origin));
  }
  if (req.cookies.get("theme")?.value === "dark") return undefined;
});
export const config = { matcher: ["/((?!api|_next/static|_next/image|favicon.ico).*)"] };
`,
  "a middleware that names its request": `
import NextAuth, { type NextAuthRequest } from "next-auth";

const { auth } = NextAuth({ providers: [] });

export default auth(async function middleware(req: NextAuthRequest) {
  const isLoggedIn = !!req.auth;
  const role = req.auth?.user?.name;
  if (!isLoggedIn || !role) return Response.redirect(new URL("/login", req.nextUrl));
});
`,
  "auth() in four ways": `
import NextAuth from "next-auth";
import type { NextAuthResult, Session } from "next-auth";
import type { IncomingMessage, ServerResponse } from "node:http";

const result: NextAuthResult = NextAuth({ providers: [] });
export const { handlers: { GET, POST }, auth } = result;
declare const req: IncomingMessage;
declare const res: ServerResponse;

export async function page(): Promise<string | null | undefined> {
  const session: Session | null = await auth();
  return session?.user?.name;
}
export const route = auth(function GET(req) {
  if (req.auth) return Response.json(req.auth);
  return Response.json({ message: "Not authenticated" }, { status: 401 });
});
export const item = auth(async (req, { params }) => {
  const { id } = await params;
  return Response.json({ id, user: req.auth?.user?.email });
});
export const api = async () => (await auth(req, res))?.expires;
export const props = async () => (await auth({ req, res }))?.expires;
`,
  "credentials": `
import NextAuth, { CredentialsSignin, type User } from "next-auth";
import Credentials from "next-auth/providers/credentials";

class InvalidLoginError extends CredentialsSignin {
  code = "Invalid identifier or password";
}
declare function userOf(email: string, password: string): Promise<User | null>;

export const { signIn } = NextAuth({
  providers: [
    Credentials({
      name: "Credentials",
      credentials: {
        username: { label: "Username" },
        password: { label: "Password", type: "password", placeholder: "*****" },
      },
      async authorize(credentials, request) {
        if (!credentials.username || request.method !== "POST") throw new InvalidLoginError();
        return await userOf(credentials.username as string, credentials.password as string);
      },
    }),
  ],
});
`,
  "a sign-in in a server action": `
import NextAuth, { AuthError } from "next-auth";

const { signIn, signOut } = NextAuth({ providers: [] });

export async function authenticate(_before: string | undefined, formData: FormData) {
  try {
    await signIn("credentials", formData);
  } catch (error) {
    if (error instanceof AuthError) {
      switch (error.type) {
        case "CredentialsSignin":
          return "Invalid credentials.";
        default:
          return "Something went wrong.";
      }
    }
    throw error;
  }
}
export const leave = async () => {
  await signOut({ redirectTo: "/" });
};
`,
  "a provider of one's own": `
import type { OAuthConfig, OAuthUserConfig } from "next-auth/providers";
import NextAuth from "next-auth";

export interface AcmeProfile extends Record<string, any> {
  id: string;
  login: string;
  email: string | null;
  avatar_url: string;
}
interface Plain {
  id: number;
  login: string;
}

export default function Acme<P extends AcmeProfile>(options: OAuthUserConfig<P>): OAuthConfig<P> {
  return {
    id: "acme",
    name: "Acme",
    type: "oauth",
    authorization: { url: "https://acme.example.com/authorize", params: { scope: "read" } },
    token: "https://acme.example.com/token",
    userinfo: {
      url: "https://acme.example.com/me",
      async request({ tokens, provider }: { tokens: any; provider: any }) {
        const headers = { Authorization: "Bearer " + tokens.access_token };
        return await fetch(provider.userinfo?.url as URL, { headers }).then(async (res) => await res.json());
      },
    },
    profile(profile) {
      return { id: profile.id, name: profile.login, email: profile.email, image: profile.avatar_url };
    },
    style: { bg: "#24292f", text: "#fff" },
    options,
  };
}
export function plain(options: OAuthUserConfig<Plain>): OAuthConfig<Plain> {
  return {
    id: "plain",
    name: "Plain",
    type: "oidc",
    issuer: "https://plain.example.com",
    checks: ["pkce", "state"],
    profile: (profile) => ({ id: profile.id.toString(), name: profile.login }),
    ...options,
  };
}
export const { auth } = NextAuth({ providers: [Acme({ clientId: "a", clientSecret: "b" }), plain({ clientId: "c" })] });
`,
  "the providers of a sign-in page": `
import NextAuth from "next-auth";
import Credentials from "next-auth/providers/credentials";
import GitHub from "next-auth/providers/github";
import type { Provider } from "next-auth/providers";

const providers: Provider[] = [
  Credentials({
    credentials: { password: { label: "Password", type: "password" } },
    authorize(c) {
      if (c.password !== "password") return null;
      return { id: "test", name: "Test User", email: "test@example.com" };
    },
  }),
  GitHub,
];
export const providerMap = providers.map((provider) => {
  if (typeof provider === "function") {
    const providerData = provider();
    return { id: providerData.id, name: providerData.name };
  } else {
    return { id: provider.id, name: provider.name };
  }
}).filter((provider) => provider.id !== "credentials");

export const { signIn } = NextAuth({ providers, pages: { signIn: "/signin" } });
export const start = (id: string) => signIn(id, { redirectTo: "/" });
`,
  "an adapter": `
import type {
  Adapter,
  AdapterAccount,
  AdapterAccountType,
  AdapterSession,
  AdapterUser,
  VerificationToken,
} from "next-auth/adapters";

interface Database {
  one<T>(query: string, ...values: unknown[]): Promise<T | null>;
}
export const kinds: AdapterAccountType[] = ["oauth", "oidc", "email", "webauthn"];

export default function MyAdapter(db: Database): Adapter {
  return {
    async createUser(user) {
      return { ...user, id: crypto.randomUUID() };
    },
    async getUser(id) {
      return await db.one<AdapterUser>("user", id);
    },
    async getUserByEmail(email) {
      return await db.one<AdapterUser>("user by email", email);
    },
    async getUserByAccount({ providerAccountId, provider }) {
      const account = await db.one<AdapterAccount>("account", provider, providerAccountId);
      return account && await db.one<AdapterUser>("user", account.userId);
    },
    async updateUser(user) {
      const old = await db.one<AdapterUser>("user", user.id);
      if (!old) throw new Error("no user");
      return { ...old, ...user } as AdapterUser;
    },
    async linkAccount(account) {
      await db.one("link", account);
    },
    async createSession({ sessionToken, userId, expires }) {
      return { sessionToken, userId, expires };
    },
    async getSessionAndUser(sessionToken) {
      return await db.one<{ session: AdapterSession; user: AdapterUser }>("session", sessionToken);
    },
    async updateSession({ sessionToken }) {
      return await db.one<AdapterSession>("session", sessionToken);
    },
    async deleteSession(sessionToken) {
      await db.one("end", sessionToken);
    },
    async createVerificationToken(token) {
      return token;
    },
    async useVerificationToken({ identifier, token }) {
      return await db.one<VerificationToken>("token", identifier, token);
    },
  };
}
`,
  "events": `
import NextAuth from "next-auth";

export const { auth } = NextAuth({
  providers: [],
  events: {
    async signIn({ user, account, profile, isNewUser }) {
      console.log(user.id, account?.provider, profile?.sub, isNewUser);
    },
    async signOut(message) {
      if ("token" in message) console.log(message.token?.sub);
      if ("session" in message) console.log(message.session);
    },
    async createUser({ user }) {
      console.log(user.email, user.id);
    },
    async linkAccount({ user, account, profile }) {
      console.log(user.id, account.provider, account.access_token, profile.email);
    },
    async session({ session }) {
      console.log(session.user?.name);
    },
  },
});
`,
  "an update of the claims": `
import NextAuth from "next-auth";

export const { unstable_update } = NextAuth({
  providers: [],
  callbacks: {
    jwt({ token, trigger, session, user, account, profile }) {
      if (trigger === "update" && session?.user) token.name = session.user.name;
      if (trigger === "signIn") token.picture = user.image;
      if (account) token.id = user.id;
      if (profile) token.locale = profile.locale;
      return token;
    },
  },
});
export const rename = async (name: string) => {
  await unstable_update({ user: { name } });
};
`,
  "a configuration for each request": `
import NextAuth from "next-auth";
import GitHub from "next-auth/providers/github";

export const { handlers, auth } = NextAuth(async (req) => {
  if (req) console.log(req.url);
  return { providers: [GitHub({ clientId: "a", clientSecret: "b" })], debug: true };
});
`,
  "a handler of the core": `
import { Auth, type AuthConfig } from "@auth/core";
import type { Account, Profile, Session, User } from "@auth/core/types";
import { getToken, type JWT } from "@auth/core/jwt";
import type { EmailConfig } from "@auth/core/providers";
import Google from "@auth/core/providers/google";

const mail: EmailConfig = {
  id: "http-email",
  name: "Email",
  type: "email",
  maxAge: 60 * 60 * 24,
  async sendVerificationRequest({ identifier: to, url, provider }) {
    await fetch("https://api.example.com/", { method: "POST", body: JSON.stringify({ to, url, from: provider.from }) });
  },
};
export const config: AuthConfig = {
  providers: [Google({ clientId: "", clientSecret: "" }), mail],
  secret: "",
  trustHost: true,
  callbacks: {
    session: ({ session, token, user }) => ({ ...session, user: { ...session.user, id: user?.id ?? token.sub } }),
  },
};
export const handle = async (request: Request): Promise<Response> => await Auth(request, config);
export async function idOf(req: Request): Promise<string | undefined> {
  const token: JWT | null = await getToken({ req, secret: "" });
  return token?.sub;
}
export type Records = [Account, Profile, Session, User];
`,
};
