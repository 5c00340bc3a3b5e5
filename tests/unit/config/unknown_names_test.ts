/** The lists of names that are told as unknown, compared with what there is. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { OPTIONS } from "../../../src/config/options.ts";
import { PROVIDERS } from "../../../src/config/provider_options.ts";
import type { Table } from "../../../src/config/rows.ts";
import { EXTRAS } from "../../../src/config/unknown_provider.ts";
import type { AuthConfig } from "../../../src/contract/config.ts";
import type { Provider } from "../../../src/contract/provider.ts";
import { memoryAdapter } from "../../../adapters/memory.ts";
import { testConfig } from "../_builders.ts";

const SOURCES = new URL("../../../src/providers/", import.meta.url);
const FILES = readdirSync(SOURCES).filter((name) => name.endsWith(".ts"));
const CORE = new URL("./", import.meta.resolve("@auth/core/providers/github"));

function unknownIn(config: object): readonly string[] {
  const { warnings, problems } = testConfig({ adapter: memoryAdapter(), ...config } as AuthConfig);
  return [...warnings.map(([, message]) => message), ...problems.map(({ message }) => message)]
    .filter((message) => message.includes("is not known"));
}

test("every name that an option of a provider of the catalogue has is known", () => {
  const known = [...EXTRAS, "scope", ...Object.values(PROVIDERS).flatMap((table) => Object.keys(table))];
  const missing = FILES.flatMap((file) => {
    const text = readFileSync(new URL(file, SOURCES), "utf8");
    const bodies = [...text.matchAll(/interface (?!\w*Secret)\w+Options[^{]*\{\n(.*?)\n\}/gs)].map(([, body]) =>
      body ?? ""
    );
    return bodies.flatMap((body) => [...body.matchAll(/^ {2}(?:readonly )?(\w+)\??:/gm)].map(([, name = ""]) => name))
      .filter((name) => !known.includes(name)).map((name) => `${file}: ${name}`);
  });
  assert.deepEqual(missing, []);
});

test("no provider of the catalogue has a member that is told as unknown", async () => {
  const made = await Promise.all(FILES.map(async (file) => {
    const factories = Object.values(await import(new URL(file, SOURCES).href));
    return factories.filter((factory): factory is (options: object) => Provider => typeof factory === "function")
      .flatMap((factory) => {
        try {
          const provider = factory({ clientId: "c", clientSecret: "s", issuer: "https://idp.test", scope: "write" });
          if (provider instanceof Promise) provider.catch(() => {});
          return ["oauth", "oidc", "email"].includes(provider?.type) ? [provider] : [];
        } catch {
          return []; // it demands options of its own
        }
      });
  }));
  const providers = made.flat();
  assert.ok(providers.length > 80, `${providers.length}`);
  const unknown = providers.flatMap((provider) => unknownIn({ providers: [provider] }));
  // An option that all of them got here, and few have.
  assert.deepEqual(unknown.filter((message) => !message.includes("`scope` of")), []);
  assert.ok(!unknown.some((message) => message.includes("dribbble")));
});

test("no provider object of Auth.js has a member that is told as unknown", async () => {
  const names = readdirSync(CORE).filter((name) => name.endsWith(".js") && !/^(?:index|provider-types)/.test(name));
  let count = 0;
  for (const name of names) {
    const { default: factory } = await import(`@auth/core/providers/${name.slice(0, -3)}`);
    if (typeof factory !== "function") continue;
    try {
      const options = { clientId: "c", clientSecret: "s", issuer: "https://idp.test", from: "a@b.test", server: {} };
      const provider = factory(options);
      if (provider.type === "credentials" || provider.type === "webauthn") continue;
      assert.deepEqual(unknownIn({ providers: [provider] }), [], name);
      count++;
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error;
    }
  }
  assert.ok(count > 60, `${count}`);
});

test("a configuration with every option has none that is told as unknown", () => {
  const config = Object.fromEntries(
    Object.entries(OPTIONS as Table).map(([name, { members }]) => {
      return [
        name,
        members && name !== "protect" ? Object.fromEntries(Object.keys(members).map((each) => [each, "x"])) : "x",
      ];
    }),
  );
  assert.deepEqual(unknownIn(config), []);
});

test("what is not set is not told as unknown", () => {
  assert.deepEqual(unknownIn({ basepath: undefined, callbacks: { signin: null }, pages: { signin: undefined } }), []);
});

test("a logger with more methods than the service calls is no mistake", () => {
  const fn = () => {};
  assert.deepEqual(unknownIn({ logger: { ...console, info: fn, trace: fn, child: fn, fatal: fn } }), []);
  assert.deepEqual(unknownIn({ logger: console }), []);
});

test("an object that is no configuration gives a bounded number of warnings", () => {
  const odd = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`OPTION_${index}`, "x"]));
  assert.equal(unknownIn(odd).length, 20);
});

test("a long name is cut", () => {
  const [message = ""] = unknownIn({ ["x".repeat(10_000)]: true });
  assert.ok(message.includes(`${"x".repeat(100)}…`) && message.length < 1000, `${message.length}`);
});
