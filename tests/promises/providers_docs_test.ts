import { test } from "node:test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { formatted, ITEMS, loadCatalogue, pageOf } from "../../scripts/provider_docs.ts";
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
