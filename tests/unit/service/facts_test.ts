import { describe, test } from "node:test";
import { readFile } from "node:fs/promises";
import assert from "node:assert/strict";
import type { AuthConfig } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { github } from "@x/auth/providers/github";
import { resend } from "@x/auth/providers/resend";
import { resolveConfig, type ResolvedConfig } from "../../../src/config/resolve.ts";
import { placeIn } from "../../../src/kernel/copies.ts";
import { isOldNode, runtimeName } from "../../../src/kernel/platform.ts";
import { systemRuntime } from "../../../src/kernel/runtime.ts";
import {
  addressFacts,
  type Fact,
  factsOf,
  isGuessable,
  permissionFact,
  platformFacts,
  secretFacts,
  storageFacts,
} from "../../../src/service/facts.ts";
import { MAIL_HOSTS, permissionsOf } from "../../../src/service/permissions.ts";
import { password, testConfig } from "../../_support/service.ts";

const RANDOM = "kP3vQ9xZr7mT2wLs8bNd4yHcJf6gVa1eUo5iXqRtYk0";

type Variables = Readonly<Record<string, string | undefined>>;

async function resolved(config: AuthConfig = {}, variables: Variables = {}): Promise<ResolvedConfig> {
  return await resolveConfig(
    testConfig(config),
    { ...systemRuntime, env: (name) => variables[name] },
    undefined,
  );
}

const idsOf = (facts: readonly Fact[], level: Fact["level"]) =>
  facts.filter((each) => each.level === level).map(({ id }) => id);

describe("secretFacts()", () => {
  test("says how long each secret is and where it comes from, and never the secret", async () => {
    const older = RANDOM.toLowerCase();
    const cases: readonly (readonly [AuthConfig, Variables, RegExp])[] = [
      [{ secret: RANDOM }, {}, /43 characters from the option `secret`$/],
      [{ secret: undefined }, { AUTH_SECRET: RANDOM }, /43 characters from AUTH_SECRET$/],
      [{ secret: undefined }, { NEXTAUTH_SECRET: RANDOM }, /from NEXTAUTH_SECRET$/],
      [{ secret: RANDOM }, { AUTH_SECRET: RANDOM }, /from AUTH_SECRET$/],
      [{ secret: undefined }, { AUTH_SECRET: RANDOM, AUTH_SECRET_1: older }, /from AUTH_SECRET_1, 43 .* AUTH_SECRET$/],
      [{ secret: RANDOM, jwt: { secret: older } }, {}, /`secret`, 43 characters from the option `jwt\.secret`$/],
    ];
    for (const [config, variables, expected] of cases) {
      const facts = secretFacts(await resolved(config, variables));
      assert.deepEqual(facts.map(({ id }) => id), ["secret-seen"]);
      assert.match(facts[0]?.says ?? "", expected);
      const text = JSON.stringify(facts);
      assert.ok(!text.includes(RANDOM) && !text.includes(older));
    }
  });

  test("warns of a long secret that is easy to guess, and leaves short ones to the log", async () => {
    const weakIn = async (secret: string) => idsOf(secretFacts(await resolved({ secret })), "warning");
    assert.deepEqual(await weakIn("a".repeat(40)), ["weak-secret"]);
    assert.deepEqual(await weakIn("short"), []);
    assert.deepEqual(await weakIn(RANDOM), []);
  });

  test("isGuessable() knows repetition, few characters and examples from random texts", () => {
    const guessable = [
      "x".repeat(64),
      "abcdefgh".repeat(4),
      "kP3vQ9xZr7mT2wLskP3vQ9xZr7mT2wLs",
      "1111111111111111111111111111111122222222",
      "please-change-me-to-something-random-1",
      "replace_with_the_output_of_openssl_rand",
      "your-super-secret-key-goes-here-0123456",
    ];
    for (const text of guessable) assert.ok(isGuessable(text), text);
    for (let at = 0; at < 200; at += 1) {
      const bytes = crypto.getRandomValues(new Uint8Array(33));
      assert.ok(!isGuessable(btoa(String.fromCharCode(...bytes))));
      const hex = [...bytes.slice(0, 16)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
      assert.ok(!isGuessable(hex), hex);
    }
  });
});

describe("addressFacts()", () => {
  const see = async (url: string, headers: HeadersInit, config: AuthConfig, variables: Variables = {}) => {
    const request = new Request(url, { headers });
    const { publicUrl } = await import("../../../src/http/origin.ts");
    const made = await resolved(config, variables);
    return addressFacts({ incoming: request, request, url: publicUrl(request, made), config: made });
  };
  const configured = [{ trustHost: undefined }, { AUTH_URL: "https://app.test" }] as const;
  const trusted = [{ trustHost: true }] as const;
  const HOST = "x-forwarded-host";
  const PROTO = "x-forwarded-proto";

  test("says which address counts, from where, and which headers there are", async () => {
    const [first] = await see("http://10.0.0.7:3000/", {}, ...configured);
    assert.equal(
      first?.says,
      "the service takes itself for https://app.test (from AUTH_URL), and the request names http://10.0.0.7:3000; " +
        "it has no headers of a proxy",
    );
    const [second] = await see("http://inner.test/", { [HOST]: "app.test", [PROTO]: "https" }, ...trusted);
    assert.match(second?.says ?? "", /https:\/\/app\.test \(from the headers of a proxy\).*x-forwarded-host, x-forw/);
  });

  test("finds nothing where the proxy and the service agree", async () => {
    const sound = [
      await see("http://inner.test/", { [HOST]: "app.test", [PROTO]: "https" }, ...configured),
      await see("http://inner.test/", { [HOST]: "app.test", [PROTO]: "https" }, ...trusted),
      await see("https://app.test/", {}, ...trusted),
      await see("http://localhost:3000/", {}, { trustHost: undefined }),
    ];
    for (const facts of sound) assert.deepEqual(facts.map(({ id }) => id), ["address-seen"]);
  });

  test("warns of headers that are not believed, not read, or say something else", async () => {
    const odd: readonly (readonly [RegExp, Promise<readonly Fact[]>])[] = [
      [/AUTH_URL is https:\/\/app\.test/, see("http://in/", { [HOST]: "other.test", [PROTO]: "https" }, ...configured)],
      [/nothing says/, see("http://localhost:3000/", { [HOST]: "app.test" }, { trustHost: undefined })],
      [/several values/, see("http://in/", { [HOST]: "app.test, other.test", [PROTO]: "https" }, ...trusted)],
      [/no host/, see("http://in/", { [HOST]: "app test", [PROTO]: "https" }, ...trusted)],
      [/without X-Forwarded-Proto/, see("http://in/", { [HOST]: "app.test" }, ...trusted)],
      [/Proto is http,/, see("https://app.test/", { [PROTO]: "http" }, ...trusted)],
      [/sends Forwarded,/, see("http://in/", { forwarded: "host=app.test;proto=https" }, ...trusted)],
    ];
    for (const [expected, facts] of odd) {
      const found = (await facts).find(({ id }) => id === "proxy-disagrees");
      assert.match(found?.says ?? "nothing", expected);
    }
  });

  test("shortens what strangers write", async () => {
    const facts = await see("http://in/", { [HOST]: `${"a".repeat(5000)}.test`, [PROTO]: "https" }, ...configured);
    assert.ok(JSON.stringify(facts).length < 2000);
  });
});

describe("storageFacts()", () => {
  const lacksOf = async (adapter: object, config: AuthConfig = {}) => {
    return storageFacts(await resolved({ adapter, ...config } as AuthConfig)).map(({ says }) => says);
  };

  test("finds nothing in a complete adapter, and without one", async () => {
    assert.deepEqual(await lacksOf(memoryAdapter()), []);
    assert.deepEqual(storageFacts(await resolved()), []);
  });

  test("says each promise that an adapter cannot keep, and what follows", async () => {
    const cases: readonly (readonly [string, RegExp])[] = [
      ["once", /no `once`, so what may be used once/],
      ["listSessionsByUserId", /no `listSessionsByUserId`, so .*cannot be listed and ended/],
      ["deleteSessionsByUserId", /no `deleteSessionsByUserId`/],
      ["putRecord", /no operations for records/],
      ["take", /no `take`, so nothing is counted/],
    ];
    for (const [name, expected] of cases) {
      const says = await lacksOf({ ...memoryAdapter(), [name]: undefined });
      assert.equal(says.length, 1, name);
      assert.match(says[0] ?? "", expected);
    }
    const sealed = await lacksOf({ ...memoryAdapter(), deleteSessionsByUserId: undefined }, {
      session: { strategy: "jwt" },
    });
    assert.match(sealed.join(), /lasts until it expires/);
  });
});

describe("platformFacts()", () => {
  test("names each runtime", () => {
    const cases: readonly (readonly [object, string])[] = [
      [{ Deno: { version: { deno: "2.9.6" } }, process: { versions: { node: "24.0.0" } } }, "Deno 2.9.6"],
      [{ process: { versions: { node: "24.3.0", bun: "1.3.0" } } }, "Bun 1.3.0"],
      [{ process: { versions: { node: "24.3.0" } } }, "Node.js 24.3.0"],
      [{ navigator: { userAgent: "Cloudflare-Workers" } }, "Cloudflare Workers"],
      [{ EdgeRuntime: "edge" }, "an edge runtime without a version"],
      [{}, "an unknown runtime"],
    ];
    for (const [host, expected] of cases) assert.equal(runtimeName(host), expected);
  });

  test("warns of a Node.js that is too old", () => {
    const old = ["Node.js 20.19.0", "Node.js 22.12.9"];
    for (const name of old) assert.deepEqual(idsOf(platformFacts(name, []), "warning"), ["runtime-seen"]);
    for (const name of ["Node.js 22.13.0", "Node.js 24.0.0", "Bun 1.0.0", "Deno 2.9.6"]) assert.ok(!isOldNode(name));
  });

  test("warns of two copies in different folders, and takes bundles for none", () => {
    assert.deepEqual(idsOf(platformFacts("Deno 2", ["file:///a"]), "warning"), []);
    assert.deepEqual(idsOf(platformFacts("Deno 2", ["file:///a", "file:///b"]), "warning"), ["package-twice"]);
    const at = "Error: here\n    at noteCopy (";
    const places: readonly (readonly [string, string | null])[] = [
      ["https://jsr.io/@x/auth/0.1.0/src/kernel/copies.ts", "https://jsr.io/@x/auth/0.1.0"],
      ["file:///app/node_modules/@x/auth/chunks/setup.js", "file:///app/node_modules/@x/auth"],
      ["file:///C:/app/node_modules/@x/auth/chunks/setup.js?t=1", "file:///C:/app/node_modules/@x/auth"],
      ["file:///cache/npm/@x/auth/0.1.0/chunks/setup.js", "file:///cache/npm/@x/auth/0.1.0"],
      ["/app/node_modules/@x/auth/chunks/setup.js", "/app/node_modules/@x/auth"],
      ["file:///app/dist/chunks/setup.js", null],
      ["file:///app/dist/chunk-XY.js", null],
    ];
    for (const [file, folder] of places) assert.equal(placeIn(`${at}${file}:21:9)`), folder, file);
    assert.equal(placeIn(undefined), null);
  });
});

describe("permissionsOf()", () => {
  test("lists hosts of providers and mail services, and names what it cannot look into", async () => {
    const made = await resolved({
      adapter: memoryAdapter(),
      providers: [github({ clientId: "c", clientSecret: "canary-secret" }), resend({ from: "a@b.test", apiKey: "k" })],
    });
    const found = await permissionsOf(made);
    assert.deepEqual(found.hosts, ["api.github.com", "api.resend.com", "github.com"]);
    assert.deepEqual(found.unknown, ["`adapter`"]);
    const { says, fix } = permissionFact(found);
    assert.match(fix, /--allow-net=api\.github\.com,api\.resend\.com,github\.com --allow-env=AUTH_URL,/);
    assert.doesNotMatch(says + fix, /canary/);
    assert.deepEqual((await permissionsOf(await resolved({ providers: [password()] }))).unknown, [
      '`authorize` of provider "credentials"',
    ]);
  });

  test("takes hosts from discovery documents, and names a provider whose document cannot be read", async () => {
    const idp = { id: "idp", name: "IdP", type: "oidc", clientId: "c", clientSecret: "s" } as const;
    const at = (host: string) => `https://${host}.idp.test/path`;
    const answer = (url: string) => {
      if (!url.startsWith("https://id.idp.test/")) return new Response(null, { status: 500 });
      return Response.json({
        issuer: "https://id.idp.test",
        authorization_endpoint: at("for-browsers"),
        token_endpoint: at("tokens"),
        userinfo_endpoint: at("people"),
        jwks_uri: "https://keys.idp.test:8443/keys",
      });
    };
    const providers = [{ ...idp, issuer: "https://id.idp.test" }, { ...idp, id: "down", issuer: "https://down.test" }];
    const fetch = (url: string | URL | Request) =>
      Promise.resolve(answer(String(url instanceof Request ? url.url : url)));
    const made = await resolveConfig(
      testConfig({ providers }),
      { ...systemRuntime, env: () => undefined, fetch },
      "/auth",
    );
    assert.deepEqual(await permissionsOf(made), {
      hosts: ["down.test", "id.idp.test", "keys.idp.test:8443", "people.idp.test", "tokens.idp.test"],
      variables: (await permissionsOf(made)).variables,
      unknown: ['provider "down"'],
    });
  });

  test("lists each variable that resolving the configuration reads", async () => {
    const read = new Set<string>();
    // Set, so that nothing looks for a misspelt name.
    const SET = /^AUTH_(?:SECRET|GITHUB_(?:ID|SECRET)|RESEND_KEY)$/;
    const env = (name: string) => {
      read.add(name);
      return SET.test(name) ? RANDOM : undefined;
    };
    const providers = [github(), resend({ from: "a@b.test" })];
    const made = await resolveConfig({ adapter: memoryAdapter(), providers }, { ...systemRuntime, env }, undefined);
    const { variables } = await permissionsOf(made);
    assert.deepEqual([...read].filter((name) => !variables.includes(name)), []);
    assert.ok(read.size > 5);
  });

  test("the hosts of mail services are those that their providers name", async () => {
    for (const [id, host] of Object.entries(MAIL_HOSTS)) {
      const source = await readFile(`src/providers/${id}.ts`, "utf8");
      assert.ok(source.includes(`https://${host}/`), id);
    }
  });
});

test("factsOf() tells no secret of a configuration", async () => {
  const canary = `canary-${RANDOM}`;
  const config = await resolved({
    adapter: { ...memoryAdapter(), once: undefined } as never,
    secret: canary,
    jwt: { secret: [canary.toUpperCase()] },
    providers: [github({ clientId: "canary-id", clientSecret: canary }), resend({ from: "a@b.test", apiKey: canary })],
  }, { AUTH_SECRET_1: canary });
  const text = JSON.stringify(await factsOf(config, null));
  assert.doesNotMatch(text, /canary/i);
  assert.match(text, /AUTH_SECRET_1/);
});
