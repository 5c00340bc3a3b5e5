import process from "node:process";
import type { JWT } from "@auth/core/jwt";
import type { Account, Session, User } from "@auth/core/types";
import type { ExpressAuthConfig } from "@auth/express";
import { CredentialsSignin } from "@auth/express";
import Credentials from "@auth/express/providers/credentials";
import GitHub from "@auth/express/providers/github";
import Google from "@auth/express/providers/google";
import { UnstorageAdapter } from "@auth/unstorage-adapter";
import { createStorage } from "unstorage";

class WrongPassword extends CredentialsSignin {
  override code = "wrong_password";
}

/** What the sessions of this application hold. */
export interface StaffSession extends Session {
  role?: unknown;
  provider?: unknown;
}

export const authConfig: ExpressAuthConfig = {
  adapter: UnstorageAdapter(createStorage()),
  session: { strategy: "jwt", maxAge: 7 * 24 * 60 * 60 },
  trustHost: true,
  providers: [
    GitHub({ authorization: { params: { scope: "read:user user:email read:org", prompt: "consent" } } }),
    Google,
    Credentials({
      name: "Password",
      credentials: { username: { label: "User name" }, password: { label: "Password", type: "password" } },
      async authorize(credentials): Promise<User | null> {
        if (credentials.username !== "ada") return null;
        if (credentials.password !== "lovelace") throw new WrongPassword();
        return { id: "ada", name: "Ada Lovelace", email: "ada@example.com" };
      },
    }),
  ],
  callbacks: {
    async signIn({ user, account }: { user: User; account?: Account | null }) {
      return account?.provider !== "credentials" || user.email?.endsWith("@example.com") === true;
    },
    async jwt({ token, user, account }): Promise<JWT> {
      if (user) token.role = user.email === "ada@example.com" ? "admin" : "member";
      if (account) token.provider = account.provider;
      return token;
    },
    async session({ session, token }): Promise<StaffSession> {
      return { ...session, role: token?.role, provider: token?.provider };
    },
    async redirect({ url, baseUrl }) {
      if (url.startsWith("/")) return `${baseUrl}${url}`;
      return new URL(url).origin === baseUrl ? url : baseUrl;
    },
  },
  events: {
    async signIn({ user, isNewUser }) {
      process.stdout.write(`signed in: ${user.email} ${isNewUser ?? false}\n`);
    },
    async signOut(message) {
      if ("token" in message) process.stdout.write(`signed out: ${message.token?.email}\n`);
    },
  },
};
