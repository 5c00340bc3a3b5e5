import { test } from "node:test";
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import type { ResolvedOAuthProvider } from "../../src/config/resolved_provider.ts";
import { resolveConfig } from "../../src/config/resolve.ts";
import type { ProviderInput } from "../../src/contract/provider.ts";
import { ALL_PARTS } from "../_support/config_parts.ts";
import { testRuntime } from "../_support/runtime.ts";

const HEAD = ["Provider", "Protocol", "Checks", "Profile from", "Scopes", "Client authentication"];

const SOURCES: Readonly<Record<ResolvedOAuthProvider["profileFrom"], string>> = {
  id_token: "id_token",
  userinfo: "userinfo",
  both: "id_token, userinfo",
};

/** Options that every provider gets: what a developer has to give. */
const OPTIONS = {
  clientId: "id",
  clientSecret: "secret",
  issuer: "https://issuer.test",
  domain: "issuer.test",
  server: "smtp://mail.test",
  from: "site@mail.test",
  region: "eu-west-1",
  transactionalId: "t-1",
};

async function providers(): Promise<ResolvedOAuthProvider[]> {
  const folder = new URL("../../src/providers/", import.meta.url);
  const made = await Promise.all(
    readdirSync(folder).toSorted().map(async (file) => {
      const exports: Record<string, unknown> = await import(new URL(file, folder).href);
      const name = file.replace(".ts", "").replaceAll(/_(.)/g, (_, letter) => letter.toUpperCase());
      return (exports[name] as ((options: object) => ProviderInput) | undefined)?.(OPTIONS);
    }),
  );
  const config = { providers: made.filter((provider) => provider !== undefined), secret: "s".repeat(32) };
  const resolved = resolveConfig(config, testRuntime(), ALL_PARTS).providers.values();
  return [...resolved].flatMap((provider) => provider.type === "oauth" || provider.type === "oidc" ? [provider] : []);
}

function rowOf(provider: ResolvedOAuthProvider): string[] {
  const { type, checks, profileFrom, authorization: { params }, client } = provider;
  const used = (["state", "pkce", "nonce"] as const).filter((check) => checks[check]);
  const method = client.token_endpoint_auth_method ??
    (provider.wellKnown ? "as its metadata says" : "client_secret_basic");
  return [
    `\`${provider.id}\``,
    type === "oidc" ? "OpenID Connect" : "OAuth 2.0",
    used.join(", "),
    SOURCES[profileFrom],
    params.scope === undefined ? "its default" : `\`${params.scope}\``,
    method,
  ];
}

test("the table of providers says what each of them uses by default", async () => {
  const lines = readFileSync("docs/providers.md", "utf8").split("\n").filter((line) => line.startsWith("|"));
  const [head, , ...rows] = lines.map((line) => line.split("|").slice(1, -1).map((cell) => cell.trim()));
  const expected = (await providers()).map(rowOf);
  assert.deepEqual(head, HEAD);
  assert.deepEqual(rows, expected, `\n${expected.map((row) => `| ${row.join(" | ")} |`).join("\n")}`);
});
