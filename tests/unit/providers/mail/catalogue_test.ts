/** The facts about mail services and their providers: none without the other. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import type { MailProvider } from "../../../../src/providers/mail/provider.ts";
import { MAIL_SERVICES } from "../../../_support/mail_services.ts";

const ROOT = new URL("../../../..", import.meta.url);

function read(path: string): string {
  return readFileSync(new URL(path, ROOT), "utf8");
}

const FILES = readdirSync(new URL("src/providers/", ROOT)).filter((name) => name.endsWith(".ts"));
const SOURCES = FILES.map((file) => [file, read(`src/providers/${file}`)] as const);

test("every provider of a mail service has recorded facts, and the facts have a provider", () => {
  const made = SOURCES.filter(([, source]) => source.includes("mailProvider({")).map(([file]) => file);
  const recorded = MAIL_SERVICES.map(({ id }) => `${id.replaceAll("-", "_")}.ts`);
  assert.deepEqual(made.toSorted(), recorded.toSorted());
  assert.ok(made.length >= 16);
});

for (const { id, docs, failures, key, options, request, unsure } of MAIL_SERVICES) {
  const path = `src/providers/${id.replaceAll("-", "_")}.ts`;
  const source = read(path);
  const name = id.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  const variable = `AUTH_${id.toUpperCase().replaceAll("-", "_")}_KEY`;

  test(`${id}: its answers for a wrong key, a wrong address, a limit and a failure are recorded`, () => {
    const reasons = new Set(failures.map(({ reason }) => reason));
    for (const reason of ["key", "address", "limit", "unavailable"] as const) assert.ok(reasons.has(reason), reason);
    assert.ok(key.length >= 6 && Array.isArray(unsure));
    assert.match(docs, /^https:/);
    assert.match(request.url, /^https:/);
  });

  test(`${id}: its comment names the variable, the page for keys and the documentation of the service`, () => {
    assert.ok(source.includes(` * Needs an adapter. Reads \`${variable}\`: `));
    assert.ok(source.includes(` * import { ${name} } from "@x/auth/providers/${id}";`));
    assert.match(source, / \* @see \{@link https:/);
  });

  test(`${id}: the id of its provider is literal, and everything else is what an email provider has`, async () => {
    const module: Record<string, unknown> = await import(new URL(path, ROOT).href);
    const make = module[name] as (options: object) => MailProvider;
    const provider = make({ ...options, apiKey: key, timeout: 3 });
    assert.deepEqual([provider.id, provider.name, provider.type], [id, "Email", "email"]);
    assert.deepEqual([provider.options?.apiKey, provider.options?.timeout], [key, 3]);
    assert.ok(source.includes(`<const Id extends string = "${id}">(`));
    assert.equal(provider.needsApiKey, true);
    assert.equal(make({ ...options, sendVerificationRequest: () => {} }).needsApiKey, false);
  });

  test(`${id}: without options, as JavaScript allows, it names the one that it lacks`, async () => {
    const module: Record<string, unknown> = await import(new URL(path, ROOT).href);
    const make = module[name] as (options?: unknown) => MailProvider;
    for (const given of [[], [null], [{}]]) {
      assert.throws(() => make(...given), { name: "InvalidConfig", message: /^Cannot send email: (?:set )?`\w+` of/ });
    }
  });
}
