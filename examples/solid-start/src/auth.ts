/** How people sign in, and where they are stored. */
import "server-only";
import process from "node:process";
import { sqliteAdapter } from "@x/auth/adapters/sqlite";
import { credentials } from "@x/auth/providers/credentials";
import { SolidAuth } from "@x/auth/solid-start";

const adapter = sqliteAdapter(process.env.DATABASE ?? "auth.db");

export const auth = SolidAuth({
  adapter,
  basePath: process.env.BASE_PATH,
  providers: [
    credentials({
      name: "a password",
      credentials: { username: { label: "User name" }, password: { label: "Password", type: "password" } },
      authorize({ username, password }) {
        // A real site looks the user up and verifies a password hash.
        if (username !== "ada" || password !== "lovelace") return null;
        return { id: "ada", name: "Ada Lovelace", email: "ada@example.com" };
      },
    }),
    ...demoId(process.env.DEMO_ID_ISSUER),
  ],
  // Visitors who are not signed in go to the sign-in page; scripts get 401.
  protect: ["/members/*", "/api/members/*"],
  callbacks: {
    async session({ session, user, trigger, newSession }) {
      const name = trigger === "update" ? nameIn(newSession) : null;
      if (user && name) await adapter.updateUser({ id: user.id, name });
      return { expires: session.expires, user: { id: user?.id, name: name ?? user?.name, email: user?.email } };
    },
  },
});

// Demo ID is the OpenID Provider of the demo. Replace it by one of yours, such as `github()`.
function demoId(issuer: string | undefined) {
  if (!issuer) return [];
  const client = { clientId: "demo", clientSecret: "demo-secret" };
  return [{ id: "demo-id", name: "Demo ID", type: "oidc", issuer, ...client }] as const;
}

// It comes from a form: take of it what users may change, and nothing else.
function nameIn(patch: unknown): string | null {
  const name = (patch as { user?: { name?: unknown } } | null)?.user?.name;
  return typeof name === "string" && name !== "" ? name.slice(0, 100) : null;
}
