/** `createActionURL()` and `setEnvDefaults()`, compared with those of Auth.js. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createActionURL as otherURL, setEnvDefaults as otherDefaults } from "@auth/core";
import GitHub from "@auth/core/providers/github";
import Mailgun from "@auth/core/providers/mailgun";
import Postmark from "@auth/core/providers/postmark";
import Resend from "@auth/core/providers/resend";
import SendGrid from "@auth/core/providers/sendgrid";
import { createActionURL, setEnvDefaults } from "@x/auth";
import { recordLog } from "../_support/service.ts";

type Env = Readonly<Record<string, string>>;
// deno-lint-ignore no-explicit-any -- the types of the two packages differ
type Any = any;

const BOTH = [
  { url: createActionURL as Any, defaults: setEnvDefaults as Any },
  { url: otherURL as Any, defaults: otherDefaults as Any },
];

const PROTOCOLS: readonly unknown[] = [undefined, null, "https", "https:", "http", "http:"];

for (const protocol of PROTOCOLS) {
  test(`createActionURL() takes the protocol ${protocol} as Auth.js does`, () => {
    const [here, there] = BOTH.map(({ url }) => {
      return url("session", protocol, new Headers({ host: "app.test" }), {}, { basePath: "/auth" }).href;
    });
    assert.equal(here, there);
  });
}

const PATHS: readonly (readonly [basePath: string | undefined, url: string])[] = [
  ["/auth", "https://app.test"],
  ["/auth", "https://app.test/"],
  ["/auth", "https://app.test/auth"],
  ["/auth", "https://app.test/api/auth"],
  [undefined, "https://app.test/api/auth"],
];

for (const [basePath, AUTH_URL] of PATHS) {
  test(`createActionURL() warns as Auth.js does of basePath ${basePath} beside ${AUTH_URL}`, () => {
    const [here, there] = BOTH.map(({ url }) => {
      const { logger, warnings } = recordLog();
      const made = url("signin", "https", new Headers({ host: "x.test" }), { AUTH_URL }, { basePath, logger });
      return [made.href, warnings];
    });
    assert.deepEqual(here, there);
  });

  for (const suppress of [undefined, true]) {
    test(`setEnvDefaults() warns as Auth.js does of basePath ${basePath} beside ${AUTH_URL} (${suppress})`, () => {
      const [here, there] = BOTH.map(({ defaults }) => {
        const { logger, warnings } = recordLog();
        const config = { basePath, logger, providers: [], secret: "s" } as { basePath?: string };
        defaults({ AUTH_URL }, config, suppress);
        return [config.basePath, warnings];
      });
      assert.deepEqual(here, there);
    });
  }
}

const ENV: Env = {
  AUTH_RESEND_KEY: "r",
  AUTH_SENDGRID_KEY: "s",
  AUTH_POSTMARK_KEY: "p",
  AUTH_MAILGUN_KEY: "m",
  AUTH_GITHUB_ID: "id",
  AUTH_GITHUB_SECRET: "secret",
  AUTH_OWN_KEY: "own",
};

test("setEnvDefaults() writes keys of email services as Auth.js does", () => {
  const [here, there] = BOTH.map(({ defaults }) => {
    const config = {
      secret: "s",
      providers: [
        Resend({}),
        Resend({ apiKey: "given" }),
        SendGrid,
        Postmark({}),
        Mailgun({}),
        GitHub,
        { id: "own", name: "Own", type: "email" },
      ] as Any[],
    };
    defaults(ENV, config);
    return config.providers.map(({ id, apiKey, clientId, clientSecret, options }) => {
      return { id, apiKey, clientId, clientSecret, given: options?.apiKey ?? null };
    });
  });
  assert.deepEqual(here, there);
});

test("setEnvDefaults() called again changes nothing", () => {
  const config = { secret: "s", providers: [Resend({}), GitHub, { id: "own", name: "Own", type: "email" }] } as Any;
  setEnvDefaults(ENV, config);
  const before = { ...config, providers: config.providers.map((provider: object) => ({ ...provider })) };
  setEnvDefaults(ENV, config, true);
  assert.deepEqual(config, before);
});

test("setEnvDefaults() leaves to the service what is no provider", () => {
  const config = { secret: "s", providers: [null, () => undefined, "github"] } as Any;
  setEnvDefaults(ENV, config);
  assert.equal(config.providers.length, 3);
});
