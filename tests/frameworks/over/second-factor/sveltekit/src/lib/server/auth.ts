import process from "node:process";
import { building } from "$app/env";
import { accountPage } from "@x/auth/account";
import { sqliteAdapter } from "@x/auth/adapters/sqlite";
import { credentials } from "@x/auth/providers/credentials";
import { passkey } from "@x/auth/providers/passkey";
import { secondFactor } from "@x/auth/second-factor";
import { SvelteKitAuth } from "@x/auth/sveltekit";

export const auth = SvelteKitAuth({
  adapter: sqliteAdapter(process.env.DATABASE ?? "auth.db"),
  providers: [
    credentials({
      name: "a password",
      credentials: { username: { label: "User name" }, password: { label: "Password", type: "password" } },
      authorize({ username, password }) {
        if (username !== "ada" || password !== "lovelace") return null;
        return { id: "ada", name: "Ada Lovelace", email: "ada@example.com" };
      },
    }),
    passkey({ relayingParty: { id: "localhost" }, relatedOrigins: ["https://example.de"] }),
  ],
  mail: () => {},
  features: [secondFactor({ methods: ["totp"] }), accountPage()],
  protect: ["/members/*", "/api/members/*"],
}, { building });

export const { handle, signIn, signOut, update } = auth;
