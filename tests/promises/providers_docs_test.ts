import { test } from "node:test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { formatted, ITEMS, loadCatalogue, pageOf } from "../../scripts/provider_docs.ts";
import { markdownTable } from "../_support/markdown.ts";
import { resolveNow } from "../_support/resolved.ts";
import { testRuntime } from "../_support/runtime.ts";

const page = readFileSync("docs/providers.md", "utf8");

test("docs/providers.md is what scripts/provider_docs.ts writes", async () => {
  assert.equal(page, await formatted(pageOf(await loadCatalogue())));
});

test("every identity provider of the catalogue has a section with all of its items", async () => {
  const catalogue = await loadCatalogue();
  assert.ok(catalogue.length > 110, `only ${catalogue.length} providers`);
  const sections = new Map(
    page.split(/^## /m).map((section) => [section.split("\n")[0], section.replaceAll(/\s+/g, " ")]),
  );
  for (const { provider: { name }, words } of catalogue) {
    const section = sections.get(name) ?? "";
    for (const label of ITEMS) {
      assert.match(section, new RegExp(`- ${label}: \\S`), `${name} has no ${label}`);
      assert.equal(words.items[label]?.includes("FILL IN"), false, `${label} of ${name} is not written`);
    }
  }
});

test("the index and the section of a provider say what to register, what to set, and what its address is worth", async () => {
  const rows = new Map(
    markdownTable(page, "Identity providers").map((row) => [/\[(.+)\]/.exec(row[0] ?? "")?.[1], row]),
  );
  const sections = new Map(page.split(/^## /m).map((section) => [section.split("\n")[0], section]));
  for (const { provider: { id, name, type }, words, email, vouches } of await loadCatalogue()) {
    const [, callback, variables = "", address] = rows.get(name) ?? assert.fail(`${name} is not in the index`);
    assert.equal(callback, `\`/auth/callback/${id}\``);
    assert.ok(words.items.Environment?.includes(variables.replaceAll("`", "")), `${name}: ${variables}`);
    const isProof = email === "with its state" && (vouches === "yes" || vouches === "own domain");
    assert.equal(address?.startsWith("proven"), isProof, name);
    const section = sections.get(name) ?? "";
    assert.ok(section.replaceAll(/\s+/g, " ").includes(`/auth/callback/${id}`), `${name}: no callback URL`);
    assert.ok(section.includes(`\n- Address: ${address}\n`), name);
    assert.ok(section.includes(`\n- Protocol: ${type === "oidc" ? "OpenID Connect" : "OAuth 2.0"}\n`), name);
  }
});

test("what the page says of checks and client authentication is what the service does", async () => {
  for (const { provider } of await loadCatalogue()) {
    const options = {
      ...provider.options,
      clientId: "id",
      clientSecret: "secret",
      issuer: provider.options?.issuer ?? provider.issuer,
    };
    const config = { providers: [{ ...provider, options }], secret: "s".repeat(32) };
    const resolved = resolveNow(config, testRuntime()).providers.get(provider.id);
    assert.ok(resolved?.type === "oauth" || resolved?.type === "oidc", provider.id);
    const checks = (["state", "pkce", "nonce"] as const).filter((check) => resolved.checks[check]);
    const method = resolved.client.token_endpoint_auth_method ??
      (resolved.token.url || resolved.token.handler ? "client_secret_basic" : "as its metadata says");
    const section = page.split(/^## /m).find((section) => section.startsWith(`${provider.name}\n`)) ?? "";
    const text = section.replaceAll(/\s+/g, " ");
    assert.ok(
      text.includes(`- Checks: ${(provider.checks ?? []).join(", ")}. Client authentication: ${method}.`),
      provider.id,
    );
    assert.deepEqual([...provider.checks ?? []].toSorted(), checks.toSorted(), provider.id);
  }
});
