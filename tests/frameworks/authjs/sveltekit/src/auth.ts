import { env } from "$env/dynamic/private";
import { CredentialsSignin, SvelteKitAuth, type SvelteKitAuthConfig, type User } from "@auth/sveltekit";
import Credentials from "@auth/sveltekit/providers/credentials";
import GitHub, { type GitHubProfile } from "@auth/sveltekit/providers/github";
import Google from "@auth/sveltekit/providers/google";
import { UnstorageAdapter } from "@auth/unstorage-adapter";
import { createStorage } from "unstorage";

class WrongPassword extends CredentialsSignin {
  code = "wrong_password";
}

const adapter = UnstorageAdapter(createStorage());

export const { handle, signIn, signOut } = SvelteKitAuth(async (event) => {
  const authOptions: SvelteKitAuthConfig = {
    adapter,
    secret: event.platform?.env?.AUTH_SECRET ?? env.AUTH_SECRET,
    session: { strategy: "jwt", maxAge: 7 * 24 * 60 * 60 },
    trustHost: true,
    providers: [
      GitHub({
        clientId: env.AUTH_GITHUB_ID,
        clientSecret: env.AUTH_GITHUB_SECRET,
        profile: (profile: GitHubProfile) => ({ id: profile.id.toString(), name: profile.login, email: profile.email }),
      }),
      Google({ authorization: { params: { access_type: "offline" } } }),
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
        session.user.role = token.role;
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
  return authOptions;
});
