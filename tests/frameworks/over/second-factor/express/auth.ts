import process from "node:process";
import { accountPage } from "@x/auth/account";
import { sqliteAdapter } from "@x/auth/adapters/sqlite";
import { ExpressAuth } from "@x/auth/express";
import { credentials } from "@x/auth/providers/credentials";
import { passkey } from "@x/auth/providers/passkey";
import { secondFactor } from "@x/auth/second-factor";

export const auth = ExpressAuth({
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
});
