import { test } from "node:test";
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tmpdir } from "node:os";
import { pathToFileURL } from "node:url";
import {
  type Answers,
  answersOf,
  factoryOf,
  factsOf,
  fileOf,
  problemsOf,
  sourceOf,
} from "../../scripts/new_provider.ts";
import { readWords } from "../../scripts/provider_docs.ts";
import { missingIn } from "../_support/catalogue_facts.ts";
import type { OAuthProvider, OidcProvider } from "../../src/contract/provider.ts";

const OIDC: Answers = {
  id: "acme-id",
  name: 'Acme "ID"',
  issuer: "https://id.acme.example",
  scope: "openid profile email",
  pkce: true,
  console: "https://id.acme.example/apps",
};

const PLAIN: Answers = {
  id: "4-acme",
  name: "Acme",
  authorization: "https://acme.example/oauth/authorize",
  token: "https://acme.example/oauth/token",
  userinfo: "https://api.acme.example/me",
  scope: "read_user",
  pkce: false,
  method: "client_secret_post",
  console: "https://acme.example/apps",
};

/** Loads a source as if it lay in src/providers/. */
async function load(source: string, factory: string): Promise<OAuthProvider | OidcProvider> {
  const folder = mkdtempSync(join(tmpdir(), "provider-"));
  try {
    const file = join(folder, "provider.ts");
    const root = new URL("../../src/", import.meta.url).href;
    writeFileSync(file, source.replaceAll('from "../', `from "${root}`));
    const exports: Record<string, unknown> = await import(pathToFileURL(file).href);
    assert.equal(exports.default, exports[factory]);
    return (exports[factory] as () => OAuthProvider | OidcProvider)();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("the factory and the file of a new provider are named for its id", () => {
  const rows: [id: string, factory: string, file: string][] = [
    ["acme", "acme", "acme"],
    ["acme-id", "acmeId", "acme_id"],
    ["42-school", "school42", "42_school"],
    ["a-b-c", "aBC", "a_b_c"],
  ];
  for (const [id, factory, file] of rows) assert.deepEqual([factoryOf(id), fileOf(id)], [factory, file]);
});

test("answers that make no provider are refused with the name of the argument", () => {
  const rows: [change: Partial<Answers>, problem: RegExp][] = [
    [{ id: "Acme" }, /^--id/],
    [{ id: "../x" }, /^--id/],
    [{ id: "" }, /^--id/],
    [{ name: " " }, /^--name/],
    [{ issuer: "" }, /^give --discover/],
    [{ issuer: "http://id.acme.example" }, /^--issuer must be https/],
    [{ console: "javascript:alert(1)" }, /^--console must be https/],
  ];
  assert.deepEqual(problemsOf(OIDC), []);
  assert.deepEqual(problemsOf(PLAIN), []);
  for (const [change, problem] of rows) {
    const problems = problemsOf({ ...OIDC, ...change });
    assert.equal(problems.length, 1, JSON.stringify(change));
    assert.match(problems[0] ?? "", problem);
  }
  assert.match(problemsOf({ ...PLAIN, userinfo: undefined }).join(), /^give --discover/);
});

test("metadata answers what a new provider of OpenID Connect needs", () => {
  const issuer = "https://id.acme.example";
  assert.deepEqual(answersOf(issuer, { issuer }), {
    issuer,
    scope: "openid profile email",
    pkce: false,
    hasLogout: false,
  });
  assert.deepEqual(
    answersOf(issuer, {
      issuer,
      scopes_supported: ["openid", "email", "admin"],
      code_challenge_methods_supported: ["plain", "S256"],
      token_endpoint_auth_methods_supported: ["client_secret_post"],
      id_token_signing_alg_values_supported: ["none", "ES256"],
      end_session_endpoint: `${issuer}/logout`,
    }),
    {
      issuer,
      scope: "openid email",
      pkce: true,
      hasLogout: true,
      method: "client_secret_post",
      algorithm: "ES256",
    },
  );
  assert.throws(() => answersOf(issuer, { issuer: "https://evil.example" }), /names the issuer/);
  assert.throws(() => answersOf(issuer, {}), /names the issuer/);
});

test("the source of a new provider of OpenID Connect works, and says FILL IN where a person has to look something up", async () => {
  const source = sourceOf(OIDC);
  const { options: _, ...facts } = await load(source, "acmeId");
  assert.deepEqual(facts, {
    id: "acme-id",
    name: 'Acme "ID"',
    type: "oidc",
    issuer: "https://id.acme.example",
    checks: ["state", "pkce", "nonce"],
    style: { bg: "#000", text: "#fff" },
  });
  const words = readWords(source);
  assert.deepEqual(Object.keys(words?.items ?? {}), [
    "Register",
    "Environment",
    "Scopes",
    "Email",
    "Refresh",
    "Logout",
  ]);
  assert.match(words?.items.Register ?? "", /FILL IN.*\/auth\/callback\/acme-id/);
  assert.match(words?.items.Environment ?? "", /`AUTH_ACME_ID_ID`, `AUTH_ACME_ID_SECRET`/);
});

test("the source of a new provider of plain OAuth works", async () => {
  const provider = await load(sourceOf(PLAIN), "acme4");
  const { profile, options: _, ...facts } = provider;
  assert.deepEqual(facts, {
    id: "4-acme",
    name: "Acme",
    type: "oauth",
    authorization: { url: PLAIN.authorization, params: { scope: "read_user" } },
    token: PLAIN.token,
    userinfo: PLAIN.userinfo,
    checks: ["state"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { bg: "#000", text: "#fff" },
  });
  assert.deepEqual(await profile?.({ id: 7, name: "Ada" }, {}), {
    id: "7",
    name: "Ada",
    email: undefined,
    image: null,
  });
});

test("the facts of a new provider are complete, and name a person to sign in", () => {
  for (const answers of [OIDC, PLAIN]) {
    const { facts, sample } = JSON.parse(factsOf(answers));
    assert.deepEqual(missingIn({ facts, sample }), []);
    assert.equal(facts.id, answers.id);
    assert.equal(sample.user.email, "ada@example.com");
  }
});

test("facts that are not complete are refused with the path of what is missing", () => {
  const { facts: { profile, ...facts }, sample } = JSON.parse(factsOf(PLAIN));
  const all = [
    "facts.profile",
    ...["id", "name", "email", "email_verified", "image"].map((it) => `facts.profile.${it}`),
  ];
  assert.deepEqual(missingIn({ facts, sample }), all);
  assert.deepEqual(missingIn({ facts: { ...facts, profile: { ...profile, id: undefined } }, sample: null }), [
    "facts.profile.id",
    "sample.user",
    "sample.user.id",
  ]);
});
