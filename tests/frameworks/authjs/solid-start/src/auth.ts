import process from "node:process";
import { CredentialsSignin, type DefaultSession, type SolidAuthConfig, type User } from "@auth/solid-start";
import Credentials from "@auth/solid-start/providers/credentials";
import GitHub, { type GitHubProfile } from "@auth/solid-start/providers/github";
import Google from "@auth/solid-start/providers/google";
import { UnstorageAdapter } from "@auth/unstorage-adapter";
import { createStorage } from "unstorage";

declare module "@auth/solid-start" {
  interface Session {
    provider?: string;
    user?: { role?: "admin" | "member" } & DefaultSession["user"];
  }
}

declare module "@auth/core/jwt" {
  interface JWT {
    role?: "admin" | "member";
    provider?: string;
  }
}

class WrongPassword extends CredentialsSignin {
  code = "wrong_password";
}

export const authOptions: SolidAuthConfig = {
  basePath: "/api/auth",
  adapter: UnstorageAdapter(createStorage()),
  session: { strategy: "jwt", maxAge: 7 * 24 * 60 * 60 },
  trustHost: true,
  debug: false,
  providers: [
    GitHub({
      clientId: process.env.AUTH_GITHUB_ID,
      clientSecret: process.env.AUTH_GITHUB_SECRET,
      profile: (profile: GitHubProfile) => ({ id: profile.id.toString(), name: profile.login, email: profile.email }),
    }),
    Google({ clientId: process.env.AUTH_GOOGLE_ID, clientSecret: process.env.AUTH_GOOGLE_SECRET }),
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
    async jwt({ token, user, account }) {
      if (user) token.role = user.email === "ada@example.com" ? "admin" : "member";
      if (account) token.provider = account.provider;
      return token;
    },
    async session({ session, token }) {
      if (session.user) session.user.role = token.role;
      session.provider = token.provider;
      return session;
    },
  },
  events: {
    async signIn({ user }) {
      console.log(`signed in: ${user.email}`);
    },
    async signOut(message) {
      if ("token" in message) console.log(`signed out: ${message.token?.email}`);
    },
  },
};
