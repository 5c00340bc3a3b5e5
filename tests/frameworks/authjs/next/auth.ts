import { UnstorageAdapter } from "@auth/unstorage-adapter";
import NextAuth, { CredentialsSignin } from "next-auth";
import type { Provider } from "next-auth/providers";
import Credentials from "next-auth/providers/credentials";
import GitHub from "next-auth/providers/github";
import Google from "next-auth/providers/google";
import Keycloak, { type KeycloakProfile } from "next-auth/providers/keycloak";
import { createStorage } from "unstorage";
import { authConfig } from "./auth_config";

class WrongPassword extends CredentialsSignin {
  code = "wrong_password";
}

const providers: Provider[] = [
  GitHub({ authorization: { params: { scope: "read:user user:email read:org", prompt: "consent" } } }),
  Google,
  Credentials({
    name: "Password",
    credentials: { username: { label: "User name" }, password: { label: "Password", type: "password" } },
    async authorize(credentials) {
      if (credentials.username === "bob" && credentials.password === "builder") {
        return { id: "bob", name: "Bob", email: "bob@example.com", role: "member" };
      }
      if (credentials.username !== "ada") return null;
      if (credentials.password !== "lovelace") throw new WrongPassword();
      return { id: "ada", name: "Ada Lovelace", email: "ada@example.com", role: "admin" };
    },
  }),
  Keycloak({
    name: "Staff ID",
    idToken: false,
    profile(profile: KeycloakProfile) {
      return { id: profile.sub, name: profile.name, email: profile.email, role: "member" };
    },
  }),
];

/** What the page for signing in shows a button for. */
export const buttons = providers
  .map((provider) => {
    const { id, name } = typeof provider === "function" ? provider() : provider;
    return { id, name };
  })
  .filter(({ id }) => id !== "credentials");

export const { handlers, auth, signIn, signOut, unstable_update } = NextAuth({
  ...authConfig,
  adapter: UnstorageAdapter(createStorage()),
  providers,
  callbacks: {
    ...authConfig.callbacks,
    async signIn({ user, account, profile }) {
      if (account?.provider === "google") return profile?.email_verified === true;
      return user.email !== "eve@example.com";
    },
    async jwt({ token, user, account, trigger, session }) {
      if (user) token.role = user.role ?? "member";
      if (account) token.provider = account.provider;
      if (trigger === "update" && session?.user?.name) token.name = session.user.name;
      return token;
    },
    async session({ session, token }) {
      if (token.sub) session.user.id = token.sub;
      session.user.role = token.role;
      session.provider = token.provider;
      return session;
    },
  },
  events: {
    async signIn({ user, account, isNewUser }) {
      console.log(`signed in: ${user.email} ${account?.provider} ${isNewUser ?? false}`);
    },
    async signOut(message) {
      if ("token" in message) console.log(`signed out: ${message.token?.email}`);
    },
  },
});
